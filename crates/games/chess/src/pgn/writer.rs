//! A game as PGN: the seven tags that every game has, the others, and the moves with all that is said
//! about them.

use super::result_word;
use crate::types::{Color, File, Move};
use crate::{Chess, State, fen, san};
use std::io::{self, Write};
use tabia_core::files::{Lines, Step};
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
    let mut lines = Lines::new(&mut *output);
    game.for_each_step(&mut |step| match step {
        Step::Move { state, mv, fresh, .. } => write_move(state, mv, fresh, &mut lines),
        Step::Note(note) => lines.note(note),
        Step::Open(..) => lines.open(),
        Step::Close => {
            lines.close();
            Ok(())
        }
    })?;
    lines.word(result_word(game.outcome))?;
    lines.finish()?;
    output.write_all(b"\n")
}

fn write_move<W: Write>(state: &State, mv: Move, fresh: bool, lines: &mut Lines<W>) -> io::Result<()> {
    let number = state.board().fullmove_number();
    match state.board().side_to_move() {
        Color::White => lines.word(&format!("{number}."))?,
        Color::Black if fresh => lines.word(&format!("{number}..."))?,
        Color::Black => {}
    }
    lines.word(&san::format(state.board(), mv))
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
    let chess960 = is_chess960(&game.start.state);
    if chess960 {
        write_tag("Variant", "Chess960", output)?;
    }
    let in_roster = |name: &str| {
        let ours = OURS.contains(&name) || chess960 && name == "Variant";
        ours || ROSTER.iter().any(|(tag, _)| *tag == name)
    };
    for (name, value) in game.tags.iter().filter(|(name, _)| !in_roster(name)) {
        write_tag(name, value, output)?;
    }
    Ok(())
}

/// Whether somebody may castle from other squares than in ordinary chess, or the pieces stand as at one
/// of the other 959 starts.
fn is_chess960(start: &State) -> bool {
    let board = start.board();
    let unusual = |color: Color| {
        let rights = board.castle_rights(color);
        let any = rights.short.is_some() || rights.long.is_some();
        any && board.king(color).file() != File::E
            || rights.short.is_some_and(|rook| rook != File::H)
            || rights.long.is_some_and(|rook| rook != File::A)
    };
    let is_start = || (0..960).any(|number| State::chess960_start(number).as_ref() == Some(start));
    unusual(Color::White)
        || unusual(Color::Black)
        || board.occupied().len() == 32 && *start != State::start() && is_start()
}

fn write_tag(name: &str, value: &str, output: &mut dyn Write) -> io::Result<()> {
    let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(output, "[{name} \"{value}\"]")
}
