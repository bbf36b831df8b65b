//! What a `go` command asks for.

use std::time::Duration;
use tabia_core::Side;
use tabia_search::Limits;

/// A search as a GUI asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Until when to search.
    pub(super) limits: Limits,
    /// Look for a mate in so many moves.
    pub(super) mate: Option<u32>,
    /// The only moves to consider, as they were written; none: all.
    pub(super) among: Vec<String>,
    /// The answer waits for `stop`, even when there is nothing left to search.
    pub(super) endless: bool,
    /// The opponent's clock is running: the time counts from `ponderhit`.
    pub(super) ponder: bool,
}

impl Go {
    /// Whether there is no time for anything but a glance.
    pub(super) fn at_once(&self) -> bool {
        let time = self.limits.enough.or(self.limits.time);
        !self.endless && !self.ponder && time.is_some_and(|time| time < WORTH_A_SEARCH)
    }
}

/// Less time than this is not shared out any more: starting a thread and looking at the clock would cost as
/// much.
const WORTH_A_SEARCH: Duration = Duration::from_millis(3);

/// The share of a clock without `movestogo`: one in so many moves.
const MOVES_LEFT: u64 = 30;

/// A move that is hard to find may take so many times its share, but never more than a third of the clock.
const HARD: u64 = 3;

/// The words that may follow `go`; anything else after `searchmoves` is a move.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

#[derive(Default)]
struct Clock {
    left: [Option<u64>; 2],
    increment: [u64; 2],
    moves: Option<u64>,
}

impl Clock {
    /// The time for one move of `side`, and the most that a hard one may take; `overhead` milliseconds of either are lost
    /// on the way.
    fn share(&self, side: Side, overhead: u64) -> Option<(Duration, Duration)> {
        let (left, increment) = (self.left[side.index()]?, self.increment[side.index()]);
        let moves = self.moves.unwrap_or(MOVES_LEFT).clamp(2, 60);
        let share = (left / moves).saturating_add(increment / 4 * 3).min(left);
        let most = share.saturating_mul(HARD).min(left / 3).max(share);
        let less = |time: u64| Duration::from_millis(time.saturating_sub(overhead));
        Some((less(share), less(most)))
    }
}

/// Reads the words after `go`, for `side` to move and milliseconds of overhead for each move. Words that
/// mean nothing here are passed over, as UCI wants it.
pub(super) fn parse<'w>(words: impl Iterator<Item = &'w str>, side: Side, overhead: u64) -> Go {
    let mut words = words.peekable();
    let mut go = Go::default();
    let mut clock = Clock::default();
    while let Some(word) = words.next() {
        if word == "searchmoves" {
            while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                go.among.push(mv.to_owned());
            }
        }
        // Clocks below zero occur: the GUI was late.
        let number = words.peek().and_then(|next| next.parse::<i64>().ok()).map(|n| n.max(0) as u64);
        match (word, number) {
            ("infinite", _) => go.endless = true,
            ("ponder", _) => go.ponder = true,
            ("depth", Some(plies)) => go.limits.depth = Some(plies.clamp(1, 250) as u32),
            ("mate", Some(moves)) => go.mate = Some(moves.clamp(1, 125) as u32),
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
    if let (None, Some((share, most))) = (go.limits.time, clock.share(side, overhead)) {
        (go.limits.enough, go.limits.time) = (Some(share), Some(most));
    }
    go.endless |= go.limits == Limits::default() && go.mate.is_none();
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        parse(text.split_whitespace(), Side::Second, 10)
    }

    fn millis(go: &Go) -> Option<u128> {
        go.limits.enough.or(go.limits.time).map(|time| time.as_millis())
    }

    fn most(text: &str) -> Option<u128> {
        go(text).limits.time.map(|time| time.as_millis())
    }

    #[test]
    fn limits_are_read_in_any_order_and_strange_words_passed_over() {
        assert_eq!(go("depth 6").limits, Limits::depth(6));
        assert_eq!(go("nodes 500 searchmoves e2e4 depth 3").limits.depth, Some(3));
        assert_eq!(go("depth x").limits.depth, None);
        assert_eq!((go("mate 3").mate, go("mate 3").endless), (Some(3), false));
        assert_eq!(millis(&go("movetime 250 wtime 1 btime 1")), Some(250));
        assert!(go("").endless && go("infinite").endless && go("depth 2 infinite").endless);
        assert!(!go("btime 1000").endless);
    }

    #[test]
    fn the_moves_to_consider_end_at_the_next_word() {
        assert_eq!(go("searchmoves e2e4 d2d4 depth 3").among, ["e2e4", "d2d4"]);
        assert_eq!(go("searchmoves e2e4 infinite").among, ["e2e4"]);
        assert_eq!(go("infinite searchmoves").among, Vec::<String>::new());
    }

    #[test]
    fn a_clock_is_shared_out_and_never_used_up() {
        assert_eq!(millis(&go("wtime 9 btime 60000")), Some(1990));
        assert_eq!(millis(&go("btime 60000 movestogo 10 binc 1000")), Some(6740));
        assert_eq!(millis(&go("btime 100 movestogo 1")), Some(40));
        assert_eq!(millis(&go("btime 100 binc 60000")), Some(90));
        // A third of the clock at most, and no more than it has.
        assert_eq!(most("btime 60000"), Some(5990));
        assert_eq!(most("btime 60000 movestogo 2"), Some(29990));
        assert_eq!(most("btime 60000 movestogo 10 binc 1000"), Some(19990));
        assert_eq!(most("btime 100 binc 60000"), Some(90));
        assert!(!go("btime 60000").at_once());
        assert!(millis(&go("btime 9223372036854775807 binc 9223372036854775807")) > Some(0));
    }

    #[test]
    fn what_is_not_worth_a_search_is_answered_at_once() {
        for text in ["btime 50", "btime 5", "btime -20", "btime 300", "movetime 1"] {
            assert!(go(text).at_once(), "{text}");
        }
        for text in ["btime 600", "btime 50 infinite", "btime 50 ponder", "movetime 5"] {
            assert!(!go(text).at_once(), "{text}");
        }
    }

    #[test]
    fn pondering_does_not_swallow_the_clock() {
        let go = go("ponder wtime 60000 btime 60000");
        assert!(go.ponder && !go.endless);
        assert_eq!(millis(&go), Some(1990));
    }
}
