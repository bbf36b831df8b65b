//! A search that runs, as the listening side sees it.

use super::go::Go;
use super::say;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;
use tabia_chess::types::Move;
use tabia_search::{AlphaBeta, Report, Stop};

/// What a search thread leaves behind: the engine and what it found, or the panic that ended it.
pub(super) type Searched = std::thread::Result<(AlphaBeta, Report<Move>)>;

/// What the session waits for.
pub(super) enum Event {
    /// A command.
    Line(String),
    /// No command will come any more.
    EndOfInput,
    /// The search is over.
    Searched(Box<Searched>),
}

/// Commands that came while a search was running, and whether more can come.
#[derive(Debug, Default)]
pub(super) struct Later {
    pub(super) lines: VecDeque<String>,
    pub(super) ended: bool,
}

/// A running search.
pub(super) struct Running {
    pub(super) stop: Stop,
    go: Go,
    /// The answer must wait, even where it is found.
    held: bool,
    /// When a search that began as pondering must end.
    deadline: Option<Instant>,
}

impl Running {
    pub(super) fn new(go: Go) -> Self {
        Running { stop: Stop::new(), held: go.endless || go.ponder, go, deadline: None }
    }

    fn end(&mut self) {
        self.stop.stop();
        self.held = false;
    }

    /// The opponent played the expected move: from now on the own clock runs.
    fn ponder_hit(&mut self) {
        if self.go.ponder {
            self.go.ponder = false;
            let time = self.go.limits.enough.or(self.go.limits.time);
            self.deadline = time.and_then(|time| Instant::now().checked_add(time));
            self.held = self.go.endless;
        }
    }

    /// Hears what comes in until the search is over and its answer may be given.
    pub(super) fn wait<W: Write>(
        &mut self,
        events: &Receiver<Event>,
        output: &Mutex<W>,
        later: &mut Later,
    ) -> std::io::Result<Searched> {
        let mut searched: Option<Box<Searched>> = None;
        loop {
            if let Some(searched) = searched.take_if(|_| !self.held) {
                return Ok(*searched);
            }
            match self.next(events) {
                Some(Event::Searched(result)) => searched = Some(result),
                Some(Event::Line(line)) => match line.trim() {
                    "stop" => self.end(),
                    "ponderhit" => self.ponder_hit(),
                    "isready" => say(output, "readyok")?,
                    "quit" => {
                        self.end();
                        later.lines.clear();
                        later.ended = true;
                    }
                    _ => later.lines.push_back(line),
                },
                Some(Event::EndOfInput) => {
                    later.ended = true;
                    // Nobody is left to say stop.
                    if self.held {
                        self.end();
                    }
                }
                None => self.end(),
            }
        }
    }

    /// The next event; `None` when the deadline has passed.
    fn next(&mut self, events: &Receiver<Event>) -> Option<Event> {
        let Some(deadline) = self.deadline else { return events.recv().ok() };
        match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                self.deadline = None;
                None
            }
        }
    }
}
