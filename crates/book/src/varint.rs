//! Numbers in as few bytes as they need: seven bits each, least significant first, the top bit set on
//! all bytes but the last (LEB128). Only the shortest form is read back.

/// Appends a number.
#[inline]
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a number off the front; `None` when it is cut off, too long or not in its shortest form.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(u64::from(first));
    }
    take_long(bytes)
}

/// Most numbers have one byte: the others are not worth being inlined.
#[inline(never)]
fn take_long(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().enumerate().take(10) {
        let part = u64::from(byte & 0x7F);
        if i == 9 && part > 1 {
            return None;
        }
        value |= part << (7 * i);
        if byte < 0x80 {
            *bytes = bytes.get(i + 1..)?;
            return (byte != 0).then_some(value);
        }
    }
    None
}

/// Takes bytes off the front.
#[inline]
pub fn take_slice<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (slice, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(slice)
}

/// Takes bytes off the front, their number before them.
#[inline]
pub fn take_sized<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = usize::try_from(take(bytes)?).ok()?;
    take_slice(bytes, len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_put_is_taken(value: u64, shift in 0u32..64, rest: Vec<u8>) {
            let value = value >> shift;
            let mut bytes = Vec::new();
            put(&mut bytes, value);
            bytes.extend(&rest);
            let mut cursor = &bytes[..];
            prop_assert_eq!(take(&mut cursor), Some(value));
            prop_assert_eq!(cursor, &rest[..]);
        }

        #[test]
        fn what_is_taken_is_what_would_be_put(bytes: Vec<u8>) {
            let mut cursor = &bytes[..];
            if let Some(value) = take(&mut cursor) {
                let mut again = Vec::new();
                put(&mut again, value);
                prop_assert_eq!(&again[..], &bytes[..bytes.len() - cursor.len()]);
            }
        }
    }
}
