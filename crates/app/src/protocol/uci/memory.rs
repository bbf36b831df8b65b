//! How much memory a table can really have.

/// What is advertised where the system does not tell how much it has.
const UNKNOWN: u64 = 4096;

/// The most megabytes for a table: what is free now, less an eighth for everything else.
pub(super) fn most_megabytes() -> usize {
    let free = [available(), limit()].into_iter().flatten().min();
    let megabytes = free.map_or(UNKNOWN, |bytes| (bytes - bytes / 8) >> 20);
    megabytes.clamp(1, 1 << 25) as usize
}

/// Bytes that the whole machine has left (Linux).
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Bytes that a container has left (control groups, Linux); `None` where nothing limits it.
fn limit() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current").unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_some_memory() {
        assert!(super::most_megabytes() >= 1);
    }
}
