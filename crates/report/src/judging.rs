//! How moves are judged: one scale for every game and for every source of values.
//!
//! The *expected result* of a position is a number from -1 (lost) to 1 (won). A proven result is one of -1, 0 and 1;
//! an estimate of `v` hundredths is `tanh(v / 500)`, so that one pawn, man or brick ahead is worth about 0.2 and five
//! about 0.76. What a move *gives away* is the expected result before it less the one after it, both for the player
//! who moved: nothing for the best move, up to 2 for a win turned into a loss.
//!
//! | gives away | mark |
//! |---|---|
//! | 0.1 and more | `?!` doubtful |
//! | 0.2 and more | `?` a mistake |
//! | 0.3 and more | `??` a blunder |
//!
//! The accuracy of a move is `100 * exp(-2 * given away)`, that of a player the mean over all moves of the player.

use crate::Worth;

/// What is said about a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// `?!`
    Doubtful,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All of them, the mildest first.
    pub const ALL: [Mark; 3] = [Mark::Doubtful, Mark::Mistake, Mark::Blunder];

    /// The mark of a move that gives so much away.
    pub fn of(given_away: f64) -> Option<Mark> {
        Mark::ALL.into_iter().rev().find(|mark| given_away >= mark.least())
    }

    /// How much a move with this mark gives away at least.
    pub const fn least(self) -> f64 {
        match self {
            Mark::Doubtful => 0.1,
            Mark::Mistake => 0.2,
            Mark::Blunder => 0.3,
        }
    }

    /// As people write it.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Doubtful => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Its number among the annotation glyphs of game files.
    pub const fn glyph(self) -> u8 {
        match self {
            Mark::Doubtful => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// The expected result for the side to move.
pub fn expected(worth: Worth) -> f64 {
    match worth {
        Worth::Win(_) => 1.0,
        Worth::Loss(_) => -1.0,
        Worth::Draw => 0.0,
        Worth::Estimate(hundredths) => (f64::from(hundredths) / 500.0).tanh(),
    }
}

/// The accuracy of a move that gives so much away, from 0 to 100.
pub fn accuracy(given_away: f64) -> f64 {
    100.0 * (-2.0 * given_away.max(0.0)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_symmetric_and_grows() {
        let scale: Vec<f64> = (-20..=20).map(|step| expected(Worth::Estimate(step * 50))).collect();
        assert!(scale.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(scale.iter().zip(scale.iter().rev()).all(|(a, b)| (a + b).abs() < 1e-12));
        assert!(expected(Worth::Estimate(100_000)) <= expected(Worth::Win(Some(3))));
    }

    #[test]
    fn marks_begin_where_the_table_says() {
        let marks: Vec<_> = [0.0, 0.0999, 0.1, 0.2, 0.3, 2.0].map(Mark::of).into();
        let [doubtful, mistake, blunder] = Mark::ALL.map(Some);
        assert_eq!(marks, [None, None, doubtful, mistake, blunder, blunder]);
    }

    #[test]
    fn accuracy_is_full_for_best_moves_and_falls() {
        assert!((accuracy(0.0) - 100.0).abs() < 1e-9);
        assert!(accuracy(1.0) < accuracy(0.2) && accuracy(2.0) > 0.0);
    }
}
