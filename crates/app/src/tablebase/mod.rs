//! Tables of exact values: built, opened, checked, asked and described, for any game.

mod keyed;
mod puzzle;
mod slices;
mod views;

pub(crate) use keyed::{build as build_keyed, open as open_keyed};
pub(crate) use puzzle::{build as build_puzzle, open as open_puzzle, probe as probe_puzzle};
#[cfg(feature = "cluster")]
pub(crate) use slices::asked as asked_groups;
pub(crate) use slices::{build as build_slices, build_by_levels, open as open_slices};
pub use views::{BarView, LongestView, SliceView, StatsView, TableView, VerifyView};

use crate::solve::{SolveView, WorkError};
use crate::watch::Watch;
use crate::{Adapter, ErrorKind, InputError, Registry, Stop};
use std::path::{Path, PathBuf};
use tabia_core::{Index, Levels, Present, Puzzle};
use tabia_solve::file::TableFile;
pub use tabia_solve::slices::Digest;

/// What to build.
#[derive(Clone, Debug)]
pub struct BuildRequest {
    /// The file, or for endings the folder.
    pub out: PathBuf,
    /// A position or opening whose rules are used; the usual ones when left out.
    pub position: Option<String>,
    /// Puzzles: the goal.
    pub goal: Option<String>,
    /// Endings: the most pieces.
    pub pieces: Option<u32>,
    /// Endings: one slice with all that it follows from, in place of all with so many pieces.
    pub slice: Option<String>,
    /// Endings: exact distances, not only who wins.
    pub distances: bool,
    /// Threads to use.
    pub threads: usize,
    /// Bytes that may be used.
    pub memory: u64,
}

/// Only games with numbered endings have slices.
fn refuse_slice<G: Present>(rules: &G, request: &BuildRequest) -> Result<(), InputError> {
    let Some(slice) = &request.slice else { return Ok(()) };
    let message = format!("{} has no endings by slices", rules.id());
    Err(InputError::new(ErrorKind::Unsupported, slice.clone(), message))
}

/// Only puzzles have goals.
fn refuse_goal<G: Present>(rules: &G, request: &BuildRequest) -> Result<(), InputError> {
    let message = format!("only puzzles have a goal; {} is a game for two", rules.id());
    match request.goal {
        Some(_) => Err(InputError::new(ErrorKind::Unsupported, "a goal", message)),
        None => Ok(()),
    }
}

/// A table that is open.
pub trait AnyTable: Send + Sync {
    /// What it says about itself.
    fn info(&self) -> TableView;
    /// The value of a position; `None` when the table does not have it.
    fn probe(&self, position: &str) -> Result<Option<SolveView>, WorkError>;
    /// Works every value out again.
    fn verify(&self, threads: usize, watch: &Watch<'_>) -> Result<VerifyView, WorkError>;
    /// A number for each slice, to compare tables by.
    fn digests(&self, threads: usize, watch: &Watch<'_>) -> Result<Vec<Digest>, WorkError> {
        let _ = (threads, watch);
        let message = "only ending tables have digests";
        Err(InputError::new(ErrorKind::Unsupported, "digest", message).into())
    }
    /// What is in it, by value and distance.
    fn stats(&self, stop: &Stop) -> Result<StatsView, WorkError>;
    /// Finds positions in it.
    #[cfg(not(target_family = "wasm"))]
    fn find(
        &self,
        request: &crate::find::FindRequest,
        watch: &Watch<'_>,
        sink: &mut crate::find::FindSink<'_>,
    ) -> Result<crate::find::FindView, WorkError>;
}

/// How a game builds and opens its tables.
pub(crate) struct Tables<G: Present> {
    pub(crate) build: fn(&G, &BuildRequest, &Watch<'_>) -> Result<TableView, WorkError>,
    pub(crate) open: fn(&G, &Path) -> Result<Box<dyn AnyTable>, WorkError>,
}

#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Tables<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Tables<G> {}

impl<G: Present> Tables<G> {
    /// Tables of everything that can be reached, by key.
    pub(crate) fn of_everything() -> Self {
        Tables { build: build_keyed, open: open_keyed }
    }

    /// Tables of endings, by index.
    pub(crate) fn of_endings() -> Self
    where
        G: Index,
    {
        Tables { build: build_slices, open: open_slices }
    }

    /// The same, who wins level by level.
    pub(crate) fn of_levels() -> Self
    where
        G: Levels<Block: Send + Sync>,
    {
        Tables { build: build_by_levels, open: open_slices }
    }

    /// Tables of the solvable positions of a puzzle.
    pub(crate) fn of_puzzle() -> Self
    where
        G: Puzzle,
    {
        Tables { build: build_puzzle, open: open_puzzle }
    }
}

/// A game with tables of exact values.
pub trait TablesGame: Send + Sync {
    /// Builds a table of exact values.
    fn build(&self, request: &BuildRequest, watch: &Watch<'_>) -> Result<TableView, WorkError>;
    /// Opens a table of this game.
    fn open(&self, path: &Path) -> Result<Box<dyn AnyTable>, WorkError>;
}

impl<G: Present> TablesGame for Adapter<G> {
    fn build(&self, request: &BuildRequest, watch: &Watch<'_>) -> Result<TableView, WorkError> {
        let tables = self.common.capabilities.tables.unwrap_or_else(Tables::of_everything);
        (tables.build)(&self.rules, request, watch)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyTable>, WorkError> {
        let tables = self.common.capabilities.tables.unwrap_or_else(Tables::of_everything);
        (tables.open)(&self.rules, path)
    }
}

/// Opens the table at a path, whatever its game.
pub fn open(registry: &Registry, path: &Path) -> Result<Box<dyn AnyTable>, WorkError> {
    let variant = TableFile::open(&table_at(path, "")?)?.info().variant.clone();
    let game = registry.of_variant(&variant).ok_or_else(|| {
        let message = format!("the table is of {variant}, which is not a game of this program");
        InputError::new(ErrorKind::Unknown, path.to_string_lossy(), message)
    })?;
    game.tables()?.open(path)
}

/// The file at a path, or a table of the folder there: of the game, where one is named and has some.
fn table_at(path: &Path, game: &str) -> Result<PathBuf, WorkError> {
    if tabia_disk::is_dir(path) { any_table_in(path, game) } else { Ok(path.to_owned()) }
}

/// The rules of a table: those that its header names. Ones that the game does not have are refused.
pub(crate) fn rules_in<G: Present>(rules: &G, file: &TableFile) -> Result<G, WorkError> {
    rules.from_variant(&file.info().variant).map_err(|error| {
        let path = file.path().display();
        InputError::new(ErrorKind::Unknown, path.to_string(), format!("{path}: {error}")).into()
    })
}

fn any_table_in(folder: &Path, game: &str) -> Result<PathBuf, WorkError> {
    let mut tables = tabia_disk::list(folder).map_err(tabia_solve::FileError::io(folder))?;
    tables.retain(|path| path.extension().is_some_and(|extension| extension == "tbl"));
    // Tables of several games may lie side by side, as they do in the cache.
    let prefix = format!("{game}-");
    let is_other =
        |path: &PathBuf| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    tables.sort_by_key(|path| (is_other(path), path.clone()));
    tables.into_iter().next().ok_or_else(|| {
        let message = format!("{}: there are no tables in this folder", folder.display());
        InputError::new(ErrorKind::Unknown, folder.to_string_lossy(), message).into()
    })
}
