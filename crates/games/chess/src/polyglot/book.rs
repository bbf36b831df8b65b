//! Polyglot opening books: files of 16-byte entries, sorted by key.
//!
//! ```text
//! byte 0..8    key          all numbers big-endian
//! byte 8..10   move         bits 0-2 to file, 3-5 to rank, 6-8 from file, 9-11 from rank, 12-14 promotion
//! byte 10..12  weight                                         (0 none, 1 knight .. 4 queen)
//! byte 12..16  learn
//! ```
//!
//! Castling is king takes rook: `e1h1`. The format has neither magic nor checksum; what shows a damaged
//! file is a length that is no multiple of 16 or keys that are out of order, and both are refused.

use crate::State;
use crate::types::{Move, Piece, Square};
use crate::uci;
use std::io::{self, Read, Write};
use thiserror::Error;

/// Bytes of an entry.
pub const SIZE: usize = 16;

/// One entry of a book file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The Polyglot key of the position.
    pub key: u64,
    /// The move as the file has it.
    pub code: u16,
    /// How good or frequent the move is, among those of its position.
    pub weight: u16,
    /// Learning data of the engine that wrote the book; 0 for most.
    pub learn: u32,
}

/// A move of a book in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// Its weight.
    pub weight: u16,
    /// Its learning data.
    pub learn: u32,
}

/// Why a book cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file was cut off or is no book.
    #[error("not a Polyglot book: {0} bytes are no multiple of 16")]
    Length(usize),
    /// The keys do not ascend.
    #[error("damaged Polyglot book: entry {number} (from 1) has key {key:016x}, less than the one before")]
    Order {
        /// The entry, from 1.
        number: usize,
        /// Its key.
        key: u64,
    },
}

/// An opening book in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    entries: Vec<Entry>,
}

impl Book {
    /// Reads a book file whole.
    pub fn read(mut input: impl Read) -> Result<Book, BookError> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        Book::from_bytes(&bytes)
    }

    /// The book with these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let (chunks, rest) = bytes.as_chunks::<SIZE>();
        if !rest.is_empty() {
            return Err(BookError::Length(bytes.len()));
        }
        let entries: Vec<Entry> = chunks.iter().map(|chunk| Entry::from_bytes(*chunk)).collect();
        match entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            None => Ok(Book { entries }),
            Some(at) => Err(BookError::Order { number: at + 2, key: entries[at + 1].key }),
        }
    }

    /// The book with these entries, which need not be sorted: the moves of a position are put in order
    /// of weight, the heaviest first.
    pub fn from_entries(mut entries: Vec<Entry>) -> Book {
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
        Book { entries }
    }

    /// All entries in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The moves of a position with their weights, in the order of the file. Entries that are no legal
    /// move here (another position with the same key) are left out.
    pub fn moves(&self, state: &State) -> Vec<BookMove> {
        let key = super::key(state);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[first..].iter().take_while(|entry| entry.key == key);
        here.filter_map(|entry| {
            let mv = decode_move(state, entry.code)?;
            Some(BookMove { mv, weight: entry.weight, learn: entry.learn })
        })
        .collect()
    }

    /// Writes the book as a file.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        for entry in &self.entries {
            output.write_all(&entry.to_bytes())?;
        }
        output.flush()
    }
}

impl Entry {
    /// The entry for a move of a position.
    pub fn new(state: &State, mv: Move, weight: u16) -> Entry {
        Entry { key: super::key(state), code: encode_move(mv), weight, learn: 0 }
    }

    fn from_bytes(bytes: [u8; SIZE]) -> Entry {
        let number = u128::from_be_bytes(bytes);
        Entry {
            key: (number >> 64) as u64,
            code: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// The entry as it stands in a file.
    pub fn to_bytes(self) -> [u8; SIZE] {
        let low = u128::from(self.code) << 48 | u128::from(self.weight) << 32 | u128::from(self.learn);
        (u128::from(self.key) << 64 | low).to_be_bytes()
    }
}

/// The code of a legal move.
pub(crate) fn encode_move(mv: Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    promotion << 12 | (mv.from as u16) << 6 | mv.to as u16
}

/// The legal move that a code stands for; castling may also be written `e1g1`, as some books do.
fn decode_move(state: &State, code: u16) -> Option<Move> {
    let square = |bits: u16| Square::try_index(usize::from(bits & 63));
    let promotion = match code >> 12 & 7 {
        0 => None,
        n @ 1..=4 => Some(Piece::ALL[usize::from(n)]),
        _ => return None,
    };
    let mv = Move { from: square(code >> 6)?, to: square(code)?, promotion };
    let mv = uci::king_takes_rook(state.board(), mv);
    state.board().is_legal(mv).then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chess, fen, san};
    use proptest::prelude::*;
    use tabia_core::Game;

    fn entry(state: &State, text: &str, weight: u16) -> Entry {
        Entry::new(state, san::parse(state.board(), text).unwrap(), weight)
    }

    #[test]
    fn moves_are_encoded_as_the_format_says() {
        let start = Chess.start();
        // e2e4: to file 4, to rank 3, from file 4, from rank 1.
        assert_eq!(entry(&start, "e4", 1).code, 4 | 3 << 3 | 4 << 6 | 1 << 9);
        let castling = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        assert_eq!(entry(&castling, "O-O", 1).code, 7 | 4 << 6);
        assert_eq!(entry(&castling, "O-O-O", 1).code, 4 << 6);
        let promotion = fen::parse("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(entry(&promotion, "a8=Q", 1).code, 7 << 3 | 6 << 9 | 4 << 12);
    }

    #[test]
    fn a_book_is_written_sorted_read_back_and_looked_up() {
        let start = Chess.start();
        let castling = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let entries = vec![
            entry(&start, "d4", 10),
            entry(&castling, "O-O", 3),
            entry(&start, "e4", 20),
            entry(&start, "c4", 0),
        ];
        let book = Book::from_entries(entries);
        let mut bytes = Vec::new();
        book.write(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 64);
        let read = Book::read(bytes.as_slice()).unwrap();
        assert_eq!(read, book);
        let texts = |state: &State| -> Vec<(String, u16)> {
            read.moves(state).iter().map(|m| (san::format(state.board(), m.mv), m.weight)).collect()
        };
        assert_eq!(texts(&start), [("e4".to_owned(), 20), ("d4".to_owned(), 10), ("c4".to_owned(), 0)]);
        assert_eq!(texts(&castling), [("O-O".to_owned(), 3)]);
        assert!(texts(&fen::parse("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap()).is_empty());
    }

    #[test]
    fn castling_as_a_king_move_is_understood() {
        let state = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1").unwrap();
        let e8g8 = 6 | 7 << 3 | 4 << 6 | 7 << 9;
        let mv = decode_move(&state, e8g8).unwrap();
        assert_eq!(san::format(state.board(), mv), "O-O");
    }

    #[test]
    fn damaged_files_are_refused() {
        let start = Chess.start();
        let mut next = start;
        Chess.play(&mut next, "e2e4".parse().unwrap());
        let book = Book::from_entries(vec![entry(&start, "e4", 1), entry(&next, "e5", 1)]);
        let mut bytes = Vec::new();
        book.write(&mut bytes).unwrap();
        assert!(matches!(Book::from_bytes(&bytes[..31]), Err(BookError::Length(31))));
        bytes.rotate_left(16);
        assert!(matches!(Book::from_bytes(&bytes), Err(BookError::Order { number: 2, .. })));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_book_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(book) = Book::from_bytes(&bytes) {
                let mut written = Vec::new();
                book.write(&mut written).unwrap();
                prop_assert_eq!(&written, &bytes);
            }
            // With one key throughout, order cannot fail, and every code is tried.
            bytes.truncate(bytes.len() / 16 * 16);
            for chunk in bytes.chunks_mut(16) {
                chunk[..8].copy_from_slice(&super::super::key(&Chess.start()).to_be_bytes());
            }
            let book = Book::from_bytes(&bytes).unwrap();
            for found in book.moves(&Chess.start()) {
                prop_assert!(Chess.check_move(&Chess.start(), found.mv).is_ok());
            }
        }
    }
}
