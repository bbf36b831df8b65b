//! Checking slices with the game's own moves: not with the index's successors they were built from.

use super::folder::SliceFolder;
use crate::code;
use crate::error::{FileError, SolveError};
use crate::progress::{Listener, Reporter, share};
use crate::verify::{Verdict, agree, expected};
use tabia_core::{Index, Probe, Slice, Spot};

/// Checks every value of every slice of a folder against the values one move away.
pub fn verify<G: Index>(
    folder: &SliceFolder<G>,
    threads: usize,
    listener: &mut Listener<'_>,
) -> Result<Verdict, SolveError> {
    let mut forward = |progress: &crate::Progress| listener(progress);
    let mut reporter = Reporter::new(&mut forward);
    let files = folder.files();
    let total = files.iter().map(|(_, file)| file.info().positions).sum();
    reporter.phase("verify", Some(total))?;
    let mut all = Verdict { proof: folder.has_distances(), ..Verdict::default() };
    for (slice, file) in files {
        reporter.rename(format!("verify {}", folder.game().slice_name(slice)));
        reporter.after(all.positions);
        let scratch = || (Verdict::default(), Vec::new(), None::<FileError>);
        let chunk = file.info().block_len as usize;
        let len = file.info().positions as usize;
        let parts = share(threads, len, chunk, &mut reporter, scratch, |(verdict, moves, error), range| {
            let block = range.start / chunk;
            let check = |index, _: &[u8], code| check_entry(folder, slice, index, code, verdict, moves);
            if let Err(failed) = file.read_block(block, check) {
                error.get_or_insert(failed);
            }
        })?;
        for (verdict, _, error) in parts {
            if let Some(error) = error {
                return Err(error.into());
            }
            all.add(verdict);
        }
    }
    Ok(all)
}

fn check_entry<G: Index>(
    folder: &SliceFolder<G>,
    slice: Slice,
    index: u64,
    code: u16,
    verdict: &mut Verdict,
    moves: &mut Vec<G::Move>,
) {
    let game = folder.game();
    verdict.positions += 1;
    let place = || format!("{} number {index}", game.slice_name(slice));
    let Some(state) = game.position(Spot { slice, index }) else {
        return verdict.fault(|| format!("{} is not a position", place()));
    };
    let (stored, expected) = (code::decode(code), expected(game, folder, &state, moves));
    if !agree(stored, expected, folder.has_distances()) {
        verdict.fault(|| format!("{} is stored as {stored:?} but must be {expected:?}", place()));
    }
}
