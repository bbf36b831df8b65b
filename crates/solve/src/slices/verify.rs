//! Checking slices with the game's own moves: not with the index's successors they were built from.

use super::folder::SliceFolder;
use crate::code;
use crate::error::SolveError;
use crate::stage::Stage;
use crate::verify::{Verdict, agree, expected};
use tabia_core::{Index, Probe, Spot, Work, trust};

/// Checks every value of every slice of a folder against the values one move away.
pub fn verify<G: Index>(folder: &SliceFolder<G>, work: &Work<'_>) -> Result<Verdict, SolveError> {
    let files = folder.files();
    let total = files.iter().map(|(_, file)| file.info().positions).sum();
    let mut stage = Stage::new(work, "verify", Some(total));
    let mut all = Verdict { proof: folder.has_distances(), ..Verdict::default() };
    for (slice, file) in files {
        let block_len = file.info().block_len as usize;
        let parts = stage.after(all.positions).share(
            file.info().positions as usize,
            block_len,
            || (Verdict::default(), Vec::new()),
            |(verdict, moves), range| {
                // A neighbour that cannot be read is no verdict on the table, but the end of it.
                let mut checked = Ok(());
                file.read_block(range.start / block_len, |index, _, code| {
                    if checked.is_ok() {
                        checked = check_entry(folder, Spot { slice, index }, code, verdict, moves);
                    }
                })?;
                checked?;
                Ok(trust::check(folder.game())?)
            },
        )?;
        for (verdict, _) in parts {
            all.add(verdict);
        }
    }
    Ok(all)
}

fn check_entry<G: Index>(
    folder: &SliceFolder<G>,
    spot: Spot,
    code: u16,
    verdict: &mut Verdict,
    moves: &mut Vec<G::Move>,
) -> Result<(), SolveError> {
    let game = folder.game();
    let place = || format!("{} number {}", game.slice_name(spot.slice), spot.index);
    if game.is_gap(spot) {
        if code != code::UNKNOWN {
            verdict.fault(|| format!("{} is a gap, but has a value", place()));
        }
        return Ok(());
    }
    verdict.positions += 1;
    let Some(state) = game.position(spot) else {
        verdict.fault(|| format!("{} is not a position", place()));
        return Ok(());
    };
    if game.locate(&state) != Some(spot) {
        verdict.fault(|| format!("{} is a position with another place", place()));
        return Ok(());
    }
    let (stored, expected) = (code::decode(code), expected(game, folder, &state, moves)?);
    if !agree(stored, expected, folder.has_distances()) {
        verdict.fault(|| format!("{} is stored as {stored:?} but must be {expected:?}", place()));
    }
    Ok(())
}
