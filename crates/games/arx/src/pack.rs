//! The exact compact encoding: at most 32 bytes for every position that can arise in a game.
//!
//! The first byte says which form follows.
//!
//! ```text
//!     tag 1   short: at most the initial number of each kind a side. Bits, the lowest of each byte first:
//!
//!        1 bit       1 White to move
//!       81 bits      occupied squares, A9 first
//!        o bits      white, for each occupied square in turn
//!        o bits      a stack, for each occupied square in turn
//!        p bits      a Soldier, for each piece (square by square, the top of a stack first)
//!      2 x 22 bits   the order of White's and of Black's other pieces: the number of a word of 11 letters
//!        0-7 bits    zeros, to a whole byte
//!
//!     tag 2   long: the nine words of the board code, little-endian; for all other positions
//! ```
//!
//! The word of a side lists its officers (everything but Soldiers) in the order of the squares, then the
//! captured ones in the order of their codes, so that it always has the letters `J C PP GG DD BB K`. Of such
//! words there are 11! / 2!^4 = 2,494,800 < 2^22, and the number of one says where its letters stand:
//!
//! ```text
//!     J at one of 11 places, C at one of the 10 left, K at one of 9,
//!     P at 2 of the 8 left (28 ways), G at 2 of 6 (15), D at 2 of 4 (6), B at the rest
//!     number = ((((J * 10 + C) * 9 + K) * 28 + P) * 15 + G) * 6 + D;  a pair a < b is b * (b - 1) / 2 + a
//! ```
//!
//! With all 40 pieces apart the short form has 1 + 81 + 3 * 40 + 44 = 246 bits, and each stack takes off two:
//! never more than 31 bytes after the tag.

use crate::bits::squares;
use crate::{Kind, Pile, Square, State, codes};
use tabia_core::{Bytes, Packed as _, PositionError, Side};

/// A tag and up to 72 bytes; at most 32 in all for positions of a game.
pub type Packed = Bytes<73>;

const SHORT: u8 = 1;
const LONG: u8 = 2;
/// The pieces of both sides at the start.
const PIECES: u32 = 40;
const SOLDIERS: u32 = 9;
const WORD_BITS: u32 = 22;

pub(crate) fn pack(state: &State) -> Packed {
    pack_short(state).unwrap_or_else(|| pack_long(state))
}

pub(crate) fn unpack(packed: &Packed) -> Result<State, PositionError> {
    let bytes = packed.as_bytes();
    let state = match bytes.split_first() {
        Some((&SHORT, rest)) => unpack_short(rest),
        Some((&LONG, rest)) => Some(unpack_long(rest)?),
        _ => None,
    };
    // Only what packing writes is an encoding: this also refuses padding, spare lengths and wrong tags.
    match state {
        Some(state) if pack(&state) == *packed => Ok(state),
        _ => Err(PositionError::rule(format!("{bytes:02x?} is no packed Arx position"))),
    }
}

fn pack_long(state: &State) -> Packed {
    let mut packed = Packed::new();
    packed.push(LONG);
    for byte in codes::to_words(state).into_iter().flat_map(u64::to_le_bytes) {
        packed.push(byte);
    }
    packed
}

fn unpack_long(bytes: &[u8]) -> Result<State, PositionError> {
    let mut words = [0; 9];
    let (chunks, rest) = bytes.as_chunks::<8>();
    if chunks.len() != words.len() || !rest.is_empty() {
        return Err(PositionError::rule(format!("a long Arx code has 72 bytes, not {}", bytes.len())));
    }
    for (word, chunk) in words.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*chunk);
    }
    codes::from_words(&words)
}

/// The short form; `None` when a side has more of a kind than at the start.
fn pack_short(state: &State) -> Option<Packed> {
    let occupied = state.occupied();
    if occupied.count_ones() + state.stacks().count_ones() > PIECES {
        return None;
    }
    let (mut white, mut stacks, mut soldiers) = (Run::default(), Run::default(), Run::default());
    let mut words = [Word::default(); 2];
    for square in squares(occupied) {
        let pile = state.pile(Square::from_bits(square as u8));
        let is_white = pile.side() == Some(Side::First);
        let word = &mut words[usize::from(!is_white)];
        white.push(is_white);
        stacks.push(pile.is_stack());
        if pile.is_stack() {
            soldiers.push(word.push(pile.code() >> 3));
        }
        soldiers.push(word.push(pile.code()));
    }
    let mut bits = Bits::default();
    bits.write(u128::from(state.side() == Side::First), 1);
    bits.write(occupied, Square::COUNT as u32);
    for run in [white, stacks, soldiers] {
        bits.write(u128::from(run.bits), run.len);
    }
    for word in words {
        bits.write(u128::from(word.number()?), WORD_BITS);
    }
    Some(bits.packed())
}

/// The position of a short form; `None` for bytes that cannot be one. What it accepts may still be
/// another writing of the position.
fn unpack_short(bytes: &[u8]) -> Option<State> {
    let mut bits = Bits::read_from(bytes)?;
    let side = if bits.read(1) == 1 { Side::First } else { Side::Second };
    let occupied = bits.read(Square::COUNT as u32);
    let count = occupied.count_ones();
    if count > PIECES {
        return None;
    }
    let (mut white, mut stacks) = (bits.read(count), bits.read(count));
    let pieces = count + stacks.count_ones();
    if pieces > PIECES {
        return None;
    }
    let mut soldiers = bits.read(pieces);
    let mut word = || spell(bits.read(WORD_BITS) as u32).map(IntoIterator::into_iter);
    let mut words = [word()?, word()?];
    let mut piles = [Pile::EMPTY; Square::COUNT];
    for square in squares(occupied) {
        let side = if take(&mut white) { Side::First } else { Side::Second };
        let mut kind = || if take(&mut soldiers) { Some(Kind::Soldier) } else { words[side.index()].next() };
        piles[square] = if take(&mut stacks) {
            let (top, bottom) = (kind()?, kind()?);
            Pile::stack(side, top, bottom)?
        } else {
            Pile::single(side, kind()?)
        };
    }
    State::from_piles(&piles, side).ok()
}

/// Takes the lowest bit.
fn take(bits: &mut u128) -> bool {
    let bit = *bits & 1 != 0;
    *bits >>= 1;
    bit
}

/// A run of at most 40 flags, the first in the lowest bit.
#[derive(Default)]
struct Run {
    bits: u64,
    len: u32,
}

impl Run {
    #[inline]
    fn push(&mut self, flag: bool) {
        self.bits |= u64::from(flag) << self.len;
        self.len += 1;
    }
}

/// 256 bits, written and read from the lowest.
#[derive(Default)]
struct Bits {
    halves: [u128; 2],
    len: u32,
}

impl Bits {
    /// Appends the lowest `width` (at most 127) bits.
    fn write(&mut self, value: u128, width: u32) {
        let (half, shift) = (usize::from(self.len >= 128), self.len % 128);
        self.halves[half] |= value << shift;
        if half == 0 && shift + width > 128 {
            self.halves[1] |= value >> (128 - shift);
        }
        self.len += width;
    }

    /// The next `width` (at most 127) bits.
    fn read(&mut self, width: u32) -> u128 {
        let (half, shift) = (usize::from(self.len >= 128), self.len % 128);
        let mut value = self.halves[half] >> shift;
        if half == 0 && shift > 0 {
            value |= self.halves[1] << (128 - shift);
        }
        self.len += width;
        value & ((1 << width) - 1)
    }

    fn packed(&self) -> Packed {
        let mut packed = Packed::new();
        packed.push(SHORT);
        let bytes = self.halves.into_iter().flat_map(u128::to_le_bytes);
        for byte in bytes.take(self.len.div_ceil(8) as usize) {
            packed.push(byte);
        }
        packed
    }

    fn read_from(bytes: &[u8]) -> Option<Bits> {
        let mut all = [0; 32];
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let (halves, _) = all.as_chunks::<16>();
        Some(Bits { halves: [u128::from_le_bytes(halves[0]), u128::from_le_bytes(halves[1])], len: 0 })
    }
}

/// The letters of a word in the order they are placed, with how many of each there are.
const LETTERS: [(Kind, u32); 7] = [
    (Kind::Jester, 1),
    (Kind::Commander, 1),
    (Kind::King, 1),
    (Kind::Paladin, 2),
    (Kind::Guard, 2),
    (Kind::Dragon, 2),
    (Kind::Ballista, 2),
];
/// The places of a word, as a set.
const PLACES: u64 = 0b111_1111_1111;

/// The officers of a side as they are met: for each kind the places of its letters.
///
/// Kinds go by the low three bits of their codes, as in square codes, and the King by 0.
#[derive(Clone, Copy, Default)]
struct Word {
    places: [u64; 8],
    soldiers: u32,
    len: u32,
}

impl Word {
    /// Appends the piece in the low bits of a code, and tells whether it is a Soldier: those are only
    /// counted. Without a branch, for they come in any order.
    #[inline]
    fn push(&mut self, code: u8) -> bool {
        let letter = usize::from(code & 7);
        let soldier = letter == Kind::Soldier as usize;
        self.places[letter] |= 1 << self.len;
        self.soldiers += u32::from(soldier);
        self.len += u32::from(!soldier);
        soldier
    }

    /// The number of the word with the captured officers appended; `None` when there are too many of a kind.
    fn number(mut self) -> Option<u32> {
        if self.soldiers > SOLDIERS {
            return None;
        }
        for kind in &Kind::ALL[1..] {
            let places = &mut self.places[*kind as usize % 8];
            let count = if matches!(kind, Kind::Jester | Kind::Commander | Kind::King) { 1 } else { 2 };
            let missing = count - i64::from(places.count_ones());
            if missing < 0 {
                return None;
            }
            *places |= ((1 << missing) - 1) << self.len;
            self.len += missing as u32;
        }
        let mut free = PLACES;
        Some(LETTERS[..6].iter().fold(0, |number, &(kind, count)| {
            let places = self.places[kind as usize % 8];
            let index = |place: u64| (free & (place - 1)).count_ones();
            let low = places & places.wrapping_neg();
            let (first, ways) = (index(low), free.count_ones());
            let (here, ways) = match count {
                1 => (first, ways),
                _ => (pairs(index(places ^ low)) + first, pairs(ways)),
            };
            free &= !places;
            number * ways + here
        }))
    }
}

/// The number of pairs among `n` things.
const fn pairs(n: u32) -> u32 {
    n * n.wrapping_sub(1) / 2
}

/// The word with a number; `None` when there is no such word.
fn spell(number: u32) -> Option<[Kind; 11]> {
    // Split off the digits, the last letter's first: their bases are the ways to place each letter.
    let mut digits = [0; 6];
    let mut rest = number;
    for (digit, base) in digits.iter_mut().zip([11, 10, 9, 28, 15, 6]).rev() {
        (*digit, rest) = (rest % base, rest / base);
    }
    let mut word = [Kind::Ballista; 11];
    let mut free: Vec<usize> = (0..11).collect();
    for (&(kind, count), mut digit) in LETTERS.iter().zip(digits) {
        if count == 2 {
            let second = (1..8).find(|&n| pairs(n + 1) > digit)?;
            word[free.remove(second as usize)] = kind;
            digit -= pairs(second);
        }
        word[free.remove(digit as usize)] = kind;
    }
    (rest == 0).then_some(word)
}
