//! Files: JSON lines, compressed input, runs, exports.

mod suite;

use proptest::prelude::*;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tabia_book::import::{Event, ImportOptions, ImportReport, import, record};
use tabia_book::input::{Source, kind_extension};
use tabia_book::runs::{Run, merge};
use tabia_book::stores::open::{open_reader, open_store};
use tabia_book::{Book, Error, QueryOptions, Store, jsonl};
use tabia_core::{Game, Notation, RecordedGame, Stop};
use tabia_tic_tac_toe::TicTacToe;

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

fn line(game: &RecordedGame<TicTacToe>) -> String {
    let mut state = game.start.state;
    let moves: Vec<String> = game
        .moves
        .iter()
        .map(|&mv| {
            let text = TicTacToe.format_move(&state, mv);
            TicTacToe.play(&mut state, mv);
            text
        })
        .collect();
    format!("{}\n", serde_json::json!({"id": game.tags[0].1, "moves": moves}))
}

fn import_files(store: &dyn Store, paths: &[PathBuf], runs: Option<PathBuf>) -> (ImportReport, Vec<String>) {
    let sources: Vec<Source> =
        paths.iter().map(|path| Source { path: path.clone(), kind: "jsonl".to_owned() }).collect();
    let bad = Mutex::new(Vec::new());
    let events = |event: Event<'_>| {
        if let Event::Bad(game) = event {
            bad.lock().expect("the list").push(format!("{}:{}", game.line, game.reason));
        }
    };
    let options = ImportOptions { threads: 2, batch: 100, runs, ..ImportOptions::default() };
    let read =
        |_: &str, input: &mut dyn std::io::BufRead, sink: &mut tabia_core::files::GameSink<'_, TicTacToe>| {
            jsonl::read_games(&TicTacToe, input, sink)
        };
    let stop = Stop::new();
    let report = import(&TicTacToe, store, &sources, &read, &options, &events, &stop).expect("an import");
    (report, bad.into_inner().expect("the list"))
}

#[test]
fn plain_and_compressed_files_give_the_same_book() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = suite::random_games(&TicTacToe, 1, 90, 9);
    let lines: Vec<String> = games.iter().map(line).collect();
    let plain = folder.path().join("a.jsonl");
    std::fs::write(&plain, lines[..30].concat()).expect("a file");
    let gzip = folder.path().join("b.jsonl.gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(lines[30..60].concat().as_bytes()).expect("packed");
    std::fs::write(&gzip, encoder.finish().expect("packed")).expect("a file");
    // Two frames, as files that were written in parts have.
    let zstd = folder.path().join("c.jsonl.zst");
    let pack = |part: &[String]| {
        ruzstd::encoding::compress_to_vec(
            part.concat().as_bytes(),
            ruzstd::encoding::CompressionLevel::Fastest,
        )
    };
    std::fs::write(&zstd, [pack(&lines[60..75]), pack(&lines[75..])].concat()).expect("a file");
    assert_eq!(kind_extension(&zstd).as_deref(), Some("jsonl"));
    let path = folder.path().join("book.redb");
    let store = open_store(text(&path)).expect("a book");
    let (report, bad) = import_files(&*store, &[plain, gzip, zstd], None);
    assert_eq!((report.games, bad.len()), (90, 0));
    suite::oracle::Oracle::new(&games).check(&Book::new(&TicTacToe, store.as_reader()).expect("a book"));
}

#[test]
fn bad_games_are_listed_and_the_rest_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.jsonl");
    let bad = concat!(
        "{\"moves\": [\"b2\", \"b2\"], \"winner\": 0}\n\n",
        "not json\n",
        "{\"moves\": [\"a1\", \"b1\", \"a2\", \"b2\", \"a3\"], \"winner\": 1}\n",
        "{\"moves\": [\"a1\"]}\n",
        "{\"moves\": [\"a1\", \"b1\", \"a2\", \"b2\", \"a3\"]}\n",
        "{\"start\": \"xxxx\", \"moves\": []}\n",
        "{\"moves\": [\"a1\"], \"winner\": \"draw\"}\n",
    );
    std::fs::write(&file, bad).expect("a file");
    let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
    let (report, bad) = import_files(&*store, &[file], None);
    assert_eq!((report.games, report.bad, report.unfinished), (2, 4, 1));
    let lines: Vec<&str> = bad.iter().filter_map(|reason| reason.split(':').next()).collect();
    assert_eq!(lines, ["1", "3", "4", "7"]);
    assert!(bad[0].contains("move 2, \"b2\""), "{bad:?}");
}

#[test]
fn a_long_line_is_not_told_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.jsonl");
    let long = serde_json::json!({"start": "x".repeat(10 << 20), "moves": []});
    std::fs::write(&file, format!("{long}\n")).expect("a file");
    let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
    let (report, bad) = import_files(&*store, &[file], None);
    assert_eq!((report.games, report.bad), (0, 1));
    assert!(bad[0].len() < 500 && bad[0].contains("bytes in all"), "{}", &bad[0][..500]);
}

#[test]
fn runs_are_merged_served_and_loaded() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = suite::random_games(&TicTacToe, 3, 120, 9);
    let print = tabia_book::Fingerprint::of(&TicTacToe);
    let runs = folder.path().join("runs");
    std::fs::create_dir(&runs).expect("a folder");
    for (n, part) in games.chunks(50).enumerate() {
        let mut batch = tabia_book::Batch::new();
        for game in part {
            let id = Some(game.tags[0].1.as_str());
            let outcome = game.outcome.expect("a result");
            let (start, moves) = (&game.start, &game.moves[..]);
            batch.add(&tabia_book::Played { id, tags: &game.tags, start, moves, outcome }).expect("added");
        }
        let (ids, ledger) = (batch.ids(), batch.ledger());
        let path = runs.join(format!("{n}.run"));
        tabia_book::runs::write_run(&path, ("tic-tac-toe", &print), &mut batch.increments(&[]), ids, ledger)
            .expect("a run");
    }
    let served = open_reader(text(&runs)).expect("a book of runs");
    suite::oracle::Oracle::new(&games).check(&Book::new(&TicTacToe, &*served).expect("a book"));
    let opened: Vec<Run> =
        (0..3).map(|n| Run::open(&runs.join(format!("{n}.run"))).expect("a run")).collect();
    let merged = folder.path().join("all.run");
    merge(&opened, &merged).expect("merged");
    let served = open_reader(text(&merged)).expect("a book of one run");
    suite::oracle::Oracle::new(&games).check(&Book::new(&TicTacToe, &*served).expect("a book"));
    assert_eq!(served.info().expect("info").games, 120);
    assert!(matches!(open_store(text(&merged)), Err(Error::ReadOnly(_))));
    let twice = [Run::open(&merged).expect("a run"), Run::open(&merged).expect("a run")];
    assert!(matches!(merge(&twice, &folder.path().join("twice.run")), Err(Error::AlreadyCounted(_))));
    every_damage_to_a_run_is_found(&merged);
}

/// A run of the format before this one, as the version of then wrote it.
#[test]
fn runs_with_plain_blocks_are_read() {
    use tabia_draughts::Draughts;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("older.run");
    std::fs::write(&path, include_bytes!("data/format-1.run")).expect("a file");
    let games = suite::random_games(&Draughts::default(), 2, 100, 40);
    let reader = open_reader(text(&path)).expect("a book");
    suite::oracle::Oracle::new(&games).check(&Book::new(&Draughts::default(), &*reader).expect("a book"));
    // It becomes a part of newer ones.
    let newer = folder.path().join("newer.run");
    merge(&[Run::open(&path).expect("a run")], &newer).expect("merged");
    let reader = open_reader(text(&newer)).expect("a book");
    suite::oracle::Oracle::new(&games).check(&Book::new(&Draughts::default(), &*reader).expect("a book"));
    let bytes = |path: &Path| std::fs::metadata(path).expect("a file").len();
    assert!(bytes(&newer) * 5 < bytes(&path) * 4, "{} and {}", bytes(&newer), bytes(&path));
}

fn every_damage_to_a_run_is_found(path: &Path) {
    let bytes = std::fs::read(path).expect("the run");
    let bad = path.with_file_name("bad.run");
    let read_all = || -> tabia_book::Result<()> {
        let run = Run::open(&bad)?;
        let mut rows = run.all();
        while tabia_book::Increments::next(&mut rows)?.is_some() {}
        run.ids().try_for_each(|id| id.map(drop))
    };
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&bad, &damaged).expect("a file");
        assert!(read_all().is_err(), "byte {at} of {}", bytes.len());
        std::fs::write(&bad, &bytes[..at]).expect("a file");
        assert!(read_all().is_err(), "cut at {at}");
    }
}

#[test]
fn an_import_through_runs_is_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = suite::random_games(&TicTacToe, 1, 200, 9);
    let file = folder.path().join("a.jsonl");
    std::fs::write(&file, games.iter().map(line).collect::<String>()).expect("a file");
    let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
    let runs = folder.path().join("runs");
    let (report, _) = import_files(&*store, std::slice::from_ref(&file), Some(runs.clone()));
    assert_eq!((report.games, runs.exists()), (200, false));
    let (report, _) = import_files(&*store, &[file], Some(runs));
    assert_eq!((report.games, report.known), (0, 200));
    suite::oracle::Oracle::new(&games).check(&Book::new(&TicTacToe, store.as_reader()).expect("a book"));
}

/// Two files with games in common, and without ids, together and through runs.
#[test]
fn equal_games_are_counted_within_each_file() {
    let won = "{\"moves\": [\"a1\", \"b1\", \"a2\", \"b2\", \"a3\"]}\n";
    let drawn = "{\"moves\": [\"a1\"], \"winner\": \"draw\"}\n";
    for with_runs in [false, true] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let runs = || with_runs.then(|| folder.path().join("runs"));
        let file = |name: &str, games: String| {
            let path = folder.path().join(name);
            std::fs::write(&path, games).expect("a file");
            path
        };
        let one = file("a.jsonl", won.repeat(300) + &drawn.repeat(2));
        let two = file("b.jsonl", won.repeat(200) + &drawn.repeat(4));
        let more = file("c.jsonl", won.repeat(301));
        let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
        let both = [one.clone(), two.clone()];
        let (report, _) = import_files(&*store, &both, runs());
        assert_eq!((report.games, report.known, report.equal), (304, 202, 299 + 1 + 199 + 3));
        let (report, _) = import_files(&*store, &both, runs());
        assert_eq!((report.games, report.known), (0, 506));
        let (report, _) = import_files(&*store, &[more, two], runs());
        assert_eq!((report.games, report.known), (1, 300 + 204));
        let book = Book::new(&TicTacToe, store.as_reader()).expect("a book");
        let totals = book.query(&TicTacToe.start(), QueryOptions::default()).expect("an answer").totals;
        assert_eq!((totals.wins0, totals.draws), (301, 4));
    }
}

/// The real collection, where it is there.
#[test]
fn all_games_of_acf_are_counted_once() {
    use tabia_core::ReadGames;
    use tabia_draughts::Draughts;
    let data = std::env::var_os("TABIA_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let path = data.join("draughts/ACF.txt");
    if !path.exists() {
        println!("skipped: all_games_of_acf_are_counted_once: draughts/ACF.txt is not among the data");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
    let rules = Draughts::default();
    let sources = [Source { path, kind: "acf".to_owned() }];
    let read = |kind: &str,
                input: &mut dyn std::io::BufRead,
                sink: &mut tabia_core::files::GameSink<'_, Draughts>| {
        rules.read_games(kind, input, sink)
    };
    let counted = |distinct| {
        let options = ImportOptions { threads: 2, distinct, ..ImportOptions::default() };
        let stop = Stop::new();
        let report = import(&rules, &*store, &sources, &read, &options, &|_| {}, &stop).expect("an import");
        (report.games, report.known, report.equal, report.bad)
    };
    assert_eq!(counted(true), (9031, 346, 346, 0));
    assert_eq!(counted(false), (346, 9031, 346, 0));
    assert_eq!(counted(false), (0, 9377, 346, 0));
    assert_eq!(store.info().expect("info").games, 9377);
}

#[test]
fn exports_say_what_queries_say() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
    let games = suite::random_games(&TicTacToe, 9, 50, 9);
    suite::import_games(&*store, &TicTacToe, &games, &ImportOptions::default()).expect("an import");
    let book = Book::new(&TicTacToe, store.as_reader()).expect("a book");
    let mut csv = Vec::new();
    let lines = book.export_csv(&mut csv).expect("exported").entries;
    let csv = String::from_utf8(csv).expect("text");
    assert_eq!(csv.lines().count() as u64, lines + 1);
    let mut json = Vec::new();
    book.export_jsonl(&mut json).expect("exported");
    for line in String::from_utf8(json).expect("text").lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let position = TicTacToe.parse(value["position"].as_str().expect("a position")).expect("a position");
        let answer = book.query(&position.state, QueryOptions::default()).expect("an answer");
        assert_eq!(value["total"], answer.totals.total());
        assert_eq!(value["moves"].as_array().map(Vec::len), Some(answer.moves.len()));
    }
    let mut entries = Vec::new();
    let entry = |state: &<TicTacToe as Game>::State, mv, weight: u16| {
        let mut entry = [0; 16];
        entry[..8].copy_from_slice(&TicTacToe.key(state).0.to_be_bytes());
        entry[8..10].copy_from_slice(TicTacToe.format_move(state, mv).as_bytes());
        entry[10..12].copy_from_slice(&weight.to_be_bytes());
        entry
    };
    let written = book.export_polyglot(&mut entries, &entry, false).expect("exported");
    assert_eq!(entries.len() as u64, written.entries * 16);
    let mut all = Vec::new();
    let everything = book.export_polyglot(&mut all, &entry, true).expect("exported");
    assert_eq!(all.len() as u64, everything.entries * 16);
    assert_eq!((everything.left_out, everything.entries), (0, written.entries + written.left_out));
    assert!(all.chunks(16).filter(|entry| entry[10..12] == [0, 0]).count() as u64 == written.left_out);
    assert!(written.left_out > 0, "no move only lost");
    let keys: Vec<&[u8]> = entries.chunks(16).map(|entry| &entry[..8]).collect();
    assert!(keys.is_sorted());
    let start = TicTacToe.key(&TicTacToe.start()).0.to_be_bytes();
    let answer = book.query(&TicTacToe.start(), QueryOptions::default()).expect("an answer");
    let scored = answer.moves.iter().filter(|m| m.played.score(answer.side) > 0.0);
    // Every image of every move that scored, once.
    assert_eq!(
        keys.iter().filter(|key| **key == start).count(),
        scored.map(|m| 1 + m.same.len()).sum::<usize>()
    );
}

#[test]
fn json_games_keep_notes_and_variations() {
    use tabia_core::Note;
    let read = |extra: &str| {
        jsonl::parse_game(&TicTacToe, &format!("{{\"moves\": [\"a1\", \"b2\"], {extra}, \"winner\": 0}}"))
    };
    let game = read(
        r#""notes": [{"after": 2, "comment": "late"}, {"after": 1, "marks": [1]}],
           "variations": [{"after": 1, "moves": ["c3", "b1"]}, {"of": 1, "after": 1, "moves": ["b2"], "notes": [{"after": 0, "comment": "x"}]}]"#,
    )
    .expect("a game");
    let late = Note { after: 2, marks: Vec::new(), comment: "late".to_owned() };
    assert_eq!(game.notes, [Note { after: 1, marks: vec![1], comment: String::new() }, late]);
    assert_eq!(game.tags, []);
    let lines: Vec<String> = game.lines().iter().map(|line| TicTacToe.format(&line.start.state)).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2], TicTacToe.format(&TicTacToe.parse(&lines[2]).expect("a position").state));
    let refused = |extra: &str| read(extra).expect_err("not a game");
    assert_eq!(refused(r#""notes": [{"after": 3}]"#), "a note after 3 moves of a line that has 2");
    let no_move = refused(r#""variations": [{"after": 2, "moves": []}]"#);
    assert_eq!(no_move, "variation 1: no move to replace after 2 moves");
    let ahead = refused(r#""variations": [{"of": 1, "after": 0, "moves": []}]"#);
    assert_eq!(ahead, "variation 1: no variation 1 before it");
    let illegal = refused(r#""variations": [{"after": 1, "moves": ["a1"]}]"#);
    assert!(illegal.starts_with("variation 1: move 1, \"a1\": "), "{illegal}");
}

#[test]
fn keys_longer_than_a_store_has_are_refused() {
    use suite::failing::Failing;
    use tabia_arx::Arx;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
    let game = |start: &str| {
        let json = serde_json::json!({"start": start, "moves": [], "winner": 0}).to_string();
        jsonl::parse_game(&Arx, &json).expect("a game")
    };
    let counted = record(&*store, &game("bdpgkgpdb/2c3j2/sssssssss/9/9/9/SSSSSSSSS/2J3C2/BDPGKGPDB w"));
    assert!(counted.expect("all pieces at once fit"));
    // Two Jokers of one side: more than it starts with, and a longer code.
    let long = game("jj7/9/9/9/9/9/9/9/k7K w");
    let narrow = Failing { longest_key: 73, ..Failing::new(store) };
    let error = record(&narrow, &long).expect_err("refused").to_string();
    assert!(error.contains("takes 73 bytes, and this book keeps positions of up to 72"), "{error}");
    assert!(record(&*narrow.store, &long).expect("recorded"));
    let book = Book::new(&Arx, narrow.store.as_reader()).expect("a book");
    let answer = book.query(&long.start.state, QueryOptions::default()).expect("an answer");
    assert_eq!(answer.totals.wins0, 1);
}

#[test]
fn a_stopped_import_goes_on() {
    let games = suite::random_games(&TicTacToe, 1, 2000, 9);
    for with_runs in [false, true] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let source = Source { path: folder.path().join("empty"), kind: "memory".to_owned() };
        std::fs::write(&source.path, "").expect("a file");
        let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
        let runs = with_runs.then(|| folder.path().join("runs"));
        let options = ImportOptions { threads: 2, batch: 500, runs, ..ImportOptions::default() };
        // Stopped after 700 games, after 700 more, and then left alone.
        let imported = |last: usize| {
            let stop = Stop::new();
            let read = |_: &str,
                        _: &mut dyn std::io::BufRead,
                        sink: &mut tabia_core::files::GameSink<'_, TicTacToe>| {
                for (n, game) in games.iter().enumerate() {
                    if n == last {
                        stop.stop();
                    }
                    if sink(Ok(game.clone())).is_break() {
                        break;
                    }
                }
                Ok(())
            };
            import(&TicTacToe, &*store, std::slice::from_ref(&source), &read, &options, &|_| {}, &stop)
                .expect("an import")
        };
        let (first, second, last) = (imported(700), imported(1400), imported(usize::MAX));
        assert!(first.stopped && second.stopped && !last.stopped);
        assert_eq!(first.games > 0, !with_runs, "runs are loaded at the end");
        assert_eq!(first.games + second.games + last.games, 2000);
        suite::oracle::Oracle::new(&games).check(&Book::new(&TicTacToe, store.as_reader()).expect("a book"));
    }
}

#[test]
fn a_reader_that_panics_ends_the_import_with_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = suite::random_games(&TicTacToe, 1, 500, 9);
    let source = Source { path: folder.path().join("empty"), kind: "memory".to_owned() };
    std::fs::write(&source.path, "").expect("a file");
    let store = open_store(text(&folder.path().join("book.redb"))).expect("a book");
    let read =
        |_: &str, _: &mut dyn std::io::BufRead, sink: &mut tabia_core::files::GameSink<'_, TicTacToe>| {
            for (n, game) in games.iter().enumerate() {
                assert!(n < 400, "game {n} is too much");
                let _ = sink(Ok(game.clone()));
            }
            Ok(())
        };
    let options = ImportOptions { threads: 2, batch: 100, ..ImportOptions::default() };
    let report = import(&TicTacToe, &*store, &[source], &read, &options, &|_| {}, &Stop::new());
    let error = report.expect_err("a panic").to_string();
    assert_eq!(error, "the import failed: game 400 is too much");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_of_games_panic(text in ".{0,200}") {
        let _ = jsonl::parse_game(&TicTacToe, &text);
    }

    #[test]
    fn no_object_makes_the_reader_of_games_panic(
        moves in proptest::collection::vec("[a-d][0-4]", 0..10), winner in 0u8..4, board: u64, code: u64,
    ) {
        let _ = jsonl::parse_game(&TicTacToe, &serde_json::json!({"moves": moves, "winner": winner}).to_string());
        let _ = jsonl::parse_game(&TicTacToe, &serde_json::json!({"pairs": [[board, code]]}).to_string());
    }

    #[test]
    fn no_file_makes_the_reader_of_games_panic(bytes: Vec<u8>) {
        let mut seen = 0;
        let mut sink = |_: Result<RecordedGame<TicTacToe>, tabia_core::FileError>| {
            seen += 1;
            ControlFlow::Continue(())
        };
        jsonl::read_games(&TicTacToe, &mut &bytes[..], &mut sink).expect("read");
        prop_assert!(seen <= bytes.split(|b| *b == b'\n').count());
    }
}
