//! What the symmetries of a search do to indices and to sectors ([`super::sectors`]), and which sectors are needed.

use crate::solver::images::{Image, permuted};
use crate::solver::kernel::GROUP_BITS;
use crate::solver::layout::Layout;
use crate::symmetry;

/// A permutation of the bits of an index: an image for every value of every byte.
pub(crate) type Turn = [[u32; 256]; 4];

/// Symmetries that permute the bits of an index, and take sectors to sectors.
pub(crate) struct Action {
    /// For each symmetry where each bit goes.
    permutations: Vec<Vec<u32>>,
    /// Bits of an index within a sector.
    pub(crate) inner: u32,
    /// The number of sectors.
    pub(crate) sectors: usize,
}

impl Action {
    /// What symmetries do; `None` where a sector has not its image in one sector.
    pub(crate) fn new(layout: &Layout, symmetries: &symmetry::Group) -> Option<Action> {
        let (bits, sector_bits) = (layout.bits(), layout.sector_bits());
        let places = |element| index_permutation(layout, symmetries.permutation(element));
        let permutations: Vec<Vec<u32>> = (0..symmetries.order()).map(places).collect::<Option<_>>()?;
        let inner = bits - sector_bits;
        let part = |bit: u32| (bit >= GROUP_BITS, bit >= inner);
        let apart = |permutation: &Vec<u32>| (0..).zip(permutation).all(|(from, &to)| part(from) == part(to));
        let fits = sector_bits > 0 && permutations.iter().all(apart);
        fits.then(|| Action { permutations, inner, sectors: 1 << sector_bits })
    }

    /// The numbers of all symmetries.
    pub(crate) fn elements(&self) -> std::ops::Range<usize> {
        0..self.permutations.len()
    }

    /// Where a symmetry takes a sector.
    pub(crate) fn image(&self, sector: usize, by: usize) -> usize {
        permuted(sector, &self.permutations[by][self.inner as usize..], self.inner)
    }

    /// The sectors that symmetries take a sector to, each once.
    pub(crate) fn orbit(&self, sector: usize) -> Vec<usize> {
        let mut orbit: Vec<usize> = self.elements().map(|by| self.image(sector, by)).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit
    }

    /// A symmetry that takes one sector to another of its orbit.
    pub(crate) fn between(&self, from: usize, to: usize) -> usize {
        self.elements().find(|&by| self.image(from, by) == to).unwrap_or(0)
    }

    /// What each symmetry does within a sector.
    pub(crate) fn images(&self) -> Vec<Image> {
        self.permutations.iter().map(|all| Image::new(&all[..self.inner as usize])).collect()
    }

    /// What each symmetry does to an index.
    pub(crate) fn turns(&self) -> Vec<Turn> {
        let byte = |permutation: &[u32], byte: usize| {
            let bits = permutation.get(8 * byte..).unwrap_or_default();
            let bits = &bits[..bits.len().min(8)];
            std::array::from_fn(|value| permuted(value, bits, 0) as u32)
        };
        self.permutations.iter().map(|all| std::array::from_fn(|at| byte(all, at))).collect()
    }

    /// One sector of each class to be gathered, and which sectors must be there for that. Of the sectors of a class the
    /// one is taken that asks for fewest more.
    pub(crate) fn choose(&self, layout: &Layout) -> (Vec<usize>, Vec<bool>) {
        let (mut known, mut there) = (vec![false; self.sectors], vec![false; self.sectors]);
        let mut firsts = Vec::new();
        for sector in 0..self.sectors {
            if known[sector] {
                continue;
            }
            let orbit = self.orbit(sector);
            let more = |&first: &usize| self.sources(layout, first).iter().filter(|&&at| !there[at]).count();
            let first = orbit.iter().copied().min_by_key(more).unwrap_or(sector);
            self.sources(layout, first).into_iter().for_each(|source| there[source] = true);
            orbit.into_iter().for_each(|sector| known[sector] = true);
            firsts.push(first);
        }
        (firsts, there)
    }

    /// The sectors that positions of a sector come from by one jump, and itself; each once.
    fn sources(&self, layout: &Layout, sector: usize) -> Vec<usize> {
        let high = |index: u32| (index >> self.inner) as usize;
        let jumps = layout.jumps().iter();
        let jumps = jumps.map(|&(jump, change)| (high(layout.index(jump.to.bit())), high(change)));
        let ending = jumps.filter(|(after, change)| sector & change == *after);
        let mut sources: Vec<usize> = ending.map(|(_, change)| sector ^ change).chain([sector]).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}

/// Where a symmetry takes each bit of an index; `None` when it takes a free hole to one that is not.
fn index_permutation(layout: &Layout, holes: &[u8]) -> Option<Vec<u32>> {
    let bit_of = |hole: u8| layout.index(1 << hole);
    let mut places = vec![None; layout.bits() as usize];
    for (from, &to) in (0..).zip(holes) {
        let (from, to) = (bit_of(from), bit_of(to));
        if (from == 0) != (to == 0) {
            return None;
        }
        if from != 0 {
            places[from.trailing_zeros() as usize] = Some(to.trailing_zeros());
        }
    }
    places.into_iter().collect()
}
