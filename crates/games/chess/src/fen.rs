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
    BoardBuilder, Color, File, Piece, Rank, Square, color_name, file_letter, file_of_letter, piece_letter,
    piece_of_letter, rank_of_digit,
};
use crate::validity::{Place, Violation, violations};
use std::fmt::Write;
use tabia_core::notation::Cursor;
use tabia_core::{PositionError, RuleError, TextError};

/// Reads a FEN. A text error names the field and points at the character; of broken rules all are named.
pub fn parse(text: &str) -> Result<State, PositionError> {
    let mut reader =
        Reader { cursor: Cursor::new(text), builder: BoardBuilder::empty(), places: Places::default() };
    let broken_rights = reader.fields()?;
    if broken_rights.is_empty()
        && let Some(state) = State::build(&reader.builder)
    {
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

    fn placement(&mut self) -> Result<(), TextError> {
        for rank in Rank::ALL.into_iter().rev() {
            if rank != Rank::Eighth && !self.cursor.eat('/') {
                return Err(self.cursor.error(format!("'/' before rank {rank} of the pieces")));
            }
            self.rank(rank)?;
        }
        Ok(())
    }

    fn rank(&mut self, rank: Rank) -> Result<(), TextError> {
        let (mut file, mut after_digit) = (0, false);
        while file < 8 {
            let c = self.cursor.peek().filter(char::is_ascii).map_or(0, |c| c as u8);
            match c {
                b'1'..=b'8' if !after_digit && file + usize::from(c - b'0') <= 8 => {
                    file += usize::from(c - b'0');
                    after_digit = true;
                }
                _ => {
                    let Some(piece) = piece_of_letter(c) else {
                        let or = if after_digit { "" } else { " or a digit" };
                        let left = 8 - file;
                        return Err(self
                            .cursor
                            .error(format!("a piece{or} for the last {left} of rank {rank}")));
                    };
                    let square = Square::new(File::wrapped(file), rank);
                    self.builder.put(square, Some(piece));
                    file += 1;
                    after_digit = false;
                }
            }
            self.cursor.next();
        }
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
        let on = |file: File, piece| self.builder.square(Square::new(file, back)) == Some((piece, color));
        let king = File::ALL.into_iter().find(|&file| on(file, Piece::King));
        let king = king.ok_or_else(|| format!("{name} cannot castle: the king is not on rank {back}"))?;
        let rook = match letter {
            'K' => File::ALL.into_iter().rev().find(|&file| file > king && on(file, Piece::Rook)),
            'Q' => File::ALL.into_iter().find(|&file| file < king && on(file, Piece::Rook)),
            _ => file_of_letter(letter.to_ascii_lowercase() as u8).filter(|&file| on(file, Piece::Rook)),
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
            let square = Square::new(file, Rank::Sixth.relative_to(board.side_to_move()));
            let _ = write!(text, " {square}");
        }
    }
    let _ = write!(text, " {} {}", state.clock(), board.fullmove_number());
    text
}

fn placement(state: &State, text: &mut String) {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0u8;
        for file in File::ALL {
            match state.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some((piece, color)) => {
                    text.extend((empty > 0).then_some((b'0' + empty) as char));
                    text.push(piece_letter(piece, color));
                    empty = 0;
                }
            }
        }
        text.extend((empty > 0).then_some((b'0' + empty) as char));
        text.extend((rank != Rank::First).then_some('/'));
    }
}

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
