//! Sets as bits of a word: what several games and batches need of them.

/// The place of set bit number `n` of a word, from 0; 64 when it has fewer.
///
/// Without a branch: how many bits lie before the one drawn by lot is what no processor can guess.
#[inline]
pub const fn nth_bit(word: u64, n: u32) -> u32 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let n = if n < u64::BITS { n } else { u64::BITS };
    // In each byte the number of its bits, then that of all bytes up to it.
    let pairs = word - (word >> 1 & ONES * 0x55);
    let nibbles = (pairs & ONES * 0x33) + (pairs >> 2 & ONES * 0x33);
    let sums = ((nibbles + (nibbles >> 4)) & ONES * 0x0F).wrapping_mul(ONES);
    // The bytes whose sums are not above `n` lie before the bit.
    let before = 8 * ((n as u64 * ONES | HIGH).wrapping_sub(sums) & HIGH).count_ones();
    if before >= u64::BITS {
        return u64::BITS;
    }
    let left = n - ((sums << 8) >> before & 0xFF) as u32;
    before + NTH[(word >> before & 0xFF) as usize][left as usize & 7] as u32
}

/// For each byte the places of its bits.
static NTH: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut left, mut n) = (byte, 0);
        while left != 0 {
            table[byte][n] = left.trailing_zeros() as u8;
            left &= left - 1;
            n += 1;
        }
        byte += 1;
    }
    table
};

/// Another place for every set bit of a word.
///
/// Four at a time, whether or not there are as many: where a loop over so few bits ends is another thing no
/// processor can guess.
#[inline]
pub fn moved(mut word: u64, place: impl Fn(usize) -> u8) -> u64 {
    let mut moved = 0;
    while word != 0 {
        for _ in 0..4 {
            let bit = word.trailing_zeros() as usize % 64;
            moved |= u64::from(word != 0) << (place(bit) % 64);
            word &= word.wrapping_sub(1);
        }
    }
    moved
}

/// The places of the set bits of a word, lowest first.
#[inline]
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let place = word.trailing_zeros() as usize;
            word &= word - 1;
            place
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[test]
    fn bits_are_found_by_their_number() {
        let mut rng = SplitMix64::new(4);
        let words =
            (0..2000).map(|i| rng.next() & if i % 2 == 0 { u64::MAX } else { rng.next() & rng.next() });
        for word in words.chain([0, 1, 1 << 63, u64::MAX]) {
            let places: Vec<usize> = ones(word).collect();
            assert_eq!(places, (0..64).filter(|&i| word >> i & 1 != 0).collect::<Vec<_>>());
            for n in (0..66).chain([128, u32::MAX]) {
                let place = places.get(n as usize).map_or(64, |&place| place as u32);
                assert_eq!(nth_bit(word, n), place, "bit {n} of {word:#x}");
            }
        }
    }

    #[test]
    fn bits_move_where_they_are_sent() {
        let mut rng = SplitMix64::new(8);
        for word in (0..200).map(|_| rng.next() & rng.next() & rng.next()).chain([0, 1, u64::MAX]) {
            assert_eq!(moved(word, |bit| 63 - bit as u8), word.reverse_bits());
        }
    }
}
