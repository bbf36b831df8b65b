//! `tabia uci`, spoken to as a chess GUI does: through the pipes of the real program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tabia_app::Registry;

/// An answer that has not come by then will not come: the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(120);

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabia"))
            .args(["uci", "--threads", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Engine { child, input, lines }
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{text}").and_then(|()| input.flush()).expect("the engine listens");
    }

    /// The first line that begins with `word`.
    fn hear(&self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {word} came"));
            if line.split_whitespace().next() == Some(word) {
                return line;
            }
        }
    }

    /// Everything said until the answer to `isready`.
    fn until_ready(&mut self) -> Vec<String> {
        self.say("isready");
        let mut heard = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("readyok");
            if line == "readyok" {
                return heard;
            }
            heard.push(line);
        }
    }

    fn best(&self) -> String {
        let line = self.hear("bestmove");
        line.split_whitespace().nth(1).expect("a move").to_owned()
    }

    /// Closes the input, and waits for the program to end well.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_introduces_itself_and_takes_options() {
    let mut engine = Engine::start();
    engine.say("uci");
    let told = std::iter::from_fn(|| Some(engine.lines.recv_timeout(PATIENCE).expect("uciok")))
        .take_while(|line| line != "uciok")
        .collect::<Vec<_>>();
    assert!(told.iter().any(|line| line.starts_with("id name Tabia")));
    for option in ["Hash", "Threads", "MultiPV", "Ponder"] {
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
fn bad_input_is_told_and_changes_nothing() {
    let mut engine = Engine::start();
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1");
    assert_eq!(engine.until_ready(), Vec::<String>::new());
    for (bad, named) in [
        ("setoption name Hash value much", "\"much\""),
        ("setoption name Sash value 3", "\"Sash\""),
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
    engine.say("go depth x wtime -5 movetime 60000 depth 3 perft");
    assert_eq!(engine.best(), "e1e8", "the position before the bad ones stands");
    engine.end();
}

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

#[test]
fn the_end_of_the_input_ends_the_program() {
    Engine::start().end();
    for go in ["go infinite", "go depth 4", "go ponder"] {
        let mut engine = Engine::start();
        engine.say(go);
        drop(engine.input.take());
        assert_eq!(engine.best().len(), 4, "{go}");
        engine.end();
    }
    let mut engine = Engine::start();
    engine.say("go infinite");
    engine.say("quit");
    engine.best();
    assert!(engine.child.wait().expect("it ends").success());
}

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
    let told: Vec<String> =
        std::iter::from_fn(|| Some(engine.lines.recv_timeout(PATIENCE).expect("bestmove")))
            .take_while(|line| !line.starts_with("bestmove"))
            .collect();
    let first: Vec<&str> =
        told.iter().filter_map(|line| line.split_once(" pv ")?.1.split(' ').next()).collect();
    assert_eq!(first.len(), 26);
    assert!(first.contains(&"e1g1") && first.contains(&"e1c1"), "{first:?}");
    engine.end();
}
