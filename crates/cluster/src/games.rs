//! The games of a worker's files, read in a thread of their own.

use crate::book::{BookImport, ReadGames};
use crate::codec::{put_number, take_number};
use crate::error::ClusterError;
use crate::net::Net;
use crate::parts::{Part, PartInput};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use tabia_book::import::BadGame;
use tabia_book::input;
use tabia_book::{Batch, GameId, Played};
use tabia_core::channel::{Receiver, Sender, bounded};
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
    /// Another file begins, or a part of one.
    Begin(Arc<Part>),
    /// A part has ended that had so many lines.
    End(u64),
    Failed(tabia_book::Error),
}

/// The games that are still to come.
pub(crate) struct Games<G: Game> {
    words: Receiver<Word<G>>,
    variant: String,
    distinct: bool,
    bad: Arc<dyn Fn(&BadGame) + Send + Sync>,
    part: Option<Arc<Part>>,
    /// The number of the last game of the part so far.
    last: u64,
    /// How often each id has come up in the file, where one worker reads all of it.
    met: HashMap<GameId, u32>,
    /// The games of the batch that is being put together.
    entrants: Vec<Entrant>,
    /// The ids of the batch.
    batch: HashSet<GameId>,
    /// The parts of files that are read already: their file and number, games and lines.
    ended: Vec<[u64; 4]>,
    /// Bad games of parts, which are told when it is known what comes before the part.
    late: Vec<(Arc<Part>, BadGame)>,
    over: bool,
    pub(crate) taken: Taken,
}

/// A game of the batch that has no id of its own yet.
struct Entrant {
    /// Nobody gave it an id.
    automatic: bool,
    place: Place,
}

/// How many equal games of its file come before a game.
#[derive(Clone, Copy)]
enum Place {
    Known(u32),
    /// Others read parts of this file, too: the owner of the id knows.
    Asked(u64),
}

impl<G: Game> Games<G> {
    pub(crate) fn begin(rules: &G, parts: Vec<Part>, job: &BookImport<G>) -> Self {
        let (sender, words) = bounded(AHEAD);
        let read = Arc::clone(&job.read);
        std::thread::spawn(move || {
            for part in parts {
                if let Err(error) = read_part(part, &*read, &sender) {
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
            part: None,
            last: 0,
            met: HashMap::new(),
            entrants: Vec::new(),
            batch: HashSet::new(),
            ended: Vec::new(),
            late: Vec::new(),
            over: false,
            taken: Taken::default(),
        }
    }

    pub(crate) fn has_more(&self) -> bool {
        !self.over
    }

    /// The next games, at most so many. They have no ids of their own before they are settled.
    pub(crate) fn take(&mut self, most: usize) -> Result<Batch<G>, ClusterError> {
        let mut batch = Batch::new();
        self.entrants.clear();
        while !self.over && batch.games() < most {
            match self.words.recv() {
                Ok(Word::Game(game)) => self.add(&mut batch, &game),
                Ok(Word::Bad(error)) => self.refuse(error.number, error.line, error.message),
                Ok(Word::Begin(part)) => {
                    (self.part, self.last) = (Some(part), 0);
                    self.met.clear();
                }
                Ok(Word::End(lines)) => {
                    let ended = self.part.iter().map(|part| [part.file, part.number, self.last, lines]);
                    self.ended.extend(ended);
                }
                Ok(Word::Failed(error)) => return Err(error.into()),
                Err(_) => self.over = true,
            }
        }
        Ok(batch)
    }

    fn refuse(&mut self, number: u64, line: u64, reason: String) {
        self.taken.bad += 1;
        self.last = self.last.max(number);
        let Some(part) = &self.part else { return };
        let game = BadGame { file: part.source.path.display().to_string(), number, line, reason };
        if part.number == 0 {
            (self.bad)(&game);
        } else {
            self.late.push((Arc::clone(part), game));
        }
    }

    /// Tells of bad games in parts: now it is known how many games and lines come before them.
    pub(crate) fn tell_late(&mut self, net: &mut Net<'_>) -> Result<(), ClusterError> {
        let mut mine = Vec::new();
        self.ended.iter().flatten().for_each(|number| put_number(&mut mine, *number));
        let mut ended = BTreeMap::new();
        for mut theirs in net.gather(&mine)?.iter().map(Vec::as_slice) {
            let mut take = || take_number(&mut theirs);
            while let (Some(file), Some(part), Some(games), Some(lines)) = (take(), take(), take(), take()) {
                ended.insert((file, part), (games, lines));
            }
        }
        for (part, mut game) in self.late.drain(..) {
            for (_, (games, lines)) in ended.range((part.file, 0)..(part.file, part.number)) {
                game.number += games;
                game.line += lines;
            }
            (self.bad)(&game);
        }
        Ok(())
    }

    fn add(&mut self, batch: &mut Batch<G>, game: &RecordedGame<G>) {
        self.last = self.last.max(game.number);
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
                self.enter(id, given.is_none());
            }
        }
    }

    fn enter(&mut self, id: GameId, automatic: bool) {
        let shared = self.part.as_ref().filter(|part| part.bytes.is_some());
        let place = shared.map_or_else(
            || {
                let met = self.met.entry(id).or_default();
                *met += 1;
                Place::Known(*met - 1)
            },
            |part| Place::Asked(part.file),
        );
        self.entrants.push(Entrant { automatic, place });
    }

    /// The games of the batch whose places among equal ones are not known here, with their files.
    pub(crate) fn unplaced(&self) -> impl Iterator<Item = (usize, u64)> {
        self.entrants.iter().enumerate().filter_map(|(at, entrant)| match entrant.place {
            Place::Asked(file) => Some((at, file)),
            Place::Known(_) => None,
        })
    }

    /// Somebody knows how many equal games come before a game.
    pub(crate) fn set_place(&mut self, at: usize, place: u32) -> Option<()> {
        self.entrants.get_mut(at)?.place = Place::Known(place);
        Some(())
    }

    /// Equal games of a file have ids of their own, by their place among each other: so every id counts once everywhere,
    /// and a file that has as many of them as another says nothing new.
    pub(crate) fn settle(&mut self, batch: &mut Batch<G>) {
        self.batch.clear();
        batch.rename(|at, id| {
            let Some(Entrant { automatic, place: Place::Known(place) }) = self.entrants.get(at) else {
                return None;
            };
            let (automatic, place) = (*automatic, *place);
            let counts_again = automatic && !self.distinct;
            self.taken.equal += u64::from(automatic && place > 0);
            let id = if counts_again { id.again(place) } else { id };
            let counts = (place == 0 || counts_again) && self.batch.insert(id);
            self.taken.known += u64::from(!counts);
            counts.then_some(id)
        });
    }
}

fn read_part<G: Game>(
    part: Part,
    read: &ReadGames<G>,
    words: &Sender<Word<G>>,
) -> Result<(), tabia_book::Error> {
    let part = Arc::new(part);
    let failed = |error| tabia_book::Error::Io { path: part.source.path.clone(), error };
    let say = |word: Word<G>| match words.send(word) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    if say(Word::Begin(Arc::clone(&part))).is_break() {
        return Ok(());
    }
    let mut sink = |game: Result<RecordedGame<G>, FileError>| match game {
        Ok(game) => say(Word::Game(Box::new(game))),
        Err(error) => say(Word::Bad(error)),
    };
    let Some(bytes) = &part.bytes else {
        let mut file = input::open(&part.source.path, Arc::default())?;
        return read(&part.source.kind, &mut *file, &mut sink).map_err(failed);
    };
    let mut input = PartInput::open(&part.source, bytes).map_err(failed)?;
    read(&part.source.kind, &mut input, &mut sink).map_err(failed)?;
    // Nobody listens when the work has failed elsewhere.
    let _ = say(Word::End(input.lines));
    Ok(())
}
