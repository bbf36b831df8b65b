//! A board for a terminal: cells with their ground, pieces in colour, and the names that the game's notation uses.
//!
//! Everything comes from the geometry. A cell is one row high and three columns wide, or three rows and seven columns;
//! the pieces of a stack stand side by side, bottom first, or on top of each other:
//!
//! ```text
//! small    8 ♜  ♞  ♝        large    5
//!          7 ♟  ♟  ♟                     ●      a stack of two, the top piece above
//!            a  b  c                     ○
//! ```

mod canvas;
mod lights;
mod paint;

pub use canvas::{Canvas, Place, Spot};
pub use lights::Lights;
pub use paint::{Colour, Colours, Paint};

use crate::views::BoardView;
use tabia_core::view::Label;
use tabia_core::{Cell, Piece, Shade, Shape, Side, sort_few_by_key, sort_many};
use unicode_width::UnicodeWidthStr;

/// How large a board is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// One row for a row of cells.
    #[default]
    Small,
    /// Three rows for a row of cells.
    Large,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStyle {
    /// How large.
    pub size: Size,
    /// Whether it is seen from the other side.
    pub flipped: bool,
    /// Whether light pieces keep their hollow symbols: where there are few colours, shapes help to tell them apart.
    pub hollow: bool,
}

/// Symbols whose inside is empty, and the same filled. Those for draughts are hardly to be seen in most fonts.
const FILLED: [(char, char, char); 14] = [
    ('♔', '♔', '♚'),
    ('♕', '♕', '♛'),
    ('♖', '♖', '♜'),
    ('♗', '♗', '♝'),
    ('♘', '♘', '♞'),
    ('♙', '♙', '♟'),
    ('△', '△', '▲'),
    ('◇', '◇', '◆'),
    ('□', '□', '■'),
    ('○', '○', '●'),
    ('⛀', '○', '●'),
    ('⛁', '♕', '♛'),
    ('⛂', '●', '●'),
    ('⛃', '♛', '♛'),
];

/// The board with its pieces, and what is to be seen at once.
pub fn board(view: &BoardView, style: BoardStyle, lights: &Lights) -> Canvas {
    let mut drawing = Drawing::new(view, style, lights);
    for cell in &view.geometry.cells {
        drawing.cell(cell);
    }
    drawing.labels();
    drawing.canvas
}

struct Drawing<'a> {
    view: &'a BoardView,
    style: BoardStyle,
    lights: &'a Lights,
    /// Columns and rows of a cell.
    unit: [usize; 2],
    /// Left, top, right and bottom of all cells, in cells.
    bounds: [f32; 4],
    /// How far the rows of cells are apart: less than one where they stand in the gaps of each other.
    apart: f32,
    /// Columns and rows before the first cell.
    margin: [usize; 2],
    /// Columns for the names on the cells.
    name_width: usize,
    canvas: Canvas,
}

impl<'a> Drawing<'a> {
    fn new(view: &'a BoardView, style: BoardStyle, lights: &'a Lights) -> Self {
        let apart = apart(&view.geometry.cells);
        let (bounds, canvas) = (bounds(&view.geometry.cells, apart), Canvas::default());
        let (unit, margin, name_width) = ([0, 0], [0, 0], 0);
        let mut drawing = Drawing { view, style, lights, unit, bounds, apart, margin, name_width, canvas };
        let named = view.geometry.cells.iter().filter(|cell| drawing.shows_name(cell));
        drawing.name_width = named.map(|cell| cell.id.width()).max().unwrap_or(0);
        drawing.unit = match style.size {
            Size::Small => [(drawing.name_width + drawing.stack_width() + 1).max(3), 1],
            Size::Large => [7, 3],
        };
        let [left, top, right, bottom] = bounds;
        let labels = &view.geometry.labels;
        let beside = |aside: &dyn Fn(&&Label) -> bool| {
            labels.iter().filter(aside).map(|label| label.text.width() + 1).max().unwrap_or(0)
        };
        let rows = |aside: &dyn Fn(&Label) -> bool| usize::from(labels.iter().any(aside));
        drawing.margin = [beside(&|label| label.x < left), rows(&|label| label.y < top)];
        let width = drawing.column(right) + beside(&|label| label.x > right);
        let height = drawing.row(bottom) + rows(&|label| label.y > bottom);
        drawing.canvas = Canvas::new(width, height);
        drawing
    }

    /// Columns that the widest stack takes when its pieces stand side by side. Where there are places for pieces beside
    /// the board, stacks grow: the board shall not grow with them.
    fn stack_width(&self) -> usize {
        let cells = self.view.geometry.cells.iter().filter(|cell| cell.shape != Shape::Tray);
        let widest = cells.map(|cell| self.stack(cell).iter().map(|symbol| symbol.width()).sum()).max();
        let trays = self.view.geometry.cells.iter().any(|cell| cell.shape == Shape::Tray);
        widest.unwrap_or(1).max(if trays { 3 } else { 1 })
    }

    fn column(&self, x: f32) -> usize {
        self.margin[0] + ((x - self.bounds[0]) * self.unit[0] as f32).round() as usize
    }

    fn row(&self, y: f32) -> usize {
        self.margin[1] + ((y - self.bounds[1]) / self.apart * self.unit[1] as f32).round() as usize
    }

    /// A point as it is seen from the side that was asked for.
    fn seen(&self, x: f32, y: f32) -> (f32, f32) {
        let [left, top, right, bottom] = self.bounds;
        if self.style.flipped { (left + right - x, top + bottom - y) } else { (x, y) }
    }

    /// Boards without words around them have the names of the cells on them.
    fn shows_name(&self, cell: &Cell) -> bool {
        let of_game = cell.shape != Shape::Tray && cell.shade != Shade::Faint;
        self.view.geometry.labels.is_empty() && of_game
    }

    /// The pieces of a cell, bottom first.
    fn pieces(&self, cell: &Cell) -> Vec<&'a Piece> {
        let mut pieces: Vec<&Piece> =
            self.view.picture.pieces.iter().filter(|piece| piece.cell == cell.id).collect();
        sort_few_by_key(&mut pieces, |piece| piece.level);
        pieces
    }

    fn stack(&self, cell: &Cell) -> Vec<String> {
        self.pieces(cell).into_iter().map(|piece| self.symbol(piece)).collect()
    }

    fn is_dark(&self, side: Side) -> bool {
        side.index() == self.view.dark_side
    }

    fn symbol(&self, piece: &Piece) -> String {
        let hollow = self.style.hollow && piece.side.is_some_and(|side| !self.is_dark(side));
        let of = |letter: char| match FILLED.iter().find(|(known, ..)| *known == letter) {
            Some((_, light, _)) if hollow => *light,
            Some((.., dark)) => *dark,
            None => letter,
        };
        piece.unicode.chars().map(of).collect()
    }

    fn ink(&self, piece: &Piece) -> Paint {
        match piece.side {
            None => Paint::NobodysPiece,
            Some(side) if self.is_dark(side) => Paint::DarkPiece,
            Some(_) => Paint::LightPiece,
        }
    }

    fn ground(&self, cell: &Cell) -> Paint {
        let among = |cells: &[String]| cells.contains(&cell.id);
        match (cell.shape, cell.shade) {
            _ if self.lights.cursor.as_ref() == Some(&cell.id) => Paint::Cursor,
            _ if among(&self.lights.chosen) => Paint::Chosen,
            _ if among(&self.lights.targets) => Paint::Target,
            _ if among(&self.lights.captured) => Paint::Captured,
            _ if among(&self.lights.last) => Paint::Last,
            (Shape::Tray, _) => Paint::Tray,
            (Shape::Circle, _) | (Shape::Square, Shade::Dark) => Paint::DarkCell,
            (Shape::Square, Shade::Light | Shade::Faint) => Paint::LightCell,
        }
    }

    fn place(&self, cell: &Cell) -> Place {
        let (x, y) = self.seen(cell.x, cell.y);
        let [width, height] = [cell.size[0] / 2.0, cell.size[1] / 2.0 * self.apart];
        let (left, right) = (self.column(x - width), self.column(x + width));
        let (top, bottom) = (self.row(y - height), self.row(y + height));
        Place { cell: cell.id.clone(), x: left, y: top, width: right - left, height: bottom - top }
    }

    fn cell(&mut self, cell: &Cell) {
        let (place, ground) = (self.place(cell), self.ground(cell));
        let faint = if ground == Paint::LightCell { Paint::FaintOnLight } else { Paint::Faint };
        self.canvas.fill(&place, ground);
        if self.view.picture.marks.iter().any(|mark| mark.cell == cell.id) {
            for y in place.y..place.y + place.height {
                self.canvas.write(place.x, y, &"░".repeat(place.width), faint);
            }
        }
        if self.shows_name(cell) {
            self.canvas.write(place.x, place.y, &cell.id, faint);
        }
        let pieces = self.pieces(cell);
        match (cell.shape, &pieces[..]) {
            (Shape::Tray, pieces) => self.tray(&place, pieces),
            (_, []) => self.empty(cell, &place, faint),
            (_, pieces) if self.style.size == Size::Large && pieces.len() <= place.height => {
                self.upright(&place, pieces);
            }
            (_, pieces) => self.lying(&place, pieces),
        }
        if let Some((_, note)) = self.lights.notes.iter().find(|(noted, _)| *noted == cell.id) {
            let (x, y) = (place.x + place.width.saturating_sub(1), place.y);
            self.canvas.write(x, y, note.encode_utf8(&mut [0; 4]), Paint::LightPiece);
        }
        self.canvas.places.push(place);
    }

    /// A cell without pieces: a hole, or what happened there.
    fn empty(&mut self, cell: &Cell, place: &Place, ink: Paint) {
        let captured = self.lights.captured.contains(&cell.id);
        let symbol = match cell.shape {
            _ if captured => "×",
            _ if self.lights.targets.contains(&cell.id) => "·",
            Shape::Circle => "○",
            _ => return,
        };
        let (x, y) = (self.middle(place, 1), place.y + place.height / 2);
        self.canvas.write(x, y, symbol, if captured { Paint::LightPiece } else { ink });
    }

    /// The column where something of so many columns stands in the middle; in small boards, apart from the name.
    fn middle(&self, place: &Place, width: usize) -> usize {
        let name = if self.style.size == Size::Small { self.name_width } else { 0 };
        let free = place.width.saturating_sub(name + width);
        place.x + name + if name > 0 { free.div_ceil(2) } else { free / 2 }
    }

    /// Pieces on top of each other, as they stand.
    fn upright(&mut self, place: &Place, pieces: &[&Piece]) {
        let bottom = place.y + place.height - 1;
        for (level, piece) in pieces.iter().enumerate() {
            let y = if pieces.len() == 1 { place.y + place.height / 2 } else { bottom - level };
            let symbol = self.symbol(piece);
            self.canvas.write(self.middle(place, symbol.width()), y, &symbol, self.ink(piece));
        }
    }

    /// Pieces side by side, the bottom one first.
    fn lying(&mut self, place: &Place, pieces: &[&Piece]) {
        let widths: usize = pieces.iter().map(|piece| self.symbol(piece).width()).sum();
        let mut x = self.middle(place, widths);
        for piece in pieces {
            let symbol = self.symbol(piece);
            self.canvas.write(x, place.y + place.height / 2, &symbol, self.ink(piece));
            x += symbol.width();
        }
    }

    /// Pieces that wait beside the board, from the bottom up; a number where they are too many.
    fn tray(&mut self, place: &Place, pieces: &[&Piece]) {
        let Some(first) = pieces.first() else { return };
        let width = self.symbol(first).width().max(1);
        let room = place.width.saturating_sub(1) / width;
        if pieces.len() > room * place.height {
            let text = format!("{}×{}", self.symbol(first), pieces.len());
            return self.canvas.write(place.x, place.y + place.height / 2, &text, self.ink(first));
        }
        for (number, piece) in pieces.iter().enumerate() {
            let (column, row) = (number % room, number / room);
            let y = place.y + place.height - 1 - row;
            let x = place.x + (place.width - room * width) / 2 + column * width;
            self.canvas.write(x, y, &self.symbol(piece), self.ink(piece));
        }
    }

    /// The words around the board stay on their side when it is turned.
    fn labels(&mut self) {
        let [left, top, right, bottom] = self.bounds;
        for label in &self.view.geometry.labels {
            let (x, y) = self.seen(label.x, label.y);
            let row = || self.row(y - 0.5 * self.apart) + self.unit[1] / 2;
            let column = || self.column(x - 0.5) + self.unit[0].saturating_sub(label.text.width()) / 2;
            let (x, y) = match label {
                _ if label.x < left => (0, row()),
                _ if label.x > right => (self.column(right) + 1, row()),
                _ if label.y < top => (column(), 0),
                _ if label.y > bottom => (column(), self.row(bottom)),
                _ => continue,
            };
            self.canvas.write(x, y, &label.text, Paint::Own);
        }
    }
}

/// How far the nearest rows of cells are apart, at most one.
fn apart(cells: &[Cell]) -> f32 {
    let mut rows: Vec<f32> =
        cells.iter().filter(|cell| cell.shape != Shape::Tray).map(|cell| cell.y).collect();
    sort_many(&mut rows, f32::total_cmp);
    let steps = rows.iter().zip(rows.iter().skip(1)).map(|(a, b)| b - a).filter(|step| *step > 0.2);
    steps.fold(1.0, f32::min)
}

/// Left, top, right and bottom of all cells.
fn bounds(cells: &[Cell], apart: f32) -> [f32; 4] {
    let edges = cells.iter().map(|cell| {
        let [width, height] = [cell.size[0] / 2.0, cell.size[1] / 2.0 * apart];
        [cell.x - width, cell.y - height, cell.x + width, cell.y + height]
    });
    let around = |[a, b, c, d]: [f32; 4], [left, top, right, bottom]: [f32; 4]| {
        [a.min(left), b.min(top), c.max(right), d.max(bottom)]
    };
    edges.reduce(around).unwrap_or([0.0; 4])
}
