//! What stands on the board in a slice, and how many positions that makes.

use crate::shared::{CHOOSE_ROW, MOST_CHOSEN, Slice};
use tabia_core::Slice as Name;

/// Men and kings of the side to move, men and kings of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Material {
    pub(crate) men: u32,
    pub(crate) kings: u32,
    pub(crate) other_men: u32,
    pub(crate) other_kings: u32,
}

impl Material {
    /// The material of a slice as the game names it: four hexadecimal digits.
    pub(crate) fn of(slice: Name) -> Material {
        let digit = |shift: u32| slice.0 >> shift & 15;
        Material { men: digit(12), kings: digit(8), other_men: digit(4), other_kings: digit(0) }
    }

    /// The place in the kernels' list of slices.
    pub(crate) fn place(self) -> u32 {
        self.men << 9 | self.kings << 6 | self.other_men << 3 | self.other_kings
    }

    pub(crate) fn all_men(self) -> u32 {
        self.men + self.other_men
    }

    pub(crate) fn pieces(self) -> u32 {
        self.all_men() + self.kings + self.other_kings
    }

    /// Placements of the men with `first` own ones on the first row.
    fn men_ways(self, first: u32) -> u64 {
        match self.men.checked_sub(first) {
            Some(rest) => choose(4, first) * choose(24, rest) * choose(28 - rest, self.other_men),
            None => 0,
        }
    }

    /// Placements of all men.
    pub(crate) fn placements(self) -> u64 {
        (0..5).map(|first| self.men_ways(first)).sum()
    }

    /// Placements of all kings among the same men.
    pub(crate) fn king_ways(self) -> u64 {
        choose(32 - self.all_men(), self.kings) * self.other_ways()
    }

    /// Placements of the other's kings.
    pub(crate) fn other_ways(self) -> u64 {
        choose(32 - self.all_men() - self.kings, self.other_kings)
    }

    pub(crate) fn positions(self) -> u64 {
        self.placements() * self.king_ways()
    }

    /// As the kernels know it, without its values.
    pub(crate) fn described(self) -> Slice {
        let mut before = [0; 5];
        for first in 1..5 {
            before[first as usize] = before[first as usize - 1] + self.men_ways(first - 1) as u32;
        }
        Slice {
            before,
            king_ways: self.king_ways() as u32,
            other_ways: self.other_ways() as u32,
            ..Slice::default()
        }
    }
}

/// The ways to choose `k` of `n`.
pub(crate) fn choose(n: u32, k: u32) -> u64 {
    if k > n { 0 } else { (0..k).fold(1, |ways, i| ways * u64::from(n - i) / u64::from(i + 1)) }
}

/// The table of choices that kernels read.
pub(crate) fn choices() -> Vec<u32> {
    let row = |k: usize| (0..CHOOSE_ROW).map(move |n| choose(n as u32, k as u32) as u32);
    (0..=MOST_CHOSEN).flat_map(row).collect()
}

/// All sets of a size on 32 squares, by number.
pub(crate) fn sets(size: u32) -> Vec<u32> {
    let mut all = vec![(1u64 << size) - 1];
    while let Some(&set) = all.last().filter(|_| size > 0) {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        let next = carried | (((set ^ carried) >> 2) / lowest);
        if next >> 32 != 0 {
            break;
        }
        all.push(next);
    }
    all.into_iter().map(|set| set as u32).collect()
}
