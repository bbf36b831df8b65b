//! Legal moves: each piece's targets, with pins and checks as masks.
//!
//! The order is part of what random games and books are made of: pawns, captures en passant, knights, bishops, rooks, queens,
//! the king; of each kind those that are free before those that are pinned; by square, then by target.

use crate::attacks;
use crate::board::{Board, for_side};
use crate::side::Mover;
use crate::types::{BitBoard, Color, Move, Piece, PieceMoves, Rank, Square};
use std::ops::ControlFlow::{self, Break, Continue};

/// Which targets are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// For pawns.
    pub(crate) pawns: BitBoard,
    /// For all other pieces; castling goes to the own rook.
    pub(crate) others: BitBoard,
}

impl Wanted {
    /// Any.
    pub(crate) const ALL: Self = Wanted { pawns: BitBoard::FULL, others: BitBoard::FULL };
}

impl Board {
    /// Visits the legal moves, piece by piece, until `found` says that it has seen enough; whether it did.
    #[inline]
    pub fn generate_moves(&self, mut found: impl FnMut(PieceMoves) -> bool) -> bool {
        self.visit(Wanted::ALL, |moves| if found(moves) { Break(()) } else { Continue(()) }).is_break()
    }

    /// Visits the legal moves to wanted targets, piece by piece.
    #[inline]
    pub(crate) fn visit(
        &self,
        wanted: Wanted,
        found: impl FnMut(PieceMoves) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for_side!(self, visit_as(wanted, found))
    }

    #[inline]
    fn visit_as<M: Mover>(
        &self,
        wanted: Wanted,
        mut found: impl FnMut(PieceMoves) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.checkers.has_several() {
            let reach = self.reach::<M>();
            self.visit_pawns::<M>(reach & wanted.pawns, &mut found)?;
            let reach = reach & wanted.others;
            for from in self.colored_pieces(M::COLOR, Piece::Knight) & !self.pinned {
                tell(Piece::Knight, from, attacks::knight(from) & reach, &mut found)?;
            }
            let occupied = self.occupied();
            let bishop = |from| attacks::bishop(from, occupied);
            let rook = |from| attacks::rook(from, occupied);
            self.visit_sliders::<M>(Piece::Bishop, reach, bishop, &mut found)?;
            self.visit_sliders::<M>(Piece::Rook, reach, rook, &mut found)?;
            self.visit_sliders::<M>(Piece::Queen, reach, |from| bishop(from) | rook(from), &mut found)?;
        }
        tell(Piece::King, self.king(M::COLOR), self.king_targets::<M>(wanted.others), &mut found)
    }

    /// Where pieces other than the king may go: where no own piece stands, and in check to the checker or before it.
    #[inline]
    fn reach<M: Mover>(&self) -> BitBoard {
        let free = !self.colors(M::COLOR);
        match self.checkers.next_square() {
            None => free,
            Some(checker) => free & (attacks::between(self.king(M::COLOR), checker) | self.checkers),
        }
    }

    #[inline]
    fn visit_pawns<M: Mover>(
        &self,
        reach: BitBoard,
        found: &mut impl FnMut(PieceMoves) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pawns = self.colored_pieces(M::COLOR, Piece::Pawn);
        for from in pawns & !self.pinned {
            tell(Piece::Pawn, from, self.pawn_targets::<M>(from) & reach, found)?;
        }
        let pinned = pawns & self.pinned;
        if !pinned.is_empty() && self.checkers.is_empty() {
            for from in pinned {
                let line = attacks::line(self.king(M::COLOR), from);
                tell(Piece::Pawn, from, self.pawn_targets::<M>(from) & reach & line, found)?;
            }
        }
        if let Some(file) = self.legal_en_passant() {
            let to = M::passed(file);
            for from in attacks::pawn(to, M::Other::COLOR) & pawns {
                if self.may_capture_en_passant::<M>(from, file) {
                    tell(Piece::Pawn, from, to.bitboard(), found)?;
                }
            }
        }
        Continue(())
    }

    /// Where a pawn goes and takes, en passant aside, if its king is safe anywhere.
    #[inline]
    pub(crate) fn pawn_targets<M: Mover>(&self, from: Square) -> BitBoard {
        let free = !self.occupied();
        let one = M::forward(from.bitboard()) & free;
        let two = M::forward(one & M::rank(Rank::Third)) & free;
        one | two | attacks::pawn(from, M::COLOR) & self.colors(M::Other::COLOR)
    }

    #[inline]
    fn visit_sliders<M: Mover>(
        &self,
        piece: Piece,
        reach: BitBoard,
        sees: impl Fn(Square) -> BitBoard,
        found: &mut impl FnMut(PieceMoves) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pieces = self.colored_pieces(M::COLOR, piece);
        for from in pieces & !self.pinned {
            tell(piece, from, sees(from) & reach, found)?;
        }
        let pinned = pieces & self.pinned;
        if !pinned.is_empty() && self.checkers.is_empty() {
            for from in pinned {
                let line = attacks::line(self.king(M::COLOR), from);
                tell(piece, from, sees(from) & reach & line, found)?;
            }
        }
        Continue(())
    }

    /// Where the king may go, castling included.
    #[inline]
    fn king_targets<M: Mover>(&self, wanted: BitBoard) -> BitBoard {
        let king = self.king(M::COLOR);
        let steps = attacks::king(king) & !self.colors(M::COLOR) & wanted;
        let rooks = self.open_castling::<M>() & wanted;
        if (steps | rooks).is_empty() {
            return BitBoard::EMPTY;
        }
        let attacked = self.attacked_by::<M::Other>(self.occupied() ^ king.bitboard());
        let mut targets = steps & !attacked;
        for rook in rooks {
            let path = Path::of::<M>(king, rook);
            if path.safe.is_disjoint(attacked) {
                targets |= rook.bitboard();
            }
        }
        targets
    }

    /// The rooks that the king could castle with if nothing were attacked but the king himself and the first rank behind
    /// the rook.
    #[inline]
    fn open_castling<M: Mover>(&self) -> BitBoard {
        let mut open = BitBoard::EMPTY;
        if !self.checkers.is_empty() {
            return open;
        }
        let king = self.king(M::COLOR);
        // A pinned rook hides the king from a slider at the edge (in Chess960).
        for rook in self.castling & M::rank(Rank::First) & !self.pinned {
            let others = self.occupied() ^ king.bitboard() ^ rook.bitboard();
            if Path::of::<M>(king, rook).free.is_disjoint(others) {
                open |= rook.bitboard();
            }
        }
        open
    }

    /// The squares that a side attacks.
    #[inline]
    fn attacked_by<M: Mover>(&self, occupied: BitBoard) -> BitBoard {
        let pawns = M::forward(self.colored_pieces(M::COLOR, Piece::Pawn));
        let mut attacked = pawns.sideways() | attacks::king(self.king(M::COLOR));
        for from in self.colored_pieces(M::COLOR, Piece::Knight) {
            attacked |= attacks::knight(from);
        }
        for from in self.diagonal(M::COLOR) {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in self.straight(M::COLOR) {
            attacked |= attacks::rook(from, occupied);
        }
        attacked
    }

    /// The number of legal moves, found without listing them: pawns are counted as whole sets, queens as bishops and rooks.
    #[inline]
    pub(crate) fn count_moves(&self) -> u32 {
        for_side!(self, count_as())
    }

    #[inline]
    pub(crate) fn count_as<M: Mover>(&self) -> u32 {
        if !self.checkers.is_empty() {
            return self.count_one_by_one::<M>();
        }
        let (free, occupied) = (!self.colors(M::COLOR), self.occupied());
        let loose = !self.pinned;
        let mut count = self.count_pawns::<M>(self.colored_pieces(M::COLOR, Piece::Pawn) & loose);
        for from in self.colored_pieces(M::COLOR, Piece::Knight) & loose {
            count += (attacks::knight(from) & free).len();
        }
        for from in self.diagonal(M::COLOR) & loose {
            count += (attacks::bishop(from, occupied) & free).len();
        }
        for from in self.straight(M::COLOR) & loose {
            count += (attacks::rook(from, occupied) & free).len();
        }
        if !self.pinned.is_disjoint(self.colors(M::COLOR)) {
            count += self.count_pinned::<M>();
        }
        if self.legal_en_passant().is_some() {
            count += self.count_en_passant::<M>();
        }
        count + self.king_targets::<M>(BitBoard::FULL).len()
    }

    /// The moves of pawns that are not pinned, out of check, captures en passant aside.
    #[inline]
    fn count_pawns<M: Mover>(&self, pawns: BitBoard) -> u32 {
        let (free, theirs) = (!self.occupied(), self.colors(M::Other::COLOR));
        let ahead = M::forward(pawns);
        let one = ahead & free;
        let two = M::forward(one & M::rank(Rank::Third)) & free;
        let (left, right) = (ahead.left() & theirs, ahead.right() & theirs);
        let mut count = one.len() + two.len() + left.len() + right.len();
        // Each of these is four moves; few positions have one.
        if !pawns.is_disjoint(M::rank(Rank::Seventh)) {
            let last = M::rank(Rank::Eighth);
            count += 3 * ((one & last).len() + (left & last).len() + (right & last).len());
        }
        count
    }

    /// The moves of pinned pieces, out of check.
    #[cold]
    fn count_pinned<M: Mover>(&self) -> u32 {
        let mut count = 0;
        for from in self.pinned & self.colors(M::COLOR) {
            let piece = self.kind_on(from);
            let to = self.targets::<M>(piece, from);
            count += PieceMoves { piece, from, to }.count();
        }
        count
    }

    #[cold]
    fn count_en_passant<M: Mover>(&self) -> u32 {
        let Some(file) = self.legal_en_passant() else { return 0 };
        let pawns =
            attacks::pawn(M::passed(file), M::Other::COLOR) & self.colored_pieces(M::COLOR, Piece::Pawn);
        pawns.iter().filter(|&from| self.may_capture_en_passant::<M>(from, file)).count() as u32
    }

    #[cold]
    fn count_one_by_one<M: Mover>(&self) -> u32 {
        let mut count = 0;
        let _ = self.visit_as::<M>(Wanted::ALL, |moves| {
            count += moves.count();
            Continue(())
        });
        count
    }

    /// Where a piece of the side to move may go, captures en passant aside.
    fn targets<M: Mover>(&self, piece: Piece, from: Square) -> BitBoard {
        let sees = match piece {
            Piece::Pawn => self.pawn_targets::<M>(from),
            Piece::King => return self.king_targets::<M>(BitBoard::FULL),
            _ => self.sees(piece, from, M::COLOR),
        };
        if self.checkers.has_several() {
            return BitBoard::EMPTY;
        }
        let reach = self.reach::<M>();
        if !self.pinned.has(from) {
            sees & reach
        } else if self.checkers.is_empty() {
            sees & reach & attacks::line(self.king(M::COLOR), from)
        } else {
            BitBoard::EMPTY
        }
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        for_side!(self, is_legal_for(mv))
    }

    fn is_legal_for<M: Mover>(&self, mv: Move) -> bool {
        if !self.colors(M::COLOR).has(mv.from) {
            return false;
        }
        let piece = self.kind_on(mv.from);
        let promotes = piece == Piece::Pawn && M::rank(Rank::Eighth).has(mv.to);
        let becomes = match mv.promotion {
            None => !promotes,
            Some(becomes) => promotes && !matches!(becomes, Piece::Pawn | Piece::King),
        };
        becomes && (self.targets::<M>(piece, mv.from).has(mv.to) || self.captures_en_passant::<M>(piece, mv))
    }

    fn captures_en_passant<M: Mover>(&self, piece: Piece, mv: Move) -> bool {
        let file = self.legal_en_passant().filter(|&file| piece == Piece::Pawn && M::passed(file) == mv.to);
        let beside = attacks::pawn(mv.from, M::COLOR).has(mv.to);
        file.is_some_and(|file| beside && self.may_capture_en_passant::<M>(mv.from, file))
    }

    /// What a piece sees from a square, whoever stands there; of a pawn where it takes.
    pub(crate) fn sees(&self, piece: Piece, from: Square, color: Color) -> BitBoard {
        let occupied = self.occupied();
        match piece {
            Piece::Pawn => attacks::pawn(from, color),
            Piece::Knight => attacks::knight(from),
            Piece::Bishop => attacks::bishop(from, occupied),
            Piece::Rook => attacks::rook(from, occupied),
            Piece::Queen => attacks::queen(from, occupied),
            Piece::King => attacks::king(from),
        }
    }
}

#[inline]
fn tell(
    piece: Piece,
    from: Square,
    to: BitBoard,
    found: &mut impl FnMut(PieceMoves) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if to.is_empty() { Continue(()) } else { found(PieceMoves { piece, from, to }) }
}

/// What castling with a rook needs of the first rank.
#[derive(Clone, Copy)]
struct Path {
    /// Squares where nothing stands but king and rook.
    free: BitBoard,
    /// Squares that the king crosses, where he may not be attacked; that he is not where he stands is known.
    safe: BitBoard,
}

impl Path {
    #[inline]
    fn of<M: Mover>(king: Square, rook: Square) -> Path {
        let (free, safe) = PATHS[king as usize % 8][rook as usize % 8];
        let shift = 8 * Rank::First.relative_to(M::COLOR) as u32;
        Path { free: BitBoard(u64::from(free) << shift), safe: BitBoard(u64::from(safe) << shift) }
    }
}

/// The paths by the files of king and rook, as sets of files: first what is free, then what is safe.
static PATHS: [[(u8, u8); 8]; 8] = {
    let mut paths = [[(0, 0); 8]; 8];
    let mut i = 0;
    while i < 64 {
        let (king, rook) = (i / 8, i % 8);
        let (king_to, rook_to) = if king < rook { (6, 5) } else { (2, 3) };
        let safe = span(king, king_to) & !(1 << king) | 1 << king_to;
        paths[king][rook] = ((span(king, rook) | safe | 1 << rook_to) & !(1 << king | 1 << rook), safe);
        i += 1;
    }
    paths
};

/// The files from one to another, both included.
const fn span(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((2 << high) - (1 << low)) as u8
}
