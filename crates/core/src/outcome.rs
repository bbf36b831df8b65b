//! How a game ended, and what a position is worth: two things with two points of view.

use crate::Side;

/// How a finished game ended, seen from outside.
///
/// In a game for one player, `Win(Side::First)` is solved and `Win(Side::Second)` is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// The same outcome with the sides exchanged when `swap` is set.
    #[must_use]
    pub const fn swapped(self, swap: bool) -> Outcome {
        match self {
            Outcome::Win(side) if swap => Outcome::Win(side.other()),
            outcome => outcome,
        }
    }

    /// The value of a finished position for the side that would be to move.
    pub fn value_for(self, side: Side) -> Value {
        match self {
            Outcome::Win(winner) if winner == side => Value::Win(0),
            Outcome::Win(_) => Value::Loss(0),
            Outcome::Draw => Value::Draw,
        }
    }
}

/// What a position is worth for the side to move, with the distance to the end in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many plies, and no faster against the best defence.
    Win(u16),
    /// The side to move loses in this many plies, and can hold out no longer.
    Loss(u16),
    /// Neither side can force a win.
    Draw,
    /// Nobody has worked it out.
    Unknown,
}

impl Value {
    /// The value of a position from which the best move leads to a position with this value.
    #[must_use]
    pub const fn one_ply_earlier(self) -> Value {
        match self {
            Value::Win(n) => Value::Loss(n.saturating_add(1)),
            Value::Loss(n) => Value::Win(n.saturating_add(1)),
            other => other,
        }
    }

    /// The same where the player who moves there may be the one who moved here.
    #[must_use]
    pub const fn one_ply_earlier_for(self, same_mover: bool) -> Value {
        match self.one_ply_earlier() {
            Value::Win(n) if same_mover => Value::Loss(n),
            Value::Loss(n) if same_mover => Value::Win(n),
            other => other,
        }
    }

    /// Rank for choosing: quick wins, slow wins, draws, slow losses, quick losses; unknown is least.
    pub const fn rank(self) -> i32 {
        match self {
            Value::Win(n) => 200_000 - n as i32,
            Value::Draw => 100_000,
            Value::Loss(n) => n as i32,
            Value::Unknown => -1,
        }
    }

    /// `win`, `loss`, `draw` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Value::Win(_) => "win",
            Value::Loss(_) => "loss",
            Value::Draw => "draw",
            Value::Unknown => "unknown",
        }
    }

    /// Plies to the end of the game, for wins and losses.
    pub const fn distance(self) -> Option<u16> {
        match self {
            Value::Win(n) | Value::Loss(n) => Some(n),
            _ => None,
        }
    }
}
