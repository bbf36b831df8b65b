//! Games whose endings are numbered: tables by material.

use super::two::{from_source, over};
use super::{SolveRequest, SolveView, WorkError, refuse_puzzle_options, two};
use crate::InputError;
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::search::{LineView, ScoreView, SearchView};
use crate::watch::Watch;
use std::path::{Path, PathBuf};
use tabia_core::{Index, Present, Probe, Slice};
use tabia_solve::FileError;
use tabia_solve::file::Precision;
use tabia_solve::slices::{SliceFolder, build_groups, file_name};

/// An ending that follows from tables of up to so many numbers is built on demand: a few seconds, a few megabytes.
const ON_DEMAND: u64 = 8_000_000;
/// No game has endings of more pieces that would be built on demand.
const MOST_PIECES: u32 = 8;

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
    if let Some(spot) = held.rules().locate(held.state())
        && let groups = held.rules().groups_for(spot.slice)
        && numbers(held.rules(), &groups) <= ON_DEMAND
        && let Some(view) = from_folder(held, &built(held, request, &groups, watch)?)?
    {
        return Ok(view);
    }
    two::solve(held, &SolveRequest { tables: None, ..request.clone() }, watch)
}

/// Where tables may be; a place that was asked for must be there. The usual one may be without tables of this game.
fn folder<G: Present + Index>(held: &Held<G>, request: &SolveRequest) -> Option<PathBuf> {
    let usual = || held.settings.tables.clone().filter(|folder| has_tables(held.rules(), folder));
    request.tables.clone().or_else(usual)
}

/// The ending tables of a game, as function pointers.
pub(crate) struct Endings<G: Present> {
    /// What the tables of the settings say about a position.
    pub(crate) known: fn(&Held<G>) -> Result<Option<SolveView>, InputError>,
    /// The tables in a folder, for a search to look into.
    pub(crate) open: fn(&G, &Path) -> Option<Box<dyn Probe<G>>>,
    /// Where the tables are that are used when none are named; small ones are built if there are none.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub(crate) usual: fn(&Held<G>, &SolveRequest, &Watch<'_>) -> Result<PathBuf, WorkError>,
}

impl<G: Present + Index> Endings<G> {
    pub(crate) fn of() -> Self {
        Endings { known, open: tables, usual }
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
        view.positions = tables.files().iter().map(|(_, file)| file.info().valued()).sum::<u64>().into();
        view.seconds = stopwatch.seconds();
        let without = if tabia_core::Probe::has_distances(&tables) { "" } else { " (without distances)" };
        view.because(format!("from {}{without}", folder.display()))
    }))
}

/// The folder of the cache with the tables of some groups, which are built if need be.
fn built<G: Present + Index>(
    held: &Held<G>,
    request: &SolveRequest,
    groups: &[Vec<Slice>],
    watch: &Watch<'_>,
) -> Result<PathBuf, WorkError> {
    let folder = held.cache_folder().join("endings");
    tabia_disk::create_dir_all(&folder).map_err(FileError::io(&folder))?;
    if !groups.iter().flatten().all(|slice| is_there(held.rules(), &folder, *slice)) {
        let work = watch.work(request.threads, request.memory);
        build_groups(held.rules(), &folder, groups, Precision::Distance, &work)?;
    }
    Ok(folder)
}

/// The tables of the settings, or those of few pieces in the cache.
fn usual<G: Present + Index>(
    held: &Held<G>,
    request: &SolveRequest,
    watch: &Watch<'_>,
) -> Result<PathBuf, WorkError> {
    let small = || {
        let groups = (2..=MOST_PIECES).map(|pieces| held.rules().slice_groups(pieces));
        let small = groups.take_while(|groups| numbers(held.rules(), groups) <= ON_DEMAND).last();
        built(held, request, &small.unwrap_or_default(), watch)
    };
    folder(held, request).map_or_else(small, Ok)
}

/// The numbers of all slices of some groups.
fn numbers<G: Index>(rules: &G, groups: &[Vec<Slice>]) -> u64 {
    groups.iter().flatten().map(|slice| rules.slice_len(*slice)).sum()
}

/// Whether the file of a slice is in a folder.
fn is_there<G: Index>(rules: &G, folder: &Path, slice: Slice) -> bool {
    tabia_disk::exists(&folder.join(file_name(rules, slice)))
}

/// Whether a folder has any table of a game.
fn has_tables<G: Index>(rules: &G, folder: &Path) -> bool {
    let prefix = format!("{}-", rules.id());
    let is_table = |path: &PathBuf| {
        let named =
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&prefix));
        named && path.extension().is_some_and(|extension| extension == "tbl")
    };
    tabia_disk::list(folder).is_ok_and(|paths| paths.iter().any(is_table))
}
