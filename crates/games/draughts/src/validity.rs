//! The one definition of what may stand where.

use crate::bits::{BOTTOM_ROW, TOP_ROW};
use crate::board::{Board, PieceSet, Selector};
use crate::types::Square;
use std::fmt;
use tabia_core::RuleError;

/// A rule of placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A square holds at most one piece.
    OnePiecePerSquare,
    /// Pieces stand on dark squares.
    DarkSquares,
    /// A black man on 29-32 would have been crowned.
    BlackManOnKingRow,
    /// A white man on 1-4 would have been crowned.
    WhiteManOnKingRow,
}

impl Rule {
    /// What is wrong, in words.
    const fn complaint(self) -> &'static str {
        match self {
            Rule::OnePiecePerSquare => "two pieces on one square",
            Rule::DarkSquares => "a piece on a light square",
            Rule::BlackManOnKingRow => "a black man on White's back row would be a king",
            Rule::WhiteManOnKingRow => "a white man on Black's back row would be a king",
        }
    }
}

/// A violated rule of placement, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The squares that violate it.
    pub squares: PieceSet,
}

impl Violation {
    /// The error for people, pointing at `offset` where that is known.
    pub(crate) fn rule_error(&self, offset: Option<usize>) -> RuleError {
        RuleError { message: self.to_string(), offset }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.rule.complaint())?;
        for (n, bit) in self.squares.bits().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            match Square::from_bit64(bit) {
                Some(square) => write!(f, "{comma}{square}")?,
                None => write!(f, "{comma}bit {bit}")?,
            }
        }
        Ok(())
    }
}

/// Whether no rule is violated, on 32-bit boards: only dark squares have a bit there.
#[inline]
pub(crate) const fn is_valid(black: u32, white: u32, kings: u32) -> bool {
    let twice = black & white;
    let no_piece = kings & !(black | white);
    let not_crowned = black & !kings & BOTTOM_ROW | white & !kings & TOP_ROW;
    twice | no_piece | not_crowned == 0
}

/// Every violated rule.
pub(crate) fn violations(board: &Board) -> Vec<Violation> {
    let sets = [board.black_men, board.black_kings, board.white_men, board.white_kings];
    let (mut once, mut twice) = (PieceSet::EMPTY, PieceSet::EMPTY);
    for set in sets {
        twice = twice | once & set;
        once = once | set;
    }
    let broken = [
        (Rule::OnePiecePerSquare, twice),
        (Rule::DarkSquares, board.select(Selector::All) & !PieceSet::PLAYABLE),
        (Rule::BlackManOnKingRow, board.black_men & PieceSet::unpacked(BOTTOM_ROW)),
        (Rule::WhiteManOnKingRow, board.white_men & PieceSet::unpacked(TOP_ROW)),
    ];
    broken
        .into_iter()
        .filter(|(_, squares)| !squares.is_empty())
        .map(|(rule, squares)| Violation { rule, squares })
        .collect()
}
