//! PGN: the text files that chess games are kept in.
//!
//! The reader takes what is found in the wild: any number of games in a file, tags, comments in braces
//! and after semicolons, `%` lines, annotation glyphs, nested variations, line ends of any system, names in
//! UTF-8 or Latin-1, games from a set-up position and of Chess960. Comments, glyphs and variations are
//! kept. Every move is checked; a game with a bad one (or a null move) is reported with its number, the
//! line and the move, and reading goes on with the next game. A bad move in a variation only cuts the
//! variation short, with a warning. Nothing grows with the file but its longest game.
//!
//! ```
//! use std::ops::ControlFlow;
//! use tabia_chess::Chess;
//! use tabia_core::ReadGames;
//!
//! let text = "[White \"A\"] 1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 $1 1/2-1/2";
//! let mut games = Vec::new();
//! Chess.read_games("pgn", &mut text.as_bytes(), &mut |game| {
//!     games.extend(game);
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(games[0].moves.len(), 3);
//! assert_eq!(games[0].notes[0].comment, "best by test");
//! assert_eq!(games[0].variations[0].moves.len(), 2);
//! # Ok::<(), std::io::Error>(())
//! ```

mod reader;
mod scan;
mod words;
mod writer;

#[cfg(test)]
mod tests;

use crate::Chess;
use std::io::{self, BufRead, Write};
use tabia_core::files::GameSink;
use tabia_core::{GameFile, Outcome, ReadGames, RecordedGame, Side};

const FILES: &[GameFile] =
    &[GameFile { id: "pgn", extensions: &["pgn"], about: "Portable Game Notation, any number of games" }];

impl ReadGames for Chess {
    fn game_files(&self) -> &'static [GameFile] {
        FILES
    }

    fn read_games(
        &self,
        kind: &str,
        input: &mut dyn BufRead,
        sink: &mut GameSink<'_, Self>,
    ) -> io::Result<()> {
        known(kind)?;
        reader::read(input, sink)
    }

    fn write_game(&self, kind: &str, game: &RecordedGame<Self>, output: &mut dyn Write) -> io::Result<()> {
        known(kind)?;
        writer::write(game, output)
    }
}

fn known(kind: &str) -> io::Result<()> {
    if kind == "pgn" {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("chess has no game files of kind {kind:?}")))
}

/// What a file says about the end of a game: an outcome, or with `*` that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stated(Option<Outcome>);

/// The result that a word states, if it is one.
fn result_of(word: &[u8]) -> Option<Stated> {
    match word {
        b"1-0" => Some(Stated(Some(Outcome::Win(Side::First)))),
        b"0-1" => Some(Stated(Some(Outcome::Win(Side::Second)))),
        b"1/2-1/2" | b"1/2" | b"\xc2\xbd-\xc2\xbd" => Some(Stated(Some(Outcome::Draw))),
        b"*" => Some(Stated(None)),
        _ => None,
    }
}

fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::First)) => "1-0",
        Some(Outcome::Win(Side::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}
