//! The rules as a value.

use crate::legality;
use crate::movegen;
use crate::moves::Move;
use crate::pack::{self, PackedState};
use crate::state::State;
use crate::symmetry::{self, HalfTurn};
use tabia_core::{Canonical, DrawRules, Game, Key, Outcome, PositionError, RuleError, Side, SplitMix64};

/// When two captures are different moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counting {
    /// When the piece goes another way, even to the same end. Published perft numbers count so.
    #[default]
    Routes,
    /// When they start, end or capture differently: one move for each resulting position of a piece.
    Unique,
}

/// The rules of English draughts, with a way of counting moves.
///
/// ```
/// use tabia_core::{Game, Work, perft};
/// use tabia_draughts::Draughts;
///
/// let rules = Draughts::default();
/// let nodes = perft::perft(&rules, &rules.start(), 6, perft::PerftOptions::default(), &Work::unwatched(1));
/// assert_eq!(nodes, Ok(36768));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Draughts {
    /// When two captures are different moves.
    pub counting: Counting,
}

impl Game for Draughts {
    type State = State;
    type Move = Move;
    type Symmetry = HalfTurn;
    type Packed = PackedState;

    fn id(&self) -> &str {
        "draughts"
    }

    fn start(&self) -> State {
        State::START
    }

    #[inline]
    fn side(&self, state: &State) -> Side {
        state.turn().side()
    }

    /// The side that cannot move has lost.
    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if movegen::any(state) { None } else { Some(Outcome::Win(state.turn().other().side())) }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        movegen::list(state, self.counting, out);
    }

    #[inline(always)]
    fn count_moves(&self, state: &State) -> u64 {
        movegen::count(state, self.counting)
    }

    #[inline]
    fn count_pairs(&self, state: &State, buffer: &mut Vec<Move>) -> u64 {
        movegen::count_pairs(state, self.counting, buffer)
    }

    fn count_below(
        &self,
        state: &State,
        depth: u32,
        buffers: &mut [Vec<Move>],
        ended: &dyn Fn() -> bool,
    ) -> u64 {
        tabia_core::perft::below(self, state, depth, buffers, ended)
    }

    #[inline(always)]
    fn random_move(&self, state: &State, rng: &mut SplitMix64, buffer: &mut Vec<Move>) -> Option<Move> {
        movegen::random(state, self.counting, rng, buffer)
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        state.play(mv);
    }

    fn check_move(&self, state: &State, mv: Move) -> Result<(), RuleError> {
        legality::check(self, state, mv)
    }

    /// From, to and route, however moves are listed and counted.
    #[inline]
    fn move_number(&self, _state: &State, mv: Move) -> Option<u64> {
        Some(mv.number())
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        state.key()
    }

    #[inline]
    fn pack(&self, state: &State) -> PackedState {
        pack::pack(state)
    }

    #[inline]
    fn unpack(&self, packed: &PackedState) -> Result<State, PositionError> {
        pack::unpack(packed)
    }

    fn symmetries(&self, _state: &State) -> &[HalfTurn] {
        &symmetry::ALL
    }

    #[inline]
    fn map_state(&self, state: &State, symmetry: HalfTurn) -> State {
        if symmetry.swaps() { state.turned() } else { *state }
    }

    #[inline]
    fn map_move(&self, mv: Move, symmetry: HalfTurn) -> Move {
        if symmetry.swaps() { mv.turned() } else { mv }
    }

    /// The image with Black to move.
    #[inline]
    fn canonicalise(&self, state: &State) -> Canonical<State, HalfTurn> {
        let symmetry = symmetry::ALL[state.turn() as usize];
        Canonical { state: self.map_state(state, symmetry), symmetry }
    }

    /// Third repetition, or 40 moves by each side without a capture or a man's move.
    fn draw_rules(&self) -> DrawRules {
        DrawRules { repetitions: Some(3), quiet_plies: Some(80), total_plies: None }
    }

    #[inline]
    fn is_progress(&self, state: &State, mv: Move) -> bool {
        mv.is_capture() || state.kings() >> mv.from_index() & 1 == 0
    }

    /// Pieces are taken, and never come back.
    fn stratum(&self, state: &State) -> Option<u32> {
        Some((state.black() | state.white()).count_ones())
    }
}
