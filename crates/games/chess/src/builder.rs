//! A position under construction: anything on any square, until [`crate::validity`] has looked at it.

use crate::types::{BitBoard, Board, CastleRights, Color, File, Piece, Rank, Square};
use crate::zobrist;
use tabia_core::Key;

/// Pieces on squares and the other fields of a FEN, whether or not chess allows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardBuilder {
    pieces: [BitBoard; Piece::NUM],
    colors: [BitBoard; Color::NUM],
    /// The key of the pieces alone.
    key: Key,
    /// The side to move.
    pub side_to_move: Color,
    /// The castling rights of White and of Black.
    pub castle_rights: [CastleRights; Color::NUM],
    /// The square that a pawn has just passed by a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u8,
    /// The number of the move, from 1.
    pub fullmove_number: u16,
}

impl BoardBuilder {
    /// No pieces, White to move.
    pub const fn empty() -> Self {
        BoardBuilder {
            pieces: [BitBoard::EMPTY; Piece::NUM],
            colors: [BitBoard::EMPTY; Color::NUM],
            key: Key(0),
            side_to_move: Color::White,
            castle_rights: [CastleRights::EMPTY; Color::NUM],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The pieces of these sets, which do not overlap, and their key; White to move.
    #[inline]
    pub(crate) const fn of_sets(
        pieces: [BitBoard; Piece::NUM],
        colors: [BitBoard; Color::NUM],
        key: Key,
    ) -> Self {
        BoardBuilder { pieces, colors, key, ..Self::empty() }
    }

    /// The pieces of these sets by kind, White's before Black's, and their key; White to move.
    #[inline]
    pub(crate) fn of_kinds(kinds: &[BitBoard; 2 * Piece::NUM], key: Key) -> Self {
        let (mut pieces, mut colors) = ([BitBoard::EMPTY; Piece::NUM], [BitBoard::EMPTY; Color::NUM]);
        for (n, &set) in kinds.iter().enumerate() {
            pieces[n % Piece::NUM] |= set;
            colors[n / Piece::NUM] |= set;
        }
        Self::of_sets(pieces, colors, key)
    }

    /// The start position of Chess960 with this Scharnagl number, below 960.
    pub(crate) fn chess960_start(number: u32) -> Self {
        let mut builder = Self::empty();
        let rank = first_rank(number);
        let file = |piece, skip| {
            let mut files = File::ALL.into_iter().filter(|&file| rank[file as usize] == piece);
            files.nth(skip)
        };
        let rights = CastleRights { short: file(Piece::Rook, 1), long: file(Piece::Rook, 0) };
        for color in Color::ALL {
            for file in File::ALL {
                let square = |rank: Rank| Square::new(file, rank.relative_to(color));
                builder.put(square(Rank::First), Some((rank[file as usize], color)));
                builder.put(square(Rank::Second), Some((Piece::Pawn, color)));
            }
            builder.castle_rights[color as usize] = rights;
        }
        builder
    }

    /// A position as a builder, clocks included.
    pub fn from_board(board: &Board) -> Self {
        let color = board.side_to_move();
        let pieces = Piece::ALL.map(|piece| board.pieces(piece));
        let colors = Color::ALL.map(|color| board.colors(color));
        BoardBuilder {
            pieces,
            colors,
            key: zobrist::of_pieces(pieces, colors),
            side_to_move: color,
            castle_rights: Color::ALL.map(|color| board.castle_rights(color)),
            en_passant: board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(color))),
            halfmove_clock: board.clock(),
            fullmove_number: board.fullmove_number(),
        }
    }

    /// The pieces by kind, and by colour.
    #[inline]
    pub(crate) const fn sets(&self) -> ([BitBoard; Piece::NUM], [BitBoard; Color::NUM]) {
        (self.pieces, self.colors)
    }

    /// The key of the pieces alone.
    #[inline]
    pub(crate) const fn key(&self) -> Key {
        self.key
    }

    /// The pieces of a kind and a side.
    #[inline]
    pub(crate) fn of(&self, color: Color, piece: Piece) -> BitBoard {
        self.colors[color as usize] & self.pieces[piece as usize]
    }

    /// The pieces of a side.
    #[inline]
    pub(crate) fn colors(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    /// The pieces of a kind.
    #[inline]
    pub(crate) fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// All pieces.
    #[inline]
    pub(crate) fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// The piece on a square.
    pub fn square(&self, square: Square) -> Option<(Piece, Color)> {
        let color = Color::ALL.into_iter().find(|&color| self.colors(color).has(square))?;
        let piece = Piece::ALL.into_iter().find(|&piece| self.pieces(piece).has(square))?;
        Some((piece, color))
    }

    /// Puts a piece on a square in place of what stands there, or nothing.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Option<(Piece, Color)>) {
        if self.occupied().has(square) {
            let old = self.square(square);
            self.flip(square, old);
        }
        self.flip(square, piece);
    }

    #[inline]
    fn flip(&mut self, square: Square, piece: Option<(Piece, Color)>) {
        if let Some((piece, color)) = piece {
            self.pieces[piece as usize] ^= square.bitboard();
            self.colors[color as usize] ^= square.bitboard();
            self.key ^= zobrist::piece(piece, color, square);
        }
    }

    /// The castling rights of a side.
    pub fn castle_rights(&self, color: Color) -> CastleRights {
        self.castle_rights[color as usize]
    }

    /// The castling rights of a side, to change them.
    pub fn castle_rights_mut(&mut self, color: Color) -> &mut CastleRights {
        &mut self.castle_rights[color as usize]
    }

    /// The squares of all rooks that castling rights name.
    #[inline]
    pub(crate) fn castling_rooks(&self) -> BitBoard {
        let mut rooks = BitBoard::EMPTY;
        for color in Color::ALL {
            let CastleRights { short, long } = self.castle_rights(color);
            let back = Rank::First.relative_to(color);
            let rook = |file: Option<File>| file.map_or(BitBoard::EMPTY, |f| Square::new(f, back).bitboard());
            rooks |= rook(short) | rook(long);
        }
        rooks
    }
}

/// The first rank of a start position of Chess960 by Scharnagl's numbers: a place among the light squares, then among the
/// dark ones for the bishops, then among the free squares for the queen, then for both knights; rook, king, rook are left.
fn first_rank(number: u32) -> [Piece; File::NUM] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank = [None; File::NUM];
    let number = number as usize;
    rank[number % 4 * 2 + 1] = Some(Piece::Bishop);
    rank[number / 4 % 4 * 2] = Some(Piece::Bishop);
    let free = |rank: &[Option<Piece>; 8]| {
        let mut files = rank.iter().enumerate().filter(|(_, piece)| piece.is_none()).map(|(file, _)| file);
        [0; 6].map(|_| files.next().unwrap_or(0))
    };
    rank[free(&rank)[number / 16 % 6]] = Some(Piece::Queen);
    let (left, right) = KNIGHTS[number / 96 % 10];
    let places = free(&rank);
    (rank[places[left]], rank[places[right]]) = (Some(Piece::Knight), Some(Piece::Knight));
    let mut rest = [Piece::Rook, Piece::King, Piece::Rook].into_iter();
    rank.map(|piece| piece.or_else(|| rest.next()).unwrap_or(Piece::Rook))
}
