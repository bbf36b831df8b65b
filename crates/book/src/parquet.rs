//! Writing a book as a Parquet file: the rows of the CSV export in typed columns, for pandas, Polars and databases.
//!
//! A row for each move of a position; a position without moves has one row without a move. Columns are collected
//! until a group of rows is full, so that memory does not grow with the book.

use crate::{Book, Counts, Error, ExportRow, Exported, Result};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::sync::Arc;
use tabia_core::{Notation, Packed};

/// Rows that are written at a time.
const GROUP: usize = 1 << 15;

const SCHEMA: &str = "message book {
    required binary position (UTF8);
    required binary packed;
    required int64 met;
    optional binary move (UTF8);
    optional int64 code (INTEGER(64,false));
    required int64 total;
    required int64 wins0;
    required int64 wins1;
    required int64 draws;
}";

/// A column whose values may be missing.
struct Optional<T> {
    values: Vec<T>,
    /// For every row 1 where it has a value.
    present: Vec<i16>,
}

impl<T> Optional<T> {
    fn push(&mut self, value: Option<T>) {
        self.present.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn clear(&mut self) {
        self.values.clear();
        self.present.clear();
    }
}

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Optional { values: Vec::new(), present: Vec::new() }
    }
}

/// Rows on their way into the file, in the order of [`SCHEMA`].
#[derive(Default)]
struct Columns {
    position: Vec<ByteArray>,
    packed: Vec<ByteArray>,
    met: Vec<i64>,
    mv: Optional<ByteArray>,
    code: Optional<i64>,
    counts: [Vec<i64>; 4],
}

impl Columns {
    fn rows(&self) -> usize {
        self.position.len()
    }

    fn push_counts(&mut self, counts: Counts) {
        let numbers = [counts.total(), counts.wins0, counts.wins1, counts.draws];
        self.counts.iter_mut().zip(numbers).for_each(|(column, number)| column.push(whole(number)));
    }

    fn write(&self, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<(), ParquetError> {
        column::<ByteArrayType>(group, &self.position, None)?;
        column::<ByteArrayType>(group, &self.packed, None)?;
        column::<Int64Type>(group, &self.met, None)?;
        column::<ByteArrayType>(group, &self.mv.values, Some(&self.mv.present))?;
        column::<Int64Type>(group, &self.code.values, Some(&self.code.present))?;
        self.counts.iter().try_for_each(|counts| column::<Int64Type>(group, counts, None))
    }

    fn clear(&mut self) {
        self.position.clear();
        self.packed.clear();
        self.met.clear();
        self.mv.clear();
        self.code.clear();
        self.counts.iter_mut().for_each(Vec::clear);
    }
}

/// A counter, as signed as Parquet's readers like it.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
    present: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has too few columns".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, present, None)?;
    column.close()
}

/// A file that grows by groups of rows. It is made in memory and handed on group by group, because the library wants
/// to own what it writes to.
struct File<'a> {
    out: &'a mut dyn Write,
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Columns,
    written: u64,
}

impl<'a> File<'a> {
    fn new(out: &'a mut dyn Write) -> Result<Self, ParquetError> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
        let writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
        Ok(File { out, writer, columns: Columns::default(), written: 0 })
    }

    fn write_group(&mut self) -> std::io::Result<()> {
        if self.columns.rows() == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        self.columns.write(&mut group)?;
        group.close()?;
        self.written += self.columns.rows() as u64;
        self.columns.clear();
        self.writer.flush()?;
        let bytes = self.writer.inner_mut();
        self.out.write_all(bytes)?;
        bytes.clear();
        Ok(())
    }

    fn end(mut self) -> std::io::Result<u64> {
        self.write_group()?;
        self.out.write_all(&self.writer.into_inner()?)?;
        Ok(self.written)
    }
}

impl<G: Notation> Book<'_, G> {
    /// Columns `position`, `packed`, `met`, `move`, `code`, `total`, `wins0`, `wins1` and `draws`; a row for each move,
    /// and one without a move for a position that has none.
    pub fn export_parquet(&self, out: &mut dyn Write) -> Result<Exported> {
        let failed = |error: std::io::Error| Error::Io { path: "the export".into(), error };
        let mut file = File::new(out).map_err(|error| failed(error.into()))?;
        self.for_each(|row| {
            self.add(&row, &mut file.columns);
            if file.columns.rows() >= GROUP { file.write_group() } else { Ok(()) }
        })?;
        Ok(Exported { entries: file.end().map_err(failed)?, left_out: 0 })
    }

    fn add(&self, row: &ExportRow<G>, columns: &mut Columns) {
        let position = ByteArray::from(self.rules().format(&row.state).into_bytes());
        let packed = ByteArray::from(row.packed.as_bytes().to_vec());
        let mut push = |mv: Option<G::Move>, counts| {
            columns.position.push(position.clone());
            columns.packed.push(packed.clone());
            columns.met.push(whole(row.totals.total()));
            columns.mv.push(mv.map(|mv| self.rules().format_move(&row.state, mv).into_bytes().into()));
            columns.code.push(mv.and_then(|mv| self.rules().move_code(&row.state, mv)).map(u64::cast_signed));
            columns.push_counts(counts);
        };
        if row.moves.is_empty() {
            push(None, row.totals);
        }
        row.moves.iter().for_each(|&(mv, counts)| push(Some(mv), counts));
    }
}
