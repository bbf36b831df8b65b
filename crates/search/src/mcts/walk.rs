//! One thread of the search: down the graph, a playout, and back up.

use super::MctsOptions;
use super::graph::{Edge, Graph, Node};
use crate::limits::Control;
use crate::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::playout::playout;
use tabia_core::rng::mix;
use tabia_core::{Game, Outcome, Record, SplitMix64, Value};

pub(crate) struct Walker<'a, G: Game> {
    game: &'a G,
    graph: &'a Graph<G>,
    exploration: f64,
    rng: SplitMix64,
    path: Path,
    /// The nodes on the way down, the root first.
    way: Vec<&'a Node<G::Move>>,
    buffer: Vec<G::Move>,
}

impl<'a, G: Game> Walker<'a, G> {
    pub(crate) fn new(record: &'a Record<G>, graph: &'a Graph<G>, options: &MctsOptions, id: u64) -> Self {
        Walker {
            game: record.rules(),
            graph,
            exploration: options.exploration,
            rng: SplitMix64::new(mix(options.seed ^ mix(id))),
            path: Path::new(record),
            way: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Walks until a limit is reached or the root is proven.
    pub(crate) fn run(
        &mut self,
        root: &G::State,
        control: &Control,
        playouts: &AtomicU64,
        tell: &mut dyn FnMut(u64),
    ) {
        let (mut mine, mut next_tell) = (0, 1024);
        while control.next_check(mine).is_some() && self.graph.node(0).proven() == Value::Unknown {
            self.walk(root);
            mine += 1;
            let all = playouts.fetch_add(1, Relaxed) + 1;
            if all >= next_tell {
                next_tell = all * 2;
                tell(all);
            }
        }
    }

    /// One playout.
    fn walk(&mut self, root: &G::State) {
        let mut state = root.clone();
        self.way.clear();
        let graph = self.graph;
        let mut node = graph.node(0);
        let result = loop {
            // Counted on the way down, before the result is known: a loss for now, so that other
            // threads take other ways.
            let visits = node.visits.fetch_add(1, Relaxed);
            self.way.push(node);
            if let Some(outcome) = settled(node) {
                break outcome;
            }
            if node.edges.get().is_none() {
                if visits == 0 || graph.is_full() {
                    break self.playout(&state);
                }
                graph.expand(self.game, &state, node);
            }
            let Some(edge) = self.choose(node) else { break self.playout(&state) };
            edge.visits.fetch_add(1, Relaxed);
            let progress = self.game.is_progress(&state, edge.mv);
            self.game.play(&mut state, edge.mv);
            let key = self.game.key(&state);
            self.path.push(key, progress);
            let Some(next) = graph.follow(self.game, edge, &state, key) else { break self.playout(&state) };
            let over = next.proven() != Value::Unknown;
            if !over && (self.path.repetition().is_some() || self.path.counted_out()) {
                break Outcome::Draw;
            }
            node = next;
        };
        self.back_up(result);
    }

    fn playout(&mut self, state: &G::State) -> Outcome {
        playout(self.game, state.clone(), &mut self.rng, &mut self.buffer, |_| ()).0
    }

    /// The edge with the highest upper confidence bound; one not yet tried before all others.
    fn choose(&mut self, node: &'a Node<G::Move>) -> Option<&'a Edge<G::Move>> {
        let edges = node.edges.get()?;
        let log = f64::from(node.visits.load(Relaxed).max(1)).ln();
        // Starting anywhere breaks ties at random.
        let first = self.rng.below(edges.len() as u64) as usize;
        let mut best: Option<(f64, &Edge<G::Move>)> = None;
        for edge in edges[first..].iter().chain(&edges[..first]) {
            let bound = self.bound(node, edge, log);
            if best.is_none_or(|(most, _)| bound > most) {
                best = Some((bound, edge));
            }
        }
        best.map(|(_, edge)| edge)
    }

    fn bound(&self, node: &Node<G::Move>, edge: &Edge<G::Move>, log: f64) -> f64 {
        let visits = edge.visits.load(Relaxed);
        let Some(child) = self.graph.child(edge).filter(|_| visits > 0) else { return f64::MAX };
        match self.graph.proven_behind(node, edge) {
            Value::Loss(_) => return -1.0,
            Value::Draw => return 0.5,
            _ => {}
        }
        let mean = if child.side == node.side { child.mean() } else { 1.0 - child.mean() };
        mean + self.exploration * (log / f64::from(visits)).sqrt()
    }

    /// Adds the result to all nodes of the way, and what it proves.
    fn back_up(&mut self, result: Outcome) {
        let mut proving = true;
        for node in self.way.iter().rev() {
            let points = result.winner().map_or(1, |side| if side == node.side { 2 } else { 0 });
            node.total.fetch_add(points, Relaxed);
            if proving && node.proven() == Value::Unknown {
                let value = self.graph.prove(node);
                proving = value != Value::Unknown;
                if proving {
                    node.set_proven(value);
                }
            }
        }
        (0..self.path.ply()).for_each(|_| self.path.pop());
    }
}

/// How the game ends from a node whose value is proven.
fn settled<M>(node: &Node<M>) -> Option<Outcome> {
    match node.proven() {
        Value::Unknown => None,
        Value::Draw => Some(Outcome::Draw),
        Value::Win(_) => Some(Outcome::Win(node.side)),
        Value::Loss(_) => Some(Outcome::Win(node.side.other())),
    }
}
