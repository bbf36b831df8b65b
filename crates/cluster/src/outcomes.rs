//! Ending tables without distances, level by level: the method of one machine (`tabia_solve::slices`), with messages where
//! that one looks into memory.
//!
//! Blocks of a level are independent of each other: the workers share them out. A worker first asks the homes of all
//! places around its blocks what these are worth, solves the blocks by itself, and brings the values to their homes. So
//! everything is kept by two bits a position, spread over all.

use crate::codec::{put_number, take_bytes, take_number};
use crate::enumerate::task_of;
use crate::error::ClusterError;
use crate::net::{Net, Outbox, Phase};
use crate::owned::{BLOCK, home, part};
use crate::run::Cluster;
use crate::status::{Figure, Gauges};
use crate::tablebase::{Files, build};
use std::collections::HashMap;
use std::path::Path;
use tabia_core::{Levels, Slice, Spot, Stop, Verdict, sort_many_by_key, trust};
use tabia_solve::code;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildReport, outside, solve_block};

/// Positions whose surroundings a worker asks for at once, unless a block has more.
const ROUND: usize = 1 << 16;

/// A block: the place of its group in the layer, its number there, and its positions.
type Block = (usize, u32, usize);

/// Builds who wins with up to so many pieces into a folder of process 0: level by level, or group by group where the game
/// has no levels for so many. Slices that are there already are read.
pub fn build_outcomes<G: Levels>(
    cluster: &Cluster,
    game: &G,
    pieces: u32,
    out: &Path,
    stop: &Stop,
    watch: &mut dyn FnMut(&[Gauges]),
) -> Result<BuildReport, ClusterError> {
    if pieces > game.most_pieces() {
        return build(cluster, game, &game.slice_groups(pieces), Precision::Outcome, out, stop, watch);
    }
    let task = task_of("outcomes", game, &[game.start()]).with("pieces", pieces);
    let (game, out) = (game.clone(), out.to_owned());
    let all = cluster.run(&task, stop, watch, move |net| {
        let files = Files::new(&game, &out, Precision::Outcome);
        let mut builder = Builder { game: &game, files, known: Known::default() };
        for (number, layer) in game.layers(pieces).iter().enumerate() {
            net.gauges().set(Figure::Level, number as u64);
            builder.layer(net, layer)?;
        }
        builder.files.told_to_all(net)
    })?;
    all.into_iter().next().ok_or(ClusterError::Stopped)
}

/// A worker's part of all slices by two bits a position, as in files: 0 draw, 1 loss, 2 win.
#[derive(Default)]
struct Known(HashMap<Slice, Vec<u8>>);

impl Known {
    fn get(&self, slice: Slice, local: usize) -> Option<Verdict> {
        let byte = self.0.get(&slice)?.get(local / 4)?;
        Some(verdict(byte >> (2 * (local % 4)) & 3))
    }

    /// Sets what was a draw.
    fn set(&mut self, slice: Slice, local: usize, bits: u8) -> Option<()> {
        *self.0.get_mut(&slice)?.get_mut(local / 4)? |= bits << (2 * (local % 4));
        Some(())
    }
}

fn verdict(bits: u8) -> Verdict {
    match bits {
        0 => Verdict::Draw,
        1 => Verdict::Loss,
        _ => Verdict::Win,
    }
}

fn garbled(worker: usize) -> ClusterError {
    ClusterError::Garbled { worker, message: "a place of a table that is not there".to_owned() }
}

struct Builder<'a, G> {
    game: &'a G,
    files: Files<'a, G>,
    known: Known,
}

impl<G: Levels> Builder<'_, G> {
    /// Reads or solves the groups of a layer.
    fn layer(&mut self, net: &mut Net<'_>, layer: &[Vec<Slice>]) -> Result<(), ClusterError> {
        let mut missing = Vec::new();
        for group in layer {
            for &slice in group {
                let positions = part(self.game, slice, net.me(), net.workers()).count();
                net.gauges().add(Figure::Positions, positions as u64);
                net.gauges().add(Figure::Memory, positions.div_ceil(4) as u64);
                self.known.0.insert(slice, vec![0; positions.div_ceil(4)]);
            }
            if !self.files.are_there(net, group)? {
                missing.push(group.clone());
                continue;
            }
            for (slice, codes) in self.files.read(net, group)? {
                for (local, code) in codes.into_iter().enumerate() {
                    let bits = u8::from(code::is_win(code)) << 1 | u8::from(code::is_loss(code));
                    self.known.set(slice, local, bits).ok_or_else(|| garbled(0))?;
                }
            }
        }
        let levels: Vec<Vec<Vec<u32>>> = missing.iter().map(|group| self.game.levels(group)).collect();
        for level in 0..levels.iter().map(Vec::len).max().unwrap_or(0) {
            self.level(net, &missing, &self.blocks(&missing, &levels, level))?;
        }
        trust::check(self.game)?;
        for &slice in missing.iter().flatten() {
            let positions = part(self.game, slice, net.me(), net.workers()).count();
            let codes: Vec<u16> = (0..positions)
                .map(|local| match self.known.get(slice, local) {
                    Some(Verdict::Win) => code::win(0),
                    Some(Verdict::Loss) => code::loss(0),
                    _ => code::DRAW,
                })
                .collect();
            self.files.write(net, slice, &codes)?;
        }
        Ok(())
    }

    /// The blocks of one level of all groups, the largest first, so that all workers get some of them.
    fn blocks(&self, groups: &[Vec<Slice>], levels: &[Vec<Vec<u32>>], level: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (number, (group, levels)) in groups.iter().zip(levels).enumerate() {
            for &block in levels.get(level).into_iter().flatten() {
                let halves = self.game.halves(&self.game.block(group, block));
                blocks.push((number, block, halves.count * halves.len));
            }
        }
        sort_many_by_key(&mut blocks, |(.., size)| std::cmp::Reverse(*size));
        blocks
    }

    fn level(
        &mut self,
        net: &mut Net<'_>,
        groups: &[Vec<Slice>],
        blocks: &[Block],
    ) -> Result<(), ClusterError> {
        let mine: Vec<Block> = blocks.iter().skip(net.me()).step_by(net.workers()).copied().collect();
        let mut rounds: Vec<Vec<Block>> = Vec::new();
        let mut room = 0;
        for block in mine {
            if rounds.is_empty() || block.2 > room {
                rounds.push(Vec::new());
                room = ROUND;
            }
            room = room.saturating_sub(block.2);
            rounds.last_mut().into_iter().for_each(|round| round.push(block));
        }
        let [most] = net.max([rounds.len() as u64])?;
        rounds.resize(most as usize, Vec::new());
        for round in rounds {
            self.round(net, groups, &round)?;
        }
        Ok(())
    }

    fn round(
        &mut self,
        net: &mut Net<'_>,
        groups: &[Vec<Slice>],
        round: &[Block],
    ) -> Result<(), ClusterError> {
        let (game, me, workers) = (self.game, net.me(), net.workers());
        let mut ask = Ask {
            game,
            groups,
            blocks: round.iter(),
            me,
            numbers: HashMap::new(),
            known: &self.known,
            asked: Vec::new(),
        };
        net.step(&mut ask)?;
        let Ask { numbers, asked, .. } = ask;
        let mut tell = Tell { asked, answers: vec![None; numbers.len()] };
        net.step(&mut tell)?;
        let value = |spot: Spot| {
            let (owner, local) = home(spot, workers);
            if owner == me {
                return self.known.get(spot.slice, local);
            }
            numbers.get(&spot).and_then(|number| *tell.answers.get(*number as usize)?)
        };
        let mut solved = Vec::new();
        for &(group, number, _) in round {
            solved.extend(solve_block(game, &groups[group], number, value)?);
        }
        trust::check(game)?;
        net.step(&mut Bring { solved, known: &mut self.known })
    }
}

/// Somebody's question: who, its number there, and the answer.
type Asked = (usize, u64, Verdict);

/// Asks what the places around blocks are worth.
struct Ask<'a, G> {
    game: &'a G,
    groups: &'a [Vec<Slice>],
    blocks: std::slice::Iter<'a, Block>,
    me: usize,
    /// Each place is asked for once.
    numbers: HashMap<Spot, u64>,
    known: &'a Known,
    asked: Vec<Asked>,
}

impl<G: Levels> Phase for Ask<'_, G> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let Some(&(group, number, _)) = self.blocks.next() else { return Ok(false) };
        outside(self.game, &self.groups[group], number, |spot| {
            let (owner, local) = home(spot, out.workers());
            let next = self.numbers.len() as u64;
            if owner == self.me || self.numbers.contains_key(&spot) {
                return;
            }
            self.numbers.insert(spot, next);
            out.record(owner, |buffer| {
                put_number(buffer, spot.slice.0.into());
                put_number(buffer, local as u64);
                put_number(buffer, next);
            });
        });
        Ok(true)
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        let mut question = || {
            let slice = Slice(u32::try_from(take_number(&mut records)?).ok()?);
            let local = take_number(&mut records)? as usize;
            Some((from, take_number(&mut records)?, self.known.get(slice, local)?))
        };
        while let Some(asked) = question() {
            self.asked.push(asked);
        }
        if records.is_empty() { Ok(()) } else { Err(garbled(from)) }
    }
}

/// Tells what was asked.
struct Tell {
    asked: Vec<Asked>,
    answers: Vec<Option<Verdict>>,
}

impl Phase for Tell {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let from = self.asked.len().saturating_sub(1 << 14);
        for (target, number, verdict) in self.asked.drain(from..) {
            out.record(target, |buffer| put_number(buffer, number << 2 | verdict as u64));
        }
        Ok(!self.asked.is_empty())
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        while let Some(word) = take_number(&mut records) {
            let place = self.answers.get_mut((word >> 2) as usize).ok_or_else(|| garbled(from))?;
            *place = Some(verdict((word & 3) as u8));
        }
        if records.is_empty() { Ok(()) } else { Err(garbled(from)) }
    }
}

/// Brings the values of halves of blocks to their homes.
struct Bring<'a> {
    solved: Vec<(Spot, Vec<Verdict>)>,
    known: &'a mut Known,
}

impl Phase for Bring<'_> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let Some((first, verdicts)) = self.solved.pop() else { return Ok(false) };
        let (mut at, mut index) = (0, first.index);
        while at < verdicts.len() {
            // What stays together has one home.
            let count = (verdicts.len() - at).min((BLOCK - index % BLOCK) as usize);
            let (owner, local) = home(Spot { slice: first.slice, index }, out.workers());
            out.record(owner, |buffer| {
                put_number(buffer, first.slice.0.into());
                put_number(buffer, local as u64);
                put_number(buffer, count as u64);
                let four = |four: &[Verdict]| four.iter().rev().fold(0, |byte, bits| byte << 2 | *bits as u8);
                buffer.extend(verdicts[at..at + count].chunks(4).map(four));
            });
            at += count;
            index += count as u64;
        }
        Ok(true)
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        let mut piece = || {
            let slice = Slice(u32::try_from(take_number(&mut records)?).ok()?);
            let local = take_number(&mut records)? as usize;
            let count = take_number(&mut records)?;
            let bytes = take_bytes(&mut records, count.div_ceil(4))?;
            for place in 0..count as usize {
                self.known.set(slice, local + place, bytes[place / 4] >> (2 * (place % 4)) & 3)?;
            }
            Some(())
        };
        while piece().is_some() {}
        if records.is_empty() { Ok(()) } else { Err(garbled(from)) }
    }
}
