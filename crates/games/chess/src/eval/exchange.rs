//! What a capture is worth when both sides take back on its square for as long as that pays.

use super::tables::worth;
use crate::attacks;
use crate::types::{BitBoard, Board, Color, Move, Piece, Square};

/// No square is attacked by more pieces.
const MOST: usize = 32;

/// What a capture takes; a pawn where it takes nothing on its square (en passant, or a mere promotion).
#[inline]
pub(super) fn taken(board: &Board, mv: Move) -> i32 {
    if board.occupied().has(mv.to) { worth(board.kind_on(mv.to)) } else { worth(Piece::Pawn) }
}

/// What a promotion adds.
#[inline]
pub(super) fn promoted(mv: Move) -> i32 {
    mv.promotion.map_or(0, |piece| worth(piece) - worth(Piece::Pawn))
}

/// The gain of a capture or promotion for the side to move, in hundredths; pins are not seen.
///
/// Each side takes with its least piece, and stops when going on costs more: the list of gains is folded from the end.
pub(super) fn value(board: &Board, mv: Move) -> i32 {
    let takes = board.occupied().has(mv.to) || mv.promotion.is_none();
    let mut gains = [0; MOST];
    gains[0] = promoted(mv) + if takes { taken(board, mv) } else { 0 };
    let mut occupied = board.occupied() & !mv.from.bitboard();
    let mut standing = mv.promotion.unwrap_or_else(|| board.kind_on(mv.from));
    let (mut side, mut depth) = (!board.side_to_move(), 0);
    while depth + 1 < MOST
        && let Some((piece, from)) = least(board, mv.to, side, occupied)
    {
        depth += 1;
        gains[depth] = worth(standing) - gains[depth - 1];
        occupied &= !from.bitboard();
        (standing, side) = (piece, !side);
    }
    for depth in (1..=depth).rev() {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
    }
    gains[0]
}

/// The least piece of a side that can take on a square, and where it stands.
fn least(board: &Board, to: Square, side: Color, occupied: BitBoard) -> Option<(Piece, Square)> {
    let own = board.colors(side) & occupied;
    let first = |reach: BitBoard, piece: Piece| {
        let set = reach & board.pieces(piece) & own;
        (!set.is_empty()).then(|| (piece, set.first()))
    };
    first(attacks::pawn(to, !side), Piece::Pawn)
        .or_else(|| first(attacks::knight(to), Piece::Knight))
        .or_else(|| first(attacks::bishop(to, occupied), Piece::Bishop))
        .or_else(|| first(attacks::rook(to, occupied), Piece::Rook))
        .or_else(|| first(attacks::queen(to, occupied), Piece::Queen))
        .or_else(|| first(attacks::king(to), Piece::King))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chess, fen};
    use tabia_core::Notation;

    /// Worked out by hand: the position, the capture, and what it gains in pieces.
    #[test]
    fn exchanges_are_worth_what_they_leave() {
        let (pawn, knight, rook) = (worth(Piece::Pawn), worth(Piece::Knight), worth(Piece::Rook));
        let cases = [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", pawn),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", pawn - knight),
            ("4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1", "Rxd5", rook),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", pawn - rook),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", pawn),
        ];
        for (text, capture, gain) in cases {
            let state = fen::parse(text).unwrap();
            let mv = Chess.parse_move(&state, capture).unwrap();
            assert_eq!(value(state.board(), mv), gain, "{capture} in {text}");
        }
    }
}
