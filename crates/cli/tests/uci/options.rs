//! What can be set.

use crate::engine::Engine;

#[test]
fn it_introduces_itself_and_takes_options() {
    let mut engine = Engine::start();
    engine.say("uci");
    let told = engine.until("uciok");
    assert!(told.iter().any(|line| line.starts_with("id name Tabia")));
    for option in [
        "Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "TablePath",
        "UCI_Chess960",
        "UCI_LimitStrength",
        "UCI_Elo",
    ] {
        assert!(told.iter().any(|line| line.starts_with(&format!("option name {option} type"))), "{option}");
    }
    engine.say("setoption name Hash value 2");
    engine.say("setoption name multipv value 3");
    engine.say("setoption name Threads value 2");
    assert_eq!(engine.until_ready(), Vec::<String>::new());
    engine.say("go depth 3");
    assert!(engine.hear("info").contains("multipv 1"));
    assert!(engine.hear("info").contains("multipv 2"));
    engine.best();
    engine.say("quit");
    engine.end();
}

#[test]
fn a_table_is_never_larger_than_it_can_be() {
    let mut engine = Engine::start();
    engine.say("uci");
    let option = std::iter::from_fn(|| Some(engine.hear("option")))
        .find(|line| line.starts_with("option name Hash"))
        .expect("some option is Hash");
    let most: usize = option.rsplit(' ').next().expect("a maximum").parse().expect("a number");
    engine.say(&format!("setoption name Hash value {}", most.saturating_mul(1000)));
    let told = engine.hear("info");
    assert!(told.starts_with("info string") && told.contains(&most.to_string()), "{told}");
    // Taking all memory of the machine that runs the tests would be rude.
    engine.say("setoption name Hash value 1");
    engine.say("go depth 2");
    assert_ne!(engine.best(), "0000");
    engine.end();
}

#[test]
fn chess960_writes_castling_as_king_takes_rook() {
    let mut engine = Engine::start();
    engine.say("setoption name MultiPV value 64");
    for (name, value, wanted) in
        [("UCI_Chess960", "true", ["e1h1", "e1a1"]), ("uci_chess960", "false", ["e1g1", "e1c1"])]
    {
        engine.say(&format!("setoption name {name} value {value}"));
        engine.say("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        engine.say("go depth 1");
        let first = engine.lines_to_best();
        assert!(wanted.iter().all(|mv| first.iter().any(|found| found == mv)), "{first:?}");
        assert_eq!(first.len(), 26);
    }
    // Both are understood, and the king may start anywhere.
    engine.say("setoption name UCI_Chess960 value true");
    for moves in [
        "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8a8",
        "fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1 moves e1g1 e8b8",
        "fen nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w HBhb - 0 1 moves c1b1 c8h8",
    ] {
        engine.say(&format!("position {moves}"));
        assert_eq!(engine.until_ready(), Vec::<String>::new(), "{moves}");
    }
    engine.end();
}

#[test]
fn limited_strength_looks_at_few_positions() {
    let mut engine = Engine::start();
    engine.say("setoption name UCI_LimitStrength value true");
    engine.say("setoption name UCI_Elo value 1000");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        engine.say("position startpos");
        engine.say("go movetime 60000");
        seen.insert(engine.best());
    }
    assert!(seen.len() > 1, "always {seen:?}");
    engine.say("setoption name UCI_Elo value 5");
    assert!(engine.hear("info").contains("200"));
    engine.end();
}

/// The longest win of king and rook: far beyond a search of one ply, one look into a table.
const MATE_IN_SIXTEEN: &str = "position fen 8/8/8/8/8/2R5/1K6/3k4 w - - 0 1";

#[test]
fn tables_of_endings_are_looked_into() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = std::process::Command::new(env!("CARGO_BIN_EXE_tabia"))
        .args(["tablebase", "build", "chess", "--slice", "KRvK", "--quiet", "--out"])
        .arg(folder.path())
        .output()
        .expect("the program starts");
    assert!(built.status.success(), "{built:?}");
    let mut engine = Engine::start();
    engine.say(&format!("setoption name TablePath value {}", folder.path().display()));
    let told = engine.until_ready();
    assert!(told.iter().any(|line| line.contains("3 tables of endings with up to 3 men")), "{told:?}");
    engine.say(MATE_IN_SIXTEEN);
    engine.say("go depth 1");
    assert!(engine.hear("info").contains("score mate "));
    engine.best();
    engine.say("setoption name TablePath value <empty>");
    assert_eq!(engine.until_ready(), Vec::<String>::new());
    engine.say("go depth 1");
    assert!(!engine.hear("info").contains("score mate "));
    engine.best();
    engine.say("setoption name TablePath value /nowhere");
    let told = engine.until_ready();
    assert!(told.iter().any(|line| line.contains("no ending tables: /nowhere")), "{told:?}");
    engine.end();
}
