//! Positions from arguments or from standard input.

use crate::args::{Common, Position};
use crate::output;
use anyhow::Context;
use std::io::BufRead;
use tabia_app::{AnyGame, AnyPosition, InputError};

/// The one position an argument names; the start position when it is left out.
pub(crate) fn position(game: &dyn AnyGame, pos: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError> {
    pos.map_or_else(|| Ok(game.start()), |text| game.parse(text))
}

/// Does `work` for the position, or with `-` for each line of standard input. A line that cannot be
/// answered is reported with its number and the rest still answered.
pub(crate) fn for_each(
    common: &Common,
    argument: &Position,
    mut work: impl FnMut(Box<dyn AnyPosition>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let game = common.game(&argument.game)?;
    if argument.pos.as_deref() != Some("-") {
        return work(position(game, argument.pos.as_deref())?);
    }
    each_line(|line| work(game.parse(line)?))
}

/// Does `work` for each line of standard input that is not empty.
pub(crate) fn each_line(mut work: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut outcome = Outcome { what: "line", worst: None };
    let stdin = std::io::stdin().lock();
    for (number, line) in stdin.split(b'\n').enumerate() {
        let line = line.context("standard input cannot be read")?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches('\r');
        if !line.trim().is_empty() {
            outcome.note(number + 1, work(line))?;
        }
    }
    outcome.finish()
}

/// Does `work` for each of several arguments; `-` among them stands for the lines of standard input. One
/// that cannot be answered is reported with its number and the rest still answered.
pub(crate) fn each_argument(
    arguments: &[&str],
    mut work: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut one = |argument: &str| if argument == "-" { each_line(&mut work) } else { work(argument) };
    if let [argument] = arguments {
        return one(argument);
    }
    let mut outcome = Outcome { what: "position", worst: None };
    for (number, argument) in arguments.iter().enumerate() {
        outcome.note(number + 1, one(argument))?;
    }
    outcome.finish()
}

/// What became of many questions: the worst of it decides.
struct Outcome {
    what: &'static str,
    worst: Option<u8>,
}

impl Outcome {
    /// Reports bad input; any other failure ends the work.
    fn note(&mut self, number: usize, result: anyhow::Result<()>) -> anyhow::Result<()> {
        let Err(error) = result else { return Ok(()) };
        if !error.is::<InputError>() && !error.is::<output::Negative>() {
            return Err(error);
        }
        // An answer that says no has been printed already.
        if !error.downcast_ref::<output::Negative>().is_some_and(|no| no.message.is_empty()) {
            output::message(&format!("{} {number}:", self.what));
            output::error(&error);
        }
        self.worst = self.worst.max(Some(output::exit_code(&error)));
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        match self.worst {
            None => Ok(()),
            Some(1) => Err(output::Negative { message: String::new() }.into()),
            Some(_) => anyhow::bail!("some {}s could not be answered", self.what),
        }
    }
}
