//! `tabia enumerate`.

use super::interrupt;
use super::progress::Progress;
use super::solve::plain;
use crate::args::{Common, Position};
use crate::{input, output};
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::io::IsTerminal;
use tabia_app::views::EnumerateView;
use tabia_app::{EnumerateRequest, Watch};

/// Counts reachable positions.
#[derive(Args, Debug)]
pub(crate) struct Enumerate {
    #[command(flatten)]
    position: Position,
    /// Count a position and its images once
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    symmetry: Switch,
    /// Stop after this many plies
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Puzzles: also count the positions without a move (for other games they always are)
    #[arg(long)]
    dead_ends: bool,
    /// Puzzles: also count the positions from which the goal can be reached
    #[arg(long)]
    solvable: bool,
    /// Puzzles: the goal, a hole, any, or a position
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Memory that the tables of positions may use
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = super::size)]
    memory: usize,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    On,
    Off,
}

impl Enumerate {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let request = EnumerateRequest {
            symmetry: self.symmetry == Switch::On,
            depth: self.depth,
            dead_ends: self.dead_ends,
            solvable: self.solvable,
            goal: self.goal.clone(),
            threads: common.threads(),
            memory: self.memory as u64,
        };
        let show_progress = !common.quiet && std::io::stderr().is_terminal();
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        let watch = Watch { stop, progress: &tell };
        input::for_each(common, &self.position, |position| {
            let found = position.counting().enumerate(&request, &watch, &mut |level| {
                if show_progress {
                    progress.clear();
                    output::message(&format!(
                        "ply {}: {} positions",
                        level.ply,
                        output::grouped(level.positions)
                    ));
                }
            });
            progress.clear();
            output::answer(common.json, &found.map_err(plain)?, text)?;
            interrupt::outcome("stopped before every position was found")
        })
    }
}

pub(crate) fn text(view: &EnumerateView) -> String {
    let (finished, solvable) = (
        view.levels.iter().any(|level| level.finished.is_some()),
        view.levels.iter().any(|level| level.solvable.is_some()),
    );
    let column = |shown: bool, text: &dyn std::fmt::Display| {
        if shown { format!(" {:>15}", text.to_string()) } else { String::new() }
    };
    let mut out =
        format!(" ply       positions{}{}\n", column(finished, &"finished"), column(solvable, &"solvable"));
    for level in &view.levels {
        let finished = column(finished, &level.finished.unwrap_or(0));
        let solvable = column(solvable, &level.solvable.unwrap_or(0));
        let _ = writeln!(out, "{:>4} {:>15}{finished}{solvable}", level.ply, level.positions);
    }
    let all_solvable: u64 = view.levels.iter().filter_map(|level| level.solvable).sum();
    if solvable {
        let _ = writeln!(out, "{all_solvable} solvable");
    }
    let memory =
        view.peak_bytes.map_or(String::new(), |bytes| format!(", {} MB of tables", bytes / 1_000_000));
    let rest = match &view.unfinished {
        Some(level) => {
            let why = if level.reason == "memory" { "the memory was used up" } else { "stopped" };
            let (seen, all) = (level.looked_at, level.positions);
            let _ = writeln!(
                out,
                "{:>4} {all:>15} {seen} of them looked at, {} beyond found",
                level.ply, level.found
            );
            format!(" in complete plies (not all: {why})")
        }
        None if view.complete => String::new(),
        None => " (not all: the depth was limited)".to_owned(),
    };
    let _ = writeln!(
        out,
        "{} positions{rest} in {:.2} s ({}{memory})",
        view.total,
        view.seconds,
        output::cpu(view.cpu_seconds, 2)
    );
    out
}
