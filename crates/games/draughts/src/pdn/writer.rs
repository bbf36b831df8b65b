//! Games to PDN text.

use super::ResultConvention;
use crate::fen;
use crate::rules::Draughts;
use crate::state::State;
use crate::types::Color;
use std::io::{self, Write};
use tabia_core::{Notation, RecordedGame};

/// Lines of moves are no longer than this, if the moves allow.
const LINE: usize = 79;

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
    let mut state = game.start.state;
    let mut line = String::new();
    let mut number = 1;
    for (ply, &mv) in game.moves.iter().enumerate() {
        let text = game.start.rules.format_move(&state, mv);
        match state.turn() {
            Color::Black => push_word(&mut line, &format!("{number}."), output)?,
            Color::White if ply == 0 => push_word(&mut line, "1...", output)?,
            Color::White => {}
        }
        number += u32::from(state.turn() == Color::White);
        push_word(&mut line, &text, output)?;
        state.play(mv);
    }
    push_word(&mut line, result, output)?;
    writeln!(output, "{line}\n")
}

fn push_word(line: &mut String, word: &str, output: &mut dyn Write) -> io::Result<()> {
    if !line.is_empty() && line.len() + 1 + word.len() > LINE {
        writeln!(output, "{line}")?;
        line.clear();
    }
    if !line.is_empty() {
        line.push(' ');
    }
    line.push_str(word);
    Ok(())
}
