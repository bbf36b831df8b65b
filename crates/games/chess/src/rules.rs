//! The rules as a value.

use crate::pack::{self, Packed};
use crate::symmetry::Action;
use crate::types::{self, Move};
use crate::{State, Symmetry, fen, legality, movegen};
use tabia_core::{Canonical, DrawRules, Game, Key, Outcome, PositionError, RuleError, Side, SplitMix64};

/// The rules of chess, Chess960 included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chess;

/// What makes a game a draw as soon as a player claims it, and in our records at once: the third
/// occurrence of a position, or 50 moves of each side without a capture or a pawn move.
pub const CLAIMED_DRAWS: DrawRules =
    DrawRules { repetitions: Some(3), quiet_plies: Some(100), total_plies: None };

/// What makes a game a draw even if nobody claims it: the fifth occurrence, or 75 moves.
pub const AUTOMATIC_DRAWS: DrawRules =
    DrawRules { repetitions: Some(5), quiet_plies: Some(150), total_plies: None };

impl Game for Chess {
    type State = State;
    type Move = Move;
    type Symmetry = Symmetry;
    type Packed = Packed;

    fn id(&self) -> &str {
        "chess"
    }

    fn start(&self) -> State {
        State::start()
    }

    #[inline]
    fn side(&self, state: &State) -> Side {
        types::side_of(state.board().side_to_move())
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        movegen::outcome(state)
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        movegen::moves(state, out);
    }

    #[inline]
    fn count_moves(&self, state: &State) -> u64 {
        movegen::count(state)
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut SplitMix64, _buffer: &mut Vec<Move>) -> Option<Move> {
        movegen::random(state, rng)
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
    fn play(&self, state: &mut State, mv: Move) {
        state.play(mv);
    }

    fn check_move(&self, state: &State, mv: Move) -> Result<(), RuleError> {
        legality::check(state, mv)
    }

    /// From, to and promotion as in a Polyglot book, which castles as king takes rook too.
    #[inline]
    fn move_number(&self, _state: &State, mv: Move) -> Option<u64> {
        let promotion = mv.promotion.map_or(0, |piece| piece as u64);
        Some(mv.to as u64 | (mv.from as u64) << 6 | promotion << 12)
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        state.key()
    }

    fn pack(&self, state: &State) -> Packed {
        pack::pack(state, Symmetry::ALL[0])
    }

    fn unpack(&self, packed: &Packed) -> Result<State, PositionError> {
        pack::unpack(packed)
    }

    fn symmetries(&self, state: &State) -> &[Symmetry] {
        Symmetry::of(state)
    }

    fn map_state(&self, state: &State, symmetry: Symmetry) -> State {
        symmetry.state(state)
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        symmetry.mv(mv)
    }

    fn canonicalise(&self, state: &State) -> Canonical<State, Symmetry> {
        let (packed, symmetry) = pack::pack_canonical(state);
        // On the way the clocks are reset.
        let state = pack::unpack(&packed).unwrap_or_else(|error| {
            panic!("the canonical form of {} cannot be unpacked: {error}", fen::format(state))
        });
        Canonical { state, symmetry }
    }

    fn pack_canonical(&self, state: &State) -> Packed {
        pack::pack_canonical(state).0
    }

    #[inline]
    fn is_dead(&self, state: &State) -> bool {
        movegen::insufficient_material(state.board())
    }

    fn draw_rules(&self) -> DrawRules {
        CLAIMED_DRAWS
    }

    fn is_progress(&self, state: &State, mv: Move) -> bool {
        movegen::is_progress(state, mv)
    }

    fn quiet_before(&self, state: &State) -> u32 {
        state.clock().into()
    }
}
