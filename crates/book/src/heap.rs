//! A heap of numbers whose order is told from outside, and may change while they are in it.

/// The numbers of things: the least of them is on top.
#[derive(Default)]
pub(crate) struct Heap(Vec<usize>);

impl Heap {
    /// All these numbers.
    pub(crate) fn new(numbers: impl Iterator<Item = usize>, is_less: impl Fn(usize, usize) -> bool) -> Self {
        let mut heap = Heap(numbers.collect());
        for at in (0..heap.0.len() / 2).rev() {
            heap.sift(at, &is_less);
        }
        heap
    }

    /// The least.
    #[inline]
    pub(crate) fn top(&self) -> Option<usize> {
        self.0.first().copied()
    }

    /// Whether another number is as little as the one on top.
    #[inline]
    pub(crate) fn is_tied(&self, is_equal: impl Fn(usize, usize) -> bool) -> bool {
        self.0.iter().skip(1).take(2).any(|&next| is_equal(self.0[0], next))
    }

    /// Puts the number on top where it belongs after it has become larger.
    #[inline]
    pub(crate) fn settle(&mut self, is_less: impl Fn(usize, usize) -> bool) {
        self.sift(0, &is_less);
    }

    /// Takes away the number on top.
    pub(crate) fn pop(&mut self, is_less: impl Fn(usize, usize) -> bool) {
        if !self.0.is_empty() {
            self.0.swap_remove(0);
            self.sift(0, &is_less);
        }
    }

    #[inline]
    fn sift(&mut self, mut at: usize, is_less: &impl Fn(usize, usize) -> bool) {
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.0.len() && is_less(self.0[child], self.0[least]) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.0.swap(at, least);
            at = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn several_lists_come_out_as_one(mut lists in proptest::collection::vec(
            proptest::collection::vec(any::<u8>(), 0..9), 0..9)) {
            let mut expected = lists.concat();
            expected.sort_unstable();
            // The next of each list is its last.
            lists.iter_mut().for_each(|list| list.sort_unstable_by(|a, b| b.cmp(a)));
            let full = (0..lists.len()).filter(|&n| !lists[n].is_empty()).collect::<Vec<_>>();
            let mut heap = Heap::new(full.into_iter(), |a, b| lists[a].last() < lists[b].last());
            let mut merged = Vec::new();
            while let Some(n) = heap.top() {
                merged.extend(lists[n].pop());
                if lists[n].is_empty() {
                    heap.pop(|a, b| lists[a].last() < lists[b].last());
                } else {
                    heap.settle(|a, b| lists[a].last() < lists[b].last());
                }
            }
            prop_assert_eq!(merged, expected);
        }
    }
}
