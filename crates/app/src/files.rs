//! Files of recorded games, without a book.

use crate::{Adapter, ErrorKind, InputError};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::path::Path;
use tabia_core::files::GameSink;
use tabia_core::{FileError, GameFile, Present, ReadGames, RecordedGame};

/// The function pointers of a game's readers and writers.
pub(crate) struct FileReaders<G: Present> {
    /// The kinds of game files it reads.
    pub(crate) kinds: fn(&G) -> &'static [GameFile],
    /// Reads the games of one of them.
    pub(crate) read: fn(&G, &str, &mut dyn BufRead, &mut GameSink<'_, G>) -> std::io::Result<()>,
    /// Writes a game to one of them.
    pub(crate) write: fn(&G, &str, &RecordedGame<G>, &mut dyn Write) -> std::io::Result<()>,
}

impl<G: Present + ReadGames> FileReaders<G> {
    pub(crate) fn of() -> Self {
        FileReaders { kinds: G::game_files, read: G::read_games, write: G::write_game }
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for FileReaders<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for FileReaders<G> {}

/// A game as a file tells it, in the game's own texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// Tag pairs in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The position it started from.
    pub start: String,
    /// Its moves.
    pub moves: Vec<String>,
    /// `win0`, `win1` or `draw`; nothing for unfinished or unknown.
    pub outcome: Option<String>,
    /// A remark that does not make the game unusable.
    pub warning: Option<String>,
}

/// What a reader hands on, one game at a time; it answers whether to go on.
pub type RecordSink<'a> = dyn FnMut(Result<GameRecord, FileError>) -> ControlFlow<()> + 'a;

/// A game with files of recorded games.
pub trait FilesGame: Send + Sync {
    /// The kinds of files.
    fn kinds(&self) -> Vec<GameFile>;
    /// Reads all games of a file, of a kind (`pgn`) that is named or told by `path`.
    fn read(
        &self,
        kind: Option<&str>,
        path: &Path,
        input: &mut dyn BufRead,
        sink: &mut RecordSink<'_>,
    ) -> Result<(), InputError>;
}

impl<G: Present> FilesGame for Adapter<G> {
    fn kinds(&self) -> Vec<GameFile> {
        self.common.capabilities.files.map_or_else(Vec::new, |files| (files.kinds)(&self.rules).to_vec())
    }

    fn read(
        &self,
        kind: Option<&str>,
        path: &Path,
        input: &mut dyn BufRead,
        sink: &mut RecordSink<'_>,
    ) -> Result<(), InputError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let fits = |file: &&GameFile| match kind {
            Some(kind) => file.id == kind,
            None => file.extensions.contains(&ending.as_str()),
        };
        let (kinds, name) = (self.kinds(), path.display().to_string());
        let Some((files, kind)) = self.common.capabilities.files.zip(kinds.iter().find(fits)) else {
            let known: Vec<_> = kinds.iter().map(|file| file.id).collect();
            let asked = kind.map_or_else(|| name.clone(), |kind| format!("a file of kind {kind:?}"));
            let message = format!("{asked} is not read here; {} has {}", self.rules.id(), known.join(", "));
            return Err(InputError::new(ErrorKind::Unknown, name, message));
        };
        let read = (files.read)(&self.rules, kind.id, input, &mut |game| sink(game.map(|game| told(&game))));
        read.map_err(|error| InputError::new(ErrorKind::Invalid, &*name, format!("{name}: {error}")))
    }
}

/// A game in the game's own texts.
pub(crate) fn told<G: Present>(game: &RecordedGame<G>) -> GameRecord {
    let (rules, mut state) = (&game.start.rules, game.start.state.clone());
    let mut text = |&mv: &G::Move| {
        let text = rules.format_move(&state, mv);
        rules.play(&mut state, mv);
        text
    };
    GameRecord {
        number: game.number,
        line: game.line,
        tags: game.tags.clone(),
        start: rules.format(&game.start.state),
        moves: game.moves.iter().map(&mut text).collect(),
        outcome: game.outcome.map(|outcome| crate::views::outcome_name(outcome).to_owned()),
        warning: game.warning.clone(),
    }
}
