//! Games whose endings are numbered: tables by material.

use super::two::{from_source, over};
use super::{SolveRequest, SolveView, WorkError, refuse_puzzle_options, two};
use crate::InputError;
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::search::{LineView, ScoreView, SearchView};
use crate::watch::Watch;
use std::path::{Path, PathBuf};
use tabia_core::{Index, Present, Probe};
use tabia_solve::FileError;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, SliceFolder, build};

/// Endings of up to so many pieces are built on demand: a few seconds, a few megabytes.
const ON_DEMAND: u32 = 4;

/// Answers from the tables of the request, of the settings, or of the cache, and from there on as any
/// other game for two.
pub(crate) fn solve<G: Present + Index>(
    held: &Held<G>,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<SolveView, WorkError> {
    let by_itself = request.method.as_deref().is_none_or(|method| method == "table");
    refuse_puzzle_options(held.rules().id(), request)?;
    if !by_itself || over(held).is_some() {
        return two::solve(&held.clone(), &SolveRequest { tables: None, ..request.clone() }, watch);
    }
    if let Some(view) = from_memory(held)? {
        return Ok(view);
    }
    if let Some(folder) = folder(held, request)
        && let Some(view) = from_folder(held, &folder)?
    {
        return Ok(view);
    }
    if let Some(pieces) = held.rules().locate(held.state()).map(|spot| held.rules().slice_pieces(spot.slice))
        && pieces <= ON_DEMAND
        && let Some(view) = on_demand(held, request, pieces, watch)?
    {
        return Ok(view);
    }
    two::solve(held, &SolveRequest { tables: None, ..request.clone() }, watch)
}

/// Where tables may be; a place that was asked for must be there.
fn folder<G: Present>(held: &Held<G>, request: &SolveRequest) -> Option<PathBuf> {
    let usual = || held.settings.tables.clone().filter(|folder| tabia_disk::is_dir(folder));
    request.tables.clone().or_else(usual)
}

/// The ending tables of a game, as function pointers.
pub(crate) struct Endings<G: Present> {
    /// What the tables of the settings say about a position.
    pub(crate) known: fn(&Held<G>) -> Result<Option<SolveView>, InputError>,
    /// The tables in a folder, for a search to look into.
    pub(crate) open: fn(&G, &Path) -> Option<Box<dyn Probe<G>>>,
}

impl<G: Present + Index> Endings<G> {
    pub(crate) fn of() -> Self {
        Endings { known, open: tables }
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Endings<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Endings<G> {}

/// What the tables of the settings say, with distances: a search need not look further.
fn known<G: Present + Index>(held: &Held<G>) -> Result<Option<SolveView>, InputError> {
    if held.rules().locate(held.state()).is_none() {
        return Ok(None);
    }
    let view = match (from_memory(held), held.settings.tables.as_deref()) {
        (Ok(None), Some(folder)) => from_folder(held, folder),
        (answer, _) => answer,
    };
    match view {
        Ok(view) => Ok(view.filter(|view| view.distance_exact || view.value == "draw")),
        Err(error) if error.is_damage() => Err(held.damaged(error.to_string())),
        // Tables that are not there leave the search as it is without them.
        Err(_) => Ok(None),
    }
}

/// The tables of a folder. Ones that cannot be used leave a search as it is without them.
fn tables<G: Index>(rules: &G, folder: &Path) -> Option<Box<dyn Probe<G>>> {
    Some(Box::new(SliceFolder::open(rules.clone(), folder).ok()?))
}

impl SolveView {
    /// The same answer in the shape of a search's.
    pub(crate) fn into_search(self) -> SearchView {
        let plies = self.distance.unwrap_or(0) as u16;
        let score = match self.value {
            "win" => ScoreView::Win(plies),
            "loss" => ScoreView::Loss(plies),
            _ => ScoreView::Draw(true),
        };
        let best = self.moves.into_iter().next().map(|mv| mv.text);
        let pv = if self.line.is_empty() { best.clone().into_iter().collect() } else { self.line };
        SearchView {
            position: self.position,
            best,
            score,
            exact: true,
            method: "table",
            depth: pv.len() as u32,
            nodes: 0,
            seconds: self.seconds,
            cpu_seconds: None,
            nodes_per_second: 0.0,
            lines: vec![LineView { score, pv: pv.clone() }],
            pv,
            table: Default::default(),
        }
    }
}

/// What the tables in memory say.
fn from_memory<G: Present + Index>(held: &Held<G>) -> Result<Option<SolveView>, WorkError> {
    let Some(tables) = &held.in_memory else { return Ok(None) };
    let stopwatch = Stopwatch::start();
    Ok(from_source(held, tables, "table")?.map(|mut view| {
        view.seconds = stopwatch.seconds();
        let without = if Probe::has_distances(tables) { "" } else { " (without distances)" };
        view.because(format!("from tables in memory{without}"))
    }))
}

fn from_folder<G: Present + Index>(held: &Held<G>, folder: &Path) -> Result<Option<SolveView>, WorkError> {
    let stopwatch = Stopwatch::start();
    let tables = SliceFolder::open(held.rules().clone(), folder)?;
    Ok(from_source(held, &tables, "table")?.map(|mut view| {
        view.positions = tables.files().iter().map(|(_, file)| file.info().positions).sum::<u64>().into();
        view.seconds = stopwatch.seconds();
        let without = if tabia_core::Probe::has_distances(&tables) { "" } else { " (without distances)" };
        view.because(format!("from {}{without}", folder.display()))
    }))
}

fn on_demand<G: Present + Index>(
    held: &Held<G>,
    request: &SolveRequest,
    pieces: u32,
    watch: &Watch<'_>,
) -> Result<Option<SolveView>, WorkError> {
    let folder = held.cache_folder().join("endings");
    tabia_disk::create_dir_all(&folder).map_err(FileError::io(&folder))?;
    let options = BuildOptions { pieces, precision: Precision::Distance };
    if !complete(held.rules(), &folder, pieces) {
        build(held.rules(), &folder, options, &watch.work(request.threads, request.memory))?;
    }
    from_folder(held, &folder)
}

/// Whether every slice of up to `pieces` pieces is there.
fn complete<G: Index>(rules: &G, folder: &Path, pieces: u32) -> bool {
    let slices = rules.slice_groups(pieces).concat();
    slices.iter().all(|slice| tabia_disk::exists(&folder.join(tabia_solve::slices::file_name(rules, *slice))))
}
