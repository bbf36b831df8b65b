//! Tablebase files: what is written is read, what is damaged is refused, what is wrong is found.

mod common;

use common::Web;
use proptest::prelude::*;
use std::path::Path;
use tabia_core::{Game, Packed, Probe, Stop, Value, Work};
use tabia_solve::file::{Info, Layout, Precision, TableFile, Writer};
use tabia_solve::strong::{Solution, StrongOptions, solve};
use tabia_solve::{KeyedTable, code, keyed, lines, plot, stats::Histogram, verify};
use tabia_tic_tac_toe::TicTacToe;

fn solved<G: Game>(game: &G) -> Solution<G> {
    solve(game, &[game.start()], &StrongOptions::default(), &Work::unwatched(1)).unwrap()
}

fn written<G: Game>(game: &G, path: &Path) -> (Solution<G>, KeyedTable<G>) {
    let solution = solved(game);
    keyed::write(&solution, "all", path).unwrap();
    (solution, KeyedTable::open(game.clone(), path).unwrap())
}

#[test]
fn a_solution_comes_back_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("web.tbl");
    let game = Web { seed: 7, nodes: 3000, players: 2 };
    let (solution, table) = written(&game, &path);
    for (key, code) in solution.entries() {
        assert_eq!(table.file().get(key.as_bytes()).unwrap(), Some(code));
        assert_eq!(table.probe(&game.unpack(key).unwrap()), Some(code::decode(code)));
    }
    let info = table.file().info();
    assert_eq!(info.positions, solution.len() as u64);
    assert_eq!(info.wins + info.draws + info.losses, info.positions);
    assert_eq!(table.file().get(&[0xFF; 5]).unwrap(), None);
    assert_eq!(table.file().get(&[]).unwrap(), None);
    assert!(verify::keyed(&table, &Work::unwatched(2)).unwrap().is_right());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    let other = Web { seed: 8, ..game };
    assert!(KeyedTable::open(other, &path).is_err(), "a table of other rules is refused");
}

#[test]
fn verification_finds_every_single_wrong_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.tbl");
    let game = Web { seed: 7, nodes: 120, players: 2 };
    let solution = solved(&game);
    assert!(solution.len() > 20, "the example is large enough: {}", solution.len());
    for wrong in 0..solution.len() {
        let mut writer = Writer::create(&path, Info::new(game.variant(), "all", Layout::Keyed)).unwrap();
        for (at, (key, code)) in solution.entries().enumerate() {
            let code = if at == wrong { code ^ 2 } else { code };
            writer.push(key.as_bytes(), code).unwrap();
        }
        writer.finish().unwrap();
        let table = KeyedTable::open(game.clone(), &path).unwrap();
        let verdict = verify::keyed(&table, &Work::unwatched(1)).unwrap();
        assert!(!verdict.is_right(), "entry {wrong} was changed");
        assert!(!verdict.examples.is_empty());
    }
}

#[test]
fn any_changed_or_missing_byte_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ttt.tbl");
    written(&TicTacToe, &path);
    let good = std::fs::read(&path).unwrap();
    let reads = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let file = TableFile::open(&path)?;
        (0..file.blocks()).try_for_each(|block| file.read_block(block, |_, _, _| ()))
    };
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(reads(&bad).is_err(), "byte {at} of {} changed", good.len());
    }
    for len in 0..good.len() {
        assert!(reads(&good[..len]).is_err(), "cut to {len} bytes");
    }
    assert!(reads(&good).is_ok());
}

#[test]
fn best_play_ends_the_game_when_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let game = Web { seed: 7, nodes: 3000, players: 2 };
    let (solution, table) = written(&game, &folder.path().join("web.tbl"));
    for (key, code) in solution.entries() {
        let mut state = game.unpack(key).unwrap();
        let line = lines::best_line(&game, &table, &state, 1000).unwrap();
        let distance = code::decode(code).distance().unwrap_or(0);
        assert_eq!(line.len(), usize::from(distance));
        for mv in line.iter().copied() {
            game.play(&mut state, mv);
        }
        assert_eq!(
            code == code::DRAW,
            distance == 0 && !matches!(game.outcome(&state), Some(o) if o.winner().is_some())
        );
    }
}

#[test]
fn histogram_and_plots_count_everything() {
    let folder = tempfile::tempdir().unwrap();
    let (solution, table) = written(&TicTacToe, &folder.path().join("ttt.tbl"));
    let histogram = Histogram::of(table.file(), &Stop::new()).unwrap();
    assert_eq!(histogram.bars().map(|bar| bar.positions).sum::<u64>(), solution.len() as u64);
    for bar in histogram.bars() {
        let key = <TicTacToe as Game>::Packed::from_bytes(&bar.example_key).unwrap();
        assert_eq!(solution.get(&key), Some(bar.value));
    }
    let longest = histogram.longest_win().unwrap().value;
    assert_eq!(longest, Value::Win(table.file().info().longest));
    let text = plot::terminal(&histogram, 80, true);
    assert!(text.lines().count() > 3 && text.lines().all(|line| line.len() <= 80), "{text}");
    let svg = plot::svg(&histogram, "a < b");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("a &lt; b"));
}

#[test]
fn puzzles_keep_what_is_solvable_and_the_rest_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzle.tbl");
    let game = Web { seed: 11, nodes: 400, players: 1 };
    let solution = solved(&game);
    let solvable = solution.entries().filter(|(_, code)| code::is_win(*code));
    keyed::write_solvable(&game, "solvable", solvable.map(|(key, code)| (*key, code::distance(code))), &path)
        .unwrap();
    let table = KeyedTable::open(game.clone(), &path).unwrap();
    for (key, code) in solution.entries() {
        let state = game.unpack(key).unwrap();
        assert_eq!(table.probe(&state).map(|v| v.name() == "win"), Some(code::is_win(code)));
    }
    assert!(verify::keyed(&table, &Work::unwatched(1)).unwrap().is_right());
}

proptest! {
    #[test]
    fn indexed_files_give_back_every_code(codes in prop::collection::vec(any::<u16>(), 0..300), block in 1u32..70) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("indexed.tbl");
        for precision in [Precision::Distance, Precision::Outcome] {
            let info = Info { precision, block_len: block, ..Info::new("g", "s", Layout::Indexed) };
            let mut writer = Writer::create(&path, info).unwrap();
            for code in codes.iter().copied() {
                writer.push_code(code).unwrap();
            }
            writer.finish().unwrap();
            let file = TableFile::open(&path).unwrap();
            for (at, &code) in codes.iter().enumerate() {
                let read = code::decode(file.get_index(at as u64).unwrap().unwrap());
                let written = code::decode(code);
                prop_assert_eq!(read.name(), written.name());
                prop_assert!(precision == Precision::Outcome || read == written);
            }
            prop_assert_eq!(file.get_index(codes.len() as u64).unwrap(), None);
        }
    }

    #[test]
    fn keys_of_any_length_are_found(keys in prop::collection::btree_set(prop::collection::vec(0u8..4, 0..6), 0..200)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.tbl");
        let info = Info { block_len: 7, ..Info::new("g", "s", Layout::Keyed) };
        let mut writer = Writer::create(&path, info).unwrap();
        for (at, key) in keys.iter().enumerate() {
            writer.push(key, at as u16).unwrap();
        }
        writer.finish().unwrap();
        let file = TableFile::open(&path).unwrap();
        for (at, key) in keys.iter().enumerate() {
            prop_assert_eq!(file.get(key).unwrap(), Some(at as u16));
            let longer = [key.as_slice(), &[9]].concat();
            prop_assert_eq!(file.get(&longer).unwrap(), None);
        }
    }

    #[test]
    fn arbitrary_bytes_are_never_a_table(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noise.tbl");
        std::fs::write(&path, [b"TABIATBL\x01\x00".as_slice(), &bytes].concat()).unwrap();
        prop_assert!(TableFile::open(&path).is_err());
    }
}
