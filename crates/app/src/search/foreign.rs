//! A player that is another program: any engine that speaks UCI.
//!
//! `uci:stockfish?UCI_LimitStrength=true&UCI_Elo=2500&time=100ms`: the program, then options of its own and the limit of
//! a move (`time`, `nodes` or `depth`; none: 100 ms). What the program does wrong ends the match with an error that
//! names it: one that does not start, ends, says nothing, or answers with something that is no legal move.

use super::player::duration;
use crate::{ErrorKind, InputError};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tabia_search::Limits;

/// What stands before the program.
pub(super) const PREFIX: &str = "uci:";

/// The limit of a program that is given none.
const USUAL: Duration = Duration::from_millis(100);

/// How long a program may take beyond its limit, to start and to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program by name, with its options and the limit of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignSpec {
    /// The program, found as a shell finds it.
    pub program: String,
    /// Its words, options of its own.
    pub arguments: Vec<String>,
    /// Options to be set: `UCI_Elo`, `2500`.
    pub options: Vec<(String, String)>,
    /// The limit of a move.
    pub limits: Limits,
}

impl ForeignSpec {
    /// Reads what follows `uci:`.
    pub(super) fn parse(text: &str) -> Result<Self, InputError> {
        let wrong = |part: &str, why: &str| {
            let message = format!("{part:?} in uci:{text}: {why}");
            InputError::new(ErrorKind::Syntax, part, message)
        };
        let (command, query) = text.split_once('?').unwrap_or((text, ""));
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or_else(|| wrong(text, "expected a program, as in uci:stockfish"))?;
        let (mut options, mut limits) = (Vec::new(), Limits::default());
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) =
                part.split_once('=').ok_or_else(|| wrong(part, "expected NAME=VALUE, as in UCI_Elo=2500"))?;
            let number = || {
                value.parse().ok().filter(|&n: &u64| n > 0).ok_or_else(|| wrong(part, "expected a number"))
            };
            match name {
                "time" => {
                    limits.time =
                        Some(duration(value).ok_or_else(|| wrong(part, "expected a time, as in 100ms"))?);
                }
                "nodes" => limits.nodes = Some(number()?),
                "depth" => limits.depth = Some(number()?.min(250) as u32),
                _ => options.push((name.to_owned(), value.to_owned())),
            }
        }
        if limits == Limits::default() {
            limits = Limits::time(USUAL);
        }
        Ok(ForeignSpec { program, arguments: words.collect(), options, limits })
    }

    /// The `go` command.
    fn go(&self) -> String {
        let Limits { time, depth, nodes, .. } = self.limits;
        let mut text = "go".to_owned();
        time.iter().for_each(|time| text += &format!(" movetime {}", time.as_millis().max(1)));
        depth.iter().for_each(|depth| text += &format!(" depth {depth}"));
        nodes.iter().for_each(|nodes| text += &format!(" nodes {nodes}"));
        text
    }
}

impl std::fmt::Display for ForeignSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{PREFIX}{}", self.program)?;
        self.arguments.iter().try_for_each(|word| write!(f, " {word}"))?;
        let mut sign = '?';
        let mut part = |f: &mut std::fmt::Formatter<'_>, name: &str, value: &dyn std::fmt::Display| {
            let sign = std::mem::replace(&mut sign, '&');
            write!(f, "{sign}{name}={value}")
        };
        for (name, value) in &self.options {
            part(f, name, value)?;
        }
        let Limits { time, depth, nodes, .. } = self.limits;
        time.iter().try_for_each(|time| part(f, "time", &format!("{}ms", time.as_millis())))?;
        nodes.iter().try_for_each(|nodes| part(f, "nodes", nodes))?;
        depth.iter().try_for_each(|depth| part(f, "depth", depth))
    }
}

/// A program at work; it ends with the player.
#[derive(Debug)]
pub(super) struct Foreign {
    spec: ForeignSpec,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Foreign {
    /// Starts a program and sets its options.
    pub(super) fn start(spec: &ForeignSpec) -> Result<Self, InputError> {
        let failed = |why: String| {
            let message = format!("the engine {} cannot be used: {why}", spec.program);
            InputError::new(ErrorKind::Unsupported, spec.to_string(), message)
        };
        let mut command = Command::new(&spec.program);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(failed("it has no pipes".to_owned()));
        };
        let (sender, lines) = channel();
        // Ends with the program, or when nobody listens any more.
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.map(|line| sender.send(line)).take_while(Result::is_ok).count()
        });
        let mut foreign = Foreign { spec: spec.clone(), child, input, lines };
        foreign.tell("uci")?;
        foreign.hear("uciok", PATIENCE)?;
        for (name, value) in &spec.options {
            foreign.tell(&format!("setoption name {name} value {value}"))?;
        }
        foreign.ready()?;
        Ok(foreign)
    }

    /// Forgets the last game.
    pub(super) fn new_game(&mut self) -> Result<(), InputError> {
        self.tell("ucinewgame")?;
        self.ready()
    }

    /// The move it plays after these.
    pub(super) fn choose(&mut self, start: &str, moves: &[String]) -> Result<String, InputError> {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.tell(&format!("position fen {start}{moves}"))?;
        self.tell(&self.spec.go())?;
        // Without a limit in time, it may take as long as it wants.
        let patience = self.spec.limits.time.map_or(60 * PATIENCE, |time| time + PATIENCE);
        let line = self.hear("bestmove", patience)?;
        let best = line.split_whitespace().nth(1).unwrap_or_default();
        Ok(best.to_owned())
    }

    /// What is wrong with its answer.
    pub(super) fn wrong(&self, why: &str) -> InputError {
        let message = format!("the engine {} {why}", self.spec.program);
        InputError::new(ErrorKind::Unsupported, self.spec.to_string(), message)
    }

    fn ready(&mut self) -> Result<(), InputError> {
        self.tell("isready")?;
        self.hear("readyok", PATIENCE).map(|_| ())
    }

    fn tell(&mut self, line: &str) -> Result<(), InputError> {
        let told = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        told.map_err(|_| self.ended(line))
    }

    /// The next line that begins with a word.
    fn hear(&mut self, word: &str, patience: Duration) -> Result<String, InputError> {
        let deadline = Instant::now() + patience;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    let waited = patience.as_secs();
                    return Err(self.wrong(&format!("did not say {word} within {waited} s")));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(word)),
            }
        }
    }

    /// The error of a program that is there no more.
    fn ended(&mut self, at: &str) -> InputError {
        let how = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        self.wrong(&format!("ended ({how}) at {at:?}"))
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ = self.tell("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_and_written() {
        for text in ["stockfish?UCI_LimitStrength=true&UCI_Elo=2500&time=100ms", "my engine?nodes=5&depth=3"]
        {
            let spec = ForeignSpec::parse(text).unwrap();
            assert_eq!(spec.to_string(), format!("uci:{text}"));
        }
        let spec = ForeignSpec::parse("./x --flag").unwrap();
        assert_eq!((spec.go().as_str(), spec.arguments.len()), ("go movetime 100", 1));
        for wrong in ["", "x?UCI_Elo", "x?time=soon", "x?nodes=0"] {
            assert!(ForeignSpec::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn programs_that_do_not_play_are_told_apart() {
        let error = |text: &str| Foreign::start(&ForeignSpec::parse(text).unwrap()).unwrap_err().message;
        assert!(error("no-such-engine").contains("no-such-engine cannot be used"));
        assert!(error("true").contains("the engine true ended"), "{}", error("true"));
    }
}
