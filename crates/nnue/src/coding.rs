//! Weights in few bytes: a binary arithmetic coder that learns how large they are.
//!
//! Weights come in rows. How large one will be is told best by those before it in its row and above it in its column: their
//! averages choose which chances are learnt and used. A weight is coded as decisions: whether it is zero, its sign, how many
//! bits it has, and those bits.
//!
//! ```text
//!   zero?   sign   class: one bit after the other says "more"   bits below the highest, the highest first
//! ```
//!
//! Writing and reading make the same decisions in the same order ([`Coder`]), so that both are one function.

use crate::NetError;

/// How likely a decision is to be "yes", in parts of 65,536: the mean of a quick and of a slow learner.
#[derive(Clone, Copy)]
struct Chance {
    quick: u16,
    slow: u16,
}

impl Chance {
    const EVEN: Chance = Chance { quick: 1 << 15, slow: 1 << 15 };
    /// Nothing is certain.
    const LEAST: u32 = 32;

    fn yes(self) -> u32 {
        let mean = u32::from(self.quick.midpoint(self.slow));
        mean.clamp(Self::LEAST, (1 << 16) - Self::LEAST)
    }

    fn learn(&mut self, yes: bool) {
        if yes {
            self.quick += (u16::MAX - self.quick) >> 4;
            self.slow += (u16::MAX - self.slow) >> 7;
        } else {
            self.quick -= self.quick >> 4;
            self.slow -= self.slow >> 7;
        }
    }
}

/// Somebody who writes decisions, or reads them.
trait Coder {
    /// Writes a decision and returns it, or returns the one that is read.
    fn decide(&mut self, chance: &mut Chance, yes: bool) -> bool;
}

/// The range is widened by a byte when it is narrower than this.
const NARROW: u32 = 1 << 24;

/// Writes decisions.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
    low: u64,
    range: u32,
    /// The last byte that a carry may still change, and how many bytes of ones follow it.
    last: u8,
    ones: u64,
}

impl<'a> Writer<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        Writer { out, low: 0, range: u32::MAX, last: 0, ones: 0 }
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let next = (self.low >> 24) as u8;
        if carry == 1 || next < 0xff {
            self.out.push(self.last.wrapping_add(carry));
            for _ in 0..std::mem::take(&mut self.ones) {
                self.out.push(0xff_u8.wrapping_add(carry));
            }
            self.last = next;
        } else {
            self.ones += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    fn finish(mut self) {
        (0..5).for_each(|_| self.shift());
    }
}

impl Coder for Writer<'_> {
    fn decide(&mut self, chance: &mut Chance, yes: bool) -> bool {
        let bound = (self.range >> 16) * chance.yes();
        if yes {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        chance.learn(yes);
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        yes
    }
}

/// Reads decisions; behind the end there are zeros, and it is known that they were read.
struct Reader<'a> {
    bytes: std::slice::Iter<'a, u8>,
    code: u32,
    range: u32,
    is_short: bool,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Reader { bytes: bytes.iter(), code: 0, range: u32::MAX, is_short: false };
        // The first byte is the one that nothing was carried into: zero.
        (0..5).for_each(|_| reader.shift());
        reader
    }

    fn shift(&mut self) {
        let next = self.bytes.next();
        self.is_short |= next.is_none();
        self.code = self.code << 8 | u32::from(next.copied().unwrap_or(0));
    }
}

impl Coder for Reader<'_> {
    fn decide(&mut self, chance: &mut Chance, _: bool) -> bool {
        let bound = (self.range >> 16) * chance.yes();
        let yes = self.code < bound;
        if yes {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        chance.learn(yes);
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        yes
    }
}

/// Averages of the neighbours' sizes have so many bits behind the point.
const POINT: u32 = 6;
/// What neighbours are thought to be before there are some.
const USUAL: u32 = 4 << POINT;
/// The product of two averages has so many bits at most: as many are told apart.
const CONTEXTS: usize = 2 * (16 + POINT as usize) + 1;
/// A weight has so many bits at most, the highest not counted.
const CLASSES: usize = 15;

/// What was learnt about weights.
struct Model {
    zero: [Chance; CONTEXTS],
    negative: Chance,
    more: [[Chance; CLASSES]; CONTEXTS],
    /// The two bits below the highest, by how many there are.
    upper: [[Chance; 3]; CLASSES + 1],
    /// All others.
    lower: Chance,
}

impl Model {
    fn new() -> Self {
        Model {
            zero: [Chance::EVEN; CONTEXTS],
            negative: Chance::EVEN,
            more: [[Chance::EVEN; CLASSES]; CONTEXTS],
            upper: [[Chance::EVEN; 3]; CLASSES + 1],
            lower: Chance::EVEN,
        }
    }

    /// Writes a weight and returns it, or returns the one that is read.
    fn weight(&mut self, coder: &mut impl Coder, context: usize, weight: i16) -> i16 {
        let size = weight.unsigned_abs();
        if coder.decide(&mut self.zero[context], size == 0) {
            return 0;
        }
        let negative = coder.decide(&mut self.negative, weight < 0);
        let (bits, mut class) = (size.checked_ilog2().unwrap_or(0) as usize, 0);
        while class < CLASSES && coder.decide(&mut self.more[context][class], class < bits) {
            class += 1;
        }
        let mut coded = 1_u16;
        for place in (0..class).rev() {
            let chance = match class - place {
                1 => &mut self.upper[class][0],
                2 => &mut self.upper[class][1 + usize::from(coded & 1)],
                _ => &mut self.lower,
            };
            coded = coded << 1 | u16::from(coder.decide(chance, size >> place & 1 == 1));
        }
        if negative { coded.wrapping_neg() as i16 } else { coded as i16 }
    }
}

/// Moves an average towards the size of a weight, by a part of 2 to the power of `slowness`.
fn follow(average: &mut u32, size: u16, slowness: u32) {
    *average = *average - (*average >> slowness) + ((u32::from(size) << POINT) >> slowness);
}

/// Writes rows of weights, or reads them into their places.
fn code(coder: &mut impl Coder, weights: &mut [i16], width: usize) {
    let mut model = Model::new();
    let mut columns = vec![USUAL; width];
    let mut row_average = USUAL;
    for row in weights.chunks_mut(width.max(1)) {
        for (weight, column) in row.iter_mut().zip(&mut columns) {
            let product = u64::from(*column) * u64::from(row_average);
            let context = product.checked_ilog2().map_or(0, |bits| bits as usize + 1);
            *weight = model.weight(coder, context.min(CONTEXTS - 1), *weight);
            follow(column, weight.unsigned_abs(), 3);
            follow(&mut row_average, weight.unsigned_abs(), 5);
        }
    }
}

/// Appends rows of so many weights each.
pub(crate) fn put(out: &mut Vec<u8>, parts: &mut [(&mut [i16], usize)]) {
    let mut writer = Writer::new(out);
    parts.iter_mut().for_each(|(weights, width)| code(&mut writer, weights, *width));
    writer.finish();
}

/// Reads them into their places; there are neither fewer bytes nor more.
pub(crate) fn take(bytes: &[u8], parts: &mut [(&mut [i16], usize)]) -> Result<(), NetError> {
    let mut reader = Reader::new(bytes);
    parts.iter_mut().for_each(|(weights, width)| code(&mut reader, weights, *width));
    if reader.is_short || reader.bytes.next().is_some() {
        return Err(NetError::Damaged("its weights are too few or too many"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::SplitMix64;

    fn both_ways(weights: &[i16], width: usize) -> usize {
        let (mut bytes, mut given) = (Vec::new(), weights.to_vec());
        put(&mut bytes, &mut [(&mut given, width)]);
        assert_eq!(given, weights);
        let mut read = vec![0; weights.len()];
        take(&bytes, &mut [(&mut read, width)]).unwrap();
        assert_eq!(read, weights);
        for wrong in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
            assert!(take(wrong, &mut [(&mut read, width)]).is_err());
        }
        bytes.len()
    }

    #[test]
    fn weights_of_every_size_come_back() {
        let mut rng = SplitMix64::new(8);
        both_ways(&[], 16);
        both_ways(&[i16::MIN, i16::MAX, 0, -1, 1, 255, -256], 3);
        both_ways(&[i16::MIN; 4000], 16);
        both_ways(&[-1; 4000], 16);
        for bits in 0..16 {
            let weight = |_| (rng.next() as i16) >> bits;
            both_ways(&(0..5000).map(weight).collect::<Vec<_>>(), 48);
        }
    }

    #[test]
    fn rows_and_columns_of_small_weights_take_few_bytes() {
        let mut rng = SplitMix64::new(9);
        let weight = |at: usize| {
            let small = (at / 64).is_multiple_of(4) || at % 64 < 16;
            (rng.next() as i16) >> if small { 14 } else { 8 }
        };
        let weights: Vec<i16> = (0..64 * 500).map(weight).collect();
        // Seven sixteenths of the weights have two bits and the others eight, and little is lost.
        let fewest = weights.len() * (7 * 2 + 9 * 8) / 16 / 8;
        let bytes = both_ways(&weights, 64);
        assert!((fewest..fewest * 6 / 5).contains(&bytes), "{bytes} of {fewest}");
        assert!(both_ways(&vec![0; 100_000], 100) < 200);
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut rng = SplitMix64::new(10);
        for len in 0..200 {
            let bytes: Vec<u8> = (0..len).map(|_| rng.next() as u8).collect();
            let _ = take(&bytes, &mut [(&mut [0; 300], 20)]);
        }
    }
}
