//! Tables of everything the openings of a game lead to.

use super::views::{BarView, LongestView, StatsView, TableView, VerifyView};
use super::{AnyTable, BuildRequest, refuse_goal, refuse_slice, rules_in};
use crate::adapter::{Held, position_of};
use crate::measure::Stopwatch;
use crate::solve::{self, SolveView, WorkError};
use crate::watch::Watch;
use crate::{ErrorKind, InputError, Stop};
use std::path::{Path, PathBuf};
use tabia_core::packed::to_hex;
use tabia_core::{GameError, Packed, Position, Present, Progress, trust};
use tabia_solve::file::{Info, Precision, TableFile};
use tabia_solve::stats::{Bar, Histogram};
use tabia_solve::strong::plan;
use tabia_solve::{KeyedTable, SolveError, lines, verify};

pub(crate) fn build<G: Present>(
    rules: &G,
    request: &BuildRequest,
    watch: &Watch<'_>,
) -> Result<TableView, WorkError> {
    refuse_goal(rules, request)?;
    refuse_slice(rules, request)?;
    if request.pieces.is_some() {
        let message =
            format!("{} has no endings by the number of pieces: everything is solved at once", rules.id());
        return Err(InputError::new(ErrorKind::Unsupported, "pieces", message).into());
    }
    let rules = rules_of(rules, request.position.as_deref())?;
    let stopwatch = Stopwatch::start();
    announce(&rules, request.memory, watch);
    let mut checkpoint = request.out.clone().into_os_string();
    checkpoint.push(".checkpoint");
    let checkpoint = Some(PathBuf::from(checkpoint));
    let work = watch.work(request.threads, request.memory);
    let built = solve::build_small(&rules, &request.out, checkpoint, &work)?;
    let mut view = describe(&built.0, TableFile::open(&request.out)?.size());
    view.peak_bytes = Some(built.1.peak_bytes);
    (view.seconds, view.cpu_seconds) = (stopwatch.seconds(), stopwatch.cpu_seconds());
    Ok(view)
}

/// Says what each position will take, and how many have room, before the work begins.
fn announce<G: Present>(rules: &G, memory: u64, watch: &Watch<'_>) {
    let plan = plan(rules, &solve::openings(rules), memory);
    let phase = format!(
        "{} bytes a position with the graph of moves ({} without it); {} have room for {} positions ({})",
        plan.bytes_with_graph,
        plan.bytes_without_graph,
        tabia_solve::bytes(memory),
        plan.fit_with_graph,
        plan.fit_without_graph
    );
    (watch.progress)(&Progress::positions(phase, 0, None));
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

/// Opens a keyed file, under the rules that its header names.
pub(crate) fn open<G: Present>(rules: &G, path: &Path) -> Result<Box<dyn AnyTable>, WorkError> {
    let file = TableFile::open(path)?;
    Ok(Box::new(Keyed { table: KeyedTable::new(rules_in(rules, &file)?, file)? }))
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
        held.valued(&self.table, self.table.file().info().positions)
    }

    /// A position with this value; a key that is none is damage that no checksum saw.
    fn example(&self, bar: &Bar) -> Result<G::State, WorkError> {
        let packed = G::Packed::from_bytes(&bar.example_key).ok_or_else(|| {
            let what = format!("the key {} has the wrong length", to_hex(&bar.example_key));
            SolveError::Game(GameError::Contradiction(what))
        })?;
        Ok(trust::unpack(self.table.game(), &packed).map_err(SolveError::Game)?)
    }
}

impl<G: Present> AnyTable for Keyed<G> {
    fn info(&self) -> TableView {
        describe(self.table.file().info(), self.table.file().size())
    }

    fn probe(&self, text: &str) -> Result<Option<SolveView>, WorkError> {
        self.probe_held(&hold(self.table.game(), text)?, text)
    }

    fn verify(&self, threads: usize, watch: &Watch<'_>) -> Result<VerifyView, WorkError> {
        let stopwatch = Stopwatch::start();
        let verdict = verify::keyed(&self.table, &watch.work(threads, u64::MAX))?;
        Ok(VerifyView::new(verdict, stopwatch))
    }

    fn stats(&self, stop: &Stop) -> Result<StatsView, WorkError> {
        let bars = Histogram::of(self.table.file(), stop)?;
        let (game, table) = (self.table.game(), self.info());
        let view = |bar: &Bar| {
            Ok(BarView {
                value: bar.value.name(),
                distance: bar.value.distance().filter(|_| table.distances),
                positions: bar.positions,
                example: game.format(&self.example(bar)?),
            })
        };
        let longest = bars.longest_win().filter(|_| table.distances);
        let longest_win = longest.map(|bar| {
            let distance = bar.value.distance().unwrap_or(0);
            let held = Held::bare(Position { rules: game.clone(), state: self.example(bar)? });
            let line = lines::best_line(game, &self.table, held.state(), usize::from(distance))?;
            Ok::<_, WorkError>(held.longest(&line, distance))
        });
        let longest_win = longest_win.transpose()?;
        let histogram = bars.bars().map(view).collect::<Result<_, WorkError>>()?;
        Ok(StatsView { table, slices: Vec::new(), pieces: Vec::new(), histogram, longest_win, bars })
    }

    #[cfg(not(target_family = "wasm"))]
    fn find(
        &self,
        request: &crate::find::FindRequest,
        watch: &Watch<'_>,
        sink: &mut crate::find::FindSink<'_>,
    ) -> Result<crate::find::FindView, WorkError> {
        let (game, table) = (self.table.game(), &self.table);
        let asked = crate::find::Asked::new(game, request, crate::find::Origin::Tables, true)?;
        let total = Some(table.file().info().positions);
        asked.answer(game, Some(table), total, watch, sink, &mut |finder| finder.keyed(table).map(|()| true))
    }
}

/// A position by text or name, under the rules of the table where the text names none.
pub(super) fn hold<G: Present>(rules: &G, text: &str) -> Result<Held<G>, InputError> {
    Ok(Held::bare(position_of(rules, text)?))
}

impl<G: Present> Held<G> {
    /// A position without capabilities, for asking tables.
    pub(super) fn bare(position: Position<G>) -> Self {
        crate::Adapter::on_one_machine(position.rules.clone()).hold(position)
    }

    pub(super) fn longest(&self, line: &[G::Move], distance: u16) -> LongestView {
        LongestView { position: self.rules().format(self.state()), distance, line: self.line_text(line) }
    }
}
