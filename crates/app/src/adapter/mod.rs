//! One generic wrapper makes any game of the core's traits an [`AnyGame`].

mod game;
mod position;
mod read;

pub(crate) use position::Held;
pub(crate) use read::position_of;

use crate::capabilities::{Capabilities, PolyglotFn};
use crate::device::InMemory;
use crate::openings::Openings;
use crate::puzzles::ShippedPuzzles;
use crate::search::ShippedNet;
use crate::{AnyGame, Settings};
use std::sync::{Arc, OnceLock};
use tabia_core::{
    Actions, Arrange, Evaluate, Features, Index, Levels, Observe, Position, Present, Puzzle, ReadGames,
    Record,
};

/// A game with everything it can be asked.
///
/// The order of the `with_...` calls does not matter.
#[derive(Clone, Debug)]
pub struct Adapter<G: Present> {
    pub(crate) rules: G,
    pub(crate) common: Arc<Common<G>>,
    /// Puzzles that come with it.
    pub(crate) puzzles: ShippedPuzzles,
}

/// What all positions of a game share: a new position costs one count of it.
#[derive(Clone, Debug)]
pub(crate) struct Common<G: Present> {
    pub(crate) capabilities: Capabilities<G>,
    pub(crate) settings: Arc<Settings>,
    /// The names of openings, once they were asked for.
    pub(crate) openings: Arc<OnceLock<Openings>>,
    /// Ending tables in memory.
    pub(crate) in_memory: Option<InMemory<G>>,
    /// The network that comes with it.
    pub(crate) net: ShippedNet<G>,
}

impl<G: Present> Adapter<G> {
    /// A game that can be played, drawn and counted, with statistics of played games. A game for two can
    /// also be solved, and searched without an evaluation.
    pub fn new(rules: G) -> Self {
        #[cfg_attr(not(feature = "cluster"), allow(unused_mut))]
        let mut adapter = Self::on_one_machine(rules);
        #[cfg(feature = "cluster")]
        {
            adapter.capabilities_mut().cluster = Some(|adapter| adapter);
        }
        adapter
    }

    /// The same, but its work is not shared with other machines: rules that cannot be there need no code for it.
    pub fn on_one_machine(rules: G) -> Self {
        let capabilities = Capabilities::of(&rules);
        let common = Common {
            capabilities,
            settings: Arc::default(),
            openings: Arc::default(),
            in_memory: None,
            net: ShippedNet::default(),
        };
        Adapter { rules, common: Arc::new(common), puzzles: ShippedPuzzles::default() }
    }

    /// What its positions share, to be changed.
    pub(crate) fn common_mut(&mut self) -> &mut Common<G> {
        Arc::make_mut(&mut self.common)
    }

    fn capabilities_mut(&mut self) -> &mut Capabilities<G> {
        &mut self.common_mut().capabilities
    }

    /// The rules.
    pub fn rules(&self) -> &G {
        &self.rules
    }

    /// The game also has files of recorded games.
    #[must_use]
    pub fn with_files(mut self) -> Self
    where
        G: ReadGames,
    {
        self.capabilities_mut().files = Some(crate::files::FileReaders::of());
        self
    }

    /// The game also has an evaluation, and can be searched with it.
    #[must_use]
    pub fn with_search(mut self) -> Self
    where
        G: Evaluate,
    {
        self.capabilities_mut().evaluated = Some(crate::search::Evaluated::of(tabia_quick::Searches::of()));
        self
    }

    /// The same for a game whose searches are compiled for speed, whatever is compiled for size.
    pub(crate) fn with_quick_search(mut self) -> Self
    where
        G: Evaluate + tabia_quick::Searched,
    {
        self.capabilities_mut().evaluated = Some(crate::search::Evaluated::of(G::searches()));
        self
    }

    /// Programs that speak UCI can play the game: how a move is written for them. Positions are written as the game does.
    #[must_use]
    pub fn with_uci(mut self, written: fn(&G::State, G::Move) -> String) -> Self {
        self.capabilities_mut().uci = Some(written);
        self
    }

    /// Networks can judge the positions of the game.
    #[must_use]
    pub fn with_features(mut self) -> Self
    where
        G: Features + Evaluate,
    {
        self.capabilities_mut().networks = Some(crate::search::Networks::of(None));
        self
    }

    /// The same, and one comes with it, as the bytes of its file: searches use it unless they are told otherwise.
    #[must_use]
    pub fn with_net(mut self, net: &'static [u8]) -> Self
    where
        G: Features + Evaluate,
    {
        self.capabilities_mut().networks = Some(crate::search::Networks::of(Some(net)));
        self
    }

    /// Puzzles that come with the game, as JSON lines.
    #[must_use]
    pub fn with_puzzles(mut self, lines: &'static str) -> Self {
        self.puzzles = ShippedPuzzles::new(lines);
        self
    }

    /// Random games come to endings of the game's small tables often enough: its puzzles are made of them.
    #[must_use]
    pub fn with_ending_puzzles(mut self) -> Self {
        self.capabilities_mut().ending_puzzles = true;
        self
    }

    /// The game's moves have numbers and its positions planes: many games at once can be played.
    #[must_use]
    pub fn with_batches(mut self) -> Self
    where
        G: Actions + Observe,
    {
        self.capabilities_mut().batches = Some(tabia_quick::batch_of::<G>);
        self
    }

    /// The same for a game whose batches are compiled for speed, whatever is compiled for size.
    pub(crate) fn with_quick_batches(mut self) -> Self
    where
        G: tabia_quick::Batches,
    {
        // Nobody plays batches in a browser, and they would be a tenth of the program there.
        if !cfg!(target_family = "wasm") {
            self.capabilities_mut().batches = Some(G::batches());
        }
        self
    }

    /// Positions of the game can be set up piece by piece.
    #[must_use]
    pub fn with_arrange(mut self) -> Self
    where
        G: Arrange,
    {
        self.capabilities_mut().arrange = Some(crate::arrange::Arranging::of());
        self
    }

    /// The game also has Polyglot books: how an entry of them is written.
    #[must_use]
    pub fn with_polyglot(mut self, entry: PolyglotFn<G>) -> Self {
        self.capabilities_mut().polyglot = Some(entry);
        self
    }

    /// The game is solved whole, in a table kept in the user's cache.
    #[must_use]
    pub fn with_small_table(mut self) -> Self {
        self.capabilities_mut().solvers.small = Some(crate::solve::solve_small::<G>);
        self
    }

    /// The game's endings are numbered, and have tables by material; a search looks into them.
    #[must_use]
    pub fn with_endings(mut self) -> Self
    where
        G: Index,
    {
        self.capabilities_mut().solvers.endings = Some(crate::solve::solve_ending::<G>);
        self.capabilities_mut().endings = Some(crate::solve::Endings::of());
        self.capabilities_mut().tables = Some(crate::tablebase::Tables::of_endings());
        #[cfg(feature = "cluster")]
        {
            self.capabilities_mut().cluster_endings = Some(crate::cluster::endings::<G>);
        }
        self
    }

    /// The same as [`Adapter::with_endings`], but not in a browser, where every game's tables add to a program that weighs
    /// enough, and few endings could be built in the time that somebody waits.
    pub(crate) fn with_endings_but_in_browsers(self) -> Self
    where
        G: Index,
    {
        if cfg!(target_family = "wasm") { self } else { self.with_endings() }
    }

    /// The same as [`Adapter::with_endings`] for a game where who wins can be worked out level by level, which is quicker.
    #[must_use]
    pub fn with_levels(self) -> Self
    where
        G: Levels<Block: Send + Sync>,
    {
        let mut with = self.with_endings();
        with.capabilities_mut().tables = Some(crate::tablebase::Tables::of_levels());
        #[cfg(feature = "cluster")]
        {
            with.capabilities_mut().cluster_endings = Some(crate::cluster::endings_by_levels::<G>);
        }
        with
    }

    /// The game is a puzzle with a solver of its own.
    #[must_use]
    pub fn with_puzzle(mut self) -> Self
    where
        G: Puzzle,
    {
        #[cfg(not(target_family = "wasm"))]
        {
            self.capabilities_mut().solitaire = Some(crate::puzzles::solitaire_fns::<G>());
        }
        self.capabilities_mut().solvers.puzzle = Some(crate::solve::solve_puzzle::<G>);
        self.capabilities_mut().levels = Some(crate::enumerate::puzzle_levels::<G>);
        self.capabilities_mut().tables = Some(crate::tablebase::Tables::of_puzzle());
        self
    }

    /// A game that starts at a position.
    pub(crate) fn hold(&self, position: Position<G>) -> Held<G> {
        Held { record: Record::new(position), listed: OnceLock::new(), common: Arc::clone(&self.common) }
    }
}

impl<G: Present> From<Adapter<G>> for Arc<dyn AnyGame> {
    fn from(adapter: Adapter<G>) -> Self {
        Arc::new(adapter)
    }
}
