//! `tabia play`: moves given in the command are played and the position shown; without any, a person
//! plays against the engine.

use super::interactive::Table;
use super::show;
use crate::args::Common;
use crate::{input, output};
use clap::Args;
use tabia_app::draw::TextStyle;
use tabia_app::search::{Player, PlayerSpec};

/// Plays moves, or a game.
#[derive(Args, Debug)]
pub(crate) struct Play {
    /// The game, or the beginning of its name
    game: String,
    /// The position: text, code or name; - reads positions from standard input. Left out (or with
    /// --versus), a game against the engine begins
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: Option<String>,
    /// The moves
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Play a game from the position against a player: random, greedy, depth=N, nodes=N, time=1s, mcts=N
    #[arg(long, value_name = "PLAYER", value_parser = super::matches::player)]
    versus: Option<PlayerSpec>,
    /// Whom to play in a game against the engine: 0 moves first, 1 second
    #[arg(long, value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=1))]
    side: u8,
    /// Draw with ASCII characters alone
    #[arg(long)]
    ascii: bool,
}

impl Play {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let style = if self.ascii { TextStyle::Ascii } else { TextStyle::Unicode };
        if self.pos.is_none() || self.versus.is_some() {
            return self.game(common, style);
        }
        let position = crate::args::Position { game: self.game.clone(), pos: self.pos.clone() };
        let one_line = self.pos.as_deref() == Some("-");
        input::for_each(common, &position, |mut position| {
            for mv in &self.moves {
                position.play(mv)?;
            }
            output::answer(common.json, &position.view(), |view| {
                if one_line { view.position.clone() } else { show::text(position.as_ref(), view, style) }
            })
        })
    }

    /// A game between a person and the engine, after the moves given.
    fn game(&self, common: &Common, style: TextStyle) -> anyhow::Result<()> {
        let mut position = input::position(common.game(&self.game)?, self.pos.as_deref())?;
        for mv in &self.moves {
            position.play(mv)?;
        }
        let spec = match &self.versus {
            Some(spec) => spec.clone(),
            None => "time=1s".parse()?,
        };
        Table::new(position, Player::new(spec, common.seed)?, usize::from(self.side), style).run()
    }
}
