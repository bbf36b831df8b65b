//! Checking a table without trusting whoever made it: every value is worked out again from the values
//! of the positions one move away, and every checksum is looked at.
//!
//! With distances that is a proof: a win in `n` plies needs a loss in `n - 1` behind it, so the chain ends
//! at a finished game. Without them two wrong values could lean on each other; such a table is checked
//! for consistency, and the report says so.

use crate::code;
use crate::error::SolveError;
use crate::file::Precision;
use crate::keyed::KeyedTable;
use crate::lines::value_after;
use crate::stage::Stage;
use serde::Serialize;
use tabia_core::packed::to_hex;
use tabia_core::{Game, Packed, Probe, Value, Work, trust};

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
) -> Result<Value, SolveError> {
    if let Some(outcome) = game.settled(state) {
        return Ok(outcome.value_for(game.side(state)));
    }
    moves.clear();
    game.moves(state, moves);
    let mut best = Value::Unknown;
    for &mv in moves.iter() {
        let value = value_after(game, source, state, mv)?;
        if value.rank() > best.rank() {
            best = value;
        }
    }
    Ok(best)
}

/// Whether two values agree, as far as a table says anything.
pub(crate) fn agree(stored: Value, expected: Value, distances: bool) -> bool {
    if distances { stored == expected } else { stored.name() == expected.name() }
}

/// Checks a keyed table.
pub fn keyed<G: Game>(table: &KeyedTable<G>, work: &Work<'_>) -> Result<Verdict, SolveError> {
    let file = table.file();
    let stage = Stage::new(work, "verify", Some(file.info().positions));
    let block_len = file.info().block_len as usize;
    let parts = stage.share(
        file.info().positions as usize,
        block_len,
        || (Verdict::default(), Vec::new()),
        |(verdict, moves), range| {
            // A neighbour that cannot be read is no verdict on the table, but the end of it.
            let mut checked = Ok(());
            file.read_block(range.start / block_len, |_, key, code| {
                if checked.is_ok() {
                    checked = check_entry(table, key, code, verdict, moves);
                }
            })?;
            checked?;
            Ok(trust::check(table.game())?)
        },
    )?;
    let mut all = Verdict { proof: file.info().precision == Precision::Distance, ..Verdict::default() };
    for (verdict, _) in parts {
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
) -> Result<(), SolveError> {
    let game = table.game();
    verdict.positions += 1;
    let name = || to_hex(key);
    let Some(packed) = G::Packed::from_bytes(key) else {
        verdict.fault(|| format!("{} has the wrong length for a position", name()));
        return Ok(());
    };
    let state = match game.unpack(&packed) {
        Ok(state) => state,
        Err(error) => {
            verdict.fault(|| format!("{} is not a position: {error}", name()));
            return Ok(());
        }
    };
    if game.pack_canonical(&state).as_bytes() != key {
        verdict.fault(|| format!("{} is not canonical", name()));
        return Ok(());
    }
    let (stored, expected) = (code::decode(code), expected(game, table, &state, moves)?);
    if !agree(stored, expected, table.has_distances()) {
        verdict.fault(|| format!("{} is stored as {stored:?} but must be {expected:?}", name()));
    }
    Ok(())
}
