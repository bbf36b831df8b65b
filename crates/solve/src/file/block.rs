//! What stands in one block, before compression.
//!
//! ```text
//! keyed:   shared   u8 x n     bytes each key shares with the one before it (0 for the first)
//!          rest     u8 x n     bytes that follow
//!          bytes               those bytes, key after key
//! both:    values              Distance: low bytes x n, high bytes x n;
//!                              Outcome: two bits each, four to a byte from the lowest:
//!                              0 draw, 1 loss, 2 win, 3 unknown
//! ```

use super::header::{Info, Layout, Precision};
use crate::code;

/// A block as it is written.
#[derive(Default)]
pub(super) struct Encoder {
    shared: Vec<u8>,
    rest: Vec<u8>,
    bytes: Vec<u8>,
    codes: Vec<u16>,
    first: Vec<u8>,
    last: Vec<u8>,
}

impl Encoder {
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    pub(super) fn push_code(&mut self, code: u16) {
        self.codes.push(code);
    }

    pub(super) fn push(&mut self, key: &[u8], code: u16) {
        let first = self.codes.is_empty();
        let shared = if first { 0 } else { key.iter().zip(&self.last).take_while(|(a, b)| a == b).count() };
        if first {
            self.first = key.to_vec();
        }
        self.shared.push(shared as u8);
        self.rest.push((key.len() - shared) as u8);
        self.bytes.extend_from_slice(&key[shared..]);
        self.last.clear();
        self.last.extend_from_slice(key);
        self.codes.push(code);
    }

    /// The key written last.
    pub(super) fn last(&self) -> &[u8] {
        &self.last
    }

    /// The bytes of the block and its first key; the encoder is empty after that.
    pub(super) fn take(&mut self, precision: Precision) -> (Vec<u8>, Vec<u8>) {
        let mut out = std::mem::take(&mut self.shared);
        out.append(&mut self.rest);
        out.append(&mut self.bytes);
        match precision {
            Precision::Distance => {
                out.extend(self.codes.iter().map(|code| *code as u8));
                out.extend(self.codes.iter().map(|code| (code >> 8) as u8));
            }
            Precision::Outcome => out.extend(self.codes.chunks(4).map(|four| {
                four.iter().enumerate().fold(0, |byte, (i, &code)| byte | two_bits(code) << (2 * i))
            })),
        }
        self.codes.clear();
        (out, std::mem::take(&mut self.first))
    }
}

const fn two_bits(code: u16) -> u8 {
    match code {
        code::DRAW => 0,
        code::UNKNOWN => 3,
        _ if code::is_win(code) => 2,
        _ => 1,
    }
}

const fn from_two_bits(bits: u8) -> u16 {
    match bits & 3 {
        0 => code::DRAW,
        1 => code::loss(0),
        2 => code::win(0),
        _ => code::UNKNOWN,
    }
}

/// A block ready to be asked: keys padded to one length, values as they stand in the file.
pub(super) struct Decoded {
    keys: Vec<u8>,
    /// Bytes per padded key: the longest key, and its length at the end.
    stride: usize,
    values: Vec<u8>,
    len: usize,
    precision: Precision,
}

impl Decoded {
    /// Takes the bytes of a block with `len` entries apart; `None` when they are not those of one.
    pub(super) fn new(info: &Info, len: usize, raw: &[u8]) -> Option<Decoded> {
        let values_len = match info.precision {
            Precision::Distance => 2 * len,
            Precision::Outcome => len.div_ceil(4),
        };
        let (front, values) = raw.split_at_checked(raw.len().checked_sub(values_len)?)?;
        let (keys, stride) = match info.layout {
            Layout::Indexed if front.is_empty() => (Vec::new(), 0),
            Layout::Indexed => return None,
            Layout::Keyed => keys(front, len)?,
        };
        Some(Decoded { keys, stride, values: values.to_vec(), len, precision: info.precision })
    }

    pub(super) fn code(&self, at: usize) -> Option<u16> {
        match self.precision {
            Precision::Distance => {
                let high = self.values.get(self.len + at)?;
                Some(u16::from_le_bytes([self.values[at], *high]))
            }
            Precision::Outcome => Some(from_two_bits(self.values.get(at / 4)? >> (2 * (at % 4)))),
        }
    }

    pub(super) fn key(&self, at: usize) -> Option<&[u8]> {
        let padded = self.padded(at)?;
        padded.get(..usize::from(*padded.last()?))
    }

    fn padded(&self, at: usize) -> Option<&[u8]> {
        self.keys.get(at * self.stride..(at + 1) * self.stride)
    }

    /// The code of a key; `None` when the block does not have it.
    pub(super) fn find(&self, key: &[u8]) -> Option<u16> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.key(middle)?.cmp(key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.code(middle),
            }
        }
        None
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// The keys, each padded with zeros to the longest and followed by its length.
fn keys(front: &[u8], len: usize) -> Option<(Vec<u8>, usize)> {
    let (shared, rest) = front.split_at_checked(len)?;
    let (rest, mut bytes) = rest.split_at_checked(len)?;
    let longest = shared.iter().zip(rest).map(|(s, r)| usize::from(*s) + usize::from(*r)).max().unwrap_or(0);
    let stride = longest + 1;
    let mut keys = Vec::with_capacity(len * stride);
    let mut key: Vec<u8> = Vec::new();
    for (&shared, &rest) in shared.iter().zip(rest) {
        let (now, later) = bytes.split_at_checked(usize::from(rest))?;
        bytes = later;
        if usize::from(shared) > key.len() {
            return None;
        }
        key.truncate(usize::from(shared));
        key.extend_from_slice(now);
        keys.extend_from_slice(&key);
        keys.resize(keys.len() + longest - key.len(), 0);
        keys.push(u8::try_from(key.len()).ok()?);
    }
    bytes.is_empty().then_some((keys, stride))
}
