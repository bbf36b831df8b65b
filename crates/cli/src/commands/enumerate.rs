//! `tabia enumerate`.

use crate::args::{Common, Position};
use crate::{input, output};
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use tabia_app::EnumerateRequest;
use tabia_app::views::EnumerateView;

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
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    On,
    Off,
}

impl Enumerate {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let request = EnumerateRequest {
            symmetry: self.symmetry == Switch::On,
            depth: self.depth,
            threads: common.threads(),
        };
        let show_progress = !common.quiet && std::io::stderr().is_terminal();
        input::for_each(&self.position, |position| {
            let view = position.enumerate(&request, &mut |level| {
                if show_progress {
                    output::message(&format!(
                        "ply {}: {} positions",
                        level.ply,
                        output::grouped(level.positions)
                    ));
                }
                ControlFlow::Continue(())
            });
            output::answer(common.json, &view, text)
        })
    }
}

fn text(view: &EnumerateView) -> String {
    let mut out = String::from(" ply       positions        finished\n");
    for level in &view.levels {
        let _ = writeln!(out, "{:>4} {:>15} {:>15}", level.ply, level.positions, level.finished);
    }
    let memory = view.peak_bytes.map_or(String::new(), |bytes| format!(", {} MB at most", bytes / 1_000_000));
    let rest = if view.complete { "" } else { " (not all: the depth was limited)" };
    let _ = writeln!(
        out,
        "{} positions{rest} in {:.2} s ({:.2} CPU s{memory})",
        view.total, view.seconds, view.cpu_seconds
    );
    out
}
