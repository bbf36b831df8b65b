//! A random game: positions are the nodes of a graph with cycles, drawn from a seed. Everything a
//! search can stumble over is in it: loops, repetitions, both sides moving twice, wins for either
//! side, wrong estimates, and a "pass" that leads anywhere.

use std::sync::Arc;
use std::thread::ThreadId;
use tabia_core::{
    DrawRules, Evaluate, Game, Key, NoSymmetry, Outcome, PositionError, Side, SplitMix64, Value, rng::mix,
};

#[derive(Debug)]
struct Node {
    side: Side,
    outcome: Option<Outcome>,
    next: Vec<u16>,
    estimate: i32,
}

#[derive(Clone, Debug)]
pub(crate) struct Graph {
    nodes: Arc<Vec<Node>>,
    /// Whether searches may prune on guesses.
    pub(crate) reductions: bool,
    pub(crate) draws: DrawRules,
    /// A planted bug.
    pub(crate) trap: Option<Trap>,
}

/// Listing the moves of a position (of any, where none is named) panics, but on one thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trap {
    pub(crate) at: Option<u16>,
    pub(crate) spared: Option<ThreadId>,
}

impl Graph {
    /// A game of `size` positions; with `alternating`, the sides take turns.
    pub(crate) fn random(seed: u64, size: u16, alternating: bool) -> Self {
        let mut rng = SplitMix64::new(seed);
        let side = |at: u16, rng: &mut SplitMix64| {
            let bit = if alternating { u64::from(at % 2) } else { rng.below(2) };
            Side::from_index(bit as usize).unwrap()
        };
        let mut nodes: Vec<Node> = (0..size)
            .map(|at| Node {
                side: side(at, &mut rng),
                outcome: None,
                next: Vec::new(),
                estimate: rng.below(400) as i32 - 200,
            })
            .collect();
        for at in 0..size {
            let node = &mut nodes[usize::from(at)];
            if rng.below(8) == 0 {
                let winner = Side::from_index(rng.below(2) as usize).unwrap();
                node.outcome = Some(if rng.below(5) == 0 { Outcome::Draw } else { Outcome::Win(winner) });
                continue;
            }
            for _ in 0..=rng.below(4) {
                // Near nodes mostly, so that wins are far away.
                let far = rng.below(6) == 0;
                let step = if far { rng.below(u64::from(size)) } else { rng.below(9) } as u16;
                let mut to = (at + size + step - if far { 0 } else { 4 }) % size;
                if alternating && to % 2 == at % 2 {
                    to = (to + 1) % size;
                }
                if to != at && !node.next.contains(&to) {
                    node.next.push(to);
                }
            }
            if node.next.is_empty() {
                node.next.push((at + 1) % size);
            }
        }
        Graph { nodes: Arc::new(nodes), reductions: false, draws: DrawRules::NONE, trap: None }
    }

    pub(crate) fn positions(&self) -> std::ops::Range<u16> {
        0..self.nodes.len() as u16
    }

    /// The exact values, by looking at every position again and again.
    pub(crate) fn solve(&self) -> Vec<Value> {
        let start = |n: &Node| n.outcome.map_or(Value::Unknown, |outcome| outcome.value_for(n.side));
        let mut values: Vec<Value> = self.nodes.iter().map(start).collect();
        for distance in 1..self.nodes.len() as u16 {
            let before = values.clone();
            for (at, node) in self.nodes.iter().enumerate().filter(|(at, _)| before[*at] == Value::Unknown) {
                let after = |&to: &u16| {
                    before[usize::from(to)].one_ply_earlier_for(node.side == self.nodes[usize::from(to)].side)
                };
                let next: Vec<Value> = node.next.iter().map(after).collect();
                if next.contains(&Value::Win(distance)) {
                    values[at] = Value::Win(distance);
                } else if next.iter().all(|value| matches!(value, Value::Loss(_))) {
                    values[at] = Value::Loss(distance);
                }
            }
        }
        values.into_iter().map(|value| if value == Value::Unknown { Value::Draw } else { value }).collect()
    }
}

impl Game for Graph {
    type State = u16;
    type Move = u16;
    type Symmetry = NoSymmetry;
    type Packed = [u8; 2];
    fn id(&self) -> &str {
        "graph"
    }

    fn start(&self) -> u16 {
        0
    }
    fn side(&self, state: &u16) -> Side {
        self.nodes[usize::from(*state)].side
    }
    fn outcome(&self, state: &u16) -> Option<Outcome> {
        self.nodes[usize::from(*state)].outcome
    }
    fn moves(&self, state: &u16, out: &mut Vec<u16>) {
        let sprung = |trap: Trap| {
            trap.at.is_none_or(|at| at == *state) && trap.spared != Some(std::thread::current().id())
        };
        assert!(!self.trap.is_some_and(sprung), "planted: the moves of position {state}");
        out.extend(&self.nodes[usize::from(*state)].next);
    }
    fn play(&self, state: &mut u16, mv: u16) {
        *state = mv;
    }
    fn key(&self, state: &u16) -> Key {
        Key(mix(u64::from(*state) + 1))
    }
    fn pack(&self, state: &u16) -> [u8; 2] {
        state.to_le_bytes()
    }
    fn unpack(&self, packed: &[u8; 2]) -> Result<u16, PositionError> {
        Ok(u16::from_le_bytes(*packed))
    }
    fn map_state(&self, state: &u16, _: NoSymmetry) -> u16 {
        *state
    }
    fn map_move(&self, mv: u16, _: NoSymmetry) -> u16 {
        mv
    }
    fn draw_rules(&self) -> DrawRules {
        self.draws
    }
}

impl Evaluate for Graph {
    fn move_slots(&self) -> usize {
        64
    }
    fn evaluate(&self, state: &u16) -> i32 {
        self.nodes[usize::from(*state)].estimate
    }
    fn is_noisy(&self, state: &u16, mv: u16) -> bool {
        (state ^ mv).is_multiple_of(5)
    }
    fn must_resolve(&self, state: &u16) -> bool {
        state.is_multiple_of(7)
    }
    fn pass(&self, state: &u16) -> Option<u16> {
        let to = (state + 17) % self.nodes.len() as u16;
        (self.reductions && self.nodes[usize::from(to)].side != self.side(state)).then_some(to)
    }
    fn allows_reductions(&self) -> bool {
        self.reductions
    }

    fn singles_out(&self) -> bool {
        true
    }
    fn move_slot(&self, _: &u16, mv: u16) -> usize {
        usize::from(mv) % 64
    }
}
