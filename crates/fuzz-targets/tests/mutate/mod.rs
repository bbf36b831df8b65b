//! Inputs made from stored ones by small changes, the same for the same seed: what a fuzzer does, without looking at what a program passes through.

use tabia_core::SplitMix64;

/// Bytes that readers treat in ways of their own.
const PARTICULAR: &[u8] = b"\0\n\r\t \"'()*+,-./0129:;?@KX[\\]_{|}\x7f\x80\xc3\xff";
/// No input becomes longer.
const LONGEST: usize = 4096;

/// Makes inputs from a corpus, which is not empty.
pub(crate) struct Mutator<'a> {
    corpus: &'a [Vec<u8>],
    rng: SplitMix64,
}

impl<'a> Mutator<'a> {
    pub(crate) fn new(corpus: &'a [Vec<u8>], seed: u64) -> Self {
        Mutator { corpus, rng: SplitMix64::new(seed) }
    }

    /// One of the stored inputs with one to six changes.
    pub(crate) fn input(&mut self) -> Vec<u8> {
        let mut data = self.stored().to_vec();
        for _ in 0..=self.rng.below(6) {
            self.change(&mut data);
        }
        data.truncate(LONGEST);
        data
    }

    fn stored(&mut self) -> &'a [u8] {
        &self.corpus[self.rng.below(self.corpus.len() as u64) as usize]
    }

    fn change(&mut self, data: &mut Vec<u8>) {
        let at = self.place(data.len());
        let (from, to) = self.range(data.len());
        match self.rng.below(8) {
            0 => data.truncate(at),
            1 => data.insert(at, self.byte()),
            2 => drop(data.drain(from..to)),
            3 => {
                let twice = data[from..to].to_vec();
                data.splice(at..at, twice);
            }
            4 => {
                // A piece of another input, or of the same.
                let other = self.stored();
                let (first, last) = self.range(other.len());
                data.splice(from..to, other[first..last].iter().copied());
            }
            5 => data[from..to].reverse(),
            6 if at < data.len() => data[at] ^= 1 << self.rng.below(8),
            _ if at < data.len() => data[at] = self.byte(),
            _ => data.push(self.byte()),
        }
    }

    fn byte(&mut self) -> u8 {
        match self.rng.below(3) {
            0 => self.rng.next() as u8,
            _ => PARTICULAR[self.rng.below(PARTICULAR.len() as u64) as usize],
        }
    }

    fn place(&mut self, length: usize) -> usize {
        self.rng.below(length as u64 + 1) as usize
    }

    /// Short ones more often than long ones.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.place(length);
        let most = if self.rng.below(4) == 0 { length - from } else { (length - from).min(8) };
        (from, from + self.place(most))
    }
}
