//! `tabia show`.

use crate::args::{Common, Position};
use crate::{input, output};
use clap::Args;
use std::fmt::Write;
use tabia_app::AnyPosition;
use tabia_app::draw::{self, TextStyle};
use tabia_app::views::PositionView;

/// Shows a position.
#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    position: Position,
    /// Draw with ASCII characters alone
    #[arg(long, conflicts_with = "svg")]
    ascii: bool,
    /// Print an SVG image instead
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

impl Show {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        input::for_each(common, &self.position, |position| {
            if self.svg {
                return output::data(&draw::svg(&position.board()));
            }
            let style = if self.ascii { TextStyle::Ascii } else { TextStyle::Unicode };
            output::answer(common.json, &position.view(), |view| text(position.as_ref(), view, style))
        })
    }
}

/// The picture, then what is known, a line each.
pub(crate) fn text(position: &dyn AnyPosition, view: &PositionView, style: TextStyle) -> String {
    let mut out = draw::text(&position.board(), style);
    let _ = writeln!(out, "\nposition   {}", view.position);
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
