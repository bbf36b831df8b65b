//! Classes of positions under symmetry, counted without looking at each: Burnside's lemma.
//!
//! A set that is closed under a group falls into as many classes as its elements keep positions in
//! place on average. Positions that a symmetry keeps are rare (2^20 of 2^33 on the English board
//! for a mirror), so they are listed once, and looked up in every level.

use crate::solver::layout::{Base, Layout};
use crate::solver::sectors::Sectors;
use crate::symmetry::Group;
use tabia_core::Symmetry;

/// The positions of a class that symmetries keep in place.
pub(crate) struct Burnside {
    order: u64,
    /// By number of pegs: place, and how many elements of the group keep it (conjugates together).
    kept: Vec<Vec<(u32, u32)>>,
}

impl Burnside {
    /// Lists what the elements of `group`, all of which keep the class, keep in place, by where the bitmaps have it.
    pub(crate) fn new(
        layout: &Layout,
        sectors: &Sectors,
        base: &Base,
        group: &Group,
        holes: usize,
    ) -> Burnside {
        let mut kept = vec![Vec::new(); holes + 1];
        for (element, weight) in conjugates(group) {
            list_kept(layout, base, &cycles(group.permutation(element)), |pegs, index| {
                kept[pegs as usize].push((sectors.place(index), weight));
            });
        }
        Burnside { order: group.order() as u64, kept }
    }

    /// The number of classes of a set of so many positions with so many pegs; `has` tells whether a
    /// place is in the set.
    pub(crate) fn classes(&self, has: &dyn Fn(u32) -> bool, positions: u64, pegs: u32) -> u64 {
        let kept = self.kept[pegs as usize].iter().filter(|(index, _)| has(*index));
        (positions + kept.map(|&(_, weight)| u64::from(weight)).sum::<u64>()) / self.order
    }
}

/// One element of each class of conjugates but the identity's, with the size of the class.
fn conjugates(group: &Group) -> Vec<(usize, u32)> {
    let elements = group.elements();
    let mut classes: Vec<(usize, u32)> = Vec::new();
    for (number, &element) in elements.iter().enumerate().skip(1) {
        let images = elements.iter().map(|&by| by.inverse().then(element).then(by));
        let known: Vec<usize> = images.map(|image| group.number(image)).collect();
        match classes.iter_mut().find(|(first, _)| known.contains(first)) {
            Some((_, size)) => *size += 1,
            None => classes.push((number, 1)),
        }
    }
    classes
}

/// The cycles of a permutation of holes, as sets.
fn cycles(permutation: &[u8]) -> Vec<u64> {
    let mut left: u64 = (0..permutation.len()).fold(0, |sum, hole| sum | 1 << hole);
    let mut cycles = Vec::new();
    while left != 0 {
        let mut hole = left.trailing_zeros() as usize;
        let mut cycle = 0;
        while left >> hole & 1 != 0 {
            left &= !(1 << hole);
            cycle |= 1 << hole;
            hole = usize::from(permutation[hole]);
        }
        cycles.push(cycle);
    }
    cycles
}

/// A union of cycles.
#[derive(Clone, Copy)]
struct Union {
    pegs: u64,
    index: u32,
    /// The part of the position that its index does not explain: for each parity one constant, for all positions of the
    /// class.
    off: u64,
}

impl Union {
    /// What is in one of both.
    fn plus(self, other: &Union) -> Union {
        Union { pegs: self.pegs ^ other.pegs, index: self.index ^ other.index, off: self.off ^ other.off }
    }

    /// Less those of some unions, each without the lowest unexplained holes of those before it, that explain more of it.
    fn explained(self, by: &[Union]) -> Union {
        let lowest = |union: &Union| union.off & union.off.wrapping_neg();
        by.iter()
            .fold(self, |left, union| if left.off & lowest(union) == 0 { left } else { left.plus(union) })
    }
}

/// Calls back with the number of pegs and the index of every union of cycles that is in the class.
///
/// Those of one parity differ by unions whose index explains them wholly, which are a space: few of all unions. They are run
/// through in Gray code: each step changes one of its basis.
fn list_kept(layout: &Layout, base: &Base, cycles: &[u64], mut found: impl FnMut(u32, u32)) {
    let unexplained = |pegs: u64| pegs ^ layout.pegs(&Base::of(0), 0, layout.index(pegs));
    let (mut leading, mut basis) = (Vec::new(), Vec::new());
    for &pegs in cycles {
        let cycle = Union { pegs, index: layout.index(pegs), off: unexplained(pegs) };
        let rest = cycle.explained(&leading);
        if rest.off == 0 { basis.push(rest) } else { leading.push(rest) }
    }
    let mut zeros = vec![base.zero(0), base.zero(1)];
    zeros.dedup();
    for off in zeros {
        let mut union = Union { pegs: 0, index: 0, off }.explained(&leading);
        // What is left here is in no union of cycles.
        if union.off != 0 {
            continue;
        }
        for step in 1..=1u64 << basis.len() {
            found(union.pegs.count_ones(), union.index);
            if let Some(change) = basis.get(step.trailing_zeros() as usize) {
                union = union.plus(change);
            }
        }
    }
}
