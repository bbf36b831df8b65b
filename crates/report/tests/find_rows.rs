//! Questions against plain loops over the same positions.

use std::ops::ControlFlow;
use tabia_core::enumerate::EnumerateOptions;
use tabia_core::{Game, Index, Notation, Present, Probe, Spot, Value, Work};
use tabia_draughts::Draughts;
use tabia_report::find::{
    Field, Finder, Match, Origin, Owned, Question, Scope, Vocabulary, compile, condition,
};
use tabia_solitaire::Solitaire;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, SliceFolder, build};

fn tables(folder: &std::path::Path) -> SliceFolder<Draughts> {
    let options = BuildOptions { pieces: 2, precision: Precision::Distance };
    build(&Draughts::default(), folder, options, &Work::unwatched(1)).expect("built");
    SliceFolder::open(Draughts::default(), folder).expect("tables")
}

/// Every position of the tables, in their order.
fn all(folder: &SliceFolder<Draughts>) -> Vec<(String, Value, u64)> {
    let game = folder.game();
    let spots = folder
        .files()
        .into_iter()
        .flat_map(|(slice, file)| (0..file.info().positions).map(move |index| Spot { slice, index }));
    let state = |spot| game.position(spot).expect("a position");
    let row = |spot: Spot| {
        let state = state(spot);
        (game.format(&state), folder.probe(&state).expect("a value"), game.count_moves(&state))
    };
    spots.map(row).collect()
}

fn ask(
    folder: &SliceFolder<Draughts>,
    text: &str,
    sort: Option<&str>,
    limit: usize,
    threads: usize,
) -> (Vec<Match>, u64) {
    let vocabulary = Vocabulary::of(folder.game(), Origin::Tables, true);
    let question = Question {
        condition: condition(text, &vocabulary).expect(text),
        sort: sort.map(|sort| compile(sort, &vocabulary).expect(sort)),
        descending: true,
        limit,
        count: true,
        told: vec![Field::Distance],
    };
    let (scope, work) = (Scope::new(folder.game(), &vocabulary, Some(folder)), Work::unwatched(threads));
    let mut found = Vec::new();
    let mut sink = |one: &Match| {
        found.push(one.clone());
        ControlFlow::Continue(())
    };
    let mut finder = Finder::new(&scope, &question, &work, None, &mut sink);
    finder.slices(folder).expect("looked through");
    let report = finder.finish();
    assert!(report.complete);
    (found, report.matched)
}

#[test]
fn tables_are_looked_through_as_by_a_plain_loop() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = tables(place.path());
    let rows = all(&folder);
    let distance = |value: Value| value.distance().map_or(-1, i64::from);
    let fits =
        |row: &&(String, Value, u64)| matches!(row.1, Value::Win(_)) && distance(row.1) >= 9 && row.2 == 2;
    let mut wanted: Vec<&(String, Value, u64)> = rows.iter().filter(fits).collect();
    let text = "value == 'win' && distance >= 9 && moves == 2";
    let texts = |found: &[Match]| found.iter().map(|one| one.position.clone()).collect::<Vec<_>>();
    for threads in [1, 3] {
        let (found, matched) = ask(&folder, text, None, usize::MAX, threads);
        assert_eq!(texts(&found), wanted.iter().map(|row| row.0.clone()).collect::<Vec<_>>());
        assert_eq!(matched, wanted.len() as u64);
        let (first, matched) = ask(&folder, text, None, 7, threads);
        assert_eq!((texts(&first), matched), (texts(&found)[..7].to_vec(), wanted.len() as u64));
    }
    // A stable sort, as the finder's is.
    wanted.sort_by_key(|row| std::cmp::Reverse(distance(row.1)));
    for threads in [1, 3] {
        let (found, _) = ask(&folder, text, Some("distance"), 25, threads);
        assert_eq!(texts(&found), wanted.iter().take(25).map(|row| row.0.clone()).collect::<Vec<_>>());
        assert_eq!(found[0].fields, [Owned::Int(distance(wanted[0].1))]);
    }
}

#[test]
fn moves_are_counted_by_their_values() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = tables(place.path());
    let game = folder.game();
    let winning = |text: &str| {
        let state = game.parse(text).expect("a position").state;
        let moves = tabia_solve::lines::moves(game, &folder, &state).expect("values");
        moves.iter().filter(|mv| matches!(mv.value, Value::Win(_))).count()
    };
    let wanted = all(&folder).iter().filter(|row| winning(&row.0) == 1).count() as u64;
    assert_eq!(ask(&folder, "winning_moves == 1", None, 0, 2).1, wanted);
    let kings = |text: &str| {
        game.picture(&game.parse(text).expect("a position").state)
            .pieces
            .iter()
            .filter(|piece| piece.name == "king")
            .count()
    };
    let wanted = all(&folder).iter().filter(|row| kings(&row.0) == 2).count() as u64;
    assert_eq!(
        ask(&folder, "pieces('king') == 2", None, 0, 2).1,
        wanted,
        "counted without pictures as with them"
    );
}

#[test]
fn every_position_that_can_be_reached_is_looked_at_once() {
    let rules = Solitaire::default();
    let position = rules.parse("triangle4").or_else(|_| rules.parse("./oo/ooo/oooo")).expect("a board");
    let rules = position.rules;
    let vocabulary = Vocabulary::of(&rules, Origin::Enumerate, false);
    let question = Question {
        condition: condition("ply >= 0", &vocabulary).expect("a condition"),
        sort: None,
        descending: false,
        limit: 0,
        count: true,
        told: Vec::new(),
    };
    let (scope, work) = (Scope::new(&rules, &vocabulary, None), Work::unwatched(2));
    let options = EnumerateOptions { symmetry: true, depth: None };
    let counted =
        tabia_core::enumerate::enumerate(&rules, &position.state, options, &work, |_| ()).expect("counted");
    let mut sink = |_: &Match| ControlFlow::Continue(());
    let mut finder = Finder::new(&scope, &question, &work, None, &mut sink);
    finder.enumerated(&position.state, options, &work).expect("looked at");
    let report = finder.finish();
    assert_eq!(report.looked_at, counted.levels.iter().map(|level| level.positions).sum::<u64>());
    assert_eq!((report.matched, report.complete), (report.looked_at, true));
}
