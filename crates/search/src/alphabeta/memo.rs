//! What alpha-beta keeps in the table.
//!
//! ```text
//! payload  47  46 45   44 43     42           27 26            16 15          0
//!          +-----+-------+---------+---------------+---------------+------------+
//!          | 0   | doubt | bound   | static value  | move number+1 | value      |
//!          +-----+-------+---------+---------------+---------------+------------+
//! ```
//!
//! The depth is the entry's worth. A move is remembered by its number in the game's list, which is
//! the same every time; 0 is none.

use super::node::{Doubt, Found, Node};
use crate::path::PATH_FREE;
use crate::score::{from_table, is_decided, is_loss, is_win, to_table};
use tabia_table::Entry;

/// Which side of the true value a stored one is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Nothing is known but a good move.
    None = 0,
    /// The position is worth at least this.
    Lower = 1,
    /// The position is worth at most this.
    Upper = 2,
    /// Both.
    Exact = 3,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::None, Bound::Lower, Bound::Upper, Bound::Exact];

    const fn says_at_least(self) -> bool {
        self as u8 & 1 != 0
    }

    const fn says_at_most(self) -> bool {
        self as u8 & 2 != 0
    }
}

/// A remembered position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memo {
    /// Counted from the position.
    pub(crate) value: i32,
    /// The number of a good move.
    pub(crate) best: Option<u16>,
    /// The static value, where it was computed.
    pub(crate) fixed: Option<i32>,
    pub(crate) bound: Bound,
    pub(crate) doubt: Doubt,
    pub(crate) depth: i32,
}

/// Stands for a static value that was not computed.
const NOT_FIXED: i16 = i16::MIN;

/// Move numbers from here on are not remembered.
const MOST_MOVES: u16 = (1 << 11) - 1;

impl Memo {
    #[inline]
    pub(crate) fn read(entry: Entry) -> Self {
        let bits = entry.payload;
        Memo {
            value: i32::from(bits as u16 as i16),
            best: ((bits >> 16) as u16 & MOST_MOVES).checked_sub(1),
            fixed: Some((bits >> 27) as u16 as i16).filter(|&fixed| fixed != NOT_FIXED).map(i32::from),
            bound: Bound::ALL[(bits >> 43 & 3) as usize],
            doubt: Doubt::from_bits((bits >> 45 & 3) as u8),
            depth: i32::from(entry.worth),
        }
    }

    #[inline]
    pub(crate) fn payload(&self) -> u64 {
        let best = self.best.filter(|&number| number < MOST_MOVES).map_or(0, |number| number + 1);
        u64::from(self.value as i16 as u16)
            | u64::from(best) << 16
            | u64::from(self.fixed.map_or(NOT_FIXED, |fixed| fixed as i16) as u16) << 27
            | (self.bound as u64) << 43
            | u64::from(self.doubt.bits()) << 45
    }

    /// What a node found at `ply`, as far as it is true on every path. A search that prunes on guesses (`selective`) keeps
    /// the rest as one guess more: without it much of the tree would be searched again and again.
    pub(crate) fn of(
        node: &Node,
        found: Found,
        bound: Bound,
        ply: usize,
        best: Option<u16>,
        selective: bool,
    ) -> Self {
        let free = usize::from(found.path) >= ply;
        let (bound, doubt) = match bound {
            bound if free => (bound, found.doubt),
            // Won is won on every path, but another path might have a quicker way.
            bound if is_win(found.value) && bound.says_at_least() => (Bound::Lower, found.doubt),
            bound if is_loss(found.value) && bound.says_at_most() => (Bound::Upper, found.doubt),
            bound if selective && !is_decided(found.value) => (bound, Doubt::PRUNED),
            _ => (Bound::None, found.doubt),
        };
        let depth = if bound == Bound::None { 0 } else { node.depth.clamp(0, 255) };
        Memo { value: to_table(found.value, ply), best, fixed: node.fixed, bound, doubt, depth }
    }

    /// Whether the position is worth at least the remembered value.
    pub(crate) const fn says_at_least(&self) -> bool {
        self.bound.says_at_least()
    }

    /// The remembered value where its bound makes it a better guess than a static one.
    #[inline]
    pub(crate) fn better(&self, fixed: i32) -> Option<i32> {
        let above = self.bound.says_at_least() && self.value > fixed;
        let below = self.bound.says_at_most() && self.value < fixed;
        ((above || below) && !is_decided(self.value)).then_some(self.value)
    }

    /// The answer to a search of `depth` at `ply` with this window, where the memo settles it.
    #[inline]
    pub(crate) fn answer(
        &self,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        selective: bool,
    ) -> Option<Found> {
        let value = from_table(self.value, ply);
        let deep = self.depth >= depth || !self.doubt.estimated();
        let trusted = deep && (selective || !self.doubt.selective());
        let high = self.bound.says_at_least() && value >= beta && (trusted || is_win(value));
        let low = self.bound.says_at_most() && value <= alpha && (trusted || is_loss(value));
        let exact = self.bound == Bound::Exact && trusted;
        // That there is a win, or nothing but losses, is beyond doubt; only its distance may not be.
        let sure = high && is_win(value) || low && is_loss(value);
        let doubt = if sure { Doubt::NONE } else { self.doubt };
        (high || low || exact).then_some(Found { value, path: PATH_FREE, doubt })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_memo_comes_back(value in -32_000i32..=32_000, best in prop::option::of(0u16..2046), fixed in prop::option::of(-20_000i32..=20_000),
                             bound in 0usize..4, doubt in 0u8..4, depth in 0i32..=255) {
            let memo = Memo { value, best, fixed, bound: Bound::ALL[bound], doubt: Doubt::from_bits(doubt), depth };
            prop_assert!(memo.payload() < 1 << tabia_table::PAYLOAD_BITS);
            prop_assert_eq!(Memo::read(Entry { payload: memo.payload(), worth: depth as u8 }), memo);
        }
    }

    #[test]
    fn a_value_that_rests_on_the_path_is_not_kept_but_a_win_is() {
        let key = tabia_core::Key(1);
        let (memo, fixed) = (None, None);
        let node = Node {
            key,
            depth: 5,
            alpha: 0,
            beta: 1,
            memo,
            fixed,
            believed: None,
            must_resolve: false,
            improving: false,
            tabled: true,
            longer: 0,
            refuted: false,
            lowered: false,
        };
        let kept = |value, bound, ply, selective| {
            let found = Found { value, path: 2, doubt: Doubt::ESTIMATE };
            let memo = Memo::of(&node, found, bound, ply, None, selective);
            (memo.bound, memo.doubt.selective())
        };
        assert_eq!(kept(10, Bound::Exact, 3, false), (Bound::None, false));
        assert_eq!(kept(10, Bound::Exact, 2, false), (Bound::Exact, false));
        assert_eq!(kept(WIN - 7, Bound::Exact, 3, false), (Bound::Lower, false));
        assert_eq!(kept(7 - WIN, Bound::Upper, 3, false), (Bound::Upper, false));
        // A search that prunes keeps it as a guess, and a win as no more than a win.
        assert_eq!(kept(10, Bound::Exact, 3, true), (Bound::Exact, true));
        assert_eq!(kept(10, Bound::Exact, 2, true), (Bound::Exact, false));
        assert_eq!(kept(WIN - 7, Bound::Exact, 3, true), (Bound::Lower, false));
    }

    #[test]
    fn a_shallow_memo_only_answers_with_a_win() {
        let memo = |value| Memo {
            value,
            best: None,
            fixed: None,
            bound: Bound::Lower,
            doubt: Doubt::ESTIMATE,
            depth: 2,
        };
        assert!(memo(100).answer(3, 0, 50, 0, true).is_none());
        assert!(memo(100).answer(2, 0, 50, 0, true).is_some());
        assert!(memo(WIN - 3).answer(9, 0, 50, 0, true).is_some());
    }
}
