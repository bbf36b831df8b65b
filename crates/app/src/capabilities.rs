//! What a game can be asked beyond its rules.
//!
//! A capability is a set of function pointers, instantiated for the game by the `with_...` method of
//! [`crate::Adapter`] that requires the trait behind it: so the registry's one line decides, the compiler
//! checks, and nothing inside the functions is dynamic. Capabilities are separate fields, so that none can
//! take another away.

use crate::arrange::Arranging;
use crate::device::OnDevice;
use crate::enumerate::LevelsFn;
use crate::files::FileReaders;
use crate::profile::ProfileFn;
#[cfg(not(target_family = "wasm"))]
use crate::puzzles::SolitaireFns;
use crate::search::{Evaluated, Networks, UciFn};
use crate::solve::{Endings, SolveFn};
use crate::tablebase::Tables;
use tabia_core::{Game, Present};
use tabia_quick::MakeBatch;

/// The entry of a Polyglot file for a move of a position with a weight.
pub(crate) type PolyglotFn<G> = fn(&<G as Game>::State, <G as Game>::Move, u16) -> [u8; 16];

/// The ways to solve a game, the best first.
pub(crate) struct Solvers<G: Present> {
    pub(crate) puzzle: Option<SolveFn<G>>,
    pub(crate) endings: Option<SolveFn<G>>,
    pub(crate) small: Option<SolveFn<G>>,
    pub(crate) two: Option<SolveFn<G>>,
}

/// The optional capabilities of a game.
pub(crate) struct Capabilities<G: Present> {
    /// How it is solved: by its own solver, by tables of its endings, by a table of everything.
    pub(crate) solvers: Solvers<G>,
    /// How its positions are counted, where it has a way of its own.
    pub(crate) levels: Option<LevelsFn<G>>,
    /// Its ending tables, for searches and solvers to look into.
    pub(crate) endings: Option<Endings<G>>,
    /// Whether random games come to endings of its small tables often enough to make puzzles of them.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub(crate) ending_puzzles: bool,
    /// How its tables are built and opened, where that is not by key.
    pub(crate) tables: Option<Tables<G>>,
    /// Its files of recorded games.
    pub(crate) files: Option<FileReaders<G>>,
    /// How an entry of a Polyglot book is written.
    pub(crate) polyglot: Option<PolyglotFn<G>>,
    /// Search with the game's evaluation.
    pub(crate) evaluated: Option<Evaluated<G>>,
    /// How UCI writes its moves: programs that speak it can play.
    pub(crate) uci: Option<UciFn<G>>,
    /// Networks that judge its positions.
    pub(crate) networks: Option<Networks<G>>,
    /// How puzzles of a game for one are made and checked.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) solitaire: Option<SolitaireFns<G>>,
    /// How many games at once are made.
    pub(crate) batches: Option<MakeBatch<G>>,
    /// How positions are set up piece by piece.
    pub(crate) arrange: Option<Arranging<G>>,
    /// How a report of the game is made.
    pub(crate) profile: Option<ProfileFn<G>>,
    /// Ending tables on a GPU.
    pub(crate) device: Option<OnDevice<G>>,
    /// Work on many machines.
    #[cfg(feature = "cluster")]
    pub(crate) cluster: Option<crate::cluster::ClusterFn<G>>,
    /// Ending tables on many machines.
    #[cfg(feature = "cluster")]
    pub(crate) cluster_endings: Option<crate::cluster::EndingsFn<G>>,
}

impl<G: Present> Capabilities<G> {
    /// What follows from the rules alone.
    pub(crate) fn of(rules: &G) -> Self {
        let for_two = rules.players() == 2;
        Capabilities {
            solvers: Solvers {
                puzzle: None,
                endings: None,
                small: None,
                two: for_two.then_some(crate::solve::solve_two::<G>),
            },
            levels: None,
            endings: None,
            ending_puzzles: false,
            tables: for_two.then(Tables::of_everything),
            files: None,
            polyglot: None,
            evaluated: None,
            networks: None,
            uci: None,
            #[cfg(not(target_family = "wasm"))]
            solitaire: None,
            batches: None,
            arrange: None,
            // A browser has neither the threads nor the patience, and charts would be a large part of the program there.
            profile: (!cfg!(target_family = "wasm")).then_some(crate::profile::profile::<G> as ProfileFn<G>),
            device: None,
            #[cfg(feature = "cluster")]
            cluster: None,
            #[cfg(feature = "cluster")]
            cluster_endings: None,
        }
    }

    /// The best way to solve the game.
    pub(crate) fn solve(&self) -> Option<SolveFn<G>> {
        let Solvers { puzzle, endings, small, two } = self.solvers;
        puzzle.or(endings).or(small).or(two)
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Capabilities<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Capabilities<G> {}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Solvers<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Solvers<G> {}

impl<G: Present> std::fmt::Debug for Capabilities<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Capabilities").finish_non_exhaustive()
    }
}
