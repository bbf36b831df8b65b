//! What every store must do: run on each of them by the test files beside this folder.

#![allow(dead_code)]

pub(crate) mod child;
pub(crate) mod failing;
pub(crate) mod oracle;
pub(crate) mod proxy;
pub(crate) mod server;

use oracle::Oracle;
use tabia_book::import::{ImportOptions, import, record, record_all};
use tabia_book::input::Source;
use tabia_book::stores::memory::MemoryStore;
use tabia_book::{
    Book, Counts, Error, GameFilter, GameId, Keep, KeptGame, QueryOptions, Sort, Store, TopBy, TopOptions,
    enter, verify_bytes,
};
use tabia_core::{Game, Outcome, Position, RecordedGame, Side, SplitMix64, Stop};
use tabia_draughts::Draughts;
use tabia_tic_tac_toe::TicTacToe;

/// Opens the book under test, anew each time.
pub(crate) type Open<'a> = dyn Fn() -> Box<dyn Store> + 'a;

/// Random games with ids of their own.
pub(crate) fn random_games<G: Game>(rules: &G, seed: u64, n: u64, longest: usize) -> Vec<RecordedGame<G>> {
    let mut rng = SplitMix64::new(seed);
    (0..n).map(|number| random_game(rules, &mut rng, number, longest, &format!("{seed}/{number}"))).collect()
}

fn random_game<G: Game>(
    rules: &G,
    rng: &mut SplitMix64,
    number: u64,
    longest: usize,
    id: &str,
) -> RecordedGame<G> {
    let start = Position { rules: rules.clone(), state: rules.start() };
    let (mut state, mut moves, mut buffer) = (rules.start(), Vec::new(), Vec::new());
    while moves.len() < longest {
        let Some(mv) = rules.random_move(&state, rng, &mut buffer) else { break };
        rules.play(&mut state, mv);
        moves.push(mv);
    }
    let outcome = rules.outcome(&state).unwrap_or_else(|| {
        [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)][rng.below(3) as usize]
    });
    let tags = vec![("GameId".to_owned(), id.to_owned())];
    let (number, line) = (number + 1, number + 1);
    RecordedGame { number, line, tags, ..RecordedGame::new(start, moves, Some(outcome)) }
}

/// Imports games that are in memory already.
pub(crate) fn import_games<G: Game>(
    store: &dyn Store,
    rules: &G,
    games: &[RecordedGame<G>],
    options: &ImportOptions,
) -> tabia_book::Result<tabia_book::import::ImportReport> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let source = Source { path: file.path().to_owned(), kind: "memory".to_owned() };
    let stop = Stop::new();
    let read = |_: &str, _: &mut dyn std::io::BufRead, sink: &mut tabia_core::files::GameSink<'_, G>| {
        games.iter().try_for_each(|game| match sink(Ok(game.clone())) {
            std::ops::ControlFlow::Continue(()) => Ok(()),
            std::ops::ControlFlow::Break(()) => Err(std::io::Error::other("stopped")),
        })
    };
    import(rules, store, &[source], &read, options, &|_| {}, &stop)
}

/// All rows of the first variant.
pub(crate) fn rows(store: &dyn Store) -> Vec<(Vec<u8>, tabia_book::Row)> {
    let mut rows = Vec::new();
    let number = store.variants().expect("variants")[0].number;
    let visit = &mut |key: &[u8], row: &tabia_book::Row| {
        rows.push((key.to_vec(), row.clone()));
        std::ops::ControlFlow::Continue(())
    };
    store.scan(number, visit).expect("a scan");
    rows
}

/// The whole suite.
pub(crate) fn run(open: &Open<'_>) {
    games_are_counted_as_the_oracle_counts_them(open);
    nothing_counts_twice(open);
    sides_are_swapped_with_the_frame(open);
    equal_games_count_each(open);
    one_game_at_a_time_is_durable(open);
    a_commit_is_all_or_nothing(open);
    another_encoding_is_refused(open);
    the_book_is_sound(open);
}

fn games_are_counted_as_the_oracle_counts_them(open: &Open<'_>) {
    let games = random_games(&TicTacToe, 1, 200, 9);
    let options = ImportOptions { threads: 2, batch: 300, ..ImportOptions::default() };
    let report = import_games(&*open(), &TicTacToe, &games, &options).expect("an import");
    assert_eq!((report.games, report.known, report.bad), (200, 0, 0));
    assert_eq!(report.plies, games.iter().map(|g| g.moves.len() as u64).sum::<u64>());
    let store = open();
    let book = Book::new(&TicTacToe, store.as_reader()).expect("a book");
    Oracle::new(&games).check(&book);
    check_orders(&book);
    let top = TopOptions { by: TopBy::Games, limit: 3, min_games: 1 };
    let (top, eligible) = book.top(top).expect("the top");
    assert_eq!((top[0].state, top[0].totals.total()), (TicTacToe.start(), 200));
    assert!(top[1].totals.total() >= top[2].totals.total());
    assert_eq!(eligible, store.info().expect("info").rows);
}

fn check_orders(book: &Book<'_, TicTacToe>) {
    let query = |sort, min_games| {
        book.query(&TicTacToe.start(), QueryOptions { sort, min_games }).expect("an answer")
    };
    let all = query(Sort::Games, 1);
    // Corners, edges and the centre: nine moves in three classes, and every game is in one of them.
    assert_eq!(all.moves.len(), 3);
    assert_eq!(all.moves.iter().map(|m| 1 + m.same.len()).sum::<usize>(), 9);
    assert_eq!(all.moves.iter().map(|m| m.played.total()).sum::<u64>(), all.totals.total());
    assert!(all.moves.is_sorted_by(|a, b| a.played.total() >= b.played.total()));
    for side in Side::ALL {
        let by_wins = query(Sort::Wins(side), 1);
        assert!(by_wins.moves.is_sorted_by(|a, b| a.played.wins(side) >= b.played.wins(side)));
    }
    assert!(
        query(Sort::Score, 1).moves.is_sorted_by(|a, b| a.played.score(all.side) >= b.played.score(all.side))
    );
    let few = query(Sort::Games, all.moves[0].played.total());
    assert_eq!((few.moves.len(), few.hidden), (1, 2));
}

fn nothing_counts_twice(open: &Open<'_>) {
    let before = open().info().expect("info").games;
    let mut games = random_games(&TicTacToe, 1, 200, 9);
    games.extend(random_games(&TicTacToe, 2, 10, 9));
    games.extend(random_games(&TicTacToe, 2, 10, 9));
    let report = import_games(&*open(), &TicTacToe, &games, &ImportOptions::default()).expect("an import");
    assert_eq!((report.games, report.known), (10, 210));
    assert_eq!(open().info().expect("info").games, before + 10);
}

fn sides_are_swapped_with_the_frame(open: &Open<'_>) {
    let rules = Draughts::default();
    let games = random_games(&rules, 3, 10, 60);
    let report = import_games(&*open(), &rules, &games, &ImportOptions::default()).expect("an import");
    assert_eq!(report.games, 10);
    let store = open();
    let book = Book::new(&rules, store.as_reader()).expect("a book");
    let answer = book.query(&rules.start(), QueryOptions::default()).expect("an answer");
    let mut results = Counts::default();
    games.iter().filter_map(|g| g.outcome).for_each(|outcome| results += Counts::one(outcome));
    assert_eq!(answer.totals, results);
    Oracle::new(&games).check(&book);
}

fn equal_games_count_each(open: &Open<'_>) {
    let mut games = random_games(&TicTacToe, 6, 3, 9);
    games.iter_mut().for_each(|game| game.tags.clear());
    let of = |numbers: &[usize]| numbers.iter().map(|&n| games[n].clone()).collect::<Vec<_>>();
    let counted = |numbers: &[usize], distinct| {
        let options = ImportOptions { threads: 2, batch: 10, distinct, ..ImportOptions::default() };
        let report = import_games(&*open(), &TicTacToe, &of(numbers), &options).expect("an import");
        (report.games, report.known, report.equal)
    };
    let before = open().info().expect("info").games;
    assert_eq!(counted(&[0, 1, 0, 0, 1], true), (2, 3, 3));
    // The book of before has the first ones; what it is short of is added, once.
    assert_eq!(counted(&[0, 1, 0, 0, 1], false), (3, 2, 3));
    assert_eq!(counted(&[0, 1, 0, 0, 1], false), (0, 5, 3));
    assert_eq!(counted(&[0, 0, 0, 0, 1, 2], false), (2, 4, 3));
    assert_eq!(record_all(&*open(), &of(&[2, 2, 0])).expect("recorded").games.total(), 1);
    assert_eq!(open().info().expect("info").games, before + 8);
}

fn one_game_at_a_time_is_durable(open: &Open<'_>) {
    let games = random_games(&TicTacToe, 4, 5, 9);
    let before = open().info().expect("info").games;
    for game in &games {
        assert!(record(&*open(), game).expect("recorded"));
        assert!(!record(&*open(), game).expect("known"));
    }
    assert_eq!(open().info().expect("info").games, before + 5);
}

fn a_commit_is_all_or_nothing(open: &Open<'_>) {
    let store = open();
    let number = enter(&*store, &TicTacToe).expect("entered").number;
    let (before, info) = (store.variants().expect("variants"), store.info().expect("info"));
    let mut batch = tabia_book::Batch::new();
    for game in random_games(&TicTacToe, 5, 3, 9).iter().chain(&random_games(&TicTacToe, 4, 1, 9)) {
        let id = Some(game.tags[0].1.as_str());
        let outcome = game.outcome.expect("a result");
        let played =
            tabia_book::Played { id, tags: &game.tags, start: &game.start, moves: &game.moves, outcome };
        batch.add(&played).expect("added");
    }
    let (ids, ledger) = (batch.ids(), batch.ledger());
    let mut rows = batch.increments(&[number]);
    let refused = store.commit(tabia_book::Commit {
        variant: number,
        ids: &ids,
        ledger,
        rows: &mut rows,
        kept: &Default::default(),
    });
    let Err(Error::AlreadyCounted(known)) = refused else { panic!("not refused") };
    assert_eq!(known, [ids[3]]);
    assert_eq!(store.variants().expect("variants"), before);
    assert_eq!(store.info().expect("info").rows, info.rows);
    assert_eq!(store.known(&ids).expect("known"), [false, false, false, true]);
}

/// Kept games add up to the counts, and filtered ones to the counts of a book that has only them.
pub(crate) fn kept_games_are_listed_and_counted(open: &Open<'_>) {
    let (rules, names) = (Draughts::default(), ["White", "Date"].map(str::to_owned));
    let mut games = random_games(&rules, 18, 40, 30);
    for (number, game) in games.iter_mut().enumerate() {
        let player = ["Tinsley", "Lafferty", "Long"][number % 3];
        game.tags.push(("White".to_owned(), player.to_owned()));
        game.tags.push(("Date".to_owned(), format!("{}.??.??", 1970 + number)));
        game.tags.push(("Round".to_owned(), number.to_string()));
    }
    let keep = Keep { tags: names.to_vec(), moves: true };
    let options = ImportOptions { keep, ..ImportOptions::default() };
    let store = open();
    if !store.keeps_games() {
        let refused = import_games(&*store, &rules, &games, &options).expect_err("no tags are kept");
        assert!(matches!(refused, Error::NoTags(_)), "{refused}");
        return;
    }
    import_games(&*store, &rules, &games, &options).expect("imported");
    drop(store);
    let store = open();
    let tinsley = GameFilter { player: Some("tinsley".to_owned()), ..GameFilter::default() };
    let late = GameFilter { from: Some(1980), to: Some(1990), ..GameFilter::default() };
    let drawn = GameFilter { outcome: Some(Outcome::Draw), ..GameFilter::default() };
    for filter in [GameFilter::default(), tinsley, late, drawn] {
        let taken = |game: &&RecordedGame<Draughts>| {
            let tags = game.tags[1..3].to_vec();
            let outcome = game.outcome.expect("a result");
            filter.takes(&KeptGame { id: GameId([0; 16]), outcome, tags, moves: None })
        };
        let fitting: Vec<_> = games.iter().filter(taken).cloned().collect();
        let alone = MemoryStore::new();
        record_all(&alone, &fitting).expect("recorded");
        let (all, alone) = (
            Book::new(&rules, store.as_reader()).expect("a book"),
            Book::new(&rules, &alone).expect("a book"),
        );
        for ply in [0, 1, 4, 9] {
            let mut state = rules.start();
            games[0].moves[..ply].iter().for_each(|&mv| rules.play(&mut state, mv));
            let options = QueryOptions::default();
            let here = all.query_among(&state, options, Some(&filter)).expect("an answer");
            let expected = alone.query(&state, options).expect("an answer");
            let told = |stats: &tabia_book::PositionStats<_>| {
                let moves: Vec<_> = stats.moves.iter().map(|mv| (mv.mv, mv.played)).collect();
                (stats.totals, moves)
            };
            assert_eq!(told(&here), told(&expected), "{filter:?} after {ply} plies");
            let listed = all.games(&state, &filter, 1000).expect("games");
            assert_eq!(listed.len() as u64, expected.totals.total());
            assert!(listed.iter().all(|game| game.tag("White").is_some() && game.tag("Round").is_none()));
            assert_eq!(
                all.games(&state, &filter, 2).expect("games").len() as u64,
                expected.totals.total().min(2)
            );
        }
    }
    kept_games_are_played_again(&*store, &rules, &games);
}

/// Every kept game is the game that was played, move by move.
fn kept_games_are_played_again(store: &dyn Store, rules: &Draughts, games: &[RecordedGame<Draughts>]) {
    let book = Book::new(rules, store.as_reader()).expect("a book");
    let kept = book.games(&rules.start(), &GameFilter::default(), 1000).expect("games");
    assert_eq!(kept.len(), games.len());
    for kept in kept {
        let same = store.kept(kept.id).expect("an answer").expect("a game");
        assert_eq!(same, kept);
        let played = games.iter().find(|game| kept.tag("Date") == Some(game.tags[2].1.as_str())).expect("it");
        let (start, moves) = book.replay(&same).expect("an answer").expect("moves");
        assert_eq!((start, &moves), (played.start.state, &played.moves));
    }
    assert_eq!(store.kept(GameId([0xEE; 16])).expect("an answer"), None);
}

fn another_encoding_is_refused(open: &Open<'_>) {
    let print = tabia_book::Fingerprint::from_bytes(b"another");
    let error = open().enter("tic-tac-toe", &print, &|theirs| *theirs == print).expect_err("refused");
    assert!(matches!(error, Error::Encoding { .. }), "{error}");
    let number = open().enter("another game", &print, &|_| true).expect("entered").number;
    assert_eq!(open().enter("another game", &print, &|_| true).expect("entered again").number, number);
}

/// Everything a verification can check.
pub(crate) fn the_book_is_sound(open: &Open<'_>) {
    let mut store = open();
    let report = verify_bytes(&mut *store).expect("a report");
    assert!(report.is_sound(), "{:#?}", report.told);
    drop(store);
    let store = open();
    let report = Book::new(&TicTacToe, store.as_reader()).expect("a book").verify().expect("a report");
    assert!(report.is_sound(), "{:#?}", report.told);
    let rules = Draughts::default();
    let report = Book::new(&rules, store.as_reader()).expect("a book").verify().expect("a report");
    assert!(report.is_sound(), "{:#?}", report.told);
}
