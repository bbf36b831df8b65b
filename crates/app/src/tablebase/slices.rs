//! Endings by material: a folder of slices.

use super::keyed::{hold, rules_of};
use super::views::{BarView, LongestView, SliceView, StatsView, TableView, VerifyView};
use super::{AnyTable, BuildRequest, Digest, refuse_goal, rules_in};
use crate::adapter::Held;
use crate::measure::Stopwatch;
use crate::solve::{SolveView, WorkError};
use crate::watch::Watch;
use crate::{ErrorKind, InputError, Stop};
use std::collections::BTreeMap;
use std::path::Path;
use tabia_core::{Index, Levels, Position, Present, Probe, Progress, Slice, Spot, Value};
use tabia_solve::file::{Precision, TableFile};
use tabia_solve::slices::{BuildReport, Plan, SliceFolder};
use tabia_solve::stats::Histogram;
use tabia_solve::{code, lines, slices};

/// The smallest endings of every game have fewer pieces than this.
const FEW: u32 = 8;

/// Builds group by group.
pub(crate) fn build<G: Present + Index>(
    rules: &G,
    request: &BuildRequest,
    watch: &Watch<'_>,
) -> Result<TableView, WorkError> {
    let (rules, groups) = asked(rules, request)?;
    let stopwatch = Stopwatch::start();
    let precision = if request.distances { Precision::Distance } else { Precision::Outcome };
    announce(Plan::of_groups(&rules, &groups, precision), watch);
    let work = watch.work(request.threads, request.memory);
    let report = slices::build_groups(&rules, &request.out, &groups, precision, &work)?;
    Ok(built(&rules, request, report, &stopwatch))
}

/// Builds group by group with distances, level by level without.
pub(crate) fn build_by_levels<G: Present + Levels<Block: Send + Sync>>(
    rules: &G,
    request: &BuildRequest,
    watch: &Watch<'_>,
) -> Result<TableView, WorkError> {
    let Some(pieces) = request.pieces.filter(|_| !request.distances && request.slice.is_none()) else {
        return build(rules, request, watch);
    };
    let (rules, _) = asked(rules, request)?;
    let stopwatch = Stopwatch::start();
    announce(Plan::by_levels(&rules, pieces, request.threads), watch);
    let work = watch.work(request.threads, request.memory);
    let report = slices::build_outcomes(&rules, &request.out, pieces, &work)?;
    Ok(built(&rules, request, report, &stopwatch))
}

/// The rules and groups of a request.
pub(crate) fn asked<G: Present + Index>(
    rules: &G,
    request: &BuildRequest,
) -> Result<(G, Vec<Vec<Slice>>), InputError> {
    refuse_goal(rules, request)?;
    let rules = rules_of(rules, request.position.as_deref())?;
    let groups = match (&request.slice, request.pieces) {
        (Some(name), None) => {
            let unknown = || {
                let message = format!("{} has no slice called {name:?}", rules.id());
                InputError::new(ErrorKind::Unknown, name.clone(), message)
            };
            rules.groups_for(rules.slice_named(name).ok_or_else(unknown)?)
        }
        (None, Some(pieces)) => rules.slice_groups(pieces),
        _ => {
            let message = "say how many pieces the endings may have, or name one slice";
            return Err(InputError::new(ErrorKind::Unsupported, "pieces", message));
        }
    };
    if let (true, Some(pieces)) = (groups.iter().all(Vec::is_empty), request.pieces) {
        let some = |pieces: &u32| !rules.slice_groups(*pieces).iter().all(Vec::is_empty);
        let least = (pieces..pieces.saturating_add(FEW)).find(some);
        let least = least.map_or_else(String::new, |least| format!(": the smallest have {least}"));
        let message = format!("{} has no endings of at most {pieces} pieces{least}", rules.id());
        return Err(InputError::new(ErrorKind::Invalid, "pieces", message));
    }
    Ok((rules, groups))
}

fn built<G: Present>(
    rules: &G,
    request: &BuildRequest,
    report: BuildReport,
    stopwatch: &Stopwatch,
) -> TableView {
    TableView {
        variant: rules.variant(),
        layout: "index",
        distances: request.distances,
        positions: report.positions,
        wins: report.wins,
        draws: report.draws,
        losses: report.losses,
        longest: if request.distances { report.longest } else { 0 },
        bytes: report.bytes,
        files: report.built + report.kept,
        kept: report.kept,
        peak_bytes: Some(report.peak_bytes),
        seconds: stopwatch.seconds(),
        cpu_seconds: stopwatch.cpu_seconds(),
    }
}

/// Says what a build will take before it begins.
fn announce(plan: Plan, watch: &Watch<'_>) {
    let memory = tabia_solve::bytes(plan.peak_bytes);
    let phase = format!("{} positions in {} slices, at most {memory} of memory", plan.positions, plan.slices);
    (watch.progress)(&Progress::positions(phase, 0, Some(plan.positions)));
}

/// Opens a folder, or the folder a slice file is in.
pub(crate) fn open<G: Present + Index>(rules: &G, path: &Path) -> Result<Box<dyn AnyTable>, WorkError> {
    let file = TableFile::open(&super::table_at(path, rules.id())?)?;
    if file.info().layout == tabia_solve::file::Layout::Keyed {
        return super::open_keyed(rules, file.path());
    }
    let folder = if tabia_disk::is_dir(path) { path } else { path.parent().unwrap_or(Path::new(".")) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok(Box::new(Slices { folder: SliceFolder::open(rules_in(rules, &file)?, folder)? }))
}

struct Slices<G: Index> {
    folder: SliceFolder<G>,
}

impl<G: Present + Index> AnyTable for Slices<G> {
    fn info(&self) -> TableView {
        let variant = self.folder.game().variant();
        let distances = self.folder.has_distances();
        let mut view = TableView { variant, layout: "index", distances, ..TableView::default() };
        for (_, file) in self.folder.files() {
            view.add(file.info(), file.size());
        }
        if !distances {
            view.longest = 0;
        }
        view
    }

    fn probe(&self, text: &str) -> Result<Option<SolveView>, WorkError> {
        let held = hold(self.folder.game(), text)?;
        let positions = self.folder.files().iter().map(|(_, file)| file.info().valued()).sum();
        held.valued(&self.folder, positions)
    }

    fn verify(&self, threads: usize, watch: &Watch<'_>) -> Result<VerifyView, WorkError> {
        let stopwatch = Stopwatch::start();
        let verdict = slices::verify(&self.folder, &watch.work(threads, u64::MAX))?;
        Ok(VerifyView::new(verdict, stopwatch))
    }

    fn digests(&self, threads: usize, watch: &Watch<'_>) -> Result<Vec<Digest>, WorkError> {
        Ok(slices::digests(&self.folder, &watch.work(threads, u64::MAX))?)
    }

    fn stats(&self, stop: &Stop) -> Result<StatsView, WorkError> {
        let mut bars = Histogram::default();
        let mut examples: BTreeMap<u16, Spot> = BTreeMap::new();
        let (mut rows, mut pieces): (Vec<SliceView>, BTreeMap<u32, SliceView>) = Default::default();
        for (slice, file) in self.folder.files() {
            let own = Histogram::of(file, stop)?.without_gaps();
            for bar in own.bars() {
                examples.entry(code::encode(bar.value)).or_insert(Spot { slice, index: bar.example });
            }
            bars.add(&own);
            let count = self.folder.game().slice_pieces(slice);
            let name = self.folder.game().slice_name(slice);
            let longest_position = self.longest_of(slice, &own);
            let mut row = SliceView { slice: name, pieces: count, longest_position, ..SliceView::default() };
            row.add(file.info());
            rows.push(row);
            let sum = pieces.entry(count).or_insert_with(|| SliceView {
                slice: format!("{count} pieces"),
                pieces: count,
                ..SliceView::default()
            });
            sum.add(file.info());
        }
        let histogram = self.histogram(&bars, &examples);
        let longest_win = self.longest_win(&bars, &examples)?;
        let mut pieces: Vec<SliceView> = pieces.into_values().collect();
        if !self.folder.has_distances() {
            rows.iter_mut().chain(&mut pieces).for_each(|row| row.longest = 0);
        }
        Ok(StatsView { table: self.info(), slices: rows, pieces, histogram, longest_win, bars })
    }

    #[cfg(not(target_family = "wasm"))]
    fn find(
        &self,
        request: &crate::find::FindRequest,
        watch: &Watch<'_>,
        sink: &mut crate::find::FindSink<'_>,
    ) -> Result<crate::find::FindView, WorkError> {
        let (game, folder) = (self.folder.game(), &self.folder);
        let asked = crate::find::Asked::new(game, request, crate::find::Origin::Tables, true)?;
        let total = folder.files().iter().map(|(_, file)| file.info().positions).sum();
        asked.answer(game, Some(folder), Some(total), watch, sink, &mut |finder| {
            finder.slices(folder).map(|()| true)
        })
    }
}

impl<G: Present + Index> Slices<G> {
    fn state(&self, examples: &BTreeMap<u16, Spot>, value: Value) -> Option<G::State> {
        self.folder.game().position(*examples.get(&code::encode(value))?)
    }

    fn histogram(&self, bars: &Histogram, examples: &BTreeMap<u16, Spot>) -> Vec<BarView> {
        let distances = self.folder.has_distances();
        let view = |bar: &tabia_solve::stats::Bar| BarView {
            value: bar.value.name(),
            distance: bar.value.distance().filter(|_| distances),
            positions: bar.positions,
            example: self
                .state(examples, bar.value)
                .map_or_else(String::new, |s| self.folder.game().format(&s)),
        };
        bars.bars().map(view).collect()
    }

    /// A position of a slice with its longest win.
    fn longest_of(&self, slice: Slice, bars: &Histogram) -> Option<String> {
        let bar = bars.longest_win().filter(|_| self.folder.has_distances())?;
        let state = self.folder.game().position(Spot { slice, index: bar.example })?;
        Some(self.folder.game().format(&state))
    }

    fn longest_win(
        &self,
        bars: &Histogram,
        examples: &BTreeMap<u16, Spot>,
    ) -> Result<Option<LongestView>, WorkError> {
        let Some(bar) = bars.longest_win().filter(|_| self.folder.has_distances()) else { return Ok(None) };
        let Some(state) = self.state(examples, bar.value) else { return Ok(None) };
        let distance = bar.value.distance().unwrap_or(0);
        let held = Held::bare(Position { rules: self.folder.game().clone(), state });
        let line = lines::best_line(held.rules(), &self.folder, held.state(), usize::from(distance))?;
        Ok(Some(held.longest(&line, distance)))
    }
}
