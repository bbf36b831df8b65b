//! All positions that can be reached, level by level, each in the shard that its key names.
//!
//! A step of the net expands one level: children go to their owners, who put them in order. When the step is over, each
//! shard merges what has come with what it knows; what is new is the next level. Nobody expands a level before all of it
//! is in place.

use crate::codec::{put_key, put_number, take_key, take_number};
use crate::edges::Source;
use crate::error::ClusterError;
use crate::holding::{Kept, Memory, Shard};
use crate::level::Section;
use crate::net::{Outbox, Phase, Words};
use crate::pages::{Pages, Scratch};
use crate::shard::{hash, owned, places, shard_of};
use std::path::Path;
use std::sync::Arc;
use tabia_core::{Game, Packed, trust};
use tabia_solve::code;

/// Positions expanded before the worker looks at what has come.
const PIECE: usize = 1024;

/// What the expansion of a level has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expanded {
    pub(crate) positions: u64,
    pub(crate) finished: u64,
    pub(crate) lowest: u32,
    pub(crate) highest: u32,
}

impl Default for Expanded {
    fn default() -> Self {
        Expanded { positions: 0, finished: 0, lowest: u32::MAX, highest: 0 }
    }
}

impl Expanded {
    /// What all workers have found together.
    pub(crate) fn of_all(said: &[Words]) -> Self {
        said.iter().fold(Expanded::default(), |all, &[positions, finished, lowest, highest]| Expanded {
            positions: all.positions + positions,
            finished: all.finished + finished,
            lowest: all.lowest.min(lowest as u32),
            highest: all.highest.max(highest as u32),
        })
    }
}

/// A worker's part of the exploration.
pub(crate) struct Explorer<G: Game, M: Memory> {
    game: G,
    starts: Vec<G::State>,
    symmetry: bool,
    /// For each shard its owner and its place there.
    places: Vec<(usize, usize)>,
    shards: Vec<Shard<G::Packed, M>>,
    /// The last level is looked at, but not gone beyond.
    last: bool,
    expanded: Expanded,
    /// Where the expansion is: which shard, which position of its level.
    at: (usize, usize),
    moves: Vec<G::Move>,
    children: Vec<(u64, G::Packed, bool)>,
    /// For each worker the source of the last child sent to it.
    sent: Vec<u64>,
    limit: Option<Limit>,
}

/// A worker's part of the exploration, whatever the game: what goes from level to level is the same code for all.
pub(crate) trait Exploration: Phase {
    /// Puts the positions to begin with into place: those of this worker.
    fn begin(&mut self) -> Result<(), ClusterError>;
    /// Takes over a level from a file; levels come in their order. `lowest` is the lowest stratum of the one before.
    fn load(&mut self, section: &Section, lowest: u32) -> Result<(), ClusterError>;
    /// The level that was found last, some shards at a time, as it stands in files.
    fn sections(&self, part: usize, parts: usize) -> Result<Vec<Section>, ClusterError>;
    /// Positions of the level to be expanded.
    fn frontier(&self) -> u64;
    /// All positions so far.
    fn positions(&self) -> u64;
    /// Bytes of memory.
    fn bytes(&self) -> u64;
    /// Bytes that did not fit into memory.
    fn spilled(&self) -> u64;
    /// A level is expanded next, and gone beyond unless it is the last.
    fn expand(&mut self, last: bool);
    /// The level is expanded: what has come is the next one, unless it was the last. The strata are those that were
    /// expanded anywhere.
    fn close(&mut self, lowest: u32, highest: u32) -> Result<(), ClusterError>;
}

/// Memory that may be used, and where to go when that is not enough.
struct Limit {
    memory: u64,
    scratch: Arc<Scratch>,
    /// Whether it was not enough.
    passed: bool,
    /// Bytes that have come since the last look.
    came: u64,
}

impl<G: Game, M: Memory> Explorer<G, M> {
    /// The part of a worker of so many; begins with these positions.
    pub(crate) fn new(game: G, starts: Vec<G::State>, symmetry: bool, (me, workers): (usize, usize)) -> Self {
        Explorer {
            game,
            starts,
            symmetry,
            places: places(workers),
            shards: owned(me, workers).map(Shard::new).collect(),
            last: false,
            expanded: Expanded::default(),
            at: (0, 0),
            moves: Vec::new(),
            children: Vec::new(),
            sent: vec![0; workers],
            limit: None,
        }
    }

    /// No more memory than this; what does not fit goes to a folder.
    pub(crate) fn limit(&mut self, memory: u64, folder: &Path, me: usize) -> Result<(), ClusterError> {
        let scratch = Scratch::new(folder, me)?;
        self.limit = Some(Limit { memory, scratch, passed: false, came: 0 });
        Ok(())
    }

    /// What solving needs of all shards; everything else is dropped.
    pub(crate) fn into_kept(self) -> Vec<Kept> {
        self.shards.into_iter().map(Shard::into_kept).collect()
    }

    /// Bytes of memory that may be used, where that is limited.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.limit.as_ref().map(|limit| limit.memory)
    }

    /// Goes to disk if there is too much in memory. `expanding` is the shard that is being expanded.
    fn keep_within(&mut self, expanding: Option<usize>) -> Result<(), ClusterError> {
        let bytes = self.bytes();
        let Some(limit) = &mut self.limit else { return Ok(()) };
        if bytes <= limit.memory {
            return Ok(());
        }
        if !limit.passed {
            limit.passed = true;
            for (slot, shard) in self.shards.iter_mut().enumerate() {
                let pages = Pages::new(&limit.scratch, shard.number);
                shard.go_to_disk(pages, expanding == Some(slot))?;
            }
        }
        self.shards.iter_mut().try_for_each(Shard::spill)
    }

    fn key(&self, state: &G::State) -> G::Packed {
        if self.symmetry { self.game.pack_canonical(state) } else { self.game.pack(state) }
    }

    /// The shard with a number, which this worker owns.
    fn slot(&self, shard: usize) -> usize {
        self.places[shard].1
    }

    /// The moves that lead to all children, up to symmetry where that is what counts.
    fn list_moves(&mut self, state: &G::State) {
        if self.symmetry {
            self.game.moves_up_to_symmetry(state, &mut self.moves);
        } else {
            self.game.moves(state, &mut self.moves);
        }
    }

    fn look_at(&mut self, slot: usize, at: usize, out: &mut Outbox) -> Result<(), ClusterError> {
        let shard = &self.shards[slot];
        let Some((key, number)) = shard.at(at) else { return Ok(()) };
        let home = shard.number;
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
                self.list_moves(&state);
            }
            self.children_of(&state);
            let degree = self.degree(&state, settled.is_some())?;
            self.expanded.finished += u64::from(settled.is_some());
            self.shards[slot].expanded(value, degree);
        } else {
            self.list_moves(&state);
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
        // A bit for each child so far, nearly always: few have to be compared with all others.
        let mut met = [0u64; 4];
        for &mv in &self.moves {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            // Whether the mover changes is asked before a symmetry may swap the sides.
            let same = self.game.side(&child) == side;
            let key = self.key(&child);
            let child = (hash(key.as_bytes()), key, same);
            let (word, bit) = (&mut met[(child.0 >> 6) as usize % 4], 1 << (child.0 % 64));
            if !(M::SOLVING && *word & bit != 0 && self.children.contains(&child)) {
                *word |= bit;
                self.children.push(child);
            }
        }
    }

    fn send(&mut self, home: usize, number: u32, out: &mut Outbox) {
        let source = (home as u64) << 32 | u64::from(number);
        for (hash, key, same) in &self.children {
            let target = self.places[(hash >> 56) as usize].0;
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
            own.push(key, M::trace(trace));
        }
        Some(())
    }
}

impl<G: Game, M: Memory> Exploration for Explorer<G, M> {
    fn begin(&mut self) -> Result<(), ClusterError> {
        for start in &self.starts {
            let key = self.key(start);
            let shard = shard_of(key.as_bytes());
            let slot = self.slot(shard);
            if let Some(own) = self.shards.get_mut(slot).filter(|own| own.number == shard) {
                own.push(key, M::trace(Source::new(0, u32::MAX, false)));
            }
        }
        self.shards.iter_mut().try_for_each(Shard::begin)
    }

    fn load(&mut self, section: &Section, lowest: u32) -> Result<(), ClusterError> {
        let slot = self.places.get(section.shard).map_or(usize::MAX, |(_, slot)| *slot);
        if let Some(shard) = self.shards.get_mut(slot).filter(|shard| shard.number == section.shard) {
            shard.load(section, lowest)?;
        }
        self.keep_within(None)
    }

    fn sections(&self, part: usize, parts: usize) -> Result<Vec<Section>, ClusterError> {
        self.shards.iter().skip(part).step_by(parts).map(Shard::section).collect()
    }

    fn frontier(&self) -> u64 {
        self.shards.iter().map(|shard| shard.waiting() as u64).sum()
    }

    fn positions(&self) -> u64 {
        self.shards.iter().map(Shard::positions).sum()
    }

    fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| shard.bytes() as u64).sum()
    }

    fn expand(&mut self, last: bool) {
        (self.last, self.at) = (last, (0, 0));
        self.expanded = Expanded { positions: self.frontier(), ..Expanded::default() };
        self.sent.fill(0);
    }

    fn close(&mut self, lowest: u32, highest: u32) -> Result<(), ClusterError> {
        trust::check(&self.game)?;
        if self.last {
            return Ok(());
        }
        for shard in &mut self.shards {
            shard.turn(lowest, highest)?;
        }
        self.keep_within(None)
    }

    fn spilled(&self) -> u64 {
        self.limit.as_ref().map_or(0, |limit| limit.scratch.written())
    }
}

impl<G: Game, M: Memory> Phase for Explorer<G, M> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let mut left = PIECE;
        while let Some(shard) = self.shards.get_mut(self.at.0) {
            let len = shard.waiting();
            if self.at.1 == 0 {
                shard.bring_frontier()?;
            }
            while self.at.1 < len {
                if left == 0 {
                    trust::check(&self.game)?;
                    return Ok(true);
                }
                self.look_at(self.at.0, self.at.1, out)?;
                self.at.1 += 1;
                left -= 1;
            }
            self.shards[self.at.0].put_frontier_away()?;
            self.at = (self.at.0 + 1, 0);
        }
        Ok(false)
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        let message = || "a child that does not belong here".to_owned();
        self.receive(records).ok_or_else(|| ClusterError::Garbled { worker: from, message: message() })?;
        // All is counted again when an eighth of the memory may be full of what has come.
        let grown = (records.len() * size_of::<(G::Packed, M::Trace)>() / size_of::<G::Packed>()) as u64;
        let due = self.limit.as_mut().is_some_and(|limit| {
            limit.came += grown;
            limit.came > limit.memory / 8
        });
        if due {
            self.limit.iter_mut().for_each(|limit| limit.came = 0);
            self.keep_within(Some(self.at.0))?;
        }
        Ok(())
    }

    fn prepare(&mut self) -> bool {
        self.shards.iter_mut().any(Shard::sort_some)
    }

    fn words(&self) -> Words {
        let Expanded { positions, finished, lowest, highest } = self.expanded;
        [positions, finished, lowest.into(), highest.into()]
    }
}
