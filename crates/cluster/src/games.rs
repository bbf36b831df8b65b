//! The games of a worker's files, read in a thread of their own.

use crate::book::{BookImport, ReadGames};
use crate::error::ClusterError;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use tabia_book::import::BadGame;
use tabia_book::input::{self, Source};
use tabia_book::{Batch, GameId, Played};
use tabia_core::files::ID_TAG;
use tabia_core::{FileError, Game, RecordedGame};

/// Games on the way from the reader.
const AHEAD: usize = 256;

/// What came of the games so far, beside those that were handed on.
#[derive(Clone, Copy, Default)]
pub(crate) struct Taken {
    pub(crate) known: u64,
    pub(crate) equal: u64,
    pub(crate) unfinished: u64,
    pub(crate) bad: u64,
    pub(crate) warnings: u64,
}

/// What the reader tells.
enum Word<G: Game> {
    Game(Box<RecordedGame<G>>),
    Bad(FileError),
    /// Another file begins.
    File(Source),
    Failed(tabia_book::Error),
}

/// The games that are still to come.
pub(crate) struct Games<G: Game> {
    words: Receiver<Word<G>>,
    variant: String,
    distinct: bool,
    bad: Arc<dyn Fn(&BadGame) + Send + Sync>,
    file: String,
    /// How often each id has come up in the file.
    met: HashMap<GameId, u32>,
    /// The ids of the batch.
    batch: HashSet<GameId>,
    over: bool,
    pub(crate) taken: Taken,
}

impl<G: Game> Games<G> {
    pub(crate) fn begin(rules: &G, sources: Vec<Source>, job: &BookImport<G>) -> Self {
        let (sender, words) = sync_channel(AHEAD);
        let read = Arc::clone(&job.read);
        std::thread::spawn(move || {
            for source in sources {
                if let Err(error) = read_file(&source, &*read, &sender) {
                    // Nobody listens when the work has failed elsewhere.
                    let _ = sender.send(Word::Failed(error));
                    return;
                }
            }
        });
        Games {
            words,
            variant: rules.variant(),
            distinct: job.distinct,
            bad: Arc::clone(&job.bad),
            file: String::new(),
            met: HashMap::new(),
            batch: HashSet::new(),
            over: false,
            taken: Taken::default(),
        }
    }

    pub(crate) fn has_more(&self) -> bool {
        !self.over
    }

    /// The next games, at most so many, each with its id.
    pub(crate) fn take(&mut self, most: usize) -> Result<Batch<G>, ClusterError> {
        let mut batch = Batch::new();
        self.batch.clear();
        while !self.over && batch.games() < most {
            match self.words.recv() {
                Ok(Word::Game(game)) => self.add(&mut batch, &game),
                Ok(Word::Bad(error)) => self.refuse(error.number, error.line, error.message),
                Ok(Word::File(source)) => {
                    self.file = source.path.display().to_string();
                    self.met.clear();
                }
                Ok(Word::Failed(error)) => return Err(error.into()),
                Err(_) => self.over = true,
            }
        }
        Ok(batch)
    }

    fn refuse(&mut self, number: u64, line: u64, reason: String) {
        self.taken.bad += 1;
        (self.bad)(&BadGame { file: self.file.clone(), number, line, reason });
    }

    fn add(&mut self, batch: &mut Batch<G>, game: &RecordedGame<G>) {
        let Some(outcome) = game.outcome else {
            self.taken.unfinished += 1;
            return;
        };
        let variant = game.start.rules.variant();
        if variant != self.variant {
            let reason = format!("it is a game of {variant}, not of {}", self.variant);
            return self.refuse(game.number, game.line, reason);
        }
        let given = game.tags.iter().find(|(name, _)| name == ID_TAG).map(|(_, id)| id.as_str());
        let played = Played { id: given, tags: &game.tags, start: &game.start, moves: &game.moves, outcome };
        match batch.add(&played) {
            Err(error) => self.refuse(game.number, game.line, error.to_string()),
            Ok(id) => {
                self.taken.warnings += u64::from(game.warning.is_some());
                self.place(batch, id, given.is_none());
            }
        }
    }

    /// Equal games of a file have ids of their own, by their place among each other: so every id counts once everywhere,
    /// and a file that has as many of them as another says nothing new.
    fn place(&mut self, batch: &mut Batch<G>, id: GameId, automatic: bool) {
        let met = self.met.entry(id).or_default();
        let place = *met;
        *met += 1;
        self.taken.equal += u64::from(automatic && place > 0);
        let id = if automatic && !self.distinct { id.again(place) } else { id };
        if self.batch.insert(id) && (place == 0 || automatic && !self.distinct) {
            batch.rename_last(id);
        } else {
            batch.pop();
            self.taken.known += 1;
        }
    }
}

fn read_file<G: Game>(
    source: &Source,
    read: &ReadGames<G>,
    words: &SyncSender<Word<G>>,
) -> Result<(), tabia_book::Error> {
    let mut file = input::open(&source.path, Arc::default())?;
    let say = |word: Word<G>| match words.send(word) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    if say(Word::File(source.clone())).is_break() {
        return Ok(());
    }
    let mut sink = |game: Result<RecordedGame<G>, FileError>| match game {
        Ok(game) => say(Word::Game(Box::new(game))),
        Err(error) => say(Word::Bad(error)),
    };
    read(&source.kind, &mut *file, &mut sink)
        .map_err(|error| tabia_book::Error::Io { path: source.path.clone(), error })
}
