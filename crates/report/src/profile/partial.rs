//! Work that is kept while a report is made, so that it can be gone on with.
//!
//! ```text
//! magic "TABIARP1", version u32, task u32, crc of the rest u32, the pieces of work so far as JSON
//! ```
//!
//! All numbers are little-endian. The task is a checksum of the game, the start, the seed and the budgets: a file of
//! other work, or a damaged one, is refused, never half used.

use super::ProfileError;
use super::descent::Descents;
use super::exact::Solved;
use super::ladder::Match;
use super::mirror::Mirrored;
use super::positions::Counted;
use super::tally::Tally;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;

const MAGIC: &[u8; 8] = b"TABIARP1";
const VERSION: u32 = 1;
const HEADER: usize = 20;

/// The pieces of work that are done, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Parts {
    pub(super) random: Vec<Tally>,
    pub(super) tree: Vec<Descents>,
    pub(super) positions: Option<Counted>,
    pub(super) solved: Option<Solved>,
    pub(super) weak: Vec<Tally>,
    pub(super) strong: Vec<Tally>,
    /// What a strong player thinks after each first move, for player 0, in ten-thousandths.
    pub(super) openings: Vec<i64>,
    pub(super) ladder: Vec<Match>,
    pub(super) mirror: Vec<Mirrored>,
    /// Tasks that are done when only time limits them, by name, and milliseconds spent on each.
    pub(super) spent: std::collections::BTreeMap<String, u64>,
}

impl Parts {
    /// The work kept in a file; nothing where there is none.
    pub(super) fn load(path: &Path, task: u32) -> Result<Option<Parts>, ProfileError> {
        if !tabia_disk::exists(path) {
            return Ok(None);
        }
        let wrong = |what: &str| ProfileError::Partial { path: path.to_owned(), what: what.to_owned() };
        let bytes = tabia_disk::read(path).map_err(|error| wrong(&error.to_string()))?;
        let (header, body) = bytes.split_at_checked(HEADER).ok_or_else(|| wrong("it is cut off"))?;
        let number = |at: usize| {
            let mut word = [0; 4];
            word.copy_from_slice(&header[at..at + 4]);
            u32::from_le_bytes(word)
        };
        if &header[..8] != MAGIC {
            return Err(wrong("it is no report in the making"));
        }
        if number(8) != VERSION {
            return Err(wrong("another version of the program wrote it"));
        }
        if crc32fast::hash(body) != number(16) {
            return Err(wrong("it is damaged"));
        }
        if number(12) != task {
            return Err(wrong("it belongs to another report: other game, seed or budgets"));
        }
        serde_json::from_slice(body).map(Some).map_err(|error| wrong(&error.to_string()))
    }

    /// Writes the work to a file, which has its name only when it is whole.
    pub(super) fn save(&self, path: &Path, task: u32) -> Result<(), ProfileError> {
        let wrong = |error: std::io::Error| ProfileError::Partial {
            path: path.to_owned(),
            what: format!("it cannot be written: {error}"),
        };
        let body = serde_json::to_vec(self).map_err(|error| wrong(error.into()))?;
        let mut bytes = MAGIC.to_vec();
        for number in [VERSION, task, crc32fast::hash(&body)] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(body);
        let unfinished = tabia_disk::temporary(path);
        let write = || {
            let mut file = tabia_disk::File::create(&unfinished)?;
            file.write_all(&bytes)?;
            file.flush()?;
            drop(file);
            tabia_disk::rename(&unfinished, path)
        };
        write().map_err(wrong)
    }
}
