//! Exporting a book as a Polyglot file. What stands in an entry is the game's affair; here the moves
//! are weighed, and the entries put in order.
//!
//! The weight is twice the mover's wins plus the draws, scaled down per position to fit. Polyglot
//! books know no symmetry: every image of a stored position is written. Moves of weight 0, which only
//! lost, are left out unless they are asked for: programs do not play them.

use crate::{Book, Counts, Error, Exported, Result};
use std::cmp::Reverse;
use std::io::Write;
use tabia_core::{Game, Side, Symmetry};

/// The entry for a move of a position with a weight, as it stands in a Polyglot file: the key comes first.
pub type PolyglotEntry<'a, G> = dyn Fn(&<G as Game>::State, <G as Game>::Move, u16) -> [u8; 16] + 'a;

impl<G: Game> Book<'_, G> {
    /// Writes the book for programs that read Polyglot files; with `all` also the moves that only lost.
    pub fn export_polyglot(
        &self,
        out: &mut dyn Write,
        entry: &PolyglotEntry<'_, G>,
        all: bool,
    ) -> Result<Exported> {
        let rules = self.rules();
        let mut entries: Vec<(u16, [u8; 16])> = Vec::new();
        self.for_each(&mut |row| {
            let images = rules.symmetries(&row.state);
            let images = if images.is_empty() { &[G::Symmetry::IDENTITY] } else { images };
            for &symmetry in images {
                let state = rules.map_state(&row.state, symmetry);
                let side = rules.side(&state);
                let raw = |c: Counts| weight(c.swapped(symmetry.swaps_sides()), side);
                let most = row.moves.iter().map(|&(_, c)| raw(c)).max().unwrap_or(0);
                for &(mv, counts) in &row.moves {
                    let scaled = scale(raw(counts), most);
                    entries.push((scaled, entry(&state, rules.map_move(mv, symmetry), scaled)));
                }
            }
            Ok(())
        })?;
        sort(&mut entries);
        // A symmetric position is its own image: its entries came out more than once.
        entries.dedup();
        let found = entries.len();
        entries.retain(|&(weight, _)| all || weight > 0);
        for (_, entry) in &entries {
            out.write_all(entry).map_err(Error::io("the export"))?;
        }
        Ok(Exported { entries: entries.len() as u64, left_out: (found - entries.len()) as u64 })
    }
}

/// The first eight bytes of an entry: what files are sorted by.
fn key(entry: [u8; 16]) -> u64 {
    (u128::from_be_bytes(entry) >> 64) as u64
}

/// By key, and the heaviest move of a position first.
fn sort(entries: &mut [(u16, [u8; 16])]) {
    entries.sort_unstable_by_key(|&(weight, entry)| (key(entry), Reverse(weight), entry));
}

fn weight(counts: Counts, side: Side) -> u64 {
    counts.wins(side).saturating_mul(2).saturating_add(counts.draws)
}

fn scale(weight: u64, most: u64) -> u16 {
    const MAX: u64 = u16::MAX as u64;
    if most <= MAX { weight as u16 } else { (u128::from(weight) * u128::from(MAX) / u128::from(most)) as u16 }
}
