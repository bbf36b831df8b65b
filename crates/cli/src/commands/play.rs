//! `tabia play`.

use super::show;
use crate::args::Common;
use crate::{input, output};
use clap::Args;
use tabia_app::draw::TextStyle;

/// Plays moves.
#[derive(Args, Debug)]
pub(crate) struct Play {
    /// The game, or the beginning of its name
    game: String,
    /// The position: text, code or name; - reads positions from standard input
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: String,
    /// The moves
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Draw with ASCII characters alone
    #[arg(long)]
    ascii: bool,
}

impl Play {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let position = crate::args::Position { game: self.game.clone(), pos: Some(self.pos.clone()) };
        let one_line = self.pos == "-";
        input::for_each(&position, |mut position| {
            for mv in &self.moves {
                position.play(mv)?;
            }
            let style = if self.ascii { TextStyle::Ascii } else { TextStyle::Unicode };
            output::answer(common.json, &position.view(), |view| {
                if one_line { view.position.clone() } else { show::text(position.as_ref(), view, style) }
            })
        })
    }
}
