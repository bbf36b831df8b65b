//! `tabia moves`.

use crate::args::{Common, Position};
use crate::{input, output};
use clap::Args;
use serde::Serialize;
use tabia_app::views::MoveView;

/// Lists the legal moves.
#[derive(Args, Debug)]
pub(crate) struct Moves {
    #[command(flatten)]
    position: Position,
}

#[derive(Serialize)]
struct MovesView {
    position: String,
    moves: Vec<MoveView>,
}

impl Moves {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let one_line = self.position.pos.as_deref() == Some("-");
        input::for_each(common, &self.position, |position| {
            let view = MovesView { position: position.view().position, moves: position.moves() };
            output::answer(common.json, &view, |view| {
                if one_line {
                    return view.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" ") + "\n";
                }
                view.moves.iter().map(line).collect()
            })
        })
    }
}

fn line(mv: &MoveView) -> String {
    let code = mv.code.as_deref().map_or(String::new(), |code| format!("  {code}"));
    format!("{:<10}{code}  {}\n", mv.text, mv.position)
}
