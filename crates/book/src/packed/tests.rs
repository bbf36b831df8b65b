use super::*;
use crate::fences::{Fences, head_of};
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
            hints_are_harmless(&block, &key);
        }
    }

    #[test]
    fn any_other_bytes_are_refused_or_read(bytes: Vec<u8>, key: Vec<u8>) {
        let _ = find(&bytes, &key);
        let _ = read(&bytes);
        hints_are_harmless(&bytes, &key);
    }

    #[test]
    fn a_guess_has_the_group_that_a_search_looks_at(rows in rows(), limit in 50usize..600, ahead in 0usize..300) {
        guesses_are_right(&rows, limit, ahead);
    }

    #[test]
    fn any_card_is_harmless(card: tabia_table::Card, length: u32, low: Vec<u8>, high: Vec<u8>, key: u64) {
        let mut fences = Fences::default();
        fences.push(low.as_slice().min(&high));
        fences.push(low.as_slice().max(&high));
        for at in 0..2 {
            if let Some([table, groups]) = guess(&card, length as usize, fences.span(at), key) {
                prop_assert!(table.end.max(groups.end) <= length as usize);
            }
        }
    }
}

fn hints_are_harmless(block: &[u8], key: &[u8]) {
    let mut fences = Fences::default();
    fences.push(key);
    let card = card_of(block, 0, fences.span(0));
    let _ = guess(&card, block.len(), fences.span(0), head_of(key));
    let _ = group_of(block, key);
}

/// Every row is in the group that the hints name, in blocks with so many bytes before them.
fn guesses_are_right(rows: &Rows, limit: usize, ahead: usize) {
    let mut fences = Fences::default();
    for (at, (block, _, last)) in blocks(rows, limit).into_iter().enumerate() {
        fences.push(&last);
        let (span, bytes) = (fences.span(at), [&vec![7; ahead], &block[..]].concat());
        let card = card_of(&bytes, ahead, span);
        let part = read(&block).unwrap();
        let groups = usize::from(u16::from_le_bytes([block[0], block[1]]));
        assert_eq!(table_of(&card).is_some(), ahead < 256 && groups < 256, "{groups} groups");
        let (all, skip) = (groups_of(&block), usize::from(u16::from_le_bytes([block[2], block[3]])));
        for key in part.keys() {
            let n = all.partition_point(|(first, _)| first <= key) - 1;
            let told = group_of(&block, key).expect("a group");
            // Where the first keys of groups have the same head, it is the last of them.
            let alike = all
                .iter()
                .filter(|(first, _)| super::head_of(first, skip) == super::head_of(key, skip))
                .count();
            assert!(told == all[n].1 || alike > 0 && told.start > all[n].1.start, "{key:?}: {told:?}");
            let Some([table, guessed]) = guess(&card, bytes.len(), span, head_of(key)) else { continue };
            assert_eq!(table, ahead..ahead + TABLE + PER_GROUP * groups);
            let right = guessed.start <= ahead + all[n].1.start && ahead + all[n].1.end <= guessed.end;
            assert!(right || guessed.len() >= 1 << 10, "{key:?}: {n} of {all:?} in {guessed:?}");
        }
    }
}

/// The first keys and the places of the groups of a block.
fn groups_of(block: &[u8]) -> Vec<(Vec<u8>, std::ops::Range<usize>)> {
    let groups = usize::from(u16::from_le_bytes([block[0], block[1]]));
    let start = TABLE + PER_GROUP * groups;
    let ends = block[TABLE + 4 * groups..start].chunks(2);
    let ends = ends.map(|end| start + usize::from(u16::from_le_bytes([end[0], end[1]])));
    let mut from = start;
    let groups = ends.map(|end| std::mem::replace(&mut from, end)..end);
    let first = |group: &std::ops::Range<usize>| {
        let head = super::read::Head::of(block, group).unwrap();
        let base = &block[head.base];
        base[..base.len() - usize::from(head.short)].to_vec()
    };
    groups.map(|group| (first(&group), group)).collect()
}

#[test]
fn guesses_are_right_in_blocks_of_a_page() {
    let mut rng = tabia_core::SplitMix64::new(3);
    for bits in [64, 30, 16] {
        let mut key = || [&[1], &(rng.below(1 << (bits - 1)) << (64 - bits)).to_be_bytes()[..]].concat();
        let rows: Rows = (0..5000).map(|n| (key(), vec![3, 1 + n as u8 % 100, n as u8 % 3])).collect();
        assert!(blocks(&rows, 4096)[0].0[0] > 16);
        guesses_are_right(&rows, 4096, 30);
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
