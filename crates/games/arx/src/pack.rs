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
//!      2 x 22 bits   the order of White's and of Black's other pieces: the rank of a word of 11 letters
//!        0-7 bits    zeros, to a whole byte
//!
//!     tag 2   long: the nine words of the board code, little-endian; for all other positions
//! ```
//!
//! The word of a side lists its officers (everything but Soldiers) in the order of the squares, then the
//! captured ones in the order of their codes, so that it always has the letters `J C PP GG DD BB K`; there
//! are 11! / 2!^4 = 2,494,800 < 2^22 such words. With all 40 pieces apart, the short form has
//! 1 + 81 + 3 * 40 + 44 = 246 bits, and a stack takes off two: never more than 31 bytes after the tag.

use crate::bits::squares;
use crate::{Kind, Pile, Square, State, codes};
use tabia_core::{Bytes, Packed as _, PositionError, Side};

/// A tag and up to 72 bytes; at most 32 in all for positions of a game.
pub type Packed = Bytes<73>;

const SHORT: u8 = 1;
const LONG: u8 = 2;
const SOLDIERS: u8 = 9;
/// The officers of a side by kind, Jester first.
const OFFICERS: [u8; 7] = [1, 1, 2, 2, 2, 2, 1];
const OFFICER_COUNT: u32 = 11;
/// The number of words with these letters.
const WORDS: u32 = 2_494_800;
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
    let (mut white, mut stacks, mut soldiers) = (Run::default(), Run::default(), Run::default());
    let mut words = [Word::START, Word::START];
    let mut left = [SOLDIERS; 2];
    for square in squares(occupied) {
        let pile = state.pile(Square::from_bits(square as u8));
        let side = pile.side().unwrap_or(Side::First).index();
        white.push(side == 0);
        stacks.push(pile.is_stack());
        for kind in pile.top().into_iter().chain(pile.bottom()) {
            soldiers.push(kind == Kind::Soldier);
            if kind == Kind::Soldier {
                left[side] = left[side].checked_sub(1)?;
            } else {
                words[side].push(kind)?;
            }
        }
    }
    let mut bits = Bits::default();
    bits.write(u128::from(state.side() == Side::First), 1);
    bits.write(occupied, Square::COUNT as u32);
    for run in [white, stacks, soldiers] {
        bits.write(run.bits, run.len);
    }
    for word in words {
        bits.write(u128::from(word.rank), WORD_BITS);
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
    if count > 40 {
        return None;
    }
    let (mut white, mut stacks) = (bits.read(count), bits.read(count));
    let pieces = count + stacks.count_ones();
    if pieces > 40 {
        return None;
    }
    let mut soldiers = bits.read(pieces);
    let mut words = [bits.word()?, bits.word()?];
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

/// A run of flags, the first in the lowest bit.
#[derive(Default)]
struct Run {
    bits: u128,
    len: u32,
}

impl Run {
    #[inline]
    fn push(&mut self, flag: bool) {
        // More than 128 flags only come from positions that the short form has already given up on.
        self.bits |= u128::from(flag) << (self.len & 127);
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

    fn word(&mut self) -> Option<Word> {
        Word::with_rank(self.read(WORD_BITS) as u32)
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

/// The word of a side's officers, letter by letter: ranked while packing, spelt out while unpacking.
///
/// Of the `words` that go on from here with the `left` letters, a share of `left[k] / remaining` goes on
/// with the letter `k`. Words are ranked by their letters; the captured officers at the end come in
/// order, which adds nothing.
struct Word {
    left: [u8; 7],
    remaining: u32,
    words: u32,
    rank: u32,
}

impl Word {
    const START: Word = Word { left: OFFICERS, remaining: OFFICER_COUNT, words: WORDS, rank: 0 };

    /// The word with this rank, to be spelt out; `None` when there is none.
    fn with_rank(rank: u32) -> Option<Word> {
        (rank < WORDS).then_some(Word { rank, ..Word::START })
    }

    /// The words that go on with a letter of which there are `count` left.
    #[inline]
    const fn share(&self, count: u8) -> u32 {
        self.words * count as u32 / self.remaining
    }

    /// Goes on with a letter.
    #[inline]
    fn advance(&mut self, letter: usize) {
        self.words = self.share(self.left[letter]);
        self.left[letter] -= 1;
        self.remaining -= 1;
    }

    /// Appends a letter; `None` when there is no such officer left.
    #[inline]
    fn push(&mut self, kind: Kind) -> Option<()> {
        let letter = kind as usize - Kind::Jester as usize;
        if self.left[letter] == 0 {
            return None;
        }
        self.rank += self.share(self.left[..letter].iter().sum());
        self.advance(letter);
        Some(())
    }

    /// The next letter of the word with this rank; `None` at its end.
    fn next(&mut self) -> Option<Kind> {
        if self.remaining == 0 {
            return None;
        }
        for (letter, &kind) in Kind::ALL[1..].iter().enumerate() {
            let share = self.share(self.left[letter]);
            if self.rank < share {
                self.advance(letter);
                return Some(kind);
            }
            self.rank -= share;
        }
        None
    }
}
