//! Exact encodings: bytes that stand for one position and no other.

use crate::TextError;
use std::fmt::Debug;
use std::hash::Hash;

/// A compact exact encoding of a position: comparable, hashable, and plain bytes on disk.
pub trait Packed: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The most bytes an encoding has.
    const MOST_BYTES: usize;
    /// Whether every encoding has that many.
    const ONE_LENGTH: bool;
    /// The bytes, as they stand in files.
    fn as_bytes(&self) -> &[u8];
    /// The encoding with these bytes; `None` when the length is wrong.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

impl<const N: usize> Packed for [u8; N] {
    const MOST_BYTES: usize = N;
    const ONE_LENGTH: bool = true;

    #[inline]
    fn as_bytes(&self) -> &[u8] {
        self
    }

    #[inline]
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok()
    }
}

/// Up to `N` bytes, for encodings whose length varies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> Bytes<N> {
    /// No bytes yet.
    pub const fn new() -> Self {
        Bytes { bytes: [0; N], len: 0 }
    }

    /// Appends a byte; `false` when there is no room.
    #[inline]
    pub fn push(&mut self, byte: u8) -> bool {
        match self.bytes.get_mut(usize::from(self.len)) {
            Some(slot) => {
                *slot = byte;
                self.len += 1;
                true
            }
            None => false,
        }
    }
}

impl<const N: usize> Default for Bytes<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Debug for Bytes<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_bytes().fmt(f)
    }
}

impl<const N: usize> Packed for Bytes<N> {
    const MOST_BYTES: usize = N;
    const ONE_LENGTH: bool = false;

    #[inline]
    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        const { assert!(N <= 255) };
        let mut all = Self::new();
        all.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        all.len = bytes.len() as u8;
        Some(all)
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half & 15)]);
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte)]));
    text
}

/// The bytes that hexadecimal digits (of either case) stand for.
pub fn from_hex(text: &str) -> Result<Vec<u8>, TextError> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for (offset, c) in text.char_indices() {
        let digit = c.to_digit(16).ok_or_else(|| TextError::at(text, offset, "a hexadecimal digit"))? as u8;
        match high.take() {
            None => high = Some(digit),
            Some(high) => bytes.push(high << 4 | digit),
        }
    }
    match high {
        None => Ok(bytes),
        Some(_) => Err(TextError::at(text, text.len(), "another hexadecimal digit")),
    }
}
