//! Games whose endings are numbered: tables by material.

use super::two::{from_source, over};
use super::{SolveRequest, SolveView, WorkError, cache_folder, refuse_puzzle_options, two};
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::search::{LineView, ScoreView, SearchView};
use crate::watch::Watch;
use std::path::{Path, PathBuf};
use tabia_core::{Index, Present};
use tabia_solve::FileError;
use tabia_solve::file::Precision;
use tabia_solve::slices::{BuildOptions, SliceFolder, build};

/// Endings of up to so many pieces are built on demand: a few seconds, a few megabytes.
const ON_DEMAND: u32 = 4;

/// Answers from the tables of the request, of `TABIA_TABLES`, or of the cache, and from there on as any
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
    for folder in folders(request) {
        if let Some(view) = from_folder(held, &folder)? {
            return Ok(view);
        }
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
fn folders(request: &SolveRequest) -> Vec<PathBuf> {
    if let Some(folder) = &request.tables {
        return vec![folder.clone()];
    }
    std::env::var_os("TABIA_TABLES").map(PathBuf::from).filter(|folder| folder.is_dir()).into_iter().collect()
}

/// What the tables named by `TABIA_TABLES` say, with distances: a search need not look further.
pub(crate) fn known<G: Present + Index>(held: &Held<G>) -> Option<SolveView> {
    let folder = std::env::var_os("TABIA_TABLES").map(PathBuf::from)?;
    held.rules().locate(held.state())?;
    // Tables that cannot be used leave the search as it is without them.
    from_folder(held, &folder).ok().flatten().filter(|view| view.distance_exact || view.value == "draw")
}

/// The tables named by `TABIA_TABLES`, for a search to look into. Ones that cannot be used leave it as it is
/// without them.
pub(crate) fn tables<G: Index>(rules: &G) -> Option<SliceFolder<G>> {
    let folder = std::env::var_os("TABIA_TABLES").map(PathBuf::from)?;
    SliceFolder::open(rules.clone(), &folder).ok()
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
    let folder = cache_folder().unwrap_or_else(std::env::temp_dir).join("endings");
    std::fs::create_dir_all(&folder).map_err(FileError::io(&folder))?;
    let options = BuildOptions { pieces, precision: Precision::Distance };
    if !complete(held.rules(), &folder, pieces) {
        build(held.rules(), &folder, options, &watch.work(request.threads, request.memory))?;
    }
    from_folder(held, &folder)
}

/// Whether every slice of up to `pieces` pieces is there.
fn complete<G: Index>(rules: &G, folder: &Path, pieces: u32) -> bool {
    let slices = rules.slice_groups(pieces).concat();
    slices.iter().all(|slice| folder.join(tabia_solve::slices::file_name(rules, *slice)).exists())
}
