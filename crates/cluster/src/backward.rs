//! From the ends of the game backwards, along the edges that the exploration has kept.
//!
//! Step by step: the positions decided in `n` plies tell those they can be reached from, which are thereby decided in
//! `n + 1`, or have one child less to hope for. What nobody decides is a draw.

use crate::codec::{put_key, shorts};
use crate::edges::{Edges, Source};
use crate::error::ClusterError;
use crate::explore::Explorer;
use crate::holding::{Kept, Shard, Solving};
use crate::level::Section;
use crate::net::{Outbox, Phase};
use crate::shard::owner;
use tabia_core::{Game, Packed};
use tabia_solve::{SolveError, code};

/// Positions that tell others before the worker looks at what has come.
const PIECE: usize = 2048;

/// A shard on the way back.
struct Back<P> {
    number: usize,
    edges: Edges,
    /// Keys in the order of the numbers, the codes, and how many children are not yet known to be bad.
    kept: Kept<P>,
    /// Decided in the last step, and in this one.
    decided: Vec<u32>,
    next: Vec<u32>,
}

/// A worker's part of the way back.
pub(crate) struct Backward<P> {
    workers: usize,
    shards: Vec<Back<P>>,
    plies: u16,
    at: (usize, usize),
    pub(crate) edges: u64,
}

impl<P: Packed> Backward<P> {
    /// Turns what was explored round.
    pub(crate) fn new<G: Game<Packed = P>>(
        explorer: Explorer<G, Solving>,
        workers: usize,
    ) -> Result<Self, ClusterError> {
        let mut edges = 0;
        let mut turn = |shard: Shard<P, Solving>| {
            let mut kept = shard.into_kept();
            let mut list = kept.all_edges()?;
            edges += list.len() as u64;
            kept.edges = Vec::new();
            let mut packed = Edges::pack(&mut list);
            if let Some(pages) = &kept.pages {
                pages.write("graph", &packed.take_bytes())?;
            }
            let decided = |(_, code): &(u32, &u16)| **code != code::DRAW;
            let decided = (0..).zip(&kept.codes).filter(decided).map(|(number, _)| number).collect();
            Ok(Back { number: kept.number, edges: packed, kept, decided, next: Vec::new() })
        };
        let shards = explorer.shards.into_iter().map(&mut turn).collect::<Result<_, ClusterError>>()?;
        Ok(Backward { workers, shards, plies: 0, at: (0, 0), edges })
    }

    /// How far the way back has come.
    pub(crate) fn plies(&self) -> u16 {
        self.plies
    }

    /// Positions that were decided last.
    pub(crate) fn decided(&self) -> u64 {
        self.shards.iter().map(|shard| shard.decided.len() as u64).sum()
    }

    /// The step is over: what was decided in it tells others in the next.
    pub(crate) fn turn(&mut self) -> Result<(), ClusterError> {
        self.plies += 1;
        if self.plies >= code::LONGEST {
            return Err(SolveError::TooLong.into());
        }
        self.at = (0, 0);
        for shard in &mut self.shards {
            shard.decided = std::mem::take(&mut shard.next);
            shard.decided.sort_unstable();
        }
        Ok(())
    }

    /// The values so far, as they stand in a file.
    pub(crate) fn sections(&self, part: usize, parts: usize) -> Vec<Section> {
        let bytes = |list: &[u16]| list.iter().flat_map(|number| number.to_le_bytes()).collect();
        let section = |shard: &Back<P>| Section {
            shard: shard.number,
            codes: bytes(&shard.kept.codes),
            degrees: bytes(&shard.kept.degrees),
            ..Section::default()
        };
        self.shards.iter().skip(part).step_by(parts).map(section).collect()
    }

    /// Takes over the values after a step.
    pub(crate) fn load(&mut self, plies: u16, section: &Section) -> Option<()> {
        self.plies = plies;
        let shard = self.shards.get_mut(section.shard / self.workers)?;
        let (codes, left) = (shorts(&section.codes), shorts(&section.degrees));
        let fits = codes.len() == shard.kept.codes.len() && left.len() == shard.kept.degrees.len();
        if shard.number != section.shard || !fits {
            return None;
        }
        let now = |(_, code): &(u32, &u16)| **code != code::DRAW && code::distance(**code) == plies;
        shard.decided = (0..).zip(&codes).filter(now).map(|(number, _)| number).collect();
        (shard.kept.codes, shard.kept.degrees) = (codes, left);
        Some(())
    }

    /// The values of all positions.
    pub(crate) fn codes(&self) -> impl Iterator<Item = u16> {
        self.shards.iter().flat_map(|shard| shard.kept.codes.iter().copied())
    }

    /// Some keys, about one of so many.
    pub(crate) fn sample(&self, stride: usize) -> Result<Vec<P>, ClusterError> {
        let mut sample = Vec::new();
        for shard in &self.shards {
            let levels = shard.kept.all_levels()?;
            sample.extend(levels.iter().flatten().skip(shard.number % stride).step_by(stride));
        }
        Ok(sample)
    }

    /// Shows the positions of a shard from one key on and before another, with their values.
    fn range(
        &self,
        slot: usize,
        from: Option<&P>,
        to: Option<&P>,
        mut put: impl FnMut(&P, u16),
    ) -> Result<(), ClusterError> {
        let Some(shard) = self.shards.get(slot) else { return Ok(()) };
        let mut first = 0;
        for level in shard.kept.all_levels()? {
            let begin = from.map_or(0, |from| level.partition_point(|key| key < from));
            let end = to.map_or(level.len(), |to| level.partition_point(|key| key < to));
            let codes = shard.kept.codes.get(first + begin..).unwrap_or_default();
            for (key, code) in level.get(begin..end).unwrap_or_default().iter().zip(codes) {
                put(key, *code);
            }
            first += level.len();
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> u64 {
        let shard = |shard: &Back<P>| {
            let keys: usize = shard.kept.levels.iter().map(Vec::capacity).sum();
            let codes = 2 * (shard.kept.codes.capacity() + shard.kept.degrees.capacity());
            let lists = 4 * (shard.decided.capacity() + shard.next.capacity());
            (keys * size_of::<P>() + codes + lists + shard.edges.memory()) as u64
        };
        self.shards.iter().map(shard).sum()
    }

    fn told(&mut self, mut records: &[u8]) -> Option<()> {
        let plies = self.plies + 1;
        while !records.is_empty() {
            let message = Source::take(&mut records)?;
            let shard = self.shards.get_mut(message.shard() / self.workers)?;
            let number = message.number() as usize;
            let kept = &mut shard.kept;
            let (code, left) = (kept.codes.get_mut(number)?, kept.degrees.get_mut(number)?);
            if message.flag() {
                // It is lost when its last child is known to be bad.
                *left = left.checked_sub(1)?;
                if *left != 0 {
                    continue;
                }
            }
            if *code == code::DRAW {
                *code = if message.flag() { code::loss(plies) } else { code::win(plies) };
                shard.next.push(message.number());
            }
        }
        Some(())
    }
}

impl<P: Packed> Phase for Backward<P> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let Some(shard) = self.shards.get_mut(self.at.0) else { return Ok(false) };
        if let Some(pages) = shard.kept.pages.as_ref().filter(|_| self.at.1 == 0 && !shard.decided.is_empty())
        {
            shard.edges.put_bytes(pages.read("graph")?);
        }
        let shard = &*shard;
        let piece = shard.decided.get(self.at.1..).unwrap_or_default();
        let piece = piece.get(..PIECE).unwrap_or(piece);
        let told = shard.edges.sources(piece, |place, source| {
            let code = piece.get(place).and_then(|number| shard.kept.codes.get(*number as usize));
            let lost = code.is_some_and(|code| code::is_loss(*code) == source.flag());
            let message = Source::new(source.shard(), source.number(), lost);
            out.record(owner(source.shard(), self.workers), |buffer| message.put(buffer));
        });
        told.ok_or_else(broken)?;
        self.at.1 += piece.len();
        if self.at.1 >= shard.decided.len() {
            if let Some(shard) = self.shards.get_mut(self.at.0).filter(|shard| shard.kept.pages.is_some()) {
                drop(shard.edges.take_bytes());
            }
            self.at = (self.at.0 + 1, 0);
        }
        Ok(true)
    }

    fn consume(&mut self, from: usize, records: &[u8]) -> Result<(), ClusterError> {
        let message = || "a position that is not there".to_owned();
        self.told(records).ok_or_else(|| ClusterError::Garbled { worker: from, message: message() })
    }
}

fn broken() -> ClusterError {
    ClusterError::Unsupported("the edges in memory are not those that were put there".to_owned())
}

/// Sends entries to the worker that writes the table.
pub(crate) struct Range<'a, P> {
    pub(crate) part: &'a Backward<P>,
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
