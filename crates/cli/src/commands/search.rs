//! `tabia search`.

use crate::args::{Common, Position};
use crate::commands::size;
use crate::{input, output};
use clap::Args;
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;
use tabia_app::search::{Method, SearchRequest, SearchView, Stop};

/// Searches for the best move.
#[derive(Args, Debug)]
pub(crate) struct Search {
    #[command(flatten)]
    position: Position,
    /// How long to search: 5s, 200ms, 2m (default 5s where no other limit is given)
    #[arg(long, value_name = "T", value_parser = duration)]
    time: Option<Duration>,
    /// Plies to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=250))]
    depth: Option<u32>,
    /// Positions to visit (playouts, with mcts)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Memory for the table: 64k, 256M, 2G; 0 for none (alphabeta)
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "256M")]
    hash: usize,
    /// How to search: alphabeta, mcts or proof (default: the best the game has)
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Option<Method>,
    /// How many best lines to find (alphabeta)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = lines)]
    lines: usize,
    /// Never prune on a guess: every win within the depth is found (alphabeta)
    #[arg(long)]
    full_width: bool,
}

/// A duration such as `50ms`, `5s`, `2m`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    tabia_app::search::duration(text).ok_or_else(|| "expected a time such as 50ms, 5s or 2m".to_owned())
}

fn method(text: &str) -> Result<Method, String> {
    text.parse().map_err(|error: tabia_app::InputError| error.message)
}

fn lines(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|lines| (1..=100).contains(lines)).ok_or_else(|| "expected 1 to 100".to_owned())
}

impl Search {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let limited = self.time.is_some() || self.depth.is_some() || self.nodes.is_some();
        let request = SearchRequest {
            method: self.method,
            time: if limited { self.time } else { Some(Duration::from_secs(5)) },
            depth: self.depth,
            nodes: self.nodes,
            hash_bytes: self.hash,
            threads: common.threads(),
            lines: self.lines,
            selective: !self.full_width,
            seed: common.seed,
        };
        let watched = !common.quiet && std::io::stderr().is_terminal();
        input::for_each(&self.position, |position| {
            let mut progress = |view: &SearchView| {
                if watched {
                    output::message(&progress(view));
                }
            };
            let view = position.search(&request, &Stop::new(), &mut progress)?;
            output::answer(common.json, &view, text)
        })
    }
}

fn progress(view: &SearchView) -> String {
    let nodes = output::grouped(view.nodes);
    format!(
        "depth {:>2}  {:>10}  {nodes:>13} nodes  {}",
        view.depth,
        view.score.to_string(),
        view.pv.join(" ")
    )
}

fn text(view: &SearchView) -> String {
    let best = view.best.as_deref().unwrap_or("none: the game is over");
    let exact = if view.exact { ", exact" } else { "" };
    let mut text = format!("{best}\nscore {} (depth {}{exact})\n", view.score, view.depth);
    if view.lines.len() > 1 {
        for (number, line) in view.lines.iter().enumerate() {
            let _ =
                writeln!(text, "{:>2}. {:>10}  {}", number + 1, line.score.to_string(), line.pv.join(" "));
        }
    } else if !view.pv.is_empty() {
        let _ = writeln!(text, "line {}", view.pv.join(" "));
    }
    let (nodes, rate) = (output::grouped(view.nodes), output::rate(view.nodes_per_second));
    let _ = writeln!(text, "{nodes} nodes in {:.2} s, {rate}nodes per CPU second", view.seconds);
    text
}
