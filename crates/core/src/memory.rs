//! How much memory there is: that of the machine, or of the container that the program runs in. Linux tells; elsewhere nothing is known.

/// Bytes that there are in all.
pub fn total() -> Option<u64> {
    [of_machine("MemTotal:"), of_container("memory.max")].into_iter().flatten().min()
}

/// Bytes that are left.
pub fn available() -> Option<u64> {
    let left = |most: u64| most.saturating_sub(of_container("memory.current").unwrap_or(0));
    [of_machine("MemAvailable:"), of_container("memory.max").map(left)].into_iter().flatten().min()
}

fn of_machine(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// A number of the control group; `None` where nothing is limited.
fn of_container(name: &str) -> Option<u64> {
    std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_is_left_than_there_is() {
        assert!(total().is_none_or(|total| total >= 1 << 20));
        assert!(available() <= total());
    }
}
