//! The positions a game has been in, as far as they can come back.

use tabia_core::Key;

/// Keys of positions that can come back, and a sieve that knows of nearly every new key, without looking through them, that
/// it cannot have come often enough.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    keys: Vec<Key>,
    /// The low bits of the keys that came at least once.
    once: u64,
    /// Those that came at least twice.
    twice: u64,
}

impl History {
    /// Forgets everything.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        (self.once, self.twice) = (0, 0);
    }

    /// Adds a position, and tells how often it has come by now. Where that cannot be `enough` times it may say 1.
    #[inline]
    pub(crate) fn add(&mut self, key: Key, enough: u32) -> u32 {
        let bit = 1 << (key.0 % 64);
        let sieve = if enough >= 3 { self.twice } else { self.once };
        let before = if sieve & bit == 0 { 0 } else { self.count(key) };
        self.twice |= self.once & bit;
        self.once |= bit;
        self.keys.push(key);
        before + 1
    }

    #[inline(never)]
    fn count(&self, key: Key) -> u32 {
        self.keys.iter().map(|&seen| u32::from(seen == key)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::SplitMix64;

    #[test]
    fn the_sieve_lets_no_repetition_through() {
        let mut rng = SplitMix64::new(9);
        for enough in 2..5 {
            let mut history = History::default();
            let mut all: Vec<Key> = Vec::new();
            for _ in 0..200 {
                // Some of few keys, and keys that only look alike.
                let key = Key(rng.below(60) + 64 * rng.below(2));
                all.push(key);
                let came = all.iter().filter(|&&seen| seen == key).count() as u32;
                let told = history.add(key, enough);
                assert_eq!(told >= enough, came >= enough, "{key}, {came} times");
                if rng.below(50) == 0 {
                    history.clear();
                    all.clear();
                }
            }
        }
    }
}
