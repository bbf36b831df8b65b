//! Games that are solved whole in a second or two: the table is built once and kept in the cache.

use super::two::{from_source, over, strong};
use super::{SolveRequest, SolveView, WorkError, two};
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::watch::Watch;
use std::path::{Path, PathBuf};
use tabia_core::{Game, Present, Work};
use tabia_solve::strong::StrongOptions;
use tabia_solve::{FileError, KeyedTable, keyed};

/// Answers from the cached table, which is built if need be; positions that no opening leads to are
/// solved from where they stand.
pub(crate) fn solve<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let by_itself = request.method.as_deref().is_none_or(|method| method == "table");
    if !by_itself || request.tables.is_some() {
        return two::solve(held, request, watch);
    }
    super::refuse_puzzle_options(held.rules().id(), request)?;
    if let Some(view) = over(held) {
        return Ok(view);
    }
    let stopwatch = Stopwatch::start();
    let path = table_path(held);
    // A table that cannot be used any more is built again: it is only a cache.
    let kept = KeyedTable::open(held.rules().clone(), &path).ok();
    let kept = kept.and_then(|table| Some((from_source(held, &table, "table").ok()?, table)));
    let built = kept.is_none();
    let (view, table) = if let Some(answer) = kept {
        answer
    } else {
        let table = rebuilt(held.rules(), &path, request, watch)?;
        (from_source(held, &table, "table")?, table)
    };
    let Some(mut view) = view else { return strong(held, request, None, watch) };
    view.positions = table.file().info().positions.into();
    view.seconds = stopwatch.seconds();
    let how = if built { "built now and kept as" } else { "from" };
    Ok(view.because(format!("{how} {}", path.display())))
}

/// The table of all openings, from the cache; it is built if need be.
pub(crate) fn opened<G: Present>(
    held: &Held<G>,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<KeyedTable<G>, WorkError> {
    let path = table_path(held);
    match KeyedTable::open(held.rules().clone(), &path) {
        Ok(table) => Ok(table),
        Err(_) => rebuilt(held.rules(), &path, request, watch),
    }
}

fn table_path<G: Present>(held: &Held<G>) -> PathBuf {
    held.cache_folder().join(format!("{}.tbl", held.rules().variant()))
}

/// The table of all openings, built into the cache.
fn rebuilt<G: Present>(
    rules: &G,
    path: &Path,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<KeyedTable<G>, WorkError> {
    if let Some(folder) = path.parent() {
        tabia_disk::create_dir_all(folder).map_err(FileError::io(folder))?;
    }
    build(rules, path, None, &watch.work(request.threads, request.memory))?;
    Ok(KeyedTable::open(rules.clone(), path)?)
}

/// Solves everything the openings lead to, into a file.
pub(crate) fn build<G: Present>(
    rules: &G,
    path: &Path,
    checkpoint: Option<PathBuf>,
    work: &Work<'_>,
) -> Result<(tabia_solve::file::Info, tabia_solve::strong::Report), WorkError> {
    let starts: Vec<<G as Game>::State> = openings(rules);
    let options = StrongOptions { checkpoint, ..StrongOptions::default() };
    let solution = tabia_solve::strong::solve(rules, &starts, &options, work)?;
    let info = keyed::write(&solution, &rules.format(&rules.start()), path)?;
    Ok((info, *solution.report()))
}

/// The openings under these rules.
pub(crate) fn openings<G: Present>(rules: &G) -> Vec<G::State> {
    let same = |start: &tabia_core::NamedStart<G>| start.position.rules.variant() == rules.variant();
    let named = rules.starts().into_iter().filter(same).map(|start| start.position.state);
    std::iter::once(rules.start()).chain(named).collect()
}
