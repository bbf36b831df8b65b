//! `tabia tui`.

use super::interrupt;
use crate::args::Common;
use crate::picture::Size;
use anyhow::bail;
use clap::Args;
use std::io::IsTerminal;
use tabia_tui::{Options, TuiError};

/// Shows Tabia on the whole screen.
#[derive(Args, Debug)]
pub(crate) struct Tui {
    /// The game, or the beginning of its name; or a file of games
    game: Option<String>,
    /// The position, or a file of games (PGN, PDN, or whatever the page can open)
    #[arg(value_name = "POS|FILE", allow_hyphen_values = true)]
    what: Option<String>,
    /// How large the board is drawn (default: as large as there is room)
    #[arg(long, value_name = "SIZE")]
    size: Option<Size>,
    /// The book that the explorer asks (default: in the user's data folder)
    #[arg(long, value_name = "PATH or URL")]
    book: Option<String>,
}

impl Tui {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            bail!("tabia tui needs a terminal; tabia show and tabia play do without one");
        }
        let options = Options {
            colours: common.color.colours(),
            size: self.size.map(Into::into),
            book: self.book.clone(),
            threads: common.threads(),
            depth: None,
        };
        let stop = interrupt::stop()?;
        let shown =
            tabia_tui::run(&common.registry, self.game.as_deref(), self.what.as_deref(), options, stop);
        shown.map_err(|error| match error {
            TuiError::Input(error) => anyhow::Error::from(error),
            other => other.into(),
        })?;
        interrupt::outcome("left")
    }
}
