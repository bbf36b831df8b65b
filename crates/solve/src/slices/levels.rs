//! Who wins, level by level: every block by itself, with everything around it known.
//!
//! One byte for each position of the block, nothing else: the first look decides it or counts its moves inside,
//! and what is decided tells the positions before it until nobody has news. What is left open is drawn. The values of
//! all slices are kept by two bits a position.

use crate::error::SolveError;
use crate::stage::Stage;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use tabia_core::{Halves, Levels, Look, Slice, Spot, Verdict, Work, trust};

/// Beside the lane of the whole build.
const LEVEL_LANE: usize = 1;
/// The blocks that a thread takes at once.
const MOST_AT_ONCE: usize = 256;
/// A block with so many positions in a half is worth sharing out, and in such shares.
const LARGE: usize = 1 << 16;
const SHARE: usize = 1 << 13;
/// A byte of a position: decided as won or lost.
const WON: u8 = 0x80;
const LOST: u8 = 0x40;
/// Decided by the first look, and not told yet.
const FRESH: u8 = 0x20;
/// The moves inside that are not known to lose; none where a move out of the block draws.
const OPEN: u8 = 0x1F;

/// The values of slices by two bits a position, as in files: 0 draw, 1 loss, 2 win.
#[derive(Default)]
pub(super) struct Verdicts {
    slices: FxHashMap<Slice, Vec<AtomicU8>>,
}

impl Verdicts {
    /// Makes room for a slice of so many positions.
    pub(super) fn begin(&mut self, slice: Slice, positions: u64) {
        let bytes = positions.div_ceil(4) as usize;
        self.slices.insert(slice, std::iter::repeat_with(AtomicU8::default).take(bytes).collect());
    }

    /// A slice whose values are known.
    pub(super) fn keep(&mut self, slice: Slice, bytes: Vec<u8>) {
        self.slices.insert(slice, bytes.into_iter().map(AtomicU8::new).collect());
    }

    /// The bytes of a slice.
    pub(super) fn bytes(&self, slice: Slice) -> Vec<u8> {
        let bytes = self.slices.get(&slice).map_or(&[][..], Vec::as_slice);
        bytes.iter().map(|byte| byte.load(Relaxed)).collect()
    }

    #[inline]
    fn get(&self, spot: Spot) -> Option<Verdict> {
        let byte = self.slices.get(&spot.slice)?.get(spot.index as usize / 4)?;
        Some(match byte.load(Relaxed) >> (2 * (spot.index % 4)) & 3 {
            0 => Verdict::Draw,
            1 => Verdict::Loss,
            _ => Verdict::Win,
        })
    }

    /// Writes the values of a half, which were draws. Its first and last byte may belong to a neighbour as well.
    fn write(&self, first: Spot, states: &[AtomicU8]) {
        let Some(bytes) = self.slices.get(&first.slice) else { return };
        let (mut at, mut index) = (0, first.index as usize);
        while at < states.len() {
            let (low, room) = (index % 4, (4 - index % 4).min(states.len() - at));
            let two_bits = |state: &AtomicU8| state.load(Relaxed) >> 6;
            let byte = states[at..at + room].iter().rev().fold(0, |byte, state| byte << 2 | two_bits(state));
            if let Some(place) = bytes.get(index / 4) {
                if room == 4 {
                    place.store(byte, Relaxed);
                } else {
                    place.fetch_or(byte << (2 * low), Relaxed);
                }
            }
            at += room;
            index += room;
        }
    }
}

/// The states of a block's positions, its halves one after the other; and a thread's list of those to be told.
#[derive(Default)]
struct Scratch {
    states: Vec<AtomicU8>,
    queue: Vec<u32>,
}

/// A layer being solved: groups that are independent of each other.
pub(super) struct Layer<'a, G> {
    pub(super) game: &'a G,
    pub(super) verdicts: &'a Verdicts,
}

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
    let states: Vec<AtomicU8> = std::iter::repeat_with(AtomicU8::default).take(count * len).collect();
    solving.look(&states, 0..count * len);
    solving.check(number)?;
    solving.spread::<false>(&states, &mut Vec::new(), 0..count * len);
    let verdict = |state: &AtomicU8| match state.load(Relaxed) {
        state if state & WON != 0 => Verdict::Win,
        state if state & LOST != 0 => Verdict::Loss,
        _ => Verdict::Draw,
    };
    let half = |half: usize| (first[half], states[half * len..][..len].iter().map(verdict).collect());
    Ok((0..count).map(half).collect())
}

/// A block that is being solved.
struct Solving<'a, G: Levels, V> {
    game: &'a G,
    /// What places outside the block are worth.
    value: V,
    block: G::Block,
    halves: Halves,
    /// Whether a move led to a position that nobody knows.
    missing: AtomicBool,
}

impl<G: Levels<Block: Send + Sync>> Layer<'_, G> {
    /// Solves groups for whose slices there is room.
    pub(super) fn solve(&self, groups: &[Vec<Slice>], name: &str, work: &Work<'_>) -> Result<(), SolveError> {
        let levels = self.levels(groups, work)?;
        let deepest = levels.iter().map(Vec::len).max().unwrap_or(0);
        let total = levels.iter().flatten().map(|level| level.len() as u64).sum();
        let (mut stage, mut done) = (Stage::new(work, name.to_owned(), Some(total)).in_lane(LEVEL_LANE), 0);
        for level in 0..deepest {
            let blocks = self.blocks(groups, &levels, level);
            // Few large blocks would leave threads without work: these are shared out themselves.
            let few = work.threads > 1 && blocks.len() < 64 * work.threads;
            let shared = blocks.iter().take_while(|block| few && block.2 >= LARGE).count();
            for &(group, number, _) in &blocks[..shared] {
                self.solve_together(&groups[group], number, work)?;
            }
            let rest = &blocks[shared..];
            let chunk = (rest.len() / (16 * work.threads.max(1))).clamp(1, MOST_AT_ONCE);
            stage.after(done + shared as u64).share(
                rest.len(),
                chunk,
                Scratch::default,
                |scratch, range| {
                    for &(group, number, _) in &rest[range] {
                        self.solve_alone(scratch, &groups[group], number)?;
                    }
                    Ok(trust::check(self.game)?)
                },
            )?;
            done += blocks.len() as u64;
        }
        Ok(())
    }

    /// The levels of each group.
    fn levels(&self, groups: &[Vec<Slice>], work: &Work<'_>) -> Result<Vec<Vec<Vec<u32>>>, SolveError> {
        let stage = Stage::new(work, "levels", Some(groups.len() as u64)).in_lane(LEVEL_LANE);
        let mut found: Vec<(usize, Vec<Vec<u32>>)> = stage
            .share(groups.len(), 1, Vec::new, |found, range| {
                found.extend(range.map(|group| (group, self.game.levels(&groups[group]))));
                Ok(())
            })?
            .concat();
        found.sort_by_key(|(group, _)| *group);
        Ok(found.into_iter().map(|(_, levels)| levels).collect())
    }

    /// The blocks of one level of all groups: group, number and size, the largest first, so that no thread is left
    /// with one at the end.
    fn blocks(
        &self,
        groups: &[Vec<Slice>],
        levels: &[Vec<Vec<u32>>],
        level: usize,
    ) -> Vec<(usize, u32, usize)> {
        let mut blocks = Vec::new();
        for (group, levels) in levels.iter().enumerate() {
            let numbers = levels.get(level).map_or(&[][..], Vec::as_slice);
            let Some(first) = numbers.first() else { continue };
            let size = self.game.halves(&self.game.block(&groups[group], *first)).len;
            blocks.extend(numbers.iter().map(|number| (group, *number, size)));
        }
        blocks.sort_by_key(|(.., size)| std::cmp::Reverse(*size));
        blocks
    }

    fn begin(&self, group: &[Slice], number: u32) -> Solving<'_, G, impl Fn(Spot) -> Option<Verdict>> {
        Solving::new(self.game, group, number, |spot| self.verdicts.get(spot))
    }

    fn write(&self, halves: Halves, states: &[AtomicU8]) {
        for half in 0..halves.count {
            let states = &states[half * halves.len..(half + 1) * halves.len];
            self.verdicts.write(halves.first[half], states);
        }
    }

    /// One thread solves a block.
    fn solve_alone(&self, scratch: &mut Scratch, group: &[Slice], number: u32) -> Result<(), SolveError> {
        let solving = self.begin(group, number);
        let (Scratch { states, queue }, len) = (scratch, solving.halves.count * solving.halves.len);
        states.resize_with(len, AtomicU8::default);
        solving.look(states, 0..len);
        solving.check(number)?;
        solving.spread::<false>(states, queue, 0..len);
        self.write(solving.halves, states);
        Ok(())
    }

    /// All threads solve a block.
    fn solve_together(&self, group: &[Slice], number: u32, work: &Work<'_>) -> Result<(), SolveError> {
        let solving = self.begin(group, number);
        let len = solving.halves.count * solving.halves.len;
        let states: Vec<AtomicU8> = std::iter::repeat_with(AtomicU8::default).take(len).collect();
        let name = format!("a block of {}", self.game.slice_name(solving.halves.first[0].slice));
        let stage = Stage::new(work, name, Some(2 * len as u64)).in_lane(LEVEL_LANE);
        stage.share(
            len,
            SHARE,
            || (),
            |(), range| {
                solving.look(&states, range);
                Ok(trust::check(self.game)?)
            },
        )?;
        solving.check(number)?;
        stage.share(len, SHARE, Vec::new, |queue, range| {
            solving.spread::<true>(&states, queue, range);
            Ok(())
        })?;
        self.write(solving.halves, &states);
        Ok(())
    }
}

impl<'a, G: Levels, V: Fn(Spot) -> Option<Verdict>> Solving<'a, G, V> {
    fn new(game: &'a G, group: &[Slice], number: u32, value: V) -> Self {
        let block = game.block(group, number);
        let halves = game.halves(&block);
        Solving { game, value, block, halves, missing: AtomicBool::new(false) }
    }

    /// Looks at the positions of a range for the first time.
    fn look(&self, states: &[AtomicU8], range: Range<usize>) {
        let (game, len) = (self.game, self.halves.len);
        for half in 0..self.halves.count {
            let (from, to) = (range.start.max(half * len), range.end.min((half + 1) * len));
            if from >= to {
                continue;
            }
            let value = |spot| {
                (self.value)(spot).unwrap_or_else(|| {
                    self.missing.store(true, Relaxed);
                    Verdict::Draw
                })
            };
            let mut places = states[from..to].iter();
            game.look(&self.block, half, from - half * len..to - half * len, value, |look| {
                if let Some(place) = places.next() {
                    place.store(first_state(look), Relaxed);
                }
            });
        }
    }

    fn check(&self, number: u32) -> Result<(), SolveError> {
        if !self.missing.load(Relaxed) {
            return Ok(());
        }
        let name = self.game.slice_name(self.halves.first[0].slice);
        let what = format!("block {number} of {name} leads to positions that are not built yet");
        Err(trust::contradiction(self.game, what).into())
    }

    /// Tells everybody before the positions of a range that the first look decided, and those before them.
    fn spread<const SHARED: bool>(&self, states: &[AtomicU8], queue: &mut Vec<u32>, range: Range<usize>) {
        let Halves { count, len, .. } = self.halves;
        for start in range {
            let state = states[start].load(Relaxed);
            if state & FRESH == 0 || state & (WON | LOST) == 0 {
                continue;
            }
            queue.push(start as u32);
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
