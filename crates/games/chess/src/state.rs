//! A position: cozy-chess's board, our key, and the en-passant capture that is really possible.
//!
//! Invariants: the board is valid by [`crate::validity`]; `key` is as [`crate::zobrist`] defines it; `en_passant` is the file
//! of the pawn that some legal move captures en passant. FIDE calls two positions the same when
//! the same moves are possible, so `Eq`, `Hash`, the key and the packed form look at that file and
//! not at the square in the FEN, and at no clock. The board keeps the square of every double step
//! all the same: FEN writes it, and Polyglot has a view of its own.

use crate::types::{BitBoard, Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, color_of};
use crate::validity;
use crate::zobrist;
use std::hash::{Hash, Hasher};
use tabia_core::{Key, PositionError, RuleError, Side};

/// A valid chess position with its clocks.
#[derive(Clone, Debug)]
pub struct State {
    board: Board,
    key: Key,
    en_passant: Option<File>,
    /// Plies since the last capture or pawn move. The board's own stops at 100.
    clock: u8,
}

impl State {
    /// The usual start position.
    pub fn start() -> Self {
        Self::from_valid(Board::default())
    }

    /// The start position of Chess960 with this Scharnagl number; `None` from 960 on.
    pub fn chess960_start(number: u32) -> Option<Self> {
        (number < 960).then(|| Self::from_valid(Board::chess960_startpos(number)))
    }

    fn from_valid(board: Board) -> Self {
        let pieces = zobrist::of_pieces(&board);
        Self::from_board(board, 0, pieces)
    }

    /// The position that a builder describes. All violated rules are named.
    pub fn from_builder(builder: &BoardBuilder) -> Result<Self, PositionError> {
        Self::build(builder).ok_or_else(|| {
            let violated = validity::violations(builder);
            PositionError::Rules(violated.into_iter().map(|v| RuleError::new(v.message)).collect())
        })
    }

    /// The position that a builder describes, if it is valid.
    pub(crate) fn build(builder: &BoardBuilder) -> Option<Self> {
        let board = validity::board(builder)?;
        Some(State { clock: builder.halfmove_clock, ..Self::from_valid(board) })
    }

    /// The same where the key of the pieces is known already.
    #[inline]
    pub(crate) fn build_with_key(builder: &BoardBuilder, pieces: Key) -> Option<Self> {
        Some(Self::from_board(validity::board(builder)?, builder.halfmove_clock, pieces))
    }

    #[inline]
    fn from_board(board: Board, clock: u8, pieces: Key) -> Self {
        let en_passant = legal_en_passant(&board);
        let turn = if board.side_to_move() == Color::Black { zobrist::turn() } else { Key(0) };
        let key = pieces ^ turn ^ zobrist::Rights::of(&board).key() ^ zobrist::en_passant(en_passant);
        State { board, key, en_passant, clock }
    }

    /// The position as cozy-chess has it. Its half-move clock stops at 100; see [`State::clock`].
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position as a builder, clocks included: the inverse of [`State::from_builder`].
    pub fn to_builder(&self) -> BoardBuilder {
        BoardBuilder { halfmove_clock: self.clock, ..BoardBuilder::from_board(&self.board) }
    }

    /// Our key.
    #[inline]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The file of the pawn that can be captured en passant by a legal move.
    #[inline]
    pub fn en_passant(&self) -> Option<File> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move, up to 255.
    pub fn clock(&self) -> u8 {
        self.clock
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
        let any = |color| {
            let rights = self.board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        };
        any(Color::White) || any(Color::Black)
    }

    /// Whether a side has anything besides king and pawns.
    pub(crate) fn has_piece(&self, side: Side) -> bool {
        let men = self.board.pieces(Piece::Pawn) | self.board.pieces(Piece::King);
        !(self.board.colors(color_of(side)) & !men).is_empty()
    }

    /// Plays a legal move: the only place where a position changes.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        let rights = zobrist::Rights::of(&self.board);
        let mut key = self.key ^ zobrist::of_move(&self.board, mv);
        self.board.play_unchecked(mv);
        let left = zobrist::Rights::of(&self.board);
        if left != rights {
            key ^= rights.key() ^ left.key();
        }
        let en_passant = legal_en_passant(&self.board);
        if en_passant != self.en_passant {
            key ^= zobrist::en_passant(self.en_passant) ^ zobrist::en_passant(en_passant);
            self.en_passant = en_passant;
        }
        self.key = key;
        self.clock = if self.board.halfmove_clock() == 0 { 0 } else { self.clock.saturating_add(1) };
    }

    /// The position after passing the turn; `None` in check.
    pub(crate) fn pass(&self) -> Option<Self> {
        let board = self.board.null_move()?;
        let key = self.key ^ zobrist::turn() ^ zobrist::en_passant(self.en_passant);
        Some(State { board, key, en_passant: None, clock: self.clock.saturating_add(1) })
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.board, &other.board);
        self.key == other.key
            && self.en_passant == other.en_passant
            && a.side_to_move() == b.side_to_move()
            && Color::ALL
                .iter()
                .all(|&c| a.colors(c) == b.colors(c) && a.castle_rights(c) == b.castle_rights(c))
            && Piece::ALL.iter().all(|&p| a.pieces(p) == b.pieces(p))
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key.0);
    }
}

/// The file of the pawn that some legal move captures en passant.
#[inline]
fn legal_en_passant(board: &Board) -> Option<File> {
    // Looked up and not computed, because whether a pawn has made a double step is hard to predict;
    // that one stands beside it is rare.
    let color = board.side_to_move();
    let stepped = board.en_passant().map_or(8, |file| file as usize);
    let beside = BESIDE[color as usize][stepped] & board.colored_pieces(color, Piece::Pawn);
    if beside.is_empty() { None } else { some_legal(board, beside) }
}

#[cold]
fn some_legal(board: &Board, beside: BitBoard) -> Option<File> {
    let file = board.en_passant()?;
    let to = Square::new(file, Rank::Sixth.relative_to(board.side_to_move()));
    beside.iter().any(|from| board.is_legal(Move { from, to, promotion: None })).then_some(file)
}

/// The squares beside a pawn of the other side after its double step on each file, and none without one.
static BESIDE: [[BitBoard; 9]; 2] = {
    let mut table = [[BitBoard::EMPTY; 9]; 2];
    let mut file = 0;
    while file < 8 {
        let files = File::ALL[file].adjacent().0;
        table[0][file] = BitBoard(files & Rank::Fifth.bitboard().0);
        table[1][file] = BitBoard(files & Rank::Fourth.bitboard().0);
        file += 1;
    }
    table
};
