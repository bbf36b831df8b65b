//! The same answer with less memory: no graph, but the children are generated again on every pass.
//!
//! Pass `n` looks at every undecided position and decides those whose distance is `n`; values found
//! in the same pass do not count yet. It shares nothing with the backward solver but the
//! enumeration, so that each checks the other.

use super::AfterLevel;
use super::explore::{Children, Explored, Numbers};
use crate::code;
use crate::error::SolveError;
use crate::stage::Stage;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use tabia_core::packed::to_hex;
use tabia_core::{Game, Packed, Work, trust};

const CHUNK: usize = 1024;

/// Decides everything that can be decided, from `level` on (see the backward solver).
pub(super) fn solve<G: Game>(
    game: &G,
    explored: &mut Explored<G::Packed>,
    numbers: &Numbers<G::Packed>,
    level: u16,
    work: &Work<'_>,
    after_level: AfterLevel<'_>,
) -> Result<(), SolveError> {
    let degrees = &explored.degrees;
    let keys = &explored.keys;
    let values: Vec<AtomicU16> =
        std::mem::take(&mut explored.values).into_iter().map(AtomicU16::new).collect();
    for plies in level + 1.. {
        if plies >= code::LONGEST {
            return Err(SolveError::TooLong);
        }
        let stage = Stage::new(work, format!("plies {plies}"), Some(keys.len() as u64));
        let scratch = || (Children::<G>::new(), 0u64);
        let decided = stage.share(keys.len(), CHUNK, scratch, |(children, decided), range| {
            for position in range {
                if degrees[position] == 0 || values[position].load(Relaxed) != code::DRAW {
                    continue;
                }
                children.list(game, &trust::unpack(game, &keys[position])?);
                let code = if children.list.len() == usize::from(degrees[position]) {
                    decide(children, numbers, &values, plies)
                } else {
                    None
                };
                let code = code.ok_or_else(|| other_moves(game, &keys[position]))?;
                values[position].store(code, Relaxed);
                *decided += u64::from(code != code::DRAW);
            }
            Ok(trust::check(game)?)
        })?;
        if decided.iter().all(|(_, decided)| *decided == 0) {
            break;
        }
        after_level(plies, &|| values.iter().map(|v| v.load(Relaxed)).collect())?;
    }
    explored.values = values.into_iter().map(AtomicU16::into_inner).collect();
    Ok(())
}

fn other_moves<G: Game>(game: &G, key: &G::Packed) -> SolveError {
    let key = to_hex(key.as_bytes());
    let what = format!("the position {key} had other moves when it was first looked at");
    trust::contradiction(game, what).into()
}

/// The code of a position that is decided in exactly `plies`, else that of a draw; `None` when it has a child
/// that was not there before.
fn decide<G: Game>(
    children: &Children<G>,
    numbers: &Numbers<G::Packed>,
    values: &[AtomicU16],
    plies: u16,
) -> Option<u16> {
    let mut all_bad = true;
    for child in &children.list {
        let code = values.get(numbers.get(&child.key)? as usize)?.load(Relaxed);
        if code == code::DRAW || code::distance(code) >= plies {
            all_bad = false;
        } else if code::is_win(code) == child.same_mover {
            return Some(code::win(plies));
        }
    }
    Some(if all_bad { code::loss(plies) } else { code::DRAW })
}
