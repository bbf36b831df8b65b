//! Laws of endings that are solved level by level: every position in one block, every move inside it or to something
//! earlier, and the same moves as the index has.

use super::{Effort, Verdict, law};
use std::collections::HashMap;
use tabia_core::{Halves, Levels, Look, Present, Slice, SplitMix64, Spot, Successor, Value, Verdict as Who};

/// The first law of levels that fails, if one does. In every group as many positions are drawn as `games` times `plies` say.
pub fn levels_verdict<G: Present + Levels>(game: &G, pieces: u32, effort: Effort) -> Verdict {
    let layers = game.layers(pieces);
    let same = layers.concat() == game.slice_groups(pieces);
    law("layers are all groups in their order", same, || format!("{pieces} pieces"))?;
    let mut places = Places::default();
    for (layer, groups) in layers.iter().enumerate() {
        for group in groups {
            places.add(game, layer, group)?;
        }
    }
    let mut rng = SplitMix64::new(effort.seed);
    for group in layers.iter().flatten() {
        let blocks: Vec<u32> = game.levels(group).concat();
        for _ in 0..u64::from(effort.games) * u64::from(effort.plies) {
            let number = blocks[rng.below(blocks.len() as u64) as usize];
            let block = game.block(group, number);
            let halves = game.halves(&block);
            let half = rng.below(halves.count as u64) as usize;
            let at = rng.below(halves.len as u64) as usize;
            let inside = Inside { game, block: &block, halves };
            inside.looks(half, at, &places)?;
            inside.tells(half, at)?;
        }
    }
    Ok(())
}

/// Where each half of a block begins, and in which layer, group and level it is.
#[derive(Default)]
struct Places {
    slices: HashMap<Slice, Vec<Part>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    first: u64,
    layer: usize,
    level: usize,
}

impl Places {
    /// Adds a group: the halves of its blocks lie one after the other in its slices, and fill them.
    fn add<G: Levels>(&mut self, game: &G, layer: usize, group: &[Slice]) -> Verdict {
        let mut parts: HashMap<Slice, Vec<(Part, u64)>> = HashMap::new();
        for (level, numbers) in game.levels(group).into_iter().enumerate() {
            for number in numbers {
                let Halves { first, count, len } = game.halves(&game.block(group, number));
                for spot in &first[..count.min(2)] {
                    let part = Part { first: spot.index, layer, level };
                    parts.entry(spot.slice).or_default().push((part, len as u64));
                }
            }
        }
        for &slice in group {
            let mut list = parts.remove(&slice).unwrap_or_default();
            list.sort_by_key(|(part, _)| part.first);
            let mut end = 0;
            let gapless =
                list.iter().all(|(part, len)| std::mem::replace(&mut end, part.first + len) == part.first);
            law("every position is in one block", gapless && end == game.slice_len(slice), || {
                game.slice_name(slice)
            })?;
            self.slices.insert(slice, list.into_iter().map(|(part, _)| part).collect());
        }
        law("blocks are of their group", parts.is_empty(), || format!("{group:?}"))
    }

    fn part(&self, spot: Spot) -> Option<Part> {
        let parts = self.slices.get(&spot.slice)?;
        parts.get(parts.partition_point(|part| part.first <= spot.index).checked_sub(1)?).copied()
    }

    /// Whether something is known when a place is looked at.
    fn is_earlier(&self, spot: Spot, than: Spot) -> bool {
        let (Some(spot), Some(than)) = (self.part(spot), self.part(than)) else { return false };
        (spot.layer, spot.level) < (than.layer, than.level)
    }
}

/// A block, and where it is.
struct Inside<'a, G: Levels> {
    game: &'a G,
    block: &'a G::Block,
    halves: Halves,
}

impl<G: Present + Levels> Inside<'_, G> {
    fn spot(&self, half: usize, at: usize) -> Spot {
        let first = self.halves.first[half];
        Spot { index: first.index + at as u64, ..first }
    }

    /// The half in which a move from this one ends.
    fn other(&self, half: usize) -> usize {
        if self.halves.count == 2 { 1 - half } else { 0 }
    }

    /// The number of a place in the half where a move from `half` ends; `None` outside the block.
    fn after(&self, half: usize, spot: Spot) -> Option<usize> {
        let first = self.halves.first[self.other(half)];
        let at = spot.index.checked_sub(first.index).filter(|_| spot.slice == first.slice)?;
        usize::try_from(at).ok().filter(|at| *at < self.halves.len)
    }

    fn look(&self, half: usize, at: usize, mut value: impl FnMut(Spot) -> Who) -> Option<Look> {
        let mut found = None;
        self.game.look(self.block, half, at..at + 1, &mut value, |look| found = Some(look));
        found
    }

    /// The numbers in the other half to which the moves of a position lead, and where the others lead.
    fn moves(&self, half: usize, at: usize) -> (Vec<usize>, Vec<Successor>) {
        let mut all = Vec::new();
        self.game.successors(self.spot(half, at), &mut all);
        let inside = |successor: &Successor| match successor {
            Successor::At(spot) => self.after(half, *spot),
            _ => None,
        };
        (all.iter().filter_map(inside).collect(), all.into_iter().filter(|s| inside(s).is_none()).collect())
    }

    /// A look sees the moves of the index: those inside are counted, those out of the block lead to something earlier.
    fn looks(&self, half: usize, at: usize, places: &Places) -> Verdict {
        let spot = self.spot(half, at);
        let (inside, outside) = self.moves(half, at);
        let name = || format!("number {} of {}", spot.index, self.game.slice_name(spot.slice));
        for successor in &outside {
            let known = match successor {
                Successor::At(next) => places.is_earlier(*next, spot),
                Successor::Over(_) => true,
                Successor::Outside => false,
            };
            law("moves out of a block lead to earlier ones", known, || format!("{}: {successor:?}", name()))?;
        }
        let mut strange = None;
        let found = self.look(half, at, |asked| {
            if !outside.contains(&Successor::At(asked)) {
                strange = Some(asked);
            }
            some_value(asked)
        });
        law("a look asks for what its moves lead to", strange.is_none(), || {
            format!("{}: {strange:?}", name())
        })?;
        let expected = self.expected(spot, inside.len(), &outside);
        law("a look sees the moves of the index", found == Some(expected), || {
            format!("{}: {found:?} for {expected:?}", name())
        })
    }

    fn expected(&self, spot: Spot, inside: usize, outside: &[Successor]) -> Look {
        let value = |successor: &Successor| match successor {
            Successor::At(spot) => some_value(*spot),
            Successor::Over(value) => who(*value),
            Successor::Outside => Who::Draw,
        };
        let values: Vec<Who> = outside.iter().map(value).collect();
        let safe = values.contains(&Who::Draw);
        if values.contains(&Who::Loss) {
            Look::Decided(Who::Win)
        } else if inside > 0 {
            Look::Open { inside: inside as u8, safe }
        } else if safe {
            Look::Decided(Who::Draw)
        } else if outside.is_empty() {
            let over = self.game.position(spot).and_then(|state| {
                let outcome = self.game.outcome(&state)?;
                Some(who(outcome.value_for(self.game.side(&state))))
            });
            Look::Decided(over.unwrap_or(Who::Draw))
        } else {
            Look::Decided(Who::Loss)
        }
    }

    /// Moves inside the block are found from both of their ends, equally often.
    fn tells(&self, half: usize, at: usize) -> Verdict {
        let mut edges = Vec::new();
        // From here, where nothing is decided yet.
        let open = |half, at| matches!(self.look(half, at, |_| Who::Win), Some(Look::Open { .. }));
        if open(half, at) {
            edges.extend(self.moves(half, at).0.into_iter().map(|to| (half, at, to)));
        }
        // And to here.
        let before = self.other(half);
        self.game.tell(self.block, half, at, |from| edges.push((before, from, at)));
        for (half, from, to) in edges {
            if !open(half, from) {
                continue;
            }
            let forth = self.moves(half, from).0.into_iter().filter(|next| *next == to).count();
            let mut back = 0;
            self.game.tell(self.block, self.other(half), to, |place| back += usize::from(place == from));
            law("moves inside a block are found from both ends equally often", forth == back, || {
                let (from, to) = (self.spot(half, from), self.spot(self.other(half), to));
                format!("{from:?} to {to:?}: {forth} forwards, {back} backwards")
            })?;
        }
        Ok(())
    }
}

/// A value that nobody can guess.
fn some_value(spot: Spot) -> Who {
    [Who::Draw, Who::Loss, Who::Win, Who::Win]
        [(SplitMix64::new(spot.index ^ u64::from(spot.slice.0) << 40).next() % 4) as usize]
}

fn who(value: Value) -> Who {
    match value {
        Value::Win(_) => Who::Win,
        Value::Loss(_) => Who::Loss,
        Value::Draw | Value::Unknown => Who::Draw,
    }
}
