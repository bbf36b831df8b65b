//! One thread of the search: down the graph, a playout, and back up.

use super::MctsOptions;
use super::graph::{DRAWN, Edge, Graph, Node, Reserve, WON};
use super::seer::Seer;
use crate::limits::Control;
use crate::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabia_core::playout::playout;
use tabia_core::rng::mix;
use tabia_core::{Game, Outcome, Record, Side, SplitMix64, Value};

/// Walks after which the others are told of what was counted, where there are others.
const TOLD_AFTER: u32 = 16;
/// A node is busy from so many visits on for each thread: its counts may be late by a small share of them.
const BUSY: u32 = 512;

/// How much moves that look good are preferred.
const ATTENTION: f64 = 1.5;
/// How much worse than its position a move is expected to be before it is tried.
const UNTRIED: f64 = 0.1;

/// What one thread has counted at busy nodes and not yet told the others. All threads come through the nodes near the root, and a
/// counter that all of them change with every walk costs more than a short playout.
struct Ledger<'a, M> {
    nodes: Vec<(&'a Node<M>, u32, i64)>,
    edges: Vec<(&'a Edge<M>, u32)>,
    /// Nodes with so many visits are busy.
    busy: u32,
}

impl<'a, M> Ledger<'a, M> {
    fn is_busy(&self, node: &Node<M>) -> bool {
        node.visits.load(Relaxed) >= self.busy
    }

    fn add_edge(&mut self, edge: &'a Edge<M>) {
        match self.edges.iter_mut().find(|(other, _)| std::ptr::eq(*other, edge)) {
            Some((_, visits)) => *visits += 1,
            None => self.edges.push((edge, 1)),
        }
    }

    fn add_node(&mut self, node: &'a Node<M>, points: i64) {
        match self.nodes.iter_mut().find(|(other, ..)| std::ptr::eq(*other, node)) {
            Some((_, visits, total)) => (*visits, *total) = (*visits + 1, *total + points),
            None => self.nodes.push((node, 1, points)),
        }
    }

    fn tell(&mut self) {
        for (node, visits, total) in self.nodes.drain(..) {
            node.visits.fetch_add(visits, Relaxed);
            node.total.fetch_add(total, Relaxed);
        }
        for (edge, visits) in self.edges.drain(..) {
            edge.visits.fetch_add(visits, Relaxed);
        }
    }
}

pub(crate) struct Walker<'a, G: Game> {
    game: &'a G,
    graph: &'a Graph<G>,
    exploration: f64,
    rng: SplitMix64,
    path: Path,
    /// The nodes on the way down, the root first, and whether they were busy.
    way: Vec<(&'a Node<G::Move>, bool)>,
    ledger: Ledger<'a, G::Move>,
    reserve: Reserve,
    told_after: u32,
    buffer: Vec<G::Move>,
    /// Who judges positions in the place of playouts.
    seer: Option<Box<dyn Seer<G> + 'a>>,
}

/// What a walk came to: points for one side, the rest for the other.
#[derive(Clone, Copy)]
struct Result {
    side: Side,
    points: i64,
}

impl Result {
    fn of(outcome: Outcome) -> Self {
        let points = outcome.winner().map_or(DRAWN, |_| WON);
        Result { side: outcome.winner().unwrap_or(Side::First), points }
    }

    fn points_for(self, side: Side) -> i64 {
        if side == self.side { self.points } else { WON - self.points }
    }
}

impl<'a, G: Game> Walker<'a, G> {
    pub(crate) fn new(
        record: &'a Record<G>,
        graph: &'a Graph<G>,
        options: &MctsOptions,
        id: u64,
        seer: Option<Box<dyn Seer<G> + 'a>>,
    ) -> Self {
        let alone = options.threads == 1;
        let busy = if alone { u32::MAX } else { BUSY * options.threads as u32 };
        Walker {
            game: record.rules(),
            graph,
            exploration: options.exploration,
            rng: SplitMix64::new(mix(options.seed ^ mix(id))),
            path: Path::new(record),
            way: Vec::new(),
            ledger: Ledger { nodes: Vec::new(), edges: Vec::new(), busy },
            reserve: Reserve::default(),
            told_after: if alone { 1 } else { TOLD_AFTER },
            buffer: Vec::new(),
            seer,
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
        let (mut mine, mut untold, mut next_tell) = (0, 0, 1024);
        while control.next_check(mine).is_some() && self.graph.node(0).proven() == Value::Unknown {
            self.walk(root);
            mine += 1;
            untold += 1;
            if untold < self.told_after {
                continue;
            }
            let all = self.settle(playouts, &mut untold);
            if all >= next_tell {
                next_tell = all * 2;
                tell(all);
            }
        }
        self.settle(playouts, &mut untold);
    }

    /// Tells the others what was counted; the playouts of all.
    fn settle(&mut self, playouts: &AtomicU64, untold: &mut u32) -> u64 {
        self.ledger.tell();
        self.graph.settle(&mut self.reserve);
        let mine = u64::from(std::mem::take(untold));
        playouts.fetch_add(mine, Relaxed) + mine
    }

    /// One playout.
    fn walk(&mut self, root: &G::State) {
        let mut state = root.clone();
        self.way.clear();
        let graph = self.graph;
        let mut node = graph.node(0);
        let result = loop {
            let busy = self.ledger.is_busy(node);
            // Counted on the way down, before the result is known: a loss for now, so that other
            // threads take other ways.
            let visits = if busy { self.ledger.busy } else { node.visits.fetch_add(1, Relaxed) };
            self.way.push((node, busy));
            if let Some(outcome) = settled(node) {
                break Result::of(outcome);
            }
            if node.edges.get().is_none() {
                if (visits == 0 || graph.is_full()) && self.way.len() > 1 {
                    break self.leaf(&state);
                }
                let seer = self.seer.as_deref_mut();
                node.expand(self.game, &state, seer, &mut self.reserve);
            }
            let Some(edge) = self.choose(node) else { break self.leaf(&state) };
            if busy {
                self.ledger.add_edge(edge);
            } else {
                edge.visits.fetch_add(1, Relaxed);
            }
            let progress = self.game.is_progress(&state, edge.mv);
            self.game.play(&mut state, edge.mv);
            let key = self.game.key(&state);
            self.path.push(key, progress);
            let next = graph.follow(self.game, edge, &state, key, &mut self.reserve);
            let Some(next) = next else { break self.leaf(&state) };
            let over = next.proven() != Value::Unknown;
            if !over && (self.path.repetition().is_some() || self.path.counted_out()) {
                break Result::of(Outcome::Draw);
            }
            node = next;
        };
        self.back_up(result);
    }

    /// What a position is worth where the graph ends.
    fn leaf(&mut self, state: &G::State) -> Result {
        match &mut self.seer {
            Some(seer) => {
                let points = (seer.value(state) * WON as f64).round() as i64;
                Result { side: self.game.side(state), points }
            }
            None => Result::of(playout(self.game, state.clone(), &mut self.rng, &mut self.buffer, |_| ()).0),
        }
    }

    /// The edge with the highest upper confidence bound; one not yet tried before all others.
    fn choose(&mut self, node: &'a Node<G::Move>) -> Option<&'a Edge<G::Move>> {
        let edges = node.edges.get()?;
        let visits = f64::from(node.visits.load(Relaxed).max(1));
        let drive = if self.seer.is_some() { visits.sqrt() } else { visits.ln() };
        // Starting anywhere breaks ties at random.
        let first = self.rng.below(edges.len() as u64) as usize;
        let mut best: Option<(f64, &Edge<G::Move>)> = None;
        for edge in edges[first..].iter().chain(&edges[..first]) {
            let bound = self.bound(node, edge, drive);
            if best.is_none_or(|(most, _)| bound > most) {
                best = Some((bound, edge));
            }
        }
        best.map(|(_, edge)| edge)
    }

    fn bound(&self, node: &Node<G::Move>, edge: &Edge<G::Move>, drive: f64) -> f64 {
        let visits = edge.visits.load(Relaxed);
        let attention = ATTENTION * f64::from(edge.prior) * drive / (1.0 + f64::from(visits));
        let Some(child) = self.graph.child(edge).filter(|_| visits > 0) else {
            // What nobody has tried is expected to be a little worse than what was.
            return if self.seer.is_some() { node.mean() - UNTRIED + attention } else { f64::MAX };
        };
        match self.graph.proven_behind(node, edge) {
            Value::Loss(_) => return -1.0,
            Value::Draw => return 0.5,
            _ => {}
        }
        let mean = if child.side == node.side { child.mean() } else { 1.0 - child.mean() };
        let curiosity = if self.seer.is_some() {
            attention
        } else {
            self.exploration * (drive / f64::from(visits)).sqrt()
        };
        mean + curiosity
    }

    /// Adds the result to all nodes of the way, and what it proves.
    fn back_up(&mut self, result: Result) {
        let mut proving = true;
        for &(node, busy) in self.way.iter().rev() {
            let points = result.points_for(node.side);
            if busy {
                self.ledger.add_node(node, points);
            } else {
                node.total.fetch_add(points, Relaxed);
            }
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
