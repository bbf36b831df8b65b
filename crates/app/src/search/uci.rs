//! The Universal Chess Interface: what a chess GUI speaks with an engine.
//!
//! Lines come in, lines go out. They are read on a thread of their own, and a search runs on another, so
//! that `stop` is heard at any time.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tabia_chess::{Chess, uci};
use tabia_core::{Game, Notation, Position, Record, Side};
use tabia_search::{AlphaBeta, Limits, Options, Report, Score, Stop};

/// How the engine is set up.
#[derive(Clone, Copy, Debug)]
struct Setup {
    hash_megabytes: usize,
    threads: usize,
    lines: usize,
}

impl Setup {
    fn engine(self) -> Option<AlphaBeta> {
        let Setup { hash_megabytes, threads, lines } = self;
        AlphaBeta::new(Options { table_bytes: hash_megabytes << 20, threads, lines, selective: true }).ok()
    }
}

/// Answers UCI commands until `quit` or the end of the input.
pub fn run(input: impl BufRead + Send, output: impl Write + Send, threads: usize) -> std::io::Result<()> {
    let (sender, lines) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The last line is passed on before the thread ends, and with it the channel.
            for line in input.lines().map_while(Result::ok) {
                let last = line.trim() == "quit";
                if sender.send(line).is_err() || last {
                    break;
                }
            }
        });
        serve(&lines, output, threads)
    })
}

fn serve(lines: &Receiver<String>, output: impl Write + Send, threads: usize) -> std::io::Result<()> {
    let output = Mutex::new(output);
    let mut session = Session {
        output: &output,
        setup: Setup { hash_megabytes: 64, threads, lines: 1 },
        engine: None,
        record: start(),
        waiting: VecDeque::new(),
    };
    while let Some(line) = session.waiting.pop_front().or_else(|| lines.recv().ok()) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => session.introduce()?,
            Some("isready") => say(&output, "readyok")?,
            Some("ucinewgame") => session.engine = None,
            Some("setoption") => session.set(&line),
            Some("position") => session.place(&line)?,
            Some("go") if session.go(words, lines)?.is_break() => break,
            Some("quit") => break,
            _ => {}
        }
    }
    Ok(())
}

fn start() -> Record<Chess> {
    Record::new(Position { rules: Chess, state: Chess.start() })
}

fn say<W: Write>(output: &Mutex<W>, text: &str) -> std::io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{text}")?;
    output.flush()
}

struct Session<'a, W: Write + Send> {
    output: &'a Mutex<W>,
    setup: Setup,
    engine: Option<AlphaBeta>,
    record: Record<Chess>,
    /// Commands that came while a search was running.
    waiting: VecDeque<String>,
}

impl<W: Write + Send> Session<'_, W> {
    fn introduce(&self) -> std::io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let threads = self.setup.threads;
        let lines = [
            format!("id name Tabia {version}"),
            "id author the Tabia authors".to_owned(),
            "option name Hash type spin default 64 min 1 max 65536".to_owned(),
            format!("option name Threads type spin default {threads} min 1 max 256"),
            "option name MultiPV type spin default 1 min 1 max 64".to_owned(),
            "uciok".to_owned(),
        ];
        say(self.output, &lines.join("\n"))
    }

    /// `setoption name Hash value 128`
    fn set(&mut self, line: &str) {
        let Some((name, value)) = line.split_once("name ").and_then(|(_, rest)| rest.split_once(" value "))
        else {
            return;
        };
        let Ok(value) = value.trim().parse::<usize>() else { return };
        match name.trim().to_ascii_lowercase().as_str() {
            "hash" => self.setup.hash_megabytes = value.clamp(1, 65536),
            "threads" => self.setup.threads = value.clamp(1, 256),
            "multipv" => self.setup.lines = value.clamp(1, 64),
            _ => return,
        }
        self.engine = None;
    }

    /// `position startpos moves e2e4`, `position fen ... moves ...`
    fn place(&mut self, line: &str) -> std::io::Result<()> {
        let (place, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let place = place.trim_start().trim_start_matches("position").trim();
        let record = match place.strip_prefix("fen") {
            None => start(),
            Some(fen) => match Chess.parse(fen.trim()) {
                Ok(position) => Record::new(position),
                Err(error) => return say(self.output, &format!("info string {error}")),
            },
        };
        self.record = record;
        for text in moves.split_whitespace() {
            match Chess.parse_move(self.record.state(), text) {
                Ok(mv) => self.record.play_unchecked(mv),
                Err(error) => return say(self.output, &format!("info string {text}: {error}")),
            }
        }
        Ok(())
    }

    /// Searches while it listens for `stop`; breaks at `quit`.
    fn go<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        lines: &Receiver<String>,
    ) -> std::io::Result<ControlFlow<()>> {
        let (limits, endless) = go_limits(words, self.record.rules().side(self.record.state()));
        let Some(mut engine) = self.engine.take().or_else(|| self.setup.engine()) else {
            say(self.output, "info string no memory for the table")?;
            return Ok(ControlFlow::Continue(()));
        };
        let (stop, output, record, waiting) = (Stop::new(), self.output, &self.record, &mut self.waiting);
        let answer = std::thread::scope(|scope| {
            let search = scope.spawn(|| {
                let tell = |report: &Report<_>| drop(say(output, &info(record, report)));
                let report = engine.search(record, &limits, &stop, tell);
                // An endless search that has nothing left to do still waits to be asked.
                while endless && !stop.is_stopped() {
                    std::thread::sleep(Duration::from_millis(2));
                }
                let board = record.state().board();
                report.best().map_or("0000".to_owned(), |mv| uci::format(board, mv))
            });
            let answer = listen(output, lines, waiting, &stop, endless, || search.is_finished())?;
            let best = search.join().unwrap_or("0000".to_owned());
            say(output, &format!("bestmove {best}"))?;
            Ok(answer)
        });
        self.engine = Some(engine);
        answer
    }
}

/// Hears what comes in while a search runs.
fn listen<W: Write>(
    output: &Mutex<W>,
    lines: &Receiver<String>,
    waiting: &mut VecDeque<String>,
    stop: &Stop,
    endless: bool,
    finished: impl Fn() -> bool,
) -> std::io::Result<ControlFlow<()>> {
    while !finished() && !stop.is_stopped() {
        match lines.recv_timeout(Duration::from_millis(2)) {
            Ok(line) => match line.trim() {
                "stop" => stop.stop(),
                "isready" => say(output, "readyok")?,
                "quit" => {
                    stop.stop();
                    return Ok(ControlFlow::Break(()));
                }
                _ => waiting.push_back(line),
            },
            Err(RecvTimeoutError::Timeout) => {}
            // Nobody is left to say stop.
            Err(RecvTimeoutError::Disconnected) if endless => stop.stop(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The limits of a `go` command, and whether it only ends at `stop`.
fn go_limits<'w>(mut words: impl Iterator<Item = &'w str>, side: Side) -> (Limits, bool) {
    let mut limits = Limits::default();
    let (mut clock, mut increment, mut moves_to_go) = ([None; 2], [0; 2], 30);
    let mut infinite = false;
    while let Some(word) = words.next() {
        if word == "infinite" {
            infinite = true;
            continue;
        }
        let Some(number) = words.next().and_then(|number| number.parse::<i64>().ok()) else { continue };
        let number = number.max(0) as u64;
        match word {
            "depth" => limits.depth = Some(number.clamp(1, 250) as u32),
            "nodes" => limits.nodes = Some(number.max(1)),
            "movetime" => limits.time = Some(Duration::from_millis(number.max(1))),
            "wtime" => clock[0] = Some(number),
            "btime" => clock[1] = Some(number),
            "winc" => increment[0] = number,
            "binc" => increment[1] = number,
            "movestogo" => moves_to_go = number.clamp(1, 60),
            "mate" => limits.depth = Some((2 * number).clamp(1, 250) as u32),
            _ => {}
        }
    }
    if let (None, Some(left)) = (limits.time, clock[side.index()]) {
        let share = left / moves_to_go.max(2) + increment[side.index()] * 3 / 4;
        // Something is always left for the way to the GUI and back.
        limits.time = Some(Duration::from_millis(share.min(left.saturating_sub(30)).max(1)));
    }
    (limits, infinite || limits == Limits::default())
}

/// One `info` line for each best line.
fn info(record: &Record<Chess>, report: &Report<tabia_chess::types::Move>) -> String {
    let line = |(number, line): (usize, &tabia_search::Line<_>)| {
        let score = match line.score {
            Score::Win(plies) => format!("mate {}", plies.div_ceil(2)),
            Score::Loss(plies) => format!("mate -{}", plies / 2),
            Score::Draw => "cp 0".to_owned(),
            Score::Estimate(value) => format!("cp {value}"),
        };
        let mut state = record.state().clone();
        let moves = line.moves.iter().map(|&mv| {
            let text = uci::format(state.board(), mv);
            Chess.play(&mut state, mv);
            text
        });
        let pv: Vec<String> = moves.collect();
        format!(
            "info depth {} multipv {} score {score} nodes {} nps {:.0} time {:.0} pv {}",
            report.depth,
            number + 1,
            report.nodes,
            report.nodes_per_second(),
            report.seconds * 1000.0,
            pv.join(" ")
        )
    };
    report.lines.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}
