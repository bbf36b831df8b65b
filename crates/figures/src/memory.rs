//! How much memory something takes.

/// The most memory that this process had while it worked, in millions of bytes; `None` where the system does not say.
pub fn peak_megabytes(work: impl FnOnce()) -> Option<f64> {
    // Linux forgets the peak when it is told to.
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    work();
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = peak.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}
