//! Which entry of a bucket is a key's: all four are compared at once, because where a key stands nobody can predict.
//!
//! Where the build asks for a processor with vectors of 256 bits (AVX2, part of x86-64-v3), a few instructions do it. While
//! a probe waits for its line, the processor works ahead on the next ones, and the fewer instructions wait with it, the
//! further ahead it comes.

use crate::entry::{Bucket, Data};
use tabia_core::Key;

impl Bucket {
    /// What the first entry with a key knows.
    ///
    /// Empty entries look like key 0. They hide nothing: written ones come first in a bucket.
    #[inline]
    pub(crate) fn find(&self, key: Key) -> Option<Data> {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(miri)))]
        // SAFETY: the whole program is built for processors with AVX2.
        return unsafe { find_by_vectors(self, key) };
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", not(miri))))]
        find_by_words(self, key)
    }
}

#[cfg(any(test, miri, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline]
fn find_by_words(bucket: &Bucket, key: Key) -> Option<Data> {
    let mut known = Data::EMPTY;
    for (found, data) in bucket.entries().rev() {
        known = std::hint::select_unpredictable(found == key, data, known);
    }
    (known != Data::EMPTY).then_some(known)
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(miri)))]
#[target_feature(enable = "avx2")]
#[inline]
fn find_by_vectors(bucket: &Bucket, key: Key) -> Option<Data> {
    use std::arch::x86_64::{
        __m256i, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_movemask_pd, _mm256_set1_epi64x,
    };
    let (found, data): (__m256i, __m256i);
    // SAFETY: the two halves of a bucket, which are aligned to 64 bytes as it is; nothing is written. To other threads these are
    // relaxed loads of its eight words, in no order: aligned words are never torn, also as parts of a vector. Assembly, because
    // for the language an ordinary load of a vector would be a race with their stores.
    unsafe {
        std::arch::asm!(
            "vmovdqa {data}, [{bucket} + 32]",
            "vpxor {found}, {data}, [{bucket}]",
            bucket = in(reg) &raw const *bucket,
            found = lateout(ymm_reg) found,
            data = out(ymm_reg) data,
            options(readonly, nostack, preserves_flags),
        );
    }
    let same = _mm256_cmpeq_epi64(found, _mm256_set1_epi64x(key.0.cast_signed()));
    let ways = _mm256_movemask_pd(_mm256_castsi256_pd(same));
    if ways == 0 {
        return None;
    }
    // SAFETY: both are 32 bytes that may have any value.
    let data: [u64; crate::entry::WAYS] = unsafe { std::mem::transmute(data) };
    let known = Data(data[ways.trailing_zeros() as usize % crate::entry::WAYS]);
    (known != Data::EMPTY).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::WAYS;

    /// Every way to fill a bucket with a few keys, and entries that are still empty after them.
    #[test]
    fn the_first_entry_of_a_key_is_found() {
        let keys = [Key(0), Key(7), Key(u64::MAX)];
        for written in 0..=WAYS {
            for choice in 0..keys.len().pow(written as u32) {
                let bucket = Bucket::default();
                let entry = |way: usize| {
                    let key = keys[choice / keys.len().pow(way as u32) % keys.len()];
                    (key, Data::new(way as u64, 3, 1))
                };
                let entries: Vec<_> = (0..written).map(entry).collect();
                entries.iter().enumerate().for_each(|(way, &(key, data))| bucket.write(way, key, data));
                for key in keys.into_iter().chain([Key(1)]) {
                    let known = entries.iter().find(|(other, _)| *other == key).map(|(_, data)| *data);
                    assert_eq!(bucket.find(key), known, "{key:?} in {entries:?}");
                    assert_eq!(find_by_words(&bucket, key), known, "{key:?} in {entries:?}, by words");
                }
            }
        }
    }
}
