//! Sorted runs of keys: those on their way into a level, and those known already.

use crate::codec::{put_key, put_number, take_key, take_number};
use crate::shard::quick_hash;
use std::cmp::Ordering;
use tabia_core::Packed;

/// Records of a shard until they are first put in order.
const BATCH: usize = 1 << 12;

/// What has arrived for a shard in this level, with something about each.
///
/// Where nothing is said about keys, the list is sorted whenever it has doubled, so that what is there several times does
/// not pile up.
pub(crate) struct Pending<P, S> {
    items: Vec<(P, S)>,
    /// How many of them are in order.
    sorted: usize,
    limit: usize,
    /// Whether memory is short. Shards are alike in size, so that all lists would be doubled at about the same moment.
    pub(crate) careful: bool,
}

impl<P: Ord + Copy, S: Copy> Pending<P, S> {
    pub(crate) fn new() -> Self {
        Pending { items: Vec::new(), sorted: 0, limit: BATCH, careful: false }
    }

    #[inline]
    pub(crate) fn push(&mut self, key: P, trace: S) {
        if size_of::<S>() == 0 && self.items.len() >= self.limit {
            self.sort();
            self.limit = (2 * self.items.len()).max(BATCH);
        }
        if self.items.len() == self.items.capacity() {
            self.grow();
        }
        self.items.push((key, trace));
    }

    #[cold]
    fn grow(&mut self) {
        if self.careful {
            self.items.reserve_exact(self.items.len() / 8 + 64);
        } else {
            self.items.reserve(1);
        }
    }

    /// Puts all in order, each once.
    fn sort(&mut self) {
        // Made for lists with sorted pieces, such as this one.
        self.items.sort_by_key(|(key, _)| *key);
        self.items.dedup_by(|a, b| a.0 == b.0);
        self.sorted = self.items.len();
    }

    /// Sorts before it is time, if there is enough to sort.
    pub(crate) fn sort_some(&mut self) -> bool {
        let worth = size_of::<S>() == 0 && self.items.len() - self.sorted > self.items.len() / 4;
        if worth {
            self.sort();
        }
        worth
    }

    /// All of it: what has no trace in order and once, everything else as it came.
    pub(crate) fn take(&mut self) -> Vec<(P, S)> {
        if size_of::<S>() == 0 {
            self.sort();
        }
        (self.sorted, self.limit) = (0, BATCH);
        std::mem::take(&mut self.items)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<(P, S)>()
    }
}

/// The keys of some records in order, each once; and for each record the place of its key among them.
pub(crate) fn ranks<P: Packed, S>(records: &[(P, S)]) -> (Vec<P>, Vec<u32>) {
    const NONE: u32 = u32::MAX;
    let mask = (2 * records.len()).next_power_of_two() - 1;
    let mut table = vec![NONE; mask + 1];
    let mut keys: Vec<(P, u32)> = Vec::new();
    let mut places = Vec::with_capacity(records.len());
    for (key, _) in records {
        let mut at = quick_hash(key.as_bytes()) as usize & mask;
        places.push(loop {
            match keys.get(table[at] as usize) {
                Some((known, _)) if known != key => at = (at + 1) & mask,
                Some(_) => break table[at],
                None => {
                    table[at] = keys.len() as u32;
                    keys.push((*key, table[at]));
                    break table[at];
                }
            }
        });
    }
    keys.sort_unstable();
    let mut rank = vec![0; keys.len()];
    for (place, (_, met)) in (0..).zip(&keys) {
        rank[*met as usize] = place;
    }
    places.iter_mut().for_each(|place| *place = rank[*place as usize]);
    (keys.into_iter().map(|(key, _)| key).collect(), places)
}

/// Keys in order, with a value for each; all belong to strata from `lowest` up.
pub(crate) struct Run<P, V> {
    pub(crate) keys: Vec<P>,
    pub(crate) values: Vec<V>,
    pub(crate) lowest: u32,
}

/// Everything known of a shard: a few runs, each at least twice as long as the next.
pub(crate) struct Known<P, V> {
    runs: Vec<Run<P, V>>,
}

impl<P: Ord + Copy, V: Copy> Known<P, V> {
    pub(crate) fn new() -> Self {
        Known { runs: Vec::new() }
    }

    /// Adds keys that were not known.
    pub(crate) fn add(&mut self, run: Run<P, V>) {
        if run.keys.is_empty() {
            return;
        }
        self.runs.push(run);
        while let [.., a, b] = &self.runs[..]
            && a.keys.len() < 2 * b.keys.len()
        {
            let (b, a) = (self.runs.pop(), self.runs.pop());
            self.runs.extend(a.zip(b).map(|(a, b)| merge(&a, &b)));
        }
    }

    /// Forgets runs whose strata are all above this one: none of their keys can come again.
    pub(crate) fn forget_above(&mut self, stratum: u32) {
        self.runs.retain(|run| run.lowest <= stratum);
    }

    /// Notes the value of every key that is known; `keys` are in order, each once.
    pub(crate) fn find(&self, keys: &[P], mut found: impl FnMut(usize, V)) {
        for run in &self.runs {
            let mut at = 0;
            for (place, key) in keys.iter().enumerate() {
                at += gallop(&run.keys[at..], key);
                match run.keys.get(at) {
                    Some(known) if known == key => found(place, run.values[at]),
                    Some(_) => (),
                    None => break,
                }
            }
        }
    }

    /// Appends all of it; `value` writes a value.
    pub(crate) fn put(&self, out: &mut Vec<u8>, value: impl Fn(V, &mut Vec<u8>))
    where
        P: Packed,
    {
        for run in &self.runs {
            put_number(out, u64::from(run.lowest));
            put_number(out, run.keys.len() as u64);
            for (key, known) in run.keys.iter().zip(&run.values) {
                put_key(out, key);
                value(*known, out);
            }
        }
    }

    /// Reads what [`Known::put`] wrote.
    pub(crate) fn take(mut bytes: &[u8], value: impl Fn(&mut &[u8]) -> Option<V>) -> Option<Self>
    where
        P: Packed,
    {
        let mut runs = Vec::new();
        while !bytes.is_empty() {
            let (lowest, len) = (take_number(&mut bytes)? as u32, take_number(&mut bytes)? as usize);
            let mut run = Run { keys: Vec::with_capacity(len), values: Vec::with_capacity(len), lowest };
            for _ in 0..len {
                run.keys.push(take_key(&mut bytes)?);
                run.values.push(value(&mut bytes)?);
            }
            runs.push(run);
        }
        Some(Known { runs })
    }

    pub(crate) fn bytes(&self) -> usize {
        let run =
            |run: &Run<P, V>| run.keys.capacity() * size_of::<P>() + run.values.capacity() * size_of::<V>();
        self.runs.iter().map(run).sum()
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.runs.iter().map(|run| run.keys.len()).sum()
    }
}

/// How many keys are smaller: looked for nearby first.
#[inline]
fn gallop<P: Ord>(keys: &[P], key: &P) -> usize {
    let mut step = 1;
    while step <= keys.len() && keys[step - 1] < *key {
        step *= 2;
    }
    let (from, to) = (step / 2, (step - 1).min(keys.len()));
    from + keys[from..to].partition_point(|known| known < key)
}

fn merge<P: Ord + Copy, V: Copy>(a: &Run<P, V>, b: &Run<P, V>) -> Run<P, V> {
    let len = a.keys.len() + b.keys.len();
    let (mut keys, mut values) = (Vec::with_capacity(len), Vec::with_capacity(len));
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.keys.get(i), b.keys.get(j)) {
        if x.cmp(y) == Ordering::Less {
            keys.push(*x);
            values.push(a.values[i]);
            i += 1;
        } else {
            keys.push(*y);
            values.push(b.values[j]);
            j += 1;
        }
    }
    for (run, at) in [(a, i), (b, j)] {
        keys.extend_from_slice(&run.keys[at..]);
        values.extend_from_slice(&run.values[at..]);
    }
    Run { keys, values, lowest: a.lowest.min(b.lowest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use tabia_core::SplitMix64;

    #[test]
    fn what_is_pending_comes_out_once_and_in_order() {
        let mut rng = SplitMix64::new(7);
        let (mut pending, mut oracle) = (Pending::new(), BTreeSet::new());
        for _ in 0..50_000 {
            let key = rng.below(9000);
            pending.push(key, ());
            oracle.insert(key);
            if rng.below(500) == 0 {
                pending.sort_some();
            }
        }
        assert!(pending.bytes() < 300_000);
        let mut careful = Pending { careful: true, ..Pending::new() };
        (0..10_000u64).for_each(|number| careful.push([number; 2], number));
        assert!(careful.bytes() < 10_000 * 24 * 9 / 8 + 64 * 24 && careful.take().len() == 10_000);
        let keys: Vec<u64> = pending.take().into_iter().map(|(key, ())| key).collect();
        assert!(keys.iter().eq(&oracle));
        assert!(pending.take().is_empty());
    }

    #[test]
    fn records_know_the_place_of_their_keys() {
        let mut rng = SplitMix64::new(9);
        for count in [0, 1, 2, 3000] {
            let mut record = || (rng.below(700).to_le_bytes(), ());
            let records: Vec<([u8; 8], ())> = (0..count).map(|_| record()).collect();
            let (keys, places) = ranks(&records);
            let oracle: BTreeSet<[u8; 8]> = records.iter().map(|(key, ())| *key).collect();
            assert!(keys.iter().eq(&oracle));
            assert!(
                records.iter().map(|(key, ())| key).eq(places.iter().map(|place| &keys[*place as usize]))
            );
        }
    }

    #[test]
    fn what_is_known_is_found() {
        let mut rng = SplitMix64::new(8);
        let (mut known, mut oracle) = (Known::new(), BTreeMap::new());
        for level in 0..60u32 {
            let keys: BTreeSet<u64> = (0..rng.below(500)).map(|_| rng.below(20_000)).collect();
            let keys: Vec<u64> = keys.into_iter().collect();
            let mut told = vec![None; keys.len()];
            known.find(&keys, |at, value: u32| told[at] = Some(value));
            assert!(keys.iter().zip(&told).all(|(key, told)| oracle.get(key) == told.as_ref()));
            let fresh: Vec<u64> = keys.into_iter().filter(|key| !oracle.contains_key(key)).collect();
            oracle.extend(fresh.iter().map(|key| (*key, level)));
            let values = vec![level; fresh.len()];
            known.add(Run { keys: fresh, values, lowest: 100 - level });
        }
        assert_eq!(known.len(), oracle.len());
        assert!(known.runs.len() < 15);
        known.forget_above(40);
        assert_eq!(known.len(), 0, "the last run is of strata from 41 up");
    }
}
