//! Who owns a position: a hash of its key names a shard, and every worker has some of the shards.
//!
//! Positions are numbered within their shard, whoever owns it. So files and numbers stay right when the work goes on
//! with another number of workers.

/// Parts of the set of positions.
pub(crate) const SHARDS: usize = 256;

/// A hash whose every bit depends on every bit of the key: products folded onto themselves.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    #[inline]
    fn fold(hash: u64, word: u64) -> u64 {
        let product = u128::from(hash ^ word) * 0xD6E8_FEB8_6659_FD93;
        product as u64 ^ (product >> 64) as u64
    }
    let (words, rest) = bytes.as_chunks::<8>();
    let start = 0x51_7C_C1_B7_27_22_0A_95 ^ bytes.len() as u64;
    let hash = words.iter().fold(start, |hash, word| fold(hash, u64::from_le_bytes(*word)).rotate_left(29));
    let last = rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte));
    let hash = if rest.is_empty() { hash } else { fold(hash, last) };
    fold(hash, 0x9E37_79B9_7F4A_7C15)
}

/// A cheaper hash, for tables within a shard.
#[inline]
pub(crate) fn quick_hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(1, |last, byte| last << 8 | u64::from(*byte));
    let hash = if rest.is_empty() { hash } else { step(hash, last) };
    // The lower bits of a product know little of the upper ones.
    hash ^ hash >> 32
}

/// The shard of a key.
#[inline]
pub(crate) fn shard_of(key: &[u8]) -> usize {
    (hash(key) >> 56) as usize
}

/// The worker that owns a shard.
#[inline]
pub(crate) fn owner(shard: usize, workers: usize) -> usize {
    shard % workers
}

/// For each shard its owner, and its place among those that the owner has: looked up, because dividing for every record
/// takes time.
pub(crate) fn places(workers: usize) -> Vec<(usize, usize)> {
    (0..SHARDS).map(|shard| (owner(shard, workers), shard / workers)).collect()
}

/// The shards that a worker owns.
pub(crate) fn owned(me: usize, workers: usize) -> impl Iterator<Item = usize> {
    (me..SHARDS).step_by(workers.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_alike_in_size_for_keys_that_differ_in_few_bits() {
        for shift in [0, 8, 24, 40] {
            for width in [8, 13] {
                let mut counts = [0u32; SHARDS];
                for number in 0..256_000u64 {
                    let mut key = [0u8; 16];
                    key[width - 8..width].copy_from_slice(&(number << shift).to_le_bytes());
                    counts[shard_of(&key[..width])] += 1;
                }
                // 1000 each: five standard deviations are 158.
                assert!(
                    counts.iter().all(|count| (800..1200).contains(count)),
                    "{shift} {width}: {counts:?}"
                );
            }
        }
    }

    #[test]
    fn every_shard_has_one_owner() {
        for workers in 1..=16 {
            for shard in 0..SHARDS {
                let owners = (0..workers).filter(|&me| owned(me, workers).any(|own| own == shard));
                assert_eq!(owners.collect::<Vec<_>>(), [owner(shard, workers)]);
                let (owner, place) = places(workers)[shard];
                assert_eq!(owned(owner, workers).nth(place), Some(shard));
            }
        }
    }
}
