//! The Universal Chess Interface: what a chess GUI speaks with an engine.
//!
//! Lines come in, lines go out. They are read on a thread of their own, and a search runs on another, so
//! that `stop` is heard at any time. What is wrong in a command is told in an `info string`; unknown
//! commands are passed over, as UCI wants it.

mod go;

use go::Go;
use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tabia_chess::{Chess, types::Move, uci};
use tabia_core::{Game, Notation, Position, Record};
use tabia_search::{AlphaBeta, Options, Report, Score, Stop};

/// How long to wait for a command before looking at the search again.
const BEAT: Duration = Duration::from_millis(2);

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
            Some("setoption") => session.set(&line)?,
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
            "option name Ponder type check default false".to_owned(),
            "uciok".to_owned(),
        ];
        say(self.output, &lines.join("\n"))
    }

    /// `setoption name Hash value 128`
    fn set(&mut self, line: &str) -> std::io::Result<()> {
        let Some((_, rest)) = line.split_once("name ") else {
            return say(self.output, "info string expected: setoption name NAME value VALUE");
        };
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        let (name, value) = (name.trim(), value.trim());
        let (most, setting) = match name.to_ascii_lowercase().as_str() {
            "hash" => (65536, &mut self.setup.hash_megabytes),
            "threads" => (256, &mut self.setup.threads),
            "multipv" => (64, &mut self.setup.lines),
            // The GUI alone decides when to ponder.
            "ponder" => return Ok(()),
            _ => return say(self.output, &format!("info string there is no option {name:?}")),
        };
        let Ok(number) = value.parse::<usize>() else {
            let message = format!("info string {name} is a number from 1 to {most}, not {value:?}");
            return say(self.output, &message);
        };
        *setting = number.clamp(1, most);
        self.engine = None;
        Ok(())
    }

    /// `position startpos moves e2e4`, `position fen ... moves ...`; a bad one changes nothing.
    fn place(&mut self, line: &str) -> std::io::Result<()> {
        match placed(line) {
            Ok(record) => {
                self.record = record;
                Ok(())
            }
            Err(message) => say(self.output, &format!("info string {message}")),
        }
    }

    /// Searches while it listens for `stop`; breaks at `quit`.
    fn go<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        lines: &Receiver<String>,
    ) -> std::io::Result<ControlFlow<()>> {
        let go = go::parse(words, self.record.rules().side(self.record.state()));
        let Some(mut engine) = self.engine.take().or_else(|| self.setup.engine()) else {
            say(self.output, "info string no memory for the table\nbestmove 0000")?;
            return Ok(ControlFlow::Continue(()));
        };
        let mut limits = go.limits;
        if go.ponder {
            limits.time = None;
        }
        let (output, record) = (self.output, &self.record);
        let mut search = Search::new(go);
        std::thread::scope(|scope| {
            let Search { stop, hold, .. } = &search;
            let (stop, hold) = (stop.clone(), Arc::clone(hold));
            let thread = scope.spawn(move || {
                let tell = |report: &Report<_>| drop(say(output, &info(record, report)));
                let report = engine.search(record, &limits, &stop, tell);
                // A search that has nothing left to do still waits to be asked.
                while hold.load(Relaxed) && !stop.is_stopped() {
                    std::thread::sleep(BEAT);
                }
                (engine, best(record, &report))
            });
            let answer = search.listen(output, lines, &mut self.waiting, || thread.is_finished());
            // Whatever ended the listening ends the search.
            search.stop.stop();
            if let Ok((engine, best)) = thread.join() {
                self.engine = Some(engine);
                say(output, &best)?;
            }
            answer
        })
    }
}

/// The position and moves of a `position` command.
fn placed(line: &str) -> Result<Record<Chess>, String> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut record = match words[..end].split_first() {
        Some((&"startpos", [])) => start(),
        Some((&"fen", fen)) => {
            let fen = fen.join(" ");
            Record::new(Chess.parse(&fen).map_err(|error| format!("{fen}: {error}"))?)
        }
        _ => return Err("expected: position startpos|fen FEN [moves MOVE...]".to_owned()),
    };
    for text in words.iter().skip(end + 1) {
        let mv = Chess.parse_move(record.state(), text).map_err(|error| format!("{text}: {error}"))?;
        record.play_unchecked(mv);
    }
    Ok(record)
}

/// The line that ends a search, with the reply expected.
fn best(record: &Record<Chess>, report: &Report<Move>) -> String {
    let mut texts = line_texts(record, report.pv()).into_iter();
    let best = texts.next().unwrap_or_else(|| "0000".to_owned());
    match texts.next() {
        Some(reply) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {best}"),
    }
}

/// A running search, as the listening thread sees it.
struct Search {
    stop: Stop,
    /// The answer must wait.
    hold: Arc<AtomicBool>,
    go: Go,
    /// When a search that began as pondering must end.
    deadline: Option<Instant>,
}

impl Search {
    fn new(go: Go) -> Self {
        let hold = Arc::new(AtomicBool::new(go.endless || go.ponder));
        Search { stop: Stop::new(), hold, go, deadline: None }
    }

    /// The opponent played the expected move: from now on the own clock runs.
    fn ponder_hit(&mut self) {
        if self.go.ponder {
            self.go.ponder = false;
            self.deadline = self.go.limits.time.and_then(|time| Instant::now().checked_add(time));
            self.hold.store(self.go.endless, Relaxed);
        }
    }

    /// Hears what comes in while a search runs.
    fn listen<W: Write>(
        &mut self,
        output: &Mutex<W>,
        lines: &Receiver<String>,
        waiting: &mut VecDeque<String>,
        finished: impl Fn() -> bool,
    ) -> std::io::Result<ControlFlow<()>> {
        while !finished() && !self.stop.is_stopped() {
            match lines.recv_timeout(BEAT) {
                Ok(line) => match line.trim() {
                    "stop" => self.stop.stop(),
                    "ponderhit" => self.ponder_hit(),
                    "isready" => say(output, "readyok")?,
                    "quit" => {
                        self.stop.stop();
                        return Ok(ControlFlow::Break(()));
                    }
                    _ => waiting.push_back(line),
                },
                Err(RecvTimeoutError::Timeout) => {}
                // Nobody is left to say stop.
                Err(RecvTimeoutError::Disconnected) if self.hold.load(Relaxed) => self.stop.stop(),
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(BEAT),
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.stop.stop();
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The moves of a line as UCI writes them.
fn line_texts(record: &Record<Chess>, moves: &[Move]) -> Vec<String> {
    let mut state = record.state().clone();
    let text = |&mv: &Move| {
        let text = uci::format(state.board(), mv);
        Chess.play(&mut state, mv);
        text
    };
    moves.iter().map(text).collect()
}

/// One `info` line for each best line.
fn info(record: &Record<Chess>, report: &Report<Move>) -> String {
    let line = |(number, line): (usize, &tabia_search::Line<_>)| {
        let score = match line.score {
            Score::Win(plies) => format!("mate {}", plies.div_ceil(2)),
            Score::Loss(plies) => format!("mate -{}", plies / 2),
            Score::Draw => "cp 0".to_owned(),
            Score::Estimate(value) => format!("cp {value}"),
        };
        format!(
            "info depth {} multipv {} score {score} nodes {} nps {:.0} time {:.0} pv {}",
            report.depth,
            number + 1,
            report.nodes,
            report.nodes_per_second(),
            report.seconds * 1000.0,
            line_texts(record, &line.moves).join(" ")
        )
    };
    report.lines.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}
