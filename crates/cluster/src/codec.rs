//! Small numbers in few bytes, and keys one after the other.

use tabia_book::varint;
use tabia_core::Packed;

/// The top bit of each byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Appends a number, as `varint` does: all bytes of it at once, where they are eight at most.
#[inline]
pub(crate) fn put_number(out: &mut Vec<u8>, value: u64) {
    if value >> 56 != 0 {
        return varint::put(out, value);
    }
    // Seven bits go into each byte: first in halves, then in quarters, then in eighths.
    let word = value & 0x0FFF_FFFF | (value & 0x00FF_FFFF_F000_0000) << 4;
    let word = word & 0x0000_3FFF_0000_3FFF | (word & 0x0FFF_C000_0FFF_C000) << 2;
    let word = word & 0x007F_007F_007F_007F | (word & 0x3F80_3F80_3F80_3F80) << 1;
    let more = value.max(1).ilog2() / 7;
    let word = word | TOPS & ((1 << (8 * more)) - 1);
    let at = out.len();
    out.extend_from_slice(&word.to_le_bytes());
    out.truncate(at + more as usize + 1);
}

/// Takes a number off the front, as `varint` does.
#[inline]
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let Some(word) = bytes.first_chunk::<8>() else { return varint::take(bytes) };
    let word = u64::from_le_bytes(*word);
    let stops = !word & TOPS;
    if stops == 0 {
        return varint::take(bytes);
    }
    let word = word & (stops ^ (stops - 1));
    let last = stops.trailing_zeros() / 8;
    if last > 0 && word >> (8 * last) == 0 {
        return None;
    }
    *bytes = bytes.get(last as usize + 1..)?;
    let word = word & 0x007F_007F_007F_007F | (word & 0x7F00_7F00_7F00_7F00) >> 1;
    let word = word & 0x0000_3FFF_0000_3FFF | (word & 0x3FFF_0000_3FFF_0000) >> 2;
    Some(word & 0x0FFF_FFFF | (word & 0x0FFF_FFFF_0000_0000) >> 4)
}

/// Appends a key, with its length where keys have several.
#[inline]
pub(crate) fn put_key<P: Packed>(out: &mut Vec<u8>, key: &P) {
    let bytes = key.as_bytes();
    if !P::ONE_LENGTH {
        put_number(out, bytes.len() as u64);
    }
    out.extend_from_slice(bytes);
}

/// Takes a key off the front.
#[inline]
pub(crate) fn take_key<P: Packed>(bytes: &mut &[u8]) -> Option<P> {
    let len = if P::ONE_LENGTH { P::MOST_BYTES } else { usize::try_from(take_number(bytes)?).ok()? };
    let (key, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    P::from_bytes(key)
}

/// All keys of some bytes.
pub(crate) fn keys<P: Packed>(mut bytes: &[u8]) -> Option<Vec<P>> {
    let mut keys = Vec::with_capacity(bytes.len() / P::MOST_BYTES.max(1));
    while !bytes.is_empty() {
        keys.push(take_key(&mut bytes)?);
    }
    Some(keys)
}

/// Takes so many bytes off the front.
pub(crate) fn take_bytes<'a>(bytes: &mut &'a [u8], len: u64) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(usize::try_from(len).ok()?)?;
    *bytes = rest;
    Some(taken)
}

/// Numbers of two bytes each.
pub(crate) fn shorts(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::SplitMix64;

    #[test]
    fn numbers_are_those_of_varint() {
        let mut rng = SplitMix64::new(5);
        for round in 0..20_000 {
            let value = rng.next() >> (round % 64);
            let (mut ours, mut theirs) = (vec![1], vec![1]);
            put_number(&mut ours, value);
            varint::put(&mut theirs, value);
            assert_eq!(ours, theirs, "{value}");
            // Often cut off, sometimes too long, and anything may follow.
            let mut bytes = [0; 12].map(|_: u8| if rng.below(3) == 0 { 0 } else { rng.next() as u8 });
            if round % 2 == 0 {
                bytes[..theirs.len() - 1].copy_from_slice(&theirs[1..]);
            }
            let text = &bytes[..rng.below(13) as usize];
            let (mut one, mut other) = (text, text);
            let taken = varint::take(&mut other);
            assert_eq!(take_number(&mut one), taken, "{text:?}");
            assert!(taken.is_none() || one == other);
        }
    }

    #[test]
    fn numbers_and_keys_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put_number(&mut bytes, number));
        let mut rest = &bytes[..];
        assert!(numbers.iter().all(|&number| take_number(&mut rest) == Some(number)));
        assert_eq!((rest.len(), take_number(&mut rest)), (0, None));
        assert_eq!(take_number(&mut &[0xFF; 12][..]), None);

        let all = [[1u8, 2, 3], [4, 5, 6]];
        let mut bytes = Vec::new();
        all.iter().for_each(|key| put_key(&mut bytes, key));
        assert_eq!(keys::<[u8; 3]>(&bytes).unwrap(), all);
        assert_eq!(keys::<[u8; 3]>(&bytes[1..]), None);
    }
}
