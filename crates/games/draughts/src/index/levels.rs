//! Endings level by level: kings move inside a block, men from level to level.
//!
//! The men's placement is the high part of a position's number, so all placements of the kings among the same men
//! lie in one piece. A king's step keeps the men; a man's step, and a crowning as well, brings the men one row nearer
//! to being crowned in all. The rows that are left are the level: kings alone come first, and what a move of a man
//! leads to is known, in the same slice or in another one with as many pieces.

use super::OTHER_MEN;
use super::combination::{choose, numbered, spread};
use super::material::{MOST_WEIGHED, Material, Weights};
use super::seen::{Seen, king_number, men_number};
use crate::bits::{step_a, step_b};
use crate::capture::Captures;
use crate::rules::Draughts;
use std::ops::Range;
use std::sync::OnceLock;
use tabia_core::{Halves, Index, Levels, Look, Slice, Spot, Verdict};

/// The rows that are left to all men of a placement together are fewer than this.
const LEVELS: usize = 7 * MOST_WEIGHED as usize + 1;

/// The same men as each side sees them when it is to move.
pub struct Block {
    halves: [Half; 2],
    count: usize,
}

/// The men as one side sees them, and the kings to be placed among them.
#[derive(Clone, Copy)]
struct Half {
    slice: Slice,
    men_number: u32,
    own_men: u32,
    other_men: u32,
    own_kings: u32,
    other_kings: u32,
    weights: &'static Weights,
}

impl Half {
    fn new(material: Material, slice: Slice, own_men: u32, other_men: u32) -> Half {
        let weights = Material::weighed(slice);
        Half {
            slice,
            men_number: men_number(own_men, other_men, weights),
            own_men,
            other_men,
            own_kings: material.own_kings,
            other_kings: material.other_kings,
            weights,
        }
    }

    fn first(&self) -> Spot {
        Spot { slice: self.slice, index: u64::from(self.men_number) * u64::from(self.weights.kings) }
    }

    /// The squares of both sides' kings in the placement with a number.
    #[inline(always)]
    fn kings(&self, at: usize) -> (u32, u32) {
        let (own, other) = (at as u32 / self.weights.other_kings, at as u32 % self.weights.other_kings);
        let left = !(self.own_men | self.other_men);
        let own = spread(combination(self.own_kings, own), left);
        (own, spread(combination(self.other_kings, other), left & !own))
    }

    #[inline(always)]
    fn look(&self, own_kings: u32, other_kings: u32, value: &mut impl FnMut(Spot) -> Verdict) -> Look {
        let (own, other) = (self.own_men | own_kings, self.other_men | other_kings);
        let seen = Seen { own, other, kings: own_kings | other_kings };
        let sides = seen.sides();
        let (mut won, mut draw) = (false, false);
        let mut lead = |next: Seen| {
            if won {
                return;
            }
            match next.spot().map_or(Verdict::Loss, &mut *value) {
                Verdict::Loss => won = true,
                Verdict::Draw => draw = true,
                Verdict::Win => {}
            }
        };
        let captures = Captures::of::<true>(sides);
        if captures.any() {
            captures.follow::<true>(sides, &mut |mv| {
                lead(seen.after(1 << mv.from_index(), 1 << mv.to_index(), mv.captured()));
            });
        } else {
            Seen::each_step(self.own_men, 0, sides.empty, true, |from, to| lead(seen.after(from, to, 0)));
        }
        if won {
            return Look::Decided(Verdict::Win);
        }
        let inside = if captures.any() { 0 } else { steps(own_kings, sides.empty) };
        match (inside, draw) {
            (0, true) => Look::Decided(Verdict::Draw),
            (0, false) => Look::Decided(Verdict::Loss),
            (inside, safe) => Look::Open { inside: inside as u8, safe },
        }
    }
}

/// The steps of kings.
#[inline(always)]
fn steps(kings: u32, empty: u32) -> u32 {
    let to = |set: u32| (set & empty).count_ones();
    to(step_a(true, kings)) + to(step_b(true, kings)) + to(step_a(false, kings)) + to(step_b(false, kings))
}

/// The set of `size` of the lowest squares with a number.
#[inline(always)]
fn combination(size: u32, number: u32) -> u32 {
    static SETS: [OnceLock<Vec<u32>>; MOST_WEIGHED as usize] =
        [const { OnceLock::new() }; MOST_WEIGHED as usize];
    match SETS.get(size as usize) {
        Some(sets) if size <= 6 => {
            let all = || (0..choose(32, size)).map(|number| numbered(number, size, u32::MAX)).collect();
            sets.get_or_init(all).get(number as usize).copied().unwrap_or(0)
        }
        _ => numbered(number.into(), size, u32::MAX),
    }
}

/// The set that comes after one of the same size.
#[inline(always)]
fn next_set(set: u32) -> u32 {
    let lowest = set & set.wrapping_neg();
    let carried = set.wrapping_add(lowest);
    ((set ^ carried) >> 2).checked_div(lowest).map_or(0, |rest| carried | rest)
}

/// The rows that are left to men of the side to move, which plays down the page, until all are crowned.
fn rows_left(men: u32) -> usize {
    (0..8).map(|row| (men >> (4 * row) & 15).count_ones() as usize * (7 - row)).sum()
}

impl Levels for Draughts {
    type Block = Block;

    fn most_pieces(&self) -> u32 {
        MOST_WEIGHED
    }

    fn layers(&self, pieces: u32) -> Vec<Vec<Vec<Slice>>> {
        let mut layers: Vec<(u32, Vec<Vec<Slice>>)> = Vec::new();
        for group in self.slice_groups(pieces.min(MOST_WEIGHED)) {
            let material = group.first().and_then(|slice| Material::of(*slice));
            let Some(pieces) = material.map(Material::pieces) else { continue };
            match layers.last_mut() {
                Some((last, groups)) if *last == pieces => groups.push(group),
                _ => layers.push((pieces, vec![group])),
            }
        }
        layers.into_iter().map(|(_, groups)| groups).collect()
    }

    fn levels(&self, group: &[Slice]) -> Vec<Vec<u32>> {
        let mut levels = vec![Vec::new(); LEVELS];
        let Some(material) = group.first().and_then(|slice| Material::of(*slice)) else { return levels };
        let Some(slice) = material.slice() else { return levels };
        let weights = Material::weighed(slice);
        let mut number = 0;
        material.each_men(|own, others| {
            let (left_to_own, free) = (rows_left(own), OTHER_MEN & !own);
            for placement in 0..others {
                let other = spread(combination(material.other_men, placement), free);
                // A block of a slice that leads to itself is met twice: once is enough.
                let twin = || men_number(other.reverse_bits(), own.reverse_bits(), weights);
                if group.len() != 1 || twin() >= number {
                    levels[left_to_own + rows_left(other.reverse_bits())].push(number);
                }
                number += 1;
            }
        });
        while levels.last().is_some_and(Vec::is_empty) {
            levels.pop();
        }
        levels
    }

    fn block(&self, group: &[Slice], number: u32) -> Block {
        let slice = group.first().copied().unwrap_or(Slice(0));
        let material = Material::of(slice).unwrap_or(Material {
            own_men: 0,
            own_kings: 0,
            other_men: 0,
            other_kings: 0,
        });
        let kings = u64::from(Material::weighed(slice).kings);
        let seen =
            material.position(u64::from(number) * kings).unwrap_or(Seen { own: 0, other: 0, kings: 0 });
        let (own, other) = (seen.own & !seen.kings, seen.other & !seen.kings);
        let first = Half::new(material, slice, own, other);
        let turned = group.last().copied().unwrap_or(slice);
        let second = Half::new(material.turned(), turned, other.reverse_bits(), own.reverse_bits());
        let count = if first.first() == second.first() { 1 } else { 2 };
        Block { halves: [first, second], count }
    }

    fn halves(&self, block: &Block) -> Halves {
        let [first, second] = &block.halves;
        Halves {
            first: [first.first(), second.first()],
            count: block.count,
            len: first.weights.kings as usize,
        }
    }

    fn look(
        &self,
        block: &Block,
        half: usize,
        places: Range<usize>,
        mut value: impl FnMut(Spot) -> Verdict,
        mut each: impl FnMut(Look),
    ) {
        let half = &block.halves[half & 1];
        let left = !(half.own_men | half.other_men);
        let ways_of_other = half.weights.other_kings as usize;
        let mut at = places.start;
        while at < places.end {
            let (own, first) = (at / ways_of_other, at % ways_of_other);
            let own_kings = spread(combination(half.own_kings, own as u32), left);
            let mut other_set = combination(half.other_kings, first as u32);
            let row = (ways_of_other - first).min(places.end - at);
            for _ in 0..row {
                each(half.look(own_kings, spread(other_set, left & !own_kings), &mut value));
                other_set = next_set(other_set);
            }
            at += row;
        }
    }

    fn tell(&self, block: &Block, half: usize, at: usize, mut each: impl FnMut(usize)) {
        let (here, there) = (&block.halves[half & 1], &block.halves[half & 1 ^ 1]);
        let (own_kings, other_kings) = here.kings(at);
        let empty = !(here.own_men | here.other_men | own_kings | other_kings);
        let left = !(there.own_men | there.other_men);
        let turned_own = own_kings.reverse_bits();
        Seen::each_step(0, other_kings, empty, true, |to, from| {
            let before = (other_kings ^ to ^ from).reverse_bits();
            each(king_number(before, turned_own, left, there.weights.other_kings) as usize);
        });
    }
}
