//! The moves of the game turned round: for each position of a shard, where it can be reached from.
//!
//! ```text
//! of a level   how many children there are; for each its number and how many sources it has; bytes of a source; the sources
//! of a shard   for each child where its sources end; the sources
//! ```
//! A source is `number << 9 | shard << 1 | same mover`. It has as many bytes as the greatest of the list needs, and so have
//! the ends: lists are about as short as with a length for each number, and a number is read at once. All else of a level
//! are numbers in few bytes.

use crate::codec::{put_number, take_number};

/// A position anywhere, and a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Source(u64);

impl Source {
    #[inline]
    pub(crate) fn new(shard: usize, number: u32, flag: bool) -> Self {
        Source(u64::from(number) << 9 | (shard as u64 & 0xFF) << 1 | u64::from(flag))
    }

    pub(crate) fn shard(self) -> usize {
        (self.0 >> 1 & 0xFF) as usize
    }

    pub(crate) fn number(self) -> u32 {
        (self.0 >> 9) as u32
    }

    pub(crate) fn flag(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline]
    pub(crate) fn put(self, out: &mut Vec<u8>) {
        put_number(out, self.0);
    }

    #[inline]
    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Source> {
        take_number(bytes).map(Source)
    }

    /// As six bytes, for long lists.
    #[inline]
    pub(crate) fn to_bytes(self) -> [u8; 6] {
        let [a, b, c, d, e, f, ..] = self.0.to_le_bytes();
        [a, b, c, d, e, f]
    }

    #[inline]
    pub(crate) fn from_bytes([a, b, c, d, e, f]: [u8; 6]) -> Self {
        Source(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
    }
}

/// Bytes of a number in a list: at least, which is enough for small games, and at most.
const NARROWEST: usize = 3;
const WIDEST: usize = 6;

/// Bytes for each of some numbers; `any` has the bits of all.
fn width_for(any: u64) -> usize {
    (64 - any.leading_zeros() as usize).div_ceil(8).max(NARROWEST)
}

/// The number in some place of a list. It is read with what is behind it, where there is enough of that.
#[inline]
fn number_at(list: &[u8], width: usize, place: usize) -> Option<u64> {
    let rest = list.get(width * place..)?;
    let word = if let Some(word) = rest.first_chunk() {
        *word
    } else {
        let mut word = [0; 8];
        word[..width].copy_from_slice(rest.get(..width)?);
        word
    };
    Some(u64::from_le_bytes(word) & ((1 << (8 * width)) - 1))
}

/// Turns counts into where what is counted begins; how much there is in all.
fn begins(counts: &mut [usize]) -> usize {
    let mut all = 0;
    for count in counts {
        all += std::mem::replace(count, all);
    }
    all
}

/// Lays each source in the next place of its child; `next` grows from where the places of a child begin to where they end.
fn lay(
    next: &mut [usize],
    list: &mut [u8],
    width: usize,
    edges: impl Iterator<Item = (u32, Source)>,
) -> Option<()> {
    // A width that the compiler knows makes a store or two of each source.
    fn with<const W: usize>(
        next: &mut [usize],
        list: &mut [u8],
        mut edges: impl Iterator<Item = (u32, Source)>,
    ) -> Option<()> {
        let places = list.as_chunks_mut::<W>().0;
        edges.try_for_each(|(child, source)| {
            let next = next.get_mut(child as usize)?;
            *places.get_mut(*next)? = *source.0.to_le_bytes().first_chunk()?;
            *next += 1;
            Some(())
        })
    }
    match width {
        3 => with::<3>(next, list, edges),
        4 => with::<4>(next, list, edges),
        5 => with::<5>(next, list, edges),
        _ => with::<6>(next, list, edges),
    }
}

/// Packs the edges that a level has found. They come with the places of their children; `numbers` are those of the children.
/// `None` where one leads elsewhere.
pub(crate) fn pack(
    numbers: &[u32],
    edges: impl Iterator<Item = (u32, [u8; WIDEST])> + Clone,
) -> Option<Vec<u8>> {
    let edges = edges.map(|(place, source)| (place, Source::from_bytes(source)));
    let (mut next, mut any) = (vec![0; numbers.len()], 0);
    for (place, source) in edges.clone() {
        *next.get_mut(place as usize)? += 1;
        any |= source.0;
    }
    let width = width_for(any);
    let mut bytes = Vec::new();
    put_number(&mut bytes, numbers.len() as u64);
    for (number, count) in numbers.iter().zip(&next) {
        put_number(&mut bytes, u64::from(*number));
        put_number(&mut bytes, *count as u64);
    }
    let all = begins(&mut next);
    // These are kept until the game is explored: no more than is needed.
    bytes.reserve_exact(1 + width * all);
    bytes.push(width as u8);
    let head = bytes.len();
    bytes.resize(head + width * all, 0);
    lay(&mut next, &mut bytes[head..], width, edges)?;
    Some(bytes)
}

/// The edges of a level as they were packed.
struct Level<'a> {
    /// For each child its number and how many sources it has.
    children: &'a [u8],
    width: usize,
    sources: &'a [u8],
}

impl<'a> Level<'a> {
    /// Reads what is before the sources, and shows each child with how many it has.
    fn read(mut bytes: &'a [u8], mut each: impl FnMut(u32, usize) -> Option<()>) -> Option<Self> {
        let count = take_number(&mut bytes)?;
        let (all, mut sources) = (bytes, 0);
        for _ in 0..count {
            let (child, count) = child_and_count(&mut bytes)?;
            each(child, count)?;
            sources += count;
        }
        let children = all.get(..all.len() - bytes.len())?;
        let (&width, bytes) = bytes.split_first()?;
        let width = usize::from(width);
        let fits = (NARROWEST..=WIDEST).contains(&width) && Some(bytes.len()) == width.checked_mul(sources);
        fits.then_some(Level { children, width, sources: bytes })
    }

    /// All edges; those of a child side by side.
    fn edges(&self) -> impl Iterator<Item = (u32, Source)> {
        let (mut children, mut begin) = (self.children, 0);
        let groups = std::iter::from_fn(move || {
            let (child, count) = child_and_count(&mut children)?;
            begin += count;
            Some((child, begin - count..begin))
        });
        groups.flat_map(move |(child, places)| {
            // All are there: `read` has counted them.
            let source = |place| number_at(self.sources, self.width, place).unwrap_or_default();
            places.map(move |place| (child, Source(source(place))))
        })
    }
}

#[inline]
fn child_and_count(bytes: &mut &[u8]) -> Option<(u32, usize)> {
    Some((u32::try_from(take_number(bytes)?).ok()?, u32::try_from(take_number(bytes)?).ok()? as usize))
}

/// The edges of a shard, found by child.
#[derive(Default)]
pub(crate) struct Edges {
    count: usize,
    /// Bytes of an end and of a source.
    widths: (usize, usize),
    /// Bytes of all ends.
    ends: usize,
    bytes: Vec<u8>,
}

impl Edges {
    /// Brings together what all levels have found; `None` when it is not what was packed.
    pub(crate) fn join<'a>(children: usize, levels: impl Iterator<Item = &'a [u8]>) -> Option<Edges> {
        let mut next = vec![0; children];
        let mut count = |child: u32, count: usize| {
            *next.get_mut(child as usize)? += count;
            Some(())
        };
        // The first level was found along no edge.
        let levels = levels.filter(|bytes| !bytes.is_empty());
        let levels = levels.map(|bytes| Level::read(bytes, &mut count)).collect::<Option<Vec<_>>>()?;
        let count = begins(&mut next);
        let width = levels.iter().map(|level| level.width).fold(NARROWEST, usize::max);
        let widths = (width_for(count as u64), width);
        let ends = widths.0 * children;
        let mut bytes = vec![0; ends + width * count];
        let (places, list) = bytes.split_at_mut(ends);
        levels.iter().try_for_each(|level| lay(&mut next, list, width, level.edges()))?;
        for (place, end) in places.chunks_exact_mut(widths.0).zip(&next) {
            place.copy_from_slice(&end.to_le_bytes()[..widths.0]);
        }
        Some(Edges { count, widths, ends, bytes })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The bytes, while they are not needed here.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Puts them back.
    pub(crate) fn put_bytes(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
    }

    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    /// Calls for every source of a child; `None` when the bytes are not what was taken.
    #[inline]
    pub(crate) fn sources(&self, child: u32, mut each: impl FnMut(Source)) -> Option<()> {
        let (ends, list) = self.bytes.split_at_checked(self.ends)?;
        let end = |child: u32| Some(number_at(ends, self.widths.0, child as usize)? as usize);
        let begin = if child == 0 { 0 } else { end(child - 1)? };
        for place in begin..end(child)? {
            each(Source(number_at(list, self.widths.1, place)?));
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::SplitMix64;

    #[test]
    fn edges_are_found_by_child() {
        // The greatest numbers need 3, 4, 5 and 6 bytes; levels have different widths.
        for bits in [10, 23, 30, 32] {
            let mut rng = SplitMix64::new(bits);
            let mut oracle = vec![Vec::<Source>::new(); 9000];
            let mut levels = Vec::new();
            for level in 0..4 {
                // A level knows its children in any order.
                let numbers: Vec<u32> = (0..1000).map(|place| (place * 7 + level) % 9000).rev().collect();
                let most = 1 << (bits - u64::from(level));
                let edge = |_| {
                    let (shard, number) = (rng.below(256) as usize, rng.below(most) as u32);
                    (rng.below(1000) as u32, Source::new(shard, number, rng.below(2) == 1))
                };
                let edges: Vec<(u32, Source)> = (0..5000).map(edge).collect();
                let list = edges.iter().map(|(place, source)| (*place, source.to_bytes()));
                assert!(pack(&numbers[..900], list.clone()).is_none(), "some lead beyond");
                levels.push(pack(&numbers, list).unwrap());
                edges.iter().for_each(|(at, source)| oracle[numbers[*at as usize] as usize].push(*source));
            }
            let join = |children| Edges::join(children, levels.iter().map(Vec::as_slice));
            assert!(join(6000).is_none(), "some lead beyond");
            let edges = join(9000).unwrap();
            assert_eq!(edges.count(), 20_000);
            for (child, wanted) in (0..).zip(&oracle) {
                let mut found = Vec::new();
                edges.sources(child, |source| found.push(source)).unwrap();
                assert_eq!(&found, wanted);
            }
            assert_eq!(edges.sources(9000, |_| ()), None);
        }
    }

    #[test]
    fn a_level_that_was_cut_is_refused() {
        let source = Source::new(3, 70, true).to_bytes();
        let level = pack(&[5, 300], [(1, source), (0, source), (1, source)].into_iter()).unwrap();
        assert_eq!(Edges::join(301, [&level[..]].into_iter()).unwrap().count(), 3);
        for end in 1..level.len() {
            assert!(Edges::join(301, [&level[..end]].into_iter()).is_none(), "cut at {end}");
        }
    }
}
