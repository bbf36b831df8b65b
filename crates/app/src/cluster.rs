//! Work on many machines: the same answers as on one.

use crate::adapter::{Held, position_of};
use crate::book::{BadGame, BookFailure, ImportReport, ImportRequest, read_lines, sources};
use crate::measure::Stopwatch;
use crate::solve::{WorkError, openings};
use crate::tablebase::{BuildRequest, TableView, asked_groups};
use crate::views::{Count, EnumerateView, LevelView};
use crate::{Adapter, ErrorKind, InputError, Stop};
use std::path::PathBuf;
use std::sync::Arc;
use tabia_cluster::ClusterError;
use tabia_cluster::book::BookImport;
use tabia_cluster::enumerate::EnumerateOptions;
use tabia_cluster::solve::SolveOptions;
pub use tabia_cluster::status::{Figure, Gauges, metrics};
pub use tabia_cluster::{Cluster, Hosts, MOST_WORKERS};
use tabia_core::{Index, Levels, Present};
use tabia_solve::SolveError;
use tabia_solve::file::Precision;
use tabia_solve::slices::BuildReport;

/// Who looks on: called now and then with the figures of all workers.
pub type Onlooker<'a> = dyn FnMut(&[Gauges]) + 'a;

/// Who hears of games that are not counted, from any thread.
pub type BadListener = dyn Fn(&BadGame) + Send + Sync;

/// Where and how the work is done.
#[derive(Clone, Debug)]
pub struct ClusterRequest {
    /// The processes.
    pub cluster: Cluster,
    /// Where complete levels are kept against being killed.
    pub folder: Option<PathBuf>,
    /// Bytes of memory for each worker; what does not fit goes to the folder.
    pub memory: Option<u64>,
}

/// A game whose work can be shared among machines.
pub trait ClusterGame: Send + Sync {
    /// Counts the positions that can be reached from a position, or from the start.
    fn cluster_enumerate(
        &self,
        request: &ClusterRequest,
        position: Option<&str>,
        symmetry: bool,
        depth: Option<u32>,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<EnumerateView, WorkError>;
    /// Solves everything that the openings lead to, into a file of process 0.
    fn cluster_solve(
        &self,
        request: &ClusterRequest,
        build: &BuildRequest,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<TableView, WorkError>;
    /// Imports files of games into the runs of a folder. `own_files`: they are those of this process alone.
    fn cluster_book(
        &self,
        request: &ClusterRequest,
        import: &ImportRequest,
        own_files: bool,
        bad: Arc<BadListener>,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<ImportReport, WorkError>;
    /// Builds ending tables into a folder of process 0.
    fn cluster_tablebase(
        &self,
        request: &ClusterRequest,
        build: &BuildRequest,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<TableView, WorkError>;
}

/// The game as one whose work can be shared.
pub(crate) type ClusterFn<G> = fn(&Adapter<G>) -> &dyn ClusterGame;

/// How a game with numbered endings builds them together with others.
pub(crate) type EndingsFn<G> =
    fn(&G, &ClusterRequest, &BuildRequest, &Stop, &mut Onlooker<'_>) -> Result<TableView, WorkError>;

impl From<ClusterError> for WorkError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Stopped => SolveError::Stopped.into(),
            ClusterError::Solve(error) => error.into(),
            ClusterError::Game(error) => SolveError::Game(error).into(),
            ClusterError::File(error) => error.into(),
            other => SolveError::Device(other.to_string()).into(),
        }
    }
}

impl<G: Present> Adapter<G> {
    fn rules_at(&self, position: Option<&str>) -> Result<Held<G>, InputError> {
        let start = || tabia_core::Position { rules: self.rules.clone(), state: self.rules.start() };
        Ok(self.hold(position.map_or_else(|| Ok(start()), |text| position_of(&self.rules, text))?))
    }
}

impl<G: Present> ClusterGame for Adapter<G> {
    fn cluster_enumerate(
        &self,
        request: &ClusterRequest,
        position: Option<&str>,
        symmetry: bool,
        depth: Option<u32>,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<EnumerateView, WorkError> {
        let (stopwatch, held, mut bill) = (Stopwatch::start(), self.rules_at(position)?, Bill::default());
        let options = EnumerateOptions {
            all_images: !symmetry,
            depth,
            folder: request.folder.clone(),
            memory: request.memory,
        };
        let found = tabia_cluster::enumerate::enumerate(
            &request.cluster,
            held.rules(),
            held.state(),
            &options,
            stop,
            &mut |gauges| bill.note(gauges, seen),
        )?;
        let shown = |level: &tabia_core::enumerate::Level| LevelView {
            ply: level.ply,
            positions: level.positions,
            finished: Some(level.finished),
            solvable: None,
        };
        Ok(EnumerateView {
            total: Count(found.levels.iter().map(|level| u128::from(level.positions)).sum()),
            complete: found.complete,
            levels: found.levels.iter().map(shown).collect(),
            seconds: stopwatch.seconds(),
            cpu_seconds: Some(bill.cpu_seconds),
            peak_bytes: Some(bill.peak_bytes),
            unfinished: None,
        })
    }

    fn cluster_solve(
        &self,
        request: &ClusterRequest,
        build: &BuildRequest,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<TableView, WorkError> {
        let (stopwatch, held, mut bill) =
            (Stopwatch::start(), self.rules_at(build.position.as_deref())?, Bill::default());
        let rules = held.rules();
        let options = SolveOptions {
            out: Some(build.out.clone()),
            about: rules.format(&rules.start()),
            folder: request.folder.clone(),
            memory: request.memory,
            ..SolveOptions::default()
        };
        let solved = tabia_cluster::solve::solve(
            &request.cluster,
            rules,
            &openings(rules),
            &options,
            stop,
            &mut |gauges| bill.note(gauges, seen),
        )?;
        Ok(TableView {
            variant: rules.variant(),
            layout: "keys",
            distances: true,
            positions: solved.positions,
            wins: solved.wins,
            draws: solved.draws,
            losses: solved.losses,
            longest: solved.longest,
            bytes: solved.info.and_then(|_| tabia_disk::size(&build.out).ok()).unwrap_or(0),
            files: 1,
            kept: 0,
            peak_bytes: Some(bill.peak_bytes),
            seconds: stopwatch.seconds(),
            cpu_seconds: Some(bill.cpu_seconds),
        })
    }

    fn cluster_book(
        &self,
        request: &ClusterRequest,
        import: &ImportRequest,
        own_files: bool,
        bad: Arc<BadListener>,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<ImportReport, WorkError> {
        let failed = |failure: BookFailure| match failure {
            BookFailure::Input(error) => WorkError::Input(error),
            BookFailure::Book(error) => ClusterError::Book(error).into(),
        };
        let (rules, sources) = sources(self, import).map_err(failed)?;
        let (adapter, of, variations) = (self.clone(), rules.clone(), import.variations);
        let job = BookImport {
            sources,
            own_files,
            read: Arc::new(move |kind, input, sink| read_lines(&adapter, &of, variations, kind, input, sink)),
            distinct: import.distinct,
            bad,
            rows_at_once: 1 << 20,
            part_bytes: 4 << 20,
        };
        let folder = request.folder.clone().unwrap_or_default();
        Ok(tabia_cluster::book::import(&request.cluster, &rules, &folder, job, stop, seen)?)
    }

    fn cluster_tablebase(
        &self,
        request: &ClusterRequest,
        build: &BuildRequest,
        stop: &Stop,
        seen: &mut Onlooker<'_>,
    ) -> Result<TableView, WorkError> {
        let lacking = || {
            let message =
                format!("{} has no numbered endings; `cluster solve` solves it whole", self.rules.id());
            InputError::new(ErrorKind::Unsupported, self.rules.id(), message)
        };
        let endings = self.common.capabilities.cluster_endings.ok_or_else(lacking)?;
        endings(&self.rules, request, build, stop, seen)
    }
}

/// Builds the endings that a request names.
pub(crate) fn endings<G: Present + Index>(
    rules: &G,
    request: &ClusterRequest,
    build: &BuildRequest,
    stop: &Stop,
    seen: &mut Onlooker<'_>,
) -> Result<TableView, WorkError> {
    let (stopwatch, mut bill) = (Stopwatch::start(), Bill::default());
    let (rules, groups) = asked_groups(rules, build)?;
    let mut look = |gauges: &[Gauges]| bill.note(gauges, seen);
    let precision = if build.distances { Precision::Distance } else { Precision::Outcome };
    let (cluster, out) = (&request.cluster, &build.out);
    let built = tabia_cluster::tablebase::build(cluster, &rules, &groups, precision, out, stop, &mut look)?;
    Ok(shown(&rules, build, &built, &stopwatch, &bill))
}

/// The same for a game where who wins can be worked out level by level.
pub(crate) fn endings_by_levels<G: Present + Levels>(
    rules: &G,
    request: &ClusterRequest,
    build: &BuildRequest,
    stop: &Stop,
    seen: &mut Onlooker<'_>,
) -> Result<TableView, WorkError> {
    let Some(pieces) = build.pieces.filter(|_| !build.distances && build.slice.is_none()) else {
        return endings(rules, request, build, stop, seen);
    };
    let (stopwatch, mut bill) = (Stopwatch::start(), Bill::default());
    let (rules, _) = asked_groups(rules, build)?;
    let mut look = |gauges: &[Gauges]| bill.note(gauges, seen);
    let (cluster, out) = (&request.cluster, &build.out);
    let built = tabia_cluster::outcomes::build_outcomes(cluster, &rules, pieces, out, stop, &mut look)?;
    Ok(shown(&rules, build, &built, &stopwatch, &bill))
}

/// What was built.
fn shown<G: Present>(
    rules: &G,
    build: &BuildRequest,
    built: &BuildReport,
    stopwatch: &Stopwatch,
    bill: &Bill,
) -> TableView {
    TableView {
        variant: rules.variant(),
        layout: "index",
        distances: build.distances,
        positions: built.positions,
        wins: built.wins,
        draws: built.draws,
        losses: built.losses,
        longest: if build.distances { built.longest } else { 0 },
        bytes: built.bytes,
        files: built.built + built.kept,
        kept: built.kept,
        peak_bytes: Some(bill.peak_bytes),
        seconds: stopwatch.seconds(),
        cpu_seconds: Some(bill.cpu_seconds),
    }
}

/// What all workers have cost so far.
#[derive(Default)]
struct Bill {
    cpu_seconds: f64,
    peak_bytes: u64,
}

impl Bill {
    fn note(&mut self, gauges: &[Gauges], seen: &mut Onlooker<'_>) {
        let sum = |figure| gauges.iter().map(|worker| worker.get(figure)).sum::<u64>();
        self.cpu_seconds = sum(Figure::Cpu) as f64 / 1e9;
        self.peak_bytes = self.peak_bytes.max(sum(Figure::Memory));
        seen(gauges);
    }
}
