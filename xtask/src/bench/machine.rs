//! What a figure was measured with.

use std::process::Command;

/// The compiler: `rustc 1.95.0`.
pub(super) fn compiler() -> anyhow::Result<String> {
    let told = Command::new("rustc").arg("--version").output()?;
    let told = String::from_utf8(told.stdout)?;
    Ok(told.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// The processor, how much of it there is, and the compiler.
pub(super) fn name() -> anyhow::Result<String> {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism()?;
    let cores = if cores.get() == 1 { "one core".to_owned() } else { format!("{cores} cores") };
    Ok(format!("{}, {cores}, {}", processor(&told).unwrap_or(std::env::consts::ARCH), compiler()?))
}

fn processor(told: &str) -> Option<&str> {
    told.lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map(|(_, name)| name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_named() {
        let told = "processor\t: 0\nmodel name\t: Some Processor @ 2.80GHz\ncache size\t: 1 KB\n";
        assert_eq!(processor(told), Some("Some Processor @ 2.80GHz"));
        assert_eq!(processor(""), None);
        assert!(name().is_ok_and(|name| name.contains("core") && name.contains("rustc ")));
    }
}
