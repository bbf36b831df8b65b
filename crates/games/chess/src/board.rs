//! The pieces on the board, who is to move, and what follows from it: checks, pins, the key.
//!
//! Invariants: the position is valid by [`crate::validity`]; `key` is as [`crate::zobrist`] defines it; `castling` are the
//! rooks of both sides that may still castle; `checkers` are the pieces that give check, `pinned` those that stand alone
//! between the king to move and a slider; `capturable` is the file of the pawn that some legal move captures en passant,
//! `stepped` that of any pawn that has just made a double step.

use crate::attacks;
use crate::builder::BoardBuilder;
use crate::side::Mover;
use crate::types::{BitBoard, CastleRights, Color, File, Move, Piece, Rank, Square};
use crate::zobrist;
use tabia_core::Key;

/// The position, clocks included.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pieces: [BitBoard; Piece::NUM],
    colors: [BitBoard; Color::NUM],
    pub(crate) castling: BitBoard,
    pub(crate) checkers: BitBoard,
    pub(crate) pinned: BitBoard,
    key: Key,
    number: u16,
    clock: u8,
    pub(crate) side: Color,
    pub(crate) stepped: Option<File>,
    capturable: Option<File>,
}

/// Calls a function of the board that is compiled for either side, for the side to move.
macro_rules! for_side {
    ($board:expr, $function:ident($($argument:expr),*)) => {
        match $board.side {
            $crate::types::Color::White => $board.$function::<$crate::side::White>($($argument),*),
            $crate::types::Color::Black => $board.$function::<$crate::side::Black>($($argument),*),
        }
    };
}
pub(crate) use for_side;

impl Board {
    /// The position that a builder describes, which is valid.
    #[inline]
    pub(crate) fn new(builder: &BoardBuilder) -> Self {
        let (pieces, colors) = builder.sets();
        let mut board = Board {
            pieces,
            colors,
            castling: builder.castling_rooks(),
            checkers: BitBoard::EMPTY,
            pinned: BitBoard::EMPTY,
            key: builder.key(),
            number: builder.fullmove_number,
            clock: builder.halfmove_clock,
            side: builder.side_to_move,
            stepped: builder.en_passant.map(Square::file),
            capturable: None,
        };
        for_side!(board, look_around());
        board.key ^= zobrist::castling(board.castling) ^ zobrist::en_passant(board.capturable);
        if board.side == Color::Black {
            board.key ^= zobrist::turn();
        }
        board
    }

    /// The pieces of a kind, of both sides.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// The pieces of a side.
    #[inline]
    pub fn colors(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    /// The pieces of a kind and a side.
    #[inline]
    pub fn colored_pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.colors(color) & self.pieces(piece)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// Bishops and queens of a side.
    #[inline]
    pub(crate) fn diagonal(&self, color: Color) -> BitBoard {
        self.colors(color) & (self.pieces(Piece::Bishop) | self.pieces(Piece::Queen))
    }

    /// Rooks and queens of a side.
    #[inline]
    pub(crate) fn straight(&self, color: Color) -> BitBoard {
        self.colors(color) & (self.pieces(Piece::Rook) | self.pieces(Piece::Queen))
    }

    /// The king's square.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.colored_pieces(color, Piece::King).first()
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The rooks that a side may still castle with.
    pub fn castle_rights(&self, color: Color) -> CastleRights {
        let king = self.king(color);
        let mut rights = CastleRights::EMPTY;
        for rook in self.castling & self.colors(color) {
            let right = if rook > king { &mut rights.short } else { &mut rights.long };
            *right = Some(rook.file());
        }
        rights
    }

    /// The file of a pawn that has just made a double step, whether or not it can be captured.
    #[inline]
    pub fn en_passant(&self) -> Option<File> {
        self.stepped
    }

    /// The file of a pawn that some legal move captures en passant.
    #[inline]
    pub(crate) fn legal_en_passant(&self) -> Option<File> {
        self.capturable
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> BitBoard {
        self.checkers
    }

    /// Plies since the last capture or pawn move, up to 255.
    #[inline]
    pub fn clock(&self) -> u8 {
        self.clock
    }

    /// The number of the move, from 1; Black's move ends it.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.number
    }

    /// The hash of the position, as [`crate::zobrist`] defines it.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// The kind of the piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.occupied().has(square).then(|| self.kind_on(square))
    }

    /// The colour of the piece on a square.
    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        let color = if self.colors(Color::White).has(square) { Color::White } else { Color::Black };
        self.occupied().has(square).then_some(color)
    }

    /// The kind of piece on a square (a pawn if there is none), found without branches: which piece moves is hard to
    /// predict.
    #[inline]
    pub(crate) fn kind_on(&self, square: Square) -> Piece {
        let has = |piece| usize::from(self.pieces(piece).has(square));
        let knight_or_bishop = has(Piece::Knight) + 2 * has(Piece::Bishop);
        Piece::wrapped(knight_or_bishop + 3 * has(Piece::Rook) + 4 * has(Piece::Queen) + 5 * has(Piece::King))
    }

    /// Takes a piece away or puts it down, if it is `there` at all: the one place where pieces and key change.
    #[inline]
    fn flip(&mut self, piece: Piece, color: Color, square: Square, there: bool) {
        let bit = BitBoard(u64::from(there) << square as u32);
        self.pieces[piece as usize] ^= bit;
        self.colors[color as usize] ^= bit;
        self.key.0 ^= zobrist::piece(piece, color, square).0 & u64::from(there).wrapping_neg();
    }

    /// Plays a legal move; any other leaves some position.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        let piece = self.kind_on(mv.from);
        for_side!(self, play(piece, mv));
    }

    /// Plays a legal move of a piece whose kind is known.
    #[inline]
    pub(crate) fn play<M: Mover>(&mut self, piece: Piece, mv: Move) {
        let Move { from, to, promotion } = mv;
        let left = self.capturable;
        self.stepped = None;
        let mut gone = from.bitboard() | to.bitboard();
        // Masked, not branched upon: captures are hard to predict.
        let captures = self.colors(M::Other::COLOR).has(to);
        self.clock = if captures { 0 } else { self.clock.saturating_add(1) };
        if piece == Piece::King {
            gone |= M::rank(Rank::First);
        }
        if piece == Piece::King && self.colors(M::COLOR).has(to) {
            self.castle::<M>(mv);
        } else {
            self.flip(self.kind_on(to), M::Other::COLOR, to, captures);
            self.flip(piece, M::COLOR, from, true);
            self.flip(promotion.unwrap_or(piece), M::COLOR, to, true);
            if piece == Piece::Pawn {
                self.clock = 0;
                if from as u8 ^ to as u8 == 16 {
                    self.stepped = Some(to.file());
                } else if !captures && from.file() != to.file() {
                    let victim = Square::new(to.file(), from.rank());
                    self.flip(Piece::Pawn, M::Other::COLOR, victim, true);
                }
            }
        }
        if !self.castling.is_disjoint(gone) {
            self.key ^= zobrist::castling(self.castling & gone);
            self.castling &= !gone;
        }
        if M::COLOR == Color::Black {
            self.number = self.number.saturating_add(1);
        }
        self.side = M::Other::COLOR;
        self.look_around::<M::Other>();
        self.key ^= zobrist::turn();
        if left != self.capturable {
            self.key ^= zobrist::en_passant(left) ^ zobrist::en_passant(self.capturable);
        }
    }

    /// The king goes to the g or c file, the rook over him.
    #[cold]
    fn castle<M: Mover>(&mut self, mv: Move) {
        let (king, rook) = castling_files(mv);
        let back = Rank::First.relative_to(M::COLOR);
        self.flip(Piece::King, M::COLOR, mv.from, true);
        self.flip(Piece::Rook, M::COLOR, mv.to, true);
        self.flip(Piece::King, M::COLOR, Square::new(king, back), true);
        self.flip(Piece::Rook, M::COLOR, Square::new(rook, back), true);
    }

    /// Finds checks, pins and whether a capture en passant is legal, for the side to move.
    #[inline]
    fn look_around<M: Mover>(&mut self) {
        let king = self.king(M::COLOR);
        let (theirs, occupied) = (self.colors(M::Other::COLOR), self.occupied());
        self.checkers = theirs
            & (attacks::knight(king) & self.pieces(Piece::Knight)
                | attacks::pawn(king, M::COLOR) & self.pieces(Piece::Pawn));
        self.pinned = BitBoard::EMPTY;
        let aimed = attacks::diagonals(king) & self.diagonal(M::Other::COLOR)
            | attacks::straights(king) & self.straight(M::Other::COLOR);
        for sniper in aimed {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !between.has_several() {
                self.pinned |= between;
            }
        }
        self.capturable = self.stepped.filter(|&file| self.some_capture_en_passant::<M>(file));
    }

    #[inline]
    fn some_capture_en_passant<M: Mover>(&self, file: File) -> bool {
        let beside = file.adjacent() & M::rank(Rank::Fifth) & self.colored_pieces(M::COLOR, Piece::Pawn);
        !beside.is_empty() && beside.iter().any(|from| self.may_capture_en_passant::<M>(from, file))
    }

    /// Whether the king is safe after a pawn has captured en passant: two pawns leave their places at once, which can open
    /// any line.
    #[cold]
    pub(crate) fn may_capture_en_passant<M: Mover>(&self, from: Square, file: File) -> bool {
        let to = M::passed(file);
        let victim = Square::new(file, from.rank());
        let occupied = (self.occupied() ^ from.bitboard() ^ victim.bitboard()) | to.bitboard();
        let king = self.king(M::COLOR);
        attacks::bishop(king, occupied).is_disjoint(self.diagonal(M::Other::COLOR))
            && attacks::rook(king, occupied).is_disjoint(self.straight(M::Other::COLOR))
    }

    /// The position after passing the turn; `None` in check.
    pub fn null_move(&self) -> Option<Self> {
        if !self.checkers.is_empty() {
            return None;
        }
        let mut next = *self;
        next.key ^= zobrist::turn() ^ zobrist::en_passant(self.capturable);
        next.clock = self.clock.saturating_add(1);
        if self.side == Color::Black {
            next.number = self.number.saturating_add(1);
        }
        next.side = !self.side;
        next.stepped = None;
        for_side!(next, look_around());
        Some(next)
    }

    /// Whether the repetition rule sees the same position: pieces, turn, castling rights, legal captures en passant.
    #[inline]
    pub fn same_position(&self, other: &Self) -> bool {
        self.key == other.key
            && self.side == other.side
            && self.castling == other.castling
            && self.capturable == other.capturable
            && self.colors == other.colors
            && self.pieces == other.pieces
    }
}

/// The files where king and rook stand after castling.
pub(crate) fn castling_files(mv: Move) -> (File, File) {
    if mv.from < mv.to { (File::G, File::F) } else { (File::C, File::D) }
}
