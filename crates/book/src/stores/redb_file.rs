//! The redb file: its tables, and what it looks like to those who open it.
//!
//! ```text
//! table     key                 value
//! meta      "format"            u32
//! sizes     "rows"              u64
//!           "check"             u64, the crc32 of that
//! variants  name                number u8, ledger 5 x u64 (little-endian), fingerprint, crc32 of all of it and the name
//! games     id, 16 bytes        nothing
//! kept      id, 16 bytes        record of a game, where tags are kept: see kept.rs
//! visits    a visit of such     result u32, sealed
//! blocks    the last key of it  rows of ascending keys, sealed: see redb_block.rs
//! fences    the same            nothing
//! ```
//!
//! The key of a row is the variant u8 and the packed position. As an entry of its own a row of
//! draughts would take 27 bytes instead of 11: the database adds 8 to each and shares no beginnings. A block
//! fills a page. The fences are read at once by who looks up many rows, and then the search for a block needs no pages.

use crate::coding::Coding;
use crate::store::{Ledger, Variant};
use crate::{Counts, Error, Fingerprint, Result};
use redb::{DatabaseError, TableDefinition};
use std::path::Path;

pub(super) const META: TableDefinition<&str, u32> = TableDefinition::new("meta");
pub(super) const VARIANTS: TableDefinition<&str, &[u8]> = TableDefinition::new("variants");
pub(super) const GAMES: TableDefinition<&[u8; 16], ()> = TableDefinition::new("games");
pub(super) const SIZES: TableDefinition<&str, u64> = TableDefinition::new("sizes");
/// These two are there once an import has kept tags; versions that know nothing of them leave them as they are.
pub(super) const KEPT: TableDefinition<&[u8; 16], &[u8]> = TableDefinition::new("kept");
pub(super) const VISITS: TableDefinition<&[u8], u32> = TableDefinition::new("visits");
pub(super) const BLOCKS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("blocks");

pub(super) const FENCES: TableDefinition<&[u8], ()> = TableDefinition::new("fences");

/// The layouts that are read. The first commit to a book of an older one writes it anew; the layout before these, which
/// is no longer read, had one entry per position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Plain blocks of about 450 bytes without checksums, no fences.
    Unsealed,
    /// The same with checksums.
    Plain,
    /// The one above, which is written.
    Packed,
}

impl Layout {
    /// The number of the newest.
    pub(super) const NEWEST: u32 = Layout::Packed.number();

    pub(super) fn of(number: u32) -> Option<Layout> {
        [Layout::Unsealed, Layout::Plain, Layout::Packed].into_iter().find(|layout| layout.number() == number)
    }

    pub(super) const fn number(self) -> u32 {
        match self {
            Layout::Unsealed => 2,
            Layout::Plain => 3,
            Layout::Packed => 4,
        }
    }

    pub(super) fn is_sealed(self) -> bool {
        self != Layout::Unsealed
    }

    pub(super) fn coding(self) -> Coding {
        if self == Layout::Packed { Coding::Packed } else { Coding::Plain }
    }
}

/// Refuses what cannot be a redb file before redb sees it; a missing or empty file is fine.
pub(super) fn check_head(path: &Path) -> Result<()> {
    let head = match std::fs::File::open(path) {
        Ok(mut file) => read_head(&mut file).map_err(Error::io(path))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io(path)(error)),
    };
    if head.is_empty() || head == *b"redb" {
        return Ok(());
    }
    Err(Error::damaged(path.display(), "it does not begin like a redb file"))
}

/// Empties a file whose first beginning was cut short: redb writes its magic last, and before that nothing but a page
/// in front of zeros. Such a file is left behind by a process that was killed while it created a book.
pub(super) fn begin_again(path: &Path) -> Result<()> {
    let work = || -> std::io::Result<()> {
        // There may be nothing to empty, or nothing that may be written to: that is told where it is needed.
        let Ok(mut file) = std::fs::OpenOptions::new().read(true).write(true).open(path) else {
            return Ok(());
        };
        let mut head = [0; 4096];
        let is_begun = file.metadata()?.len() > 4096 && {
            std::io::Read::read_exact(&mut file, &mut head)?;
            head.starts_with(&[0; 9])
        };
        // Somebody who is creating it now has locked it.
        if is_begun && file.try_lock().is_ok() {
            let mut rest = Vec::new();
            std::io::Read::read_to_end(&mut std::io::Read::take(&mut file, LONGEST_BEGINNING), &mut rest)?;
            let is_empty = (rest.len() as u64) < LONGEST_BEGINNING && rest.iter().all(|byte| *byte == 0);
            if is_empty {
                file.set_len(0)?;
            }
            file.unlock()?;
        }
        Ok(())
    };
    work().map_err(Error::io(path))
}

/// A new redb file is smaller than this.
const LONGEST_BEGINNING: u64 = 64 << 20;

fn read_head(file: &mut std::fs::File) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, 4), &mut head)?;
    Ok(head)
}

pub(super) fn opening(path: &Path, error: DatabaseError) -> Error {
    let place = path.display();
    match error {
        DatabaseError::DatabaseAlreadyOpen => Error::InUse(place.to_string()),
        DatabaseError::UpgradeRequired(version) => {
            Error::database(place, format!("its redb file format {version} is too old"))
        }
        DatabaseError::Storage(redb::StorageError::Io(error)) => match error.kind() {
            std::io::ErrorKind::InvalidData | std::io::ErrorKind::UnexpectedEof => {
                Error::damaged(place, error)
            }
            _ => Error::Io { path: path.to_owned(), error },
        },
        DatabaseError::Storage(redb::StorageError::Corrupted(reason)) => Error::damaged(place, reason),
        error => Error::database(place, error),
    }
}

/// The sum that stands beside the number of rows.
pub(super) fn check_of(rows: u64) -> u64 {
    crc32fast::hash(&rows.to_le_bytes()).into()
}

fn variant_sum(name: &str, bytes: &[u8]) -> [u8; 4] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(bytes);
    hasher.update(name.as_bytes());
    hasher.finalize().to_le_bytes()
}

pub(super) fn encode_variant(variant: &Variant, sealed: bool) -> Vec<u8> {
    let ledger = variant.ledger;
    let mut bytes = vec![variant.number];
    let games = ledger.games;
    for n in [games.wins0, games.wins1, games.draws, ledger.met, ledger.played] {
        bytes.extend_from_slice(&n.to_le_bytes());
    }
    bytes.extend_from_slice(variant.fingerprint.as_bytes());
    if sealed {
        bytes.extend_from_slice(&variant_sum(&variant.name, &bytes));
    }
    bytes
}

pub(super) fn decode_variant(name: &str, mut bytes: &[u8], sealed: bool) -> Option<Variant> {
    if sealed {
        let (body, sum) = bytes.split_last_chunk::<4>()?;
        if variant_sum(name, body) != *sum {
            return None;
        }
        bytes = body;
    }
    let (&number, rest) = bytes.split_first()?;
    let (words, fingerprint) = rest.split_at_checked(40)?;
    let words: Vec<u64> = words.as_chunks().0.iter().map(|w| u64::from_le_bytes(*w)).collect();
    let &[wins0, wins1, draws, met, played] = &words[..] else { return None };
    let ledger = Ledger { games: Counts { wins0, wins1, draws }, met, played };
    Some(Variant { number, name: name.to_owned(), fingerprint: Fingerprint::from_bytes(fingerprint), ledger })
}
