//! The kinds of game file: one table, so that the words on the command line stand in one place.

use crate::acf;
use crate::pdn::{self, ResultConvention};
use crate::rules::Draughts;
use std::io::{self, BufRead, Write};
use tabia_core::files::GameSink;
use tabia_core::{GameFile, ReadGames, RecordedGame};

const KINDS: [GameFile; 3] = [
    GameFile {
        id: "pdn",
        extensions: &["pdn"],
        about: "Portable Draughts Notation; 1-0: the first mover (Black) won",
    },
    GameFile { id: "pdn-white", extensions: &[], about: "Portable Draughts Notation; 1-0: White won" },
    GameFile {
        id: "acf",
        extensions: &["acf", "txt"],
        about: "one game a line, squares 0-31 mirrored; 1-0: Black won",
    },
];

impl ReadGames for Draughts {
    fn game_files(&self) -> &'static [GameFile] {
        &KINDS
    }

    fn read_games(
        &self,
        kind: &str,
        input: &mut dyn BufRead,
        sink: &mut GameSink<'_, Self>,
    ) -> io::Result<()> {
        match kind {
            "pdn" => pdn::read(self, ResultConvention::FirstMover, input, sink),
            "pdn-white" => pdn::read(self, ResultConvention::White, input, sink),
            "acf" => acf::read(self, input, sink),
            _ => Err(unknown(kind)),
        }
    }

    fn write_game(&self, kind: &str, game: &RecordedGame<Self>, output: &mut dyn Write) -> io::Result<()> {
        match kind {
            "pdn" => pdn::write(ResultConvention::FirstMover, game, output),
            "pdn-white" => pdn::write(ResultConvention::White, game, output),
            "acf" => acf::write(game, output),
            _ => Err(unknown(kind)),
        }
    }
}

fn unknown(kind: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("draughts has no game files of the kind {kind:?}"))
}
