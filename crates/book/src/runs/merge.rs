//! Several runs as one: rows of the same position added up.

use super::{Run, RunRows, RunWriter};
use crate::{Error, GameId, Increments, Ledger, Result, Row};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// The rows of several runs, ascending, each key once and behind a prefix.
pub struct Merge<'a> {
    sources: Vec<RunRows<'a>>,
    /// The next row of each source that has one: the least key is on top.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    rows: Vec<Row>,
    prefix: usize,
    key: Vec<u8>,
    row: Row,
}

impl<'a> Merge<'a> {
    /// Merges runs, which must be of one variant; keys will begin with `prefix`.
    pub fn new(runs: &'a [Run], prefix: &[u8]) -> Result<Self> {
        let mut merge = Merge {
            sources: runs.iter().map(Run::all).collect(),
            heads: BinaryHeap::new(),
            rows: vec![Row::default(); runs.len()],
            prefix: prefix.len(),
            key: prefix.to_vec(),
            row: Row::default(),
        };
        for source in 0..runs.len() {
            merge.refill(source, Vec::new())?;
        }
        Ok(merge)
    }

    /// Queues the next row of a source; `key` is a used buffer.
    fn refill(&mut self, source: usize, mut key: Vec<u8>) -> Result<()> {
        if let Some((next, row)) = self.sources[source].next()? {
            key.clear();
            key.extend_from_slice(next);
            self.rows[source].clone_from(row);
            self.heads.push(Reverse((key, source)));
        }
        Ok(())
    }
}

impl Increments for Merge<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &Row)>> {
        let Some(Reverse((key, source))) = self.heads.pop() else { return Ok(None) };
        self.key.truncate(self.prefix);
        self.key.extend_from_slice(&key);
        std::mem::swap(&mut self.row, &mut self.rows[source]);
        self.refill(source, key)?;
        while self.heads.peek().is_some_and(|Reverse((key, _))| *key == self.key[self.prefix..]) {
            if let Some(Reverse((key, source))) = self.heads.pop() {
                self.row.add(&self.rows[source]);
                self.refill(source, key)?;
            }
        }
        Ok(Some((&self.key, &self.row)))
    }
}

/// Writes several runs of one variant as one. Two runs with a game in common are refused.
pub fn merge(runs: &[Run], path: &Path) -> Result<()> {
    let Some(first) = runs.first() else { return Err(Error::Game("nothing to merge".to_owned())) };
    let same = |run: &Run| run.variant() == first.variant() && run.fingerprint() == first.fingerprint();
    if let Some(other) = runs.iter().find(|run| !same(run)) {
        return Err(Error::Encoding {
            place: other.path().display().to_string(),
            variant: other.variant().to_owned(),
        });
    }
    let mut writer = RunWriter::create(path, first.variant(), first.fingerprint())?;
    let mut rows = Merge::new(runs, &[])?;
    while let Some((key, row)) = rows.next()? {
        writer.row(key, row)?;
    }
    let mut ledger = Ledger::default();
    let mut ids: Vec<GameId> = Vec::new();
    for run in runs {
        ledger.add(run.ledger());
        for id in run.ids() {
            ids.push(id?);
        }
    }
    ids.sort_unstable();
    let twice: Vec<GameId> = ids.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    if !twice.is_empty() {
        return Err(Error::AlreadyCounted(twice));
    }
    writer.finish(ids.into_iter().map(Ok), ledger)
}
