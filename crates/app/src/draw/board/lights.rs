//! What a picture of a board points at: the last move, what it captured, what is being moved.

use crate::views::BoardView;
use tabia_core::{Piece, Shape, Side};

/// Cells to be seen at once, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lights {
    /// What the last move touched.
    pub last: Vec<String>,
    /// Where it captured something.
    pub captured: Vec<String>,
    /// What has been touched for the next move.
    pub chosen: Vec<String>,
    /// Where that can go.
    pub targets: Vec<String>,
    /// Where the cursor is.
    pub cursor: Option<String>,
    /// A sign in the corner of a cell: what a move is worth.
    pub notes: Vec<(String, char)>,
}

impl Lights {
    /// The last move: the boards before and after it, the cells it touched, and who played it.
    pub fn of_move(before: &BoardView, after: &BoardView, path: &[String], mover: Side) -> Self {
        let left = |piece: &&Piece| {
            let is_there = |other: &Piece| {
                other.cell == piece.cell && other.side == piece.side && other.name == piece.name
            };
            let on_board =
                before.geometry.cells.iter().any(|cell| cell.id == piece.cell && cell.shape != Shape::Tray);
            let moved = path.first() == Some(&piece.cell);
            on_board && !moved && piece.side != Some(mover) && !after.picture.pieces.iter().any(is_there)
        };
        let mut captured: Vec<String> =
            before.picture.pieces.iter().filter(left).map(|piece| piece.cell.clone()).collect();
        captured.dedup();
        Lights { last: path.to_vec(), captured, ..Lights::default() }
    }
}
