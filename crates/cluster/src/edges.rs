//! The moves of the game turned round: for each position of a shard, where it can be reached from.
//!
//! ```text
//! for each child that has some, by number:
//!     its number less that of the one before, how many there are, each of them
//! ```
//! All are numbers in few bytes. A source is `number << 9 | shard << 1 | same mover`, so that it is as short as the game
//! is small.

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

    /// As six bytes, for lists that are sorted.
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

/// Children between two entries of the index.
const STRIDE: usize = 64;

/// The edges of a shard, found by child.
#[derive(Default)]
pub(crate) struct Edges {
    bytes: Vec<u8>,
    /// Some children, the numbers before them and where they are.
    index: Vec<(u32, u32, usize)>,
}

/// Edges side by side for each of some children, in the order they came in.
pub(crate) struct Grouped {
    /// Where those of each child end.
    ends: Vec<usize>,
    sources: Vec<[u8; 6]>,
}

impl Grouped {
    /// Goes twice over the edges: to count them, and to lay them in their places. `None` where one leads elsewhere.
    pub(crate) fn new(children: usize, edges: impl Iterator<Item = (u32, [u8; 6])> + Clone) -> Option<Self> {
        let mut ends = vec![0; children];
        for (child, _) in edges.clone() {
            *ends.get_mut(child as usize)? += 1;
        }
        // First where those of a child begin; that grows to where they end.
        let mut all = 0;
        for end in &mut ends {
            let count = std::mem::replace(end, all);
            all += count;
        }
        let mut sources = vec![[0; 6]; all];
        for (child, source) in edges {
            let end = ends.get_mut(child as usize)?;
            *sources.get_mut(*end)? = source;
            *end += 1;
        }
        Some(Grouped { ends, sources })
    }

    /// The edges of a child.
    pub(crate) fn of(&self, child: usize) -> &[[u8; 6]] {
        let begin = child.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sources[begin..self.ends[child]]
    }
}

impl Edges {
    /// Packs the edges of children, which come in order.
    pub(crate) fn pack<'a>(groups: impl Iterator<Item = (u32, &'a [[u8; 6]])>) -> Edges {
        let mut edges = Edges::default();
        let mut before = 0;
        for (count, (child, group)) in groups.filter(|(_, group)| !group.is_empty()).enumerate() {
            if count % STRIDE == 0 {
                edges.index.push((child, before, edges.bytes.len()));
            }
            put_number(&mut edges.bytes, u64::from(child - before));
            put_number(&mut edges.bytes, group.len() as u64);
            group.iter().for_each(|source| Source::from_bytes(*source).put(&mut edges.bytes));
            before = child;
        }
        edges
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The packed bytes, while they are not needed here.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Puts them back.
    pub(crate) fn put_bytes(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
    }

    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity() + self.index.capacity() * size_of::<(u32, u32, usize)>()
    }

    /// Appends all edges of packed bytes to a list; `None` when they are not what was packed.
    pub(crate) fn unpack(mut bytes: &[u8], list: &mut Vec<(u32, [u8; 6])>) -> Option<()> {
        let mut child = 0u32;
        while !bytes.is_empty() {
            child = child.checked_add(u32::try_from(take_number(&mut bytes)?).ok()?)?;
            for _ in 0..take_number(&mut bytes)? {
                list.push((child, Source::take(&mut bytes)?.to_bytes()));
            }
        }
        Some(())
    }

    /// Calls for every source of some children, which come in order; with the place of the child in the list.
    pub(crate) fn sources(&self, children: &[u32], mut each: impl FnMut(usize, Source)) -> Option<()> {
        let (mut rest, mut at) = (&self.bytes[..], 0u32);
        // The next group, read up to its sources.
        let mut group = None;
        for (place, &wanted) in children.iter().enumerate() {
            if group.is_none_or(|(child, _)| child < wanted) {
                let entry = self.index.partition_point(|(child, ..)| *child <= wanted).checked_sub(1);
                let entry = entry.and_then(|entry| self.index.get(entry));
                if let Some(&(child, before, offset)) = entry
                    && child > at
                {
                    (rest, at, group) = (self.bytes.get(offset..)?, before, None);
                }
            }
            loop {
                let (child, count) = match group.take() {
                    Some(group) => group,
                    None if rest.is_empty() => return Some(()),
                    None => (at + take_number(&mut rest)? as u32, take_number(&mut rest)?),
                };
                if child > wanted {
                    group = Some((child, count));
                    break;
                }
                at = child;
                for _ in 0..count {
                    let source = Source::take(&mut rest)?;
                    if child == wanted {
                        each(place, source);
                    }
                }
                if child == wanted {
                    break;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tabia_core::SplitMix64;

    #[test]
    fn edges_are_found_by_child() {
        let mut rng = SplitMix64::new(3);
        let mut oracle = BTreeMap::<u32, Vec<Source>>::new();
        let mut list = Vec::new();
        for _ in 0..20_000 {
            let child = rng.below(9000) as u32 * 3;
            let source = Source::new(rng.below(256) as usize, rng.below(1 << 32) as u32, rng.below(2) == 1);
            oracle.entry(child).or_default().push(source);
            list.push((child, source.to_bytes()));
        }
        let grouped = Grouped::new(27_000, list.iter().copied()).unwrap();
        assert!(Grouped::new(26_000, list.iter().copied()).is_none(), "some lead beyond");
        let edges = Edges::pack((0..27_000).map(|child| (child, grouped.of(child as usize))));
        let mut back = Vec::new();
        Edges::unpack(&edges.bytes, &mut back).unwrap();
        list.sort_by_key(|(child, _)| *child);
        assert_eq!(back, list);
        for chance in [1, 2, 50, 3000] {
            let children: Vec<u32> = (0..28_000).filter(|_| rng.below(chance) == 0).collect();
            let mut found = BTreeMap::<u32, Vec<Source>>::new();
            edges
                .sources(&children, |at, source| found.entry(children[at]).or_default().push(source))
                .unwrap();
            let wanted = children.iter().filter_map(|child| Some((*child, oracle.get(child)?.clone())));
            assert_eq!(found, wanted.collect());
        }
    }
}
