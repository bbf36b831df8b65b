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
    let pairs = word - ((word >> 1) & (ONES * 0x55));
    let nibbles = (pairs & (ONES * 0x33)) + ((pairs >> 2) & (ONES * 0x33));
    let sums = ((nibbles + (nibbles >> 4)) & (ONES * 0x0F)).wrapping_mul(ONES);
    // The bytes whose sums are not above `n` lie before the bit.
    let before = 8 * (((n as u64 * ONES) | HIGH).wrapping_sub(sums) & HIGH).count_ones();
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

/// Which bits of a word are moved, and by how much: what gathers the bits of a mask at the bottom, and scatters them again.
///
/// In six steps bits move by 1, 2, 4 .. 32 places; each bit of the mask takes those steps whose sum is the number of
/// zeros below it.
#[derive(Clone, Copy, Debug)]
pub struct Gather {
    mask: u64,
    steps: [u64; 6],
}

impl Gather {
    /// Prepares to gather the bits of a mask.
    #[inline]
    pub const fn new(mask: u64) -> Self {
        let (mut left, mut zeros, mut steps) = (mask, !mask << 1, [0; 6]);
        let mut n = 0;
        while n < 6 {
            // Whether the zeros below each bit that are still counted are odd in number.
            let odd = parity_below(zeros);
            steps[n] = odd & left;
            left = (left ^ steps[n]) | steps[n] >> (1 << n);
            zeros &= !odd;
            n += 1;
        }
        Gather { mask, steps }
    }

    /// The bits of the mask in each of these words, side by side from bit 0 on.
    #[inline]
    pub fn gather<const N: usize>(&self, words: [u64; N]) -> [u64; N] {
        let mut words = words.map(|word| word & self.mask);
        for (n, step) in self.steps.iter().enumerate() {
            words = words.map(|word| {
                let moving = word & step;
                (word ^ moving) | moving >> (1 << n)
            });
        }
        words
    }

    /// The lowest bits of each of these words at the places of the mask's bits: the inverse.
    #[inline]
    pub fn scatter<const N: usize>(&self, mut words: [u64; N]) -> [u64; N] {
        for (n, step) in self.steps.iter().enumerate().rev() {
            words = words.map(|word| (word & !step) | (word << (1 << n) & step));
        }
        words.map(|word| word & self.mask)
    }
}

/// For each bit the parity of the bits up to it, itself included.
#[inline]
const fn parity_below(word: u64) -> u64 {
    let word = word ^ word << 1;
    let word = word ^ word << 2;
    let word = word ^ word << 4;
    let word = word ^ word << 8;
    let word = word ^ word << 16;
    word ^ word << 32
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

    #[test]
    fn gathered_bits_are_scattered_again() {
        let mut rng = SplitMix64::new(6);
        for mask in (0..500).map(|_| rng.next() & rng.next()).chain([0, 1, 1 << 63, u64::MAX]) {
            let word = mask.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let gathered = ones(mask).enumerate().fold(0, |sum, (n, bit)| sum | (word >> bit & 1) << n);
            let gather = Gather::new(mask);
            assert_eq!(gather.gather([word, !word])[0], gathered);
            assert_eq!(gather.scatter([gathered]), [word & mask]);
        }
    }
}
