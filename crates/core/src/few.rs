//! Sorting where there is little to sort.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[test]
    fn it_sorts_as_the_library_does() {
        let mut rng = SplitMix64::new(3);
        for length in 0..60 {
            let items: Vec<(u64, usize)> = (0..length).map(|at| (rng.below(9), at)).collect();
            let (mut mine, mut theirs) = (items.clone(), items);
            sort_few_by_key(&mut mine, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(mine, theirs);
        }
    }
}
