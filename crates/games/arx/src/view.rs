//! What a picture of an Arx board needs.

use crate::types::side_name;
use crate::{Arx, Kind, Move, Square, State, art, codes, notation};
use tabia_core::view::grid;
use tabia_core::{
    BitRun, CodeField, Game, Geometry, Info, Invitation, Picture, Piece, Present, Shade, Shape, Side,
};

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

/// Positions that show the rules.
const EXAMPLES: [(&str, &str); 3] = [
    (
        "A stack moves like either of its pieces, or its top piece leaves alone.",
        "4k4/9/9/9/4[JC]4/9/9/9/4K4 w",
    ),
    ("Only the Dragon jumps: what stands beside it does not matter.", "4k4/9/9/4S4/3SDS3/4S4/9/9/4K4 w"),
    ("Whoever takes the King wins: White does, at once.", "4k4/9/9/9/4C4/9/9/9/4K4 w"),
];

/// How the pieces move.
const PIECE_WORDS: [(&str, &str); 8] = [
    ("soldier", "one step diagonally forward"),
    ("jester", "any distance diagonally"),
    ("commander", "any distance orthogonally"),
    ("paladin", "one or two steps orthogonally"),
    ("guard", "one or two steps diagonally"),
    ("dragon", "a knight's leap, over everything"),
    ("ballista", "any distance straight forward"),
    ("king", "one step in any direction"),
];

impl Present for Arx {
    fn info(&self) -> Info {
        let sides = Side::ALL.map(|side| side_name(side).into()).to_vec();
        Info { name: "Arx".into(), rules: RULES.into(), notation: NOTATION.into(), sides }
    }

    fn invitation(&self) -> Invitation {
        Invitation::new(
            "Pieces climb on each other, and fight together. Take the King.",
            "c2+b3 f7-g6 ^b3xg8 f9xg8 h1+g3 h9+g7",
        )
    }

    fn examples(&self) -> &[(&'static str, &'static str)] {
        &EXAMPLES
    }

    fn piece_words(&self) -> &[(&'static str, &'static str)] {
        &PIECE_WORDS
    }

    fn choice(&self, state: &State, mv: Move) -> Option<String> {
        let top = state.pile(mv.from()).top()?;
        Some(if mv.unstack() { format!("{} alone", top.name()) } else { "whole stack".to_owned() })
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
        [mv.from(), mv.to()].map(notation::square).into()
    }

    fn code_fields(&self, state: &State) -> Vec<CodeField> {
        let words = codes::to_words(state);
        let ranks = words.iter().enumerate().map(|(row, &word)| rank_field(state, row, word));
        ranks.chain([CodeField::hash("key", self.key(state).0)]).collect()
    }
}

/// The word of a rank: the side to move, then seven bits for each square.
fn rank_field(state: &State, row: usize, word: u64) -> CodeField {
    let says = match (row, word >> 63) {
        (0, 0) => "Black to move",
        (0, _) => "White to move",
        _ => "unused",
    };
    let square = |column: usize| {
        let square = Square::at(row, column)?;
        let run = BitRun::new(word >> (7 * column), 7, format!("{square}: {}", pile_name(state, square)));
        Some(run.on(square.to_string()))
    };
    let runs =
        [BitRun::new(word >> 63, 1, says)].into_iter().chain((0..Square::SIDE).rev().filter_map(square));
    CodeField::new(format!("rank {}", Square::SIDE - row), word, 64, runs.collect())
}

fn pile_name(state: &State, square: Square) -> String {
    let pile = state.pile(square);
    let kinds: Vec<&str> = pile.kinds().map(Kind::name).collect();
    let pieces = kinds.into_iter().rev().collect::<Vec<_>>().join(" on ");
    pile.side().map_or_else(|| "empty".to_owned(), |side| format!("{} {pieces}", side_name(side)))
}

/// The pieces on a square, from the bottom up.
fn pieces(state: &State, square: Square) -> impl Iterator<Item = Piece> {
    let pile = state.pile(square);
    pile.kinds().zip(0..).map(move |(kind, level)| Piece {
        cell: square.to_string(),
        side: pile.side(),
        name: kind.name().into(),
        ascii: letter(kind, pile.side()).to_string(),
        unicode: symbol(kind, pile.side()).to_string(),
        level,
        art: Some(art::outline(kind).into()),
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
