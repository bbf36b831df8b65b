//! The vocabulary of Tabia: what a game is, and what can be asked of any game.
//!
//! A game is a value of a type that implements [`Game`]: its *rules*. Positions are plain data
//! ([`Game::State`]), moves are compact values ([`Game::Move`]). Three identities of a position are
//! kept apart:
//!
//! | identity | type | exact? | where |
//! |---|---|---|---|
//! | packed | [`Game::Packed`] | yes, reversible | files, databases |
//! | key | [`Key`] | no, a 64-bit hash | tables in memory |
//! | canonical | [`Canonical`] | the representative under the game's symmetries | before either |
//!
//! What works for every game is here too: [`perft`], [`enumerate`], [`playout`], [`record`].
//! Nothing in this crate does I/O or knows a game.

pub mod actions;
pub mod arrange;
pub mod bits;
pub mod channel;
pub mod clock;
pub mod codes;
pub mod enumerate;
pub mod error;
pub mod evaluate;
pub mod features;
pub mod few;
pub mod files;
pub mod game;
pub mod index;
pub mod memory;
pub mod notation;
pub mod observe;
pub mod outcome;
pub mod packed;
pub mod perft;
pub mod playout;
pub mod puzzle;
pub mod record;
pub mod rng;
pub mod side;
pub mod symmetry;
pub mod threads;
pub mod trust;
pub mod view;
pub mod work;
pub mod zobrist;

pub use actions::{Actions, LegalMoves};
pub use arrange::{Arrange, Arrangement, Extra};
pub use codes::{BitRun, CodeField};
pub use error::{MoveError, PositionError, RuleError, TextError};
pub use evaluate::Evaluate;
pub use features::{Features, Judge, Judges};
pub use few::{sort_few, sort_few_by_key, sort_many, sort_many_by_key};
pub use files::{FileError, GameFile, Note, ReadGames, RecordedGame, Variation};
pub use game::Game;
pub use index::{Halves, Index, Levels, Look, Probe, ProbeError, Slice, Spot, Successor, Verdict};
pub use notation::{Format, NamedStart, Notation, Position};
pub use observe::{Observe, Planes};
pub use outcome::{Outcome, Value};
pub use packed::{Bytes, Packed};
pub use puzzle::Puzzle;
pub use record::{DrawReason, DrawRules, Record};
pub use rng::SplitMix64;
pub use side::Side;
pub use symmetry::{Canonical, Dihedral, MirrorSwap, MirrorSwapNames, NoSymmetry, Symmetry};
pub use trust::GameError;
pub use view::{Cell, Geometry, Info, Invitation, Mark, Picture, Piece, Present, Shade, Shape};
pub use work::{Progress, Stop, Work};
pub use zobrist::{Key, ZobristTable};

/// A name or a sentence: fixed in the program for most games, made at run time for some.
pub type Name = std::borrow::Cow<'static, str>;
