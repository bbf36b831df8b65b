//! Many games at once.

use crate::adapter::Held;
use crate::{Adapter, ErrorKind, InputError};
use tabia_batch::AnyBatch;
use tabia_core::{Position, Present};

/// More rows than this are refused: they would not fit into the memory of most machines.
pub const MOST_ROWS: usize = 1 << 22;

/// What a batch is made of.
#[derive(Clone, Copy, Debug)]
pub struct BatchRequest {
    /// The number of games.
    pub rows: usize,
    /// Where the randomness starts.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
}

/// Something that many games at once can start from: a game, or a position of it.
pub trait BatchGame: Send + Sync {
    /// So many games that start here.
    fn batch(&self, request: BatchRequest) -> Result<Box<dyn AnyBatch>, InputError>;
}

impl<G: Present> BatchGame for Held<G> {
    fn batch(&self, request: BatchRequest) -> Result<Box<dyn AnyBatch>, InputError> {
        if request.rows > MOST_ROWS {
            let message = format!("a batch has at most {MOST_ROWS} rows, not {}", request.rows);
            return Err(InputError::new(ErrorKind::Invalid, request.rows.to_string(), message));
        }
        let Some(make) = self.capabilities.batches else {
            return Err(crate::any::lacks(self.rules().id(), "batches"));
        };
        let start = Position { rules: self.rules().clone(), state: self.state().clone() };
        let BatchRequest { rows, seed, threads } = request;
        Ok(make(start, rows, seed, threads, self.capabilities.evaluated.map(|evaluated| evaluated.evaluate)))
    }
}

impl<G: Present> BatchGame for Adapter<G> {
    fn batch(&self, request: BatchRequest) -> Result<Box<dyn AnyBatch>, InputError> {
        self.hold(Position { rules: self.rules.clone(), state: self.rules.start() }).batch(request)
    }
}
