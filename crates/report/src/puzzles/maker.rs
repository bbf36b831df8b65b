//! Makes puzzles of one game, by whatever can prove something about its positions.

use super::chance;
use super::exact::only_keeper;
use super::forced::forced_win;
use super::rating::{BUDGET, rating_of};
use super::record::{PuzzleRecord, Verified};
use super::solitaire::{effort, only_solvable};
use super::themes::themes;
use tabia_core::puzzle::Puzzle;
use tabia_core::rng::mix;
use tabia_core::{Game, Position, Present, Probe, Record, SplitMix64, Stop, Value, Work};
use tabia_search::{AlphaBeta, Limits, Question, Report, SearchOptions};
use tabia_solve::lines;

/// How a game with an evaluation is searched: a pointer, so that nobody else need know of evaluations.
pub type Ask<G> = fn(
    &mut AlphaBeta,
    &Record<G>,
    &Question<'_, G>,
    &Limits,
    &Stop,
    &mut dyn FnMut(&Report<<G as Game>::Move>),
) -> Report<<G as Game>::Move>;

/// An engine for one game.
pub struct Engine<'a, G: Game> {
    alphabeta: AlphaBeta,
    ask: Ask<G>,
    evaluate: fn(&G, &G::State) -> i32,
    stop: &'a Stop,
}

/// Nodes for a move of the games, and for a look at the other moves of a puzzle.
const NODES: u64 = 400;
const DOUBT: u64 = 20_000;
/// An estimate from here on is as good as a win.
const WINNING: i32 = 500;
/// Bytes of an engine's table.
const TABLE: usize = 8 << 20;

impl<'a, G: Game> Engine<'a, G> {
    /// An engine that has seen nothing; `None` where there is no memory for it.
    pub fn new(
        ask: Ask<G>,
        evaluate: fn(&G, &G::State) -> i32,
        selective: bool,
        stop: &'a Stop,
    ) -> Option<Self> {
        let options = SearchOptions { table_bytes: TABLE, threads: 1, lines: 1, selective };
        Some(Engine { alphabeta: AlphaBeta::new(options).ok()?, ask, evaluate, stop })
    }

    /// Searches.
    pub fn ask(
        &mut self,
        record: &Record<G>,
        question: &Question<'_, G>,
        limits: &Limits,
    ) -> Report<G::Move> {
        (self.ask)(&mut self.alphabeta, record, question, limits, self.stop, &mut |_| ())
    }

    /// The nodes after which a search has found a move for good; the whole budget when it has not.
    fn effort(&mut self, record: &Record<G>, mv: G::Move) -> u64 {
        self.alphabeta.clear();
        let mut found = None;
        let limits = Limits::nodes(BUDGET);
        let mut watch = |report: &Report<G::Move>| {
            found = if report.best() == Some(mv) { found.or(Some(report.nodes)) } else { None };
        };
        (self.ask)(&mut self.alphabeta, record, &Question::default(), &limits, self.stop, &mut watch);
        found.unwrap_or(BUDGET)
    }

    /// Whether another move seems to win as well, if more slowly: such a puzzle would annoy.
    fn also_winning(&mut self, record: &Record<G>, right: G::Move) -> bool {
        self.alphabeta.clear();
        let mut others = Vec::new();
        record.rules().moves(record.state(), &mut others);
        others.retain(|mv| *mv != right);
        let question = Question { among: &others, ..Question::default() };
        let score = self.ask(record, &question, &Limits::nodes(DOUBT)).score;
        score.rank() >= WINNING
    }

    /// The wrong moves that look better than the right one.
    fn tempting(&self, rules: &G, state: &G::State, right: G::Move) -> usize {
        let mut moves = Vec::new();
        rules.moves(state, &mut moves);
        let looks = |mv: G::Move| {
            let mut after = state.clone();
            rules.play(&mut after, mv);
            match rules.settled(&after) {
                Some(_) => i32::MIN,
                None => -(self.evaluate)(rules, &after),
            }
        };
        let own = looks(right);
        moves.into_iter().filter(|mv| *mv != right && looks(*mv) > own).count()
    }
}

/// Which puzzles to make.
#[derive(Clone, Copy, Debug)]
pub struct MakeOptions {
    /// The fewest plies to the end of the win.
    pub plies: u32,
    /// The most plies that a search looks for a forced win.
    pub most_plies: u32,
    /// Where the randomness starts.
    pub seed: u64,
    /// Nodes for one attempt at a proof.
    pub nodes: u64,
}

/// Puzzles of one game are taken from one game only so often.
const EACH_GAME: usize = 2;
/// Fewer legal moves are no choice.
const FEWEST_MOVES: usize = 3;

/// Makes puzzles: plays games, each from its own seed, and looks at their positions.
pub struct Maker<'a, G: Present> {
    starts: Vec<Position<G>>,
    options: MakeOptions,
    work: &'a Work<'a>,
}

impl<'a, G: Present> Maker<'a, G> {
    /// Games begin at these positions.
    pub fn new(starts: Vec<Position<G>>, options: MakeOptions, work: &'a Work<'a>) -> Self {
        Maker { starts, options, work }
    }

    /// Plays the game with a number and looks for puzzles in it by `look`, at most [`EACH_GAME`].
    fn game(
        &self,
        number: u64,
        engine: Option<&mut Engine<'_, G>>,
        mut look: impl FnMut(&Record<G>, Option<&mut Engine<'_, G>>) -> Option<PuzzleRecord>,
    ) -> Vec<PuzzleRecord> {
        let mut rng = SplitMix64::new(mix(self.options.seed ^ mix(number)));
        let place = rng.below(self.starts.len() as u64) as usize;
        let mut found: Vec<PuzzleRecord> = Vec::new();
        let Some(start) = self.starts.get(place).cloned() else { return found };
        chance::game(start, engine, NODES, &mut rng, |record, engine| {
            if let Some(puzzle) = look(record, engine)
                && !found.iter().any(|known| known.position == puzzle.position)
            {
                found.push(puzzle);
            }
            found.len() < EACH_GAME && !self.work.is_stopped()
        });
        found
    }

    /// Puzzles whose values are known exactly.
    pub fn exact(
        &self,
        number: u64,
        values: &dyn Probe<G>,
        verified: Verified,
        engine: &mut Engine<'_, G>,
    ) -> Vec<PuzzleRecord> {
        let options = self.options;
        self.game(number, None, |record, _| {
            let (rules, state) = (record.rules(), record.state());
            if (rules.count_moves(state) as usize) < FEWEST_MOVES
                || !matches!(values.try_probe(state), Ok(Some(_)))
            {
                return None;
            }
            let only = only_keeper(rules, values, state).ok().flatten()?;
            if only.plies < options.plies {
                return None;
            }
            let (nodes, tempting) =
                (engine.effort(&fresh(record), only.mv), engine.tempting(rules, state, only.mv));
            let line = lines::best_line(rules, values, state, 9).unwrap_or_default();
            let draws = only.value == Value::Draw;
            Some(PuzzleRecord {
                line: texts(rules, state, &line).into_iter().skip(1).collect(),
                value: only.value.name().to_owned(),
                plies: only.plies,
                rating: rating_of(nodes, tempting),
                themes: themes(rules, state, only.mv, draws, only.plies),
                ..blank(rules, state, only.mv, verified)
            })
        })
    }

    /// Puzzles that are forced wins.
    pub fn forced(
        &self,
        number: u64,
        prover: &mut Engine<'_, G>,
        rater: &mut Engine<'_, G>,
    ) -> Vec<PuzzleRecord> {
        prover.alphabeta.clear();
        let options = self.options;
        let mut last: Option<G::State> = None;
        self.game(number, Some(prover), |record, engine| {
            let (rules, state) = (record.rules(), record.state());
            let engine = engine?;
            // Two positions in a row of one attack are one puzzle.
            if (rules.count_moves(state) as usize) < FEWEST_MOVES
                || last.as_ref().is_some_and(|last| two_apart(record, last))
            {
                return None;
            }
            let here = fresh(record);
            let found = forced_win(engine, &here, options.most_plies, 2, options.nodes)?;
            let mv = *found.line.first().filter(|_| found.plies >= options.plies)?;
            last = Some(state.clone());
            if rater.also_winning(&here, mv) {
                return None;
            }
            let (nodes, tempting) = (rater.effort(&here, mv), rater.tempting(rules, state, mv));
            Some(PuzzleRecord {
                line: texts(rules, state, &found.line).into_iter().skip(1).collect(),
                plies: found.plies,
                rating: rating_of(nodes, tempting),
                themes: themes(rules, state, mv, false, found.plies),
                ..blank(rules, state, mv, Verified::Proof)
            })
        })
    }

    /// Puzzles of a game for one.
    pub fn solvable(&self, number: u64) -> Vec<PuzzleRecord>
    where
        G: Puzzle,
    {
        let (options, work) = (self.options, self.work);
        self.game(number, None, |record, _| {
            let (rules, state) = (record.rules(), record.state());
            let others = (rules.count_moves(state) as usize)
                .checked_sub(1)
                .filter(|others| others + 1 >= FEWEST_MOVES)?;
            let pieces = rules.picture(state).pieces.len() as u32;
            if pieces > options.most_plies + 1 || pieces < options.plies + 1 {
                return None;
            }
            let mv = only_solvable(rules, state, work)?;
            let nodes = effort(rules, state, BUDGET, work)?;
            let line = rules.solve(state, work).line;
            Some(PuzzleRecord {
                value: "solvable".to_owned(),
                plies: line.len() as u32,
                line: texts(rules, state, &line).into_iter().skip(1).collect(),
                rating: rating_of(nodes, others),
                themes: themes(rules, state, mv, false, line.len() as u32),
                ..blank(rules, state, mv, Verified::Solver)
            })
        })
    }
}

/// The position alone: what was played before it is no part of a puzzle.
fn fresh<G: Present>(record: &Record<G>) -> Record<G> {
    let (rules, state) = (record.rules().clone(), record.state().clone());
    // The text of a position may carry a clock, and a puzzle is given by its text.
    let written = rules.parse(&rules.format(&state));
    Record::new(written.unwrap_or(Position { rules, state }))
}

/// Whether the game was at a position two plies ago.
fn two_apart<G: Game>(record: &Record<G>, last: &G::State) -> bool {
    let states = record.states();
    states.len().checked_sub(3).and_then(|at| states.get(at)) == Some(last)
}

fn blank<G: Present>(rules: &G, state: &G::State, mv: G::Move, verified: Verified) -> PuzzleRecord {
    PuzzleRecord {
        position: rules.format(state),
        mv: rules.format_move(state, mv),
        line: Vec::new(),
        value: "win".to_owned(),
        plies: 0,
        rating: 0,
        themes: Vec::new(),
        verified,
    }
}

/// Moves played one after the other, as text.
fn texts<G: Present>(rules: &G, state: &G::State, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let write = |&mv: &G::Move| {
        let text = rules.format_move(&state, mv);
        rules.play(&mut state, mv);
        text
    };
    line.iter().map(write).collect()
}
