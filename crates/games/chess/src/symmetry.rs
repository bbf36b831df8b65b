//! The group: colours exchanged with the ranks turned over, and the files mirrored.
//!
//! Exchanging the colours is always a symmetry (the board is turned top to bottom, so that pawns
//! keep their direction). Mirroring the files is one only when nobody may castle any more, because
//! castling short and long are not mirror images.

use crate::State;
use crate::types::{BitBoard, BoardBuilder, CastleRights, Color, Move, Square};

/// An element of the group of four: a sum of 1 (colours exchanged) and 2 (files mirrored).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// White and Black exchanged, rank 1 becomes rank 8.
    pub const SWAP: Symmetry = Symmetry(1);
    /// File a becomes file h.
    pub const MIRROR: Symmetry = Symmetry(2);
    /// All four, the identity first.
    pub const ALL: [Symmetry; 4] = [Symmetry(0), Symmetry(1), Symmetry(2), Symmetry(3)];

    /// The symmetries of a position, the identity first.
    pub fn of(state: &State) -> &'static [Symmetry] {
        if state.can_still_castle() { &Self::ALL[..2] } else { &Self::ALL }
    }

    /// Whether the files are mirrored.
    pub const fn mirrors(self) -> bool {
        self.0 & 2 != 0
    }

    /// Where a square goes.
    #[inline]
    pub const fn square(self, square: Square) -> Square {
        let square = if self.0 & 1 != 0 { square.flip_rank() } else { square };
        if self.0 & 2 != 0 { square.flip_file() } else { square }
    }

    /// Where a set of squares goes.
    #[inline]
    pub const fn set(self, set: BitBoard) -> BitBoard {
        let set = if self.0 & 1 != 0 { set.flip_ranks() } else { set };
        if self.0 & 2 != 0 { set.flip_files() } else { set }
    }

    /// What a colour becomes.
    #[inline]
    pub fn color(self, color: Color) -> Color {
        if self.0 & 1 != 0 { !color } else { color }
    }

    /// What a move becomes.
    pub(crate) fn mv(self, mv: Move) -> Move {
        Move { from: self.square(mv.from), to: self.square(mv.to), promotion: mv.promotion }
    }

    /// What a position becomes. Mirroring one in which somebody may castle gives a valid position,
    /// but not an equivalent one.
    pub(crate) fn state(self, state: &State) -> State {
        let from = state.to_builder();
        let mut to = BoardBuilder::empty();
        for square in Square::ALL {
            let piece = from.square(square).map(|(piece, color)| (piece, self.color(color)));
            *to.square_mut(self.square(square)) = piece;
        }
        for color in Color::ALL {
            *to.castle_rights_mut(self.color(color)) = self.rights(*from.castle_rights(color));
        }
        to.side_to_move = self.color(from.side_to_move);
        to.en_passant = from.en_passant.map(|square| self.square(square));
        (to.halfmove_clock, to.fullmove_number) = (from.halfmove_clock, from.fullmove_number);
        State::build(&to).unwrap_or_else(|| {
            panic!("the image of {} under {self:?} is no valid position", crate::fen::format(state))
        })
    }

    fn rights(self, rights: CastleRights) -> CastleRights {
        if !self.mirrors() {
            return rights;
        }
        let mirror = |file: cozy_chess::File| file.flip();
        CastleRights { short: rights.long.map(mirror), long: rights.short.map(mirror) }
    }
}

impl tabia_core::Symmetry for Symmetry {
    const IDENTITY: Self = Symmetry(0);

    fn then(self, next: Self) -> Self {
        Symmetry(self.0 ^ next.0)
    }

    fn inverse(self) -> Self {
        self
    }

    fn swaps_sides(self) -> bool {
        self.0 & 1 != 0
    }

    fn name(self) -> String {
        ["identity", "swap-colours", "mirror-files", "swap-colours-mirror-files"][usize::from(self.0 & 3)]
            .to_owned()
    }
}
