//! Played games looked at again: the worth of every position, mistakes and accuracy, one game or a file of them.
//!
//! Each position is judged by the best that is known about it: an exact solution where the game has one, then ending
//! tables, then the engine, with the same number of nodes for every position.

mod file;
mod judge;
mod views;

pub use file::{AnnotatedGame, Open};
pub use views::{AnnotationView, PlayerView, PlyView, WorthView};

use crate::adapter::Adapter;
use crate::solve::WorkError;
use crate::watch::Watch;
use crate::whole::{recorded, write_kind};
use crate::{GameText, InputError, Stop};
use judge::Judge;
use std::ops::ControlFlow;
use tabia_core::{Present, Record};
use tabia_report::Annotation;

/// Nodes for each position when nothing else is said.
pub const DEFAULT_NODES: u64 = 100_000;

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub struct AnnotateRequest {
    /// Nodes of the engine for each position that is not known exactly.
    pub nodes: u64,
    /// Threads to use; games of a file are looked at side by side.
    pub threads: usize,
}

impl Default for AnnotateRequest {
    fn default() -> Self {
        AnnotateRequest { nodes: DEFAULT_NODES, threads: 1 }
    }
}

/// A game whose played games can be looked at again.
pub trait AnnotateGame: Send + Sync {
    /// Looks at a game; `told` hears of what is known so far. One that is stopped gives that.
    fn annotate(
        &self,
        game: &GameText,
        request: &AnnotateRequest,
        stop: &Stop,
        told: &mut dyn FnMut(&AnnotationView),
    ) -> Result<AnnotationView, WorkError>;
    /// Writes a game with what was found about it as a text of a kind.
    fn write_annotated(
        &self,
        kind: &str,
        game: &GameText,
        found: &AnnotationView,
    ) -> Result<String, InputError>;
    /// Looks at all games of a file, which is opened twice: to count them, and to read them. `sink` gets each game in
    /// the order of the file, or why it was skipped. `kinds` are how games are read and how they are written.
    fn annotate_file(
        &self,
        kinds: (&str, &str),
        open: &Open<'_>,
        request: &AnnotateRequest,
        watch: &Watch<'_>,
        sink: &mut dyn FnMut(AnnotatedGame) -> ControlFlow<()>,
    ) -> Result<(), WorkError>;
}

impl<G: Present> AnnotateGame for Adapter<G> {
    fn annotate(
        &self,
        game: &GameText,
        request: &AnnotateRequest,
        stop: &Stop,
        told: &mut dyn FnMut(&AnnotationView),
    ) -> Result<AnnotationView, WorkError> {
        let game = recorded(&self.rules, game)?;
        let view = |found: &Annotation<G::Move>| views::view(&game, found, request.nodes);
        let found = self.looked_at(&game, request, stop, &mut |found| told(&view(found)))?;
        Ok(view(&found))
    }

    fn write_annotated(
        &self,
        kind: &str,
        game: &GameText,
        found: &AnnotationView,
    ) -> Result<String, InputError> {
        let mut game = recorded(&self.rules, game)?;
        let mut said = |record: &Record<G>| views::verdict(record, found);
        let found = tabia_report::annotate(game.start.clone(), &game.moves, &mut said, &mut |_| ())?;
        found.write_into(&mut game);
        write_kind(&self.rules, &self.common.capabilities, kind, &game)
    }

    fn annotate_file(
        &self,
        kinds: (&str, &str),
        open: &Open<'_>,
        request: &AnnotateRequest,
        watch: &Watch<'_>,
        sink: &mut dyn FnMut(AnnotatedGame) -> ControlFlow<()>,
    ) -> Result<(), WorkError> {
        file::annotate(self, kinds, open, request, watch, sink)
    }
}

impl<G: Present> Adapter<G> {
    /// Whether there is anybody to judge positions.
    pub(crate) fn can_annotate(&self) -> bool {
        self.rules.players() == 2 || self.common.capabilities.solvers.puzzle.is_some()
    }

    /// Looks at a game with its types.
    fn looked_at(
        &self,
        game: &tabia_core::RecordedGame<G>,
        request: &AnnotateRequest,
        stop: &Stop,
        told: &mut dyn FnMut(&Annotation<G::Move>),
    ) -> Result<Annotation<G::Move>, WorkError> {
        let mut judge = Judge::new(self, &game.start, request, stop)?;
        tabia_report::annotate(game.start.clone(), &game.moves, &mut |record| judge.verdict(record), told)
    }
}
