//! `tabia search`.

use super::interrupt;
use crate::args::{Common, Position};
use crate::commands::size;
use crate::endings::Endings;
use crate::{input, output};
use anyhow::Context;
use clap::Args;
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabia_app::search::{Method, SearchRequest, SearchView, SuiteView, read_suite, run_suite};

/// Searches for the best move.
#[derive(Args, Debug)]
pub(crate) struct Search {
    #[command(flatten)]
    endings: Endings,
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
    /// How to search: alphabeta, mcts (by playouts; with `--eval net` by the network) or proof (default: the best the game
    /// has)
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Option<Method>,
    /// How many best lines to find (alphabeta)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = lines)]
    lines: usize,
    /// Never prune on a guess: every win within the depth is found (alphabeta)
    #[arg(long)]
    full_width: bool,
    /// Search the positions of an EPD file and count those whose best move (bm, am) is found
    #[arg(long, value_name = "FILE", conflicts_with = "pos")]
    suite: Option<PathBuf>,
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
        let common = &self.endings.ready(common)?;
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
            strength: None,
        };
        let watched = !common.quiet && std::io::stderr().is_terminal();
        let stop = interrupt::stop()?;
        if let Some(path) = &self.suite {
            return self.answer_suite(common, path, &request, watched);
        }
        input::for_each(common, &self.position, |position| {
            let mut progress = |view: &SearchView| {
                if watched {
                    output::message(&progress(view));
                }
            };
            let view = position.search()?.search(&request, stop, &mut progress)?;
            output::answer(common.json, &view, text)?;
            interrupt::outcome("stopped before the end")
        })
    }

    fn answer_suite(
        &self,
        common: &Common,
        path: &Path,
        request: &SearchRequest,
        watched: bool,
    ) -> anyhow::Result<()> {
        let file = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(file)?;
        let puzzles = read_suite(common.game(&self.position.game)?, &text).with_context(file)?;
        anyhow::ensure!(!puzzles.is_empty(), "{}: there is no position in this file", file());
        let mut on_puzzle = |suite: &SuiteView| {
            if watched && let Some(last) = suite.positions.last() {
                output::message(&format!("{} of {} after {}", suite.solved, suite.total, last.id));
            }
        };
        let suite = run_suite(&puzzles, request, interrupt::stop()?, &mut on_puzzle)?;
        output::answer(common.json, &suite, suite_text)?;
        interrupt::outcome("stopped before the end")
    }
}

/// The positions not solved, and the count.
fn suite_text(suite: &SuiteView) -> String {
    let mut text = String::new();
    for puzzle in suite.positions.iter().filter(|puzzle| !puzzle.solved) {
        let wanted = match &puzzle.best[..] {
            [] => format!("anything but {}", puzzle.avoid.join(" ")),
            best => best.join(" "),
        };
        let found = puzzle.answer.best.as_deref().unwrap_or("none");
        let _ = writeln!(
            text,
            "{}: {found} ({}, depth {}) instead of {wanted}",
            puzzle.id, puzzle.answer.score, puzzle.answer.depth
        );
    }
    let nodes = output::grouped(suite.nodes);
    let _ =
        writeln!(text, "solved {} of {}; {nodes} nodes in {:.1} s", suite.solved, suite.total, suite.seconds);
    text
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
