//! Several runs as one: rows of the same position added up.

use super::{Run, RunRows, RunWriter};
use crate::heap::Heap;
use crate::{Error, GameId, Increments, Ledger, Result, Row};
use std::path::Path;

/// The rows of several runs, ascending, each key once and behind a prefix.
pub struct Merge<'a> {
    sources: Vec<RunRows<'a>>,
    /// The sources that have rows left: the one with the least key is on top.
    heap: Heap,
    /// The source whose row was handed out, and has to go on.
    told: Option<usize>,
    prefix: usize,
    key: Vec<u8>,
    sum: Row,
}

impl<'a> Merge<'a> {
    /// Merges runs, which must be of one variant; keys will begin with `prefix`.
    pub fn new(runs: &'a [Run], prefix: &[u8]) -> Result<Self> {
        let mut sources: Vec<RunRows<'a>> = runs.iter().map(Run::all).collect();
        let mut full = Vec::new();
        for (n, source) in sources.iter_mut().enumerate() {
            if source.advance()? {
                full.push(n);
            }
        }
        let heap = Heap::new(full.into_iter(), |a, b| sources[a].key() < sources[b].key());
        let (key, sum) = (prefix.to_vec(), Row::default());
        Ok(Merge { sources, heap, told: None, prefix: prefix.len(), key, sum })
    }

    /// Takes the source on top to its next row.
    fn go_on(&mut self) -> Result<()> {
        let Some(top) = self.heap.top() else { return Ok(()) };
        let is_over = !self.sources[top].advance()?;
        let is_less = |a: usize, b: usize| self.sources[a].key() < self.sources[b].key();
        if is_over {
            self.heap.pop(is_less);
        } else {
            self.heap.settle(is_less);
        }
        Ok(())
    }
}

impl Increments for Merge<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &Row)>> {
        if self.told.take().is_some() {
            self.go_on()?;
        }
        let Some(top) = self.heap.top() else { return Ok(None) };
        self.key.truncate(self.prefix);
        self.key.extend_from_slice(self.sources[top].key());
        if !self.heap.is_tied(|a, b| self.sources[a].key() == self.sources[b].key()) {
            // Most rows are in one run only: nothing is copied.
            self.told = Some(top);
            return Ok(Some((&self.key, self.sources[top].row())));
        }
        self.sum.clear();
        while let Some(top) =
            self.heap.top().filter(|&top| *self.sources[top].key() == self.key[self.prefix..])
        {
            self.sum.add(self.sources[top].row());
            self.go_on()?;
        }
        Ok(Some((&self.key, &self.sum)))
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
