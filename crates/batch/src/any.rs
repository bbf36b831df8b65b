//! A batch of whatever game.

use crate::BatchError;
use tabia_core::{Planes, Stop};

/// The legal actions of all rows, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Legal {
    /// Where the actions of each row begin, and at the end where the last ones end: one more than rows.
    pub offsets: Vec<i64>,
    /// The action numbers, row by row in the order of the game's moves.
    pub actions: Vec<i32>,
}

/// A batch without the type of its game: what other languages hold.
///
/// Output goes into the caller's buffers, row after row; one of the wrong length is refused.
pub trait AnyBatch: Send + Sync {
    /// The number of rows.
    fn rows(&self) -> usize;

    /// The number of actions of the game.
    fn action_count(&self) -> usize;

    /// The size of one row's planes.
    fn planes(&self) -> Planes;

    /// The bytes of one row's encoding, and whether every encoding fills them.
    fn packed_size(&self) -> (usize, bool);

    /// The text of the position in a row; `None` where there is no such row, or the batch knows no texts.
    fn text(&self, row: usize) -> Option<String>;

    /// All legal actions; a finished game has none.
    fn legal(&mut self) -> Result<Legal, BatchError>;

    /// One byte for every action of every row: 1 legal, 0 not.
    fn mask(&mut self, out: &mut [u8]) -> Result<(), BatchError>;

    /// One bit for every action, lowest bit first; a row has [`tabia_core::actions::mask_bytes`] bytes.
    fn mask_bits(&mut self, out: &mut [u8]) -> Result<(), BatchError>;

    /// Plays an action in every row; a negative number leaves a row alone (finished rows need one). If any is
    /// not legal, nothing is played and the error lists the rows.
    fn step(&mut self, actions: &[i32]) -> Result<(), BatchError>;

    /// Plays one uniformly random move in every game that is not over.
    fn random(&mut self) -> Result<(), BatchError>;

    /// The planes of every row.
    fn observe(&mut self, out: &mut [u8]) -> Result<(), BatchError>;

    /// For every row [`crate::GOING_ON`], the winner (0 or 1), or [`crate::DRAWN`].
    fn outcome(&mut self) -> Result<Vec<i8>, BatchError>;

    /// Who is to move in every row: 0 or 1.
    fn side(&mut self) -> Result<Vec<u8>, BatchError>;

    /// The key of every row.
    fn keys(&mut self) -> Result<Vec<u64>, BatchError>;

    /// The encoding of every row, filled up with zeros, and its length.
    fn packed(&mut self, out: &mut [u8], lengths: &mut [u8]) -> Result<(), BatchError>;

    /// The encoding of every row's representative under the game's symmetries, in the same form.
    fn canonical(&mut self, out: &mut [u8], lengths: &mut [u8]) -> Result<(), BatchError>;

    /// Puts the positions of encodings into all rows, in the form of [`AnyBatch::packed`]; lengths may be left out where
    /// all encodings have one. If any is refused, nothing changes and the error says which.
    fn set_packed(&mut self, bytes: &[u8], lengths: Option<&[u8]>) -> Result<(), BatchError>;

    /// Begins a new game in every row.
    fn reset(&mut self) -> Result<(), BatchError>;

    /// Begins a new game in these rows.
    fn reset_rows(&mut self, rows: &[usize]) -> Result<(), BatchError>;

    /// Begins a new game in every row whose game is over, and tells how many there were.
    fn reset_finished(&mut self) -> Result<usize, BatchError>;

    /// Makes every row's generator anew.
    fn reseed(&mut self, seed: u64);

    /// Plays random games to the end from every row: how many player 0 won, player 1 won, and were drawn (of a
    /// puzzle: solved, stuck, none). The rows stay where they are. When it is stopped there is no answer,
    /// and the randomness of the rows has moved on.
    fn playouts(&mut self, games: u32, stop: &Stop) -> Result<Vec<[u32; 3]>, BatchError>;

    /// The game's evaluation of every row for the side to move; 0 where the game is over.
    fn evaluate(&mut self) -> Result<Vec<i32>, BatchError>;
}
