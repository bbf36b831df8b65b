//! The rules as a value: [`Game`] for [`Arx`].

use crate::{ArxSymmetry, Move, State, legality, movegen, pack, symmetry};
use tabia_core::{Canonical, DrawRules, Game, Key, Outcome, PositionError, RuleError, Side, SplitMix64};

/// The rules of Arx. Nothing varies, so there is only one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Arx;

impl Game for Arx {
    type State = State;
    type Move = Move;
    type Symmetry = ArxSymmetry;
    type Packed = pack::Packed;

    fn id(&self) -> &str {
        "arx"
    }

    /// A Soldier that stepped onto a piece can be carried back.
    fn progress_is_final(&self) -> bool {
        false
    }

    fn start(&self) -> State {
        State::start()
    }

    #[inline]
    fn side(&self, state: &State) -> Side {
        state.side()
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        match Side::ALL.map(|side| state.king(side) != 0) {
            [true, true] if movegen::any(state) => None,
            [true, false] => Some(Outcome::Win(Side::First)),
            [false, true] => Some(Outcome::Win(Side::Second)),
            _ => Some(Outcome::Draw),
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        movegen::list(state, out);
    }

    #[inline]
    fn count_moves(&self, state: &State) -> u64 {
        movegen::count(state)
    }

    fn count_pairs(&self, state: &State, buffer: &mut Vec<Move>) -> u64 {
        movegen::count_pairs(state, buffer)
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

    #[inline]
    fn random_move(&self, state: &State, rng: &mut SplitMix64, buffer: &mut Vec<Move>) -> Option<Move> {
        movegen::random(state, rng, buffer)
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // as what it calls
    fn play(&self, state: &mut State, mv: Move) {
        state.play(mv);
    }

    fn check_move(&self, state: &State, mv: Move) -> Result<(), RuleError> {
        legality::check(state, mv)
    }

    /// The 16-bit code of the move.
    #[inline]
    fn move_number(&self, _state: &State, mv: Move) -> Option<u64> {
        Some(mv.code().into())
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        state.key()
    }

    fn pack(&self, state: &State) -> pack::Packed {
        pack::pack(state)
    }

    fn unpack(&self, packed: &pack::Packed) -> Result<State, PositionError> {
        pack::unpack(packed)
    }

    fn symmetries(&self, _state: &State) -> &[ArxSymmetry] {
        &ArxSymmetry::ALL
    }

    fn map_state(&self, state: &State, symmetry: ArxSymmetry) -> State {
        symmetry::map_state(state, symmetry)
    }

    fn map_move(&self, mv: Move, symmetry: ArxSymmetry) -> Move {
        symmetry::map_move(mv, symmetry)
    }

    fn canonicalise(&self, state: &State) -> Canonical<State, ArxSymmetry> {
        symmetry::canonicalise(state)
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules { repetitions: Some(3), quiet_plies: Some(100), total_plies: None }
    }

    /// A capture, or a Soldier that moves alone. A Soldier carried in a stack does not count: the stack
    /// may go back the way it came.
    #[inline]
    #[allow(clippy::needless_bitwise_bool)] // which of the two it is cannot be predicted in random play
    fn is_progress(&self, state: &State, mv: Move) -> bool {
        state.is_capture(mv) | state.moves_soldier_alone(mv)
    }

    /// Pieces that are taken stay off.
    #[inline]
    fn is_final(&self, state: &State, mv: Move) -> bool {
        state.is_capture(mv)
    }
}
