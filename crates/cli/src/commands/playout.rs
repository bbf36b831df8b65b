//! `tabia playout` and `tabia bench`.

use super::interrupt;
use super::solve::plain;
use crate::args::{Common, Position};
use crate::{input, output};
use anyhow::Context;
use clap::Args;
use std::time::Duration;
use tabia_app::bench::{GameBench, SearchBench};
use tabia_app::views::PlayoutView;
use tabia_app::{PlayoutRequest, Watch};

/// Plays random games.
#[derive(Args, Debug)]
pub(crate) struct Playout {
    #[command(flatten)]
    position: Position,
    /// How long to play
    #[arg(long, value_name = "N", default_value_t = 1.0, conflicts_with = "games")]
    seconds: f64,
    /// How many games to play instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
}

impl Playout {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let time = Duration::try_from_secs_f64(self.seconds).ok().filter(|time| !time.is_zero());
        let time =
            time.with_context(|| format!("--seconds is {}, which is no time to play for", self.seconds))?;
        let request = PlayoutRequest {
            time: self.games.is_none().then_some(time),
            games: self.games,
            threads: common.threads(),
            seed: common.seed,
        };
        let stop = interrupt::stop()?;
        input::for_each(common, &self.position, |position| {
            let played = position.counting().playouts(&request, &Watch { stop, ..Watch::nobody() });
            output::answer(common.json, &played.map_err(plain)?, text)?;
            interrupt::outcome("stopped")
        })
    }
}

fn text(view: &PlayoutView) -> String {
    let share = |count: u64| 100.0 * count as f64 / view.playouts.max(1) as f64;
    format!(
        "{} games, {} plies in {:.2} s ({})\n\
         {}plies and {}games per CPU second\n\
         {:.1} plies a game, {:.1} moves to choose from\n\
         player 0 wins {:.1} %, player 1 wins {:.1} %, {:.1} % draws\n",
        output::grouped(view.playouts),
        output::grouped(view.plies),
        view.seconds,
        output::cpu(view.cpu_seconds, 2),
        output::rate(view.plies_per_second),
        output::rate(view.playouts_per_second),
        view.mean_length,
        view.mean_branching,
        share(view.wins0),
        share(view.wins1),
        share(view.draws)
    )
}

/// Runs the benchmark of all games.
pub(crate) fn bench(common: &Common) -> anyhow::Result<()> {
    let search = |search: &SearchBench| {
        let rate = output::rate(search.nodes_per_second);
        format!("   search {:>2} = {:>8}  {rate:>9}nodes/s", search.depth, search.nodes)
    };
    let line = |game: &GameBench| {
        format!(
            "{:<14} perft {:>2} = {:>12}  {:>9}nodes/s   random play {:>9}plies/s{}",
            game.id,
            game.depth,
            game.nodes.to_string(),
            output::rate(game.nodes_per_second),
            output::rate(game.plies_per_second),
            game.search.as_ref().map_or_else(String::new, search)
        )
    };
    let mut lines = Vec::new();
    let view = tabia_app::bench::run(&common.registry, |game| lines.push(line(game))).map_err(plain)?;
    output::answer(common.json, &view, |view| {
        format!("{}\nfingerprint {}", lines.join("\n"), view.fingerprint)
    })
}
