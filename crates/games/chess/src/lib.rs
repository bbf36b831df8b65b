//! Chess: positions, moves, keys, Polyglot books and PGN.
//!
//! Positions are sets of squares ([`types::Board`]), legal moves come piece by piece as sets of targets
//! ([`types::PieceMoves`]). There is an identity of positions that follows the repetition rule ([`State`]), a key with a
//! documented seed ([`SEED`]), an exact encoding of 24 bytes ([`Packed`]), symmetries ([`Symmetry`]), strict FEN
//! ([`fen`]), fast SAN ([`san`]), UCI ([`uci`]), the keys and books of Polyglot ([`polyglot`]), PGN ([`pgn`]), the
//! classic worked example of Zobrist hashing ([`classic_zobrist`]), an evaluation, a picture. Chess960 throughout.
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
//! assert_eq!(Chess.unpack(&Chess.pack(&state)), Ok(state));
//!
//! assert_eq!(polyglot::key(&Chess.start()), 0x463b96181691fc9c);
//! # Ok::<(), tabia_core::MoveError>(())
//! ```

mod actions;
mod arrange;
mod attacks;
mod board;
mod builder;
pub mod classic_zobrist;
mod eval;
mod features;
pub mod fen;
mod generate;
mod index;
mod legal;
mod legality;
mod movegen;
mod notation;
mod observe;
mod pack;
pub mod pgn;
pub mod polyglot;
mod rules;
pub mod san;
mod side;
mod state;
mod symmetry;
pub mod types;
pub mod uci;
pub mod validity;
mod view;
mod zobrist;

pub use legal::Legal;
pub use movegen::{insufficient_material, is_capture, is_castling};
pub use pack::Packed;
pub use rules::{AUTOMATIC_DRAWS, CLAIMED_DRAWS, Chess};
pub use state::State;
pub use symmetry::{Action, Symmetry};
pub use types::{Move, Square};
pub use zobrist::SEED;
