//! What can be asked, and moves of every kind.

use crate::engine::{Engine, MATE_IN_ONE};
use tabia_app::Registry;

#[test]
fn moves_of_every_kind_are_understood_and_answered() {
    let registry = Registry::standard();
    let chess = registry.find("chess").expect("chess is there");
    let promotes = "8/5P1k/8/8/8/8/P7/K7 w - - 0 1";
    let castles = "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f8c5 c2c3 e8g8";
    let takes_in_passing = "startpos moves e2e4 g8f6 e4e5 d7d5 e5d6";
    let mut engine = Engine::start();
    for (place, depth) in [(promotes, 5), (castles, 4), (takes_in_passing, 4)] {
        let (from, moves) = place.split_once(" moves ").unwrap_or((place, ""));
        let mut position =
            if from == "startpos" { chess.start() } else { chess.parse(from).expect("a position") };
        for mv in moves.split_whitespace() {
            position.play(mv).expect("legal");
        }
        let fen = if from == "startpos" { "" } else { "fen " };
        engine.say(&format!("position {fen}{place}"));
        engine.say(&format!("go depth {depth}"));
        let best = engine.best();
        position.play(&best).unwrap_or_else(|error| panic!("{best} in {place}: {error}"));
    }
    engine.say(&format!("position fen {promotes} moves f7f8n"));
    engine.say("go depth 1");
    assert!(engine.best().starts_with("h7"));
    engine.say(&format!("position fen {promotes}"));
    engine.say("go depth 6");
    assert!(engine.best().starts_with("f7f8q"));
    // All moves at once, as lines of their own: castling to both sides is written king first.
    engine.say("setoption name MultiPV value 64");
    engine.say("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    engine.say("go depth 1");
    let first = engine.lines_to_best();
    assert_eq!(first.len(), 26);
    assert!(first.iter().any(|mv| mv == "e1g1") && first.iter().any(|mv| mv == "e1c1"), "{first:?}");
    engine.end();
}
#[test]
fn only_the_moves_of_searchmoves_are_considered() {
    let mut engine = Engine::start();
    engine.say("setoption name MultiPV value 64");
    engine.say(MATE_IN_ONE);
    for depth in [1, 6] {
        engine.say(&format!("go searchmoves e1e7 h1g1 depth {depth}"));
        let lines = engine.lines_to_best();
        assert_eq!(lines.len(), 2 * depth, "{lines:?}");
        assert!(lines.iter().all(|mv| mv == "e1e7" || mv == "h1g1"), "{lines:?}");
    }
    // What was found among some moves is not believed of the position.
    engine.say("setoption name MultiPV value 1");
    engine.say("go searchmoves h1g1 depth 4");
    assert_eq!(engine.best(), "h1g1");
    engine.say("go depth 4");
    assert_eq!(engine.best(), "e1e8");
    engine.say("go depth 2 searchmoves h1h8 zzzz");
    assert!(engine.hear("info").contains("h1h8"));
    assert!(engine.hear("info").contains("zzzz"));
    assert_eq!(engine.best(), "e1e8", "moves that cannot be played restrict nothing");
    engine.end();
}

#[test]
fn a_mate_that_is_asked_for_is_found() {
    let mut engine = Engine::start();
    // A rook is given away for it, and the move that mates is quiet.
    engine.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    engine.say("go mate 2");
    assert!(engine.hear("info").contains("score mate 2 "));
    assert_eq!(engine.best(), "a1a6");
    engine.say("ucinewgame");
    engine.say("go nodes 100000");
    assert_eq!(engine.best(), "a1a6");
    // There is none in one: the answer is a move all the same.
    engine.say("go mate 1");
    assert_ne!(engine.best(), "0000");
    engine.end();
}
