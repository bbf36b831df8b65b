//! A report as one page that needs nothing else: it is light or dark as the reader likes, and can be printed.

use super::figures::{Entry, Figure, Profile, Reading, Section, Table};
use super::{board, charts, words};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// The whole page.
pub fn html(profile: &Profile) -> String {
    let mut out = opened(&format!("{}: a report", profile.name));
    head(profile, &mut out);
    contents(profile, &mut out);
    out.push_str("</main></body></html>\n");
    out
}

/// The beginning of a page.
pub(super) fn opened(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style></head>\n<body><main>\n",
        escape(title)
    )
}

/// What the report is about, and how it is made again.
pub(super) fn head(profile: &Profile, out: &mut String) {
    let Profile { name, variant, start, .. } = profile;
    let _ = write!(
        out,
        "<div class=\"head\"><h1>{}</h1>\n<p class=\"quiet\">{} from <code>{}</code>. Intervals are 95 % intervals; n is the size \
         of the sample, and numbers without an interval are exact counts.</p>\n\
         <p class=\"quiet\">Made again, figure by figure, by <code>{}</code></p></div>\n",
        escape(name),
        escape(variant),
        escape(start),
        escape(&profile.command())
    );
}

/// All sections.
pub(super) fn contents(profile: &Profile, out: &mut String) {
    for section in &profile.sections {
        write_section(section, profile, out);
    }
    if !profile.measured.is_empty() {
        let method = "Measured on this machine while the report was made; a seed does not repeat it.";
        let mut section = Section::new("measured", "How fast it is", method);
        section.figures.clone_from(&profile.measured);
        write_section(&section, profile, out);
    }
}

fn write_section(section: &Section, profile: &Profile, out: &mut String) {
    let Section { id, title, method, .. } = section;
    let _ = write!(
        out,
        "<section id=\"{id}\"><h2>{}</h2>\n<p class=\"method\">{}</p>\n",
        escape(title),
        escape(method)
    );
    if !section.facts.is_empty() {
        out.push_str("<dl>");
        for fact in &section.facts {
            let (name, label, text) = (&fact.id, escape(&fact.label), escape(&fact.text));
            let _ = writeln!(out, "<dt>{label}</dt><dd data-fact=\"{id}.{name}\">{text}</dd>");
        }
        out.push_str("</dl>\n");
    }
    write_figures(id, &section.figures, out);
    for chart in &section.charts {
        if let Some(svg) = charts::svg(chart) {
            let title = escape(&chart.title);
            let _ = writeln!(out, "<figure><figcaption>{title}</figcaption>\n{svg}</figure>");
        }
    }
    if !section.maps.is_empty() {
        out.push_str("<div class=\"maps\">\n");
        for map in &section.maps {
            let svg = board::svg(map, &profile.board);
            let _ = writeln!(
                out,
                "<figure><figcaption>{} (in %)</figcaption>\n{svg}</figure>",
                escape(&map.title)
            );
        }
        out.push_str("</div>\n");
    }
    section.tables.iter().for_each(|table| write_table(table, out));
    out.push_str("</section>\n");
}

fn write_figures(section: &str, figures: &[Figure], out: &mut String) {
    if figures.is_empty() {
        return;
    }
    out.push_str(
        "<div class=\"scroll\"><table><tr><th></th><th></th><th>95 % interval</th><th>n</th></tr>\n",
    );
    for Figure { id, label, reading } in figures {
        let (value, interval) =
            (words::value(reading), words::interval(reading).unwrap_or_else(|| "exact".to_owned()));
        let n = if reading.n > 0 { words::grouped(reading.n as f64) } else { String::new() };
        let _ = writeln!(
            out,
            "<tr data-figure=\"{section}.{id}\" data-value=\"{}\"><td>{}</td><td class=\"number\">{value}</td>\
             <td class=\"number\">{interval}</td><td class=\"number\">{n}</td></tr>",
            reading.value,
            escape(label)
        );
    }
    out.push_str("</table></div>\n");
}

fn write_table(table: &Table, out: &mut String) {
    let _ = writeln!(out, "<h3>{}</h3><div class=\"scroll\"><table><tr>", escape(&table.title));
    for column in &table.columns {
        let _ = write!(out, "<th>{}</th>", escape(column));
    }
    out.push_str("</tr>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for entry in row {
            let _ = match entry {
                Entry::Text(text) => write!(out, "<td>{}</td>", escape(text)),
                Entry::Reading(reading) => write!(out, "<td class=\"number\">{}</td>", with_sample(reading)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

/// A number of a table: its interval and sample are told when it is pointed at, too.
pub(super) fn with_sample(reading: &Reading) -> String {
    let n = if reading.n > 0 { format!(" title=\"n = {}\"", reading.n) } else { String::new() };
    format!("<span{n}>{}</span>", words::both(reading))
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
