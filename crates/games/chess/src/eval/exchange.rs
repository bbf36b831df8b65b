//! What a capture is worth when both sides take back on its square for as long as that pays.

use super::tables::worth;
use crate::attacks;
use crate::types::{BitBoard, Board, Color, Move, Piece, Square};

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

/// Whether a move gains at least so much, in hundredths, when each side takes back with its least piece for as long as that
/// pays; pins are not seen.
///
/// Whoever could lose what stands on the square and still have what it wants has won the argument: mostly that is known after
/// a piece or two, so that nothing is added up to the end.
pub(super) fn gains(board: &Board, mv: Move, least: i32) -> bool {
    let takes = board.occupied().has(mv.to) || mv.promotion.is_none();
    // What the mover has more than it wants.
    let mut ahead = promoted(mv) + if takes { taken(board, mv) } else { 0 } - least;
    let mut standing = worth(mv.promotion.unwrap_or_else(|| board.kind_on(mv.from)));
    if ahead < 0 {
        return false;
    }
    if ahead >= standing {
        return true;
    }
    let mut fight = Fight::after(board, mv);
    let mover = board.side_to_move();
    loop {
        // The other side takes what stands there.
        let Some(taker) = fight.take(!mover) else { return true };
        ahead -= standing;
        // The mover takes back, if it then has what it wants.
        if ahead + worth(taker) < 0 {
            return false;
        }
        let Some(own) = fight.take(mover) else { return false };
        ahead += worth(taker);
        standing = worth(own);
        if ahead >= standing {
            return true;
        }
    }
}

/// A square, and who can still take on it.
struct Fight<'a> {
    board: &'a Board,
    to: Square,
    occupied: BitBoard,
    attackers: BitBoard,
}

impl<'a> Fight<'a> {
    /// After a move to the square.
    fn after(board: &'a Board, mv: Move) -> Self {
        let (to, occupied) = (mv.to, board.occupied() & !mv.from.bitboard());
        let [white, black] =
            [Color::White, Color::Black].map(|color| attacks::pawn(to, !color) & board.colors(color));
        let attackers = (white | black) & board.pieces(Piece::Pawn)
            | attacks::knight(to) & board.pieces(Piece::Knight)
            | attacks::king(to) & board.pieces(Piece::King);
        let mut fight = Fight { board, to, occupied, attackers };
        fight.look_along_lines();
        fight
    }

    /// Pieces that stand behind those that have taken.
    #[inline]
    fn look_along_lines(&mut self) {
        let Fight { board, to, occupied, .. } = *self;
        let queens = board.pieces(Piece::Queen);
        let lines = attacks::bishop(to, occupied) & (board.pieces(Piece::Bishop) | queens)
            | attacks::rook(to, occupied) & (board.pieces(Piece::Rook) | queens);
        self.attackers = (self.attackers | lines) & occupied;
    }

    /// The least piece of a side takes; a king does not take what is protected.
    #[inline]
    fn take(&mut self, side: Color) -> Option<Piece> {
        let own = self.attackers & self.board.colors(side);
        let piece = Piece::ALL.into_iter().find(|&piece| !(own & self.board.pieces(piece)).is_empty())?;
        if piece == Piece::King && !(self.attackers & self.board.colors(!side)).is_empty() {
            return None;
        }
        self.occupied &= !(own & self.board.pieces(piece)).first().bitboard();
        self.look_along_lines();
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::is_castling;
    use crate::{Chess, fen};
    use proptest::prelude::*;
    use tabia_core::{Game, Notation, SplitMix64};

    /// The gain of a capture or promotion: each side takes with its least piece, and the list of gains is folded from the end.
    fn value(board: &Board, mv: Move) -> i32 {
        let takes = board.occupied().has(mv.to) || mv.promotion.is_none();
        let mut gains = vec![promoted(mv) + if takes { taken(board, mv) } else { 0 }];
        let mut occupied = board.occupied() & !mv.from.bitboard();
        let mut standing = mv.promotion.unwrap_or_else(|| board.kind_on(mv.from));
        let mut side = !board.side_to_move();
        while let Some((piece, from)) = least(board, mv.to, side, occupied) {
            gains.push(worth(standing) - gains[gains.len() - 1]);
            occupied &= !from.bitboard();
            (standing, side) = (piece, !side);
        }
        for depth in (1..gains.len()).rev() {
            gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        }
        gains[0]
    }

    /// The least piece of a side that can take on a square, and where it stands.
    fn least(board: &Board, to: Square, side: Color, occupied: BitBoard) -> Option<(Piece, Square)> {
        let reach = |piece| match piece {
            Piece::Pawn => attacks::pawn(to, !side),
            Piece::Knight => attacks::knight(to),
            Piece::Bishop => attacks::bishop(to, occupied),
            Piece::Rook => attacks::rook(to, occupied),
            Piece::Queen => attacks::queen(to, occupied),
            Piece::King => attacks::king(to),
        };
        let own = board.colors(side) & occupied;
        Piece::ALL.into_iter().find_map(|piece| {
            let set = reach(piece) & board.pieces(piece) & own;
            (!set.is_empty()).then(|| (piece, set.first()))
        })
    }

    proptest! {
        #[test]
        fn a_move_gains_what_the_whole_exchange_adds_up_to(seed in any::<u64>(), plies in 0..80) {
            let (mut rng, mut state) = (SplitMix64::new(seed), Chess.start());
            for _ in 0..plies {
                if let Some(mv) = Chess.random_move(&state, &mut rng, &mut Vec::new()) {
                    Chess.play(&mut state, mv);
                }
            }
            let mut moves = Vec::new();
            Chess.moves(&state, &mut moves);
            // Castling is written as the king taking its own rook.
            for mv in moves.into_iter().filter(|&mv| !is_castling(state.board(), mv)) {
                let value = value(state.board(), mv);
                for least in [value - 1, value, value + 1, 0, -100, 100, rng.below(2000) as i32 - 1000] {
                    prop_assert_eq!(gains(state.board(), mv, least), value >= least, "{:?} {}", mv, least);
                }
            }
        }
    }

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
