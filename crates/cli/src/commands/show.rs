//! `tabia show`.

use crate::args::{Common, Position};
use crate::picture::Drawing;
use crate::{input, output};
use clap::Args;
use std::fmt::Write;
use tabia_app::draw::{self, Lights};
use tabia_app::views::PositionView;

/// Shows a position.
#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    position: Position,
    #[command(flatten)]
    drawing: Drawing,
    /// Print an SVG image instead
    #[arg(long, conflicts_with_all = ["json", "ascii"])]
    svg: bool,
}

impl Show {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        input::for_each(common, &self.position, |position| {
            if self.svg {
                return output::data(&draw::svg(&position.board()));
            }
            if common.json {
                return output::json(&position.view());
            }
            let picture = self.drawing.board(common, &position.board(), &Lights::default())?;
            output::picture(&picture)?;
            output::data(&("\n".to_owned() + &facts(&position.view())))
        })
    }
}

/// What is known about a position, a line each.
pub(crate) fn facts(view: &PositionView) -> String {
    let mut out = format!("position   {}\n", view.position);
    let _ = match &view.outcome {
        None => writeln!(out, "to move    {} ({} legal moves)", view.side_name, view.move_count),
        Some(outcome) => writeln!(out, "finished   {outcome}"),
    };
    let _ = writeln!(out, "canonical  {} ({})", view.canonical, view.symmetry);
    for (format, code) in view.codes.iter().filter(|(format, _)| **format != "text") {
        let _ = writeln!(out, "{format:<10} {code}");
    }
    out
}
