//! Symmetries applied to whole bitmaps of positions.
//!
//! Where the free holes of a layout are closed under a symmetry, it does no more to an index than permute its bits. Where
//! the bits within a group and the highest bits, which number the *sectors*, are permuted among themselves, it takes
//! sectors to sectors: groups change their places, and the positions within each group theirs.
//!
//! A level of positions is closed under the symmetries of its search. So of each class of symmetric sectors only one
//! is gathered ([`super::kernel`]); the others are images of it, or of one another, which is less work.

use crate::solver::kernel::{BLOCK, GROUP_BITS, Group};
use crate::solver::layout::Layout;
use crate::symmetry;
use std::ops::Range;
use tabia_core::sort_many_by_key;

/// Blocks one after the other.
pub(crate) type Blocks = [[Group; BLOCK]];

/// The most blocks of a sector where symmetries are of no use: neighbours are gathered from the same blocks, so that a
/// thread that has a stretch of them to itself finds those in its own cache.
const STRETCH: usize = 64;

/// The sectors of a bitmap, class by class of symmetric ones.
pub(crate) struct Sectors {
    /// Blocks in a sector.
    blocks: usize,
    classes: Vec<Class>,
    /// What each symmetry does.
    images: Vec<Image>,
}

/// A class of sectors.
struct Class {
    /// The one that is gathered, then the others.
    sectors: Vec<usize>,
    /// For each of the others which of those before it is taken to it, and by which symmetry.
    ways: Vec<(usize, usize)>,
}

/// One class of sectors of a bitmap that is being filled.
pub(crate) struct Share<'a> {
    /// The number of the first block.
    pub(crate) number: usize,
    /// The blocks to be gathered.
    pub(crate) first: &'a mut Blocks,
    others: Vec<&'a mut Blocks>,
    ways: Vec<(usize, &'a Image)>,
}

impl Sectors {
    /// The sectors for a search that has these symmetries.
    pub(crate) fn new(layout: &Layout, symmetries: &symmetry::Group) -> Sectors {
        let (bits, sector_bits) = (layout.bits(), layout.sector_bits());
        let places = |element| index_permutation(layout, symmetries.permutation(element));
        let permutations: Option<Vec<Vec<u32>>> = (0..symmetries.order()).map(places).collect();
        let inner = bits - sector_bits;
        let part = |bit: u32| (bit >= GROUP_BITS, bit >= inner);
        let apart = |permutation: &Vec<u32>| (0..).zip(permutation).all(|(from, &to)| part(from) == part(to));
        match permutations.filter(|all| sector_bits > 0 && all.iter().all(apart)) {
            Some(permutations) => Sectors::symmetric(bits, inner, &permutations),
            None => Sectors::plain(1 << bits.saturating_sub(GROUP_BITS) >> BLOCK.trailing_zeros()),
        }
    }

    fn symmetric(bits: u32, inner: u32, permutations: &[Vec<u32>]) -> Sectors {
        let images: Vec<Image> =
            permutations.iter().map(|permutation| Image::new(&permutation[..inner as usize])).collect();
        let image =
            |sector: usize, element: usize| permuted(sector, &permutations[element][inner as usize..], inner);
        // The images that cost least first.
        let mut elements: Vec<usize> = (0..images.len()).collect();
        sort_many_by_key(&mut elements, |&element| images[element].exchanges.len());
        let mut known = vec![false; 1 << (bits - inner)];
        let mut classes: Vec<Class> = Vec::new();
        for first in 0..known.len() {
            if std::mem::replace(&mut known[first], true) {
                continue;
            }
            let mut class = Class { sectors: vec![first], ways: Vec::new() };
            let fresh = |class: &Class, known: &[bool]| {
                let ways =
                    elements.iter().flat_map(|&by| (0..class.sectors.len()).map(move |from| (from, by)));
                ways.into_iter().find(|&(from, by)| !known[image(class.sectors[from], by)])
            };
            while let Some((from, by)) = fresh(&class, &known) {
                let sector = image(class.sectors[from], by);
                known[sector] = true;
                class.sectors.push(sector);
                class.ways.push((from, by));
            }
            classes.push(class);
        }
        // The long ones first, so that no thread waits long for another at the end.
        sort_many_by_key(&mut classes, |class| std::cmp::Reverse(class.sectors.len()));
        Sectors { blocks: 1 << (inner - GROUP_BITS) >> BLOCK.trailing_zeros(), classes, images }
    }

    fn plain(all: usize) -> Sectors {
        let blocks = (all / 32).clamp(1, STRETCH);
        let class = |first| Class { sectors: vec![first], ways: Vec::new() };
        let classes = (0..all.div_ceil(blocks)).map(class).collect();
        Sectors { blocks, classes, images: Vec::new() }
    }

    /// Shares the blocks of a bitmap out.
    pub(crate) fn share<'a>(&'a self, blocks: &'a mut Blocks) -> Vec<Share<'a>> {
        let mut sectors: Vec<Option<&mut Blocks>> = blocks.chunks_mut(self.blocks).map(Some).collect();
        let share = |class: &Class| {
            let mut taken = class.sectors.iter().filter_map(|&sector| sectors.get_mut(sector)?.take());
            let (first, others) = (taken.next()?, taken.collect());
            let number = class.sectors[0] * self.blocks;
            let ways = class.ways.iter().map(|&(from, by)| (from, &self.images[by])).collect();
            Some(Share { number, first, others, ways })
        };
        self.classes.iter().filter_map(share).collect()
    }

    /// Whether symmetries are of use.
    pub(crate) fn are_symmetric(&self) -> bool {
        !self.images.is_empty()
    }

    /// The groups of one sector of each class.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = Range<usize>> {
        let groups = self.blocks * BLOCK;
        self.classes.iter().map(move |class| class.sectors[0] * groups..(class.sectors[0] + 1) * groups)
    }
}

impl Share<'_> {
    /// The number of sectors.
    pub(crate) fn sectors(&self) -> u64 {
        1 + self.others.len() as u64
    }

    /// Makes the other sectors images of the first.
    pub(crate) fn fill_others(&mut self) {
        for (at, &(from, image)) in self.ways.iter().enumerate() {
            let (before, rest) = self.others.split_at_mut(at);
            let from: &Blocks = if from == 0 { self.first } else { before[from - 1] };
            image.fill(from, rest[0]);
        }
    }
}

/// What a symmetry does within a sector.
struct Image {
    /// For each group of the image the number of the group it comes from.
    sources: Vec<u32>,
    /// Then bits of the index within the group are exchanged.
    exchanges: Vec<Exchange>,
}

/// Two bits of the index within a group, exchanged for all positions of the group.
#[derive(Clone, Copy)]
enum Exchange {
    /// Both number positions within a word: those in the mask change places with those so much further up.
    Inside { shift: u32, mask: u64 },
    /// The first numbers positions within a word, the second pairs of words: those in the mask of the upper word change
    /// places with those so much further up in the lower one.
    Across { pairs: [[usize; 2]; 2], shift: u32, mask: u64 },
    /// Both number words: two of the four change places.
    Words,
}

impl Image {
    /// From where each bit of the index within a sector goes.
    fn new(permutation: &[u32]) -> Image {
        let (low, high) = permutation.split_at(GROUP_BITS as usize);
        let mut sources = vec![0; 1 << high.len()];
        for source in 0..sources.len() {
            sources[permuted(source, high, GROUP_BITS)] = source as u32;
        }
        // Which bit is where, until every one is where it belongs.
        let mut now: Vec<u32> = (0..GROUP_BITS).collect();
        let mut exchanges = Vec::new();
        for (bit, &to) in (0..).zip(low) {
            let at = now.iter().position(|&other| other == bit).unwrap_or(0);
            if at != to as usize {
                exchanges.push(Exchange::new(at as u32, to));
                now.swap(at, to as usize);
            }
        }
        Image { sources, exchanges }
    }

    /// Makes one sector the image of another.
    fn fill(&self, from: &Blocks, to: &mut Blocks) {
        let from = from.as_flattened();
        for (block, sources) in to.iter_mut().zip(self.sources.chunks(BLOCK)) {
            for (group, &source) in block.iter_mut().zip(sources) {
                *group = from[source as usize];
            }
            // One exchange after the other, each for a block that is in the nearest cache.
            for exchange in &self.exchanges {
                exchange.apply(block);
            }
        }
    }
}

impl Exchange {
    fn new(a: u32, b: u32) -> Exchange {
        let (low, high) = (a.min(b), a.max(b));
        let positions = |wanted: &dyn Fn(u32) -> bool| {
            (0..64).filter(|&at| wanted(at)).fold(0u64, |mask, at| mask | 1 << at)
        };
        if low >= 6 {
            Exchange::Words
        } else if high >= 6 {
            let pairs = if high == 6 { [[0, 1], [2, 3]] } else { [[0, 2], [1, 3]] };
            Exchange::Across { pairs, shift: 1 << low, mask: positions(&|at| at >> low & 1 == 0) }
        } else {
            let mask = positions(&|at| at >> low & 1 == 1 && at >> high & 1 == 0);
            Exchange::Inside { shift: (1 << high) - (1 << low), mask }
        }
    }

    fn apply(self, block: &mut [Group; BLOCK]) {
        match self {
            Exchange::Inside { shift, mask } => {
                for word in block.as_flattened_mut() {
                    let change = (*word >> shift ^ *word) & mask;
                    *word ^= change | change << shift;
                }
            }
            Exchange::Across { pairs, shift, mask } => {
                for group in block {
                    for [low, high] in pairs {
                        let change = (group[low] >> shift ^ group[high]) & mask;
                        group[high] ^= change;
                        group[low] ^= change << shift;
                    }
                }
            }
            Exchange::Words => block.iter_mut().for_each(|group| group.swap(1, 2)),
        }
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

/// A number whose bits, counted from `first` on, go where a permutation takes them.
fn permuted(number: usize, permutation: &[u32], first: u32) -> usize {
    let set = permutation.iter().enumerate().filter(|(bit, _)| number >> bit & 1 != 0);
    set.fold(0, |image, (_, to)| image | 1 << (to - first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use crate::solver::bitmap::Bitmap;
    use tabia_core::SplitMix64;

    #[test]
    fn images_of_sectors_are_those_of_their_positions() {
        let board = &catalogue::find("english").unwrap().board;
        let (layout, group) = (board.layout().unwrap(), board.group());
        let sectors = Sectors::new(layout, group);
        assert_eq!(sectors.classes.len(), 43);
        let base = layout.base(board.full() & !board.vacancy().bit());
        let size = (sectors.blocks * BLOCK) << GROUP_BITS;
        let mut map = Bitmap::new(layout.bits());
        let mut rng = SplitMix64::new(28);
        let mut chosen = Vec::new();
        for class in &sectors.classes {
            for at in 0..40 {
                let index = (class.sectors[0] * size) as u32 + rng.below(size as u64) as u32;
                let images = group.images(layout.pegs(&base, 0, index)).map(|image| layout.index(image));
                // Half of them, and what else of their classes lies in the first sectors.
                let first = |image: &&u32| at % 2 == 0 && **image as usize / size == class.sectors[0];
                images.iter().filter(first).for_each(|&image| {
                    map.insert(image);
                });
                chosen.push(images);
            }
        }
        sectors.share(map.blocks_mut()).iter_mut().for_each(Share::fill_others);
        for images in chosen {
            let has = images.map(|image| map.has(image));
            assert!(has == [true; 8] || has == [false; 8], "{has:?}");
        }
        let mut total = 0;
        map.for_each(map.all(), |_| total += 1);
        assert!(total > 43 * 20 * 4, "{total}");
    }
}
