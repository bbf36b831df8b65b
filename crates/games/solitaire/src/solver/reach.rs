//! All positions that can be reached, level by level (a level is a number of jumps).
//!
//! Two bitmaps, one per parity of the number of jumps. Small levels are lists of indices that are
//! expanded one by one; large ones are expanded as whole bitmaps ([`super::kernel`]). A list has one
//! position of each class of symmetric ones, the bitmaps have all that they have places for ([`super::sectors`]).
//!
//! Positions of different levels differ in their number of pegs, so a bitmap can also *keep* all
//! levels of its parity at once. A large level is then expanded together with the kept ones, whose
//! successors are there already: nothing is lost and nothing has to be told apart.

use crate::solver::bitmap::Bitmap;
use crate::solver::kernel::{BLOCK, Group, Kernel, LEAST_BITS};
use crate::solver::layout::{Base, Layout};
use crate::solver::sectors::{Blocks, Sectors};
use crate::symmetry;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tabia_core::Work;

/// Lists are used up to one position in this many of the index, as a power of two.
const SPARSE: u32 = 12;

/// Groups in a page of memory: 4 KiB, on some systems more.
const PAGE: usize = (4 << 10) / size_of::<Group>();

/// So many classes of a level lie all over the bitmaps.
const MANY: usize = 1 << 9;

/// Positions expanded together.
const BATCH: usize = 64;

/// The newest level of a search.
pub(crate) struct Reach<'a> {
    layout: &'a Layout,
    symmetries: &'a symmetry::Group,
    base: Base,
    kernels: [Vec<Kernel>; 2],
    sectors: &'a Sectors,
    maps: [Bitmap; 2],
    /// The classes of the newest level, while it is small.
    list: Option<Vec<u32>>,
    keep: bool,
    /// Whether all memory that the bitmaps need has been written to.
    touched: bool,
    /// Whether the other bitmap still holds an old level that is to be forgotten.
    dirty: bool,
    jumps: usize,
    pegs: u32,
    positions: u64,
}

impl<'a> Reach<'a> {
    /// A search from positions of one class with equal numbers of pegs, a set that the symmetries keep.
    /// `keep` keeps all levels.
    pub(crate) fn new(
        layout: &'a Layout,
        symmetries: &'a symmetry::Group,
        sectors: &'a Sectors,
        starts: &[u64],
        keep: bool,
    ) -> Reach<'a> {
        let first = starts.first().copied().unwrap_or(0);
        let base = layout.base(first);
        let maps = [Bitmap::new(layout.bits()), Bitmap::new(layout.bits())];
        let kernels = [0, 1].map(|parity| {
            if layout.bits() < LEAST_BITS { Vec::new() } else { Kernel::all(layout, &base, parity) }
        });
        let pegs = first.count_ones();
        let mut reach = Reach {
            layout,
            symmetries,
            base,
            kernels,
            sectors,
            maps,
            list: None,
            keep,
            touched: false,
            dirty: false,
            jumps: 0,
            pegs,
            positions: starts.len() as u64,
        };
        let indices = starts.iter().map(|&pegs| layout.index(pegs)).filter(|&index| sectors.has_place(index));
        indices.for_each(|index| {
            reach.maps[0].insert(index);
        });
        let first_of_class = |pegs: &&u64| symmetries.canonical(**pegs) == **pegs;
        reach.list = Some(starts.iter().filter(first_of_class).map(|&pegs| layout.index(pegs)).collect());
        reach
    }

    /// Jumps from the start to the newest level.
    pub(crate) fn jumps(&self) -> usize {
        self.jumps
    }

    /// Pegs on the board in the newest level.
    pub(crate) fn pegs(&self) -> u32 {
        self.pegs
    }

    /// Positions in the newest level.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// The class of the search.
    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    /// The positions after an even or odd number of jumps: the two newest levels, or all.
    pub(crate) fn map(&self, parity: usize) -> &Bitmap {
        &self.maps[parity & 1]
    }

    /// The sectors of the bitmaps, if symmetries take them to one another.
    pub(crate) fn symmetric_sectors(&self) -> Option<&'a Sectors> {
        Some(self.sectors).filter(|sectors| sectors.are_symmetric())
    }

    /// The classes of the newest level, by one index each, while they are few.
    pub(crate) fn list(&self) -> Option<&[u32]> {
        self.list.as_deref()
    }

    /// Ends the search: the system takes its time to take memory back, each thread gives one bitmap.
    pub(crate) fn end(self, threads: usize) {
        let maps = Mutex::new(self.maps.into_iter());
        in_parallel(threads.min(2), || while next_of(&maps).is_some() {});
    }

    /// Gives up the search but for its positions.
    pub(crate) fn into_maps(self) -> [Bitmap; 2] {
        self.maps
    }

    /// Bytes of the bitmaps, less the sectors that are absent.
    pub(crate) fn bytes(&self) -> u64 {
        let (there, all) = self.sectors.fraction();
        self.maps.iter().map(|map| map.bytes() / all * there).sum()
    }

    /// Goes on to the next level.
    pub(crate) fn advance(&mut self, work: &Work<'_>) {
        // To find one level among all that are kept costs more than to expand them all.
        let listed = self.list.is_some() || !self.keep;
        if listed && self.positions <= self.longest_list() {
            let list = self.list.take().unwrap_or_else(|| self.extract());
            if list.len() >= MANY {
                self.touch(work.threads);
            }
            self.expand_list(&list, work.threads);
        } else {
            self.list = None;
            self.expand_map(work);
        }
        self.jumps += 1;
        self.pegs = self.pegs.saturating_sub(1);
    }

    /// Writes to all memory that the bitmaps need, once. Where a page is read before it is written to, the system lends the one
    /// page of zeros that all programs share, and takes it back at the first write: then every processor that works for
    /// this program is interrupted.
    fn touch(&mut self, threads: usize) {
        if !std::mem::replace(&mut self.touched, true) {
            in_sectors(self.sectors, &mut self.maps, threads, |sector| {
                for group in sector.as_flattened_mut().iter_mut().step_by(PAGE) {
                    group[0] ^= 1;
                    *std::hint::black_box(&mut group[0]) ^= 1;
                }
            });
        }
    }

    /// The most positions of a level that is expanded one by one.
    fn longest_list(&self) -> u64 {
        if self.kernels[0].is_empty() { u64::MAX } else { 1 << self.layout.bits().saturating_sub(SPARSE) }
    }

    fn expand_list(&mut self, list: &[u32], threads: usize) {
        let longest = self.longest_list();
        let (layout, sectors, now) = (self.layout, self.sectors, self.jumps & 1);
        if std::mem::take(&mut self.dirty) {
            in_sectors(sectors, &mut self.maps[now ^ 1..][..1], threads, |sector| {
                sector.fill([[0; 4]; BLOCK]);
            });
        }
        let next = &mut self.maps[now ^ 1];
        let (mut found, mut children) = (Vec::new(), Vec::new());
        let (mut positions, mut dropped) = (0, false);
        // In batches, so that the processor can wait for many places of the bitmap at once.
        for batch in list.chunks(BATCH) {
            children.clear();
            for &index in batch {
                let pegs = layout.pegs(&self.base, now, index);
                layout.for_each_jump(pegs, |jump, _| {
                    let child = self.symmetries.canonical(pegs ^ jump.holes());
                    children.push(sectors.place(layout.index(child)));
                });
            }
            let known = found.len();
            next.insert_all(&children, &mut found);
            for &index in &found[known..] {
                let pegs = layout.pegs(&self.base, now ^ 1, index);
                positions += class_size(self.symmetries, pegs);
                for_each_place(layout, sectors, self.symmetries, pegs, |place| {
                    next.insert(place);
                });
            }
            // A level that is too long for a list is in the bitmap; its list only costs memory.
            if positions > longest {
                dropped = true;
                found.clear();
            }
        }
        self.positions = positions;
        if !self.keep {
            for &index in list {
                let pegs = layout.pegs(&self.base, now, index);
                let map = &mut self.maps[now];
                for_each_place(layout, sectors, self.symmetries, pegs, |place| map.remove(place));
            }
        }
        self.list = (!dropped).then_some(found);
    }

    fn expand_map(&mut self, work: &Work<'_>) {
        let now = self.jumps & 1;
        self.touch(work.threads);
        let (even, odd) = self.maps.split_at_mut(1);
        let (now_map, next_map) = if now == 0 { (&even[0], &mut odd[0]) } else { (&odd[0], &mut even[0]) };
        let (kernels, keep) = (&self.kernels[now], self.keep);
        let source = now_map.blocks();
        let added = AtomicU64::new(0);
        let shares = Mutex::new(self.sectors.share(next_map.blocks_mut()).into_iter());
        let run = || {
            let mut sum = 0;
            while let Some(mut share) = next_of(&shares) {
                let blocks = share.first.iter_mut().zip(share.number..);
                let new: u64 =
                    blocks.map(|(block, number)| gather_block(kernels, number, block, source, keep)).sum();
                share.fill_others();
                sum += new * share.size;
            }
            added.fetch_add(sum, Ordering::Relaxed);
        };
        in_parallel(work.threads, run);
        self.positions = added.into_inner();
        self.dirty = !keep;
    }

    /// Positions of the newest level without a jump, where they are not listed. Levels must not be kept.
    pub(crate) fn dead_ends(&self, work: &Work<'_>) -> u64 {
        let now = self.jumps & 1;
        let (kernels, dead) = (&self.kernels[now], AtomicU64::new(0));
        let (blocks, firsts) = (self.maps[now].blocks(), Mutex::new(self.sectors.firsts()));
        let run = || {
            while let Some((sector, size)) = next_of(&firsts) {
                let numbers = self.sectors.blocks(sector);
                for (number, block) in numbers.clone().zip(&blocks[numbers]) {
                    let mut left = *block;
                    for kernel in kernels {
                        kernel.strike(number, &mut left);
                    }
                    dead.fetch_add(size * count(&left), Ordering::Relaxed);
                }
            }
        };
        in_parallel(work.threads, run);
        dead.into_inner()
    }

    /// Whether a position of the newest level has no jump.
    pub(crate) fn is_dead_end(&self, index: u32) -> bool {
        let pegs = self.layout.pegs(&self.base, self.jumps, index);
        !self.layout.jumps().iter().any(|(jump, _)| jump.is_possible(pegs))
    }

    /// The classes of the newest level, by one index each, from a bitmap.
    fn extract(&self) -> Vec<u32> {
        let (parity, mut list) = (self.jumps & 1, Vec::new());
        let map = &self.maps[parity];
        let mut canonical = |index| {
            let pegs = self.layout.pegs(&self.base, parity, index);
            if pegs.count_ones() == self.pegs {
                list.push(self.layout.index(self.symmetries.canonical(pegs)));
            }
        };
        match self.symmetric_sectors() {
            // Symmetric sectors hold the same classes: one of them is enough.
            Some(sectors) => {
                let firsts = sectors.firsts().map(|(sector, _)| sectors.groups(sector));
                firsts.for_each(|groups| map.for_each(groups, &mut canonical));
            }
            None => map.for_each(map.all(), canonical),
        }
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// The number of positions in the class of a position.
fn class_size(symmetries: &symmetry::Group, pegs: u64) -> u64 {
    let order = symmetries.order();
    let images = symmetries.images(pegs);
    let same = images.iter().take(order).filter(|&&image| image == pegs).count();
    (order / same.max(1)) as u64
}

/// Calls back with all places that bitmaps have for the class of a position, some of them more than once.
fn for_each_place(
    layout: &Layout,
    sectors: &Sectors,
    symmetries: &symmetry::Group,
    pegs: u64,
    mut found: impl FnMut(u32),
) {
    let images = symmetries.images(pegs).into_iter().take(symmetries.order());
    let places = images.map(|image| layout.index(image)).filter(|&index| sectors.has_place(index));
    places.for_each(&mut found);
}

/// Does something to all sectors of bitmaps that are there.
fn in_sectors(sectors: &Sectors, maps: &mut [Bitmap], threads: usize, change: impl Fn(&mut Blocks) + Sync) {
    let there = Mutex::new(maps.iter_mut().flat_map(|map| sectors.there(map.blocks_mut())));
    in_parallel(threads, || {
        while let Some(sector) = next_of(&there) {
            change(sector);
        }
    });
}

fn in_parallel(threads: usize, run: impl Fn() + Copy + Send) {
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(run);
        }
        run();
    });
}

fn next_of<T>(items: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    // A poisoned lock means another worker panicked; the scope passes that on.
    items.lock().ok()?.next()
}

/// Fills one block of the next level; the number of positions that were added.
fn gather_block(
    kernels: &[Kernel],
    number: usize,
    block: &mut [Group; BLOCK],
    source: &[[Group; BLOCK]],
    keep: bool,
) -> u64 {
    let had = if keep { count(block) } else { 0 };
    if !keep {
        *block = [[0; 4]; BLOCK];
    }
    for kernel in kernels {
        kernel.gather(number, block, source);
    }
    count(block) - had
}

fn count(block: &[Group; BLOCK]) -> u64 {
    block.iter().flatten().map(|word| u64::from(word.count_ones())).sum()
}
