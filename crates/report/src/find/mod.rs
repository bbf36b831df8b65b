//! Questions over positions: `value == "win" && distance >= 20 && winning_moves == 1`.
//!
//! The language is CEL (<https://cel.dev>), as far as questions need it. It is compiled into a small tree
//! ([`Expression`]), because a position of a table is looked at in a hundred nanoseconds and less, and only what a
//! question uses is worked out ([`Row`]). The fields of a game are told by [`Vocabulary`], the sources of positions by
//! [`Finder`].

mod compile;
mod datum;
mod expression;
mod finder;
mod row;
mod sources;
mod tree;
mod vocabulary;
mod words;

pub use compile::{BadExpression, LONGEST, Names, compile, condition};
pub use datum::{Datum, Owned, Type};
pub use expression::{Expression, Fields};
pub use finder::{FindError, Finder, Found, Match, Question, Sink};
pub use row::{Known, Make, Played, Row, Scope};
pub use sources::unpacked;
pub use vocabulary::{FIELDS, Field, FieldInfo, Origin, Sort, Vocabulary};
