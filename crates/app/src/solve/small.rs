//! Games that are solved whole in a second or two: the table is built once and kept in the cache.

use super::two::{from_source, over, strong};
use super::{SolveRequest, SolveView, Watcher, WorkError, two};
use crate::adapter::Held;
use crate::measure::Stopwatch;
use std::path::{Path, PathBuf};
use tabia_core::{Game, Present};
use tabia_solve::strong::Options;
use tabia_solve::{FileError, KeyedTable, Progress, keyed};

/// Answers from the cached table, which is built if need be; positions that no opening leads to are
/// solved from where they stand.
pub(crate) fn solve<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watcher: &mut Watcher<'_>,
) -> Result<SolveView, WorkError> {
    let by_itself = request.method.as_deref().is_none_or(|method| method == "table");
    if !by_itself || request.tables.is_some() {
        return two::solve(held, request, watcher);
    }
    super::refuse_puzzle_options(held.rules().id(), request)?;
    if let Some(view) = over(held) {
        return Ok(view);
    }
    let watch = Stopwatch::start();
    let (table, path, built) = cached(held, request, watcher)?;
    let Some(mut view) = from_source(held, &table, "table") else {
        return strong(held, request, request.memory, watcher);
    };
    view.positions = table.file().info().positions.into();
    view.seconds = watch.seconds();
    let how = if built { "built now and kept as" } else { "from" };
    Ok(view.because(format!("{how} {}", path.display())))
}

/// The table of all openings; whether it had to be built.
fn cached<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watcher: &mut Watcher<'_>,
) -> Result<(KeyedTable<G>, PathBuf, bool), WorkError> {
    let (rules, folder) = (held.rules(), held.cache_folder());
    let path = folder.join(format!("{}.tbl", rules.variant()));
    // A table that cannot be used any more is built again: it is only a cache.
    if let Ok(table) = KeyedTable::open(rules.clone(), &path) {
        return Ok((table, path, false));
    }
    std::fs::create_dir_all(&folder).map_err(FileError::io(&folder))?;
    build(rules, &path, request.threads, request.memory, None, watcher)?;
    Ok((KeyedTable::open(rules.clone(), &path)?, path, true))
}

/// Solves everything the openings lead to, into a file.
pub(crate) fn build<G: Present>(
    rules: &G,
    path: &Path,
    threads: usize,
    memory: u64,
    checkpoint: Option<PathBuf>,
    watcher: &mut Watcher<'_>,
) -> Result<(tabia_solve::file::Info, tabia_solve::strong::Report), WorkError> {
    let starts: Vec<<G as Game>::State> = openings(rules);
    let options = Options { threads, memory, checkpoint, ..Options::default() };
    let solution = tabia_solve::strong::solve(rules, &starts, &options, &mut |p: &Progress| watcher(p))?;
    let info = keyed::write(&solution, &rules.format(&rules.start()), path)?;
    Ok((info, *solution.report()))
}

/// The openings under these rules.
pub(crate) fn openings<G: Present>(rules: &G) -> Vec<G::State> {
    let same = |start: &tabia_core::NamedStart<G>| start.position.rules.variant() == rules.variant();
    let named = rules.starts().into_iter().filter(same).map(|start| start.position.state);
    std::iter::once(rules.start()).chain(named).collect()
}
