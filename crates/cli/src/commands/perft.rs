//! `tabia perft`.

use super::interrupt;
use super::progress::Progress;
use super::solve::plain;
use crate::args::{Common, Position};
use crate::{input, output};
use clap::Args;
use std::fmt::Write;
use tabia_app::views::PerftView;
use tabia_app::{PerftRequest, Watch};

/// Counts move sequences.
#[derive(Args, Debug)]
pub(crate) struct Perft {
    /// The game, or the beginning of its name
    game: String,
    /// The length of the sequences
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    depth: u32,
    /// The position: text, code or name; - for one per line from standard input
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: Option<String>,
    /// Count below each move
    #[arg(long)]
    divide: bool,
    /// Which moves count as different (draughts: routes, unique; five-visible: located, canonical)
    #[arg(long, value_name = "MODE")]
    count: Option<String>,
    /// Memory for a table of exact positions, such as 256M
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = super::size)]
    hash: usize,
}

impl Perft {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let request = PerftRequest {
            depth: self.depth,
            divide: self.divide,
            count: self.count.clone(),
            threads: common.threads(),
            hash_bytes: self.hash,
        };
        let position = Position { game: self.game.clone(), pos: self.pos.clone() };
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        input::for_each(common, &position, |position| {
            let counted = position.counting().perft(&request, &Watch { stop, progress: &tell });
            progress.clear();
            interrupt::outcome("stopped before everything was counted")?;
            output::answer(common.json, &counted.map_err(plain)?, |view| text(view, common.quiet))
        })
    }
}

fn text(view: &PerftView, quiet: bool) -> String {
    let mut out = String::new();
    for part in view.divide.iter().flatten() {
        let _ = writeln!(out, "{:<10} {}", part.text, part.nodes);
    }
    if quiet {
        return out + &view.nodes.to_string();
    }
    let _ = writeln!(
        out,
        "depth {}: {} nodes in {:.3} s ({}, {}nodes per CPU second)",
        view.depth,
        view.nodes,
        view.seconds,
        output::cpu(view.cpu_seconds, 3),
        output::rate(view.nodes_per_second)
    );
    out
}
