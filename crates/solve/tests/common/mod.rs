//! A game made of random numbers, and the plainest possible solver.
#![allow(dead_code)]

pub(crate) mod ring;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use tabia_core::rng::mix;
use tabia_core::{Game, Key, Outcome, PositionError, Side, Symmetry, Value};

/// A random graph as a game: cycles, several ends, draws, turns that do not change the mover. Seen
/// with the players exchanged it is the same game, which is its symmetry.
#[derive(Clone, Debug)]
pub(crate) struct Web {
    pub seed: u64,
    pub nodes: u64,
    pub players: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub node: u32,
    pub side: Side,
}

/// Whether the players change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Swap(pub bool);

impl Symmetry for Swap {
    const IDENTITY: Self = Swap(false);
    fn then(self, next: Self) -> Self {
        Swap(self.0 != next.0)
    }
    fn inverse(self) -> Self {
        self
    }
    fn swaps_sides(self) -> bool {
        self.0
    }
}

impl Web {
    fn random(&self, node: u32, what: u64) -> u64 {
        mix(mix(self.seed ^ (u64::from(node) << 20)) ^ what)
    }
}

impl Game for Web {
    type State = Node;
    type Move = u8;
    type Symmetry = Swap;
    type Packed = [u8; 5];
    fn id(&self) -> &str {
        "web"
    }

    fn start(&self) -> Node {
        Node { node: 0, side: Side::First }
    }
    fn side(&self, state: &Node) -> Side {
        state.side
    }
    fn outcome(&self, state: &Node) -> Option<Outcome> {
        match self.random(state.node, 1000) % 16 {
            0 => Some(Outcome::Win(state.side)),
            1 => Some(Outcome::Win(state.side.other())),
            2 => Some(Outcome::Draw),
            _ => None,
        }
    }
    fn moves(&self, state: &Node, out: &mut Vec<u8>) {
        if self.outcome(state).is_none() {
            out.extend(0..=(self.random(state.node, 2000) % 4) as u8);
        }
    }
    fn play(&self, state: &mut Node, mv: u8) {
        let dice = self.random(state.node, u64::from(mv));
        state.node = (dice % self.nodes) as u32;
        if self.players == 2 && !(dice >> 40).is_multiple_of(5) {
            state.side = state.side.other();
        }
    }
    fn key(&self, state: &Node) -> Key {
        Key(mix(u64::from(state.node) << 1 | state.side.index() as u64))
    }
    fn pack(&self, state: &Node) -> [u8; 5] {
        let mut bytes = [0; 5];
        bytes[..4].copy_from_slice(&state.node.to_be_bytes());
        bytes[4] = state.side.index() as u8;
        bytes
    }
    fn unpack(&self, packed: &[u8; 5]) -> Result<Node, PositionError> {
        let [a, b, c, d, side] = *packed;
        let side = Side::from_index(side.into()).ok_or_else(|| PositionError::rule("no such side"))?;
        Ok(Node { node: u32::from_be_bytes([a, b, c, d]), side })
    }
    fn symmetries(&self, _: &Node) -> &[Swap] {
        if self.players == 2 { &[Swap(false), Swap(true)] } else { &[Swap(false)] }
    }
    fn map_state(&self, state: &Node, symmetry: Swap) -> Node {
        Node { node: state.node, side: if symmetry.0 { state.side.other() } else { state.side } }
    }
    fn map_move(&self, mv: u8, _: Swap) -> u8 {
        mv
    }
    fn variant(&self) -> String {
        format!("web+{}+{}+{}", self.seed, self.nodes, self.players)
    }
}

pub(crate) fn children<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let after = |mv: G::Move| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        next
    };
    moves.into_iter().map(after).collect()
}

/// Every reachable position with its value, by the definition: round after round over everything,
/// without symmetry, without a graph.
pub(crate) fn naive<G: Game>(game: &G, start: &G::State) -> HashMap<G::State, Value> {
    let mut values = HashMap::new();
    let mut open = vec![start.clone()];
    while let Some(state) = open.pop() {
        if let Entry::Vacant(entry) = values.entry(state) {
            let state = entry.key();
            open.extend(children(game, state));
            let end = game.outcome(state).map(|outcome| outcome.value_for(game.side(state)));
            entry.insert(end.unwrap_or(Value::Unknown));
        }
    }
    for plies in 1.. {
        let undecided = values.iter().filter(|(_, value)| **value == Value::Unknown).map(|(state, _)| state);
        let decided: Vec<_> =
            undecided.filter_map(|s| Some((s.clone(), decide(game, s, &values, plies)?))).collect();
        if decided.is_empty() {
            break;
        }
        values.extend(decided);
    }
    values.values_mut().filter(|v| **v == Value::Unknown).for_each(|v| *v = Value::Draw);
    values
}

fn decide<G: Game>(
    game: &G,
    state: &G::State,
    values: &HashMap<G::State, Value>,
    plies: u16,
) -> Option<Value> {
    let for_mover = |child: &G::State| match values[child] {
        Value::Win(_) => Some(game.side(child) == game.side(state)),
        Value::Loss(_) => Some(game.side(child) != game.side(state)),
        _ => None,
    };
    let good: Vec<_> = children(game, state).iter().map(for_mover).collect();
    if good.contains(&Some(true)) {
        Some(Value::Win(plies))
    } else if good.iter().all(|g| *g == Some(false)) {
        Some(Value::Loss(plies))
    } else {
        None
    }
}
