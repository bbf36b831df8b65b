//! Small numbers in few bytes, and keys one after the other.

use tabia_core::Packed;

pub(crate) use tabia_book::varint::{put as put_number, take as take_number};

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
