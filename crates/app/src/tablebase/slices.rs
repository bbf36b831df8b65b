//! Endings by material: a folder of slices.

use super::keyed::{hold, rules_of};
use super::views::{BarView, LongestView, SliceView, StatsView, TableView, VerifyView};
use super::{AnyTable, BuildRequest, refuse_goal};
use crate::adapter::Held;
use crate::measure::{Stopwatch, peak_bytes};
use crate::solve::{SolveView, Watcher, WorkError};
use crate::{ErrorKind, InputError};
use std::collections::BTreeMap;
use std::path::Path;
use tabia_core::{Index, Position, Present, Probe, Spot, Value};
use tabia_solve::file::{Precision, TableFile};
use tabia_solve::slices::{BuildOptions, Plan, SliceFolder};
use tabia_solve::stats::Histogram;
use tabia_solve::{Progress, code, lines, slices};

pub(crate) fn build<G: Present + Index>(
    rules: &G,
    request: &BuildRequest,
    watcher: &mut Watcher<'_>,
) -> Result<TableView, WorkError> {
    refuse_goal(rules, request)?;
    let rules = rules_of(rules, request.position.as_deref())?;
    let Some(pieces) = request.pieces else {
        let message = "say how many pieces the endings may have: --pieces N";
        return Err(InputError::new(ErrorKind::Unsupported, "--pieces", message).into());
    };
    let watch = Stopwatch::start();
    let precision = if request.distances { Precision::Distance } else { Precision::Outcome };
    announce(Plan::new(&rules, pieces, precision), watcher);
    let options = BuildOptions { pieces, precision, threads: request.threads, memory: request.memory };
    let report = slices::build(&rules, &request.out, options, &mut |progress: &Progress| watcher(progress))?;
    Ok(TableView {
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
        peak_bytes: peak_bytes(),
        seconds: watch.seconds(),
        cpu_seconds: watch.cpu_seconds(),
    })
}

/// Says what a build will take before it begins.
fn announce(plan: Plan, watcher: &mut Watcher<'_>) {
    let memory = tabia_solve::bytes(plan.peak_bytes);
    let phase = format!("{} positions in {} slices, at most {memory} of memory", plan.positions, plan.slices);
    // Stopping here is noticed at the next report.
    let _ = watcher(&Progress {
        phase,
        done: 0,
        total: Some(plan.positions),
        elapsed: std::time::Duration::ZERO,
    });
}

/// Opens a folder, or the folder a slice file is in.
pub(crate) fn open<G: Present + Index>(rules: &G, path: &Path) -> Result<Box<dyn AnyTable>, WorkError> {
    if !path.is_dir() && TableFile::open(path)?.info().layout == tabia_solve::file::Layout::Keyed {
        return super::open_keyed(rules, path);
    }
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok(Box::new(Slices { folder: SliceFolder::open(rules.clone(), folder)? }))
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
        // Damage is an error here, not "unknown".
        self.folder.get(held.state())?;
        let positions = self.folder.files().iter().map(|(_, file)| file.info().positions).sum();
        Ok(held.valued(&self.folder, positions))
    }

    fn verify(&self, threads: usize, watcher: &mut Watcher<'_>) -> Result<VerifyView, WorkError> {
        let watch = Stopwatch::start();
        let verdict = slices::verify(&self.folder, threads, &mut |progress: &Progress| watcher(progress))?;
        Ok(VerifyView::new(verdict, watch))
    }

    fn stats(&self) -> Result<StatsView, WorkError> {
        let mut bars = Histogram::default();
        let mut examples: BTreeMap<u16, Spot> = BTreeMap::new();
        let (mut rows, mut pieces): (Vec<SliceView>, BTreeMap<u32, SliceView>) = Default::default();
        for (slice, file) in self.folder.files() {
            let own = Histogram::of(file)?;
            for bar in own.bars() {
                examples.entry(code::encode(bar.value)).or_insert(Spot { slice, index: bar.example });
            }
            bars.add(&own);
            let count = self.folder.game().slice_pieces(slice);
            let name = self.folder.game().slice_name(slice);
            let mut row = SliceView { slice: name, pieces: count, ..SliceView::default() };
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
        let longest_win = self.longest_win(&bars, &examples);
        let mut pieces: Vec<SliceView> = pieces.into_values().collect();
        if !self.folder.has_distances() {
            rows.iter_mut().chain(&mut pieces).for_each(|row| row.longest = 0);
        }
        Ok(StatsView { table: self.info(), slices: rows, pieces, histogram, longest_win, bars })
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

    fn longest_win(&self, bars: &Histogram, examples: &BTreeMap<u16, Spot>) -> Option<LongestView> {
        let value = bars.longest_win().filter(|_| self.folder.has_distances())?.value;
        let distance = value.distance()?;
        let (rules, state) = (self.folder.game().clone(), self.state(examples, value)?);
        let held = Held::bare(Position { rules, state });
        let line = lines::best_line(held.rules(), &self.folder, held.state(), usize::from(distance));
        Some(held.longest(&line, distance))
    }
}
