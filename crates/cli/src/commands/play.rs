//! `tabia play`: moves given in the command are played and the position shown; without any, a person
//! plays against the engine.

use super::clock::{self, Time};
use super::interactive::{Table, Terms};
use super::show;
use crate::args::Common;
use crate::picture::Drawing;
use crate::{input, output};
use clap::Args;
use tabia_app::AnyPosition;
use tabia_app::draw::Lights;
use tabia_app::search::PlayerSpec;

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
    /// Play a game from the position against a player: level=1 to level=10, random, greedy, depth=N, nodes=N, time=1s, mcts=N
    #[arg(long, value_name = "PLAYER", value_parser = super::matches::player)]
    versus: Option<PlayerSpec>,
    /// Whom to play in a game against the engine: 0 moves first, 1 second
    #[arg(long, value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=1))]
    side: u8,
    /// Play a game with clocks: 5m for each player, or 3m+2s with two seconds more for every move
    #[arg(long, value_name = "TIME", value_parser = clock::time)]
    clock: Option<Time>,
    #[command(flatten)]
    drawing: Drawing,
}

impl Play {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        if self.pos.is_none() || self.versus.is_some() || self.clock.is_some() {
            return self.game(common);
        }
        let position = crate::args::Position { game: self.game.clone(), pos: self.pos.clone() };
        let one_line = self.pos.as_deref() == Some("-");
        input::for_each(common, &position, |mut position| {
            for mv in &self.moves {
                position.play(mv)?;
            }
            let view = position.view();
            if common.json {
                return output::json(&view);
            }
            if one_line {
                return output::data(&view.position);
            }
            let picture = self.drawing.board(common, &position.board(), &last_move(position.as_ref())?)?;
            output::picture(&picture)?;
            output::data(&("\n".to_owned() + &show::facts(&view)))
        })
    }

    /// A game between a person and the engine, after the moves given.
    fn game(&self, common: &Common) -> anyhow::Result<()> {
        let mut position = input::position(common.game(&self.game)?, self.pos.as_deref())?;
        for mv in &self.moves {
            position.play(mv)?;
        }
        let versus = match &self.versus {
            Some(spec) => spec.clone(),
            None => "time=1s".parse()?,
        };
        let (person, time) = (usize::from(self.side), self.clock);
        let terms = Terms { versus, person, time, by_clock: self.versus.is_none() };
        Table::new(common, self.drawing, position, terms)?.run()
    }
}

/// The last move of a position, as it is shown on the board.
pub(super) fn last_move(position: &dyn AnyPosition) -> anyhow::Result<Lights> {
    let positions = position.history().positions();
    let (Some(mv), [.., before, _]) = (position.played().pop(), &positions[..]) else {
        return Ok(Lights::default());
    };
    Ok(match &before.film(&[mv])?[..] {
        [before_it, after] => Lights::of_move(&before_it.board, &after.board, &after.path, before.side()),
        _ => Lights::default(),
    })
}
