//! FEN: text of a position, in and out.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
//! pieces, rank 8 first                    turn castling | clock, number of the move
//!                                                 en passant
//! ```
//!
//! The last two fields may be left out together (`0 1`). Castling rights are read as X-FEN: `K` is the
//! outermost rook on the king's h-side, a file letter (`HAha`, Shredder-FEN) is the rook on that file,
//! so that Chess960 is read too. They are written as `KQkq`, and as a file letter only where the
//! rook is not the outermost. The en-passant square of any double step is kept as it was given.

use crate::State;
use crate::types::{
    BitBoard, BoardBuilder, Color, File, LETTERS, Piece, Rank, Square, color_name, file_letter,
    file_of_letter, piece_letter, rank_digit, rank_of_digit,
};
use crate::validity::{Place, Violation, is_valid, violations};
use crate::zobrist;
use std::fmt::Write;
use std::hint::select_unpredictable;
use tabia_core::notation::Cursor;
use tabia_core::{Key, PositionError, RuleError, TextError};

/// Reads a FEN. A text error names the field and points at the character; of broken rules all are named.
pub fn parse(text: &str) -> Result<State, PositionError> {
    let mut reader =
        Reader { cursor: Cursor::new(text), builder: BoardBuilder::empty(), places: Places::default() };
    let broken_rights = reader.fields()?;
    let state = State::unchecked(&reader.builder);
    if broken_rights.is_empty() && is_valid(&reader.builder, state.board()) {
        return Ok(state);
    }
    let broken = broken_rights.into_iter().chain(violations(&reader.builder));
    let errors = broken.map(|violation| {
        let offset = reader.places.offset(violation.place, text);
        RuleError::at(offset, violation.message)
    });
    Err(PositionError::Rules(errors.collect()))
}

/// Reads the first field of a FEN alone: pieces on squares, whether or not chess allows them.
pub fn parse_placement(text: &str) -> Result<[Option<(Piece, Color)>; 64], TextError> {
    let mut reader =
        Reader { cursor: Cursor::new(text), builder: BoardBuilder::empty(), places: Places::default() };
    reader.placement()?;
    // Whatever the other fields say does not matter here.
    if reader.cursor.peek().is_some_and(|c| c != ' ') {
        reader.cursor.expect_end()?;
    }
    Ok(Square::ALL.map(|square| reader.builder.square(square)))
}

/// Where the parts of a FEN stand in the text.
#[derive(Default)]
struct Places {
    castling: usize,
    en_passant: usize,
    number: usize,
}

impl Places {
    fn offset(&self, place: Place, text: &str) -> usize {
        match place {
            Place::Board => 0,
            Place::Square(square) => piece_offset(text, square),
            Place::Castling => self.castling,
            Place::EnPassant => self.en_passant,
            Place::MoveNumber => self.number,
        }
    }
}

/// Where the piece on a square stands in a text that begins with pieces.
fn piece_offset(text: &str, square: Square) -> usize {
    let (mut file, mut rank) = (0, 7);
    for (offset, c) in text.bytes().enumerate() {
        match c {
            b'/' => (file, rank) = (0, rank - 1),
            b'1'..=b'8' => file += usize::from(c - b'0'),
            _ if 8 * rank + file == square as usize => return offset,
            _ => file += 1,
        }
    }
    0
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    builder: BoardBuilder,
    places: Places,
}

impl Reader<'_> {
    fn fields(&mut self) -> Result<Vec<Violation>, TextError> {
        self.placement()?;
        self.space("the side to move")?;
        self.side()?;
        self.space("castling rights")?;
        let broken = self.castling()?;
        self.space("the en-passant square")?;
        self.en_passant()?;
        if self.cursor.skip_space() && !self.cursor.at_end() {
            self.builder.halfmove_clock = self.number("the half-move clock", 255)? as u8;
            self.space("the number of the move")?;
            self.places.number = self.cursor.offset();
            self.builder.fullmove_number = self.number("the number of the move", 65535)? as u16;
            self.cursor.skip_space();
        }
        self.cursor.expect_end()?;
        Ok(broken)
    }

    fn space(&mut self, before: &str) -> Result<(), TextError> {
        if self.cursor.skip_space() {
            Ok(())
        } else {
            Err(self.cursor.error(format!("a space before {before}")))
        }
    }

    /// Reads the pieces. Whether a letter, a digit or a slash comes next is hard to predict: all are treated alike.
    #[allow(clippy::needless_bitwise_bool)]
    fn placement(&mut self) -> Result<(), TextError> {
        let bytes = self.cursor.rest().as_bytes();
        let (mut kinds, mut key) = ([BitBoard::EMPTY; NO_PIECE + 1], Key(0));
        // Squares read so far, from a8 on, and where the rank ends.
        let (mut at, mut read, mut end, mut after_digit) = (0, 0, 8, false);
        while read < Square::NUM {
            let sign = SIGNS[usize::from(bytes.get(at).copied().unwrap_or(0))];
            let next = read + usize::from(sign.squares);
            let goes_on = (next <= end) & (next != read) & !(sign.is_digit & after_digit);
            if !select_unpredictable(sign.is_slash, read == end, goes_on) {
                self.cursor.take(at);
                return Err(self.cursor.error(expected_piece(read, end, after_digit)));
            }
            let (kind, square) = (usize::from(sign.kind), Square::wrapped(read ^ 0b111_000));
            kinds[kind] |= square.bitboard();
            key ^= select_unpredictable(kind < NO_PIECE, zobrist::coded(kind, square), Key(0));
            (at, read, after_digit) = (at + 1, next, sign.is_digit);
            end += 8 * usize::from(sign.is_slash);
        }
        self.cursor.take(at);
        let (kinds, _) = kinds.split_first_chunk().unwrap_or((&[BitBoard::EMPTY; NO_PIECE], &[]));
        self.builder = BoardBuilder::of_kinds(kinds, key);
        Ok(())
    }

    fn side(&mut self) -> Result<(), TextError> {
        self.builder.side_to_move = if self.cursor.eat('w') {
            Color::White
        } else if self.cursor.eat('b') {
            Color::Black
        } else {
            return Err(self.cursor.error("the side to move: 'w' or 'b'"));
        };
        Ok(())
    }

    /// The castling rights; what the pieces do not allow is handed back.
    fn castling(&mut self) -> Result<Vec<Violation>, TextError> {
        let mut broken = Vec::new();
        self.places.castling = self.cursor.offset();
        if self.cursor.eat('-') {
            return Ok(broken);
        }
        let first = self.cursor.offset();
        while let Some(c) = self.cursor.peek().filter(|&c| c != ' ') {
            let upper = c.to_ascii_uppercase();
            let color = if c == upper { Color::White } else { Color::Black };
            if !matches!(upper, 'A'..='H' | 'K' | 'Q') {
                return Err(self.cursor.error("castling rights: '-', K, Q, k, q or file letters"));
            }
            match self.castling_rook(color, upper) {
                Err(problem) => {
                    let violation = Violation::new(Place::Castling, problem);
                    // A king away from home spoils both of its rights, for one reason.
                    broken.extend((!broken.contains(&violation)).then_some(violation));
                }
                Ok((file, short)) => {
                    let rights = self.builder.castle_rights_mut(color);
                    let right = if short { &mut rights.short } else { &mut rights.long };
                    if right.replace(file).is_some() {
                        return Err(self.cursor.error("every castling right once"));
                    }
                }
            }
            self.cursor.next();
        }
        if self.cursor.offset() == first {
            return Err(self.cursor.error("castling rights: '-', K, Q, k, q or file letters"));
        }
        Ok(broken)
    }

    /// The file of the rook that a letter means, and whether it castles short.
    fn castling_rook(&self, color: Color, letter: char) -> Result<(File, bool), String> {
        let back = Rank::First.relative_to(color);
        let name = color_name(color);
        let on_rank = |piece| self.builder.of(color, piece) & back.bitboard();
        let king = on_rank(Piece::King).next_square().map(Square::file);
        let king = king.ok_or_else(|| format!("{name} cannot castle: the king is not on rank {back}"))?;
        let mut rooks = on_rank(Piece::Rook).iter().map(Square::file);
        let rook = match letter {
            'K' => rooks.filter(|&file| file > king).last(),
            'Q' => rooks.find(|&file| file < king),
            _ => rooks.find(|&file| file_letter(file) == letter.to_ascii_lowercase()),
        };
        let rook =
            rook.ok_or_else(|| format!("{name} cannot castle {letter}: no such rook on rank {back}"))?;
        Ok((rook, rook > king))
    }

    fn en_passant(&mut self) -> Result<(), TextError> {
        self.places.en_passant = self.cursor.offset();
        if self.cursor.eat('-') {
            return Ok(());
        }
        let file = self.cursor.peek().filter(char::is_ascii).and_then(|c| file_of_letter(c as u8));
        let file = file.ok_or_else(|| self.cursor.error("the en-passant square or '-'"))?;
        self.cursor.next();
        let wanted = Rank::Sixth.relative_to(self.builder.side_to_move);
        let rank = self.cursor.peek().filter(char::is_ascii).and_then(|c| rank_of_digit(c as u8));
        if rank != Some(wanted) {
            let side = color_name(self.builder.side_to_move);
            return Err(self
                .cursor
                .error(format!("rank {wanted} of the en-passant square, {side} being to move")));
        }
        self.cursor.next();
        self.builder.en_passant = Some(Square::new(file, wanted));
        Ok(())
    }

    fn number(&mut self, what: &str, most: u32) -> Result<u32, TextError> {
        let start = self.cursor.offset();
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        let number = digits.parse().ok().filter(|&n: &u32| n <= most);
        number.ok_or_else(|| self.cursor.error_at(start, format!("{what}: a number up to {most}")))
    }
}

/// The number of no piece: those of pieces are P N B R Q K p n b r q k = 0 .. 11.
const NO_PIECE: usize = 12;

/// What would go on after so many squares, in a rank that ends at `end`.
fn expected_piece(read: usize, end: usize, after_digit: bool) -> String {
    let rank = 9 - end / 8;
    if read == end {
        return format!("'/' before rank {} of the pieces", rank - 1);
    }
    let or = if after_digit { "" } else { " or a digit" };
    format!("a piece{or} for the last {} of rank {rank}", end - read)
}

/// What a character says about the next squares of a rank.
#[derive(Clone, Copy)]
struct Sign {
    /// How many they are; 0 where the character stands for none.
    squares: u8,
    /// The number of the piece.
    kind: u8,
    is_digit: bool,
    is_slash: bool,
}

static SIGNS: [Sign; 256] = {
    let nothing = Sign { squares: 0, kind: NO_PIECE as u8, is_digit: false, is_slash: false };
    let mut signs = [nothing; 256];
    signs[b'/' as usize].is_slash = true;
    let mut n = 1;
    while n <= 8 {
        signs[b'0' as usize + n] = Sign { squares: n as u8, is_digit: true, ..nothing };
        n += 1;
    }
    let mut piece = 0;
    while piece < Piece::NUM {
        let letter = LETTERS[piece];
        let sign = Sign { squares: 1, kind: piece as u8, ..nothing };
        signs[letter.to_ascii_uppercase() as usize] = sign;
        signs[letter as usize] = Sign { kind: (Piece::NUM + piece) as u8, ..sign };
        piece += 1;
    }
    signs
};

/// Writes a position as FEN.
pub fn format(state: &State) -> String {
    let board = state.board();
    let mut text = String::with_capacity(80);
    placement(state, &mut text);
    text.push_str(if board.side_to_move() == Color::White { " w " } else { " b " });
    let before = text.len();
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        text.extend(rights.short.map(|rook| right_letter(state, color, rook, true)));
        text.extend(rights.long.map(|rook| right_letter(state, color, rook, false)));
    }
    if text.len() == before {
        text.push('-');
    }
    match board.en_passant() {
        None => text.push_str(" -"),
        Some(file) => {
            text.extend([' ', file_letter(file), rank_digit(Rank::Sixth.relative_to(board.side_to_move()))]);
        }
    }
    push_number(&mut text, u32::from(state.clock()));
    push_number(&mut text, u32::from(board.fullmove_number()));
    text
}

/// Appends a space and a number, most often of one digit.
fn push_number(text: &mut String, number: u32) {
    match number {
        0..=9 => text.extend([' ', char::from(b'0' + number as u8)]),
        _ => _ = write!(text, " {number}"),
    }
}

/// A position is written for every move that an answer lists. Where pieces stand nobody can predict, so that digits are
/// always written, and overwritten where there are none.
fn placement(state: &State, text: &mut String) {
    let board = state.board();
    let (occupied, white) = (board.occupied(), board.colors(Color::White));
    let (mut bytes, mut end) = ([0; LONGEST_PLACEMENT], 0);
    let mut write = |byte: u8, length: usize| {
        bytes[end % LONGEST_PLACEMENT] = byte;
        end += length;
    };
    for rank in Rank::ALL.into_iter().rev() {
        let mut next = 0;
        for square in occupied & rank.bitboard() {
            let gap = square.file() as usize - next;
            write(b'0' + gap as u8, usize::from(gap > 0));
            let color = if white.has(square) { Color::White } else { Color::Black };
            write(piece_letter(board.kind_on(square), color) as u8, 1);
            next += gap + 1;
        }
        write(b'0' + (8 - next) as u8, usize::from(next < 8));
        write(b'/', usize::from(rank != Rank::First));
    }
    text.push_str(str::from_utf8(&bytes[..end.min(LONGEST_PLACEMENT)]).unwrap_or_default());
}

/// A piece on every square, and what stands between the ranks.
const LONGEST_PLACEMENT: usize = 64 + 7;

/// `K` or `Q` when the rook is the outermost on its side, its file otherwise.
fn right_letter(state: &State, color: Color, rook: File, short: bool) -> char {
    let rooks = state.board().colored_pieces(color, Piece::Rook) & Rank::First.relative_to(color).bitboard();
    let beyond = rooks.iter().any(|other| if short { other.file() > rook } else { other.file() < rook });
    let letter = match (beyond, short) {
        (true, _) => file_letter(rook),
        (false, true) => 'k',
        (false, false) => 'q',
    };
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}
