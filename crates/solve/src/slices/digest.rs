//! A number for every table, so that two people can compare theirs without sending them.

use super::folder::SliceFolder;
use crate::code;
use crate::error::SolveError;
use crate::file::TableFile;
use crate::stage::Stage;
use serde::Serialize;
use tabia_core::{Index, Slice, Work};

/// The positions whose two bits make a word.
const IN_WORD: u64 = 16;

/// What a slice has, and the number that stands for who wins in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Digest {
    /// The slice.
    pub slice: String,
    /// Positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that are drawn.
    pub draws: u64,
    /// Those that the side to move loses.
    pub losses: u64,
    /// Sixteen hexadecimal digits: the same for the same values on any machine, from any builder, with or without
    /// distances.
    pub digest: String,
}

/// The digests of all slices of a folder, in the order of building.
pub fn digests<G: Index>(folder: &SliceFolder<G>, work: &Work<'_>) -> Result<Vec<Digest>, SolveError> {
    let files = folder.files();
    let total = files.iter().map(|(_, file)| file.info().positions).sum();
    let (mut stage, mut done) = (Stage::new(work, "digests", Some(total)), 0);
    let mut all = Vec::new();
    for (slice, file) in files {
        all.push(digest(folder.game(), slice, file, stage.after(done))?);
        done += file.info().positions;
    }
    Ok(all)
}

/// The sum over all words of two bits a position (0 draw, 1 loss, 2 win; sixteen to a word, the first one lowest) of the
/// word and its number, mixed. A sum needs no order: threads and devices add as they come.
fn digest<G: Index>(
    game: &G,
    slice: Slice,
    file: &TableFile,
    stage: &Stage<'_>,
) -> Result<Digest, SolveError> {
    let (info, block_len) = (file.info(), u64::from(file.info().block_len));
    let sums = stage.share(
        info.positions as usize,
        block_len as usize,
        || 0u64,
        |sum, range| {
            let mut word = 0;
            let end = range.end as u64;
            file.read_block((range.start as u64 / block_len) as usize, |index, _, code| {
                word |= bits(code) << (2 * (index % IN_WORD));
                if index % IN_WORD == IN_WORD - 1 || index + 1 == end {
                    *sum = sum.wrapping_add(mixed((index / IN_WORD) << 32 ^ word));
                    word = 0;
                }
            })?;
            Ok(())
        },
    )?;
    let sum = sums.into_iter().fold(0u64, u64::wrapping_add);
    Ok(Digest {
        slice: game.slice_name(slice),
        positions: info.positions,
        wins: info.wins,
        draws: info.draws,
        losses: info.losses,
        digest: format!("{sum:016x}"),
    })
}

fn bits(code: u16) -> u64 {
    match code {
        code::DRAW => 0,
        code::UNKNOWN => 3,
        _ if code::is_win(code) => 2,
        _ => 1,
    }
}

/// Spreads the bits of a word over all 64 (the finishing step of the generator SplitMix64).
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}
