//! A game as PGN: the seven tags that every game has, the others, the moves in lines of at most 80.

use super::result_word;
use crate::types::Color;
use crate::{Chess, fen, san};
use std::io::{self, Write};
use tabia_core::{Game, RecordedGame};

/// The tags of the standard's roster with what they say when nothing is known.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// Written from the game itself, whatever the tags say.
const OURS: [&str; 3] = ["Result", "SetUp", "FEN"];

/// Writes a game and an empty line after it.
pub(super) fn write(game: &RecordedGame<Chess>, output: &mut dyn Write) -> io::Result<()> {
    write_tags(game, output)?;
    output.write_all(b"\n")?;
    let mut lines = Lines { output, column: 0 };
    let mut state = game.start.state.clone();
    for (ply, &mv) in game.moves.iter().enumerate() {
        let number = state.board().fullmove_number();
        match state.board().side_to_move() {
            Color::White => lines.word(&format!("{number}."))?,
            Color::Black if ply == 0 => lines.word(&format!("{number}..."))?,
            Color::Black => {}
        }
        lines.word(&san::format(state.board(), mv))?;
        Chess.play(&mut state, mv);
    }
    lines.word(result_word(game.outcome))?;
    output.write_all(b"\n\n")
}

fn write_tags(game: &RecordedGame<Chess>, output: &mut dyn Write) -> io::Result<()> {
    let given = |name: &str| game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    for (name, unknown) in ROSTER {
        write_tag(name, given(name).unwrap_or(unknown), output)?;
    }
    write_tag("Result", result_word(game.outcome), output)?;
    let start = fen::format(&game.start.state);
    if start != fen::format(&Chess.start()) {
        write_tag("SetUp", "1", output)?;
        write_tag("FEN", &start, output)?;
    }
    let in_roster = |name: &str| ROSTER.iter().any(|(tag, _)| *tag == name) || OURS.contains(&name);
    for (name, value) in game.tags.iter().filter(|(name, _)| !in_roster(name)) {
        write_tag(name, value, output)?;
    }
    Ok(())
}

fn write_tag(name: &str, value: &str, output: &mut dyn Write) -> io::Result<()> {
    let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(output, "[{name} \"{value}\"]")
}

/// Words into lines.
struct Lines<'a> {
    output: &'a mut dyn Write,
    column: usize,
}

impl Lines<'_> {
    fn word(&mut self, word: &str) -> io::Result<()> {
        if self.column > 0 {
            let fits = self.column + 1 + word.len() < 80;
            self.output.write_all(if fits { b" " } else { b"\n" })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += word.len();
        self.output.write_all(word.as_bytes())
    }
}
