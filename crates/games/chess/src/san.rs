//! Moves as people write them: `e4`, `Nbd7`, `exd6`, `O-O`, `e8=Q+`.
//!
//! Reading is generous, as PGN asks (missing `x` or `=`, zeros in castling, needless letters, `!?` at
//! the end); writing is exact: the fewest letters that tell legal moves apart, then `+` or `#`.
//! Which pieces could have moved is found by looking from the target square, not by listing moves.

use crate::movegen::{is_capture, is_castling};
use crate::types::{
    BitBoard, Board, Color, File, LETTERS, Move, Piece, Rank, Square, color_name, file_letter,
    file_of_letter, piece_name, piece_of_any_case, rank_digit, rank_of_digit,
};
use tabia_core::{MoveError, RuleError, TextError};

/// A move as written: what it says, before a position makes it a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum San {
    /// Castling.
    Castle {
        /// `O-O-O`.
        long: bool,
    },
    /// Anything else.
    Piece {
        /// What moves.
        piece: Piece,
        /// The file it comes from, if written.
        file: Option<File>,
        /// The rank it comes from, if written.
        rank: Option<Rank>,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Piece>,
    },
}

impl San {
    /// Reads a move; the error is the offset of the first byte that does not belong there.
    pub fn read(text: &[u8]) -> Result<San, usize> {
        let text = without_suffix(text);
        match text {
            b"O-O" | b"0-0" | b"o-o" => return Ok(San::Castle { long: false }),
            b"O-O-O" | b"0-0-0" | b"o-o-o" => return Ok(San::Castle { long: true }),
            _ => {}
        }
        let piece = match text.first() {
            Some(&letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P')) => piece_of_any_case(letter),
            _ => None,
        };
        let start = usize::from(piece.is_some());
        let (end, promotion) = promotion(text);
        // From the back: the target square, an x or a hyphen, then rank and file of origin.
        let (to, mut at) = target(text, end).ok_or(start.min(text.len()))?;
        if at > start && matches!(text[at - 1], b'x' | b':' | b'-') {
            at -= 1;
        }
        let rank = before(text, start, at).and_then(rank_of_digit);
        at -= usize::from(rank.is_some());
        let file = before(text, start, at).and_then(file_of_letter);
        at -= usize::from(file.is_some());
        if at != start {
            return Err(start);
        }
        Ok(San::Piece { piece: piece.unwrap_or(Piece::Pawn), file, rank, to, promotion })
    }

    /// The legal move of a position that this says.
    pub fn resolve(self, board: &Board) -> Result<Move, RuleError> {
        match self {
            San::Castle { long } => castle(board, long),
            San::Piece { piece, file, rank, to, promotion } => {
                let mut from = origins(board, piece, to);
                if let Some(file) = file {
                    from &= file.bitboard();
                }
                if let Some(rank) = rank {
                    from &= rank.bitboard();
                }
                let mut legal =
                    from.iter().map(|from| Move { from, to, promotion }).filter(|&mv| board.is_legal(mv));
                match (legal.next(), legal.next()) {
                    (Some(mv), None) => Ok(mv),
                    (None, _) => Err(RuleError::new(why_not(board, from, piece, to, promotion))),
                    (Some(a), Some(b)) => {
                        let message = format!(
                            "the {} on {} and {} can both go to {to}",
                            piece_name(piece),
                            a.from,
                            b.from
                        );
                        Err(RuleError::new(message))
                    }
                }
            }
        }
    }
}

/// Reads a move of a position.
pub fn parse(board: &Board, text: &str) -> Result<Move, MoveError> {
    let expected = "a move such as e4, Nf3, exd5, O-O or e7e8q";
    let san = San::read(text.as_bytes()).map_err(|offset| {
        let mut offset = offset;
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        TextError::at(text, offset, expected)
    })?;
    Ok(san.resolve(board)?)
}

/// The bytes without `+`, `#`, `!`, `?` and `e.p.` at the end.
fn without_suffix(text: &[u8]) -> &[u8] {
    let mut end = text.len();
    while end > 0 && matches!(text[end - 1], b'+' | b'#' | b'!' | b'?') {
        end -= 1;
    }
    let text = &text[..end];
    text.strip_suffix(b"e.p.").map_or(text, <[u8]>::trim_ascii_end)
}

/// Where the text before the promotion ends, and the piece promoted to.
fn promotion(text: &[u8]) -> (usize, Option<Piece>) {
    let piece = |letter: &u8| piece_of_any_case(*letter);
    match text {
        [before @ .., b'=', letter] | [before @ .., b'(', letter, b')'] => (before.len(), piece(letter)),
        [before @ .., b'1' | b'8', letter @ (b'N' | b'B' | b'R' | b'Q')] => (before.len() + 1, piece(letter)),
        _ => (text.len(), None),
    }
}

/// The square written before `end`, and where it begins.
fn target(text: &[u8], end: usize) -> Option<(Square, usize)> {
    let start = end.checked_sub(2)?;
    let square = Square::new(file_of_letter(text[start])?, rank_of_digit(text[start + 1])?);
    Some((square, start))
}

fn before(text: &[u8], start: usize, at: usize) -> Option<u8> {
    (at > start).then(|| text[at - 1])
}

/// The pieces of the side to move that could go to a square, their king's safety aside.
fn origins(board: &Board, piece: Piece, to: Square) -> BitBoard {
    let color = board.side_to_move();
    let from = match piece {
        Piece::Pawn => pawn_origins(board, to),
        _ => board.sees(piece, to, color),
    };
    from & board.colored_pieces(color, piece)
}

fn pawn_origins(board: &Board, to: Square) -> BitBoard {
    let color = board.side_to_move();
    let en_passant = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(color)));
    if board.colors(!color).has(to) || en_passant == Some(to) {
        return board.sees(Piece::Pawn, to, !color);
    }
    // Backwards, a double step ends where it would begin for the other side's pawn.
    let back = if color == Color::White { -1 } else { 1 };
    let one = to.try_offset(0, back);
    let two =
        one.filter(|&square| !board.occupied().has(square)).and_then(|square| square.try_offset(0, back));
    let set = |square: Option<Square>| square.map_or(BitBoard::EMPTY, Square::bitboard);
    set(one) | set(two)
}

fn castle(board: &Board, long: bool) -> Result<Move, RuleError> {
    let color = board.side_to_move();
    let rights = board.castle_rights(color);
    let rook = if long { rights.long } else { rights.short };
    let name = color_name(color);
    let word = if long { "long" } else { "short" };
    let rook = rook.ok_or_else(|| RuleError::new(format!("{name} has no right to castle {word}")))?;
    let from = board.king(color);
    let mv = Move { from, to: Square::new(rook, from.rank()), promotion: None };
    if board.is_legal(mv) {
        return Ok(mv);
    }
    let why =
        if board.checkers().is_empty() { "a square is occupied or attacked" } else { "the king is in check" };
    Err(RuleError::new(format!("{name} cannot castle {word} now: {why}")))
}

fn why_not(board: &Board, from: BitBoard, piece: Piece, to: Square, promotion: Option<Piece>) -> String {
    let name = piece_name(piece);
    let last = to.rank() == Rank::Eighth.relative_to(board.side_to_move());
    if from.is_empty() {
        format!("no {name} can go to {to}")
    } else if piece == Piece::Pawn && last && promotion.is_none() {
        format!("a pawn that reaches {to} must promote")
    } else if promotion.is_some() && !(piece == Piece::Pawn && last) {
        format!("nothing promotes by going to {to}")
    } else if board.colors(board.side_to_move()).has(to) {
        format!("{to} is occupied by a piece of one's own")
    } else {
        format!("the {name}'s move to {to} would leave the king in check")
    }
}

/// Writes a legal move.
pub fn format(board: &Board, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    write(board, mv, &mut text);
    text
}

/// Appends a legal move to a text.
pub fn write(board: &Board, mv: Move, text: &mut String) {
    let Some(piece) = board.piece_on(mv.from) else { return };
    if is_castling(board, mv) {
        text.push_str(if mv.from.file() < mv.to.file() { "O-O" } else { "O-O-O" });
    } else {
        write_piece_move(board, piece, mv, text);
    }
    let mut after = *board;
    after.play_unchecked(mv);
    if !after.checkers().is_empty() {
        text.push(if after.generate_moves(|_| true) { '+' } else { '#' });
    }
}

fn write_piece_move(board: &Board, piece: Piece, mv: Move, text: &mut String) {
    let captures = is_capture(board, mv);
    if piece == Piece::Pawn {
        text.extend(captures.then(|| file_letter(mv.from.file())));
    } else {
        text.push(LETTERS[piece as usize].to_ascii_uppercase() as char);
        write_origin(board, piece, mv, text);
    }
    text.extend(captures.then_some('x'));
    text.extend([file_letter(mv.to.file()), rank_digit(mv.to.rank())]);
    if let Some(promotion) = mv.promotion {
        text.extend(['=', LETTERS[promotion as usize].to_ascii_uppercase() as char]);
    }
}

/// The file, else the rank, else both: what tells this piece from others that can go there.
fn write_origin(board: &Board, piece: Piece, mv: Move, text: &mut String) {
    let rivals = origins(board, piece, mv.to) & !mv.from.bitboard();
    if rivals.is_empty() {
        return;
    }
    let legal = |from: &Square| board.is_legal(Move { from: *from, ..mv });
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for rival in rivals.iter().filter(legal) {
        any = true;
        same_file |= rival.file() == mv.from.file();
        same_rank |= rival.rank() == mv.from.rank();
    }
    text.extend((any && (!same_file || same_rank)).then(|| file_letter(mv.from.file())));
    text.extend((any && same_file).then(|| rank_digit(mv.from.rank())));
}
