//! Suites of positions with their best moves, and the names of openings.

use tabia_app::search::{SearchRequest, SuiteView, read_suite, run_suite};
use tabia_app::{ErrorKind, InputError, Registry, Stop};

const MATE: &str = "6k1/5ppp/8/8/8/8/8/4R2K w - -";

fn suite(text: &str) -> Result<SuiteView, InputError> {
    let request = SearchRequest { depth: Some(2), hash_bytes: 1 << 20, ..SearchRequest::default() };
    let puzzles = read_suite(Registry::standard().find("chess")?, text)?;
    run_suite(&puzzles, &request, &Stop::new(), &mut |_| ())
}

#[test]
fn moves_are_compared_however_they_are_written() {
    let text = format!(
        "# a remark\n\n{MATE} bm Re8; id \"short\";\n{MATE} bm e1e8;\n{MATE} bm Kg1 Re7; c0 \"x\";\n\
         {MATE} am Re8#;\n{MATE} am Kg1; id \"avoided\";"
    );
    let view = suite(&text).unwrap();
    assert_eq!((view.solved, view.total), (3, 5));
    let solved: Vec<&str> = view.positions.iter().filter(|p| p.solved).map(|p| p.id.as_str()).collect();
    assert_eq!(solved, ["short", "line 4", "avoided"]);
}

#[test]
fn errors_name_the_line() {
    for (bad, reason) in [
        (MATE.to_owned(), "line 2: expected a position"),
        (format!("{MATE} bm Re9;"), "line 2: "),
        (format!("{MATE} bm Ra2;"), "line 2: "),
        ("8/8 w - - bm Re8;".to_owned(), "line 2: "),
    ] {
        let error = suite(&format!("{MATE} bm Re8;\n{bad}")).unwrap_err();
        assert!(error.message.starts_with(reason), "{bad}: {}", error.message);
        assert_ne!(error.kind, ErrorKind::Illegal);
    }
}

#[test]
fn the_suite_that_comes_with_tabia_can_be_read() {
    let text = include_str!("../../../data/chess/wac.epd");
    assert_eq!(read_suite(Registry::standard().find("chess").unwrap(), text).unwrap().len(), 100);
}

#[test]
fn a_name_holds_until_the_next_one_and_comes_by_any_road() {
    let registry = Registry::standard();
    let opening = |moves: &str| {
        let mut position = registry.find("chess").expect("chess").start();
        moves.split_whitespace().for_each(|mv| position.play(mv).expect("legal"));
        position.opening()
    };
    assert_eq!(opening(""), None);
    assert_eq!(opening("e4 e5 Nc3 Nf6 f4 h6 h3"), Some("Vienna Gambit"));
    assert_eq!(opening("Nf3 Nf6 c4 g6 Nc3 d5 d4"), Some("Réti Opening"), "no name for where it leads to");
    assert_eq!(opening("c4 Nf6 d4 e6 Nc3 Bb4"), Some("Nimzo-Indian Defence"), "another order of moves");
}
