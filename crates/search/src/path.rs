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

#[derive(Clone, Debug)]
pub(crate) struct Path {
    keys: Vec<Key>,
    /// Plies since the last progress, at each ply of the search.
    quiet: Vec<u32>,
    /// Where the root stands in `keys`.
    root: usize,
    /// Plies played before the root.
    played: u32,
    rules: DrawRules,
}

impl Path {
    pub(crate) fn new<G: Game>(record: &Record<G>) -> Self {
        let mut keys = record.repeatable_keys();
        let root = keys.len();
        keys.push(record.rules().key(record.state()));
        Path {
            keys,
            quiet: vec![record.quiet_plies()],
            root,
            played: record.moves().len() as u32,
            rules: record.rules().draw_rules(),
        }
    }

    /// Plies from the root.
    #[inline]
    pub(crate) fn ply(&self) -> usize {
        self.quiet.len() - 1
    }

    /// Goes on to a position; `progress` when nothing earlier can come back.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, progress: bool) {
        let quiet = if progress { 0 } else { self.quiet[self.quiet.len() - 1] + 1 };
        self.keys.push(key);
        self.quiet.push(quiet);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
        self.quiet.pop();
    }

    /// The lowest ply that a repetition here depends on, if the position is drawn by repetition.
    #[inline]
    pub(crate) fn repetition(&self) -> Option<u16> {
        let now = self.keys.len() - 1;
        let window = (self.quiet[self.quiet.len() - 1] as usize).min(now);
        let key = self.keys[now];
        let earlier = &self.keys[now - window..now];
        if !earlier.contains(&key) {
            return None;
        }
        self.repetition_of(key, now - window, now)
    }

    #[cold]
    fn repetition_of(&self, key: Key, first: usize, now: usize) -> Option<u16> {
        let mut before_root = 0;
        for at in (first..now).rev().filter(|&at| self.keys[at] == key) {
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
        let quiet = self.quiet[self.quiet.len() - 1];
        self.rules.quiet_plies.is_some_and(|limit| quiet >= limit)
            || self.rules.total_plies.is_some_and(|limit| self.played + self.ply() as u32 >= limit)
    }
}
