//! Symmetries applied to whole bitmaps of positions.
//!
//! Where the free holes of a layout are closed under a symmetry, it does no more to an index than permute its bits. Where
//! the bits within a group and the highest bits, which number the *sectors*, are permuted among themselves, it takes
//! sectors to sectors ([`super::images`]).
//!
//! A level of positions is closed under the symmetries of its search. So of each class of symmetric sectors only one
//! is gathered ([`super::kernel`]). Others are images of it, or of one another, which is less work; and those that no
//! gathered sector is gathered from are *absent*: nothing is written there, so that they take no memory. On the
//! English board 43 of the 256 sectors are gathered, 102 are images, and 111 are absent.

use crate::solver::action::{Action, Turn};
use crate::solver::images::Image;
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
    /// Bits of an index within a sector.
    bits: u32,
    classes: Vec<Class>,
    /// What each symmetry does.
    images: Vec<Image>,
    /// For each sector, if it is absent, what it is an image of; empty where symmetries are of no use.
    absent: Vec<Option<Absent>>,
    /// For each sector the symmetry that takes it to one that is not absent: the identity for most.
    homeward: Vec<u8>,
    /// What each symmetry does to an index.
    turns: Vec<Turn>,
}

/// A class of sectors.
struct Class {
    /// How many sectors it has.
    size: u64,
    /// The one that is gathered, then the others that are there.
    sectors: Vec<usize>,
    /// For each of the others which of those before it is taken to it, and by which symmetry.
    ways: Vec<(usize, usize)>,
}

/// A sector that is an image of a gathered one, and not there.
#[derive(Clone, Copy)]
struct Absent {
    first: usize,
    /// The symmetry that takes the gathered sector to this one.
    by: usize,
}

/// One class of sectors of a bitmap that is being filled.
pub(crate) struct Share<'a> {
    /// The number of the first block.
    pub(crate) number: usize,
    /// The blocks to be gathered.
    pub(crate) first: &'a mut Blocks,
    /// How many sectors the class has.
    pub(crate) size: u64,
    others: Vec<&'a mut Blocks>,
    ways: Vec<(usize, &'a Image)>,
}

impl Sectors {
    /// The sectors for a search that has these symmetries.
    pub(crate) fn new(layout: &Layout, symmetries: &symmetry::Group) -> Sectors {
        match Action::new(layout, symmetries) {
            Some(action) => Sectors::symmetric(layout, &action),
            None => Sectors::plain(layout.bits()),
        }
    }

    fn symmetric(layout: &Layout, action: &Action) -> Sectors {
        let images = action.images();
        // The images that cost least first.
        let mut cheapest: Vec<usize> = action.elements().collect();
        sort_many_by_key(&mut cheapest, |&by| images[by].cost());
        let (firsts, there) = action.choose(layout);
        let (mut absent, mut homeward) = (vec![None; action.sectors], vec![0; action.sectors]);
        for &first in &firsts {
            for sector in action.orbit(first).into_iter().filter(|&sector| !there[sector]) {
                absent[sector] = Some(Absent { first, by: action.between(first, sector) });
                homeward[sector] = action.between(sector, first) as u8;
            }
        }
        let class = |&first: &usize| Class::new(first, action, &cheapest, &there);
        let mut classes: Vec<Class> = firsts.iter().map(class).collect();
        // The long ones first, so that no thread waits long for another at the end.
        sort_many_by_key(&mut classes, |class| std::cmp::Reverse(class.sectors.len()));
        let blocks = 1 << (action.inner - GROUP_BITS) >> BLOCK.trailing_zeros();
        Sectors { blocks, bits: action.inner, classes, images, absent, homeward, turns: action.turns() }
    }

    fn plain(bits: u32) -> Sectors {
        let all: usize = 1 << bits.saturating_sub(GROUP_BITS) >> BLOCK.trailing_zeros();
        let blocks = (all / 32).clamp(1, STRETCH);
        let class = |first| Class { size: 1, sectors: vec![first], ways: Vec::new() };
        let classes = (0..all.div_ceil(blocks)).map(class).collect();
        let (images, absent, homeward, turns) = Default::default();
        Sectors { blocks, bits, classes, images, absent, homeward, turns }
    }

    /// Shares the blocks of a bitmap out.
    pub(crate) fn share<'a>(&'a self, blocks: &'a mut Blocks) -> Vec<Share<'a>> {
        let mut sectors: Vec<Option<&mut Blocks>> = blocks.chunks_mut(self.blocks).map(Some).collect();
        let share = |class: &Class| {
            let mut taken = class.sectors.iter().filter_map(|&sector| sectors.get_mut(sector)?.take());
            let (first, others) = (taken.next()?, taken.collect());
            let number = class.sectors[0] * self.blocks;
            let ways = class.ways.iter().map(|&(from, by)| (from, &self.images[by])).collect();
            Some(Share { number, first, size: class.size, others, ways })
        };
        self.classes.iter().filter_map(share).collect()
    }

    /// Whether symmetries are of use.
    pub(crate) fn are_symmetric(&self) -> bool {
        !self.images.is_empty()
    }

    /// One sector of each class, by number, and how many sectors the class has.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = (usize, u64)> {
        self.classes.iter().map(|class| (class.sectors[0], class.size))
    }

    /// The groups of a sector.
    pub(crate) fn groups(&self, sector: usize) -> Range<usize> {
        let groups = self.blocks * BLOCK;
        sector * groups..(sector + 1) * groups
    }

    /// The blocks of a sector.
    pub(crate) fn blocks(&self, sector: usize) -> Range<usize> {
        sector * self.blocks..(sector + 1) * self.blocks
    }

    /// The sectors of a bitmap that are not absent.
    pub(crate) fn there<'a>(&'a self, blocks: &'a mut Blocks) -> impl Iterator<Item = &'a mut Blocks> {
        let sectors = blocks.chunks_mut(self.blocks).enumerate();
        sectors.filter(|(sector, _)| !self.is_absent(*sector)).map(|(_, blocks)| blocks)
    }

    #[inline]
    fn is_absent(&self, sector: usize) -> bool {
        self.absent.get(sector).is_some_and(Option::is_some)
    }

    /// Whether a bitmap has a place for an index.
    #[inline]
    pub(crate) fn has_place(&self, index: u32) -> bool {
        !self.is_absent((u64::from(index) >> self.bits) as usize)
    }

    /// Where an index is found: the index itself, or if its sector is absent an image of it. Not branched upon, because
    /// nobody can predict it.
    #[inline]
    pub(crate) fn place(&self, index: u32) -> u32 {
        let Some(&by) = self.homeward.get((u64::from(index) >> self.bits) as usize) else { return index };
        let Some(turn) = self.turns.get(usize::from(by)) else { return index };
        (0..).zip(turn).fold(0, |place, (byte, table)| place | table[(index >> (8 * byte)) as usize & 255])
    }

    /// The groups of a sector, absent or not.
    pub(crate) fn read<'a>(
        &self,
        map: &'a Blocks,
        sector: usize,
        room: &'a mut Vec<[Group; BLOCK]>,
    ) -> &'a Blocks {
        let Some(Some(absent)) = self.absent.get(sector) else { return &map[self.blocks(sector)] };
        room.resize(self.blocks, [[0; 4]; BLOCK]);
        self.images[absent.by].fill(&map[self.blocks(absent.first)], room);
        room
    }

    /// Fills the absent sectors of a bitmap.
    pub(crate) fn complete(&self, map: &mut Blocks) {
        for (sector, absent) in (0..).zip(&self.absent) {
            if let Some(absent) = absent
                && let Ok([from, to]) = map.get_disjoint_mut([self.blocks(absent.first), self.blocks(sector)])
            {
                self.images[absent.by].fill(from, to);
            }
        }
    }

    /// The number of sectors, absent or not.
    pub(crate) fn all(&self) -> usize {
        self.classes.iter().map(|class| class.size as usize).sum()
    }

    /// Sectors that are there, of so many.
    pub(crate) fn fraction(&self) -> (u64, u64) {
        let absent = self.absent.iter().filter(|absent| absent.is_some()).count() as u64;
        let all = self.absent.len().max(1) as u64;
        (all - absent, all)
    }
}

impl Class {
    /// The class of a sector that is gathered: the others are made by the symmetries that cost least.
    fn new(first: usize, action: &Action, cheapest: &[usize], there: &[bool]) -> Class {
        let size = action.orbit(first).len() as u64;
        let mut class = Class { size, sectors: vec![first], ways: Vec::new() };
        let next = |class: &Class| {
            let from = |by| (0..class.sectors.len()).map(move |from| (from, by));
            let mut ways = cheapest.iter().flat_map(|&by| from(by));
            let fresh = |to| there[to] && !class.sectors.contains(&to);
            ways.find(|&(from, by)| fresh(action.image(class.sectors[from], by)))
        };
        while let Some((from, by)) = next(&class) {
            class.sectors.push(action.image(class.sectors[from], by));
            class.ways.push((from, by));
        }
        class
    }
}

impl Share<'_> {
    /// Makes the other sectors images of the first.
    pub(crate) fn fill_others(&mut self) {
        for (at, &(from, image)) in self.ways.iter().enumerate() {
            let (before, rest) = self.others.split_at_mut(at);
            let from: &Blocks = if from == 0 { self.first } else { before[from - 1] };
            image.fill(from, rest[0]);
        }
    }
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
        let whole = |has: [bool; 8]| assert!(has == [true; 8] || has == [false; 8], "{has:?}");
        chosen.iter().for_each(|images| whole(images.map(|image| map.has(sectors.place(image)))));
        assert_eq!(sectors.fraction(), (145, 256));
        let absent = (0..256).filter(|&sector| sectors.is_absent(sector));
        absent.for_each(|sector| map.for_each(sectors.groups(sector), |index| panic!("{index} is there")));
        let mut room = Vec::new();
        let read: Vec<Vec<_>> =
            (0..256).map(|sector| sectors.read(map.blocks(), sector, &mut room).to_vec()).collect();
        sectors.complete(map.blocks_mut());
        chosen.iter().for_each(|images| whole(images.map(|image| map.has(image))));
        assert_eq!(map.blocks(), read.concat());
        let mut total = 0;
        map.for_each(map.all(), |_| total += 1);
        assert!(total > 43 * 20 * 4, "{total}");
    }
}
