//! A board as lines of text.

use crate::views::BoardView;
use std::collections::BTreeMap;
use std::fmt::Write;
use tabia_core::{Cell, Piece, Shape};

/// Which characters may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// Anything.
    Unicode,
    /// ASCII alone.
    Ascii,
}

/// The board with its pieces: a row of text for each level of a stack, trays below.
pub fn text(board: &BoardView, style: TextStyle) -> String {
    let drawing = Drawing::new(board, style);
    let mut out = String::new();
    for row in drawing.rows() {
        for level in (0..drawing.levels).rev() {
            drawing.line(row, level, &mut out);
        }
    }
    drawing.column_labels(&mut out);
    drawing.trays(&mut out);
    out
}

struct Drawing<'a> {
    board: &'a BoardView,
    style: TextStyle,
    cells: BTreeMap<[u8; 2], &'a Cell>,
    columns: u8,
    levels: u8,
    width: usize,
    label_width: usize,
}

impl<'a> Drawing<'a> {
    fn new(board: &'a BoardView, style: TextStyle) -> Self {
        let on_board = |cell: &&Cell| cell.shape != Shape::Tray;
        let cells: BTreeMap<_, _> =
            board.geometry.cells.iter().filter(on_board).map(|cell| (cell.text_at, cell)).collect();
        let mut drawing = Drawing { board, style, cells, columns: 0, levels: 1, width: 1, label_width: 0 };
        drawing.columns = drawing.cells.keys().map(|at| at[1] + 1).max().unwrap_or(0);
        for piece in &board.picture.pieces {
            if drawing.cells.values().any(|cell| cell.id == piece.cell) {
                drawing.levels = drawing.levels.max(piece.level + 1);
                drawing.width = drawing.width.max(drawing.symbol(piece).chars().count());
            }
        }
        drawing.label_width =
            drawing.rows().map(|row| drawing.row_label(row).chars().count()).max().unwrap_or(0);
        drawing
    }

    fn rows(&self) -> impl Iterator<Item = u8> + use<> {
        0..self.cells.keys().map(|at| at[0] + 1).max().unwrap_or(0)
    }

    fn symbol<'p>(&self, piece: &'p Piece) -> &'p str {
        if self.style == TextStyle::Ascii { &piece.ascii } else { &piece.unicode }
    }

    fn line(&self, row: u8, level: u8, out: &mut String) {
        let label = if level == 0 { self.row_label(row) } else { "" };
        let mut line = format!("{label:>width$}", width = self.label_width);
        for column in 0..self.columns {
            let cell = self.cells.get(&[row, column]);
            let shown = cell.map_or("", |cell| self.content(cell, level));
            let mark = if cell.is_some_and(|cell| level == 0 && self.marked(cell)) { '*' } else { ' ' };
            let _ = write!(line, " {shown:>width$}{mark}", width = self.width);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }

    fn content(&self, cell: &Cell, level: u8) -> &str {
        let piece =
            self.board.picture.pieces.iter().find(|piece| piece.cell == cell.id && piece.level == level);
        match piece {
            Some(piece) => self.symbol(piece),
            None if level > 0 => "",
            None if self.style == TextStyle::Ascii => ".",
            None => "·",
        }
    }

    fn marked(&self, cell: &Cell) -> bool {
        self.board.picture.marks.iter().any(|mark| mark.cell == cell.id)
    }

    fn row_label(&self, row: u8) -> &str {
        let y = self.cells.iter().find(|(at, _)| at[0] == row).map(|(_, cell)| cell.y);
        let left = self.cells.values().map(|cell| cell.x).fold(f32::INFINITY, f32::min);
        let labels = &self.board.geometry.labels;
        let label = labels.iter().find(|label| label.x < left && Some(label.y) == y);
        label.map_or("", |label| &label.text)
    }

    fn column_labels(&self, out: &mut String) {
        let bottom = self.cells.values().map(|cell| cell.y).fold(0.0, f32::max);
        let mut line = " ".repeat(self.label_width);
        for column in 0..self.columns {
            let x = self.cells.iter().find(|(at, _)| at[1] == column).map(|(_, cell)| cell.x);
            let labels = &self.board.geometry.labels;
            let label = labels.iter().find(|label| label.y > bottom && Some(label.x) == x);
            let text = label.map_or("", |label| &label.text);
            let _ = write!(line, " {text:>width$} ", width = self.width);
        }
        if !line.trim().is_empty() {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }

    fn trays(&self, out: &mut String) {
        for tray in self.board.geometry.cells.iter().filter(|cell| cell.shape == Shape::Tray) {
            let pieces = self.board.picture.pieces.iter().filter(|piece| piece.cell == tray.id);
            let symbols: String = pieces.map(|piece| self.symbol(piece)).collect();
            let _ = writeln!(out, "{}: {}", tray.id, if symbols.is_empty() { "-" } else { &symbols });
        }
    }
}
