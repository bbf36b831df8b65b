//! Games that the engine plays against itself, to learn from.
//!
//! Each game begins with random moves that leave it open, and goes on with searches of a fixed number of nodes. A game
//! that is clearly decided is not played out. The game of a number is always the same, whatever the threads.

use crate::asides::Witness;
use crate::games::{Aside, GamesWriter, NO_SCORE, PlayedGame};
use crate::net::NetError;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tabia_core::rng::mix;
use tabia_core::{
    Evaluate, Game, Judges, Outcome, Position, Probe, Progress, Record, Side, SplitMix64, Work, threads,
};
use tabia_search::{AlphaBeta, Limits, Question, Report, Score, SearchOptions, Stop};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlay {
    /// Games to have in the end, those of an earlier run included.
    pub games: u64,
    /// Nodes of a search.
    pub nodes: u64,
    /// Random moves at the beginning: from so many to twice as many.
    pub opening_plies: u32,
    /// One position in so many of a game is learnt from, drawn at random; the others are searched with an eighth of the nodes.
    /// Positions of one game are alike: fewer of each and more games teach more.
    pub sparse: u32,
    /// How many positions that a search came to are judged, too, for each position of a game.
    pub asides: u32,
    /// Where the randomness starts.
    pub seed: u64,
}

/// Bytes of the table of a search.
const TABLE: usize = 1 << 20;
/// An opening that is worth more to one side is not played.
const UNEVEN: i32 = 350;
/// A score beyond which a game is over, when it stands there for [`PATIENCE`] plies.
const DECIDED: i32 = 1200;
const PATIENCE: u32 = 6;
/// How many times fewer nodes a search has that nothing is learnt from.
const QUICK: u64 = 8;
/// Positions that a search came to are drawn for each that is wanted: not all are fit to be learnt from.
const CANDIDATES: u32 = 3;
/// Nodes of a search that only looks whether something is to be resolved.
const GLANCE: u64 = 60;
/// A game without an end is a draw after this many plies.
const LONGEST: usize = 400;

/// How an engine is asked. Given by the caller, so that a search that is there already is not compiled once more.
pub type Ask<G> = fn(
    &mut AlphaBeta,
    &Record<G>,
    &Question<'_, G>,
    &Limits,
    &Stop,
    &mut dyn FnMut(&Report<<G as Game>::Move>),
) -> Report<<G as Game>::Move>;

/// What the players have to go by.
pub struct Players<'a, G: Game> {
    /// The search.
    pub ask: Ask<G>,
    /// The evaluation; none: the game's own.
    pub judges: Option<&'a dyn Judges<G>>,
    /// Exact values of some positions.
    pub known: Option<&'a dyn Probe<G>>,
}

/// Plays games until the file has as many as asked for, or the work is stopped.
pub fn generate<G: Evaluate>(
    game: &G,
    players: &Players<'_, G>,
    plan: &SelfPlay,
    writer: &mut GamesWriter,
    work: &Work<'_>,
) -> Result<(), NetError> {
    let next = AtomicU64::new(writer.games());
    let shared = Mutex::new((writer, BTreeMap::new(), Ok(())));
    threads::run(work.threads.max(1), |_| {
        let options = SearchOptions { table_bytes: TABLE, ..SearchOptions::default() };
        let Ok(mut engine) = AlphaBeta::new(options) else { return };
        while !work.is_stopped() {
            let number = next.fetch_add(1, Relaxed);
            if number >= plan.games {
                return;
            }
            let seed = mix(plan.seed ^ mix(number));
            let Some(played) = play(game, players, plan, seed, &mut engine, work) else { return };
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (writer, waiting, result) = &mut *shared;
            waiting.insert(number, played);
            // In their order, so that a file can be continued.
            while let Some(played) = waiting.remove(&writer.games()) {
                if let Err(error) = writer.add(&played) {
                    *result = Err(error);
                    return;
                }
            }
            let done =
                Progress { unit: "games", ..Progress::positions("play", writer.games(), Some(plan.games)) };
            (work.progress)(&done);
        }
    });
    let (writer, _, result) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    result?;
    writer.flush()
}

/// One game; `None` when stopped.
fn play<G: Evaluate>(
    game: &G,
    players: &Players<'_, G>,
    plan: &SelfPlay,
    seed: u64,
    engine: &mut AlphaBeta,
    work: &Work<'_>,
) -> Option<PlayedGame> {
    let mut rng = SplitMix64::new(seed);
    engine.clear();
    let mut searches = Searches { game, players, engine, work };
    let (mut record, mut plies) = opening(game, plan, &mut rng)?;
    while searches.look(&record, plan.nodes)?.score.rank().abs() > UNEVEN {
        (record, plies) = opening(game, plan, &mut rng)?;
    }
    let (mut clear, mut outcome, mut asides) = (0, None, Vec::new());
    while record.outcome().is_none() && record.moves().len() < LONGEST {
        let passed_over = plan.sparse > 1 && rng.below(plan.sparse.into()) > 0;
        let report = if passed_over {
            searches.look(&record, (plan.nodes / QUICK).max(1))?
        } else if plan.asides > 0 {
            searches.look_with_asides(&record, plan, rng.next(), plies.len() as u16, &mut asides)?
        } else {
            searches.look(&record, plan.nodes)?
        };
        let Some(mv) = report.best() else { break };
        let (state, value) = (record.state(), report.score.rank());
        let score = if passed_over { NO_SCORE } else { taught(game, state, &report) };
        plies.push((number_of(game, state, mv), score));
        clear = if value.abs() >= DECIDED { clear + 1 } else { 0 };
        let side = game.side(state);
        outcome = settled(report.score, side).or((clear >= PATIENCE).then(|| winner(value, side)));
        if outcome.is_some() {
            break;
        }
        record.play_unchecked(mv);
    }
    let outcome = record.outcome().or(outcome).unwrap_or(Outcome::Draw);
    Some(PlayedGame { outcome, plies, asides })
}

/// What a search teaches of a position: its score, unless something is to be resolved first.
fn taught<G: Evaluate>(game: &G, state: &G::State, report: &Report<G::Move>) -> i16 {
    let resolves = report.best().is_none_or(|mv| game.is_noisy(state, mv)) || game.must_resolve(state);
    if resolves || report.score.is_proven() {
        NO_SCORE
    } else {
        report.score.rank().clamp(-30_000, 30_000) as i16
    }
}

/// The searches of one game. They are `None` when stopped.
struct Searches<'a, 'b, G: Game> {
    game: &'a G,
    players: &'a Players<'b, G>,
    engine: &'a mut AlphaBeta,
    work: &'a Work<'a>,
}

impl<G: Evaluate> Searches<'_, '_, G> {
    fn look(&mut self, record: &Record<G>, nodes: u64) -> Option<Report<G::Move>> {
        self.look_by(record, self.players.judges, nodes)
    }

    fn look_by(
        &mut self,
        record: &Record<G>,
        judges: Option<&dyn Judges<G>>,
        nodes: u64,
    ) -> Option<Report<G::Move>> {
        let question = Question { known: self.players.known, judges, ..Question::default() };
        let (limits, stop) = (Limits::nodes(nodes), self.work.stop);
        let report = (self.players.ask)(self.engine, record, &question, &limits, stop, &mut |_| ());
        (!self.work.is_stopped()).then_some(report)
    }

    /// The same, and positions that the search came to are searched in turn, until there are as many as wanted.
    fn look_with_asides(
        &mut self,
        record: &Record<G>,
        plan: &SelfPlay,
        seed: u64,
        from: u16,
        asides: &mut Vec<Aside>,
    ) -> Option<Report<G::Move>> {
        let witness = Witness::new(self.game, self.players.judges, CANDIDATES * plan.asides, seed);
        let report = self.look_by(record, Some(&witness), plan.nodes)?;
        let most = asides.len() + plan.asides as usize;
        for way in witness.ways(record.state()) {
            if asides.len() == most {
                break;
            }
            asides.extend(self.aside(record.state(), from, &way, plan.nodes)?);
        }
        Some(report)
    }

    /// The position that some moves lead to, if there is something to learn from it.
    fn aside(&mut self, root: &G::State, from: u16, way: &[G::Move], nodes: u64) -> Option<Option<Aside>> {
        let (mut state, mut moves) = (root.clone(), Vec::new());
        for &mv in way {
            moves.push(number_of(self.game, &state, mv));
            self.game.play(&mut state, mv);
        }
        if way.is_empty() || way.len() > usize::from(u8::MAX) || self.game.settled(&state).is_some() {
            return Some(None);
        }
        let record = Record::new(Position { rules: self.game.clone(), state });
        let mut score = NO_SCORE;
        // Most that a search comes to is in mid-capture or decided; that takes no long look.
        for nodes in [GLANCE, nodes] {
            score = taught(self.game, record.state(), &self.look(&record, nodes)?);
            if score == NO_SCORE || i32::from(score).abs() > DECIDED {
                return Some(None);
            }
        }
        Some(Some(Aside { from, moves, score }))
    }
}

/// The result that a proven score promises.
fn settled(score: Score, side: Side) -> Option<Outcome> {
    match score {
        Score::Win(_) => Some(Outcome::Win(side)),
        Score::Loss(_) => Some(Outcome::Win(side.other())),
        Score::Draw => Some(Outcome::Draw),
        Score::Estimate(_) => None,
    }
}

fn winner(value: i32, side: Side) -> Outcome {
    Outcome::Win(if value > 0 { side } else { side.other() })
}

fn number_of<G: Evaluate>(game: &G, state: &G::State, mv: G::Move) -> u16 {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.iter().position(|&listed| listed == mv).unwrap_or(0) as u16
}

/// Random moves after which the game goes on; `None` where there are none.
fn opening<G: Evaluate>(
    game: &G,
    plan: &SelfPlay,
    rng: &mut SplitMix64,
) -> Option<(Record<G>, Vec<(u16, i16)>)> {
    for _ in 0..1000 {
        let mut record = Record::new(Position { rules: game.clone(), state: game.start() });
        let count = plan.opening_plies + rng.below(u64::from(plan.opening_plies) + 1) as u32;
        let mut plies = Vec::new();
        let mut moves = Vec::new();
        while plies.len() < count as usize {
            moves.clear();
            game.moves(record.state(), &mut moves);
            let number = rng.below(moves.len() as u64) as usize;
            let Some(&mv) = moves.get(number) else { break };
            plies.push((number as u16, NO_SCORE));
            record.play_unchecked(mv);
        }
        if record.outcome().is_none() {
            return Some((record, plies));
        }
    }
    None
}
