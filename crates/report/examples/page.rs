//! `cargo run -p tabia-report --example page -- report.json ... report.html`: the page of a report that was kept as JSON, or of
//! several side by side.

use std::error::Error;
use tabia_report::profile::{Comparison, Profile, compared_html, html};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let Some((to, from)) = paths.split_last() else { return Err("expected reports and a page".into()) };
    let read = |path: &String| -> Result<Profile, Box<dyn Error>> {
        Ok(serde_json::from_slice(&std::fs::read(path)?)?)
    };
    let compared = from.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let page = match compared.as_slice() {
        [one] => html(one),
        _ => compared_html(&Comparison { compared }),
    };
    Ok(std::fs::write(to, page)?)
}
