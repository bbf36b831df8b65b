//! The values of finished slices in memory, as later slices need them.

use crate::code;
use crate::file::Precision;
use rustc_hash::FxHashMap;
use tabia_core::{Slice, Spot};

/// The values of one slice by number.
pub enum Codes {
    /// With distances.
    Distance(Vec<u16>),
    /// Two bits each, four to a byte: 0 draw, 1 loss, 2 win.
    Outcome(Vec<u8>),
}

impl Codes {
    /// Keeps as much of the codes as `precision` wants.
    pub fn new(codes: Vec<u16>, precision: Precision) -> Codes {
        match precision {
            Precision::Distance => Codes::Distance(codes),
            Precision::Outcome => {
                let two_bits = |code: u16| u8::from(code::is_win(code)) << 1 | u8::from(code::is_loss(code));
                let byte = |four: &[u16]| four.iter().rev().fold(0, |byte, &code| byte << 2 | two_bits(code));
                Codes::Outcome(codes.chunks(4).map(byte).collect())
            }
        }
    }

    /// The code of a number; without distances a win or loss in 0 plies stands for all.
    #[inline]
    pub fn get(&self, index: u64) -> Option<u16> {
        match self {
            Codes::Distance(codes) => codes.get(index as usize).copied(),
            Codes::Outcome(bytes) => {
                let bits = bytes.get(index as usize / 4)? >> (2 * (index % 4)) & 3;
                Some(if bits & 2 != 0 { code::win(0) } else { u16::from(bits) * code::loss(0) })
            }
        }
    }
}

/// All finished slices.
#[derive(Default)]
pub(super) struct Memory {
    slices: FxHashMap<Slice, Codes>,
}

impl Memory {
    pub(super) fn insert(&mut self, slice: Slice, codes: Codes) {
        self.slices.insert(slice, codes);
    }

    #[inline]
    pub(super) fn get(&self, spot: Spot) -> Option<u16> {
        self.slices.get(&spot.slice)?.get(spot.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bits_keep_who_wins() {
        let codes = vec![code::DRAW, code::win(7), code::loss(4), code::win(1), code::loss(0), code::DRAW];
        let kept = Codes::new(codes.clone(), Precision::Outcome);
        for (at, code) in codes.iter().enumerate() {
            let name = kept.get(at as u64).map(|code| code::decode(code).name());
            assert_eq!(name, Some(code::decode(*code).name()));
        }
        assert_eq!(kept.get(8), None);
    }
}
