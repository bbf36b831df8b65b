//! What is said when: endless searches, pondering, bad input, the end of it.

use crate::engine::{Engine, MATE_IN_ONE};

#[test]
fn an_endless_search_answers_when_it_is_stopped() {
    let mut engine = Engine::start();
    for go in ["go infinite", "go", "go ponder", "go ponder wtime 1 btime 1"] {
        engine.say("position startpos");
        engine.say(go);
        engine.hear("info");
        engine.say("isready");
        engine.hear("readyok");
        engine.say("stop");
        assert_eq!(engine.best().len(), 4, "{go}");
    }
    // Solved at once, and still not answered before somebody asks.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1");
    engine.say("go infinite");
    assert!(engine.hear("info").contains("score mate 1"));
    assert!(engine.until_ready().iter().all(|line| !line.starts_with("bestmove")));
    engine.say("stop");
    assert_eq!(engine.best(), "e1e8");
    // Commands that come meanwhile are obeyed afterwards.
    engine.say("go infinite");
    engine.hear("info");
    engine.say("position fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1");
    engine.say("stop");
    assert_eq!(engine.best(), "e1e8");
    engine.say("go depth 2");
    assert_eq!(engine.best(), "0000", "the game is over");
    engine.end();
}

#[test]
fn pondering_goes_over_into_thinking() {
    let mut engine = Engine::start();
    engine.say("position startpos moves e2e4 e7e5");
    engine.say("go ponder wtime 2000 btime 2000");
    engine.hear("info");
    engine.say("ponderhit");
    engine.best();
    engine.say("go ponder depth 1");
    engine.hear("info");
    assert!(engine.until_ready().iter().all(|line| !line.starts_with("bestmove")));
    engine.say("ponderhit");
    engine.best();
    engine.end();
}

/// An old GUI may write a path in Latin-1.
#[test]
fn a_line_that_is_not_utf_8_ends_nothing() {
    let mut engine = Engine::start();
    engine.say_bytes(b"setoption name TablePath value C:\\J\xF6rg\r\n");
    engine.say(MATE_IN_ONE);
    engine.say("go depth 2");
    assert_eq!(engine.best(), "e1e8");
    engine.end();
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    Engine::start().end();
    for go in ["go infinite", "go depth 4", "go ponder"] {
        let mut engine = Engine::start();
        engine.say(go);
        engine.hang_up();
        assert_eq!(engine.best().len(), 4, "{go}");
        engine.end();
    }
    let mut engine = Engine::start();
    engine.say("go infinite");
    engine.say("quit");
    engine.best();
    engine.end();
}

#[test]
fn bad_input_is_told() {
    let mut engine = Engine::start();
    for (bad, named) in [
        ("setoption name Hash value much", "\"much\""),
        ("setoption name Sash value 3", "\"Sash\""),
        ("setoption name UCI_Chess960 value maybe", "\"maybe\""),
        ("setoption", "setoption name NAME"),
        ("position", "startpos"),
        ("position somewhere", "startpos"),
        ("position fen 8/8/8 w - - 0 1", "8/8/8"),
        ("position startpos moves e2e4 e2e4", "e2e4"),
        ("position startpos moves e2e5", "e2e5"),
        ("position startpos moves \u{2654}", "\u{2654}"),
    ] {
        engine.say(bad);
        let told = engine.until_ready();
        assert!(
            matches!(&told[..], [line] if line.starts_with("info string") && line.contains(named)),
            "{bad}: {told:?}"
        );
    }
    for unknown in ["", "   ", "xyzzy", "stop", "ponderhit", "debug on", "register later"] {
        engine.say(unknown);
        assert_eq!(engine.until_ready(), Vec::<String>::new(), "{unknown:?}");
    }
    engine.say(MATE_IN_ONE);
    engine.say("go depth x wtime -5 movetime 60000 depth 3 perft");
    assert_eq!(engine.best(), "e1e8");
    engine.end();
}

#[test]
fn after_a_refused_position_there_is_none_to_answer_for() {
    let mut engine = Engine::start();
    engine.say(MATE_IN_ONE);
    engine.say("position startpos moves e2e5");
    for _ in 0..2 {
        engine.until_ready();
        engine.say("go depth 3");
        let told = engine.hear("info");
        assert!(told.starts_with("info string") && told.contains("e2e5"), "{told}");
        assert_eq!(engine.best(), "0000");
    }
    engine.say(MATE_IN_ONE);
    engine.say("go depth 3");
    assert_eq!(engine.best(), "e1e8");
    engine.end();
}
