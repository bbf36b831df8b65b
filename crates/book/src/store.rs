//! Where books are kept: what every store can do.
//!
//! A store knows bytes, not games: keys are one byte for the variant (the game with its rule options)
//! and then the exact canonical code of the position. Counters only grow, by whole commits: the ids
//! of the games and their counts together, or nothing.

use crate::{Counts, Error, Fingerprint, GameId, KeptGame, KeptGames, Result, Row, VisitVisitor};
use serde::Serialize;
use std::ops::ControlFlow;

/// The format of a book that this version writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// What was counted in all, kept beside the rows so that they can be checked against it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// The games, by their results.
    pub games: Counts,
    /// The sum of the totals of all rows.
    pub met: u64,
    /// The sum of the counters of all moves of all rows.
    pub played: u64,
}

impl Ledger {
    /// Adds the counts of another ledger.
    pub fn add(&mut self, other: Ledger) {
        self.games += other.games;
        self.met = self.met.saturating_add(other.met);
        self.played = self.played.saturating_add(other.played);
    }
}

/// A game with its rule options that a book has rows of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// The first byte of its keys.
    pub number: u8,
    /// [`tabia_core::Game::variant`].
    pub name: String,
    /// How its positions are packed and its moves numbered: [`Fingerprint`].
    #[serde(skip)]
    pub fingerprint: Fingerprint,
    /// What was counted.
    pub ledger: Ledger,
}

/// Facts about a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoreInfo {
    /// `redb`, `postgres`, `runs` or `memory`.
    pub kind: &'static str,
    /// The file, folder or server, without a password.
    pub place: String,
    /// The format of the book.
    pub format: u32,
    /// Games whose ids are kept.
    pub games: u64,
    /// Positions.
    pub rows: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

/// Rows to be added to a book, ascending by key, each key once.
pub trait Increments {
    /// The next row, valid until the one after it is asked for.
    fn next(&mut self) -> Result<Option<(&[u8], &Row)>>;
}

/// What one commit adds to a book.
pub struct Commit<'a> {
    /// The variant that all the games are of.
    pub variant: u8,
    /// The games, each once, in any order.
    pub ids: &'a [GameId],
    /// What is counted.
    pub ledger: Ledger,
    /// The rows, their keys beginning with the variant.
    pub rows: &'a mut dyn Increments,
    /// What is kept of the games beside that: nothing, as a rule.
    pub kept: &'a KeptGames,
}

/// Sees one row of a scan, with its whole key.
pub type RowVisitor<'a> = dyn FnMut(&[u8], &Row) -> ControlFlow<()> + 'a;

/// Sees a row that was looked up: the place of its key among those that were asked for, and the row.
pub type FoundVisitor<'a> = dyn FnMut(usize, &Row) + 'a;

/// A book that can be read.
pub trait Reader: Send + Sync {
    /// Facts about the store.
    fn info(&self) -> Result<StoreInfo>;
    /// The variants that have rows.
    fn variants(&self) -> Result<Vec<Variant>>;
    /// The rows with these keys.
    fn rows(&self, keys: &[Vec<u8>]) -> Result<Vec<Option<Row>>>;
    /// Shows the rows with these keys, those that are there: for who wants to keep none of them.
    fn visit_rows(&self, keys: &[&[u8]], visit: &mut FoundVisitor<'_>) -> Result<()> {
        let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.to_vec()).collect();
        for (n, row) in self.rows(&keys)?.iter().enumerate() {
            row.iter().for_each(|row| visit(n, row));
        }
        Ok(())
    }
    /// All rows of a variant, ascending by key.
    fn scan(&self, variant: u8, visit: &mut RowVisitor<'_>) -> Result<()>;
    /// Which of these games were counted.
    fn known(&self, ids: &[GameId]) -> Result<Vec<bool>>;
    /// The visits of kept games to a position, given by its whole key.
    fn visits(&self, _key: &[u8], _visit: &mut VisitVisitor<'_>) -> Result<()> {
        Ok(())
    }
    /// What was kept of a game.
    fn kept(&self, _id: GameId) -> Result<Option<KeptGame>> {
        Ok(None)
    }
    /// Does `work`; all it reads is of one moment, also where others write to the book meanwhile.
    fn at_one_moment(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        work()
    }
    /// Whether there is such a moment. The servers that a book is spread over have none in common: nobody should write to it
    /// while all of it is read.
    fn has_moments(&self) -> Result<bool> {
        Ok(true)
    }
    /// Looks for damage below the rows (pages, checksums); what it finds is the error.
    fn check(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A book that can be added to.
pub trait Store: Reader {
    /// The variant with this name, entered now if it is new; one whose fingerprint does not fit is
    /// refused.
    fn enter(&self, name: &str, ours: &Fingerprint, fits: &dyn Fn(&Fingerprint) -> bool) -> Result<Variant>;

    /// Adds games. All of it is on disk when this returns, or nothing ever will be:
    /// [`crate::Error::AlreadyCounted`] names the games that were in the book.
    fn commit(&self, commit: Commit<'_>) -> Result<()>;

    /// The longest key it can hold, in bytes; nothing longer is handed to it.
    fn longest_key(&self) -> usize;

    /// Whether it keeps games beside their counts.
    fn keeps_games(&self) -> bool {
        false
    }

    /// How many commits of one process may run at a time; more would only wait.
    fn writers(&self) -> usize {
        1
    }

    /// Gives back the space that large commits left free; asked for at the end of an import.
    fn settle(&self) -> Result<()> {
        Ok(())
    }

    /// The same store as a reader.
    fn as_reader(&self) -> &dyn Reader;
}

/// The variant, if its encoding is ours.
pub(crate) fn fitting(
    variant: Variant,
    fits: &dyn Fn(&Fingerprint) -> bool,
    place: String,
) -> Result<Variant> {
    if fits(&variant.fingerprint) {
        Ok(variant)
    } else {
        Err(Error::Encoding { place, variant: variant.name })
    }
}
