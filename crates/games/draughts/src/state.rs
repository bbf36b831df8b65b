//! The position of a game in play: always valid, its key always right.

use crate::bits::{BOTTOM_ROW, TOP_ROW};
use crate::moves::Move;
use crate::types::{Color, Kind, Square};
use crate::validity;
use crate::zobrist::{self, KEYS, KING, WHITE_TO_MOVE};
use std::fmt;
use std::hash::{Hash, Hasher};
use tabia_core::Key;

/// A valid position and the side to move, on 32-bit boards (bit `n - 1` is square `n`).
///
/// Invariants: the pieces of the two colours are disjoint, `kings` is part of their union, no man stands on
/// the row where it would be crowned, and `key` is the hash of the rest. [`crate::Setup`] is the
/// public view on 64-bit boards, which can also hold what is not valid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Black's pieces, White's pieces.
    pieces: [u32; 2],
    kings: u32,
    turn: Color,
    key: Key,
}

impl State {
    /// The start of the game: twelve men each, Black to move.
    pub const START: State =
        State { pieces: [0x00000FFF, 0xFFF00000], kings: 0, turn: Color::Black, key: zobrist::START };

    /// The position with these boards; `None` unless it is valid.
    #[inline]
    pub fn new(black: u32, white: u32, kings: u32, turn: Color) -> Option<State> {
        if !validity::is_valid(black, white, kings) {
            return None;
        }
        let key = zobrist::key_of(black, white, kings, turn == Color::White);
        Some(State { pieces: [black, white], kings, turn, key })
    }

    /// The squares of Black's pieces.
    #[inline]
    pub const fn black(&self) -> u32 {
        self.pieces[0]
    }

    /// The squares of White's pieces.
    #[inline]
    pub const fn white(&self) -> u32 {
        self.pieces[1]
    }

    /// The squares of kings of both colours.
    #[inline]
    pub const fn kings(&self) -> u32 {
        self.kings
    }

    /// The empty squares.
    #[inline]
    pub const fn empty(&self) -> u32 {
        !(self.pieces[0] | self.pieces[1])
    }

    /// Who is to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The hash, kept up to date.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The squares of the pieces of a colour.
    #[inline]
    pub const fn of(&self, color: Color) -> u32 {
        self.pieces[color as usize]
    }

    /// What stands on a square.
    pub const fn piece(&self, square: Square) -> Option<(Color, Kind)> {
        let kind = if self.kings & square.bit() != 0 { Kind::King } else { Kind::Man };
        if self.black() & square.bit() != 0 {
            Some((Color::Black, kind))
        } else if self.white() & square.bit() != 0 {
            Some((Color::White, kind))
        } else {
            None
        }
    }

    /// The position after a half turn of the board with the colours exchanged.
    #[must_use]
    pub fn turned(&self) -> State {
        let (black, white) = (self.white().reverse_bits(), self.black().reverse_bits());
        let (kings, turn) = (self.kings.reverse_bits(), self.turn.other());
        let key = zobrist::key_of(black, white, kings, turn == Color::White);
        State { pieces: [black, white], kings, turn, key }
    }

    /// Plays a legal move. Boards change here alone, and the key with them. Whether a king moves, a man is crowned or a
    /// piece is taken is masked, not branched upon: in random play nobody can predict it.
    #[inline(always)]
    pub(crate) fn play(&mut self, mv: Move) {
        let mover = self.turn as usize;
        let (from_cell, to_cell) = (mv.from_index() as usize, mv.to_index() as usize);
        let (from, to) = (1 << from_cell, 1 << to_cell);
        // The boards are chosen, not indexed: so they stay in registers, in WebAssembly too.
        let [black, white] = self.pieces;
        let (own, opponent) = if mover == 0 { (black, white) } else { (white, black) };
        // Off first, then on: a king may end where it began.
        let own = own & !from | to;
        self.key ^= WHITE_TO_MOVE ^ KEYS.key(mover, from_cell) ^ KEYS.key(mover, to_cell);
        let was_king = self.kings & from != 0;
        // Men reach only one of the last rows, where they are crowned; one test serves both colours.
        let is_king = was_king || to & (TOP_ROW | BOTTOM_ROW) != 0;
        self.key ^= key_if(was_king, KING, from_cell) ^ key_if(is_king, KING, to_cell);
        self.take(mv.captured(), 1 - mover);
        self.kings = self.kings & !(from | mv.captured()) | u32::from(is_king) << to_cell;
        let opponent = opponent & !mv.captured();
        self.pieces = if mover == 0 { [own, opponent] } else { [opponent, own] };
        self.turn = self.turn.other();
    }

    /// Takes the keys of captured pieces off; all but one in a loop, because there are seldom more.
    #[inline(always)]
    fn take(&mut self, captured: u32, color: usize) {
        let mut left = captured;
        for _ in 0..captured.count_ones().max(1) {
            let cell = left.trailing_zeros() as usize & 31;
            let (taken, king) = (left != 0, self.kings & left & left.wrapping_neg() != 0);
            self.key ^= key_if(taken, color, cell) ^ key_if(king, KING, cell);
            left &= left.wrapping_sub(1);
        }
    }
}

/// The key of a piece or a crown that is there, 0 for one that is not.
#[inline(always)]
fn key_if(there: bool, board: usize, cell: usize) -> Key {
    Key(KEYS.key(board, cell).0 & u64::from(there).wrapping_neg())
}

/// The key says it all.
impl Hash for State {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key.0);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({})", crate::fen::write(self))
    }
}
