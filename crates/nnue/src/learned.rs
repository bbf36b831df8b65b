//! The evaluation: sums that follow the search from position to position.
//!
//! ```text
//!   slot of ply 4:   feature set, how each side sees it, sums of both sides
//!   slot of ply 5:   ...
//! ```
//!
//! A position is judged from the slot of the position before it where that is still there, and otherwise from whatever
//! stands in its own slot: the features in which the two differ are added and taken away. So the sums are right wherever
//! they come from, and the hints of the search only make the differences small.

use crate::head::changes;
use crate::net::{GROUP, Net, NetError, Shape};
use crate::wiring::{Seen, Wiring};
use tabia_core::{Features, Game, Judge, Judges, Key, Side};

/// A network that judges the positions of a game.
#[derive(Clone, Debug)]
pub struct Learned<G: Game> {
    rules: G,
    wiring: Wiring,
    net: Net,
}

impl<G: Features> Learned<G> {
    /// A network for these rules; one that was made for others is refused.
    pub fn new(rules: G, net: Net) -> Result<Self, NetError> {
        let (wiring, Shape { variant, fingerprint, inputs, .. }) = (Wiring::of(&rules), &net.shape);
        if *variant != rules.variant() {
            return Err(NetError::Game { found: variant.clone(), wanted: rules.variant() });
        }
        if *fingerprint != wiring.fingerprint(&rules) || *inputs != wiring.inputs() {
            return Err(NetError::Features(rules.variant()));
        }
        Ok(Learned { rules, wiring, net })
    }

    /// The value of one position, made anew.
    pub fn value(&self, state: &G::State) -> i32 {
        Sight::new(self).judge(state, 0, None)
    }
}

impl<G: Features> Judges<G> for Learned<G> {
    fn judge(&self) -> Box<dyn Judge<G> + '_> {
        Box::new(Sight::new(self))
    }
}

/// What is remembered of a position.
#[derive(Clone, Debug)]
struct Slot {
    key: Key,
    set: Vec<u64>,
    features: usize,
    frames: [usize; 2],
    sums: [Vec<i16>; 2],
}

impl Slot {
    /// A board without anything on it.
    fn empty(net: &Net, words: usize) -> Self {
        let sums = [net.first_bias.clone(), net.first_bias.clone()];
        Slot { key: Key(0), set: vec![0; words], features: 0, frames: [0; 2], sums }
    }
}

/// A judge at work.
struct Sight<'a, G: Game> {
    learned: &'a Learned<G>,
    slots: Vec<Slot>,
    /// The set of the position that is being judged.
    now: Vec<u64>,
    /// Features that came and went.
    came: Vec<usize>,
    went: Vec<usize>,
}

impl<'a, G: Features> Sight<'a, G> {
    fn new(learned: &'a Learned<G>) -> Self {
        let now = vec![0; learned.wiring.words()];
        Sight { learned, slots: Vec::new(), now, came: Vec::with_capacity(64), went: Vec::with_capacity(64) }
    }

    /// Brings the slot of a ply to a position.
    #[inline]
    fn stand(&mut self, state: &G::State, ply: usize, before: Option<Key>) {
        let Learned { rules, wiring, net } = self.learned;
        while self.slots.len() <= ply {
            self.slots.push(Slot::empty(net, wiring.words()));
        }
        rules.feature_set(state, &mut self.now);
        let parent = ply.checked_sub(1).filter(|&parent| before == Some(self.slots[parent].key));
        self.follow(state, parent.unwrap_or(ply), ply);
        self.slots[ply].key = rules.key(state);
    }

    /// Brings a slot to the present position, starting from another slot or from itself.
    fn follow(&mut self, state: &G::State, from: usize, to: usize) {
        compare(&self.now, &self.slots[from].set, &mut self.came, &mut self.went);
        let Learned { rules, wiring, net } = self.learned;
        let frames = Side::ALL.map(|viewer| rules.frame(state, viewer));
        let (base, slot) = two(&mut self.slots, from, to);
        slot.features = base.map_or(slot.features, |base| base.features) + self.came.len() - self.went.len();
        for viewer in Side::ALL {
            let i = viewer.index();
            let seen = wiring.seen(viewer, frames[i]);
            if base.map_or(slot.frames[i], |base| base.frames[i]) == frames[i] {
                change(
                    net,
                    seen,
                    base.map(|base| &base.sums[i][..]),
                    &mut slot.sums[i],
                    &self.came,
                    &self.went,
                );
            } else {
                refresh(net, seen, &self.now, &mut slot.sums[i]);
            }
        }
        slot.frames = frames;
        slot.set.copy_from_slice(&self.now);
    }
}

impl<G: Features> Judge<G> for Sight<'_, G> {
    fn judge(&mut self, state: &G::State, ply: usize, before: Option<Key>) -> i32 {
        self.stand(state, ply, before);
        let (Learned { rules, net, .. }, slot) = (self.learned, &self.slots[ply]);
        let own = rules.side(state).index();
        net.value(&slot.sums[own], &slot.sums[1 - own], net.shape.bucket(slot.features))
    }

    fn prefer(&mut self, state: &G::State, moves: &[G::Move]) -> Option<Vec<f32>> {
        let Learned { rules, wiring, net } = self.learned;
        let head = net.head.as_ref()?;
        self.stand(state, 0, None);
        let (slot, own) = (&self.slots[0], rules.side(state));
        let mood = head.mood(&slot.sums[own.index()], &slot.sums[own.other().index()]);
        let seen = wiring.seen(own, slot.frames[own.index()]);
        let mut worth = |&mv: &G::Move| {
            let mut after = state.clone();
            rules.play(&mut after, mv);
            rules.feature_set(&after, &mut self.now);
            compare(&self.now, &slot.set, &mut self.came, &mut self.went);
            head.worth(&mood, changes(seen, &self.came, &self.went))
        };
        Some(moves.iter().map(&mut worth).collect())
    }
}

/// Lists the features in which a set differs from the one before.
#[inline]
pub(crate) fn compare(now: &[u64], then: &[u64], came: &mut Vec<usize>, went: &mut Vec<usize>) {
    came.clear();
    went.clear();
    for (at, (now, then)) in now.iter().zip(then).enumerate() {
        let mut changed = now ^ then;
        while changed != 0 {
            let bit = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            let list = if now >> bit & 1 == 1 { &mut *came } else { &mut *went };
            list.push(at * 64 + bit);
        }
    }
}

/// The slot to start from, where that is another one, and the slot to change.
#[inline]
fn two(slots: &mut [Slot], from: usize, to: usize) -> (Option<&Slot>, &mut Slot) {
    if from < to {
        let (before, after) = slots.split_at_mut(to);
        (Some(&before[from]), &mut after[0])
    } else {
        (None, &mut slots[to])
    }
}

/// The sums of a whole set.
fn refresh(net: &Net, seen: Seen<'_>, set: &[u64], sums: &mut [i16]) {
    sums.copy_from_slice(&net.first_bias);
    for (at, &word) in set.iter().enumerate() {
        for bit in tabia_core::bits::ones(word) {
            if let Some(input) = seen.input(at * 64 + bit) {
                add(sums, net.row(input));
            }
        }
    }
}

/// The sums after features came and went, one of each at a time.
#[inline]
fn change(net: &Net, seen: Seen<'_>, base: Option<&[i16]>, sums: &mut [i16], came: &[usize], went: &[usize]) {
    let row = |feature: &usize| seen.input(*feature).map(|input| net.row(input));
    let (mut came, mut went) = (came.iter().filter_map(row), went.iter().filter_map(row));
    if let Some(base) = base {
        match (came.next(), went.next()) {
            (Some(new), Some(old)) => exchange_from(base, sums, new, old),
            (new, old) => {
                sums.copy_from_slice(base);
                new.inspect(|new| add(sums, new));
                old.inspect(|old| subtract(sums, old));
            }
        }
    }
    loop {
        match (came.next(), went.next()) {
            (Some(new), Some(old)) => exchange(sums, new, old),
            (Some(new), None) => add(sums, new),
            (None, Some(old)) => subtract(sums, old),
            (None, None) => return,
        }
    }
}

// Groups of a fixed size: so the compiler makes vector instructions of the loops.

#[inline]
fn add(sums: &mut [i16], row: &[i16]) {
    for (sums, row) in sums.as_chunks_mut::<GROUP>().0.iter_mut().zip(row.as_chunks::<GROUP>().0) {
        (0..GROUP).for_each(|i| sums[i] = sums[i].wrapping_add(row[i]));
    }
}

#[inline]
fn subtract(sums: &mut [i16], row: &[i16]) {
    for (sums, row) in sums.as_chunks_mut::<GROUP>().0.iter_mut().zip(row.as_chunks::<GROUP>().0) {
        (0..GROUP).for_each(|i| sums[i] = sums[i].wrapping_sub(row[i]));
    }
}

#[inline]
fn exchange(sums: &mut [i16], new: &[i16], old: &[i16]) {
    let rows = new.as_chunks::<GROUP>().0.iter().zip(old.as_chunks::<GROUP>().0);
    for (sums, (new, old)) in sums.as_chunks_mut::<GROUP>().0.iter_mut().zip(rows) {
        (0..GROUP).for_each(|i| sums[i] = sums[i].wrapping_add(new[i]).wrapping_sub(old[i]));
    }
}

#[inline]
fn exchange_from(base: &[i16], sums: &mut [i16], new: &[i16], old: &[i16]) {
    let rows = new.as_chunks::<GROUP>().0.iter().zip(old.as_chunks::<GROUP>().0);
    let targets = sums.as_chunks_mut::<GROUP>().0.iter_mut().zip(base.as_chunks::<GROUP>().0);
    for ((sums, base), (new, old)) in targets.zip(rows) {
        (0..GROUP).for_each(|i| sums[i] = base[i].wrapping_add(new[i]).wrapping_sub(old[i]));
    }
}
