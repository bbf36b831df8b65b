//! Exact answers with a table of canonical positions: for boards and positions that no bitmap fits.

use crate::Solitaire;
use rustc_hash::FxHashMap;
use tabia_core::Work;

/// Bytes of a table entry, with the slack of a hash table.
const ENTRY: u64 = 64;

/// Numbers of solutions by position.
pub(crate) struct Counts<'a> {
    rules: &'a Solitaire,
    work: &'a Work<'a>,
    least_pegs: u32,
    table: FxHashMap<u64, u128>,
}

impl<'a> Counts<'a> {
    /// An empty table.
    pub(crate) fn new(rules: &'a Solitaire, work: &'a Work<'a>) -> Self {
        Counts { rules, work, least_pegs: rules.goal().pegs(), table: FxHashMap::default() }
    }

    /// Positions in the table.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Solutions from a position; `None` when stopped, out of memory, or too many for the type.
    pub(crate) fn count(&mut self, pegs: u64) -> Option<u128> {
        if pegs.count_ones() <= self.least_pegs {
            return Some(u128::from(self.rules.goal().is_met(pegs)));
        }
        let canonical = self.rules.group().canonical(pegs);
        if let Some(&known) = self.table.get(&canonical) {
            return Some(known);
        }
        if self.table.len() as u64 * ENTRY > self.work.memory || self.work.is_stopped() {
            return None;
        }
        let mut sum = 0u128;
        let board = self.rules.board();
        for jump in board.possible(canonical) {
            sum = sum.checked_add(self.count(canonical ^ jump.holes())?)?;
        }
        if self.table.len().is_multiple_of(1 << 20) {
            self.work.report("counting", self.table.len() as u64, None);
        }
        self.table.insert(canonical, sum);
        Some(sum)
    }
}
