//! Checking a table without trusting whoever made it: every value is worked out again from the values
//! of the positions one move away, and every checksum is looked at.
//!
//! With distances that is a proof: a win in `n` plies needs a loss in `n - 1` behind it, so the chain ends
//! at a finished game. Without them two wrong values could lean on each other; such a table is checked
//! for consistency, and the report says so.

use crate::code;
use crate::error::{FileError, SolveError};
use crate::file::Precision;
use crate::keyed::KeyedTable;
use crate::lines::{seen_from, value_of};
use crate::progress::{Listener, Reporter, share};
use serde::Serialize;
use tabia_core::{Game, Packed, Probe, Value};

/// What a check came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdict {
    /// Entries looked at.
    pub positions: u64,
    /// Entries with a wrong value, an impossible key, or a key that is not canonical.
    pub wrong: u64,
    /// The first few of them, in words.
    pub examples: Vec<String>,
    /// Whether distances were there, so that agreement proves the values.
    pub proof: bool,
}

impl Verdict {
    /// Whether everything was right.
    pub fn is_right(&self) -> bool {
        self.wrong == 0
    }

    pub(crate) fn fault(&mut self, message: impl FnOnce() -> String) {
        self.wrong += 1;
        if self.examples.len() < 10 {
            self.examples.push(message());
        }
    }

    pub(crate) fn add(&mut self, other: Verdict) {
        self.positions += other.positions;
        self.wrong += other.wrong;
        self.examples.extend(other.examples);
        self.examples.truncate(10);
    }
}

/// The value a position must have, given the values of those one move away.
pub fn expected<G: Game>(
    game: &G,
    source: &dyn Probe<G>,
    state: &G::State,
    moves: &mut Vec<G::Move>,
) -> Value {
    if let Some(outcome) = game.settled(state) {
        return outcome.value_for(game.side(state));
    }
    moves.clear();
    game.moves(state, moves);
    let side = game.side(state);
    let after = |&mv: &G::Move| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let value = value_of(game, source, &next).unwrap_or(Value::Unknown);
        seen_from(value, game.side(&next) == side)
    };
    moves.iter().map(after).max_by_key(|value| value.rank()).unwrap_or(Value::Unknown)
}

/// Whether two values agree, as far as a table says anything.
pub(crate) fn agree(stored: Value, expected: Value, distances: bool) -> bool {
    if distances { stored == expected } else { stored.name() == expected.name() }
}

/// Checks a keyed table.
pub fn keyed<G: Game>(
    table: &KeyedTable<G>,
    threads: usize,
    listener: &mut Listener<'_>,
) -> Result<Verdict, SolveError> {
    let file = table.file();
    let mut forward = |progress: &crate::Progress| listener(progress);
    let mut reporter = Reporter::new(&mut forward);
    reporter.phase("verify blocks", Some(file.blocks() as u64))?;
    let scratch = || (Verdict::default(), Vec::new(), None::<FileError>);
    let parts =
        share(threads, file.blocks(), 1, &mut reporter, scratch, |(verdict, moves, error), range| {
            for block in range {
                let read =
                    file.read_block(block, |_, key, code| check_entry(table, key, code, verdict, moves));
                if let Err(failed) = read {
                    error.get_or_insert(failed);
                }
            }
        })?;
    let mut all = Verdict { proof: file.info().precision == Precision::Distance, ..Verdict::default() };
    for (verdict, _, error) in parts {
        if let Some(error) = error {
            return Err(error.into());
        }
        all.add(verdict);
    }
    let (found, claimed) = (all.positions, file.info().positions);
    if found != claimed {
        all.fault(|| format!("{found} entries, but the header says {claimed}"));
    }
    Ok(all)
}

fn check_entry<G: Game>(
    table: &KeyedTable<G>,
    key: &[u8],
    code: u16,
    verdict: &mut Verdict,
    moves: &mut Vec<G::Move>,
) {
    let game = table.game();
    verdict.positions += 1;
    let Some(state) = G::Packed::from_bytes(key).and_then(|packed| game.unpack(&packed).ok()) else {
        return verdict.fault(|| format!("{key:02x?} is not a position"));
    };
    if game.pack_canonical(&state).as_bytes() != key {
        return verdict.fault(|| format!("{key:02x?} is not canonical"));
    }
    let (stored, expected) = (code::decode(code), expected(game, table, &state, moves));
    if !agree(stored, expected, table.has_distances()) {
        verdict.fault(|| format!("{key:02x?} is stored as {stored:?} but must be {expected:?}"));
    }
}
