//! Several reports side by side: the variants of a game.

use super::figures::Profile;
use super::html::{contents, escape, head, opened, with_sample};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Reports of variants, to be compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The reports, in the order in which they were asked for.
    pub compared: Vec<Profile>,
}

/// One page: every figure with a column for each variant, then the reports.
pub fn compared_html(comparison: &Comparison) -> String {
    let profiles = &comparison.compared;
    let name = profiles.first().map_or("", |profile| profile.name.as_str());
    let mut out = opened(&format!("{name}: variants compared"));
    let _ = write!(
        out,
        "<h1>{}: variants compared</h1>\n<section><div class=\"scroll\"><table>\n<tr><th></th>",
        escape(name)
    );
    for profile in profiles {
        let _ =
            write!(out, "<th>{}<br><code>{}</code></th>", escape(&profile.variant), escape(&profile.start));
    }
    out.push_str("</tr>\n");
    for (id, label) in rows(profiles) {
        let _ = write!(out, "<tr><td>{}</td>", escape(&label));
        for profile in profiles {
            let cell = profile.figure(&id).map(|figure| with_sample(&figure.reading));
            let cell = cell.or_else(|| profile.fact(&id).map(escape)).unwrap_or_else(|| "-".to_owned());
            let _ = write!(out, "<td class=\"number\">{cell}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div></section>\n");
    for profile in profiles {
        let _ = writeln!(out, "<details><summary>{}</summary>", escape(&profile.variant));
        head(profile, &mut out);
        contents(profile, &mut out);
        out.push_str("</details>\n");
    }
    out.push_str("</main></body></html>\n");
    out
}

/// The names and labels of everything that one of the reports has, in the order of the first that has it.
fn rows(profiles: &[Profile]) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for profile in profiles {
        for section in &profile.sections {
            let facts = section.facts.iter().map(|fact| (&fact.id, &fact.label));
            let figures = section.figures.iter().map(|figure| (&figure.id, &figure.label));
            for (id, label) in facts.chain(figures) {
                let id = format!("{}.{id}", section.id);
                if !rows.iter().any(|(known, _)| *known == id) {
                    rows.push((id, format!("{}: {label}", section.title)));
                }
            }
        }
    }
    rows
}
