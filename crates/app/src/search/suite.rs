//! Suites of positions with known best moves, as EPD files give them:
//!
//! ```text
//! 8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id "WAC.002";
//! POSITION ------------------------------------ operations, each ended by ;
//! ```
//!
//! `bm` lists the best moves, `am` moves to avoid, `id` names the position; other operations are passed
//! over, as are empty lines and those that begin with `#`. Any game whose text has no such words can
//! have a suite.

use super::{SearchRequest, SearchView, Stop};
use crate::{AnyGame, AnyPosition, ErrorKind, InputError};
use serde::Serialize;

/// A position and what is known of its moves, in the game's notation.
pub struct SuitePosition {
    /// Its name.
    pub id: String,
    position: Box<dyn AnyPosition>,
    best: Vec<String>,
    avoid: Vec<String>,
}

/// How a position of a suite was answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteAnswer {
    /// Its name.
    pub id: String,
    /// Whether the move is one of the best, and none to avoid.
    pub solved: bool,
    /// The best moves.
    pub best: Vec<String>,
    /// The moves to avoid.
    pub avoid: Vec<String>,
    /// What the search answered.
    pub answer: SearchView,
}

/// How a suite was answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SuiteView {
    /// Positions solved.
    pub solved: u64,
    /// Positions searched.
    pub total: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Time on the clock.
    pub seconds: f64,
    /// Every position.
    pub positions: Vec<SuiteAnswer>,
    /// Whether it was stopped before its end; the position that was being searched is not counted.
    pub stopped: bool,
}

/// Searches the positions of a suite one after another; `on_puzzle` hears how it stands after each. One that
/// is stopped gives what was found so far.
pub fn run_suite(
    puzzles: &[SuitePosition],
    request: &SearchRequest,
    stop: &Stop,
    on_puzzle: &mut dyn FnMut(&SuiteView),
) -> Result<SuiteView, InputError> {
    let mut suite = SuiteView::default();
    for puzzle in puzzles {
        let answer = puzzle.answer(request, stop)?;
        if stop.is_stopped() {
            suite.stopped = true;
            break;
        }
        suite.add(answer);
        on_puzzle(&suite);
    }
    Ok(suite)
}

/// Reads a suite; an error names the line.
pub fn read_suite(game: &dyn AnyGame, text: &str) -> Result<Vec<SuitePosition>, InputError> {
    let mut puzzles = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let puzzle = read_line(game, line, number).map_err(|error| {
            let message = format!("line {number}: {}", error.message);
            // A move that cannot be played is not an answer here, but a mistake in the suite.
            let kind = if error.kind == ErrorKind::Illegal { ErrorKind::Invalid } else { error.kind };
            InputError { kind, message, ..error }
        })?;
        puzzles.push(puzzle);
    }
    Ok(puzzles)
}

fn read_line(game: &dyn AnyGame, line: &str, number: u32) -> Result<SuitePosition, InputError> {
    let found = [" bm ", " am "].iter().filter_map(|word| line.find(word)).min();
    let Some(at) = found else {
        let message = "expected a position and its best moves: POSITION bm MOVE...;";
        return Err(InputError::new(ErrorKind::Syntax, line, message));
    };
    let position = game.parse(line[..at].trim())?;
    let mut puzzle = SuitePosition { id: format!("line {number}"), position, best: vec![], avoid: vec![] };
    for operation in line[at..].split(';') {
        let (name, rest) = operation.trim().split_once(' ').unwrap_or_default();
        let moves = || rest.split_whitespace().map(|mv| spelled(puzzle.position.as_ref(), mv));
        match name {
            "bm" => puzzle.best = moves().collect::<Result<_, _>>()?,
            "am" => puzzle.avoid = moves().collect::<Result<_, _>>()?,
            "id" => rest.trim().trim_matches('"').clone_into(&mut puzzle.id),
            _ => {}
        }
    }
    Ok(puzzle)
}

/// A move as the game itself writes it.
fn spelled(position: &dyn AnyPosition, text: &str) -> Result<String, InputError> {
    let mut after = position.boxed_clone();
    after.play(text)?;
    Ok(after.played().pop().unwrap_or_default())
}

impl SuitePosition {
    /// Searches the position.
    fn answer(&self, request: &SearchRequest, stop: &Stop) -> Result<SuiteAnswer, InputError> {
        let answer = self.position.search()?.search(request, stop, &mut |_| ())?;
        let solved = answer
            .best
            .as_ref()
            .is_some_and(|mv| (self.best.is_empty() || self.best.contains(mv)) && !self.avoid.contains(mv));
        let SuitePosition { id, best, avoid, .. } = self;
        Ok(SuiteAnswer { id: id.clone(), solved, best: best.clone(), avoid: avoid.clone(), answer })
    }
}

impl SuiteView {
    /// Takes in another answer.
    fn add(&mut self, puzzle: SuiteAnswer) {
        self.solved += u64::from(puzzle.solved);
        self.total += 1;
        self.nodes += puzzle.answer.nodes;
        self.seconds += puzzle.answer.seconds;
        self.positions.push(puzzle);
    }
}
