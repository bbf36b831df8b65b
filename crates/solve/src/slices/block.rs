//! Who wins in one block, with everything around it known.
//!
//! One byte for each position of the block, nothing else: the first look decides it or counts its moves inside,
//! and what is decided tells the positions before it until nobody has news. What is left open is drawn.

use crate::error::SolveError;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use tabia_core::{Halves, Levels, Look, Slice, Spot, Verdict, trust};

/// A byte of a position: decided as won or lost.
const WON: u8 = 0x80;
const LOST: u8 = 0x40;
/// Decided by the first look, and not told yet.
const FRESH: u8 = 0x20;
/// The moves inside that are not known to lose; none where a move out of the block draws.
const OPEN: u8 = 0x1F;

/// The places outside a block that its positions lead to; some come more than once.
pub fn outside<G: Levels>(game: &G, group: &[Slice], number: u32, mut ask: impl FnMut(Spot)) {
    let block = game.block(group, number);
    let halves = game.halves(&block);
    for half in 0..halves.count {
        let value = |spot| {
            ask(spot);
            // Nothing is decided by a draw: all moves are looked at.
            Verdict::Draw
        };
        game.look(&block, half, 0..halves.len, value, |_| ());
    }
}

/// Solves one block. `value` answers for all places that are [`outside`]. The values of each half, with where it begins.
pub fn solve_block<G: Levels>(
    game: &G,
    group: &[Slice],
    number: u32,
    value: impl Fn(Spot) -> Option<Verdict>,
) -> Result<Vec<(Spot, Vec<Verdict>)>, SolveError> {
    let solving = Solving::new(game, group, number, value);
    let Halves { count, len, first } = solving.halves;
    let mut states = Vec::new();
    solving.solve(&mut states, &mut Vec::new())?;
    let verdict = |state: &AtomicU8| match state.load(Relaxed) {
        state if state & WON != 0 => Verdict::Win,
        state if state & LOST != 0 => Verdict::Loss,
        _ => Verdict::Draw,
    };
    let half = |half: usize| (first[half], states[half * len..][..len].iter().map(verdict).collect());
    Ok((0..count).map(half).collect())
}

/// A block that is being solved. The states of its positions are kept elsewhere, one half after the other.
pub(super) struct Solving<'a, G: Levels, V> {
    game: &'a G,
    /// What places outside the block are worth.
    value: V,
    block: G::Block,
    pub(super) halves: Halves,
    number: u32,
    /// Whether a move led to a position that nobody knows.
    missing: AtomicBool,
}

impl<'a, G: Levels, V: Fn(Spot) -> Option<Verdict>> Solving<'a, G, V> {
    pub(super) fn new(game: &'a G, group: &[Slice], number: u32, value: V) -> Self {
        let block = game.block(group, number);
        let halves = game.halves(&block);
        Solving { game, value, block, halves, number, missing: AtomicBool::new(false) }
    }

    /// How many positions it has.
    pub(super) fn len(&self) -> usize {
        self.halves.count * self.halves.len
    }

    /// Solves all of it. States and queue are room to work in.
    pub(super) fn solve(&self, states: &mut Vec<AtomicU8>, queue: &mut Vec<u32>) -> Result<(), SolveError> {
        let len = self.len();
        states.resize_with(len, AtomicU8::default);
        self.look(states, 0..len)?;
        self.spread::<false>(states, queue, 0..len, |_| ());
        Ok(())
    }

    /// The halves that a range of positions touches: which, where it begins there, and the range within all.
    pub(super) fn parts(&self, range: Range<usize>) -> impl Iterator<Item = (usize, usize, Range<usize>)> {
        let len = self.halves.len;
        (0..self.halves.count).filter_map(move |half| {
            let (from, to) = (range.start.max(half * len), range.end.min((half + 1) * len));
            (from < to).then(|| (half, from - half * len, from..to))
        })
    }

    /// Looks at the positions of a range for the first time.
    pub(super) fn look(&self, states: &[AtomicU8], range: Range<usize>) -> Result<(), SolveError> {
        for (half, first, range) in self.parts(range) {
            let value = |spot| {
                (self.value)(spot).unwrap_or_else(|| {
                    self.missing.store(true, Relaxed);
                    Verdict::Draw
                })
            };
            let places = first..first + range.len();
            let mut states = states[range].iter();
            self.game.look(&self.block, half, places, value, |look| {
                if let Some(state) = states.next() {
                    state.store(first_state(look), Relaxed);
                }
            });
        }
        self.check()
    }

    fn check(&self) -> Result<(), SolveError> {
        if !self.missing.load(Relaxed) {
            return Ok(());
        }
        let name = self.game.slice_name(self.halves.first[0].slice);
        let what = format!("block {} of {name} leads to positions that are not built yet", self.number);
        Err(trust::contradiction(self.game, what).into())
    }

    /// Tells everybody before the positions of a range that the first look decided, and those before them.
    pub(super) fn spread<const SHARED: bool>(
        &self,
        states: &[AtomicU8],
        queue: &mut Vec<u32>,
        range: Range<usize>,
        mut give: impl FnMut(&mut Vec<u32>),
    ) {
        for start in range {
            let state = states[start].load(Relaxed);
            if state & FRESH != 0 && state & (WON | LOST) != 0 {
                queue.push(start as u32);
                self.tell::<SHARED>(states, queue, &mut give);
            }
        }
    }

    /// Tells everybody before the decided positions of a list, and those before them. Where several threads are at
    /// the block, `give` is shown the list and may take some of it.
    pub(super) fn tell<const SHARED: bool>(
        &self,
        states: &[AtomicU8],
        queue: &mut Vec<u32>,
        give: &mut impl FnMut(&mut Vec<u32>),
    ) {
        let Halves { count, len, .. } = self.halves;
        while let Some(at) = queue.pop() {
            let at = at as usize;
            let half = usize::from(at >= len);
            let before = if count == 2 && half == 0 { len } else { 0 };
            let won = states[at].load(Relaxed) & WON != 0;
            self.game.tell(&self.block, half, at - half * len, |place| {
                let Some(state) = states.get(before + place) else { return };
                if hear::<SHARED>(state, won) {
                    queue.push((before + place) as u32);
                }
            });
            if SHARED {
                give(queue);
            }
        }
    }
}

/// A position hears that one of its moves leads to a position won (or lost) for the other side; whether that
/// decides it.
#[inline]
fn hear<const SHARED: bool>(place: &AtomicU8, won: bool) -> bool {
    let mut state = place.load(Relaxed);
    loop {
        let Some(next) = heard(state, won) else { return false };
        if SHARED {
            if let Err(changed) = place.compare_exchange_weak(state, next, Relaxed, Relaxed) {
                state = changed;
                continue;
            }
        } else {
            place.store(next, Relaxed);
        }
        return next & (WON | LOST) != 0;
    }
}

/// The state after the news; `None` where nothing changes.
#[inline]
fn heard(state: u8, won: bool) -> Option<u8> {
    if state & (WON | LOST | FRESH) != 0 {
        return None;
    }
    match (won, state & OPEN) {
        (false, _) => Some(WON),
        (true, 0) => None,
        (true, 1) => Some(LOST),
        (true, open) => Some(open - 1),
    }
}

fn first_state(look: Look) -> u8 {
    match look {
        Look::Decided(Verdict::Win) => WON | FRESH,
        Look::Decided(Verdict::Loss) => LOST | FRESH,
        Look::Decided(Verdict::Draw) => FRESH,
        Look::Open { safe: true, .. } => 0,
        Look::Open { inside, .. } => inside.min(OPEN),
    }
}
