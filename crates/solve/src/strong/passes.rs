//! The same answer with less memory: no graph, but the children are generated again on every pass.
//!
//! Pass `n` looks at every undecided position and decides those whose distance is `n`; values found
//! in the same pass do not count yet. It shares nothing with the backward solver but the
//! enumeration, so that each checks the other.

use super::explore::{Children, Explored, Numbers};
use crate::code;
use crate::error::SolveError;
use crate::progress::{Reporter, share};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use tabia_core::Game;

const CHUNK: usize = 1024;

/// Decides everything that can be decided, from `level` on (see the backward solver).
pub(super) fn solve<G: Game>(
    game: &G,
    explored: &mut Explored<G::Packed>,
    numbers: &Numbers<G::Packed>,
    level: u16,
    threads: usize,
    reporter: &mut Reporter<'_>,
    mut after_level: impl FnMut(u16, &dyn Fn() -> Vec<u16>) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let degrees = &explored.degrees;
    let keys = &explored.keys;
    let values: Vec<AtomicU16> =
        std::mem::take(&mut explored.values).into_iter().map(AtomicU16::new).collect();
    for plies in level + 1.. {
        if plies >= code::LONGEST {
            return Err(SolveError::TooLong);
        }
        reporter.phase(format!("plies {plies}"), Some(keys.len() as u64))?;
        let scratch = || (Children::<G>::new(), 0u64);
        let decided = share(threads, keys.len(), CHUNK, reporter, scratch, |(children, decided), range| {
            for position in range {
                if degrees[position] == 0 || values[position].load(Relaxed) != code::DRAW {
                    continue;
                }
                let Ok(state) = game.unpack(&keys[position]) else { continue };
                children.list(game, &state);
                let code = decide(children, numbers, &values, plies);
                values[position].store(code, Relaxed);
                *decided += u64::from(code != code::DRAW);
            }
        })?;
        if decided.iter().all(|(_, decided)| *decided == 0) {
            break;
        }
        after_level(plies, &|| values.iter().map(|v| v.load(Relaxed)).collect())?;
    }
    explored.values = values.into_iter().map(AtomicU16::into_inner).collect();
    Ok(())
}

/// The code of a position that is decided in exactly `plies`, else that of a draw.
fn decide<G: Game>(
    children: &Children<G>,
    numbers: &Numbers<G::Packed>,
    values: &[AtomicU16],
    plies: u16,
) -> u16 {
    let mut all_bad = true;
    for child in &children.list {
        let code = numbers.get(&child.key).map_or(code::DRAW, |number| values[number as usize].load(Relaxed));
        if code == code::DRAW || code::distance(code) >= plies {
            all_bad = false;
        } else if code::is_win(code) == child.same_mover {
            return code::win(plies);
        }
    }
    if all_bad { code::loss(plies) } else { code::DRAW }
}
