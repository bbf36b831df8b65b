//! All positions that can be reached, level by level, each in the shard that its key names.
//!
//! A step of the net expands one level: children go to their owners, who put them in order. When the step is over, each
//! shard merges what has come with what it knows; what is new is the next level. Nobody expands a level before all of it
//! is in place.

use crate::codec::{keys, put_key, put_number, shorts, take_key, take_number};
use crate::edges::{Edges, Source};
use crate::error::ClusterError;
use crate::level::Section;
use crate::net::{Outbox, Phase};
use crate::runs::{Known, Pending, Run};
use crate::shard::{hash, owned, owner, shard_of};
use tabia_core::{Game, Packed, trust};
use tabia_solve::code;

/// Positions expanded before the worker looks at what has come.
const PIECE: usize = 256;

/// What is remembered of each child and of each position: nothing where positions are counted, where they came from and
/// their numbers where they are solved.
pub(crate) trait Memory: Send + 'static {
    /// What comes with a child.
    type Trace: Copy + Send;
    /// What is known of a position.
    type Number: Copy + Send;
    /// Whether there is anything.
    const SOLVING: bool;
    fn trace(source: Source) -> Self::Trace;
    fn source(trace: Self::Trace) -> [u8; 6];
    fn number(number: u32) -> Self::Number;
    fn get(number: Self::Number) -> u32;
}

/// Positions are counted.
pub(crate) struct Counting;

impl Memory for Counting {
    type Trace = ();
    type Number = ();
    const SOLVING: bool = false;
    fn trace(_: Source) {}
    fn source((): ()) -> [u8; 6] {
        [0; 6]
    }
    fn number(_: u32) {}
    fn get((): ()) -> u32 {
        0
    }
}

/// Positions are solved.
pub(crate) struct Solving;

impl Memory for Solving {
    type Trace = [u8; 6];
    type Number = u32;
    const SOLVING: bool = true;
    fn trace(source: Source) -> [u8; 6] {
        source.to_bytes()
    }
    fn source(trace: [u8; 6]) -> [u8; 6] {
        trace
    }
    fn number(number: u32) -> u32 {
        number
    }
    fn get(number: u32) -> u32 {
        number
    }
}

/// A shard that this worker owns.
pub(crate) struct Shard<P, M: Memory> {
    pub(crate) number: usize,
    known: Known<P, M::Number>,
    pending: Pending<P, M::Trace>,
    /// The level to expand, in the order of the numbers.
    frontier: Vec<P>,
    /// Positions before that level.
    before: u32,
    /// What solving needs of all levels.
    kept: Kept<P>,
}

/// What solving needs of a shard.
pub(crate) struct Kept<P> {
    pub(crate) number: usize,
    /// The keys of each level.
    pub(crate) levels: Vec<Vec<P>>,
    /// The edges that each level found.
    pub(crate) edges: Vec<Vec<u8>>,
    /// The values of what was expanded: known where the game is over.
    pub(crate) codes: Vec<u16>,
    /// The children of each that was expanded.
    pub(crate) degrees: Vec<u16>,
}

/// What the expansion of a level has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expanded {
    pub(crate) finished: u64,
    pub(crate) lowest: u32,
    pub(crate) highest: u32,
}

impl Default for Expanded {
    fn default() -> Self {
        Expanded { finished: 0, lowest: u32::MAX, highest: 0 }
    }
}

/// A worker's part of the exploration.
pub(crate) struct Explorer<G: Game, M: Memory> {
    pub(crate) game: G,
    symmetry: bool,
    workers: usize,
    pub(crate) shards: Vec<Shard<G::Packed, M>>,
    /// The last level is looked at, but not gone beyond.
    last: bool,
    expanded: Expanded,
    /// Where the expansion is: which shard, which position of its level.
    at: (usize, usize),
    moves: Vec<G::Move>,
    children: Vec<(u64, G::Packed, bool)>,
    /// For each worker the source of the last child sent to it.
    sent: Vec<u64>,
}

impl<G: Game, M: Memory> Explorer<G, M> {
    pub(crate) fn new(game: G, symmetry: bool, me: usize, workers: usize) -> Self {
        let shard = |number| Shard {
            number,
            known: Known::new(),
            pending: Pending::new(),
            frontier: Vec::new(),
            before: 0,
            kept: Kept {
                number,
                levels: Vec::new(),
                edges: Vec::new(),
                codes: Vec::new(),
                degrees: Vec::new(),
            },
        };
        Explorer {
            game,
            symmetry,
            workers,
            shards: owned(me, workers).map(shard).collect(),
            last: false,
            expanded: Expanded::default(),
            at: (0, 0),
            moves: Vec::new(),
            children: Vec::new(),
            sent: vec![0; workers],
        }
    }

    pub(crate) fn key(&self, state: &G::State) -> G::Packed {
        if self.symmetry { self.game.pack_canonical(state) } else { self.game.pack(state) }
    }

    /// The shard with a number, which this worker owns.
    fn slot(&self, shard: usize) -> usize {
        shard / self.workers
    }

    /// Puts the positions to begin with into place: those of this worker.
    pub(crate) fn begin(&mut self, starts: &[G::State]) {
        for start in starts {
            let key = self.key(start);
            let shard = shard_of(key.as_bytes());
            let slot = self.slot(shard);
            if let Some(own) = self.shards.get_mut(slot).filter(|own| own.number == shard) {
                own.pending.push(key, M::trace(Source::new(0, u32::MAX, false)));
            }
        }
        for shard in &mut self.shards {
            let mut keys: Vec<_> = shard.pending.take().into_iter().map(|(key, _)| key).collect();
            keys.dedup();
            shard.settle(keys, Vec::new());
        }
    }

    /// Takes over a level from a file; levels come in their order. `lowest` is the lowest stratum of the one before.
    pub(crate) fn load(&mut self, section: &Section, lowest: u32) -> Option<()> {
        let slot = self.slot(section.shard);
        let shard = self.shards.get_mut(slot).filter(|shard| shard.number == section.shard)?;
        shard.leave(lowest);
        shard.kept.codes.extend(shorts(&section.codes));
        shard.kept.degrees.extend(shorts(&section.degrees));
        shard.settle(keys(&section.keys)?, section.edges.clone());
        Some(())
    }

    /// The level that was found last, shard by shard, as it stands in a file.
    pub(crate) fn sections(&self) -> Vec<Section> {
        self.shards.iter().map(Shard::section).collect()
    }

    /// Positions of the level to be expanded.
    pub(crate) fn frontier(&self) -> u64 {
        self.shards.iter().map(|shard| shard.frontier.len() as u64).sum()
    }

    /// All positions so far.
    pub(crate) fn positions(&self) -> u64 {
        self.shards.iter().map(|shard| u64::from(shard.before) + shard.frontier.len() as u64).sum()
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| shard.bytes() as u64).sum()
    }

    /// A level is expanded next, and gone beyond unless it is the last.
    pub(crate) fn expand(&mut self, last: bool) {
        (self.last, self.at, self.expanded) = (last, (0, 0), Expanded::default());
        self.sent.fill(0);
    }

    /// The level is expanded: what has come is the next one. The strata are those that were expanded anywhere.
    pub(crate) fn close(&mut self, lowest: u32, highest: u32) -> Result<(), ClusterError> {
        for shard in &mut self.shards {
            shard.leave(lowest);
            shard.known.forget_above(highest);
            shard.close()?;
        }
        Ok(trust::check(&self.game)?)
    }

    /// What was expanded so far.
    pub(crate) fn expanded(&self) -> Expanded {
        self.expanded
    }

    fn look_at(&mut self, slot: usize, at: usize, out: &mut Outbox) -> Result<(), ClusterError> {
        let shard = &self.shards[slot];
        let Some(key) = shard.frontier.get(at) else { return Ok(()) };
        let (home, number) = (shard.number, shard.before + at as u32);
        let state = trust::unpack(&self.game, key)?;
        if let Some(stratum) = self.game.stratum(&state) {
            self.expanded.lowest = self.expanded.lowest.min(stratum);
            self.expanded.highest = self.expanded.highest.max(stratum);
        } else {
            (self.expanded.lowest, self.expanded.highest) = (0, u32::MAX);
        }
        self.moves.clear();
        if M::SOLVING {
            let settled = self.game.settled(&state);
            let value = settled.map_or(code::DRAW, |end| code::encode(end.value_for(self.game.side(&state))));
            if settled.is_none() {
                self.game.moves(&state, &mut self.moves);
            }
            self.children_of(&state);
            let degree = self.degree(&state, settled.is_some())?;
            self.expanded.finished += u64::from(settled.is_some());
            let kept = &mut self.shards[slot].kept;
            kept.codes.push(value);
            kept.degrees.push(degree);
        } else {
            self.game.moves(&state, &mut self.moves);
            self.expanded.finished += u64::from(self.moves.is_empty());
            if self.last {
                return Ok(());
            }
            self.children_of(&state);
        }
        self.send(home, number, out);
        Ok(())
    }

    fn degree(&self, state: &G::State, over: bool) -> Result<u16, ClusterError> {
        let wrong = |what: &str| trust::contradiction(&self.game, format!("{state:?} {what}"));
        if self.children.is_empty() != over {
            return Err(wrong("has no moves but is not over").into());
        }
        Ok(u16::try_from(self.children.len()).map_err(|_| wrong("has more moves than can be counted"))?)
    }

    /// Lists the children of a position; where it is solved, symmetric ones once.
    fn children_of(&mut self, state: &G::State) {
        self.children.clear();
        let side = self.game.side(state);
        for &mv in &self.moves {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            // Whether the mover changes is asked before a symmetry may swap the sides.
            let same = self.game.side(&child) == side;
            let key = self.key(&child);
            self.children.push((hash(key.as_bytes()), key, same));
        }
        if M::SOLVING {
            self.children.sort_unstable_by_key(|(hash, ..)| *hash);
            self.children.dedup();
        }
    }

    fn send(&mut self, home: usize, number: u32, out: &mut Outbox) {
        let source = (home as u64) << 32 | u64::from(number);
        for (hash, key, same) in &self.children {
            let target = owner((hash >> 56) as usize, self.workers);
            let last = &mut self.sent[target];
            out.record(target, |buffer| {
                if M::SOLVING {
                    // A buffer can be read without those before it.
                    let before = if buffer.is_empty() { 0 } else { *last };
                    put_number(buffer, (source - before) << 1 | u64::from(*same));
                    *last = source;
                }
                put_key(buffer, key);
            });
        }
    }

    fn receive(&mut self, mut records: &[u8]) -> Option<()> {
        let mut source = 0u64;
        while !records.is_empty() {
            let mut trace = Source::new(0, 0, false);
            if M::SOLVING {
                let delta = take_number(&mut records)?;
                source = source.checked_add(delta >> 1)?;
                trace = Source::new((source >> 32) as usize, source as u32, delta & 1 != 0);
            }
            let key: G::Packed = take_key(&mut records)?;
            let shard = shard_of(key.as_bytes());
            let slot = self.slot(shard);
            let own = self.shards.get_mut(slot).filter(|own| own.number == shard)?;
            own.pending.push(key, M::trace(trace));
        }
        Some(())
    }
}

impl<G: Game, M: Memory> Phase for Explorer<G, M> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let mut left = PIECE;
        while let Some(shard) = self.shards.get(self.at.0) {
            let len = shard.frontier.len();
            while self.at.1 < len {
                if left == 0 {
                    trust::check(&self.game)?;
                    return Ok(true);
                }
                self.look_at(self.at.0, self.at.1, out)?;
                self.at.1 += 1;
                left -= 1;
            }
            self.at = (self.at.0 + 1, 0);
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        let message = || "a child that does not belong here".to_owned();
        self.receive(records).ok_or_else(|| ClusterError::Garbled { worker: from, message: message() })
    }
}

impl<P: Packed, M: Memory> Shard<P, M> {
    /// What solving needs; everything else is dropped.
    pub(crate) fn into_kept(self) -> Kept<P> {
        self.kept
    }

    /// The level was expanded: it is only known now.
    fn leave(&mut self, lowest: u32) {
        let keys = std::mem::take(&mut self.frontier);
        let first = self.before;
        self.before += keys.len() as u32;
        if M::SOLVING {
            self.kept.levels.push(keys.clone());
        }
        let values = (first..self.before).map(M::number).collect();
        self.known.add(Run { keys, values, lowest });
    }

    /// Makes a level of what is pending, and edges where they are wanted.
    fn close(&mut self) -> Result<(), ClusterError> {
        let records = self.pending.take();
        let mut keys: Vec<P> = Vec::with_capacity(records.len());
        for (key, _) in &records {
            if keys.last() != Some(key) {
                keys.push(*key);
            }
        }
        let mut numbers = vec![None; keys.len()];
        self.known.find(&keys, |at, number| numbers[at] = Some(M::get(number)));
        let fresh: Vec<P> = keys.iter().zip(&numbers).filter(|(_, n)| n.is_none()).map(|(key, _)| *key).collect();
        if u64::from(self.before) + fresh.len() as u64 >= u64::from(u32::MAX) {
            return Err(tabia_solve::SolveError::TooMany(u64::from(u32::MAX) * crate::shard::SHARDS as u64).into());
        }
        let edges = if M::SOLVING { self.edges(&records, numbers) } else { Vec::new() };
        self.settle(fresh, edges);
        Ok(())
    }

    fn edges(&self, records: &[(P, M::Trace)], mut numbers: Vec<Option<u32>>) -> Vec<u8> {
        let mut next = self.before;
        for number in numbers.iter_mut().filter(|number| number.is_none()) {
            *number = Some(next);
            next += 1;
        }
        let mut list = Vec::with_capacity(records.len());
        for (group, number) in records.chunk_by(|a, b| a.0 == b.0).zip(numbers) {
            let number = number.unwrap_or_default();
            list.extend(group.iter().map(|(_, trace)| (number, M::source(*trace))));
        }
        Edges::pack(&mut list).into_bytes()
    }

    fn settle(&mut self, keys: Vec<P>, edges: Vec<u8>) {
        self.frontier = keys;
        if M::SOLVING {
            self.kept.edges.push(edges);
        }
    }

    fn section(&self) -> Section {
        let mut section = Section { shard: self.number, ..Section::default() };
        self.frontier.iter().for_each(|key| put_key(&mut section.keys, key));
        if M::SOLVING {
            section.edges = self.kept.edges.last().cloned().unwrap_or_default();
            let before = self.kept.levels.last().map_or(0, Vec::len);
            let tail = |list: &[u16]| -> Vec<u8> {
                list[list.len().saturating_sub(before)..].iter().flat_map(|n| n.to_le_bytes()).collect()
            };
            (section.codes, section.degrees) = (tail(&self.kept.codes), tail(&self.kept.degrees));
        }
        section
    }

    fn bytes(&self) -> usize {
        let kept = &self.kept;
        let keys = kept.levels.iter().map(Vec::capacity).sum::<usize>() + self.frontier.capacity();
        let edges = kept.edges.iter().map(Vec::capacity).sum::<usize>();
        let codes = 2 * (kept.codes.capacity() + kept.degrees.capacity());
        self.known.bytes() + self.pending.bytes() + keys * size_of::<P>() + edges + codes
    }
}
