//! Files: of recorded games, of tables, of books.

use crate::registry;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use tabia_book::runs::Run;
use tabia_book::{Increments, Row};
use tabia_chess::{Chess, polyglot};
use tabia_core::Game;
use tabia_draughts::Draughts;
use tabia_nnue::net::Shape;
use tabia_nnue::{GamesReader, Net, Samples};
use tabia_solve::file::TableFile;

/// Games of chess as PGN.
pub fn pgn(data: &[u8]) {
    read("chess", "pgn", data);
}

/// Games of draughts as PDN.
pub fn pdn(data: &[u8]) {
    read("draughts", "pdn", data);
}

/// Every game that is read can be replayed.
fn read(game: &str, kind: &str, mut data: &[u8]) {
    let Ok(game) = registry().find(game) else { return };
    let Some(files) = game.as_files() else { return };
    let mut left = 20;
    let _ = files.read(Some(kind), Path::new("input"), &mut data, &mut |found| {
        if let Ok(record) = found {
            let mut position = game.parse(&record.start).expect("the start of a game that was read");
            for mv in &record.moves {
                position.play(mv).expect("a move of a game that was read");
            }
        }
        left -= 1;
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
}

/// Games as lines of JSON, of every game: the first byte says which.
pub fn jsonl(data: &[u8]) {
    let Some((number, text)) = crate::chosen(data) else { return };
    let game = crate::game(number);
    let games = game.whole_games();
    for read in games.read_text("jsonl", text, 20).into_iter().flat_map(|found| found.games) {
        let written = games.write_text("jsonl", &read).expect("a game that was read can be written");
        assert!(games.read_text("jsonl", &written, 1).is_ok_and(|again| again.games.len() == 1), "{written}");
    }
}

/// A row of a book: whatever is accepted is written as the same bytes.
pub fn row(data: &[u8]) {
    if let Some(row) = Row::decode(data) {
        let mut again = Vec::new();
        row.encode(&mut again);
        assert_eq!(again, data, "{row:?}");
    }
}

/// A sorted run of a book, once as it is and once with right checksums: everything that can be asked of it.
pub fn run(data: &[u8]) {
    for bytes in [data.to_vec(), summed_run(data)] {
        let Some(file) = written(&bytes) else { return };
        let Ok(run) = Run::open(file.path()) else { continue };
        let _ = run.ids().take_while(Result::is_ok).count();
        let mut rows = run.all();
        while let Ok(Some((key, _))) = rows.next() {
            // Rows out of order are not found again, but never anything else in their place.
            let _ = run.row(key);
        }
    }
}

/// The bytes as rows, ids and foot of a run whose checksums are right; the first two bytes say where they are cut.
fn summed_run(data: &[u8]) -> Vec<u8> {
    let mut bytes = b"TABIARUN\x01\0\0\0\x08\0\x15\0draughts".to_vec();
    bytes.extend([0; 21]);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    let [one, two, rest @ ..] = data else { return bytes };
    let (rows, rest) = rest.split_at(usize::from(*one).min(rest.len()));
    let (ids, foot) = rest.split_at(usize::from(*two).min(rest.len()));
    let mut offset = 0;
    for part in [rows, ids, foot] {
        offset = bytes.len() as u64;
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(part).to_le_bytes());
        bytes.extend(part);
    }
    bytes.extend(offset.to_le_bytes());
    bytes.extend(crc32fast::hash(&offset.to_le_bytes()).to_le_bytes());
    bytes.extend(b"TABIAEND");
    bytes
}

/// A table of exact values, once as it is and once with a header whose checksum is right: every block, every key.
pub fn table(data: &[u8]) {
    for bytes in [data.to_vec(), summed_table(data)] {
        let Some(file) = written(&bytes) else { return };
        let Ok(table) = TableFile::open(file.path()) else { continue };
        for block in 0..table.blocks().min(64) {
            let _ = table.read_block(block, |_, _, _| {});
        }
        let _ = (table.get(data.get(..8).unwrap_or_default()), table.get_index(0), table.all_codes());
    }
}

/// The header ends after two texts whose lengths stand at bytes 68 and 70.
fn summed_table(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    if let Some([a, b, c, d]) = data.get(68..72) {
        let end = 88 + usize::from(u16::from_le_bytes([*a, *b])) + usize::from(u16::from_le_bytes([*c, *d]));
        if end + 4 <= bytes.len() {
            let sum = crc32fast::hash(&bytes[..end]).to_le_bytes();
            bytes[end..end + 4].copy_from_slice(&sum);
        }
    }
    bytes
}

/// An opening book of chess, once as it is and once with its entries in order: every entry comes back, and what it says of the start are
/// legal moves.
pub fn opening_book(data: &[u8]) {
    let mut sorted = data.as_chunks::<{ polyglot::SIZE }>().0.to_vec();
    sorted.sort_unstable();
    for bytes in [data, sorted.as_flattened()] {
        let Ok(book) = polyglot::Book::from_bytes(bytes) else { continue };
        let mut again = Vec::new();
        book.write(&mut again).expect("memory can be written to");
        assert_eq!(again, bytes);
        let (start, mut legal) = (Chess.start(), Vec::new());
        Chess.moves(&start, &mut legal);
        // Whatever position the entries name.
        let key = polyglot::key(&start);
        let entries = book.entries().iter().map(|entry| polyglot::Entry { key, ..*entry });
        for found in polyglot::Book::from_entries(entries.collect()).moves(&start) {
            assert!(legal.contains(&found.mv), "{found:?}");
        }
    }
}

/// A network, once as it is and once with a right checksum: whatever is accepted is written as the same network.
pub fn network(data: &[u8]) {
    let mut summed = data.to_vec();
    summed.extend(crc32fast::hash(data).to_le_bytes());
    for bytes in [data, &summed] {
        if let Ok(net) = Net::from_bytes(bytes) {
            assert_eq!(Net::from_bytes(&net.to_bytes()).expect("it was written"), net);
        }
    }
}

/// Games to learn from, once as they are and once as a block whose checksum is right: every game is replayed as far as its moves go.
pub fn played(data: &[u8]) {
    let mut summed = b"TABIAGMS\x01\0".to_vec();
    let game = Draughts::default();
    let variant = game.variant();
    summed.push(variant.len() as u8);
    summed.extend(variant.bytes());
    summed.extend((data.len() as u32).to_le_bytes());
    summed.extend(crc32fast::hash(data).to_le_bytes());
    summed.extend(data);
    for bytes in [data, &summed] {
        let Some(file) = written(bytes) else { return };
        let Ok(read) = GamesReader::open(file.path(), &game) else { continue };
        let _ = Samples::of(&game, &Shape::of(&game, 16, 1), read.games.into_iter().take(20));
    }
}

fn written(data: &[u8]) -> Option<tempfile::NamedTempFile> {
    let mut file = tempfile::NamedTempFile::new().ok()?;
    file.write_all(data).ok()?;
    Some(file)
}
