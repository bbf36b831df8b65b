//! PDN, the text format of draughts games: a lexer, a reader and a writer, all streaming.
//!
//! Reading is generous, since collections are old and many hands wrote them: `x` on quiet moves, `:`
//! for captures, captures told jump by jump (`11x18 18x25`), comments, nested variations, NAGs, `%`
//! lines, tags without quotes, UTF-8 or Latin-1, any line ends. Variations and comments are kept. A
//! capture that can be meant in several ways is settled by the moves after it. A game that ends with a
//! star has the result of its tag, as PDN 3.0 says. Writing is strict.

mod lexer;
mod line;
mod reader;
mod writer;

pub(crate) use reader::{contradiction, read};
pub(crate) use writer::write;

use crate::types::Color;
use tabia_core::Outcome;

/// Who won when a file says `1-0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultConvention {
    /// The first mover, Black (also where a game starts from another position): most collections.
    #[default]
    FirstMover,
    /// White: some files written by programs.
    White,
}

impl ResultConvention {
    /// The colour whose points stand first.
    const fn first(self) -> Color {
        match self {
            ResultConvention::FirstMover => Color::Black,
            ResultConvention::White => Color::White,
        }
    }

    /// The word for an outcome.
    pub fn word(self, outcome: Option<Outcome>) -> &'static str {
        match outcome {
            None => "*",
            Some(Outcome::Draw) => "1/2-1/2",
            Some(Outcome::Win(side)) if side == self.first().side() => "1-0",
            Some(Outcome::Win(_)) => "0-1",
        }
    }

    /// What a result says, or `None` when the word is no result. Results counted in two points (`2-0`,
    /// `1-1`) are understood.
    pub fn claim(self, word: &str) -> Option<Claim> {
        let first = self.first();
        Some(Claim(match word {
            "1-0" | "2-0" => Some(Outcome::Win(first.side())),
            "0-1" | "0-2" => Some(Outcome::Win(first.other().side())),
            "1/2-1/2" | "1-1" | "½-½" => Some(Outcome::Draw),
            "*" | "0-0" => None,
            _ => return None,
        }))
    }
}

/// What a file says about the end of a game: nothing when it is unfinished or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim(pub Option<Outcome>);
