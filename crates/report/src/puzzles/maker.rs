//! Makes puzzles of one game, by whatever can prove something about its positions.

use super::chance;
use super::exact::only_keeper;
use super::forced::forced_win;
use super::rating::{BUDGET, rating_of};
use super::record::{PuzzleRecord, Verified};
use super::solitaire::{effort, only_solvable};
use super::themes::themes;
use tabia_core::puzzle::{Puzzle, Solvable};
use tabia_core::rng::mix;
use tabia_core::{Game, Position, Present, Probe, Record, SplitMix64, Stop, Value, Work};
use tabia_search::{AlphaBeta, Limits, Question, Report, Score, SearchOptions};
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

/// Nodes for a look at a position that may be a puzzle, and at its other moves.
const LOOK: u64 = 3_000;
const DOUBT: u64 = 10_000;
/// An estimate from here on is worth a look.
const AHEAD: i32 = -100;
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

    /// Whether another move is seen to win as well, if more slowly: such a puzzle would annoy.
    fn also_winning(&mut self, record: &Record<G>, right: G::Move) -> bool {
        self.alphabeta.clear();
        let mut others = Vec::new();
        record.rules().moves(record.state(), &mut others);
        others.retain(|mv| *mv != right);
        let question = Question { among: &others, ..Question::default() };
        matches!(self.ask(record, &question, &Limits::nodes(DOUBT)).score, Score::Win(_))
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
const FEWEST_MOVES: u64 = 3;
/// The longest line of a table that is told.
const SHOWN: usize = 9;
/// Games for one begin with fewer random moves than this.
const PREFIX: u64 = 12;

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

    /// The random numbers and the start of the game with a number.
    fn game(&self, number: u64) -> Option<(SplitMix64, Position<G>)> {
        let mut rng = SplitMix64::new(mix(self.options.seed ^ mix(number)));
        let place = rng.below(self.starts.len() as u64) as usize;
        Some((rng, self.starts.get(place).cloned()?))
    }

    /// Keeps a puzzle that is new; whether to look for more.
    fn keep(&self, found: &mut Vec<PuzzleRecord>, puzzle: Option<PuzzleRecord>) -> bool {
        if let Some(puzzle) =
            puzzle.filter(|puzzle| !found.iter().any(|known| known.position == puzzle.position))
        {
            found.push(puzzle);
        }
        found.len() < EACH_GAME && !self.work.is_stopped()
    }

    /// Puzzles whose values are known exactly.
    pub fn exact(
        &self,
        number: u64,
        values: &dyn Probe<G>,
        verified: Verified,
        engine: &mut Engine<'_, G>,
    ) -> Vec<PuzzleRecord> {
        let mut found = Vec::new();
        let Some((mut rng, start)) = self.game(number) else { return found };
        chance::random_game(start, &mut rng, |record| {
            let puzzle = self.exact_at(record, values, verified, engine);
            self.keep(&mut found, puzzle)
        });
        found
    }

    fn exact_at(
        &self,
        record: &Record<G>,
        values: &dyn Probe<G>,
        verified: Verified,
        engine: &mut Engine<'_, G>,
    ) -> Option<PuzzleRecord> {
        let (rules, state) = (record.rules(), record.state());
        if !has_choice(rules, state) || !matches!(values.try_probe(state), Ok(Some(_))) {
            return None;
        }
        let only = only_keeper(rules, values, state).ok().flatten()?;
        if only.plies < self.options.plies {
            return None;
        }
        let nodes = engine.effort(&fresh(record), only.mv);
        let tempting = engine.tempting(rules, state, only.mv);
        let line = lines::best_line(rules, values, state, SHOWN).unwrap_or_default();
        let draws = only.value == Value::Draw;
        Some(PuzzleRecord {
            line: texts(rules, state, &line).into_iter().skip(1).collect(),
            value: only.value.name().to_owned(),
            plies: only.plies,
            rating: rating_of(nodes, tempting),
            themes: themes(rules, state, only.mv, draws, only.plies),
            ..blank(rules, state, only.mv, verified)
        })
    }

    /// Puzzles that are forced wins: `prover` plays and proves, `rater` has seen nothing of that.
    pub fn forced(
        &self,
        number: u64,
        prover: &mut Engine<'_, G>,
        rater: &mut Engine<'_, G>,
    ) -> Vec<PuzzleRecord> {
        prover.alphabeta.clear();
        let mut found = Vec::new();
        let Some((mut rng, start)) = self.game(number) else { return found };
        let mut last = None;
        chance::sensible_game(start, prover, &mut rng, |record, prover, score| {
            // Who is behind has no win, as a rule; and two positions in a row of one attack are one puzzle.
            let again = last.as_ref().is_some_and(|last| two_apart(record, last));
            if score.rank() < AHEAD || again || !has_choice(record.rules(), record.state()) {
                return true;
            }
            let puzzle = self.forced_at(&fresh(record), prover, rater);
            if puzzle.is_some() {
                last = Some(record.state().clone());
            }
            self.keep(&mut found, puzzle)
        });
        found
    }

    fn forced_at(
        &self,
        here: &Record<G>,
        prover: &mut Engine<'_, G>,
        rater: &mut Engine<'_, G>,
    ) -> Option<PuzzleRecord> {
        let (rules, state, options) = (here.rules(), here.state(), self.options);
        // A short search sees most wins; only what it sees is proved.
        let Score::Win(seen) = prover.ask(here, &Question::default(), &Limits::nodes(LOOK)).score else {
            return None;
        };
        if !(options.plies..=options.most_plies).contains(&u32::from(seen)) {
            return None;
        }
        let won = forced_win(prover, here, u32::from(seen), options.nodes)?;
        let mv = *won.line.first().filter(|_| won.plies >= options.plies)?;
        if rater.also_winning(here, mv) {
            return None;
        }
        let (nodes, tempting) = (rater.effort(here, mv), rater.tempting(rules, state, mv));
        Some(PuzzleRecord {
            line: texts(rules, state, &won.line).into_iter().skip(1).collect(),
            plies: won.plies,
            rating: rating_of(nodes, tempting),
            themes: themes(rules, state, mv, false, won.plies),
            ..blank(rules, state, mv, Verified::Proof)
        })
    }

    /// Puzzles of a game for one: some moves at random, then towards the goal, and at the end any way that is open.
    pub fn solvable(&self, number: u64) -> Vec<PuzzleRecord>
    where
        G: Puzzle,
    {
        let mut found = Vec::new();
        let Some((mut rng, Position { rules, mut state })) = self.game(number) else { return found };
        let mut moves = Vec::new();
        for _ in 0..rng.below(PREFIX) {
            let Some(mv) = rules.random_move(&state, &mut rng, &mut moves) else { return found };
            rules.play(&mut state, mv);
        }
        for mv in rules.solve(&state, self.work).line {
            if rules.picture(&state).pieces.len() as u32 <= self.options.most_plies + 1 {
                break;
            }
            rules.play(&mut state, mv);
        }
        loop {
            let hints = rules.hints(&state, self.work);
            let open: Vec<G::Move> = hints
                .iter()
                .filter(|(_, solvable)| *solvable == Solvable::Solvable)
                .map(|(mv, _)| *mv)
                .collect();
            let puzzle = self.solvable_at(&rules, &state);
            if !self.keep(&mut found, puzzle) {
                return found;
            }
            let Some(mv) = open.get(rng.below(open.len() as u64) as usize) else { return found };
            rules.play(&mut state, *mv);
        }
    }

    fn solvable_at(&self, rules: &G, state: &G::State) -> Option<PuzzleRecord>
    where
        G: Puzzle,
    {
        let (options, work) = (self.options, self.work);
        let pieces = rules.picture(state).pieces.len() as u32;
        if !has_choice(rules, state)
            || !(options.plies..=options.most_plies).contains(&pieces.saturating_sub(1))
        {
            return None;
        }
        let mv = only_solvable(rules, state, work)?;
        let nodes = effort(rules, state, BUDGET, work)?;
        let line = rules.solve(state, work).line;
        let others = rules.count_moves(state).saturating_sub(1) as usize;
        Some(PuzzleRecord {
            value: "solvable".to_owned(),
            plies: line.len() as u32,
            line: texts(rules, state, &line).into_iter().skip(1).collect(),
            rating: rating_of(nodes, others),
            themes: themes(rules, state, mv, false, line.len() as u32),
            ..blank(rules, state, mv, Verified::Solver)
        })
    }
}

/// Whether there are enough moves to choose from.
fn has_choice<G: Game>(rules: &G, state: &G::State) -> bool {
    rules.count_moves(state) >= FEWEST_MOVES
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
