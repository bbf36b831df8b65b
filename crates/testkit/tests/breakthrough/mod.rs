//! Breakthrough as somebody new to Tabia would write it, on boards of several sizes, with bugs to plant.
//!
//! Men step straight or diagonally forward and capture diagonally; a man on the last row wins, and so does
//! whoever has taken all. Player 0 (`x`) starts on the two rows at the top.

mod text;
mod view;

use tabia_core::{Evaluate, Game, Key, MirrorSwap, Outcome, PositionError, RuleError, Side, ZobristTable};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum Bug {
    WhitesView, SlotOutOfRange, OneVariant, StepsReversed, HalfThePicture, RareEnding, KeyForgetsCapture,
    PackForgetsTurn, UnpackTakesAnything, MoveNotMirrored, MovesAfterTheEnd, MoveTextAmbiguous,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Breakthrough {
    pub(crate) size: usize,
    pub(crate) bug: Option<Bug>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: [u64; 2],
    turn: Side,
    key: Key,
}

/// From and to, cells numbered row by row.
pub(crate) type Move = (u8, u8);

static KEYS: ZobristTable<36, 2> = ZobristTable::from_seed(0xb7);
const TURN: Key = Key(0x9e37_79b9_7f4a_7c15);

impl State {
    fn new(men: [u64; 2], turn: Side) -> State {
        let placed = (0..72).filter(|i| men[i / 36] >> (i % 36) & 1 == 1);
        let key = KEYS.hash(placed.map(|i| (i % 36, i / 36)));
        State { men, turn, key: if turn == Side::First { key } else { key ^ TURN } }
    }
}

impl Breakthrough {
    fn has(self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }
    fn validated(self, men: [u64; 2], turn: Side) -> Result<State, PositionError> {
        let many = men.iter().any(|men| men.count_ones() as usize > 2 * self.size);
        let outside = (men[0] | men[1]) >> (self.size * self.size) != 0 || men[0] & men[1] != 0;
        let broken = [(many, "too many men"), (outside, "men outside the board or on top of each other")];
        let broken: Vec<_> = broken.iter().filter(|rule| rule.0).map(|rule| RuleError::new(rule.1)).collect();
        if broken.is_empty() { Ok(State::new(men, turn)) } else { Err(PositionError::Rules(broken)) }
    }
    fn row(self, row: usize) -> u64 {
        ((1 << self.size) - 1) << (row * self.size)
    }
    fn cell(self, cell: u8, symmetry: MirrorSwap) -> u8 {
        let (row, column) = (usize::from(cell) / self.size, usize::from(cell) % self.size);
        let column = if symmetry.mirrors() { self.size - 1 - column } else { column };
        let row = if symmetry.swaps() { self.size - 1 - row } else { row };
        (row * self.size + column) as u8
    }
    fn name(self, cell: u8) -> String {
        let (row, column) = (usize::from(cell) / self.size, usize::from(cell) % self.size);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }
}

impl Game for Breakthrough {
    type State = State;
    type Move = Move;
    type Symmetry = MirrorSwap;
    type Packed = [u8; 10];

    fn id(&self) -> &'static str {
        "breakthrough"
    }
    fn start(&self) -> State {
        let men = [[0, 1], [self.size - 2, self.size - 1]].map(|[a, b]| self.row(a) | self.row(b));
        State::new(men, Side::First)
    }
    fn side(&self, state: &State) -> Side {
        state.turn
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let taken = |side: Side| state.men[side.other().index()] == 0 && !self.has(Bug::RareEnding);
        let last = [self.row(self.size - 1), self.row(0)];
        let won = |side: Side| state.men[side.index()] & last[side.index()] != 0 || taken(side);
        Side::ALL.into_iter().find(|&side| won(side)).map(Outcome::Win)
    }
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if self.outcome(state).is_some() && !self.has(Bug::MovesAfterTheEnd) {
            return;
        }
        let [own, other] = [state.turn, state.turn.other()].map(|side| state.men[side.index()]);
        let size = self.size as i32;
        for from in (0..size * size).filter(|from| own >> from & 1 == 1) {
            let row = from / size + if state.turn == Side::First { 1 } else { -1 };
            for column in (from % size - 1..=from % size + 1).filter(|column| (0..size).contains(column)) {
                let to = row * size + column;
                let blocked = if column == from % size { own | other } else { own };
                if (0..size).contains(&row) && blocked >> to & 1 == 0 {
                    out.push((from as u8, to as u8));
                }
            }
        }
    }
    fn play(&self, state: &mut State, (from, to): Move) {
        let (own, other) = (state.turn.index(), state.turn.other().index());
        if state.men[other] >> to & 1 == 1 && !self.has(Bug::KeyForgetsCapture) {
            state.key ^= KEYS.key(to.into(), other);
        }
        state.men[other] &= !(1 << to);
        state.men[own] ^= 1 << from | 1 << to;
        state.key ^= KEYS.key(from.into(), own) ^ KEYS.key(to.into(), own) ^ TURN;
        state.turn = state.turn.other();
    }
    fn key(&self, state: &State) -> Key {
        state.key
    }
    fn pack(&self, state: &State) -> [u8; 10] {
        let turn = if self.has(Bug::PackForgetsTurn) { 0 } else { state.turn.index() as u128 };
        let bits = u128::from(state.men[0]) | u128::from(state.men[1]) << 36 | turn << 72;
        std::array::from_fn(|i| (bits >> (8 * i)) as u8)
    }
    fn unpack(&self, packed: &[u8; 10]) -> Result<State, PositionError> {
        let bits = (0..10).fold(0, |bits, i| bits | u128::from(packed[i]) << (8 * i));
        if bits >> 73 != 0 && !self.has(Bug::UnpackTakesAnything) {
            return Err(PositionError::rule("bits after the last"));
        }
        let men = [0, 36].map(|at| (bits >> at) as u64 & ((1 << 36) - 1));
        self.validated(men, Side::ALL[(bits >> 72) as usize & 1])
    }
    fn symmetries(&self, _: &State) -> &[MirrorSwap] {
        &MirrorSwap::ALL
    }
    fn map_state(&self, state: &State, symmetry: MirrorSwap) -> State {
        let cells =
            |men: u64| (0..36).filter(|cell| men >> cell & 1 == 1).map(|c| 1 << self.cell(c, symmetry)).sum();
        let [a, b] = state.men.map(cells);
        if symmetry.swaps() { State::new([b, a], state.turn.other()) } else { State::new([a, b], state.turn) }
    }
    fn map_move(&self, (from, to): Move, symmetry: MirrorSwap) -> Move {
        let through = if self.has(Bug::MoveNotMirrored) { MirrorSwap::SWAP } else { symmetry };
        (self.cell(from, symmetry), self.cell(to, through))
    }
    fn variant(&self) -> String {
        let usual = self.size == 5 || self.has(Bug::OneVariant);
        if usual { self.id().to_owned() } else { format!("{}+{}", self.id(), self.size) }
    }
    fn from_variant(&self, variant: &str) -> Result<Self, PositionError> {
        let sizes = [5, 4, 6].map(|size| Breakthrough { size, ..*self });
        sizes.into_iter().find(|rules| rules.variant() == variant).ok_or_else(|| self.no_variant(variant))
    }
}

impl Evaluate for Breakthrough {
    fn evaluate(&self, state: &State) -> i32 {
        let side = if self.has(Bug::WhitesView) { Side::First } else { state.turn };
        let [own, other] = [side, side.other()].map(|side| state.men[side.index()].count_ones() as i32);
        100 * (own - other)
    }
    fn is_noisy(&self, state: &State, (_, to): Move) -> bool {
        state.men[state.turn.other().index()] >> to & 1 == 1
    }
    fn move_slot(&self, _: &State, (from, to): Move) -> usize {
        usize::from(from) * 36 + usize::from(to) + if self.has(Bug::SlotOutOfRange) { 36 * 30 } else { 0 }
    }
    fn move_slots(&self) -> usize {
        36 * 36
    }
}
