//! What a search says a position is worth.

use tabia_core::{Outcome, Side};

/// The worth of a position for the side to move, as far as a search can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The side to move can force a win in this many plies.
    Win(u16),
    /// The side to move is lost and can hold out for this many plies.
    Loss(u16),
    /// Neither side can force a win: proven, not guessed.
    Draw,
    /// A guess, in hundredths (of a man, pawn or brick).
    Estimate(i32),
}

impl Score {
    /// Whether the result of the game is settled.
    pub const fn is_proven(self) -> bool {
        !matches!(self, Score::Estimate(_))
    }

    /// A single number for comparing: wins above estimates above losses, quick wins first.
    pub const fn rank(self) -> i32 {
        match self {
            Score::Win(plies) => WIN - plies as i32,
            Score::Loss(plies) => plies as i32 - WIN,
            Score::Draw => 0,
            Score::Estimate(value) => value,
        }
    }

    /// The score of a raw value at the root; a plain 0 is a draw only when it is `settled`.
    pub(crate) const fn from_raw(value: i32, settled: bool) -> Score {
        if is_win(value) {
            Score::Win((WIN - value) as u16)
        } else if is_loss(value) {
            Score::Loss((WIN + value) as u16)
        } else if settled {
            Score::Draw
        } else {
            Score::Estimate(value)
        }
    }
}

/// The raw value of a game won at the root. A win at ply `n` of the search is worth `WIN - n`.
pub(crate) const WIN: i32 = 32_000;

/// Estimates stay below this, wins above it: no line is 2,000 plies long.
pub(crate) const LEAST_WIN: i32 = WIN - 2_000;

/// More than any value.
pub(crate) const INFINITE: i32 = 32_500;

pub(crate) const fn is_win(value: i32) -> bool {
    value >= LEAST_WIN
}

pub(crate) const fn is_loss(value: i32) -> bool {
    value <= -LEAST_WIN
}

pub(crate) const fn is_decided(value: i32) -> bool {
    is_win(value) || is_loss(value)
}

/// The value of a finished game for `side`, at some ply of the search.
pub(crate) fn finished(outcome: Outcome, side: Side, ply: usize) -> i32 {
    match outcome.winner() {
        None => 0,
        Some(winner) if winner == side => WIN - ply as i32,
        Some(_) => ply as i32 - WIN,
    }
}

/// A value as the table keeps it: distances count from the position, not from the root.
pub(crate) const fn to_table(value: i32, ply: usize) -> i32 {
    if is_win(value) {
        value + ply as i32
    } else if is_loss(value) {
        value - ply as i32
    } else {
        value
    }
}

/// The inverse of [`to_table`].
pub(crate) const fn from_table(value: i32, ply: usize) -> i32 {
    if is_win(value) {
        value - ply as i32
    } else if is_loss(value) {
        value + ply as i32
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_travel_through_the_table() {
        for value in [WIN - 9, 9 - WIN, 0, 150] {
            assert_eq!(from_table(to_table(value, 5), 5), value);
        }
        // A win nine plies from the root, seen at ply five, is four plies away.
        assert_eq!(from_table(to_table(WIN - 9, 5), 0), WIN - 4);
    }

    #[test]
    fn scores_rank_as_a_player_would() {
        let ordered =
            [Score::Win(1), Score::Win(9), Score::Estimate(30), Score::Draw, Score::Loss(8), Score::Loss(2)];
        assert!(ordered.windows(2).all(|pair| pair[0].rank() > pair[1].rank()));
    }
}
