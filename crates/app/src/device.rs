//! Ending tables on a GPU: built into files, checked there, or kept in memory for everybody who asks.

use crate::solve::WorkError;
use crate::tablebase::{TableView, VerifyView};
use crate::watch::Watch;
use crate::{Adapter, AnyGame, ErrorKind, InputError, Registry};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia_core::{Present, Probe};

/// Which tables to build on a GPU.
#[derive(Clone, Debug)]
pub struct DeviceRequest {
    /// Which GPU: `cuda`, or `cuda:1` for the second one.
    pub device: String,
    /// The most pieces.
    pub pieces: u32,
    /// The most pieces of one side; as many as there are when left out.
    pub side: Option<u32>,
    /// Exact distances, not only who wins.
    pub distances: bool,
    /// The folder for the files; without one, the tables are built, counted and forgotten.
    pub out: Option<PathBuf>,
    /// Threads that compress files.
    pub threads: usize,
}

/// A game with endings that a GPU can build.
pub trait DeviceGame: Send + Sync {
    /// Builds tables; `each` hears of every slice.
    fn build_on(
        &self,
        request: &DeviceRequest,
        watch: &Watch<'_>,
        each: &mut dyn FnMut(&DeviceSlice),
    ) -> Result<TableView, WorkError>;
    /// Works every value in a folder of tables out again.
    fn verify_on(&self, device: &str, folder: &Path, watch: &Watch<'_>) -> Result<VerifyView, WorkError>;
    /// The same game with tables in memory that searches and solvers look into. `memory` bytes of the processor's
    /// memory may be taken for the part that a search can look into.
    fn with_tables_on(
        &self,
        request: &DeviceRequest,
        memory: u64,
        watch: &Watch<'_>,
    ) -> Result<Arc<dyn AnyGame>, WorkError>;
}

/// A slice that was built.
#[derive(Clone, Debug)]
pub struct DeviceSlice {
    /// Its name.
    pub slice: String,
    /// Positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that it loses.
    pub losses: u64,
    /// Plies of the longest win or loss, 0 without distances.
    pub longest: u16,
    /// The number that stands for the table.
    pub digest: String,
}

/// The functions of a game that has such endings.
pub(crate) struct OnDevice<G: Present> {
    pub(crate) build:
        fn(&G, &DeviceRequest, &Watch<'_>, &mut dyn FnMut(&DeviceSlice)) -> Result<TableView, WorkError>,
    pub(crate) verify: fn(&G, &str, &Path, &Watch<'_>) -> Result<VerifyView, WorkError>,
    pub(crate) resident: fn(&G, &DeviceRequest, u64, &Watch<'_>) -> Result<Arc<dyn Probe<G>>, WorkError>,
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for OnDevice<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for OnDevice<G> {}

/// Tables in memory, shared by all positions of a game.
pub(crate) struct InMemory<G: Present>(pub(crate) Arc<dyn Probe<G>>);

impl<G: Present> Clone for InMemory<G> {
    fn clone(&self) -> Self {
        InMemory(Arc::clone(&self.0))
    }
}

impl<G: Present> std::fmt::Debug for InMemory<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InMemory")
    }
}

impl<G: Present> Probe<G> for InMemory<G> {
    fn probe(&self, state: &G::State) -> Option<tabia_core::Value> {
        self.0.probe(state)
    }

    fn try_probe(&self, state: &G::State) -> Result<Option<tabia_core::Value>, tabia_core::ProbeError> {
        self.0.try_probe(state)
    }

    fn has_distances(&self) -> bool {
        self.0.has_distances()
    }
}

impl<G: Present> Adapter<G> {
    fn on_device(&self) -> Result<OnDevice<G>, WorkError> {
        self.common.capabilities.device.ok_or_else(|| unsupported(self.rules.id()).into())
    }
}

impl<G: Present> DeviceGame for Adapter<G> {
    fn build_on(
        &self,
        request: &DeviceRequest,
        watch: &Watch<'_>,
        each: &mut dyn FnMut(&DeviceSlice),
    ) -> Result<TableView, WorkError> {
        (self.on_device()?.build)(&self.rules, request, watch, each)
    }

    fn verify_on(&self, device: &str, folder: &Path, watch: &Watch<'_>) -> Result<VerifyView, WorkError> {
        (self.on_device()?.verify)(&self.rules, device, folder, watch)
    }

    fn with_tables_on(
        &self,
        request: &DeviceRequest,
        memory: u64,
        watch: &Watch<'_>,
    ) -> Result<Arc<dyn AnyGame>, WorkError> {
        let tables = (self.on_device()?.resident)(&self.rules, request, memory, watch)?;
        let mut with = self.clone();
        with.common_mut().in_memory = Some(InMemory(tables));
        Ok(Arc::new(with))
    }
}

/// What is said of a game whose endings no GPU builds.
pub(crate) fn unsupported(game: &str) -> InputError {
    let why = if cfg!(feature = "cuda") {
        format!("no endings of {game} are built on a GPU; those of draughts are")
    } else {
        "this program was made without GPUs (the feature cuda)".to_owned()
    };
    InputError::new(ErrorKind::Unsupported, "a device", why)
}

impl Registry {
    /// The same games, those with such endings with tables in memory.
    pub fn with_tables_on(
        mut self,
        request: &DeviceRequest,
        memory: u64,
        watch: &Watch<'_>,
    ) -> Result<Self, WorkError> {
        let mut found = false;
        for game in self.shared_mut() {
            if let Some(device) = game.as_device() {
                *game = device.with_tables_on(request, memory, watch)?;
                found = true;
            }
        }
        if found { Ok(self) } else { Err(unsupported("these games").into()) }
    }
}

#[cfg(feature = "cuda")]
mod cuda {
    use super::{DeviceRequest, DeviceSlice, OnDevice};
    use crate::measure::Stopwatch;
    use crate::solve::WorkError;
    use crate::tablebase::{TableView, VerifyView};
    use crate::watch::Watch;
    use crate::{Adapter, ErrorKind, InputError};
    use std::path::Path;
    use std::sync::Arc;
    use tabia_core::{Game, Index, Probe};
    use tabia_draughts::Draughts;
    use tabia_gpu::{Device, Endings, Finished, Folder, GpuError, NoShelf, Plan, Resident, name};
    use tabia_solve::file::Precision;
    use tabia_solve::slices::SliceFolder;
    use tabia_solve::{SolveError, verify};

    impl Adapter<Draughts> {
        /// Endings are built on a GPU, where there is one.
        #[must_use]
        pub fn with_device(mut self) -> Self {
            self.common_mut().capabilities.device = Some(OnDevice { build, verify: check, resident });
            self
        }
    }

    impl From<GpuError> for WorkError {
        fn from(error: GpuError) -> Self {
            SolveError::from(error).into()
        }
    }

    fn open(text: &str) -> Result<Device, WorkError> {
        let number = match text.strip_prefix("cuda") {
            Some("") => Some(0),
            Some(rest) => rest.strip_prefix(':').and_then(|number| number.parse().ok()),
            None => None,
        };
        let number = number.ok_or_else(|| {
            let message = format!("no device is called {text:?}: it is cuda, or cuda:1 for the second one");
            InputError::new(ErrorKind::Unknown, text, message)
        })?;
        Ok(Device::open(number)?)
    }

    /// All slices if they fit, else as few as are needed at a time.
    fn plan(device: &Device, request: &DeviceRequest) -> Result<Plan, WorkError> {
        let side = request.side.unwrap_or(request.pieces);
        let all = Plan::new(request.pieces, side, request.distances, true)?;
        if all.bytes <= device.free_memory()? {
            return Ok(all);
        }
        Ok(Plan::new(request.pieces, side, request.distances, false)?)
    }

    fn build(
        rules: &Draughts,
        request: &DeviceRequest,
        watch: &Watch<'_>,
        each: &mut dyn FnMut(&DeviceSlice),
    ) -> Result<TableView, WorkError> {
        let (stopwatch, device) = (Stopwatch::start(), open(&request.device)?);
        let plan = plan(&device, request)?;
        let memory = tabia_solve::bytes(plan.bytes);
        let phase = format!("{} positions on {}, {memory} of its memory", plan.positions, device.name());
        (watch.progress)(&tabia_core::Progress::positions(phase, 0, Some(plan.positions)));
        let mut view = TableView {
            variant: rules.variant(),
            layout: "index",
            distances: request.distances,
            peak_bytes: Some(plan.bytes),
            ..TableView::default()
        };
        let mut told = |finished: &Finished| {
            let Finished { slice, positions, wins, losses, digest, longest, .. } = *finished;
            view.positions += positions;
            view.wins += wins;
            view.losses += losses;
            view.draws += positions - wins - losses;
            view.longest = view.longest.max(longest);
            view.files += 1;
            let digest = format!("{digest:016x}");
            each(&DeviceSlice { slice: name(slice), positions, wins, losses, longest, digest });
        };
        let work = watch.work(request.threads, u64::MAX);
        if let Some(out) = &request.out {
            let precision = if request.distances { Precision::Distance } else { Precision::Outcome };
            let mut folder = Folder::create(out, *rules, precision, request.threads)?;
            Endings::build(device, plan, &work, &mut folder, &mut told)?;
            (view.kept, view.bytes) = (folder.kept, folder.bytes);
        } else {
            Endings::build(device, plan, &work, &mut NoShelf, &mut told)?;
            view.files = 0;
        }
        view.seconds = stopwatch.seconds();
        view.cpu_seconds = stopwatch.cpu_seconds();
        Ok(view)
    }

    fn check(
        rules: &Draughts,
        device: &str,
        path: &Path,
        watch: &Watch<'_>,
    ) -> Result<VerifyView, WorkError> {
        let (stopwatch, device) = (Stopwatch::start(), open(device)?);
        let folder = SliceFolder::open(*rules, path)?;
        let distances = folder.has_distances();
        let files = folder.files();
        let side = |slice: tabia_core::Slice| {
            let text = rules.slice_name(slice);
            let sides = text.split('v').map(|side| side.chars().filter_map(|c| c.to_digit(10)).sum::<u32>());
            sides.max().unwrap_or(0)
        };
        let most = files.iter().map(|(slice, _)| side(*slice)).max().unwrap_or(0);
        let plan = Plan { check: true, ..Plan::new(folder.pieces(), most, distances, true)? };
        let precision = if distances { Precision::Distance } else { Precision::Outcome };
        let mut shelf = Folder::complete(path, *rules, precision);
        let mut verdict = verify::Verdict { proof: distances, ..verify::Verdict::default() };
        let mut each = |finished: &Finished| {
            verdict.positions += finished.positions;
            verdict.wrong += finished.wrong;
            if finished.wrong > 0 {
                verdict.examples.push(format!("{} values of {}", finished.wrong, name(finished.slice)));
            }
        };
        Endings::build(device, plan, &watch.work(1, u64::MAX), &mut shelf, &mut each)?;
        Ok(VerifyView::new(verdict, stopwatch))
    }

    fn resident(
        rules: &Draughts,
        request: &DeviceRequest,
        memory: u64,
        watch: &Watch<'_>,
    ) -> Result<Arc<dyn Probe<Draughts>>, WorkError> {
        let device = open(&request.device)?;
        let plan =
            Plan::new(request.pieces, request.side.unwrap_or(request.pieces), request.distances, true)?;
        let tables = Resident::build(device, *rules, plan, memory, &watch.work(request.threads, u64::MAX))?;
        Ok(Arc::new(tables))
    }
}

#[cfg(not(feature = "cuda"))]
impl Adapter<tabia_draughts::Draughts> {
    /// Endings are built on a GPU, where there is one: not by this program, which was made without.
    #[must_use]
    pub fn with_device(self) -> Self {
        self
    }
}
