//! Codes drawn bit by bit, with what each bit means.

use serde::{Deserialize, Serialize};

/// One number of a position's codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeField {
    /// What the number is: `stack on 3`, `black pieces`.
    pub name: String,
    /// The number, in hexadecimal.
    pub value: String,
    /// Its bits, the highest first, in groups that mean something.
    pub runs: Vec<BitRun>,
}

/// Neighbouring bits that mean something together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BitRun {
    /// The bits as digits, the highest first.
    pub bits: String,
    /// What they say.
    pub meaning: String,
    /// The cell of the board they speak about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
}

impl BitRun {
    /// The lowest `width` bits of `value`.
    pub fn new(value: u64, width: usize, meaning: impl Into<String>) -> Self {
        let bits = (0..width).rev().map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' }).collect();
        BitRun { bits, meaning: meaning.into(), cell: None }
    }

    /// The same about a cell.
    #[must_use]
    pub fn on(mut self, cell: impl Into<String>) -> Self {
        self.cell = Some(cell.into());
        self
    }
}

impl CodeField {
    /// A number of so many bits, and what they mean.
    pub fn new(name: impl Into<String>, value: u64, width: usize, runs: Vec<BitRun>) -> Self {
        let value = format!("{value:#0width$x}", width = 2 + width.div_ceil(4));
        CodeField { name: name.into(), value, runs }
    }

    /// A set of cells: bit `n` is the cell `cells[n]`; `meaning` names what a set bit says.
    pub fn set(name: impl Into<String>, value: u64, cells: &[String], meaning: &str) -> Self {
        let run = |(bit, cell): (usize, &String)| {
            let set = value >> bit & 1;
            let says = if set == 1 { meaning } else { "nothing" };
            BitRun::new(set, 1, format!("bit {bit}, {cell}: {says}")).on(cell)
        };
        let runs = cells.iter().enumerate().map(run).rev().collect();
        CodeField::new(name, value, cells.len(), runs)
    }

    /// A number whose bits mean nothing alone: a hash.
    pub fn hash(name: impl Into<String>, value: u64) -> Self {
        let byte = |i: u32| BitRun::new(value >> (8 * i) & 0xFF, 8, format!("byte {i} of the hash"));
        CodeField::new(name, value, 64, (0..8).rev().map(byte).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_written_highest_first() {
        let field = CodeField::set("pegs", 0b01, &["a1".to_owned(), "b1".to_owned()], "peg");
        let bits: Vec<_> = field.runs.iter().map(|run| run.bits.as_str()).collect();
        assert_eq!((bits, field.value.as_str()), (vec!["0", "1"], "0x1"));
        assert_eq!(field.runs[1].meaning, "bit 0, a1: peg");
    }

    #[test]
    fn a_hash_has_eight_bytes() {
        let field = CodeField::hash("key", 0x80FF);
        assert_eq!(field.runs.len(), 8);
        assert_eq!(field.runs[6].bits, "10000000");
    }
}
