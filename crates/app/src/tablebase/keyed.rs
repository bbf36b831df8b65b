//! Tables of everything the openings of a game lead to.

use super::views::{BarView, LongestView, StatsView, TableView, VerifyView};
use super::{AnyTable, BuildRequest, refuse_goal};
use crate::adapter::{Held, position_of};
use crate::measure::Stopwatch;
use crate::solve::{self, SolveView, Watcher, WorkError};
use crate::{ErrorKind, InputError};
use std::path::{Path, PathBuf};
use tabia_core::{Packed, Position, Present};
use tabia_solve::file::{Info, Precision, TableFile};
use tabia_solve::stats::{Bar, Histogram};
use tabia_solve::strong::plan;
use tabia_solve::{KeyedTable, Progress, lines, verify};

pub(crate) fn build<G: Present>(
    rules: &G,
    request: &BuildRequest,
    watcher: &mut Watcher<'_>,
) -> Result<TableView, WorkError> {
    refuse_goal(rules, request)?;
    if request.pieces.is_some() {
        let message =
            format!("{} has no endings by the number of pieces: everything is solved at once", rules.id());
        return Err(InputError::new(ErrorKind::Unsupported, "--pieces", message).into());
    }
    let rules = rules_of(rules, request.position.as_deref())?;
    let watch = Stopwatch::start();
    announce(&rules, request.memory, watcher);
    let mut checkpoint = request.out.clone().into_os_string();
    checkpoint.push(".checkpoint");
    let checkpoint = Some(PathBuf::from(checkpoint));
    let built =
        solve::build_small(&rules, &request.out, request.threads, request.memory, checkpoint, watcher)?;
    let mut view = describe(&built.0, TableFile::open(&request.out)?.size());
    view.peak_bytes = Some(built.1.peak_bytes);
    (view.seconds, view.cpu_seconds) = (watch.seconds(), watch.cpu_seconds());
    Ok(view)
}

/// Says what each position will take, and how many have room, before the work begins.
fn announce<G: Present>(rules: &G, memory: u64, watcher: &mut Watcher<'_>) {
    let plan = plan(rules, &solve::openings(rules), memory);
    let phase = format!(
        "{} bytes a position with the graph of moves ({} without it); {} have room for {} positions ({})",
        plan.bytes_with_graph,
        plan.bytes_without_graph,
        tabia_solve::bytes(memory),
        plan.fit_with_graph,
        plan.fit_without_graph
    );
    // Stopping here is noticed at the next report.
    let _ = watcher(&Progress { phase, done: 0, total: None, elapsed: std::time::Duration::ZERO });
}

/// The rules a text names; the usual ones when there is none.
pub(super) fn rules_of<G: Present>(rules: &G, text: Option<&str>) -> Result<G, InputError> {
    text.map_or_else(|| Ok(rules.clone()), |text| Ok(position_of(rules, text)?.rules))
}

pub(super) fn describe(info: &Info, bytes: u64) -> TableView {
    let distances = info.precision == Precision::Distance;
    let mut view =
        TableView { variant: info.variant.clone(), layout: "keys", distances, ..TableView::default() };
    view.add(info, bytes);
    view
}

/// Opens a keyed file. Its options are read off the position it names.
pub(crate) fn open<G: Present>(rules: &G, path: &Path) -> Result<Box<dyn AnyTable>, WorkError> {
    let file = TableFile::open(path)?;
    let rules = rules.parse(&file.info().slice).map_or_else(|_| rules.clone(), |position| position.rules);
    Ok(Box::new(Keyed { table: KeyedTable::new(rules, file)? }))
}

pub(super) struct Keyed<G: Present> {
    pub(super) table: KeyedTable<G>,
}

impl<G: Present> Keyed<G> {
    pub(super) fn probe_held(&self, held: &Held<G>, text: &str) -> Result<Option<SolveView>, WorkError> {
        if held.rules().variant() != self.table.game().variant() {
            let message = format!(
                "the table is of {}, the position of {}",
                self.table.game().variant(),
                held.rules().variant()
            );
            return Err(InputError::new(ErrorKind::Invalid, text, message).into());
        }
        // Damage is an error here, not "unknown".
        self.table.get(held.state())?;
        Ok(held.valued(&self.table, self.table.file().info().positions))
    }

    fn example(&self, bar: &Bar) -> Option<G::State> {
        self.table.game().unpack(&G::Packed::from_bytes(&bar.example_key)?).ok()
    }
}

impl<G: Present> AnyTable for Keyed<G> {
    fn info(&self) -> TableView {
        describe(self.table.file().info(), self.table.file().size())
    }

    fn probe(&self, text: &str) -> Result<Option<SolveView>, WorkError> {
        self.probe_held(&hold(self.table.game(), text)?, text)
    }

    fn verify(&self, threads: usize, watcher: &mut Watcher<'_>) -> Result<VerifyView, WorkError> {
        let watch = Stopwatch::start();
        let verdict = verify::keyed(&self.table, threads, &mut |progress: &Progress| watcher(progress))?;
        Ok(VerifyView::new(verdict, watch))
    }

    fn stats(&self) -> Result<StatsView, WorkError> {
        let bars = Histogram::of(self.table.file())?;
        let (game, table) = (self.table.game(), self.info());
        let view = |bar: &Bar| BarView {
            value: bar.value.name(),
            distance: bar.value.distance().filter(|_| table.distances),
            positions: bar.positions,
            example: self.example(bar).map_or_else(String::new, |state| game.format(&state)),
        };
        let longest = bars.longest_win().and_then(|bar| Some((self.example(bar)?, bar.value.distance()?)));
        let longest_win = longest.filter(|_| table.distances).map(|(state, distance)| {
            let held = Held::bare(Position { rules: game.clone(), state });
            held.longest(&lines::best_line(game, &self.table, held.state(), usize::from(distance)), distance)
        });
        let histogram = bars.bars().map(view).collect();
        Ok(StatsView { table, slices: Vec::new(), pieces: Vec::new(), histogram, longest_win, bars })
    }
}

/// A position by text or name, under the rules of the table where the text names none.
pub(super) fn hold<G: Present>(rules: &G, text: &str) -> Result<Held<G>, InputError> {
    Ok(Held::bare(position_of(rules, text)?))
}

impl<G: Present> Held<G> {
    /// A position without capabilities, for asking tables.
    pub(super) fn bare(position: Position<G>) -> Self {
        crate::Adapter::new(position.rules.clone()).hold(position)
    }

    pub(super) fn longest(&self, line: &[G::Move], distance: u16) -> LongestView {
        LongestView { position: self.rules().format(self.state()), distance, line: self.line_text(line) }
    }
}
