//! What a picture of an Arx board needs.

use crate::types::side_name;
use crate::{Arx, Kind, Move, Square, State, art};
use tabia_core::view::grid;
use tabia_core::{Geometry, Info, Picture, Piece, Present, Shade, Shape, Side};

const RULES: &str = "Nine by nine squares, White moves first. Moves are captures too: Soldier one step diagonally \
    forward, Jester any distance diagonally, Commander any distance orthogonally, Paladin one or two steps \
    orthogonally, Guard one or two steps diagonally, Dragon a knight's leap, Ballista any distance straight \
    forward, King one step. Only the Dragon jumps. A single piece may step onto an own single piece and makes a \
    stack of two, never with a King; a stack moves as a whole like either of its pieces, but not onto own \
    pieces, or its top piece leaves alone. Taking the King wins; without a legal move, or with only the Kings \
    left, the game is a draw.";

const NOTATION: &str = "Ranks 9 to 1 separated by `/`: digits for empty squares, letters S J C P G D B K (White upper \
    case), `[JP]` for a stack with its top first, then `w` or `b`. Moves: `c3-d4`, `c3xd4` takes, `c3+d4` stacks, \
    `^c3-d4` is the top piece alone.";

impl Present for Arx {
    fn info(&self) -> Info {
        const SIDES: &[&str] = &[side_name(Side::First), side_name(Side::Second)];
        Info { name: "Arx", rules: RULES, notation: NOTATION, sides: SIDES }
    }

    fn geometry(&self) -> Geometry {
        let name = |column, row| {
            let shade = if (row + column) % 2 == 0 { Shade::Dark } else { Shade::Light };
            Square::at(row, column).map(|square| (square.to_string(), shade))
        };
        let column_label = |column: usize| char::from(b'a' + column as u8).to_string();
        let row_label = |row: usize| (Square::SIDE - row).to_string();
        grid(Square::SIDE, Square::SIDE, Shape::Square, name, column_label, row_label)
    }

    fn picture(&self, state: &State) -> Picture {
        let pieces = Square::all().flat_map(|square| pieces(state, square)).collect();
        Picture { pieces, marks: Vec::new() }
    }

    /// From and to, also for the top piece alone: where both ways of leaving a stack are legal, the
    /// player is offered the choice.
    fn steps(&self, _state: &State, mv: Move) -> Vec<String> {
        vec![mv.from().to_string(), mv.to().to_string()]
    }
}

/// The pieces on a square, from the bottom up.
fn pieces(state: &State, square: Square) -> impl Iterator<Item = Piece> {
    let pile = state.pile(square);
    pile.kinds().zip(0..).map(move |(kind, level)| Piece {
        cell: square.to_string(),
        side: pile.side(),
        name: kind.name(),
        ascii: letter(kind, pile.side()).to_string(),
        unicode: symbol(kind, pile.side()).to_string(),
        level,
        art: Some(art::outline(kind)),
    })
}

fn letter(kind: Kind, side: Option<Side>) -> char {
    if side == Some(Side::First) { kind.letter() } else { kind.letter().to_ascii_lowercase() }
}

/// Chess symbols where a piece is near to one, other shapes where none is; outlined for White, filled for
/// Black where Unicode has both.
const fn symbol(kind: Kind, side: Option<Side>) -> char {
    let [white, black] = match kind {
        Kind::Soldier => ['♙', '♟'],
        Kind::Jester => ['♗', '♝'],
        Kind::Commander => ['♖', '♜'],
        Kind::Paladin => ['□', '■'],
        Kind::Guard => ['◇', '◆'],
        Kind::Dragon => ['♘', '♞'],
        Kind::Ballista => ['△', '▲'],
        Kind::King => ['♔', '♚'],
    };
    if matches!(side, Some(Side::First)) { white } else { black }
}
