//! Where positions come from: tables, everything that can be reached, lists.

use super::finder::{FindError, Finder};
use super::row::{Known, Row};
use std::ops::ControlFlow;
use tabia_core::enumerate::{self, EnumerateOptions, Frontier};
use tabia_core::packed::to_hex;
use tabia_core::{GameError, Index, Packed, Present, Slice, Spot, Work, trust};
use tabia_solve::file::TableFile;
use tabia_solve::slices::SliceFolder;
use tabia_solve::{KeyedTable, code};

/// Positions of an enumeration or a list in one piece of work.
const PIECE: usize = 1024;

impl<G: Present> Finder<'_, G> {
    /// Looks through tables of endings, slice after slice.
    pub fn slices(&mut self, folder: &SliceFolder<G>) -> Result<(), FindError>
    where
        G: Index,
    {
        let files = folder.files();
        let blocks = |(slice, file): &(Slice, &'_ TableFile)| {
            let (slice, blocks) = (*slice, file.blocks());
            (0..blocks).map(move |block| (slice, block))
        };
        let pieces: Vec<(&TableFile, Slice, usize)> =
            files.iter().flat_map(|pair| blocks(pair).map(|(slice, block)| (pair.1, slice, block))).collect();
        let (scope, game) = (self.scope(), folder.game());
        let _ = self.feed(pieces.len(), &|piece, each| {
            let Some((file, slice, block)) = pieces.get(piece) else { return Ok(()) };
            Ok(file.read_block(*block, |index, _, code| {
                if code == code::UNKNOWN && game.is_gap(Spot { slice: *slice, index }) {
                    return;
                }
                let make = || {
                    let spot = Spot { slice: *slice, index };
                    game.position(spot).ok_or_else(|| format!("there is no position {index} in this slice"))
                };
                let known = Known { value: Some(code::decode(code)), ..Known::default() };
                each(&Row::new(scope, known, &make));
            })?)
        })?;
        Ok(())
    }

    /// Looks through a table of positions by their keys.
    pub fn keyed(&mut self, table: &KeyedTable<G>) -> Result<(), FindError> {
        let (scope, file) = (self.scope(), table.file());
        let _ = self.feed(file.blocks(), &|block, each| {
            Ok(file.read_block(block, |_, key, code| {
                let make = || unpacked(table.game(), key);
                let known = Known { value: Some(code::decode(code)), ..Known::default() };
                each(&Row::new(scope, known, &make));
            })?)
        })?;
        Ok(())
    }

    /// Looks at everything that can be reached from a position, ply by ply; whether that was all.
    pub fn enumerated(
        &mut self,
        start: &G::State,
        options: EnumerateOptions,
        work: &Work<'_>,
    ) -> Result<enumerate::Enumeration, FindError> {
        let (scope, rules) = (self.scope(), self.scope().rules);
        let mut failed = None;
        let mut visit = |ply: u32, frontier: &dyn Frontier<G::State>| {
            let looked = self.feed(frontier.len().div_ceil(PIECE), &|piece, each| {
                for at in piece * PIECE..frontier.len().min((piece + 1) * PIECE) {
                    let make = || frontier.state(at).map_err(|error| error.to_string());
                    each(&Row::new(scope, Known { ply: Some(ply), ..Known::default() }, &make));
                }
                Ok(())
            });
            looked.unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        };
        let found = enumerate::visit(rules, start, options, work, &mut visit)?;
        match failed {
            Some(error) => Err(error),
            None => Ok(found),
        }
    }

    /// Looks at some positions of a list; whether to go on.
    pub fn listed<T: Sync>(
        &mut self,
        items: &[T],
        known: impl Fn(&T) -> Known + Sync,
        state: impl Fn(&T) -> Result<G::State, String> + Sync,
    ) -> Result<ControlFlow<()>, FindError> {
        let scope = self.scope();
        self.feed(items.len().div_ceil(PIECE), &|piece, each| {
            for item in items.iter().skip(piece * PIECE).take(PIECE) {
                each(&Row::new(scope, known(item), &|| state(item)));
            }
            Ok(())
        })
    }
}

/// The position that a key stands for.
pub fn unpacked<G: Present>(rules: &G, key: &[u8]) -> Result<G::State, String> {
    let packed =
        G::Packed::from_bytes(key).ok_or_else(|| format!("the key {} has the wrong length", to_hex(key)))?;
    trust::unpack(rules, &packed).map_err(|error: GameError| error.to_string())
}
