//! What a `go` command asks for.

use std::time::Duration;
use tabia_core::Side;
use tabia_search::Limits;

/// A search as a GUI asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Until when to search.
    pub(super) limits: Limits,
    /// The answer waits for `stop`, even when there is nothing left to search.
    pub(super) endless: bool,
    /// The opponent's clock is running: the time counts from `ponderhit`.
    pub(super) ponder: bool,
}

/// The share of a clock without `movestogo`: one in so many moves.
const MOVES_LEFT: u64 = 30;
/// Milliseconds that are always left, for the way to the GUI and back.
const RESERVE: u64 = 30;

#[derive(Default)]
struct Clock {
    left: [Option<u64>; 2],
    increment: [u64; 2],
    moves: Option<u64>,
}

impl Clock {
    /// The time for one move of `side`.
    fn share(&self, side: Side) -> Option<Duration> {
        let (left, increment) = (self.left[side.index()]?, self.increment[side.index()]);
        let moves = self.moves.unwrap_or(MOVES_LEFT).clamp(2, 60);
        let share = (left / moves).saturating_add(increment / 4 * 3);
        Some(Duration::from_millis(share.min(left.saturating_sub(RESERVE)).max(1)))
    }
}

/// Reads the words after `go`. Words that mean nothing here are passed over, as UCI wants it.
pub(super) fn parse<'w>(words: impl Iterator<Item = &'w str>, side: Side) -> Go {
    let mut words = words.peekable();
    let mut go = Go::default();
    let mut clock = Clock::default();
    while let Some(word) = words.next() {
        // Clocks below zero occur: the GUI was late.
        let number = words.peek().and_then(|next| next.parse::<i64>().ok()).map(|n| n.max(0) as u64);
        match (word, number) {
            ("infinite", _) => go.endless = true,
            ("ponder", _) => go.ponder = true,
            ("depth", Some(plies)) => go.limits.depth = Some(plies.clamp(1, 250) as u32),
            ("mate", Some(moves)) => go.limits.depth = Some(moves.clamp(1, 125) as u32 * 2),
            ("nodes", Some(nodes)) => go.limits.nodes = Some(nodes.max(1)),
            ("movetime", Some(time)) => go.limits.time = Some(Duration::from_millis(time.max(1))),
            ("wtime", left) => clock.left[0] = left,
            ("btime", left) => clock.left[1] = left,
            ("winc", Some(increment)) => clock.increment[0] = increment,
            ("binc", Some(increment)) => clock.increment[1] = increment,
            ("movestogo", moves) => clock.moves = moves,
            _ => {}
        }
    }
    go.limits.time = go.limits.time.or_else(|| clock.share(side));
    go.endless |= go.limits == Limits::default();
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        parse(text.split_whitespace(), Side::Second)
    }

    fn millis(go: Go) -> Option<u128> {
        go.limits.time.map(|time| time.as_millis())
    }

    #[test]
    fn limits_are_read_in_any_order_and_strange_words_passed_over() {
        assert_eq!(go("depth 6").limits, Limits::depth(6));
        assert_eq!(go("nodes 500 searchmoves e2e4 depth 3").limits.depth, Some(3));
        assert_eq!(go("depth x").limits.depth, None);
        assert_eq!(go("mate 3").limits.depth, Some(6));
        assert_eq!(millis(go("movetime 250 wtime 1 btime 1")), Some(250));
        assert!(go("").endless && go("infinite").endless && go("depth 2 infinite").endless);
        assert!(!go("btime 1000").endless);
    }

    #[test]
    fn a_clock_is_shared_out_and_never_used_up() {
        assert_eq!(millis(go("wtime 9 btime 60000")), Some(2000));
        assert_eq!(millis(go("btime 60000 movestogo 10 binc 1000")), Some(6750));
        assert_eq!(millis(go("btime 100 movestogo 1")), Some(50));
        assert_eq!(millis(go("btime 5")), Some(1));
        assert_eq!(millis(go("btime -20")), Some(1));
        assert_eq!(
            millis(go("btime 9223372036854775807 binc 9223372036854775807")).map(|ms| ms > 0),
            Some(true)
        );
    }

    #[test]
    fn pondering_does_not_swallow_the_clock() {
        let go = go("ponder wtime 60000 btime 60000");
        assert!(go.ponder && !go.endless);
        assert_eq!(millis(go), Some(2000));
    }
}
