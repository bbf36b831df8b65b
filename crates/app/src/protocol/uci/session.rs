//! A session: what was set and placed, and what is done with it.

use super::go::{self, Go};
use super::running::{Event, Later, Running, Searched};
use super::say;
use super::settings::Settings;
use super::tables::Tables;
use super::words::{best, info, placed, start};
use crate::search::SharedJudges;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;
use tabia_chess::{Chess, types::Move};
use tabia_core::{Game, Notation, Record, SplitMix64};
use tabia_search::{AlphaBeta, Limits, Question, Report, Stop};

/// What is looked at where there is no time for a search.
const GLANCE: Limits = Limits::nodes(500);

pub(super) struct Session<'a, W: Write + Send> {
    output: &'a Mutex<W>,
    settings: Settings,
    tables: Tables,
    /// The evaluation; none: the game's own.
    judges: Option<SharedJudges<Chess>>,
    engine: Option<AlphaBeta>,
    /// The game so far, or why the last `position` was refused.
    record: Result<Record<Chess>, String>,
    later: Later,
    /// For the mistakes of limited strength.
    rng: SplitMix64,
}

impl<'a, W: Write + Send> Session<'a, W> {
    pub(super) fn new(
        output: &'a Mutex<W>,
        threads: usize,
        tables: Option<PathBuf>,
        judges: Option<SharedJudges<Chess>>,
    ) -> Self {
        let (settings, record) = (Settings::new(threads), Ok(start()));
        let rng = SplitMix64::new(crate::search::any_seed());
        let tables = Tables::new(tables);
        Session { output, settings, tables, judges, engine: None, record, later: Later::default(), rng }
    }

    /// Obeys commands until `quit` or the end of the input.
    pub(super) fn serve(&mut self, sender: &Sender<Event>, events: &Receiver<Event>) -> std::io::Result<()> {
        while let Some(line) = self.next_line(events) {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("uci") => self.introduce()?,
                Some("isready") => {
                    // What takes time is done now, not on the clock of the first move.
                    self.prepare()?;
                    say(self.output, "readyok")?;
                }
                Some("ucinewgame") => self.forget(),
                Some("setoption") => self.set(&line)?,
                Some("position") => self.place(&line)?,
                Some("go") => self.go(words, sender, events)?,
                Some("quit") => break,
                _ => {}
            }
        }
        Ok(())
    }

    fn next_line(&mut self, events: &Receiver<Event>) -> Option<String> {
        if let Some(line) = self.later.lines.pop_front() {
            return Some(line);
        }
        if self.later.ended {
            return None;
        }
        match events.recv() {
            Ok(Event::Line(line)) => Some(line),
            _ => None,
        }
    }

    fn remark(&self, text: &str) -> std::io::Result<()> {
        say(self.output, &format!("info string {text}"))
    }

    fn introduce(&self) -> std::io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let (options, tables) = (self.settings.declared(), self.tables.declared());
        let text =
            format!("id name Tabia {version}\nid author the Tabia authors\n{options}\n{tables}\nuciok");
        say(self.output, &text)
    }

    fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    /// `setoption name Hash value 128`
    fn set(&mut self, line: &str) -> std::io::Result<()> {
        let Some((_, rest)) = line.split_once("name ") else {
            return self.remark("expected: setoption name NAME value VALUE");
        };
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        let (name, value) = (name.trim(), value.trim());
        if name.eq_ignore_ascii_case(Tables::OPTION) {
            self.tables.set(value);
            return Ok(());
        }
        match self.settings.set(name, value) {
            Ok(None) => Ok(()),
            Ok(Some(remark)) | Err(remark) => self.remark(&remark),
        }
    }

    /// `position startpos moves e2e4`, `position fen ... moves ...`; after a bad one there is none.
    fn place(&mut self, line: &str) -> std::io::Result<()> {
        self.record = placed(line);
        self.record.as_ref().err().map_or(Ok(()), |why| self.remark(why))
    }

    /// Makes the engine that the settings ask for, where it is not there yet, and opens the tables.
    fn prepare(&mut self) -> std::io::Result<()> {
        if let Some(remark) = self.tables.open() {
            self.remark(&remark)?;
        }
        if self.engine.as_ref().is_some_and(|engine| *engine.options() == self.settings.options()) {
            return Ok(());
        }
        // The old table goes first: there may be no room for two.
        self.engine = None;
        let (engine, remark) = self.settings.engine();
        self.engine = Some(engine);
        remark.map_or(Ok(()), |remark| self.remark(&remark))
    }

    /// Answers for the position, and listens meanwhile.
    fn go<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        sender: &Sender<Event>,
        events: &Receiver<Event>,
    ) -> std::io::Result<()> {
        let record = match &self.record {
            Ok(record) => record.clone(),
            Err(why) => {
                let text = format!("there is no position to search, the last one was refused: {why}");
                self.remark(&text)?;
                return say(self.output, "bestmove 0000");
            }
        };
        let mut go = go::parse(words, record.rules().side(record.state()), self.settings.overhead as u64);
        let among = self.among(&record, &go)?;
        if let Some(strength) = self.settings.strength() {
            go.limits.nodes =
                Some(go.limits.nodes.map_or(strength.nodes(), |nodes| nodes.min(strength.nodes())));
        }
        self.prepare()?;
        let Some(engine) = self.engine.take() else { return Ok(()) };
        let searched = self.search(engine, &record, go, &among, sender, events)?;
        let (engine, report) = searched.unwrap_or_else(|panic| resume_unwind(panic));
        self.engine = Some(engine);
        if let Some(damage) = self.tables.damage() {
            self.remark(&damage)?;
        }
        let chosen = self.settings.strength().map_or(0, |strength| strength.choose(&report, &mut self.rng));
        say(self.output, &best(&record, report.lines.get(chosen), self.settings.castling()))
    }

    /// The moves of `searchmoves` that can be played here.
    fn among(&self, record: &Record<Chess>, go: &Go) -> std::io::Result<Vec<Move>> {
        let mut moves = Vec::new();
        for text in &go.among {
            match Chess.parse_move(record.state(), text) {
                Ok(mv) => moves.push(mv),
                Err(error) => self.remark(&format!("searchmoves {text}: {error}"))?,
            }
        }
        Ok(moves)
    }

    /// Runs a search on a thread of its own, or takes a glance where there is no time for that.
    fn search(
        &mut self,
        mut engine: AlphaBeta,
        record: &Record<Chess>,
        go: Go,
        among: &[Move],
        sender: &Sender<Event>,
        events: &Receiver<Event>,
    ) -> std::io::Result<Searched> {
        let (known, judges) = (self.tables.known(), self.judges.as_deref());
        let question = Question { among, known, judges, ..Question::default() };
        if go.at_once() {
            let report = engine.ask(record, &question, &GLANCE, &Stop::new(), |_| ());
            return Ok(Ok((engine, report)));
        }
        let (output, shown, castling) = (self.output, self.settings.lines, self.settings.castling());
        let mut limits = go.limits;
        if go.ponder {
            (limits.time, limits.enough) = (None, None);
        }
        let mate = go.mate;
        let mut running = Running::new(go);
        let stop = running.stop.clone();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let tell = |report: &Report<Move>| drop(say(output, &info(record, report, shown, castling)));
                let searched = catch_unwind(AssertUnwindSafe(|| {
                    let report = answer(&mut engine, record, &question, mate, &limits, &stop, tell);
                    (engine, report)
                }));
                // The session waits for it: it is there.
                let _ = sender.send(Event::Searched(Box::new(searched)));
            });
            let searched = running.wait(events, output, &mut self.later);
            // Whatever ended the waiting ends the search.
            running.stop.stop();
            searched
        })
    }
}

/// Looks for a mate first where one is asked for, and for the best move where there is none.
fn answer(
    engine: &mut AlphaBeta,
    record: &Record<Chess>,
    question: &Question<'_, Chess>,
    mate: Option<u32>,
    limits: &Limits,
    stop: &Stop,
    mut tell: impl FnMut(&Report<Move>),
) -> Report<Move> {
    let mut limits = *limits;
    if let Some(moves) = mate {
        let plies = 2 * moves - 1;
        // Tables would answer with longer mates than the one that is asked for.
        let question = Question { only_wins: true, known: None, ..*question };
        let report = engine.ask(record, &question, &Limits { depth: Some(plies), ..limits }, stop, &mut tell);
        if report.score.is_proven() {
            return report;
        }
        limits.depth = Some(limits.depth.unwrap_or(plies).min(plies));
        limits.time = limits.time.map(|time| time.saturating_sub(Duration::from_secs_f64(report.seconds)));
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes).max(1));
    }
    engine.ask(record, question, &limits, stop, tell)
}
