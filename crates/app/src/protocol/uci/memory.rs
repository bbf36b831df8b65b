//! How much memory a table can really have.

/// What is advertised where the system does not tell how much it has.
const UNKNOWN: u64 = 4096;

/// The most megabytes for a table: what is free now, less an eighth for everything else.
pub(super) fn most_megabytes() -> usize {
    let megabytes = tabia_core::memory::available().map_or(UNKNOWN, |bytes| (bytes - bytes / 8) >> 20);
    megabytes.clamp(1, 1 << 25) as usize
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_some_memory() {
        assert!(super::most_megabytes() >= 1);
    }
}
