//! The group: colours exchanged with the ranks turned over, and the files mirrored.
//!
//! Exchanging the colours is always a symmetry (the board is turned top to bottom, so that pawns
//! keep their direction). Mirroring the files is one only when nobody may castle any more, because
//! castling short and long are not mirror images.

use crate::State;
use crate::types::{BitBoard, BoardBuilder, CastleRights, Color, File, Move, Square};
use crate::zobrist;
use tabia_core::{MirrorSwap, MirrorSwapNames};

/// A symmetry of chess: White and Black exchanged with rank 1 as rank 8, file a as file h, both.
pub type Symmetry = MirrorSwap<Names>;

/// What the symmetries of chess are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Names;

impl MirrorSwapNames for Names {
    const NAMES: [&'static str; 4] =
        ["identity", "swap-colours", "mirror-files", "swap-colours-mirror-files"];
}

/// What a symmetry does to everything on the board.
pub trait Action: Sized {
    /// The symmetries of a position, the identity first.
    fn of(state: &State) -> &'static [Self];
    /// Where a square goes.
    fn square(self, square: Square) -> Square;
    /// Where a set of squares goes.
    fn set(self, set: BitBoard) -> BitBoard;
    /// What a colour becomes.
    fn color(self, color: Color) -> Color;
    /// What a move becomes.
    fn mv(self, mv: Move) -> Move;
    /// What a position becomes. Mirroring one in which somebody may castle gives a valid position,
    /// but not an equivalent one.
    fn state(self, state: &State) -> State;
}

impl Action for Symmetry {
    fn of(state: &State) -> &'static [Symmetry] {
        if state.can_still_castle() { &Self::ALL[..2] } else { &Self::ALL }
    }

    #[inline]
    fn square(self, square: Square) -> Square {
        let square = if self.swaps() { square.flip_rank() } else { square };
        if self.mirrors() { square.flip_file() } else { square }
    }

    #[inline]
    fn set(self, set: BitBoard) -> BitBoard {
        let set = if self.swaps() { set.flip_ranks() } else { set };
        if self.mirrors() { set.flip_files() } else { set }
    }

    #[inline]
    fn color(self, color: Color) -> Color {
        if self.swaps() { !color } else { color }
    }

    fn mv(self, mv: Move) -> Move {
        Move { from: self.square(mv.from), to: self.square(mv.to), promotion: mv.promotion }
    }

    fn state(self, state: &State) -> State {
        let from = state.to_builder();
        let (pieces, colors) = from.sets();
        let colors = Color::ALL.map(|color| self.set(colors[self.color(color) as usize]));
        let pieces = pieces.map(|set| self.set(set));
        let mut to = BoardBuilder::of_sets(pieces, colors, zobrist::of_pieces(pieces, colors));
        for color in Color::ALL {
            *to.castle_rights_mut(self.color(color)) = rights(self, from.castle_rights(color));
        }
        to.side_to_move = self.color(from.side_to_move);
        to.en_passant = from.en_passant.map(|square| self.square(square));
        (to.halfmove_clock, to.fullmove_number) = (from.halfmove_clock, from.fullmove_number);
        // The rules are the same for the image of a position.
        State::unchecked(&to)
    }
}

fn rights(symmetry: Symmetry, rights: CastleRights) -> CastleRights {
    if !symmetry.mirrors() {
        return rights;
    }
    CastleRights { short: rights.long.map(File::flip), long: rights.short.map(File::flip) }
}
