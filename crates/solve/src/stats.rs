//! What is in a table: how many positions of each value and distance, with an example of each.

use crate::SolveError;
use crate::code;
use crate::file::TableFile;
use std::collections::BTreeMap;
use tabia_core::{Stop, Value};

/// The positions with one value and distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The value.
    pub value: Value,
    /// How many positions have it.
    pub positions: u64,
    /// The number of the first of them in the file.
    pub example: u64,
    /// Its key, in keyed files.
    pub example_key: Vec<u8>,
}

/// The positions of one or more files by value and distance.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    bars: BTreeMap<u16, Bar>,
}

impl Histogram {
    /// Counts the entries of a file, unless it is stopped.
    pub fn of(file: &TableFile, stop: &Stop) -> Result<Histogram, SolveError> {
        let mut bars: BTreeMap<u16, Bar> = BTreeMap::new();
        for block in 0..file.blocks() {
            if stop.is_stopped() {
                return Err(SolveError::Stopped);
            }
            file.read_block(block, |number, key, code| {
                let bar = bars.entry(code).or_insert_with(|| Bar {
                    value: code::decode(code),
                    positions: 0,
                    example: number,
                    example_key: key.to_vec(),
                });
                bar.positions += 1;
            })?;
        }
        Ok(Histogram { bars })
    }

    /// The same without the numbers of an indexed file that stand for no position.
    #[must_use]
    pub fn without_gaps(mut self) -> Histogram {
        self.bars.remove(&code::UNKNOWN);
        self
    }

    /// The bars: draws first, then losses and wins by distance.
    pub fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.bars.values()
    }

    /// The wins that take longest.
    pub fn longest_win(&self) -> Option<&Bar> {
        self.bars.values().rfind(|bar| matches!(bar.value, Value::Win(_)))
    }

    /// The number of positions with a value.
    pub fn count(&self, value: Value) -> u64 {
        self.bars.get(&code::encode(value)).map_or(0, |bar| bar.positions)
    }

    /// Adds the counts of another file; examples stay those of the first.
    pub fn add(&mut self, other: &Histogram) {
        for (code, bar) in &other.bars {
            self.bars
                .entry(*code)
                .and_modify(|own| own.positions += bar.positions)
                .or_insert_with(|| bar.clone());
        }
    }
}
