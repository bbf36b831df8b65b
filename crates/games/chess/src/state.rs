//! A position that has been found valid, compared as the repetition rule does.
//!
//! FIDE calls two positions the same when the same moves are possible, so `Eq`, `Hash`, the key and the packed form look
//! at the pawn that some legal move captures en passant and not at the square in the FEN, and at no clock. The board keeps
//! the square of every double step all the same: FEN writes it, and Polyglot has a view of its own.

use crate::types::{Board, BoardBuilder, Color, File, Move, Piece, Square, color_of};
use crate::validity;
use std::hash::{Hash, Hasher};
use tabia_core::{Key, PositionError, Side};

/// A valid chess position with its clocks.
#[derive(Clone, Copy, Debug)]
pub struct State {
    board: Board,
}

impl State {
    /// The usual start position.
    pub fn start() -> Self {
        Self::chess960(518)
    }

    /// The start position of Chess960 with this Scharnagl number; `None` from 960 on.
    pub fn chess960_start(number: u32) -> Option<Self> {
        (number < 960).then(|| Self::chess960(number))
    }

    fn chess960(number: u32) -> Self {
        Self::unchecked(&BoardBuilder::chess960_start(number))
    }

    /// The position that a builder describes. All violated rules are named.
    #[inline]
    pub fn from_builder(builder: &BoardBuilder) -> Result<Self, PositionError> {
        let state = Self::unchecked(builder);
        if validity::is_valid(builder, &state.board) { Ok(state) } else { Err(validity::error(builder)) }
    }

    /// The position that a builder describes, valid or not.
    #[inline]
    pub(crate) fn unchecked(builder: &BoardBuilder) -> Self {
        State { board: Board::new(builder) }
    }

    /// The pieces, the turn and what follows from them.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position as a builder, clocks included: the inverse of [`State::from_builder`].
    pub fn to_builder(&self) -> BoardBuilder {
        BoardBuilder::from_board(&self.board)
    }

    /// Our key.
    #[inline]
    pub fn key(&self) -> Key {
        self.board.key()
    }

    /// The file of the pawn that can be captured en passant by a legal move.
    #[inline]
    pub fn en_passant(&self) -> Option<File> {
        self.board.legal_en_passant()
    }

    /// Plies since the last capture or pawn move, up to 255.
    pub fn clock(&self) -> u8 {
        self.board.clock()
    }

    /// The piece of either side on a square.
    pub fn piece_on(&self, square: Square) -> Option<(Piece, Color)> {
        self.board.piece_on(square).zip(self.board.color_on(square))
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Whether any castling right is left.
    pub fn can_still_castle(&self) -> bool {
        !self.board.castling.is_empty()
    }

    /// Whether a side has anything besides king and pawns.
    pub(crate) fn has_piece(&self, side: Side) -> bool {
        let men = self.board.pieces(Piece::Pawn) | self.board.pieces(Piece::King);
        !self.board.colors(color_of(side)).is_subset(men)
    }

    /// Plays a legal move.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        self.board.play_unchecked(mv);
    }

    /// The position after passing the turn; `None` in check.
    pub(crate) fn pass(&self) -> Option<Self> {
        self.board.null_move().map(|board| State { board })
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.board.same_position(&other.board)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key().0);
    }
}
