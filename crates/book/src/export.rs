//! Writing a book out: as CSV, as JSON lines, as a table of codes, as a Polyglot book.

use crate::frame::{Frame, Numberer};
use crate::hex::hex;
use crate::{Book, Counts, Error, Result};
use serde_json::json;
use std::io::Write;
use std::ops::ControlFlow;
use tabia_core::{Game, Notation, Packed, Symmetry};

/// One position of a book with its moves, as exports see it: the canonical representative.
pub struct ExportRow<G: Game> {
    /// The position.
    pub state: G::State,
    /// Its exact code.
    pub packed: G::Packed,
    /// Games that met it.
    pub totals: Counts,
    /// A move of each class, with the games that played it.
    pub moves: Vec<(G::Move, Counts)>,
}

/// What an export came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Lines or entries that were written.
    pub entries: u64,
    /// Entries that the format has no use for, and that were left out: moves that only lost.
    pub left_out: u64,
}

/// What was written, or why not.
type Written = Result<Exported>;

impl<G: Game> Book<'_, G> {
    /// Hands on every position, ascending by key.
    pub fn for_each(&self, visit: &mut dyn FnMut(ExportRow<G>) -> std::io::Result<()>) -> Result<()> {
        let Some(variant) = self.variant() else { return Ok(()) };
        let place = self.reader().info()?.place;
        let mut numberer = Numberer::new(self.rules());
        let mut failed = None;
        self.reader().scan(variant.number, &mut |key, row| {
            let state = key.get(1..).and_then(G::Packed::from_bytes);
            let state = state.and_then(|packed| Some((self.rules().unpack(&packed).ok()?, packed)));
            let Some((state, packed)) = state else {
                failed = Some(Error::damaged(&place, "a key is not a position"));
                return ControlFlow::Break(());
            };
            let classes =
                numberer.classes(&Frame { state: state.clone(), packed, symmetry: G::Symmetry::IDENTITY });
            let find = |number| classes.iter().find(|(_, n)| *n == number).map(|(mv, _)| *mv);
            let moves: Option<Vec<_>> =
                row.moves.iter().map(|&(n, counts)| Some((find(n)?, counts))).collect();
            let Some(moves) = moves else {
                failed = Some(Error::damaged(&place, "a row has a move that is not legal"));
                return ControlFlow::Break(());
            };
            match visit(ExportRow { state, packed, totals: row.totals, moves }) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(Error::Io { path: "the export".into(), error });
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or(Ok(()), Err)
    }
}

impl<G: Notation> Book<'_, G> {
    /// Comma-separated: `position,met,move,code,total,wins0,wins1,draws`, a line for each move; a
    /// position without moves has one line with an empty move.
    pub fn export_csv(&self, out: &mut dyn Write) -> Written {
        let mut lines = 0;
        writeln!(out, "position,met,move,code,total,wins0,wins1,draws").map_err(Error::io("the export"))?;
        self.for_each(&mut |row| {
            let position = quoted(&self.rules().format(&row.state));
            let met = row.totals.total();
            let mut line = |mv: &str, code: &str, c: Counts| {
                lines += 1;
                writeln!(
                    out,
                    "{position},{met},{mv},{code},{},{},{},{}",
                    c.total(),
                    c.wins0,
                    c.wins1,
                    c.draws
                )
            };
            if row.moves.is_empty() {
                line("", "", row.totals)?;
            }
            for &(mv, counts) in &row.moves {
                let code =
                    self.rules().move_code(&row.state, mv).map_or_else(String::new, |c| format!("{c:#x}"));
                line(&quoted(&self.rules().format_move(&row.state, mv)), &code, counts)?;
            }
            Ok(())
        })?;
        Ok(Exported { entries: lines, left_out: 0 })
    }

    /// One JSON object per position, with the field names of a query.
    pub fn export_jsonl(&self, out: &mut dyn Write) -> Written {
        let mut lines = 0;
        self.for_each(&mut |row| {
            let moves: Vec<_> =
                row.moves.iter().map(|&(mv, counts)| self.json_move(&row.state, mv, counts)).collect();
            let c = row.totals;
            let line = json!({
                "position": self.rules().format(&row.state),
                "packed": hex(row.packed.as_bytes()),
                "total": c.total(), "wins0": c.wins0, "wins1": c.wins1, "draws": c.draws,
                "moves": moves,
            });
            lines += 1;
            writeln!(out, "{line}")
        })?;
        Ok(Exported { entries: lines, left_out: 0 })
    }

    fn json_move(&self, state: &G::State, mv: G::Move, c: Counts) -> serde_json::Value {
        let mut line = json!({
            "move": self.rules().format_move(state, mv),
            "total": c.total(), "wins0": c.wins0, "wins1": c.wins1, "draws": c.draws,
        });
        if let (Some(code), Some(fields)) = (self.rules().move_code(state, mv), line.as_object_mut()) {
            fields.insert("code".to_owned(), format!("{code:#x}").into());
        }
        line
    }

    /// The seed's table of consequences: `Board Hashcode,Move Hashcode,TotalCount,0Wins,1Wins`, for
    /// games whose positions have a code of 64 bits (`position_code`) and whose moves have codes.
    pub fn export_codes(
        &self,
        out: &mut dyn Write,
        position_code: &dyn Fn(&G::State) -> Option<u64>,
    ) -> Written {
        let mut lines = 0;
        writeln!(out, "Board Hashcode,Move Hashcode,TotalCount,0Wins,1Wins")
            .map_err(Error::io("the export"))?;
        self.for_each(&mut |row| {
            for &(mv, c) in &row.moves {
                let codes = (position_code(&row.state), self.rules().move_code(&row.state, mv));
                let (Some(board), Some(code)) = codes else {
                    return Err(std::io::Error::other(format!("{} has no such codes", self.rules().id())));
                };
                lines += 1;
                writeln!(out, "{board},{code},{},{},{}", c.total(), c.wins0, c.wins1)?;
            }
            Ok(())
        })?;
        Ok(Exported { entries: lines, left_out: 0 })
    }
}

/// A field of CSV, quoted where it must be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
