//! Setting up positions piece by piece: what a board editor needs of a game.
//!
//! A piece is known by its letters in a picture ([`Piece::ascii`]), a cell by its name; what does not stand on a cell
//! (castling rights, a blocked stack) is an [`Extra`]. The game makes a text of all that, and reading the text with
//! [`crate::Notation::parse`] finds out whether the rules allow it, and everything that they do not.

use crate::{Geometry, Name, Piece, Present, RuleError, Shape, Side, sort_few_by_key};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something of a position that does not stand on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Extra {
    /// The word for it.
    pub id: Name,
    /// What it is called.
    pub name: Name,
    /// What it can be, the usual first; empty where it is written freely.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Name>,
}

impl Extra {
    /// One with these values.
    pub fn new(
        id: &'static str,
        name: &'static str,
        values: impl IntoIterator<Item = impl Into<Name>>,
    ) -> Self {
        Extra { id: id.into(), name: name.into(), values: values.into_iter().map(Into::into).collect() }
    }
}

/// A position taken apart, or one that somebody is putting together: the rules need not allow it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Arrangement {
    /// The letters of the pieces on each cell that is not empty, the bottom of a stack first.
    pub cells: BTreeMap<String, String>,
    /// Who is to move, 0 or 1.
    #[serde(default)]
    pub side: usize,
    /// What does not stand on a cell; the usual where it is left out.
    #[serde(default)]
    pub extras: BTreeMap<String, String>,
}

impl Arrangement {
    /// The side to move.
    pub fn side(&self) -> Result<Side, RuleError> {
        Side::from_index(self.side).ok_or_else(|| RuleError::new(format!("there is no player {}", self.side)))
    }

    /// The letters on a cell; empty when nothing is there.
    pub fn on(&self, cell: &str) -> &str {
        self.cells.get(cell).map_or("", String::as_str)
    }

    /// An extra, or what it usually is.
    pub fn extra<'a>(&'a self, id: &str, usual: &'a str) -> &'a str {
        self.extras.get(id).map_or(usual, String::as_str)
    }

    /// Fails for cells that the board does not have, and for letters that no piece has.
    pub fn check(&self, board: &Geometry, palette: &[Piece]) -> Result<(), RuleError> {
        for (cell, letters) in &self.cells {
            let known = board.cells.iter().any(|known| known.id == *cell && known.shape != Shape::Tray);
            if !known {
                return Err(RuleError::new(format!("the board has no cell {cell:?}")));
            }
            let mut letters = letters.chars();
            let unknown =
                letters.find(|letter| !palette.iter().any(|piece| piece.ascii == letter.to_string()));
            if let Some(letter) = unknown {
                return Err(RuleError::new(format!("no piece is called {letter:?}, on {cell}")));
            }
        }
        Ok(())
    }
}

/// A game whose positions can be set up piece by piece.
pub trait Arrange: Present {
    /// One piece of each kind, on no cell. Each has one letter of its own.
    ///
    /// By default those that stand on the board, or wait beside it, in the named positions.
    fn palette(&self) -> Vec<Piece> {
        let mut palette: Vec<Piece> = Vec::new();
        for start in self.starts() {
            for piece in start.position.rules.picture(&start.position.state).pieces {
                if !palette.iter().any(|known| known.ascii == piece.ascii) {
                    palette.push(Piece { cell: String::new(), level: 0, ..piece });
                }
            }
        }
        sort_few_by_key(&mut palette, |piece| piece.side.map(Side::index));
        palette
    }

    /// How many pieces a cell can hold.
    fn stack(&self) -> usize {
        1
    }

    /// What does not stand on cells.
    fn extras(&self) -> Vec<Extra> {
        Vec::new()
    }

    /// The extras of a position.
    fn extras_of(&self, _state: &Self::State) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// The text of an arrangement whose cells and letters are known, whether or not the rules allow it.
    fn arranged(&self, arrangement: &Arrangement) -> Result<String, RuleError>;

    /// A position taken apart: what its picture shows on the board, who is to move, and the extras.
    fn arrangement(&self, state: &Self::State) -> Arrangement {
        let board = self.geometry();
        let tray =
            |cell: &str| board.cells.iter().any(|known| known.id == cell && known.shape == Shape::Tray);
        let mut cells: BTreeMap<String, String> = BTreeMap::new();
        for piece in self.picture(state).pieces.into_iter().filter(|piece| !tray(&piece.cell)) {
            cells.entry(piece.cell).or_default().push_str(&piece.ascii);
        }
        Arrangement { cells, side: self.side(state).index(), extras: self.extras_of(state) }
    }
}
