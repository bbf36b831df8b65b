//! Words to moves: a line is read in every way it can be meant, until later moves leave only one.
//!
//! Where first and last square of a capture leave a choice (`15x22`), files often do not make it. All
//! choices are followed as long as the moves after them are legal.

use crate::legality;
use crate::moves::Move;
use crate::notation;
use crate::rules::Draughts;
use crate::state::State;
use crate::types::Square;
use tabia_core::sort_few_by_key;

/// More readings than this at a time are not followed.
const MOST_READINGS: usize = 64;

/// A move as written, and where.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) line: u64,
}

/// What is wrong with a line, and where.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) line: u64,
    pub(super) message: String,
}

/// One way to read the words of a line.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The positions, the start first.
    pub(super) states: Vec<State>,
    pub(super) moves: Vec<Move>,
    /// How many moves are complete after each word.
    done: Vec<usize>,
    /// The squares of a capture that is told jump by jump and not yet whole.
    unfinished: Vec<Square>,
    /// Plies before the line, counted from a move of Black.
    pub(super) base: usize,
}

/// What a word can be.
enum Way {
    Move(Move),
    /// The beginning of a capture.
    Jumps(Vec<Square>),
}

/// Reads a line. Where there is trouble, what comes before it is handed back all the same.
pub(super) fn read(
    rules: &Draughts,
    start: State,
    base: usize,
    words: &[Word],
) -> (Reading, Option<Trouble>) {
    let first =
        Reading { states: vec![start], moves: Vec::new(), done: Vec::new(), unfinished: Vec::new(), base };
    let mut readings = vec![first];
    for word in words {
        match step(rules, &readings, word) {
            Ok(ways) => readings = follow(readings, ways),
            Err(message) => {
                let trouble = Trouble { line: word.line, message };
                return (readings.swap_remove(0), Some(trouble));
            }
        }
    }
    settle(readings, words)
}

/// What a word can be in each reading; an error when it is nothing in all of them.
fn step(rules: &Draughts, readings: &[Reading], word: &Word) -> Result<Vec<Vec<Way>>, String> {
    let refused = |reason: String| format!("{}, {:?}: {reason}", readings[0].place(), word.text);
    let path = notation::read_path(&word.text).map_err(|error| refused(error.to_string()))?;
    let mut reason = None;
    let mut ways = Vec::with_capacity(readings.len());
    for reading in readings {
        ways.push(reading.ways(rules, &path).unwrap_or_else(|error| {
            reason.get_or_insert(error);
            Vec::new()
        }));
    }
    match (ways.iter().map(Vec::len).sum::<usize>(), reason) {
        (0, Some(reason)) => Err(refused(reason)),
        (1..=MOST_READINGS, _) => Ok(ways),
        _ => Err(refused("too many captures before it can be meant in several ways".to_owned())),
    }
}

fn follow(readings: Vec<Reading>, ways: Vec<Vec<Way>>) -> Vec<Reading> {
    let mut next = Vec::with_capacity(1);
    for (reading, mut ways) in readings.into_iter().zip(ways) {
        let last = ways.pop();
        next.extend(ways.into_iter().map(|way| reading.clone().after(way)));
        next.extend(last.map(|way| reading.after(way)));
    }
    next
}

/// The one reading that is left at the end of the line.
fn settle(mut readings: Vec<Reading>, words: &[Word]) -> (Reading, Option<Trouble>) {
    sort_few_by_key(&mut readings, |reading| !reading.unfinished.is_empty());
    let rivals = readings.split_off(1.min(readings.len()));
    let mut reading = readings.swap_remove(0);
    let last_line = words.last().map_or(0, |word| word.line);
    if !reading.unfinished.is_empty() {
        let reason = legality::refusal(reading.state(), &reading.unfinished).message;
        let message = format!("{}: {reason}", reading.place());
        return (reading, Some(Trouble { line: last_line, message }));
    }
    let Some(rival) = rivals.into_iter().find(|rival| rival.unfinished.is_empty()) else {
        return (reading, None);
    };
    let mut pairs = reading.moves.iter().zip(&rival.moves).enumerate();
    let Some((differs, (&one, &other))) = pairs.find(|(_, (one, other))| one != other) else {
        return (reading, None);
    };
    let said = reading.done.iter().position(|&done| done > differs).and_then(|at| words.get(at));
    reading.cut(differs);
    let text = said.map_or("", |word| word.text.as_str());
    let message =
        format!("{}, {text:?}: it can be {one} or {other}, and no later move settles which", reading.place());
    (reading, Some(Trouble { line: said.map_or(last_line, |word| word.line), message }))
}

impl Reading {
    fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// The next move, by its number and colour.
    fn place(&self) -> String {
        format!("move {} of {}", usize::midpoint(self.base, self.moves.len()) + 1, self.state().turn())
    }

    /// How many moves are complete after so many words; `None` where the line was cut short before.
    pub(super) fn moves_after(&self, words: usize) -> Option<usize> {
        words.checked_sub(1).map_or(Some(0), |last| self.done.get(last).copied())
    }

    fn ways(&self, rules: &Draughts, path: &[Square]) -> Result<Vec<Way>, String> {
        let path = self.joined(path)?;
        match notation::readings(rules, self.state(), &path) {
            Ok(moves) => Ok(moves.into_iter().map(Way::Move).collect()),
            Err(_) if notation::begins_capture(self.state(), &path) => Ok(vec![Way::Jumps(path)]),
            Err(error) => Err(error.message),
        }
    }

    /// The path with the jumps that were told before it.
    fn joined(&self, path: &[Square]) -> Result<Vec<Square>, String> {
        if !self.unfinished.is_empty() && self.unfinished.last() != path.first() {
            return Err(legality::refusal(self.state(), &self.unfinished).message);
        }
        let told = self.unfinished.len().saturating_sub(1);
        Ok(self.unfinished[..told].iter().chain(path).copied().collect())
    }

    fn after(mut self, way: Way) -> Reading {
        match way {
            Way::Jumps(path) => self.unfinished = path,
            Way::Move(mv) => {
                self.unfinished.clear();
                let mut state = *self.state();
                state.play(mv);
                self.states.push(state);
                self.moves.push(mv);
            }
        }
        self.done.push(self.moves.len());
        self
    }

    /// Forgets what comes after so many moves.
    fn cut(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.states.truncate(moves + 1);
        self.done.retain(|&done| done <= moves);
    }
}
