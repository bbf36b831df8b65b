//! Sets as bits of a word: what several games and batches need of them.

/// The place of set bit number `n` of a word, from 0; 64 when it has fewer.
///
/// Without a branch: how many bits lie before the one drawn by lot is what no processor can guess.
#[inline]
pub const fn nth_bit(word: u64, n: u32) -> u32 {
    if n >= word.count_ones() {
        return u64::BITS;
    }
    let counts = byte_counts(word);
    let byte = bytes_not_above(counts.wrapping_mul(ONES), n);
    nth_in_byte(word, counts.wrapping_mul(ONES << 8), byte, n)
}

/// The place of set bit number `n` of two words, one after the other; 128 when they have fewer.
///
/// Both words are counted whichever has the bit: that is done before the number is known, when lots are drawn.
#[inline]
pub const fn nth_bit_of_two([low, high]: [u64; 2], n: u32) -> u32 {
    if n >= low.count_ones() + high.count_ones() {
        return u128::BITS;
    }
    let (low_counts, high_counts) = (byte_counts(low), byte_counts(high));
    let low_ends = low_counts.wrapping_mul(ONES);
    // What the low word has comes before everything in the high one.
    let before_high = (low.count_ones() as u64).wrapping_mul(ONES);
    let high_ends = high_counts.wrapping_mul(ONES).wrapping_add(before_high);
    let byte = bytes_not_above(low_ends, n) + bytes_not_above(high_ends, n);
    let (before_low, before_high) = (low_ends.wrapping_sub(low_counts), high_ends.wrapping_sub(high_counts));
    let (word, before) = if byte < 8 { (low, before_low) } else { (high, before_high) };
    (byte & 8) * 8 + nth_in_byte(word, before, byte & 7, n)
}

/// How many bytes are not above a number, which is below 128; they are at most 128.
#[inline]
const fn bytes_not_above(bytes: u64, n: u32) -> u32 {
    const HIGH: u64 = ONES << 7;
    (((n as u64).wrapping_mul(ONES) | HIGH).wrapping_sub(bytes) & HIGH).count_ones()
}

/// The place of set bit number `n`, which is in this byte; `before` has for each byte the number of bits before it.
#[inline]
const fn nth_in_byte(word: u64, before: u64, byte: u32, n: u32) -> u32 {
    let left = n.wrapping_sub((before >> (8 * byte)) as u32);
    8 * byte + NTH[(word >> (8 * byte) & 0xFF) as usize][left as usize & 7] as u32
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

/// What gathers the bits of a mask at the bottom of a word, and scatters them again.
///
/// In six steps bits move by 1, 2, 4 .. 32 places; each bit of the mask takes the steps whose sum is the number of zeros
/// below it.
#[derive(Clone, Copy, Debug)]
pub struct Gather {
    mask: u64,
    /// The bits that move, step by step.
    steps: [u64; 6],
}

impl Gather {
    /// Prepares to gather the bits of a mask.
    #[inline]
    pub const fn new(mask: u64) -> Self {
        let (zeros, mut left, mut steps) = (ones_below(!mask), mask, [0; 6]);
        let mut n = 0;
        while n < 6 {
            steps[n] = zeros[n] & left;
            left = (left ^ steps[n]) | steps[n] >> (1 << n);
            n += 1;
        }
        Gather { mask, steps }
    }

    /// The bits of the mask in each of these words, side by side from bit 0 on.
    // A call of its own, so that the words are worked on side by side in one register.
    #[inline(never)]
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

/// For each place of a word the number of ones below it, in binary: its bit number n is the place's bit of word n.
///
/// All places are added up side by side, first within bytes, then what the bytes below have.
#[inline]
const fn ones_below(word: u64) -> [u64; 6] {
    let one = up(word, 1);
    let [a0, a1] = add(one, up(one, 1), 0);
    let [b0, carry] = add(a0, up(a0, 2), 0);
    let [b1, b2] = add(a1, up(a1, 2), carry);
    let [c0, carry] = add(b0, up(b0, 4), 0);
    let [c1, carry] = add(b1, up(b1, 4), carry);
    let [c2, _] = add(b2, up(b2, 4), carry);
    let below = byte_counts(word).wrapping_mul(ONES) << 8;
    let [d0, carry] = add(c0, whole(below), 0);
    let [d1, carry] = add(c1, whole(below >> 1), carry);
    let [d2, carry] = add(c2, whole(below >> 2), carry);
    let [d3, carry] = add(0, whole(below >> 3), carry);
    let [d4, carry] = add(0, whole(below >> 4), carry);
    let [d5, _] = add(0, whole(below >> 5), carry);
    [d0, d1, d2, d3, d4, d5]
}

/// The sum of three bits at every place, and the carry.
#[inline]
const fn add(a: u64, b: u64, carry: u64) -> [u64; 2] {
    [a ^ b ^ carry, a & b | carry & (a ^ b)]
}

/// Bits moved up within their bytes.
#[inline]
const fn up(word: u64, by: u32) -> u64 {
    (word & (ONES * (0xFF >> by))) << by
}

/// Bytes full of ones where the lowest bit is set.
#[inline]
const fn whole(word: u64) -> u64 {
    (word & ONES).wrapping_mul(0xFF)
}

/// One in every byte.
const ONES: u64 = u64::MAX / 255;

/// In each byte the number of its bits.
#[inline]
const fn byte_counts(word: u64) -> u64 {
    let pairs = word - ((word >> 1) & (ONES * 0x55));
    let nibbles = (pairs & (ONES * 0x33)) + ((pairs >> 2) & (ONES * 0x33));
    (nibbles + (nibbles >> 4)) & (ONES * 0x0F)
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
                assert_eq!(nth_bit_of_two([word, 0], n), if place < 64 { place } else { 128 });
                assert_eq!(nth_bit_of_two([0, word], n), 64 + place);
                let both = if n == 0 { 0 } else { 64 + places.get(n as usize - 1).map_or(64, |&p| p as u32) };
                assert_eq!(nth_bit_of_two([1, word], n), both);
            }
        }
    }

    #[test]
    fn bits_of_two_words_are_found_by_their_number() {
        let mut rng = SplitMix64::new(5);
        let words = (0..2000).map(|_| [rng.next() & rng.next(), rng.next() & rng.next()]);
        for words in words.chain([[0, 0], [0, 1], [1 << 63, 0], [u64::MAX, u64::MAX]]) {
            let places: Vec<usize> = ones(words[0]).chain(ones(words[1]).map(|place| 64 + place)).collect();
            for n in (0..130).chain([192, 256, u32::MAX]) {
                let place = places.get(n as usize).map_or(128, |&place| place as u32);
                assert_eq!(nth_bit_of_two(words, n), place, "bit {n} of {words:x?}");
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
