//! Boards and positions drawn with characters: `o` peg, `.` empty hole, `-` or a space no hole.
//!
//! Rows end with `/` or a line end. Rows of length 1, 2, 3, ... are a triangle, whose pegs jump in six
//! directions; anything else is a square grid, on which short rows are filled up with `-`.
//!
//! ```text
//! square --ooo--   triangle  o
//!        --ooo--             oo
//!        ooooooo             ooo
//! ```

use crate::board::Lattice;
use tabia_core::TextError;

/// What is drawn in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Nothing,
    Empty,
    Peg,
}

/// A drawing, cut to the holes it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Art {
    pub(crate) lattice: Lattice,
    pub(crate) rows: Vec<Vec<Place>>,
}

/// Whether a text is meant as a drawing: it has several rows, or nothing but drawing characters.
pub(crate) fn looks_drawn(text: &str) -> bool {
    text.contains(['/', '\n']) || (!text.is_empty() && text.chars().all(|c| "o.-".contains(c)))
}

/// Reads a drawing.
pub(crate) fn read(text: &str) -> Result<Art, TextError> {
    let mut rows = vec![Vec::new()];
    for (offset, c) in text.char_indices() {
        let place = match c {
            'o' => Place::Peg,
            '.' => Place::Empty,
            '-' | ' ' => Place::Nothing,
            '\r' => continue,
            '/' | '\n' => {
                rows.push(Vec::new());
                continue;
            }
            _ => {
                return Err(TextError::at(text, offset, "'o' (peg), '.' (empty hole), '-' (no hole) or '/'"));
            }
        };
        if let Some(row) = rows.last_mut() {
            row.push(place);
        }
    }
    trim_lines(&mut rows);
    if rows.is_empty() {
        return Err(TextError::at(text, 0, "a hole"));
    }
    let is_triangle = rows.len() > 1 && rows.iter().enumerate().all(|(y, row)| row.len() == y + 1);
    if is_triangle {
        return Ok(Art { lattice: Lattice::Triangle, rows });
    }
    Ok(Art { lattice: Lattice::Square, rows: trim_square(&rows) })
}

/// Drops blank rows at the top and bottom.
fn trim_lines(rows: &mut Vec<Vec<Place>>) {
    let blank = |row: &Vec<Place>| row.iter().all(|&place| place == Place::Nothing);
    while rows.last().is_some_and(blank) {
        rows.pop();
    }
    let first = rows.iter().position(|row| !blank(row)).unwrap_or(0);
    rows.drain(..first);
}

/// Drops blank columns at both sides and makes all rows equally long.
fn trim_square(rows: &[Vec<Place>]) -> Vec<Vec<Place>> {
    let is_hole = |place: &Place| *place != Place::Nothing;
    let left = rows.iter().filter_map(|row| row.iter().position(is_hole)).min().unwrap_or(0);
    let right = rows.iter().filter_map(|row| row.iter().rposition(is_hole)).max().unwrap_or(0);
    let at = |row: &Vec<Place>, x: usize| row.get(x).copied().unwrap_or(Place::Nothing);
    rows.iter().map(|row| (left..=right).map(|x| at(row, x)).collect()).collect()
}
