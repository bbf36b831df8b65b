//! Positions from arguments or from standard input.

use crate::args::Position;
use crate::output;
use anyhow::Context;
use std::io::BufRead;
use tabia_app::{AnyGame, AnyPosition, InputError, registry};

/// The game an argument names.
pub(crate) fn game(name: &str) -> Result<&'static dyn AnyGame, InputError> {
    registry().find(name)
}

/// The one position an argument names; the start position when it is left out.
pub(crate) fn position(game: &dyn AnyGame, pos: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError> {
    pos.map_or_else(|| Ok(game.start()), |text| game.parse(text))
}

/// Does `work` for the position, or with `-` for each line of standard input. A line that cannot be
/// answered is reported with its number and the rest still answered.
pub(crate) fn for_each(
    argument: &Position,
    mut work: impl FnMut(Box<dyn AnyPosition>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let game = game(&argument.game)?;
    if argument.pos.as_deref() != Some("-") {
        return work(position(game, argument.pos.as_deref())?);
    }
    each_line(|line| work(game.parse(line)?))
}

/// Does `work` for each line of standard input that is not empty.
pub(crate) fn each_line(mut work: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut worst: Option<u8> = None;
    let stdin = std::io::stdin().lock();
    for (number, line) in stdin.split(b'\n').enumerate() {
        let line = line.context("standard input cannot be read")?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches('\r');
        if line.trim().is_empty() {
            continue;
        }
        if let Err(error) = work(line) {
            if error.downcast_ref::<InputError>().is_none()
                && error.downcast_ref::<output::Negative>().is_none()
            {
                return Err(error);
            }
            output::message(&format!("line {}:", number + 1));
            output::error(&error);
            worst = worst.max(Some(output::exit_code(&error)));
        }
    }
    match worst {
        None => Ok(()),
        Some(1) => Err(output::Negative { message: String::new() }.into()),
        Some(_) => anyhow::bail!("some lines could not be answered"),
    }
}
