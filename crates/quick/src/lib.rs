//! What must be quick, compiled for each of the five games.
//!
//! Generic code is compiled in the crate that first names a type for it, with the options of that crate. `tabia-app`
//! names most, and is built for size where a package must be small; what counts is named here instead, and built for speed.

use tabia_arx::Arx;
use tabia_batch::{AnyBatch, Batch};
use tabia_chess::Chess;
use tabia_core::{Actions, Evaluate, Game, Judges, Notation, Observe, Position, Record};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_search::{AlphaBeta, Limits, Mcts, Question, Report, Stop};
use tabia_solitaire::Solitaire;

/// Somebody who hears of answers on the way.
pub type Progress<'a, G> = &'a mut dyn FnMut(&Report<<G as Game>::Move>);

/// How an alpha-beta engine is asked.
pub type Ask<G> = fn(
    &mut AlphaBeta,
    &Record<G>,
    &Question<'_, G>,
    &Limits,
    &Stop,
    Progress<'_, G>,
) -> Report<<G as Game>::Move>;

/// How a Monte-Carlo engine is asked that judges positions by an evaluation.
pub type Judged<G> =
    fn(&Mcts, &Record<G>, &dyn Judges<G>, &Limits, &Stop, Progress<'_, G>) -> Report<<G as Game>::Move>;

/// How the evaluation of a game is asked.
pub type EvaluateFn<G> = fn(&G, &<G as Game>::State) -> i32;

/// Makes a batch: its start, its rows, where its randomness starts, its threads, the evaluation where there is one.
pub type MakeBatch<G> = fn(Position<G>, usize, u64, usize, Option<EvaluateFn<G>>) -> Box<dyn AnyBatch>;

/// The searches of a game with an evaluation.
pub struct Searches<G: Game> {
    /// Alpha-beta.
    pub ask: Ask<G>,
    /// Monte-Carlo.
    pub judged: Judged<G>,
}

impl<G: Evaluate> Searches<G> {
    /// Those of any game, compiled where this is written.
    pub fn of() -> Self {
        Searches {
            ask: |engine, record, question, limits, stop, progress| {
                engine.ask(record, question, limits, stop, progress)
            },
            judged: |engine, record, judges, limits, stop, progress| {
                engine.judged(record, judges, limits, stop, progress)
            },
        }
    }
}

impl<G: Game> std::fmt::Debug for Searches<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searches").finish_non_exhaustive()
    }
}

/// The batches of any game, compiled where this is written.
pub fn batch_of<G: Notation + Actions + Observe>(
    start: Position<G>,
    rows: usize,
    seed: u64,
    threads: usize,
    evaluate: Option<EvaluateFn<G>>,
) -> Box<dyn AnyBatch> {
    let batch = Batch::starting(start, rows, seed, threads).with_texts();
    Box::new(match evaluate {
        Some(evaluate) => batch.evaluated_by(evaluate),
        None => batch,
    })
}

/// A game whose batches are compiled here.
pub trait Batches: Game {
    /// How they are made.
    fn batches() -> MakeBatch<Self>;
}

/// A game whose searches are compiled here.
pub trait Searched: Game {
    /// How it is searched.
    fn searches() -> Searches<Self>;
}

macro_rules! batches {
    ($($game:ty),*) => {$(
        impl Batches for $game {
            // Inlined elsewhere, it would be compiled elsewhere.
            #[inline(never)]
            fn batches() -> MakeBatch<Self> {
                batch_of
            }
        }
    )*};
}

macro_rules! searched {
    ($($game:ty),*) => {$(
        impl Searched for $game {
            #[inline(never)]
            fn searches() -> Searches<Self> {
                Searches::of()
            }
        }
    )*};
}

batches!(Arx, Chess, Draughts, FiveVisible, Solitaire);
searched!(Arx, Chess, Draughts, FiveVisible);
