//! The Universal Chess Interface: what a chess GUI speaks with an engine.
//!
//! ```text
//! input --> reader thread ---+
//!                            +--> events --> session --> output
//! search thread -------------+
//! ```
//!
//! The session waits for events and never polls: a command is heard while a search runs, and an answer
//! leaves at once. What is wrong in a command is told in an `info string`; unknown commands are passed
//! over, as UCI wants it.
//!
//! A `position` that is refused leaves no position at all: a move for the one before would be an answer to
//! another question. Until a `position` is accepted, `go` says so and answers `bestmove 0000`.

mod go;
mod memory;
mod running;
mod session;
mod settings;
mod tables;
mod words;

use crate::search::Evaluation;
use crate::{Adapter, nets};
use running::Event;
use session::Session;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use tabia_chess::Chess;
use tabia_core::{Game, Position};

/// Answers UCI commands until `quit` or the end of the input. Ending tables are those of a folder, unless the GUI
/// names another; an evaluation that is not there is an error.
///
/// The reader is a thread that nobody waits for: it may wait for a line for ever, and a panic here must not.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    threads: usize,
    tables: Option<PathBuf>,
    evaluation: &Evaluation,
) -> std::io::Result<()> {
    let game = Adapter::new(Chess).with_quick_search().with_net(nets::CHESS);
    let start = game.hold(Position { rules: Chess, state: Chess.start() });
    let judges = start.judges(evaluation).map_err(std::io::Error::other)?;
    let (sender, events) = channel();
    let output = Mutex::new(output);
    let lines = sender.clone();
    std::thread::spawn(move || read(input, &lines));
    Session::new(&output, threads, tables, judges).serve(&sender, &events)
}

/// Passes lines on until `quit` or the end of the input. A line need not be UTF-8: an old GUI may write a path otherwise.
fn read(input: impl BufRead, lines: &Sender<Event>) {
    for line in input.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        let last = line.trim() == "quit";
        if lines.send(Event::Line(line)).is_err() || last {
            return;
        }
    }
    // Where nobody listens any more, nothing is left to be done.
    let _ = lines.send(Event::EndOfInput);
}

/// Writes lines, all of them at once.
fn say<W: Write>(output: &Mutex<W>, text: &str) -> std::io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{text}")?;
    output.flush()
}
