//! Games to PDN text.

use super::ResultConvention;
use crate::fen;
use crate::rules::Draughts;
use crate::state::State;
use crate::types::Color;
use std::io::{self, Write};
use tabia_core::files::{Lines, Step};
use tabia_core::{Notation, RecordedGame};

/// Writes a game and an empty line after it.
pub(crate) fn write(
    convention: ResultConvention,
    game: &RecordedGame<Draughts>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let result = convention.word(game.outcome);
    let position = fen::write(&game.start.state);
    // What the game says now replaces what the tags said once.
    let replaced = ["Result", "GameType", "SetUp", "FEN"];
    for (name, value) in &game.tags {
        if !replaced.iter().any(|other| name.eq_ignore_ascii_case(other)) {
            write_tag(output, name, value)?;
        }
    }
    if game.tags.is_empty() {
        write_tag(output, "Event", "?")?;
    }
    write_tag(output, "Result", result)?;
    write_tag(output, "GameType", "21,B,8,8,N1,0")?;
    if game.start.state != State::START {
        write_tag(output, "SetUp", "1")?;
        write_tag(output, "FEN", &position)?;
    }
    writeln!(output)?;
    write_moves(game, result, output)
}

fn write_tag(output: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(output, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn write_moves(game: &RecordedGame<Draughts>, result: &str, output: &mut dyn Write) -> io::Result<()> {
    let first = game.start.state.turn() as usize;
    let mut lines = Lines::new(&mut *output);
    game.for_each_step(&mut |step| match step {
        Step::Move { state, mv, ply, fresh } => {
            let number = usize::midpoint(first, ply) + 1;
            match state.turn() {
                Color::Black => lines.word(&format!("{number}."))?,
                Color::White if fresh => lines.word(&format!("{number}..."))?,
                Color::White => {}
            }
            lines.word(&game.start.rules.format_move(state, mv))
        }
        Step::Note(note) => lines.note(note),
        Step::Open(..) => lines.open(),
        Step::Close => {
            lines.close();
            Ok(())
        }
    })?;
    lines.word(result)?;
    lines.finish()?;
    writeln!(output)
}
