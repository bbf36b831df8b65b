use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// Keys of few letters, so that many share their beginning and some are the beginning of others; some longer than
/// a mask.
fn key() -> impl Strategy<Value = Vec<u8>> {
    let short = proptest::collection::vec(0u8..3, 0..6);
    let long = (proptest::collection::vec(0u8..2, 0..3), proptest::collection::vec(0u8..2, 150));
    let long = long.prop_map(|(few, many)| [few, many].concat());
    prop_oneof![9 => short, 1 => long]
}

/// Rows that are one game with one move, and others.
fn rows() -> impl Strategy<Value = Rows> {
    let one = (any::<u32>(), 0u8..3).prop_map(|(number, result)| {
        let n = |which| u64::from(result == which);
        let counts = Counts { wins0: n(0), wins1: n(1), draws: n(2) };
        Row { totals: counts, moves: vec![(number.into(), counts)] }
    });
    let other = proptest::collection::btree_map(any::<u64>(), 2u64..9, 0..4).prop_map(|moves| {
        let counts = |wins0| Counts { wins0, wins1: 1, draws: 0 };
        let moves = moves.into_iter().map(|(number, n)| (number, counts(n))).collect();
        Row { totals: Counts { wins0: 10, wins1: 10, draws: 0 }, moves }
    });
    let bytes = prop_oneof![one, other].prop_map(|row| {
        let mut bytes = Vec::new();
        row.encode(&mut bytes);
        bytes
    });
    proptest::collection::btree_map(key(), bytes, 0..90)
}

/// The blocks of rows, with their first and last keys.
fn blocks(rows: &Rows, limit: usize) -> Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> {
    let (mut packer, mut blocks, mut over) = (Packer::new(limit), Vec::new(), false);
    let close = &mut |closed: Closed<'_>| {
        assert!(!std::mem::replace(&mut over, closed.is_last));
        blocks.push((closed.bytes.to_vec(), closed.first.to_vec(), closed.last.to_vec()));
        Ok::<(), ()>(())
    };
    for (key, value) in rows {
        packer.push(key, Value::of_bytes(value), close).unwrap();
    }
    packer.finish(close).unwrap();
    assert_eq!(over, !rows.is_empty());
    blocks
}

fn bytes_of(value: Value<'_>) -> Option<Vec<u8>> {
    let (mut row, mut bytes) = (Row::default(), Vec::new());
    value.read_into(&mut row)?;
    row.encode(&mut bytes);
    Some(bytes)
}

fn read(block: &[u8]) -> Option<Rows> {
    let (mut cursor, mut rows) = (PackedCursor::default(), Rows::new());
    while !cursor.is_at_end(block) {
        cursor.advance(block)?;
        rows.insert(cursor.key().to_vec(), bytes_of(cursor.value(block)?)?);
    }
    Some(rows)
}

proptest! {
    #[test]
    fn rows_come_back(rows in rows(), limit in 50usize..600) {
        let mut again = Rows::new();
        for (block, first, last) in blocks(&rows, limit) {
            let part = read(&block).unwrap();
            prop_assert_eq!(part.first_key_value().map(|(key, _)| key), Some(&first));
            prop_assert_eq!(part.last_key_value().map(|(key, _)| key), Some(&last));
            again.extend(part);
        }
        prop_assert_eq!(again, rows);
    }

    #[test]
    fn a_search_finds_what_a_map_finds(
        rows in rows(), limit in 50usize..600, keys in proptest::collection::vec(key(), 20),
    ) {
        for (block, first, last) in blocks(&rows, limit) {
            for key in keys.iter().chain(rows.keys()).filter(|key| first <= **key && **key <= last) {
                let found = find(&block, key).unwrap().map(|value| bytes_of(value).unwrap());
                prop_assert_eq!(found.as_ref(), rows.get(key));
            }
        }
    }

    #[test]
    fn any_bytes_are_refused_or_read(
        rows in rows(), changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..6), key in key(),
    ) {
        for (mut block, ..) in blocks(&rows, 400) {
            for &(at, byte) in &changes {
                let at = usize::from(at) % block.len();
                block[at] = byte;
            }
            let _ = find(&block, &key);
            let _ = read(&block);
        }
    }

    #[test]
    fn any_other_bytes_are_refused_or_read(bytes: Vec<u8>, key: Vec<u8>) {
        let _ = find(&bytes, &key);
        let _ = read(&bytes);
    }
}

#[test]
fn the_bytes_are_pinned() {
    let rows = [(&b"aaxz"[..], &[3, 5, 0][..]), (b"abxz", &[3, 5, 2]), (b"abyz", &[6, 0, 0])];
    let rows: Rows = rows.map(|(key, value)| (key.to_vec(), value.to_vec())).into();
    let block = [
        &[1, 0, 1, 0, 0, b'z', b'x', b'a', 19, 0][..],
        &[1, 3],
        b"aaxz\0",
        &[0, 5],
        &[0b1010, b'b', 5],
        &[0b1_1011, b'b', b'y', 3, 6, 0, 0],
    ];
    assert_eq!(blocks(&rows, 4096), [(block.concat(), b"aaxz".to_vec(), b"abyz".to_vec())]);
}
