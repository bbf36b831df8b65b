//! A picture made of characters with their colours, and where the cells of the board are in it.

use super::paint::{Colour, Colours, Paint};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// One column of one row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// What is written here; nothing behind a symbol of two columns.
    pub symbol: String,
    /// The colour it is written in.
    pub ink: Paint,
    /// The colour it is written on.
    pub ground: Paint,
}

/// Where a cell is: columns and rows, from the top left corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The cell's id.
    pub cell: String,
    /// Its first column.
    pub x: usize,
    /// Its first row.
    pub y: usize,
    /// How many columns it has.
    pub width: usize,
    /// How many rows it has.
    pub height: usize,
}

impl Place {
    fn holds(&self, x: usize, y: usize) -> bool {
        (self.x..self.x + self.width).contains(&x) && (self.y..self.y + self.height).contains(&y)
    }
}

/// A picture made of characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    spots: Vec<Spot>,
    /// The cells of the board.
    pub places: Vec<Place>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        let blank = Spot { symbol: " ".to_owned(), ..Spot::default() };
        Canvas { width, spots: vec![blank; width * height], places: Vec::new() }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.spots.len().checked_div(self.width).unwrap_or(0)
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[Spot]> {
        self.spots.chunks(self.width.max(1))
    }

    /// The cell at a column and row.
    pub fn cell_at(&self, x: usize, y: usize) -> Option<&str> {
        self.places.iter().find(|place| place.holds(x, y)).map(|place| place.cell.as_str())
    }

    fn spot(&mut self, x: usize, y: usize) -> Option<&mut Spot> {
        if x < self.width { self.spots.get_mut(y * self.width + x) } else { None }
    }

    pub(super) fn fill(&mut self, place: &Place, ground: Paint) {
        for y in place.y..place.y + place.height {
            for x in place.x..place.x + place.width {
                if let Some(spot) = self.spot(x, y) {
                    *spot = Spot { symbol: " ".to_owned(), ink: Paint::Own, ground };
                }
            }
        }
    }

    /// Writes a text over what is there, on its ground; what does not fit into the row is left out.
    pub(super) fn write(&mut self, x: usize, y: usize, text: &str, ink: Paint) {
        let mut x = x;
        let mut letters = [0; 4];
        for letter in text.chars() {
            let symbol: &str = letter.encode_utf8(&mut letters);
            let width = symbol.width();
            // What has no width of its own belongs to the letter before it.
            if width == 0 {
                if let Some(before) = x.checked_sub(1).and_then(|x| self.spot(x, y)) {
                    before.symbol.push(letter);
                }
                continue;
            }
            if x + width > self.width {
                return;
            }
            for column in x..x + width {
                if let Some(spot) = self.spot(column, y) {
                    spot.ink = ink;
                    spot.symbol.clear();
                }
            }
            if let Some(spot) = self.spot(x, y) {
                spot.symbol.push_str(symbol);
            }
            x += width;
        }
    }

    /// The rows without colours.
    pub fn plain(&self) -> String {
        let line = |row: &[Spot]| {
            let text: String = row.iter().map(|spot| spot.symbol.as_str()).collect();
            format!("{}\n", text.trim_end())
        };
        self.rows().map(line).collect()
    }

    /// The rows with the sequences that colour them on a terminal.
    pub fn ansi(&self, colours: Colours) -> String {
        let mut out = String::new();
        for row in self.rows() {
            let mut now = (Paint::Own, Paint::Own);
            for spot in row {
                if now != (spot.ink, spot.ground) {
                    now = (spot.ink, spot.ground);
                    out.push_str("\x1b[0");
                    colour_code(3, spot.ink.colour(colours), &mut out);
                    colour_code(4, spot.ground.colour(colours), &mut out);
                    out.push('m');
                }
                out.push_str(&spot.symbol);
            }
            out.push_str(if now == (Paint::Own, Paint::Own) { "\n" } else { "\x1b[0m\n" });
        }
        out
    }
}

/// `;32`, `;92`, `;38;5;137`, `;38;2;179;141;96`: `kind` is 3 for inks and 4 for grounds.
fn colour_code(kind: u8, colour: Option<Colour>, out: &mut String) {
    let _ = match colour {
        None => Ok(()),
        Some(Colour::Index(index @ 0..=7)) => write!(out, ";{kind}{index}"),
        Some(Colour::Index(index @ 8..=15)) => write!(out, ";{}{}", kind + 6, index - 8),
        Some(Colour::Index(index)) => write!(out, ";{kind}8;5;{index}"),
        Some(Colour::Rgb(red, green, blue)) => write!(out, ";{kind}8;2;{red};{green};{blue}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_symbols_take_two_columns() {
        let mut canvas = Canvas::new(6, 1);
        canvas.write(0, 0, "a将b", Paint::LightPiece);
        let symbols: Vec<&str> = canvas.spots.iter().map(|spot| spot.symbol.as_str()).collect();
        assert_eq!(symbols, ["a", "将", "", "b", " ", " "]);
        canvas.write(5, 0, "将", Paint::LightPiece);
        assert_eq!(canvas.plain(), "a将b\n", "what does not fit is left out");
        canvas.write(3, 0, "e\u{301}", Paint::Own);
        assert_eq!(canvas.spots[3].symbol, "e\u{301}");
    }

    #[test]
    fn colours_are_written_as_the_terminal_has_them() {
        let mut canvas = Canvas::new(2, 1);
        let place = Place { cell: "a".to_owned(), x: 0, y: 0, width: 1, height: 1 };
        canvas.fill(&place, Paint::LightCell);
        canvas.write(0, 0, "x", Paint::DarkPiece);
        assert_eq!(canvas.ansi(Colours::Basic), "\x1b[0;93;44mx\x1b[0m \n");
        assert_eq!(canvas.ansi(Colours::Indexed), "\x1b[0;38;5;16;48;5;137mx\x1b[0m \n");
        assert_eq!(canvas.ansi(Colours::True), "\x1b[0;38;2;12;10;8;48;2;179;141;96mx\x1b[0m \n");
    }
}
