//! `cargo run -p tabia-report --example page -- report.json report.html`: the page of a report that was kept as JSON.

use std::error::Error;
use tabia_report::profile::{Profile, html};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = paths.as_slice() else { return Err("expected the report and the page".into()) };
    let profile: Profile = serde_json::from_slice(&std::fs::read(from)?)?;
    Ok(std::fs::write(to, html(&profile))?)
}
