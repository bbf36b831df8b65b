//! Making and checking puzzles with what a game has: tables, a solver, a search.

use super::{Made, PuzzleSink, PuzzlesRequest};
use crate::adapter::{Adapter, Held};
use crate::search::Evaluated;
use crate::solve::{SolveRequest, WorkError, opened_small};
use crate::watch::Watch;
use crate::{ErrorKind, InputError, any};
use std::collections::HashSet;
use tabia_core::puzzle::Puzzle;
use tabia_core::threads;
use tabia_core::{Position, Present, Probe, Progress, Work};
use tabia_report::puzzles::check::{self, WrongPuzzle};
use tabia_report::puzzles::{Engine, MakeOptions, Maker, PuzzleRecord, Verified};

/// Games that are played in a round, for each thread.
const ROUND: u64 = 8;
/// Nodes for one attempt at a proof.
const PROOF_NODES: u64 = 60_000;

/// How a puzzle for one player is made and checked.
pub(crate) struct SolitaireFns<G: Present> {
    make: fn(&Maker<'_, G>, u64) -> Vec<PuzzleRecord>,
    check: fn(&G, &PuzzleRecord, &Work<'_>) -> Result<(), WrongPuzzle>,
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for SolitaireFns<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for SolitaireFns<G> {}

/// For games that are puzzles themselves.
pub(crate) fn solitaire_fns<G: Present + Puzzle>() -> SolitaireFns<G> {
    SolitaireFns { make: |maker, number| maker.solvable(number), check: check::by_depth_first }
}

/// What can prove something about the positions of a game.
enum Means<'a, G: Present> {
    Solitaire(SolitaireFns<G>),
    Exact { values: Box<dyn Probe<G>>, verified: Verified, engine: Evaluated<G> },
    Forced(Evaluated<G>),
    Nothing(&'a str),
}

/// The plies of puzzles, where nothing else is said: the fewest and the most.
fn usual_plies<G: Present>(means: &Means<'_, G>) -> (u32, u32) {
    match means {
        Means::Solitaire(_) => (4, 14),
        Means::Exact { .. } => (7, u32::MAX),
        Means::Forced(_) | Means::Nothing(_) => (3, 5),
    }
}

fn means<'a, G: Present>(
    adapter: &'a Adapter<G>,
    held: &Held<G>,
    request: &PuzzlesRequest,
    watch: &Watch<'_>,
) -> Result<Means<'a, G>, WorkError> {
    let capabilities = &adapter.common.capabilities;
    let solve = SolveRequest {
        tables: request.tables.clone(),
        threads: request.threads,
        memory: request.memory,
        ..SolveRequest::default()
    };
    let Some(engine) = capabilities.evaluated else {
        let nothing = Means::Nothing(adapter.rules.id());
        return Ok(capabilities.solitaire.map_or(nothing, Means::Solitaire));
    };
    if capabilities.solvers.small.is_some() {
        let values = Box::new(opened_small(held, &solve, watch)?);
        return Ok(Means::Exact { values, verified: Verified::Solver, engine });
    }
    if let Some(endings) = capabilities.endings.filter(|_| capabilities.ending_puzzles) {
        let folder = (endings.usual)(held, &solve, watch)?;
        if let Some(values) = (endings.open)(held.rules(), &folder) {
            return Ok(Means::Exact { values, verified: Verified::Tables, engine });
        }
    }
    Ok(Means::Forced(engine))
}

/// The positions that games begin at.
fn starts<G: Present>(held: &Held<G>, named: bool) -> Vec<Position<G>> {
    let start = Position { rules: held.rules().clone(), state: held.state().clone() };
    if named {
        return vec![start];
    }
    let variant = held.rules().variant();
    let others = held.rules().starts().into_iter().map(|start| start.position);
    let mut all: Vec<Position<G>> = others.filter(|other| other.rules.variant() == variant).collect();
    all.push(start);
    all
}

pub(super) fn make<G: Present>(
    adapter: &Adapter<G>,
    request: &PuzzlesRequest,
    watch: &Watch<'_>,
    sink: &mut PuzzleSink<'_>,
) -> Result<Made, WorkError> {
    let held = held(adapter, request)?;
    let means = means(adapter, &held, request, watch)?;
    if let Means::Nothing(game) = means {
        return Err(any::lacks(game, "way to prove what a move is worth").into());
    }
    let (fewest, most) = usual_plies(&means);
    let plies = request.plies.unwrap_or(fewest);
    let options = MakeOptions { plies, most_plies: most.max(plies), seed: request.seed, nodes: PROOF_NODES };
    let work = watch.work(1, request.memory);
    let maker = Maker::new(starts(&held, request.position.is_some()), options, &work);
    let threads = request.threads.max(1);
    let (mut made, mut seen) = (Made::default(), HashSet::new());
    while made.puzzles < request.count && !watch.stop.is_stopped() {
        let from = made.games;
        // The games of a thread are every so-many-th one; put together they are in their order again.
        let found = threads::run(threads, |thread| {
            let mine = (from..from + ROUND * threads as u64).skip(thread).step_by(threads);
            mine.map(|number| one_game(&maker, &means, number, watch)).collect::<Vec<_>>()
        });
        made.games += ROUND * threads as u64;
        for round in 0..ROUND as usize {
            for puzzle in found.iter().filter_map(|thread| thread.get(round)).flatten() {
                if made.puzzles < request.count && seen.insert(puzzle.position.clone()) {
                    made.puzzles += 1;
                    if sink(puzzle).is_break() {
                        return Ok(made);
                    }
                }
            }
        }
        let (done, total) = (made.puzzles as u64, Some(request.count as u64));
        (watch.progress)(&Progress { lane: 0, stage: "puzzles".into(), done, total, unit: "puzzles" });
    }
    Ok(made)
}

fn held<G: Present>(adapter: &Adapter<G>, request: &PuzzlesRequest) -> Result<Held<G>, InputError> {
    let start = match &request.position {
        Some(text) => adapter.read(text)?,
        None => Position { rules: adapter.rules.clone(), state: adapter.rules.start() },
    };
    Ok(adapter.hold(start))
}

/// Nothing is remembered from one game to the next: a game's puzzles depend on its number alone.
fn one_game<G: Present>(
    maker: &Maker<'_, G>,
    means: &Means<'_, G>,
    number: u64,
    watch: &Watch<'_>,
) -> Vec<PuzzleRecord> {
    let engine = |evaluated: &Evaluated<G>, selective| {
        Engine::new(evaluated.ask, evaluated.evaluate, selective, watch.stop)
    };
    match means {
        _ if watch.stop.is_stopped() => Vec::new(),
        Means::Solitaire(fns) => (fns.make)(maker, number),
        Means::Exact { values, verified, engine: evaluated } => engine(evaluated, true)
            .map_or_else(Vec::new, |mut engine| maker.exact(number, values.as_ref(), *verified, &mut engine)),
        Means::Forced(evaluated) => engine(evaluated, true)
            .zip(engine(evaluated, true))
            .map_or_else(Vec::new, |(mut prover, mut rater)| maker.forced(number, &mut prover, &mut rater)),
        Means::Nothing(_) => Vec::new(),
    }
}

pub(super) fn check<G: Present>(
    adapter: &Adapter<G>,
    puzzle: &PuzzleRecord,
    request: &PuzzlesRequest,
    watch: &Watch<'_>,
) -> Result<Option<String>, WorkError> {
    let rules = &adapter.rules;
    let work = watch.work(1, request.memory);
    let checked = match puzzle.verified {
        Verified::Proof => check::by_full_width(rules, puzzle),
        Verified::Solver if rules.players() == 1 => match adapter.common.capabilities.solitaire {
            Some(fns) => (fns.check)(rules, puzzle, &work),
            None => return Err(any::lacks(rules.id(), "solver").into()),
        },
        Verified::Tables | Verified::Solver => {
            let held = held(
                adapter,
                &PuzzlesRequest { position: Some(puzzle.position.clone()), ..request.clone() },
            )?;
            match means(adapter, &held, request, watch)? {
                Means::Exact { values, .. } => check::by_values(held.rules(), values.as_ref(), puzzle),
                _ => return Err(any::lacks(rules.id(), "tables of exact values").into()),
            }
        }
        Verified::SecondSearch => {
            let message = "what two searches agree on cannot be proved";
            return Err(InputError::new(ErrorKind::Unsupported, &puzzle.position, message).into());
        }
    };
    Ok(checked.err().map(|wrong: WrongPuzzle| wrong.reason))
}
