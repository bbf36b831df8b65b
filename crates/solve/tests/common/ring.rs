//! A small random game with numbered positions, and a bug on demand.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use tabia_core::rng::mix;
use tabia_core::{Game, Index, Key, NoSymmetry, Outcome, PositionError, Side, Slice, Spot, Successor};

pub(crate) const NODES: u16 = 400;
const SLICE: Slice = Slice(0);

/// What is wrong with the game, at one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bug {
    None,
    /// Its encoding cannot be read back.
    Unpack(u16),
    /// Its last move is listed the first time only.
    ForgetsAMove(u16),
    /// It is named twice as a predecessor.
    ExtraPredecessor(u16),
    /// Listing its moves panics.
    Panics(u16),
    /// Listing its moves fails, as rules in another language may.
    Fails(u16),
}

/// The players take turns on a random graph. The seed and the bug are the rules; what happened is kept beside them.
#[derive(Clone, Debug)]
pub(crate) struct Ring {
    pub seed: u64,
    bug: Bug,
    listed: Arc<AtomicBool>,
    fault: Arc<OnceLock<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub node: u16,
    pub side: Side,
}

impl Ring {
    pub(crate) fn new(seed: u64, bug: Bug) -> Self {
        Ring { seed, bug, listed: Arc::default(), fault: Arc::default() }
    }

    fn random(&self, node: u16, what: u64) -> u64 {
        mix(mix(self.seed ^ (u64::from(node) << 20)) ^ what)
    }

    fn after(&self, node: u16, mv: u8) -> u16 {
        (self.random(node, u64::from(mv)) % u64::from(NODES)) as u16
    }

    fn place(spot: Spot) -> Option<Place> {
        let side = Side::from_index((spot.index % 2) as usize)?;
        let node = u16::try_from(spot.index / 2).ok().filter(|node| *node < NODES)?;
        Some(Place { node, side })
    }

    fn spot(place: Place) -> Spot {
        Spot { slice: SLICE, index: u64::from(place.node) * 2 + place.side.index() as u64 }
    }
}

impl Game for Ring {
    type State = Place;
    type Move = u8;
    type Symmetry = NoSymmetry;
    type Packed = [u8; 3];

    fn id(&self) -> &'static str {
        "ring"
    }
    fn start(&self) -> Place {
        // A node that is not over, whatever the seed.
        let going = |node: &u16| self.outcome(&Place { node: *node, side: Side::First }).is_none();
        Place { node: (0..NODES).find(going).unwrap_or(0), side: Side::First }
    }
    fn side(&self, state: &Place) -> Side {
        state.side
    }
    fn outcome(&self, state: &Place) -> Option<Outcome> {
        match self.random(state.node, 1000) % 12 {
            0 => Some(Outcome::Win(state.side)),
            1 => Some(Outcome::Win(state.side.other())),
            2 => Some(Outcome::Draw),
            _ => None,
        }
    }
    fn moves(&self, state: &Place, out: &mut Vec<u8>) {
        let mut count = 2 + (self.random(state.node, 2000) % 3) as u8;
        match self.bug {
            Bug::Panics(node) => assert!(node != state.node, "a planted panic"),
            Bug::Fails(node) if node == state.node => {
                self.fault.get_or_init(|| "a planted fault".to_owned());
                count = 0;
            }
            Bug::ForgetsAMove(node) if node == state.node => {
                count -= u8::from(self.listed.swap(true, Relaxed));
            }
            _ => {}
        }
        if self.outcome(state).is_none() {
            out.extend(0..count);
        }
    }
    fn play(&self, state: &mut Place, mv: u8) {
        *state = Place { node: self.after(state.node, mv), side: state.side.other() };
    }
    fn key(&self, state: &Place) -> Key {
        Key(mix(u64::from(state.node) << 1 | state.side.index() as u64))
    }
    fn pack(&self, state: &Place) -> [u8; 3] {
        let [high, low] = state.node.to_be_bytes();
        [high, low, state.side.index() as u8]
    }
    fn unpack(&self, &[high, low, side]: &[u8; 3]) -> Result<Place, PositionError> {
        let node = u16::from_be_bytes([high, low]);
        if self.bug == Bug::Unpack(node) {
            return Err(PositionError::rule("a planted refusal"));
        }
        let side = Side::from_index(side.into()).ok_or_else(|| PositionError::rule("no such side"))?;
        Ok(Place { node, side })
    }
    fn map_state(&self, state: &Place, _: NoSymmetry) -> Place {
        *state
    }
    fn map_move(&self, mv: u8, _: NoSymmetry) -> u8 {
        mv
    }
    fn fault(&self) -> Option<String> {
        self.fault.get().cloned()
    }
}

impl Index for Ring {
    fn slice_groups(&self, _: u32) -> Vec<Vec<Slice>> {
        vec![vec![SLICE]]
    }
    fn slice_name(&self, _: Slice) -> String {
        "ring".to_owned()
    }
    fn slice_named(&self, name: &str) -> Option<Slice> {
        (name == "ring").then_some(SLICE)
    }
    fn slice_pieces(&self, _: Slice) -> u32 {
        1
    }
    fn slice_len(&self, _: Slice) -> u64 {
        2 * u64::from(NODES)
    }
    fn locate(&self, state: &Place) -> Option<Spot> {
        Some(Self::spot(*state))
    }
    fn position(&self, spot: Spot) -> Option<Place> {
        Self::place(spot).filter(|place| self.bug != Bug::Unpack(place.node))
    }
    fn successors(&self, spot: Spot, out: &mut Vec<Successor>) {
        let Some(state) = self.position(spot) else { return };
        let mut moves = Vec::new();
        self.moves(&state, &mut moves);
        for mv in moves {
            let mut next = state;
            self.play(&mut next, mv);
            out.push(Successor::At(Self::spot(next)));
        }
    }
    fn predecessors(&self, spot: Spot, out: &mut Vec<Spot>) {
        let Some(to) = Self::place(spot) else { return };
        for node in 0..NODES {
            let from = Place { node, side: to.side.other() };
            if self.outcome(&from).is_some() {
                continue;
            }
            let count = 2 + (self.random(node, 2000) % 3) as u8;
            let ways = (0..count).filter(|mv| self.after(node, *mv) == to.node).count();
            let extra = usize::from(ways > 0 && self.bug == Bug::ExtraPredecessor(node));
            out.extend(std::iter::repeat_n(Self::spot(from), ways + extra));
        }
    }
}
