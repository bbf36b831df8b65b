//! Exporting a book as a Polyglot file: 16-byte entries, big-endian, ascending by key.
//!
//! ```text
//! key u64  move u16  weight u16  learn u32
//! ```
//!
//! The weight is twice the mover's wins plus the draws, scaled down per position to fit. Polyglot
//! books know no symmetry: every image of a stored position is written. Moves of weight 0, which only
//! lost, are left out unless they are asked for: programs do not play them.

use crate::{Book, Counts, Error, Exported, Result};
use std::io::Write;
use tabia_core::{Game, Side, Symmetry};

/// The Polyglot key of a position and code of a move; `None` where there are none.
pub type PolyglotCode<'a, G> = dyn Fn(&<G as Game>::State, <G as Game>::Move) -> Option<(u64, u16)> + 'a;

impl<G: Game> Book<'_, G> {
    /// Writes the book for programs that read Polyglot files; with `all` also the moves that only lost.
    pub fn export_polyglot(
        &self,
        out: &mut dyn Write,
        code: &PolyglotCode<'_, G>,
        all: bool,
    ) -> Result<Exported> {
        let rules = self.rules();
        let mut entries: Vec<(u64, u16, u16)> = Vec::new();
        self.for_each(|row| {
            let images = rules.symmetries(&row.state);
            let images = if images.is_empty() { &[G::Symmetry::IDENTITY] } else { images };
            for &symmetry in images {
                let state = rules.map_state(&row.state, symmetry);
                let side = rules.side(&state);
                let raw = |c: Counts| weight(c.swapped(symmetry.swaps_sides()), side);
                let most = row.moves.iter().map(|&(_, c)| raw(c)).max().unwrap_or(0);
                for &(mv, counts) in &row.moves {
                    if let Some((key, mv)) = code(&state, rules.map_move(mv, symmetry)) {
                        entries.push((key, mv, scale(raw(counts), most)));
                    }
                }
            }
            Ok(())
        })?;
        entries.sort_unstable_by_key(|&(key, mv, weight)| (key, std::cmp::Reverse(weight), mv));
        // A symmetric position is its own image: its entries came out more than once.
        entries.dedup();
        let found = entries.len();
        entries.retain(|&(.., weight)| all || weight > 0);
        for &(key, mv, weight) in &entries {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&key.to_be_bytes());
            bytes[8..10].copy_from_slice(&mv.to_be_bytes());
            bytes[10..12].copy_from_slice(&weight.to_be_bytes());
            out.write_all(&bytes).map_err(Error::io("the export"))?;
        }
        Ok(Exported { entries: entries.len() as u64, left_out: (found - entries.len()) as u64 })
    }
}

fn weight(counts: Counts, side: Side) -> u64 {
    counts.wins(side).saturating_mul(2).saturating_add(counts.draws)
}

fn scale(weight: u64, most: u64) -> u16 {
    const MAX: u64 = u16::MAX as u64;
    if most <= MAX { weight as u16 } else { (u128::from(weight) * u128::from(MAX) / u128::from(most)) as u16 }
}
