//! Anything that somebody pastes: a position or code of any game, a file of games, a list of moves, a link of ours.

mod link;
mod views;

pub use views::{Found, FoundGame, FoundPosition, Recognised};

use crate::whole::{GameText, ReadGames};
use crate::{AnyGame, AnyPosition, ErrorKind, InputError, Registry};
use tabia_core::sort_few_by_key;

/// A text that only begins like something, by no more bytes than this, is not taken for it.
const CHANCE: usize = 2;

/// The most games that one answer carries.
pub const MOST_FOUND: usize = 200;

/// What a text is, in every way that it can be read. The game of `hint` is asked first, and when it can read the
/// text, nobody else is. Of games that read moves, only those that read the most.
pub fn recognise(registry: &Registry, text: &str, hint: Option<&str>) -> Result<Recognised, InputError> {
    if text.trim().is_empty() {
        return Err(InputError { offset: Some(0), ..nothing(text, "there is nothing to read") });
    }
    if let Some(found) = link::read(registry, text.trim()) {
        return found.map(|found| Recognised { found: vec![found], ..Recognised::default() });
    }
    let hinted = hint.and_then(|id| registry.games().find(|game| game.id() == id));
    if let Some(reading) = hinted.map(|game| Reading::of(game, text)).filter(Reading::is_good) {
        return Ok(reading.into_answer());
    }
    let readings: Vec<Reading<'_>> = registry.games().map(|game| Reading::of(game, text)).collect();
    let most = readings.iter().map(Reading::plies).max().unwrap_or(0);
    let mut answer = Recognised::default();
    for reading in readings.iter().filter(|reading| reading.position.is_ok()) {
        answer.add(reading.as_position());
    }
    for reading in readings.iter().filter(|reading| reading.has_games() && reading.plies() == most) {
        answer.add(reading.as_games());
    }
    if answer.found.is_empty() { Err(refusal(text, readings, hint)) } else { Ok(answer) }
}

fn nothing(text: &str, message: impl Into<String>) -> InputError {
    InputError::new(ErrorKind::Syntax, text, message)
}

/// How one game reads a text.
struct Reading<'a> {
    game: &'a dyn AnyGame,
    position: Result<Box<dyn AnyPosition>, InputError>,
    games: Result<ReadGames, InputError>,
}

impl<'a> Reading<'a> {
    fn of(game: &'a dyn AnyGame, text: &str) -> Self {
        let position =
            game.parse(text.trim_end()).or_else(|error| game.parse(text.trim()).map_err(|_| error));
        Reading { game, position, games: games_of(game, text) }
    }

    fn has_games(&self) -> bool {
        self.games.as_ref().is_ok_and(|read| !read.games.is_empty())
    }

    fn plies(&self) -> usize {
        self.games.as_ref().map_or(0, |read| read.plies)
    }

    /// Whether this can be what was meant when the game itself is open.
    fn is_good(&self) -> bool {
        self.position.is_ok() || self.plies() > 0
    }

    fn into_answer(self) -> Recognised {
        let mut answer = Recognised::default();
        answer.add(if self.position.is_ok() { self.as_position() } else { self.as_games() });
        answer
    }

    fn as_position(&self) -> Recognised {
        let found = self.position.iter().map(|position| Found::position(self.game, position.as_ref()));
        Recognised { found: found.collect(), ..Recognised::default() }
    }

    fn as_games(&self) -> Recognised {
        let Ok(ReadGames { games, more, skipped, .. }) = &self.games else { return Recognised::default() };
        let found = games.iter().map(|game| Found::game(self.game, game.clone())).collect();
        Recognised { found, more: *more, skipped: skipped.clone() }
    }

    /// The trouble that lies furthest into the text, and how far that is.
    fn nearest(self, text: &str) -> (usize, InputError) {
        // A word that has the form of a move but is none was read to its end.
        let word =
            |at: usize| text.get(at..).and_then(|rest| rest.split_whitespace().next()).map_or(0, str::len);
        let far = |error: &InputError| match (error.kind, error.offset.unwrap_or(0)) {
            (ErrorKind::Syntax, at) if error.expected.is_none() => at + word(at),
            (ErrorKind::Syntax, at) => at,
            // The form was right from end to end.
            _ => text.len(),
        };
        let errors = [self.position.err(), self.games.err()].into_iter().flatten();
        let nearest = errors.map(|error| (far(&error), error)).max_by_key(|(far, _)| *far);
        nearest.unwrap_or_else(|| (0, nothing(text, "nothing in it can be read")))
    }
}

/// The games of a text: a file of the game's own kind, lines of JSON, or a list of moves.
fn games_of(game: &dyn AnyGame, text: &str) -> Result<ReadGames, InputError> {
    let whole = game.whole_games();
    if text.trim_start().starts_with('{') {
        let read = whole.read_text("jsonl", text, MOST_FOUND)?;
        if !read.games.is_empty() {
            return Ok(read);
        }
    }
    let as_list = |game: GameText| {
        let plies = game.line.moves.len();
        ReadGames { games: vec![game], plies, ..ReadGames::default() }
    };
    let listed = whole.read_list(text).map(as_list);
    let Some(kind) = whole.text_kinds().into_iter().find(|kind| *kind != "jsonl") else { return listed };
    let read = whole.read_text(kind, text, MOST_FOUND)?;
    match (read.skipped.first(), listed) {
        // A list is understood as a file, too, unless it starts somewhere else.
        (None, _) if read.plies > 0 => Ok(read),
        (_, Ok(listed)) if listed.plies > read.plies => Ok(listed),
        (None, Err(error)) if read.games.iter().all(|game| game.tags.is_empty()) => Err(error),
        (Some(_), Err(error)) if read.plies == 0 && !text.contains('[') => Err(error),
        (Some(trouble), _) if read.plies == 0 => Err(InputError {
            offset: Some(place(text, trouble.line, &trouble.reason)),
            ..nothing(text, format!("line {}: {}", trouble.line, trouble.reason))
        }),
        _ => Ok(read),
    }
}

/// Where the trouble of a line is: the first word of it that the reason names, or its beginning.
fn place(text: &str, line: u64, reason: &str) -> usize {
    let number = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let begin: usize = text.split_inclusive('\n').take(number).map(str::len).sum();
    let row = text.get(begin..).unwrap_or_default().lines().next().unwrap_or_default();
    let is_word = |word: &str| word.chars().any(char::is_alphabetic) || word.contains('-');
    let named = |word: &&str| {
        let quoted = format!("{word:?}");
        is_word(word) && (reason.contains(&quoted) || reason.contains(&format!(" {word}:")))
    };
    let word = row.split_whitespace().find(named);
    let at = word.map_or(0, |word| word.as_ptr() as usize - row.as_ptr() as usize);
    (begin + at).min(text.len())
}

/// Why nobody can read it, the nearest first.
fn refusal(text: &str, readings: Vec<Reading<'_>>, hint: Option<&str>) -> InputError {
    let mut troubles: Vec<(usize, &dyn AnyGame, InputError)> = readings
        .into_iter()
        .map(|reading| {
            let game = reading.game;
            let (far, error) = reading.nearest(text);
            (far, game, error)
        })
        .collect();
    sort_few_by_key(&mut troubles, |(far, game, _)| (std::cmp::Reverse(*far), hint != Some(game.id())));
    let name = |game: &dyn AnyGame| game.view().common_name;
    let reasons =
        troubles.iter().map(|(_, game, error)| format!("as {}: {}", name(*game), error.message)).collect();
    let (message, offset) = match troubles.first() {
        Some((far, game, error)) if *far > CHANCE => {
            (format!("this looks most like {}: {}", name(*game), error.message), error.offset)
        }
        _ => ("this is no position, no game and no list of moves that is known here".to_owned(), Some(0)),
    };
    InputError { offset: offset.map(|at| at.min(text.len())), reasons, ..nothing(text, message) }
}
