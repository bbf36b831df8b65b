//! The way from the start of the game to the position being searched, and the draws it makes.
//!
//! ```text
//! keys   h h h h r s s s s        h: positions of the record that could still come back
//!                ^       ^        r: the root of the search, ply 0
//!              root     now       s: positions of the search, ply 1, 2, ...
//! ```
//!
//! A position that comes back *within the search* is a draw at once: if neither side can do better
//! than to repeat, play can go on for ever. A position of the record must come back as often as the
//! rules demand.
//!
//! Such a draw is true only on this path, so it comes with the lowest ply it depends on. A value
//! that depends on nothing above its own position is true on every path and may go into the table.

use tabia_core::{DrawRules, Game, Key, Record};

/// The ply of a value that depends on no path.
pub(crate) const PATH_FREE: u16 = u16::MAX;

/// Counters of [`Path::seen`]: so many that two keys of a path rarely share one.
const SEEN: usize = 4096;

#[derive(Clone, Debug)]
pub(crate) struct Path {
    keys: Vec<Key>,
    /// What is counted at each ply of the search.
    counts: Vec<Counts>,
    /// How many of `keys` end in the same bits: nearly always a position is seen to be new at one glance.
    seen: Vec<u16>,
    /// Where the root stands in `keys`.
    root: usize,
    /// Plies played before the root.
    played: u32,
    rules: DrawRules,
    progress_is_final: bool,
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    /// Plies since the last progress.
    quiet: u32,
    /// Where the positions that could still come back begin in `keys`.
    first: u32,
}

impl Path {
    pub(crate) fn new<G: Game>(record: &Record<G>) -> Self {
        let mut keys = record.repeatable_keys();
        let root = keys.len();
        keys.push(record.rules().key(record.state()));
        let mut seen = vec![0; SEEN];
        keys.iter().for_each(|&key| seen[slot(key)] += 1);
        Path {
            keys,
            counts: vec![Counts { quiet: record.quiet_plies(), first: 0 }],
            seen,
            root,
            played: record.moves().len() as u32,
            rules: record.rules().draw_rules(),
            progress_is_final: record.rules().progress_is_final(),
        }
    }

    /// Plies from the root.
    #[inline]
    pub(crate) fn ply(&self) -> usize {
        self.counts.len() - 1
    }

    /// The key of the position before the present one, where there is one.
    #[inline]
    pub(crate) fn before(&self) -> Option<Key> {
        self.keys.len().checked_sub(2).map(|at| self.keys[at])
    }

    #[inline]
    fn now(&self) -> Counts {
        self.counts[self.counts.len() - 1]
    }

    /// Goes on to a position by a move that was progress or not.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, progress: bool) {
        let Counts { quiet, first } = self.now();
        let first = if progress && self.progress_is_final { self.keys.len() as u32 } else { first };
        self.add(key, Counts { quiet: if progress { 0 } else { quiet + 1 }, first });
    }

    /// Goes on to a position by passing: nothing before it counts as repeated after it.
    #[inline]
    pub(crate) fn push_pass(&mut self, key: Key) {
        self.add(key, Counts { quiet: 0, first: self.keys.len() as u32 });
    }

    #[inline]
    fn add(&mut self, key: Key, counts: Counts) {
        self.keys.push(key);
        self.counts.push(counts);
        self.seen[slot(key)] += 1;
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.seen[slot(key)] -= 1;
        }
        self.counts.pop();
    }

    /// The lowest ply that a repetition here depends on, if the position is drawn by repetition.
    #[inline]
    pub(crate) fn repetition(&self) -> Option<u16> {
        let key = self.keys[self.keys.len() - 1];
        if self.seen[slot(key)] == 1 { None } else { self.repetition_of(key) }
    }

    #[cold]
    fn repetition_of(&self, key: Key) -> Option<u16> {
        let mut before_root = 0;
        let possible = self.now().first as usize..self.keys.len() - 1;
        for at in possible.rev().filter(|&at| self.keys[at] == key) {
            if at >= self.root {
                return Some((at - self.root) as u16);
            }
            before_root += 1;
        }
        self.rules.repetitions.is_some_and(|times| before_root + 1 >= times).then_some(0)
    }

    /// Whether counting plies makes a draw here; that depends on the whole path.
    #[inline]
    pub(crate) fn counted_out(&self) -> bool {
        self.rules.quiet_plies.is_some_and(|limit| self.now().quiet >= limit)
            || self.rules.total_plies.is_some_and(|limit| self.played + self.ply() as u32 >= limit)
    }

    /// The quiet plies so far and how many end the game, where they do.
    #[inline]
    pub(crate) fn patience(&self) -> Option<(i32, i32)> {
        self.rules.quiet_plies.map(|limit| (self.now().quiet as i32, limit as i32))
    }

    /// Whether a game of so many plies from here is sure to end before a count of plies ends it.
    pub(crate) fn leaves_time_for(&self, plies: u16) -> bool {
        let fits =
            |limit: Option<u32>, count: u32| limit.is_none_or(|limit| count + u32::from(plies) <= limit);
        fits(self.rules.quiet_plies, self.now().quiet)
            && fits(self.rules.total_plies, self.played + self.ply() as u32)
    }
}

#[inline]
const fn slot(key: Key) -> usize {
    key.0 as usize % SEEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::Position;

    fn path<G: Game>(rules: G) -> Path {
        let state = rules.start();
        Path::new(&Record::new(Position { rules, state }))
    }

    /// Keys 1 2 1, and whether the second position was reached by progress.
    fn returns(mut path: Path, progress: bool) -> Option<u16> {
        path.push(Key(1), false);
        path.push(Key(2), progress);
        path.push(Key(1), false);
        path.repetition()
    }

    #[test]
    fn progress_ends_the_search_for_repetitions_only_where_it_is_final() {
        assert_eq!(returns(path(tabia_chess::Chess), false), Some(1));
        assert_eq!(returns(path(tabia_chess::Chess), true), None);
        assert_eq!(returns(path(tabia_arx::Arx), true), Some(1));
    }

    #[test]
    fn nothing_is_repeated_across_a_pass() {
        let mut path = path(tabia_arx::Arx);
        path.push(Key(1), false);
        path.push_pass(Key(2));
        path.push(Key(1), false);
        assert_eq!(path.repetition(), None);
        path.pop();
        path.pop();
        path.push(Key(1), false);
        assert_eq!(path.repetition(), Some(1));
    }

    #[test]
    fn keys_that_share_a_counter_are_told_apart() {
        let mut path = path(tabia_chess::Chess);
        path.push(Key(7), false);
        path.push(Key(7 + SEEN as u64), false);
        assert_eq!(path.repetition(), None);
    }
}
