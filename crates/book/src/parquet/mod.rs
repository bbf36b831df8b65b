//! Writing a book as a Parquet file: the rows of the CSV export in typed columns, for pandas, Polars and databases.
//!
//! A row for each move of a position; a position without moves has one row without a move. Columns are collected
//! until a group of rows is full, so that memory does not grow with the book.

mod file;

use crate::{Book, Counts, Error, ExportRow, Exported, Result};
use file::{Column, File, Kind, Values};
use std::io::Write;
use tabia_core::{Notation, Packed};

/// Rows that are written at a time.
const GROUP: usize = 1 << 15;

const COLUMNS: [Column; 9] = [
    Column { name: "position", kind: Kind::Text, optional: false },
    Column { name: "packed", kind: Kind::Bytes, optional: false },
    Column { name: "met", kind: Kind::Number, optional: false },
    Column { name: "move", kind: Kind::Text, optional: true },
    Column { name: "code", kind: Kind::Unsigned, optional: true },
    Column { name: "total", kind: Kind::Number, optional: false },
    Column { name: "wins0", kind: Kind::Number, optional: false },
    Column { name: "wins1", kind: Kind::Number, optional: false },
    Column { name: "draws", kind: Kind::Number, optional: false },
];

/// Rows on their way into the file, in the order of [`COLUMNS`].
#[derive(Default)]
struct Rows([Values; COLUMNS.len()]);

/// What one row says.
struct Line<'a> {
    position: &'a str,
    packed: &'a [u8],
    met: u64,
    mv: Option<String>,
    code: Option<u64>,
    counts: Counts,
}

impl Rows {
    fn len(&self) -> usize {
        self.0[0].rows()
    }

    fn push(&mut self, line: &Line<'_>) {
        let [position, packed, met, mv, code, total, wins0, wins1, draws] = &mut self.0;
        position.push_bytes(Some(line.position.as_bytes()));
        packed.push_bytes(Some(line.packed));
        met.push_number(Some(whole(line.met)));
        mv.push_bytes(line.mv.as_deref().map(str::as_bytes));
        code.push_number(line.code.map(u64::cast_signed));
        total.push_number(Some(whole(line.counts.total())));
        wins0.push_number(Some(whole(line.counts.wins0)));
        wins1.push_number(Some(whole(line.counts.wins1)));
        draws.push_number(Some(whole(line.counts.draws)));
    }

    /// Writes what has come together.
    fn write(&mut self, file: &mut File<'_>) -> std::io::Result<()> {
        if self.len() > 0 {
            file.write(&self.0)?;
            self.0.iter_mut().for_each(Values::clear);
        }
        Ok(())
    }
}

/// A counter, as signed as Parquet's readers like it.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl<G: Notation> Book<'_, G> {
    /// Columns `position`, `packed`, `met`, `move`, `code`, `total`, `wins0`, `wins1` and `draws`; a row for each move,
    /// and one without a move for a position that has none.
    pub fn export_parquet(&self, out: &mut dyn Write) -> Result<Exported> {
        let failed = |error: std::io::Error| Error::Io { path: "the export".into(), error };
        let mut file = File::new(out, &COLUMNS).map_err(failed)?;
        let mut rows = Rows::default();
        self.for_each(&mut |row| {
            self.add(&row, &mut rows);
            if rows.len() >= GROUP { rows.write(&mut file) } else { Ok(()) }
        })?;
        rows.write(&mut file).map_err(failed)?;
        let entries = file.rows();
        file.end().map_err(failed)?;
        Ok(Exported { entries, left_out: 0 })
    }

    fn add(&self, row: &ExportRow<G>, rows: &mut Rows) {
        let position = self.rules().format(&row.state);
        let mut push = |mv: Option<G::Move>, counts| {
            rows.push(&Line {
                position: &position,
                packed: row.packed.as_bytes(),
                met: row.totals.total(),
                mv: mv.map(|mv| self.rules().format_move(&row.state, mv)),
                code: mv.and_then(|mv| self.rules().move_code(&row.state, mv)),
                counts,
            });
        };
        if row.moves.is_empty() {
            push(None, row.totals);
        }
        row.moves.iter().for_each(|&(mv, counts)| push(Some(mv), counts));
    }
}
