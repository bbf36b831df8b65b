//! Which move to try first: the table's, promising noisy ones, killers, then what served elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, AtomicI32, Ordering::Relaxed};
use tabia_core::Side;

/// A move waiting to be tried: its number in the game's list, and how early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) urgency: i32,
    pub(crate) number: u16,
    pub(crate) noisy: bool,
    /// Its turn when it was put off because another thread was busy with it; 0: it was not.
    pub(crate) turn: u8,
}

/// The urgencies, from the top. History and promises stay within ±100,000.
pub(crate) const FROM_TABLE: i32 = 4_000_000;
pub(crate) const NOISY: i32 = 2_000_000;
pub(crate) const KILLERS: [i32; 2] = [1_000_001, 1_000_000];
/// Noisy moves that the game itself expects to lose by come last.
pub(crate) const LOSING: i32 = -2_000_000;
/// Moves that another thread is busy with come after all others.
const PUT_OFF: i32 = -4_000_000;

impl Waiting {
    #[inline]
    pub(crate) fn new(urgency: i32, number: u16, noisy: bool) -> Self {
        Waiting { urgency, number, noisy, turn: 0 }
    }

    /// The same move after all others, in the order they had among themselves; it would have been the `turn`-th.
    #[inline]
    pub(crate) fn put_off(self, turn: usize) -> Waiting {
        Waiting { urgency: PUT_OFF + self.served(), turn: turn.clamp(1, u8::MAX.into()) as u8, ..self }
    }

    #[inline]
    pub(crate) fn is_put_off(self) -> bool {
        self.turn > 0
    }

    /// How well a quiet move has served, whether it was put off or not: threads that reduce the same move
    /// by different depths cannot use each other's results.
    #[inline]
    pub(crate) fn served(self) -> i32 {
        let urgency = if self.is_put_off() { self.urgency - PUT_OFF } else { self.urgency };
        urgency.clamp(-100_000, 100_000)
    }
}

/// Brings the most urgent of `waiting[from..]` to the front and returns it.
///
/// Selection, not sorting: most nodes are cut off after one or two moves.
#[inline]
pub(crate) fn pick(waiting: &mut [Waiting], from: usize) -> Waiting {
    let rest = &mut waiting[from..];
    let (mut best, mut most) = (0, i32::MIN);
    for (i, waiting) in rest.iter().enumerate() {
        if waiting.urgency > most {
            (best, most) = (i, waiting.urgency);
        }
    }
    // Rotating instead of swapping would keep the order among equals, but costs more than it gives.
    rest.swap(0, best);
    rest[0]
}

/// How well each kind of quiet move has served either side, within ±[`History::MOST`]. A clone is the same history: threads
/// that search a tree share it, because what was learnt decides how deeply moves are searched, and answers to
/// other depths are of no use to each other. An update that crosses another may be lost.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    slots: usize,
    values: Arc<[AtomicI32]>,
}

impl History {
    pub(crate) const MOST: i32 = 16_384;

    pub(crate) fn new(slots: usize) -> Self {
        History { slots, values: (0..2 * slots).map(|_| AtomicI32::new(0)).collect() }
    }

    /// Makes room for a game, unless it is there.
    pub(crate) fn fit(&mut self, slots: usize) {
        if self.slots != slots {
            *self = History::new(slots);
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.values.iter().for_each(|value| value.store(0, Relaxed));
    }

    #[inline]
    pub(crate) fn get(&self, side: Side, slot: usize) -> i32 {
        self.values.get(side.index() * self.slots + slot).map_or(0, |value| value.load(Relaxed))
    }

    /// Rewards (or punishes) a kind of move; the nearer to the end of the scale, the less.
    pub(crate) fn update(&self, side: Side, slot: usize, by: i32) {
        if let Some(value) = self.values.get(side.index() * self.slots + slot) {
            let now = value.load(Relaxed);
            value.store(now + by - now * by.abs() / Self::MOST, Relaxed);
        }
    }
}

/// How well each kind of quiet move has served after a move of each kind; shared as a [`History`] is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Continuation {
    kinds: usize,
    values: Arc<[AtomicI16]>,
}

/// A move that nothing is remembered after: a pass, or none at all.
pub(crate) const NO_KIND: u16 = u16::MAX;

impl Continuation {
    /// Games with more kinds of moves would need too much memory.
    const MOST_KINDS: usize = 2048;

    /// Makes room for a game, unless it is there.
    pub(crate) fn fit(&mut self, kinds: usize) {
        let kinds = if kinds < Self::MOST_KINDS { kinds } else { 0 };
        if self.kinds != kinds {
            *self = Continuation { kinds, values: (0..kinds * kinds).map(|_| AtomicI16::new(0)).collect() };
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.values.iter().for_each(|value| value.store(0, Relaxed));
    }

    /// What served after a move of this kind, by kind; nothing where nothing is known.
    #[inline]
    pub(crate) fn after(&self, kind: u16) -> After<'_> {
        let first = usize::from(kind) * self.kinds;
        After(self.values.get(first..first + self.kinds).unwrap_or(&[]))
    }

    /// Rewards (or punishes) a kind of move after another.
    pub(crate) fn update(&self, after: u16, kind: usize, by: i32) {
        if kind < self.kinds
            && let Some(value) = self.values.get(usize::from(after) * self.kinds + kind)
        {
            let now = i32::from(value.load(Relaxed));
            value.store((now + by - now * by.abs() / History::MOST) as i16, Relaxed);
        }
    }
}

/// What served after a move of one kind, by kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct After<'a>(&'a [AtomicI16]);

impl After<'_> {
    /// Nothing where nothing is known.
    #[inline]
    pub(crate) fn get(self, kind: usize) -> i32 {
        self.0.get(kind).map_or(0, |value| i32::from(value.load(Relaxed)))
    }
}

/// How a kind of move has served after the moves before it; after the own one before the last, half as much.
#[inline]
pub(crate) fn continued(
    [schemes, plans, answers]: [&Continuation; 3],
    [earlier, own, other]: [u16; 3],
) -> impl Fn(usize) -> i32 {
    let (earlier, own, other) = (schemes.after(earlier), plans.after(own), answers.after(other));
    move |kind| own.get(kind) + other.get(kind) + earlier.get(kind) / 2
}

/// What was learnt about the order of moves, from one search to the next. A clone is the same knowledge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learnt {
    pub(crate) history: History,
    pub(crate) answers: Continuation,
    pub(crate) plans: Continuation,
    pub(crate) schemes: Continuation,
}

impl Learnt {
    /// Makes room for a game, unless it is there.
    pub(crate) fn fit(&mut self, slots: usize, kinds: usize) {
        self.history.fit(slots);
        self.answers.fit(kinds);
        self.plans.fit(kinds);
        self.schemes.fit(kinds);
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.history.clear();
        self.answers.clear();
        self.plans.clear();
        self.schemes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picking_gives_a_descending_order() {
        let mut waiting: Vec<Waiting> = [5, 9, -3, 9, 0]
            .iter()
            .zip(0..)
            .map(|(&urgency, number)| Waiting::new(urgency, number, false))
            .collect();
        let picked: Vec<i32> = (0..5).map(|i| pick(&mut waiting, i).urgency).collect();
        assert_eq!(picked, [9, 9, 5, 0, -3]);
    }

    #[test]
    fn history_stays_in_bounds() {
        let history = History::new(2);
        for _ in 0..10_000 {
            history.update(Side::First, 1, 1600);
            history.update(Side::Second, 0, -1600);
        }
        assert!((1..=History::MOST).contains(&history.get(Side::First, 1)));
        assert!((-History::MOST..0).contains(&history.get(Side::Second, 0)));
        assert_eq!(history.get(Side::First, 0), 0);
        assert_eq!(history.get(Side::Second, 99), 0);
    }

    /// What one thread learns, all know.
    #[test]
    fn a_clone_is_the_same_knowledge() {
        let mut learnt = Learnt::default();
        learnt.fit(4, 4);
        let other = learnt.clone();
        other.history.update(Side::Second, 3, 100);
        other.answers.update(1, 2, 100);
        assert_eq!((learnt.history.get(Side::Second, 3), learnt.answers.after(1).get(2)), (100, 100));
        assert_eq!((learnt.plans.after(1).get(2), learnt.answers.after(NO_KIND).get(0)), (0, 0));
        learnt.clear();
        assert_eq!((other.history.get(Side::Second, 3), other.answers.after(1).get(2)), (0, 0));
    }

    #[test]
    fn a_move_that_is_put_off_keeps_its_turn_and_how_it_served() {
        let waiting = Waiting::new(-700, 3, false).put_off(300);
        assert_eq!((waiting.served(), waiting.turn), (-700, u8::MAX));
        assert!(waiting.is_put_off() && waiting.urgency < LOSING - 100_000);
        assert!(Waiting::new(-700, 3, false).put_off(0).is_put_off());
    }
}
