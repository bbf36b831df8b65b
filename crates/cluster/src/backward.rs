//! From the ends of the game backwards, along the edges that the exploration has kept.
//!
//! Step by step: the positions decided in `n` plies tell those they can be reached from, which are thereby decided in
//! `n + 1`, or have one child less to hope for. What nobody decides is a draw.

use crate::codec::{put_key, shorts};
use crate::edges::{Edges, Source};
use crate::error::ClusterError;
use crate::explore::{Explorer, Shard, Solving};
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
    /// The keys of each level, in order; numbers go through all levels.
    levels: Vec<Vec<P>>,
    edges: Edges,
    codes: Vec<u16>,
    /// Children not yet known to be bad.
    left: Vec<u16>,
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
            let kept = shard.into_kept();
            let mut list = Vec::new();
            let unpacked = kept.edges.iter().try_for_each(|bytes| Edges::unpack(bytes, &mut list));
            unpacked.ok_or_else(broken)?;
            edges += list.len() as u64;
            let decided = |(_, code): &(u32, &u16)| **code != code::DRAW;
            let decided = (0..).zip(&kept.codes).filter(decided).map(|(number, _)| number).collect();
            Ok(Back {
                number: kept.number,
                levels: kept.levels,
                edges: Edges::pack(&mut list),
                codes: kept.codes,
                left: kept.degrees,
                decided,
                next: Vec::new(),
            })
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
    pub(crate) fn sections(&self) -> Vec<Section> {
        let bytes = |list: &[u16]| list.iter().flat_map(|number| number.to_le_bytes()).collect();
        let section = |shard: &Back<P>| Section {
            shard: shard.number,
            codes: bytes(&shard.codes),
            degrees: bytes(&shard.left),
            ..Section::default()
        };
        self.shards.iter().map(section).collect()
    }

    /// Takes over the values after a step.
    pub(crate) fn load(&mut self, plies: u16, section: &Section) -> Option<()> {
        self.plies = plies;
        let shard = self.shards.get_mut(section.shard / self.workers)?;
        let (codes, left) = (shorts(&section.codes), shorts(&section.degrees));
        if shard.number != section.shard || codes.len() != shard.codes.len() || left.len() != shard.left.len() {
            return None;
        }
        let now = |(_, code): &(u32, &u16)| **code != code::DRAW && code::distance(**code) == plies;
        shard.decided = (0..).zip(&codes).filter(now).map(|(number, _)| number).collect();
        (shard.codes, shard.left) = (codes, left);
        Some(())
    }

    /// All positions with their values.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&P, u16)> {
        self.shards.iter().flat_map(|shard| shard.levels.iter().flatten().zip(shard.codes.iter().copied()))
    }

    /// Sends the positions from one key on and before another, with their values.
    pub(crate) fn put_range(&self, from: Option<&P>, to: Option<&P>, mut put: impl FnMut(&P, u16)) {
        for shard in &self.shards {
            let mut first = 0;
            for level in &shard.levels {
                let begin = from.map_or(0, |from| level.partition_point(|key| key < from));
                let end = to.map_or(level.len(), |to| level.partition_point(|key| key < to));
                for at in begin..end {
                    put(&level[at], shard.codes[first + at]);
                }
                first += level.len();
            }
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let shard = |shard: &Back<P>| {
            let keys: usize = shard.levels.iter().map(Vec::capacity).sum();
            let codes = 2 * (shard.codes.capacity() + shard.left.capacity());
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
            let (code, left) = (shard.codes.get_mut(number)?, shard.left.get_mut(number)?);
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
        let Some(shard) = self.shards.get(self.at.0) else { return Ok(false) };
        let piece = shard.decided.get(self.at.1..).unwrap_or_default();
        let piece = piece.get(..PIECE).unwrap_or(piece);
        let told = shard.edges.sources(piece, |place, source| {
            let code = piece.get(place).and_then(|number| shard.codes.get(*number as usize));
            let lost = code.is_some_and(|code| code::is_loss(*code) == source.flag());
            let message = Source::new(source.shard(), source.number(), lost);
            out.record(owner(source.shard(), self.workers), |buffer| message.put(buffer));
        });
        told.ok_or_else(broken)?;
        self.at.1 += piece.len();
        if self.at.1 >= shard.decided.len() {
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
    pub(crate) collected: Vec<(P, u16)>,
}

impl<P: Packed> Phase for Range<'_, P> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        self.part.put_range(self.from.as_ref(), self.to.as_ref(), |key, code| {
            out.record(0, |buffer| {
                buffer.extend_from_slice(&code.to_le_bytes());
                put_key(buffer, key);
            });
        });
        Ok(false)
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
