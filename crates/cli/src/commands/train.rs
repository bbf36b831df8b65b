//! `tabia train`.

use super::interrupt;
use super::progress::Progress;
use crate::args::{Common, Position};
use crate::{input, output};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use tabia_app::Watch;
use tabia_app::search::{SelfPlay, TrainRequest, TrainView, TrainingOptions};

/// Trains a network that judges positions: plays games, learns from them, and keeps the network if it wins a match
/// against the evaluation before (`--eval` names that).
#[derive(Args, Debug)]
pub(crate) struct Train {
    #[command(flatten)]
    position: Position,
    /// Where games, the training and the network are kept; a run that was stopped is continued there
    #[arg(long, value_name = "FOLDER", default_value = "training")]
    folder: PathBuf,
    /// Games to play, those that are in the folder included
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    games: u64,
    /// Nodes of each search in these games
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random moves at the beginning of each game: from so many to twice as many
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: u32,
    /// Learn from one position in so many of each game, drawn at random; the others are searched with an eighth of the nodes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    sparse: u32,
    /// Positions that a search looked at and nobody played, to be judged by searches of their own: so many for each position of
    /// a game
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=8))]
    asides: u32,
    /// Play games and do no more
    #[arg(long)]
    games_only: bool,
    /// Files of games from elsewhere, to learn from as well
    #[arg(long, value_name = "FILE")]
    more_games: Vec<PathBuf>,
    /// A network of the same shape to begin with, instead of random numbers
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Sums that the network makes for each side, in sixteens
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u16).range(16..=256))]
    hidden: u16,
    /// Output layers of the network: one of them judges, by how full the board is
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=16))]
    buckets: u16,
    /// Times that every position is shown
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// How far each step goes at first, in hundred-thousandths; less where a training goes on from a network
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    rate: u16,
    /// The share of the searches' scores in what a position should be worth, in hundredths; the rest is the result of the
    /// game
    #[arg(long, value_name = "N", default_value_t = 75, value_parser = clap::value_parser!(u16).range(0..=100))]
    trust: u16,
    /// The most games of the match at the end
    #[arg(long, value_name = "N", default_value_t = 2000)]
    match_games: u64,
    /// Nodes for a move of the match
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,
    /// Teach the network that `--eval` names which moves Monte-Carlo should try first, from the games, and do no more: what it
    /// says of positions stays as it is
    #[arg(long, conflicts_with = "games_only")]
    moves_only: bool,
}

impl Train {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let position = input::position(common.game(&self.position.game)?, self.position.pos.as_deref())?;
        let seed = common.seed;
        let request = TrainRequest {
            folder: self.folder.clone(),
            games: SelfPlay {
                games: self.games,
                nodes: self.nodes,
                opening_plies: self.opening_plies,
                sparse: self.sparse,
                asides: self.asides,
                seed,
            },
            more_games: self.more_games.clone(),
            from: self.from.clone(),
            games_only: self.games_only,
            moves_only: self.moves_only,
            hidden: usize::from(self.hidden),
            buckets: usize::from(self.buckets),
            training: TrainingOptions {
                epochs: self.epochs,
                rate: f32::from(self.rate) / 100_000.0,
                trust: f32::from(self.trust) / 100.0,
                seed,
                ..TrainingOptions::default()
            },
            match_games: self.match_games,
            match_nodes: self.match_nodes,
            threads: common.threads(),
        };
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let watch = Watch { stop, progress: &|now| progress.tell(now) };
        let view = position.search()?.train(&request, &watch, &mut |number, loss, held_out| {
            if !common.quiet {
                output::message(&format!("epoch {number}: error {loss:.5}, on games held out {held_out:.5}"));
            }
        });
        progress.clear();
        output::answer(common.json, &view?, text)?;
        interrupt::outcome("stopped before the end; the same command goes on")
    }
}

fn text(view: &TrainView) -> String {
    let grouped = output::grouped;
    let mut text = format!("{} games of {}", grouped(view.games), view.variant);
    if view.positions[0] > 0 {
        let _ = write!(
            text,
            ", {} positions and {} held out",
            grouped(view.positions[0]),
            grouped(view.positions[1])
        );
    }
    text.push('\n');
    if let (Some(first), Some(net), Some(bytes)) = (view.first_choice, &view.net, view.bytes) {
        let _ =
            writeln!(text, "the first choice is the move played in {:.1} % of those held out", 100.0 * first);
        let _ = writeln!(text, "written: {} ({} bytes)", net.display(), grouped(bytes));
    }
    if let Some(played) = &view.played {
        let _ = writeln!(text, "{}", super::matches::text(played).trim_end());
        let _ = match (&view.net, view.bytes) {
            (Some(net), Some(bytes)) => writeln!(text, "kept: {} ({} bytes)", net.display(), grouped(bytes)),
            _ => writeln!(text, "not kept: it did not win the match"),
        };
    }
    text
}
