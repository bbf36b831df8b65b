//! A learned evaluation for any game with [`Features`](tabia_core::Features): a small network that is updated from one
//! position to the next, the games it learns from, and its training.
//!
//! ```text
//!   self-play        games file          training            net file           search
//!   generate() --->  GamesWriter  --->   Samples, Trainer --> Net  --->  Learned: Judges
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`net`] | the network in whole numbers, and its file |
//! | [`wiring`] | which input of the network a feature is to either side |
//! | [`learned`] | the evaluation: sums that are updated, not made anew |
//! | [`head`] | which moves look good: what a network may have beside the value |
//! | [`games`] | games with their scores as a file |
//! | [`selfplay`] | how such games are made |
//! | [`samples`] | their positions as inputs and targets |
//! | [`choices`] | their positions with the move that was played |
//! | [`train`] | the training, in floating point |

mod asides;
pub mod choices;
mod coding;
mod folds;
pub mod games;
pub mod head;
mod layout;
pub mod learned;
pub mod net;
pub mod samples;
pub mod selfplay;
pub mod train;
pub mod wiring;

pub use choices::Choices;
pub use games::{Aside, GamesReader, GamesWriter, PlayedGame};
pub use head::Head;
pub use learned::Learned;
pub use net::{Net, NetError};
pub use samples::Samples;
pub use selfplay::{SelfPlay, generate};
pub use train::{Epoch, Lesson, Trainer, TrainingOptions, teach};
pub use wiring::Wiring;
