//! Setting up positions piece by piece, for board editors.

use crate::adapter::Held;
use crate::{AnyPosition, ErrorKind, InputError};
use serde::Serialize;
use std::collections::BTreeMap;
use tabia_core::{Arrange, Arrangement, Extra, Name, Piece, PositionError, Present, RuleError, Shape};

/// The function pointers of a game whose positions can be set up.
pub(crate) struct Arranging<G: Present> {
    palette: fn(&G) -> Vec<Piece>,
    stack: fn(&G) -> usize,
    extras: fn(&G) -> Vec<Extra>,
    apart: fn(&G, &G::State) -> Arrangement,
    arranged: fn(&G, &Arrangement) -> Result<String, RuleError>,
}

impl<G: Arrange> Arranging<G> {
    pub(crate) fn of() -> Self {
        Arranging {
            palette: G::palette,
            stack: G::stack,
            extras: G::extras,
            apart: G::arrangement,
            arranged: G::arranged,
        }
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Arranging<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Arranging<G> {}

/// What a board editor offers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaletteView {
    /// The pieces.
    pub pieces: Vec<StampView>,
    /// How many pieces a cell can hold.
    pub stack: usize,
    /// What the players are called, player 0 first.
    pub sides: Vec<Name>,
    /// What does not stand on cells.
    pub extras: Vec<Extra>,
    /// The position itself, taken apart.
    pub setup: Arrangement,
}

/// A piece that can be put on the board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StampView {
    /// Its letter.
    pub id: String,
    /// What it is called, with whose it is.
    pub name: String,
    /// Whose it is; nobody's where it is left out.
    pub side: Option<usize>,
    /// A picture of it.
    pub svg: String,
    /// The piece as it stands in pictures of positions.
    pub piece: Piece,
}

/// What was put together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArrangedView {
    /// The text of it.
    pub text: String,
    /// Its codes, where the rules allow it.
    pub codes: Option<BTreeMap<Name, String>>,
    /// All rules that it breaks.
    pub violations: Vec<String>,
    /// The pieces that wait beside the board then, where the rules allow it.
    pub waiting: Vec<Piece>,
}

/// A position from which others can be set up, on its board and by its rules.
pub trait ArrangePosition: Send + Sync {
    /// What can be put on the board, and the position itself taken apart.
    fn palette(&self) -> PaletteView;
    /// The position that was put together; breaking the rules is an answer, an unknown cell or piece is not.
    fn arrange(&self, arrangement: &Arrangement) -> Result<ArrangedView, InputError>;
}

impl<G: Present> Held<G> {
    /// The pieces beside the board.
    fn waiting(&self) -> Vec<Piece> {
        let board = self.rules().geometry();
        let is_tray =
            |id: &String| board.cells.iter().any(|cell| cell.id == *id && cell.shape == Shape::Tray);
        self.rules().picture(self.state()).pieces.into_iter().filter(|piece| is_tray(&piece.cell)).collect()
    }

    fn palette_pieces(&self) -> Vec<Piece> {
        self.capabilities.arrange.map_or_else(Vec::new, |arranging| (arranging.palette)(self.rules()))
    }
}

impl<G: Present> ArrangePosition for Held<G> {
    fn palette(&self) -> PaletteView {
        let (rules, sides) = (self.rules(), self.rules().info().sides);
        let stamp = |piece: Piece| {
            let owner = piece.side.and_then(|side| sides.get(side.index()));
            StampView {
                id: piece.ascii.clone(),
                name: owner.map_or_else(|| piece.name.to_string(), |owner| format!("{owner} {}", piece.name)),
                side: piece.side.map(tabia_core::Side::index),
                svg: crate::draw::piece(&piece, rules.dark_side().index()),
                piece,
            }
        };
        let empty = Arrangement { cells: BTreeMap::new(), side: 0, extras: BTreeMap::new() };
        let arranging = self.capabilities.arrange;
        PaletteView {
            pieces: self.palette_pieces().into_iter().map(stamp).collect(),
            stack: arranging.map_or(1, |arranging| (arranging.stack)(rules)),
            extras: arranging.map_or_else(Vec::new, |arranging| (arranging.extras)(rules)),
            setup: arranging.map_or(empty, |arranging| (arranging.apart)(rules, self.state())),
            sides,
        }
    }

    fn arrange(&self, arrangement: &Arrangement) -> Result<ArrangedView, InputError> {
        let refused = |error: RuleError| {
            InputError::new(ErrorKind::Invalid, format!("{:?}", arrangement.cells), error.message)
        };
        let Some(arranging) = self.capabilities.arrange else {
            return Err(crate::any::lacks(self.rules().id(), "way to set up positions piece by piece"));
        };
        arrangement.check(&self.rules().geometry(), &self.palette_pieces()).map_err(refused)?;
        let text = (arranging.arranged)(self.rules(), arrangement).map_err(refused)?;
        Ok(match self.rules().parse(&text) {
            Ok(position) => {
                let held = self.at(position);
                let (view, waiting) = (held.view(), held.waiting());
                ArrangedView { text: view.position, codes: Some(view.codes), violations: Vec::new(), waiting }
            }
            Err(PositionError::Syntax(error)) => {
                let violation = format!("expected {}, found {}", error.expected, error.found);
                ArrangedView { text, codes: None, violations: vec![violation], waiting: Vec::new() }
            }
            Err(error) => {
                let violations = InputError::position(&text, &error).reasons;
                ArrangedView { text, codes: None, violations, waiting: Vec::new() }
            }
        })
    }
}
