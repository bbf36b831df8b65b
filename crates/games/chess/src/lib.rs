//! Chess: positions, keys, Polyglot books and PGN around cozy-chess.
//!
//! The rules and the generation of moves are cozy-chess's; this crate makes them one of Tabia's games.
//! What it adds: an identity of positions that follows the repetition rule ([`State`]), our own key with a
//! documented seed ([`SEED`]), an exact encoding of 24 bytes ([`Packed`]), symmetries ([`Symmetry`]), strict FEN
//! ([`fen`]), fast SAN ([`san`]), UCI ([`uci`]), the keys and books of Polyglot ([`polyglot`]), PGN ([`pgn`]), the
//! classic worked example of Zobrist hashing ([`seed`]), an evaluation, a picture. Chess960 throughout.
//!
//! ```
//! use tabia_chess::{Chess, polyglot};
//! use tabia_core::{Game, Notation};
//!
//! let mut state = Chess.start();
//! for text in ["e4", "e5", "g1f3", "Nc6", "Bb5"] {
//!     let mv = Chess.parse_move(&state, text)?;
//!     Chess.play(&mut state, mv);
//! }
//! assert_eq!(Chess.format(&state), "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
//! assert_eq!(Chess.count_moves(&state), 30);
//! assert_eq!(Chess.unpack(&Chess.pack(&state)), Ok(state.clone()));
//!
//! assert_eq!(polyglot::key(&Chess.start()), 0x463b96181691fc9c);
//! # Ok::<(), tabia_core::MoveError>(())
//! ```

mod actions;
mod eval;
pub mod fen;
mod movegen;
mod notation;
mod observe;
mod pack;
pub mod pgn;
pub mod polyglot;
pub mod san;
pub mod seed;
mod state;
mod symmetry;
pub mod types;
pub mod uci;
pub mod validity;
mod view;
mod zobrist;

pub use movegen::{insufficient_material, is_capture, is_castling};
pub use pack::Packed;
pub use state::State;
pub use symmetry::Symmetry;
pub use types::{Move, Square};
pub use zobrist::SEED;

use tabia_core::{Canonical, DrawRules, Game, Key, Outcome, PositionError, RuleError, Side};

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
    fn play(&self, state: &mut State, mv: Move) {
        state.play(mv);
    }

    fn check_move(&self, state: &State, mv: Move) -> Result<(), RuleError> {
        movegen::check(state, mv)
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
        // What was packed can be unpacked; on the way the clocks are reset.
        let state = pack::unpack(&packed).unwrap_or_else(|_| symmetry.state(state));
        Canonical { state, symmetry }
    }

    fn pack_canonical(&self, state: &State) -> Packed {
        pack::pack_canonical(state).0
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
