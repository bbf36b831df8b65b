//! The rows of a panel: wrapped, scrolled to what is chosen, and known to the mouse.

use crate::desk::Desk;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// A row, and which of its columns belong to an item.
#[derive(Default)]
struct Row {
    line: Line<'static>,
    items: Vec<(u16, u16, usize)>,
}

/// Rows of text.
#[allow(clippy::struct_field_names, reason = "rows are what it holds")]
pub(super) struct Rows {
    width: u16,
    rows: Vec<Row>,
    /// The row that is to be seen.
    keep: usize,
}

impl Rows {
    pub(super) fn new(width: u16) -> Self {
        Rows { width, rows: Vec::new(), keep: 0 }
    }

    pub(super) fn width(&self) -> usize {
        self.width.into()
    }

    pub(super) fn add(&mut self, line: impl Into<Line<'static>>) {
        self.rows.push(Row { line: line.into(), items: Vec::new() });
    }

    pub(super) fn gap(&mut self) {
        self.add("");
    }

    /// A text in as many rows as it needs.
    pub(super) fn text(&mut self, text: &str) {
        wrap(text, self.width()).into_iter().for_each(|line| self.add(line));
    }

    pub(super) fn quiet(&mut self, text: &str) {
        wrap(text, self.width()).into_iter().for_each(|line| self.add(Line::from(line).dim()));
    }

    pub(super) fn strong(&mut self, text: &str) {
        wrap(text, self.width()).into_iter().for_each(|line| self.add(Line::from(line).bold()));
    }

    /// A row that can be chosen.
    pub(super) fn item(&mut self, line: impl Into<Line<'static>>, number: usize, chosen: bool) {
        let line: Line<'static> = line.into();
        if chosen {
            self.keep = self.rows.len();
        }
        let line = if chosen { line.reversed() } else { line };
        self.rows.push(Row { line, items: vec![(0, self.width, number)] });
    }

    /// Spans one after the other, wrapped between them; each with its item, if it is one.
    pub(super) fn flow(&mut self, spans: Vec<(Span<'static>, Option<usize>)>, chosen: Option<usize>) {
        let (mut row, mut used) = (Row::default(), 0);
        for (span, item) in spans {
            let width = span.content.width() as u16;
            if used > 0 && used + width > self.width {
                self.rows.push(std::mem::take(&mut row));
                used = 0;
            }
            // No row begins with what only keeps others apart.
            if used == 0 && span.content.trim().is_empty() {
                continue;
            }
            if item.is_some() && item == chosen {
                self.keep = self.rows.len();
            }
            row.items.extend(item.map(|item| (used, width, item)));
            row.line.push_span(span);
            used += width;
        }
        if used > 0 {
            self.rows.push(row);
        }
    }

    /// Shows the rows from one on, whatever is chosen.
    pub(super) fn from(&mut self, row: usize, height: u16) {
        self.keep = row.min(self.rows.len().saturating_sub(height.into()));
        self.rows.drain(..self.keep);
        self.keep = 0;
    }

    /// Draws the rows around the chosen one; where the items are.
    fn placed(self, frame: &mut Frame<'_>, area: Rect) -> Vec<(Rect, usize)> {
        let height = usize::from(area.height);
        let last = self.rows.len().saturating_sub(height);
        let first = if self.keep < height { 0 } else { (self.keep - height / 2).min(last) };
        let mut places = Vec::new();
        for (row, y) in self.rows.into_iter().skip(first).zip(area.top()..area.bottom()) {
            frame.render_widget(row.line, Rect { y, height: 1, ..area });
            let place = |(x, width, item)| (Rect::new(area.x + x, y, width, 1).intersection(area), item);
            places.extend(row.items.into_iter().map(place));
        }
        places
    }

    pub(super) fn draw(self, frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
        desk.areas.items = self.placed(frame, area);
    }

    pub(super) fn draw_moves(self, frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
        desk.areas.moves = self.placed(frame, area);
    }
}

/// A text in lines of at most so many columns; words that are longer are broken.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map_or(0, |line| line.width());
        if line > 0 && line + 1 + word.width() > width {
            lines.push(String::new());
        }
        let Some(last) = lines.last_mut() else { continue };
        if !last.is_empty() {
            last.push(' ');
        }
        let mut used = last.width();
        for letter in word.chars() {
            let columns = letter.to_string().width();
            if used + columns > width {
                lines.push(String::new());
                used = 0;
            }
            lines.iter_mut().next_back().into_iter().for_each(|line| line.push(letter));
            used += columns;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn texts_are_broken_between_words_and_long_words_anywhere() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("", 4), [""]);
        assert!(wrap("将棋 将棋将棋", 5).iter().all(|line| line.width() <= 5));
    }
}
