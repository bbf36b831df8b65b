//! The codes of the position, and their bits with what they mean.

use super::rows::Rows;
use crate::desk::Desk;
use ratatui::style::{Modifier, Style, Stylize};
use ratatui::text::Span;

pub(super) fn rows(rows: &mut Rows, desk: &Desk) {
    let runs = desk.seen.fields.iter().flat_map(|field| &field.runs);
    let meaning = runs.clone().nth(desk.selected).map_or("", |run| run.meaning.as_str());
    rows.strong(meaning);
    let mut number = 0;
    for field in &desk.seen.fields {
        rows.gap();
        rows.quiet(&format!("{}  {}", field.name, field.value));
        let mut spans = Vec::new();
        for (place, run) in field.runs.iter().enumerate() {
            let chosen = number == desk.selected;
            let style = match place % 2 {
                _ if chosen => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
                0 => Style::new(),
                // Neighbours that mean something else look different.
                _ => Style::new().add_modifier(Modifier::UNDERLINED),
            };
            spans.push((Span::styled(run.bits.clone(), style), Some(number)));
            number += 1;
        }
        rows.flow(spans, Some(desk.selected));
    }
    rows.gap();
    let view = &desk.seen.view;
    rows.quiet("position");
    rows.text(&view.position);
    rows.quiet(&format!("canonical ({})", view.symmetry));
    rows.text(&view.canonical);
    for (format, code) in view.codes.iter().filter(|(format, _)| **format != "text") {
        rows.add(Span::from(format.to_string()).dim());
        rows.text(code);
    }
}
