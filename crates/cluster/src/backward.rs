//! From the ends of the game backwards, along the edges that the exploration has kept.
//!
//! Step by step: the positions decided in `n` plies tell those they can be reached from, which are thereby decided in
//! `n + 1`, or have one child less to hope for. What nobody decides is a draw.
//!
//! Where memory is short, values are in files. What is told waits for the end of the step, shard by shard, in files when it
//! is too much; then each shard is brought in turn, hears all of it, and is put back.

use crate::codec::{put_key, shorts};
use crate::edges::{Edges, Source};
use crate::error::ClusterError;
use crate::holding::{Kept, broken, bytes_of_shorts};
use crate::level::Section;
use crate::net::{Outbox, Phase, Words};
use crate::shard::places;
use tabia_core::Packed;
use tabia_solve::{SolveError, code};

/// Positions that tell others before the worker looks at what has come.
const PIECE: usize = 2048;

/// Bytes that may wait for the end of a step however little memory there is: less would be one file after the other.
const LEAST_ROOM: usize = 1 << 20;

/// A shard on the way back.
struct Back {
    number: usize,
    edges: Edges,
    /// Keys in the order of the numbers, the codes, and how many children are not yet known to be bad.
    kept: Kept,
    /// Decided in the last step, and in this one. Where values are in files, the first is there while they are.
    decided: Vec<u32>,
    next: Vec<u32>,
    /// How many were decided in the last step.
    count: usize,
    /// What was told in this step, where values are in files, and whether there is more in a file.
    told: Vec<u8>,
    spilled: bool,
}

impl Back {
    /// Brings values and edges for telling, if they are not here.
    fn bring(&mut self, plies: u16) -> Result<(), ClusterError> {
        if let Some(pages) = &self.kept.pages {
            self.edges.put_bytes(pages.read("graph")?);
            self.kept.bring_values()?;
            self.find_decided(plies);
        }
        Ok(())
    }

    fn put_away(&mut self) -> Result<(), ClusterError> {
        if self.kept.pages.is_some() {
            drop(self.edges.take_bytes());
            self.decided = Vec::new();
        }
        self.kept.put_values_back(false)
    }

    /// Lists what was decided in so many plies.
    fn find_decided(&mut self, plies: u16) {
        let now = |(_, code): &(u32, &u16)| **code != code::DRAW && code::distance(**code) == plies;
        self.decided = (0..).zip(&self.kept.codes).filter(now).map(|(number, _)| number).collect();
        self.count = self.decided.len();
    }

    /// A position hears of a child of it, which was decided one ply before; `None` where there is no such position.
    #[inline]
    fn hear(&mut self, message: Source, plies: u16) -> Option<()> {
        let number = message.number() as usize;
        let (code, left) = (self.kept.codes.get_mut(number)?, self.kept.degrees.get_mut(number)?);
        if message.flag() {
            // It is lost when its last child is known to be bad.
            *left = left.checked_sub(1)?;
            if *left != 0 {
                return Some(());
            }
        }
        if *code == code::DRAW {
            *code = if message.flag() { code::loss(plies) } else { code::win(plies) };
            self.next.push(message.number());
        }
        Some(())
    }

    /// Puts what was told into a file.
    fn spill(&mut self) -> Result<(), ClusterError> {
        if let Some(pages) = &self.kept.pages {
            pages.append("told", &std::mem::take(&mut self.told))?;
            self.spilled = true;
        }
        Ok(())
    }

    /// The step is over: what was told is heard, where that has waited.
    fn turn(&mut self, plies: u16) -> Result<(), ClusterError> {
        let Some(pages) = self.kept.pages.clone() else {
            self.decided = std::mem::take(&mut self.next);
            self.decided.sort_unstable();
            self.count = self.decided.len();
            return Ok(());
        };
        let mut told = if self.spilled { pages.read("told")? } else { Vec::new() };
        pages.remove("told")?;
        told.append(&mut std::mem::take(&mut self.told));
        (self.spilled, self.count) = (false, 0);
        if told.is_empty() {
            return Ok(());
        }
        self.kept.bring_values()?;
        let mut rest = &told[..];
        while !rest.is_empty() {
            let heard = Source::take(&mut rest).and_then(|message| self.hear(message, plies));
            heard.ok_or_else(|| pages.damaged("told"))?;
        }
        self.count = std::mem::take(&mut self.next).len();
        self.kept.put_values_back(true)
    }
}

/// A worker's part of the way back.
pub(crate) struct Backward {
    /// For each shard its owner and its place there.
    places: Vec<(usize, usize)>,
    shards: Vec<Back>,
    plies: u16,
    at: (usize, usize),
    pub(crate) edges: u64,
    /// Whether this worker finds it time to keep the values, which all hear at the end of a step.
    pub(crate) due: bool,
    /// Bytes that may wait in memory for the end of a step, and those that do.
    room: usize,
    waiting: usize,
}

impl Backward {
    /// Turns what was explored round.
    pub(crate) fn new(
        explored: Vec<Kept>,
        memory: Option<u64>,
        workers: usize,
    ) -> Result<Self, ClusterError> {
        let mut edges = 0;
        let room = memory.map_or(usize::MAX, |memory| LEAST_ROOM.max((memory / 4) as usize));
        let mut turn = |mut kept: Kept| {
            let mut packed = kept.all_edges()?;
            edges += packed.count() as u64;
            kept.edges = Vec::new();
            if let Some(pages) = &kept.pages {
                pages.remove("edges")?;
                pages.write("graph", &packed.take_bytes())?;
            }
            kept.bring_values()?;
            let (decided, next, told) = (Vec::new(), Vec::new(), Vec::new());
            let number = kept.number;
            let mut back =
                Back { number, edges: packed, kept, decided, next, count: 0, told, spilled: false };
            back.find_decided(0);
            back.put_away()?;
            Ok(back)
        };
        let shards = explored.into_iter().map(&mut turn).collect::<Result<_, ClusterError>>()?;
        let places = places(workers);
        Ok(Backward { places, shards, plies: 0, at: (0, 0), edges, due: false, room, waiting: 0 })
    }

    /// How far the way back has come.
    pub(crate) fn plies(&self) -> u16 {
        self.plies
    }

    /// Positions that were decided last.
    fn decided(&self) -> u64 {
        self.shards.iter().map(|shard| shard.count as u64).sum()
    }

    /// The step is over: what was decided in it tells others in the next.
    pub(crate) fn turn(&mut self) -> Result<(), ClusterError> {
        self.plies += 1;
        if self.plies >= code::LONGEST {
            return Err(SolveError::TooLong.into());
        }
        (self.at, self.waiting) = ((0, 0), 0);
        self.shards.iter_mut().try_for_each(|shard| shard.turn(self.plies))
    }

    /// The values so far, as they stand in a file.
    pub(crate) fn sections(&mut self, part: usize, parts: usize) -> Result<Vec<Section>, ClusterError> {
        let section = |shard: &mut Back| {
            shard.kept.bring_values()?;
            let section = Section {
                shard: shard.number,
                codes: bytes_of_shorts(&shard.kept.codes),
                degrees: bytes_of_shorts(&shard.kept.degrees),
                ..Section::default()
            };
            shard.kept.put_values_back(false)?;
            Ok(section)
        };
        self.shards.iter_mut().skip(part).step_by(parts).map(section).collect()
    }

    /// Takes over the values after a step; `false` where they are those of other positions.
    pub(crate) fn load(&mut self, plies: u16, section: &Section) -> Result<bool, ClusterError> {
        self.plies = plies;
        let Some(&(_, slot)) = self.places.get(section.shard) else { return Ok(false) };
        let Some(shard) = self.shards.get_mut(slot).filter(|shard| shard.number == section.shard) else {
            return Ok(false);
        };
        let (codes, left) = (shorts(&section.codes), shorts(&section.degrees));
        shard.kept.bring_values()?;
        if codes.len() != shard.kept.codes.len() || left.len() != shard.kept.degrees.len() {
            return Ok(false);
        }
        (shard.kept.codes, shard.kept.degrees) = (codes, left);
        shard.find_decided(plies);
        shard.kept.put_values_back(true)?;
        shard.put_away()?;
        Ok(true)
    }

    /// Shows the values of all positions.
    pub(crate) fn codes(&mut self, each: &mut dyn FnMut(u16)) -> Result<(), ClusterError> {
        for shard in &mut self.shards {
            shard.kept.bring_values()?;
            shard.kept.codes.iter().for_each(|code| each(*code));
            shard.kept.put_values_back(false)?;
        }
        Ok(())
    }

    /// Some keys, about one of so many.
    pub(crate) fn sample<P: Packed>(&self, stride: usize) -> Result<Vec<P>, ClusterError> {
        let mut sample = Vec::new();
        for shard in &self.shards {
            let levels: Vec<Vec<P>> = shard.kept.all_levels()?;
            sample.extend(levels.iter().flatten().skip(shard.number % stride).step_by(stride));
        }
        Ok(sample)
    }

    /// Shows the positions of a shard from one key on and before another, with their values.
    fn range<P: Packed>(
        &mut self,
        slot: usize,
        from: Option<&P>,
        to: Option<&P>,
        mut put: impl FnMut(&P, u16),
    ) -> Result<(), ClusterError> {
        let Some(shard) = self.shards.get_mut(slot) else { return Ok(()) };
        shard.kept.bring_values()?;
        let mut first = 0;
        for level in shard.kept.all_levels::<P>()? {
            let begin = from.map_or(0, |from| level.partition_point(|key| key < from));
            let end = to.map_or(level.len(), |to| level.partition_point(|key| key < to));
            let codes = shard.kept.codes.get(first + begin..).unwrap_or_default();
            for (key, code) in level.get(begin..end).unwrap_or_default().iter().zip(codes) {
                put(key, *code);
            }
            first += level.len();
        }
        shard.kept.put_values_back(false)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let shard = |shard: &Back| {
            let keys: usize = shard.kept.levels.iter().map(Vec::capacity).sum();
            let codes = 2 * (shard.kept.codes.capacity() + shard.kept.degrees.capacity());
            let lists = 4 * (shard.decided.capacity() + shard.next.capacity());
            (keys + codes + lists + shard.told.capacity() + shard.edges.memory()) as u64
        };
        self.shards.iter().map(shard).sum()
    }

    fn told(&mut self, mut records: &[u8]) -> Option<()> {
        let plies = self.plies + 1;
        while !records.is_empty() {
            let before = records;
            let message = Source::take(&mut records)?;
            let slot = self.places[message.shard()].1;
            let shard = self.shards.get_mut(slot).filter(|shard| shard.number == message.shard())?;
            if shard.kept.pages.is_none() {
                shard.hear(message, plies)?;
                continue;
            }
            let bytes = before.get(..before.len() - records.len())?;
            shard.told.extend_from_slice(bytes);
            self.waiting += bytes.len();
        }
        Some(())
    }
}

impl Phase for Backward {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let mut left = PIECE;
        while let Some(shard) = self.shards.get_mut(self.at.0) {
            if self.at.1 == 0 && shard.count > 0 {
                shard.bring(self.plies)?;
            }
            let shard = &*shard;
            let piece = shard.decided.get(self.at.1..).unwrap_or_default();
            let piece = piece.get(..left).unwrap_or(piece);
            for &child in piece {
                let lost = shard.kept.codes.get(child as usize).is_some_and(|code| code::is_loss(*code));
                let told = shard.edges.sources(child, |source| {
                    let message = Source::new(source.shard(), source.number(), lost == source.flag());
                    out.record(self.places[source.shard()].0, |buffer| message.put(buffer));
                });
                told.ok_or_else(broken)?;
            }
            self.at.1 += piece.len();
            left -= piece.len();
            if self.at.1 < shard.decided.len() {
                return Ok(true);
            }
            if let Some(shard) = self.shards.get_mut(self.at.0) {
                shard.put_away()?;
            }
            self.at = (self.at.0 + 1, 0);
        }
        Ok(false)
    }

    fn words(&self) -> Words {
        [self.decided(), u64::from(self.due), 0, 0]
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        let message = || "a position that is not there".to_owned();
        self.told(records).ok_or_else(|| ClusterError::Garbled { worker: from, message: message() })?;
        if self.waiting > self.room {
            self.waiting = 0;
            self.shards.iter_mut().try_for_each(Back::spill)?;
        }
        Ok(())
    }
}

/// Sends entries to the worker that writes the table.
pub(crate) struct Range<'a, P> {
    pub(crate) part: &'a mut Backward,
    pub(crate) from: Option<P>,
    pub(crate) to: Option<P>,
    /// The next shard.
    pub(crate) at: usize,
    pub(crate) collected: Vec<(P, u16)>,
}

impl<P: Packed> Phase for Range<'_, P> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        self.part.range(self.at, self.from.as_ref(), self.to.as_ref(), |key, code| {
            out.record(0, |buffer| {
                buffer.extend_from_slice(&code.to_le_bytes());
                put_key(buffer, key);
            });
        })?;
        self.at += 1;
        Ok(self.at < self.part.shards.len())
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        while !records.is_empty() {
            let entry = records.split_first_chunk::<2>().and_then(|(code, rest)| {
                records = rest;
                Some((crate::codec::take_key(&mut records)?, u16::from_le_bytes(*code)))
            });
            let message = || "an entry that is none".to_owned();
            let entry = entry.ok_or_else(|| ClusterError::Garbled { worker: from, message: message() })?;
            self.collected.push(entry);
        }
        Ok(())
    }
}
