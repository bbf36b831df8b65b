//! A game of chess that an engine looks at: marks, values and better moves go into the file, and come back.

use std::convert::Infallible;
use std::ops::ControlFlow;
use tabia_chess::Chess;
use tabia_core::{ReadGames, Record, RecordedGame, Side};
use tabia_report::{Annotation, Mark, Verdict, annotate};
use tabia_search::{AlphaBeta, Limits, SearchOptions, Stop};

fn read(text: &str) -> RecordedGame<Chess> {
    let mut games = Vec::new();
    let mut sink = |game: Result<RecordedGame<Chess>, _>| {
        games.push(game.expect("a game"));
        ControlFlow::Continue(())
    };
    Chess.read_games("pgn", &mut text.as_bytes(), &mut sink).expect("memory can be read");
    games.remove(0)
}

fn judged(game: &RecordedGame<Chess>) -> Annotation<<Chess as tabia_core::Game>::Move> {
    let options = SearchOptions { table_bytes: 1 << 20, threads: 1, lines: 2, selective: true };
    let mut engine = AlphaBeta::new(options).expect("a megabyte");
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    let mut judge = |record: &Record<Chess>| {
        let report = engine.search(record, &limits, &Stop::new(), |_| ());
        Ok::<_, Infallible>(Some(Verdict::of_report(&report)))
    };
    annotate(game.start.clone(), &game.moves, &mut judge, &mut |_| ()).unwrap_or_else(|never| match never {})
}

#[test]
fn the_fool_s_mate_is_a_blunder_and_the_mate_is_exact() {
    let mut game = read("1. f3 {hm} e5 2. g4 Qh4# 0-1");
    let annotation = judged(&game);
    let marks: Vec<_> = annotation.plies.iter().map(tabia_report::Ply::mark).collect();
    assert_eq!(marks[2], Some(Mark::Blunder), "{marks:?}");
    assert_eq!(marks[3], None);
    let last = &annotation.plies[4];
    assert_eq!((last.score(), last.verdict.best), (-1.0, None));
    assert!(annotation.accuracy(Side::First) < annotation.accuracy(Side::Second));
    annotation.write_into(&mut game);
    let mut text = Vec::new();
    Chess.write_game("pgn", &game, &mut text).expect("written");
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(text.contains("2. g4 $4 {[%eval #-1]}"), "{text}");
    let again = read(&text);
    assert_eq!((&again.moves, &again.notes, &again.variations), (&game.moves, &game.notes, &game.variations));
    assert!(again.notes.iter().any(|note| note.comment.ends_with("] hm")), "{:?}", again.notes);
    // Looking again changes nothing that is said.
    let mut twice = again.clone();
    judged(&again).write_into(&mut twice);
    assert_eq!(twice.notes, again.notes);
}
