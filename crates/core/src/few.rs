//! Sorting where little is to be sorted, or where code counts more than time.

use std::cmp::Ordering;

/// Sorts a few items, such as the moves of a position; what is equal stays in its order. The sort of the standard library
/// is quicker on many items, but takes a hundred times the code, once more for every game and every list.
pub fn sort_few<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    for next in 1..items.len() {
        let mut at = next;
        while at > 0 && order(&items[at - 1], &items[at]) == Ordering::Greater {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// The same by a key.
pub fn sort_few_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_few(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts any number of items; what is equal stays in its order. Slower than the sort of the standard library, which takes
/// eight kilobytes of code for every type: this one is compiled once, for the places of items.
pub fn sort_many<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    let mut places = sorted_places(items.len(), &mut |a, b| order(&items[a], &items[b]));
    // Each item goes where it belongs by exchanges; one that was exchanged before is found by following them.
    for to in 0..places.len() {
        let mut from = places[to];
        while from < to {
            from = places[from];
        }
        places[to] = from;
        items.swap(to, from);
    }
}

/// The same by a key.
pub fn sort_many_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_many(items, |a, b| key(a).cmp(&key(b)));
}

/// The places of items in their order.
#[inline(never)]
fn sorted_places(items: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..items).collect();
    places.sort_by(|&a, &b| order(a, b));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[test]
    fn they_sort_as_the_library_does() {
        let mut rng = SplitMix64::new(3);
        for length in 0..60 {
            let items: Vec<(u64, usize)> = (0..length).map(|at| (rng.below(9), at)).collect();
            let (mut few, mut many, mut theirs) = (items.clone(), items.clone(), items);
            sort_few_by_key(&mut few, |item| item.0);
            sort_many_by_key(&mut many, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(few, theirs);
            assert_eq!(many, theirs);
        }
    }
}
