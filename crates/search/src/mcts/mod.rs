//! Monte-Carlo tree search: playouts guided by what earlier playouts came to.
//!
//! UCT over the graph of positions: a position reached in two ways is one node, whose mean is shared,
//! while the visits that drive exploration are counted for each edge. Proven results are backed up as
//! soon as they are met, so that a forced win near the root is found as one. It needs nothing but the
//! rules, so it serves any new game.
//!
//! Where an evaluation is at hand ([`Mcts::judged`]), it takes the place of playouts: captures are played out and the
//! position after them is judged, and moves that look good are tried first (PUCT).
//!
//! What it cannot see: a node stands for a position, not for the way there. A repetition on the way
//! down ends a playout as a draw, as do the counts of the record, but a proven win does not consider
//! that a count may run out before it is reached. Distances of proven results are bounds, not always
//! the shortest. Positions are told apart by their 64-bit key.

mod graph;
mod seer;
mod walk;

use crate::limits::{Control, FinishOnDrop};
use crate::{Limits, Line, Report, Score, SearchOptions, Stop, TableStats};
use graph::{Apart, Graph};
use seer::{Seer, Sight};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::{Evaluate, Game, Judges, Record, threads};
use walk::Walker;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// Threads to use; at least one is.
    pub threads: usize,
    /// Bytes the graph may take; when they are used up it grows no more, and playouts go on.
    pub memory: usize,
    /// How much to explore: 0.7 to 1.4 serve most games.
    pub exploration: f64,
    /// Starts the random numbers; with one thread the same seed gives the same search.
    pub seed: u64,
}

impl Default for MctsOptions {
    fn default() -> Self {
        MctsOptions { threads: 1, memory: 256 << 20, exploration: 0.9, seed: 1 }
    }
}

/// A Monte-Carlo engine.
#[derive(Clone, Copy, Debug)]
pub struct Mcts {
    options: MctsOptions,
}

impl Mcts {
    /// An engine.
    pub fn new(options: MctsOptions) -> Self {
        Mcts { options: MctsOptions { threads: options.threads.max(1), ..options } }
    }

    /// Searches the position at the end of `record`; `progress` hears each time the playouts double.
    /// The node limit counts playouts; a depth limit is not used. A panic of the rules in any thread is a
    /// panic of the search.
    pub fn search<G: Game>(
        &self,
        record: &Record<G>,
        limits: &Limits,
        stop: &Stop,
        progress: impl FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.run(record, limits, stop, progress, &|| None)
    }

    /// The same with an evaluation in the place of playouts.
    pub fn judged<G: Evaluate>(
        &self,
        record: &Record<G>,
        judges: &dyn Judges<G>,
        limits: &Limits,
        stop: &Stop,
        progress: impl FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        // The limit of nodes is one of playouts: it does not count the captures below them.
        let control = Control::new(&Limits { nodes: None, ..*limits }, stop, 1);
        let options = SearchOptions::default();
        let seer = || Some(Box::new(Sight::new(record, judges, &control, &options)) as Box<dyn Seer<G> + '_>);
        self.run(record, limits, stop, progress, &seer)
    }

    /// Every thread gets a seer of its own, or none: then it plays out.
    fn run<'s, G: Game>(
        &self,
        record: &Record<G>,
        limits: &Limits,
        stop: &Stop,
        mut progress: impl FnMut(&Report<G::Move>),
        seer: &(dyn Fn() -> Option<Box<dyn Seer<G> + 's>> + Sync),
    ) -> Report<G::Move> {
        let (game, state) = (record.rules(), record.state());
        if let Some(outcome) = game.settled(state) {
            let value = crate::score::finished(outcome, game.side(state), 0);
            return Report::over(Score::from_raw(value, true));
        }
        let control = Control::new(limits, stop, self.options.threads);
        let graph = Graph::new(game, state, self.options.memory);
        let Apart(playouts) = &Apart(AtomicU64::new(0));
        let walker = |id: usize| Walker::new(record, &graph, &self.options, id as u64, seer());
        let helper = |helper| {
            let all = FinishOnDrop(&control);
            walker(helper + 1).run(state, &control, playouts, &mut |_| ());
            // Only a panic ends it for all: who has played his share leaves the others to theirs.
            std::mem::forget(all);
        };
        threads::beside(self.options.threads - 1, helper, || {
            let _all = FinishOnDrop(&control);
            let mut tell = |playouts| progress(&report(record, &graph, playouts, &control));
            walker(0).run(state, &control, playouts, &mut tell);
        });
        report(record, &graph, playouts.load(Relaxed), &control)
    }
}

fn report<G: Game>(
    record: &Record<G>,
    graph: &Graph<G>,
    playouts: u64,
    control: &Control,
) -> Report<G::Move> {
    let (line, score) = graph.answer(record);
    Report {
        score,
        exact: score == Score::Draw,
        depth: line.len() as u32,
        lines: vec![Line { moves: line, score }],
        nodes: playouts,
        seconds: control.seconds(),
        table: TableStats::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;
    use tabia_core::{Judge, Key, Position, SplitMix64};
    use tabia_draughts::{Draughts, State};

    /// Judges as the game itself does.
    struct Plain;

    impl Judges<Draughts> for Plain {
        fn judge(&self) -> Box<dyn Judge<Draughts> + '_> {
            Box::new(Plain)
        }
    }

    impl Judge<Draughts> for Plain {
        fn judge(&mut self, state: &State, _: usize, _: Option<Key>) -> i32 {
            Draughts::default().evaluate(state)
        }
    }

    /// What moves deserve adds up to one, and what a position is worth is a share; a side without pieces left has none.
    #[test]
    fn a_seer_deals_in_shares() {
        let game = Draughts::default();
        let record = Record::new(Position { rules: game, state: game.start() });
        let (control, options) =
            (Control::new(&Limits::default(), &Stop::new(), 1), SearchOptions::default());
        let mut sight = Sight::new(&record, &Plain, &control, &options);
        let (mut rng, mut moves, mut state) = (SplitMix64::new(3), Vec::new(), game.start());
        while let Some(mv) = game.random_move(&state, &mut rng, &mut Vec::new()) {
            moves.clear();
            game.moves(&state, &mut moves);
            let priors = sight.priors(&state, &moves);
            assert_eq!(priors.len(), moves.len());
            assert!(
                (priors.iter().sum::<f32>() - 1.0).abs() < 1e-4 && priors.iter().all(|&prior| prior >= 0.0)
            );
            assert!((0.0..=1.0).contains(&sight.value(&state)));
            game.play(&mut state, mv);
        }
        assert!(sight.value(&state).abs() < f64::EPSILON);
    }

    /// What threads tell late is told once and not lost: every walk passes the root and one of its edges.
    #[test]
    fn every_walk_is_counted_once() {
        let game = Draughts::default();
        let record = Record::new(Position { rules: game, state: game.start() });
        let options = MctsOptions { threads: 2, ..MctsOptions::default() };
        let control = Control::new(&Limits::nodes(6_000), &Stop::new(), 2);
        let (graph, playouts) = (Graph::new(&game, record.state(), 64 << 20), AtomicU64::new(0));
        let walk = |id| {
            Walker::new(&record, &graph, &options, id, None).run(
                record.state(),
                &control,
                &playouts,
                &mut |_| (),
            );
        };
        threads::beside(1, |_| walk(1), || walk(0));
        let root = graph.node(0);
        let edges = root.edges.get().expect("it was visited");
        assert_eq!(playouts.load(Relaxed), 6_000);
        assert_eq!(root.visits.load(Relaxed), 6_000);
        assert_eq!(edges.iter().map(|edge| edge.visits.load(Relaxed)).sum::<u32>(), 6_000);
    }
}
