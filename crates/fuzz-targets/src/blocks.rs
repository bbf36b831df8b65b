//! Blocks of a book in a redb file. Bytes of no shape seldom have a right checksum; here they say which rows there are, what is changed
//! in the blocks that have them, and what is asked.

use arbitrary::Unstructured;
use std::collections::BTreeMap;
use tabia_book::stores::blocks::{Sealed, pack};
use tabia_book::{Counts, Row};

/// The format that is written.
const NEWEST: u32 = 4;

/// Wins, losses and draws.
type Games = (u8, u8, u8);

/// What bytes stand for: keys with the games of each move and those that ended there; the size of a block; bytes to change, and where;
/// keys to ask for; the format to read as.
type Input = (Vec<(Vec<u8>, Vec<(u16, Games)>, Games)>, u8, Vec<(u16, u8)>, Vec<Vec<u8>>, u8);

/// Rows come back from their blocks, by scan and by look-up; a changed byte is noticed; and whatever stands in a block whose checksum is
/// right is read or refused.
pub fn block(data: &[u8]) {
    let Ok((rows, limit, changes, asked, format)) = Unstructured::new(data).arbitrary::<Input>() else {
        return;
    };
    let rows: BTreeMap<Vec<u8>, Row> =
        rows.into_iter().map(|(key, moves, over)| (key, row(moves, over))).collect();
    let blocks = pack(&rows, 20 + 4 * usize::from(limit));
    let again: Vec<_> = blocks.iter().flat_map(|block| block.rows(NEWEST).expect("it was written")).collect();
    assert!(again.iter().map(|(key, row)| (key, row)).eq(&rows), "{again:?}, not {rows:?}");
    for block in blocks {
        for key in asked.iter().chain(rows.keys()) {
            let inside = block.rows(NEWEST).is_some_and(|rows| rows.iter().any(|(found, _)| found == key));
            let found = block.find(NEWEST, key).expect("it was written");
            assert_eq!(found.as_ref(), rows.get(key).filter(|_| inside), "{key:?}");
        }
        changed(block, &changes, &asked, 2 + u32::from(format % 3));
    }
}

fn changed(mut block: Sealed, changes: &[(u16, u8)], asked: &[Vec<u8>], format: u32) {
    for &(at, byte) in changes {
        let at = usize::from(at) % block.bytes.len();
        let mut one = block.clone();
        one.bytes[at] = byte;
        assert!(one.bytes == block.bytes || one.rows(NEWEST).is_none(), "byte {at}");
        one.sum(format);
        for key in asked {
            let _ = one.find(format, key);
        }
        let _ = one.rows(format);
        block = one;
        block.sum(NEWEST);
    }
}

fn row(moves: Vec<(u16, Games)>, over: Games) -> Row {
    let counts = |(wins0, wins1, draws): Games| Counts {
        wins0: wins0.into(),
        wins1: wins1.into(),
        draws: draws.into(),
    };
    let moves: BTreeMap<u64, Counts> =
        moves.into_iter().map(|(number, games)| (number.into(), counts(games))).collect();
    let mut row = Row { totals: counts(over), moves: moves.into_iter().collect() };
    row.totals += row.played();
    row
}
