//! Which move to try first: the table's, promising noisy ones, killers, then what served elsewhere.

use tabia_core::Side;

/// A move waiting to be tried: its number in the game's list, and how early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) urgency: i32,
    pub(crate) number: u16,
    pub(crate) noisy: bool,
    /// Another thread was busy with it.
    pub(crate) put_off: bool,
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
    /// The same move after all others, in the order they had among themselves.
    #[inline]
    pub(crate) fn put_off(self) -> Waiting {
        Waiting { urgency: PUT_OFF + self.served(), put_off: true, ..self }
    }

    /// How well a quiet move has served, whether it was put off or not: threads that reduce the same move
    /// by different depths cannot use each other's results.
    #[inline]
    pub(crate) fn served(self) -> i32 {
        let urgency = if self.put_off { self.urgency - PUT_OFF } else { self.urgency };
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

/// How well each kind of quiet move has served either side, within ±[`History::MOST`].
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    slots: usize,
    values: Vec<i32>,
}

impl History {
    pub(crate) const MOST: i32 = 16_384;

    pub(crate) fn new(slots: usize) -> Self {
        History { slots, values: vec![0; 2 * slots] }
    }

    /// Makes room for a game, unless it is there.
    pub(crate) fn fit(&mut self, slots: usize) {
        if self.slots != slots {
            *self = History::new(slots);
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0);
    }

    #[inline]
    pub(crate) fn get(&self, side: Side, slot: usize) -> i32 {
        self.values.get(side.index() * self.slots + slot).copied().unwrap_or(0)
    }

    /// Rewards (or punishes) a kind of move; the nearer to the end of the scale, the less.
    pub(crate) fn update(&mut self, side: Side, slot: usize, by: i32) {
        if let Some(value) = self.values.get_mut(side.index() * self.slots + slot) {
            *value += by - *value * by.abs() / Self::MOST;
        }
    }
}

/// How well each kind of quiet move has served after a move of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Continuation {
    kinds: usize,
    values: Vec<i16>,
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
            *self = Continuation { kinds, values: vec![0; kinds * kinds] };
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0);
    }

    /// What served after a move of this kind, by kind; nothing where nothing is known.
    #[inline]
    pub(crate) fn after(&self, kind: u16) -> &[i16] {
        let first = usize::from(kind) * self.kinds;
        self.values.get(first..first + self.kinds).unwrap_or(&[])
    }

    /// Rewards (or punishes) a kind of move after another.
    pub(crate) fn update(&mut self, after: u16, kind: usize, by: i32) {
        if kind < self.kinds
            && let Some(value) = self.values.get_mut(usize::from(after) * self.kinds + kind)
        {
            let now = i32::from(*value);
            *value = (now + by - now * by.abs() / History::MOST) as i16;
        }
    }
}

/// What a thread has learnt about the order of moves, from one search to the next.
#[derive(Debug, Default)]
pub(crate) struct Learnt {
    pub(crate) history: History,
    pub(crate) answers: Continuation,
    pub(crate) plans: Continuation,
}

impl Learnt {
    /// Makes room for a game, unless it is there.
    pub(crate) fn fit(&mut self, slots: usize, kinds: usize) {
        self.history.fit(slots);
        self.answers.fit(kinds);
        self.plans.fit(kinds);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.answers.clear();
        self.plans.clear();
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
            .map(|(&urgency, number)| Waiting { urgency, number, noisy: false, put_off: false })
            .collect();
        let picked: Vec<i32> = (0..5).map(|i| pick(&mut waiting, i).urgency).collect();
        assert_eq!(picked, [9, 9, 5, 0, -3]);
    }

    #[test]
    fn history_stays_in_bounds() {
        let mut history = History::new(2);
        for _ in 0..10_000 {
            history.update(Side::First, 1, 1600);
            history.update(Side::Second, 0, -1600);
        }
        assert!((1..=History::MOST).contains(&history.get(Side::First, 1)));
        assert!((-History::MOST..0).contains(&history.get(Side::Second, 0)));
        assert_eq!(history.get(Side::First, 0), 0);
        assert_eq!(history.get(Side::Second, 99), 0);
    }
}
