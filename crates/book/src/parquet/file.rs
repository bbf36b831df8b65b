//! The bytes of a Parquet file: one table of flat columns, each with a dictionary in every group of rows.
//!
//! ```text
//!     PAR1
//!     for every group of rows, for every column:
//!         page of the dictionary     every different value once, plain
//!         page of the rows           which rows have a value, and the numbers of their values in the dictionary
//!     description of all that        Thrift, compact; its length in four bytes
//!     PAR1
//! ```
//!
//! Pages are compressed by Snappy. The format is much larger than this (<https://parquet.apache.org/docs/file-format/>), and
//! a library that writes all of it is forty times as large as what is needed here.

use crate::varint;
use rustc_hash::FxHashMap;
use std::io::{Error, Result, Write};

const MAGIC: &[u8; 4] = b"PAR1";
/// Encodings by their numbers in the format.
const PLAIN: i64 = 0;
const RUNS: i64 = 3;
const NUMBERS: i64 = 8;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Bytes,
    Number,
    Unsigned,
}

impl Kind {
    /// Its physical type.
    const fn number(self) -> i64 {
        match self {
            Kind::Text | Kind::Bytes => 6,
            Kind::Number | Kind::Unsigned => 2,
        }
    }
}

/// A column of the table.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Whether a row may have no value.
    pub(super) optional: bool,
}

/// The values of a column in a group of rows.
#[derive(Default)]
pub(super) struct Values {
    /// For every row whether it has one.
    present: Vec<u32>,
    /// The numbers of those that are there.
    numbers: Vec<u32>,
    dictionary: FxHashMap<Vec<u8>, u32>,
    /// The dictionary as it is written.
    plain: Vec<u8>,
}

impl Values {
    /// The next row has a text, or bytes, or nothing.
    pub(super) fn push_bytes(&mut self, value: Option<&[u8]>) {
        self.push(value, true);
    }

    /// The next row has a number, or nothing.
    pub(super) fn push_number(&mut self, value: Option<i64>) {
        self.push(value.map(i64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice), false);
    }

    fn push(&mut self, value: Option<&[u8]>, with_length: bool) {
        self.present.push(u32::from(value.is_some()));
        let Some(value) = value else { return };
        let next = self.dictionary.len() as u32;
        let number = *self.dictionary.get(value).unwrap_or(&next);
        if number == next {
            self.dictionary.insert(value.to_vec(), next);
            if with_length {
                self.plain.extend_from_slice(&(value.len() as u32).to_le_bytes());
            }
            self.plain.extend_from_slice(value);
        }
        self.numbers.push(number);
    }

    pub(super) fn rows(&self) -> usize {
        self.present.len()
    }

    pub(super) fn clear(&mut self) {
        *self = Values::default();
    }

    /// The page that says what the rows have.
    fn page(&self, optional: bool) -> Vec<u8> {
        let mut page = Vec::new();
        if optional {
            let present = packed(&self.present, 1);
            page.extend_from_slice(&(present.len() as u32).to_le_bytes());
            page.extend_from_slice(&present);
        }
        if !self.numbers.is_empty() {
            let bits = (u32::BITS - (self.dictionary.len() as u32 - 1).leading_zeros()).max(1);
            page.push(bits as u8);
            page.extend_from_slice(&packed(&self.numbers, bits));
        }
        page
    }
}

/// Numbers of so many bits, eight in a group, the lowest bits first: one run of the format's hybrid.
fn packed(numbers: &[u32], bits: u32) -> Vec<u8> {
    let groups = numbers.len().div_ceil(8);
    let mut out = Vec::with_capacity(10 + groups * bits as usize);
    varint::put(&mut out, (groups as u64) << 1 | 1);
    let (mut waiting, mut have) = (0u64, 0);
    for place in 0..8 * groups {
        waiting |= u64::from(numbers.get(place).copied().unwrap_or(0)) << have;
        have += bits;
        while have >= 8 {
            out.push(waiting as u8);
            waiting >>= 8;
            have -= 8;
        }
    }
    out
}

/// A structure of Thrift's compact protocol: its fields in the order of their numbers, no gap larger than fifteen.
struct Fields<'a> {
    out: &'a mut Vec<u8>,
    last: u8,
}

impl Fields<'_> {
    fn field(&mut self, number: u8, kind: u8) {
        self.out.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn whole(&mut self, value: i64) {
        varint::put(self.out, ((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    /// A number of 32 bits; names of types and encodings are such numbers too.
    fn small(&mut self, number: u8, value: i64) {
        self.field(number, 5);
        self.whole(value);
    }

    fn large(&mut self, number: u8, value: u64) {
        self.field(number, 6);
        self.whole(value.cast_signed());
    }

    fn text(&mut self, number: u8, text: &str) {
        self.field(number, 8);
        self.plain_text(text);
    }

    fn plain_text(&mut self, text: &str) {
        varint::put(self.out, text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    /// The head of a list of so many items: numbers of 32 bits (5), texts (8) or structures (12).
    fn list(&mut self, number: u8, kind: u8, items: usize) {
        self.field(number, 9);
        self.out.push(0xF0 | kind);
        varint::put(self.out, items as u64);
    }

    fn structure(&mut self, number: u8, write: impl FnOnce(&mut Fields<'_>)) {
        self.field(number, 12);
        structure(self.out, write);
    }
}

/// A structure, as the whole or as an item of a list.
fn structure(out: &mut Vec<u8>, write: impl FnOnce(&mut Fields<'_>)) {
    write(&mut Fields { out, last: 0 });
    out.push(0);
}

/// A compressed page with its head; the bytes that it would have had otherwise.
fn write_page(out: &mut Vec<u8>, page: &[u8], about: impl FnOnce(&mut Fields<'_>), kind: i64) -> Result<u64> {
    let compressed = snap::raw::Encoder::new().compress_vec(page).map_err(Error::other)?;
    let before = out.len();
    structure(out, |head| {
        head.small(1, kind);
        head.small(2, page.len() as i64);
        head.small(3, compressed.len() as i64);
        about(head);
    });
    let head = out.len() - before;
    out.extend_from_slice(&compressed);
    Ok((head + page.len()) as u64)
}

/// A file that grows by groups of rows.
pub(super) struct File<'a> {
    out: &'a mut dyn Write,
    columns: &'static [Column],
    /// Bytes written.
    at: u64,
    rows: u64,
    /// The descriptions of the groups.
    groups: Vec<u8>,
    group_count: usize,
}

impl<'a> File<'a> {
    pub(super) fn new(out: &'a mut dyn Write, columns: &'static [Column]) -> Result<Self> {
        out.write_all(MAGIC)?;
        Ok(File { out, columns, at: MAGIC.len() as u64, rows: 0, groups: Vec::new(), group_count: 0 })
    }

    /// Rows written.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes a group of rows: the values of each column.
    pub(super) fn write(&mut self, values: &[Values]) -> Result<()> {
        let rows = values.first().map_or(0, Values::rows);
        let (mut bytes, mut chunks, mut all) = (Vec::new(), Vec::new(), 0);
        for (column, values) in self.columns.iter().zip(values) {
            all += self.write_column(column, values, &mut bytes, &mut chunks)?;
        }
        structure(&mut self.groups, |group| {
            group.list(1, 12, self.columns.len());
            group.out.extend_from_slice(&chunks);
            group.large(2, all);
            group.large(3, rows as u64);
            group.large(5, self.at);
            group.large(6, bytes.len() as u64);
        });
        self.group_count += 1;
        self.rows += rows as u64;
        self.at += bytes.len() as u64;
        self.out.write_all(&bytes)
    }

    /// The pages of a column and their description; the bytes that the pages would have without compression.
    fn write_column(
        &self,
        column: &Column,
        values: &Values,
        bytes: &mut Vec<u8>,
        chunks: &mut Vec<u8>,
    ) -> Result<u64> {
        let (first, mut all) = (bytes.len(), 0);
        // A dictionary of nothing is more than some readers expect.
        let words = values.dictionary.len();
        if words > 0 {
            let about = |head: &mut Fields<'_>| {
                head.structure(7, |about| {
                    about.small(1, words as i64);
                    about.small(2, PLAIN);
                });
            };
            all += write_page(bytes, &values.plain, about, 2)?;
        }
        let second = bytes.len();
        let encoding = if words > 0 { NUMBERS } else { PLAIN };
        let about = |head: &mut Fields<'_>| {
            head.structure(5, |about| {
                about.small(1, values.rows() as i64);
                about.small(2, encoding);
                about.small(3, RUNS);
                about.small(4, RUNS);
            });
        };
        all += write_page(bytes, &values.page(column.optional), about, 0)?;
        let place = |offset: usize| self.at + offset as u64;
        structure(chunks, |chunk| {
            chunk.large(2, place(first));
            chunk.structure(3, |about| {
                about.small(1, column.kind.number());
                about.list(2, 5, 3);
                [PLAIN, RUNS, encoding].into_iter().for_each(|encoding| about.whole(encoding));
                about.list(3, 8, 1);
                about.plain_text(column.name);
                about.small(4, 1);
                about.large(5, values.rows() as u64);
                about.large(6, all);
                about.large(7, (bytes.len() - first) as u64);
                about.large(9, place(second));
                if words > 0 {
                    about.large(11, place(first));
                }
            });
        });
        Ok(all)
    }

    /// Writes what is in the file.
    pub(super) fn end(self) -> Result<()> {
        let mut bytes = Vec::new();
        structure(&mut bytes, |file| {
            file.small(1, 1);
            file.list(2, 12, 1 + self.columns.len());
            structure(file.out, |root| {
                root.text(4, "book");
                root.small(5, self.columns.len() as i64);
            });
            self.columns.iter().for_each(|column| structure(file.out, |about| describe(column, about)));
            file.large(3, self.rows);
            file.list(4, 12, self.group_count);
            file.out.extend_from_slice(&self.groups);
            file.text(6, concat!("tabia version ", env!("CARGO_PKG_VERSION")));
        });
        let length = bytes.len() as u32;
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(MAGIC);
        self.out.write_all(&bytes)
    }
}

/// A column in the schema.
fn describe(column: &Column, about: &mut Fields<'_>) {
    about.small(1, column.kind.number());
    about.small(3, i64::from(column.optional));
    about.text(4, column.name);
    // What it stands for, once as old readers know it and once as new ones do.
    match column.kind {
        Kind::Text => {
            about.small(6, 0);
            about.structure(10, |logical| logical.structure(1, |_| ()));
        }
        Kind::Unsigned => {
            about.small(6, 14);
            about.structure(10, |logical| {
                logical.structure(10, |integer| {
                    integer.field(1, 3);
                    integer.out.push(64);
                    // Not signed.
                    integer.field(2, 2);
                });
            });
        }
        Kind::Bytes | Kind::Number => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_packed_as_the_format_shows() {
        // The example of the format: 0 to 7 in three bits each.
        assert_eq!(packed(&[0, 1, 2, 3, 4, 5, 6, 7], 3), [0b11, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        assert_eq!(packed(&[1, 0, 1], 1), [0b11, 0b101]);
        assert_eq!(packed(&[], 1), [1]);
    }
}
