//! `tabia cluster`: enumerate, solve and build tables on many machines.

mod places;
mod seen;

use super::book::{ImportView, imported};
use super::{enumerate, interrupt, solve::plain, tablebase};
use crate::args::Common;
use crate::{commands, output};
use clap::{Args, Subcommand};
use places::Places;
use seen::Seen;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tabia_app::Stop;
use tabia_app::book::{BadGame, ImportRequest};
use tabia_app::cluster::{Cluster as Where, ClusterRequest, Gauges, Onlooker};
use tabia_app::solve::WorkError;
use tabia_app::tablebase::{BuildRequest, TableView};

/// Work that outgrows one machine.
#[derive(Args, Debug)]
pub(crate) struct Cluster {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Count the positions that can be reached, ply by ply
    Enumerate(Enumerate),
    /// Solve everything that the openings lead to, into one table
    Solve(Solve),
    /// Build ending tables, the same files as on one machine
    Tablebase(Tables),
    /// Import files of games into a book of sorted runs
    Book(Import),
}

#[derive(Args, Debug)]
struct Enumerate {
    /// The game, or the beginning of its name
    game: String,
    /// The position: text, code or name
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: Option<String>,
    /// Count a position and its images once
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    symmetry: enumerate::Switch,
    /// Stop after this many plies
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    #[command(flatten)]
    kept: Kept,
    #[command(flatten)]
    places: Places,
}

#[derive(Args, Debug)]
struct Solve {
    /// The game, or the beginning of its name
    game: String,
    /// A position or opening whose options are used: empty+put-back
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: Option<String>,
    /// The table to write, on the machine of process 0
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    kept: Kept,
    #[command(flatten)]
    places: Places,
}

#[derive(Args, Debug)]
struct Tables {
    /// The game, or the beginning of its name
    game: String,
    /// A position whose options are used
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: Option<String>,
    /// Up to so many pieces
    #[arg(long, value_name = "N")]
    pieces: Option<u32>,
    /// One slice by its name, with all that it follows from
    #[arg(long, value_name = "SLICE", conflicts_with = "pieces")]
    slice: Option<String>,
    /// Only who wins, not how soon (smaller)
    #[arg(long)]
    outcome_only: bool,
    /// The folder for the files, on the machine of process 0; what is there already is kept
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    #[command(flatten)]
    places: Places,
}

#[derive(Args, Debug)]
struct Import {
    /// The game, or the beginning of its name
    game: String,
    /// The files, the same on every machine; the workers share them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The files are those of this machine alone
    #[arg(long, requires = "hosts")]
    own_files: bool,
    /// The folder for the runs of this machine: --book FOLDER asks it, all machines' runs in one folder are one book
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// What kind of files they are, where the name does not tell: pdn, pgn, acf, jsonl
    #[arg(long)]
    kind: Option<String>,
    /// A position that names the rules, where they are not the usual ones
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    rules: Option<String>,
    /// Count games without ids that are alike in moves, result and tags as one
    #[arg(long)]
    distinct: bool,
    /// Count each variation, too, as a game that starts where it leaves its line
    #[arg(long)]
    variations: bool,
    #[command(flatten)]
    places: Places,
}

/// Where work is kept.
#[derive(Args, Debug)]
struct Kept {
    /// A folder for complete levels: the same command goes on from there, with any number of processes
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Memory for each worker; what does not fit goes to the folder
    #[arg(long, value_name = "SIZE", value_parser = commands::size, requires = "folder")]
    memory: Option<usize>,
}

impl Kept {
    fn request(&self, cluster: Where) -> ClusterRequest {
        ClusterRequest { cluster, folder: self.folder.clone(), memory: self.memory.map(|bytes| bytes as u64) }
    }
}

impl Cluster {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        match &self.action {
            Action::Enumerate(action) => action.run(common),
            Action::Solve(action) => action.run(common),
            Action::Tablebase(action) => action.run(common),
            Action::Book(action) => action.run(common),
        }
    }
}

impl Enumerate {
    fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.game)?.cluster()?;
        let stop = interrupt::stop()?;
        let mut here = self.places.begin()?;
        let mut seen = Seen::new(common, &here, &self.places)?;
        let request = self.kept.request(here.cluster.clone());
        let symmetry = self.symmetry == enumerate::Switch::On;
        let found = game.cluster_enumerate(
            &request,
            self.pos.as_deref(),
            symmetry,
            self.depth,
            stop,
            &mut |gauges| seen.look(gauges),
        );
        seen.end();
        interrupt::outcome("stopped; what is in the folder is gone on with")?;
        let view = found.map_err(plain)?;
        here.end()?;
        output::answer(common.json, &view, enumerate::text)?;
        seen.table();
        Ok(())
    }
}

impl Solve {
    fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.game)?.cluster()?;
        let build = request(&self.out, self.pos.clone(), None, None);
        run_tables(common, &self.places, |cluster, stop, look| {
            game.cluster_solve(&self.kept.request(cluster), &build, stop, look)
        })
    }
}

impl Tables {
    fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.game)?.cluster()?;
        let build = request(&self.out, self.pos.clone(), self.pieces, self.slice.clone());
        let build = BuildRequest { distances: !self.outcome_only, ..build };
        run_tables(common, &self.places, |cluster, stop, look| {
            let request = ClusterRequest { cluster, folder: None, memory: None };
            game.cluster_tablebase(&request, &build, stop, look)
        })
    }
}

impl Import {
    fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.game)?.cluster()?;
        let import = ImportRequest {
            files: self.files.clone(),
            kind: self.kind.clone(),
            pos: self.rules.clone(),
            distinct: self.distinct,
            variations: self.variations,
            ..ImportRequest::default()
        };
        let (bad_games, quiet) = (Arc::new(Mutex::new(Vec::new())), common.quiet);
        let kept = Arc::clone(&bad_games);
        let bad = Arc::new(move |game: &BadGame| {
            if !quiet {
                let BadGame { file, line, number, reason } = game;
                output::message(&format!("{file}:{line}: game {number}: {reason}"));
            }
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(game.clone());
        });
        let stop = interrupt::stop()?;
        let mut here = self.places.begin()?;
        let mut seen = Seen::new(common, &here, &self.places)?;
        let request =
            ClusterRequest { cluster: here.cluster.clone(), folder: Some(self.out.clone()), memory: None };
        let look = &mut |gauges: &[Gauges]| seen.look(gauges);
        let report = game.cluster_book(&request, &import, self.own_files, bad, stop, look);
        seen.end();
        interrupt::outcome("stopped; nothing was counted")?;
        let report = report.map_err(plain)?;
        here.end()?;
        let bad_games = std::mem::take(&mut *bad_games.lock().unwrap_or_else(PoisonError::into_inner));
        let view = ImportView::new(report, bad_games, Vec::new());
        output::answer(common.json, &view, imported)?;
        seen.table();
        view.of_use()
    }
}

fn request(
    out: &std::path::Path,
    position: Option<String>,
    pieces: Option<u32>,
    slice: Option<String>,
) -> BuildRequest {
    let out = out.to_owned();
    // Threads and memory are those of the workers.
    BuildRequest { out, position, goal: None, pieces, slice, distances: true, threads: 1, memory: u64::MAX }
}

/// Work whose answer is a table.
fn run_tables(
    common: &Common,
    places: &Places,
    work: impl FnOnce(Where, &Stop, &mut Onlooker<'_>) -> Result<TableView, WorkError>,
) -> anyhow::Result<()> {
    let stop = interrupt::stop()?;
    let mut here = places.begin()?;
    let mut seen = Seen::new(common, &here, places)?;
    let built = work(here.cluster.clone(), stop, &mut |gauges| seen.look(gauges));
    seen.end();
    interrupt::outcome("stopped; the same command goes on from there")?;
    let view = built.map_err(plain)?;
    here.end()?;
    output::answer(common.json, &view, tablebase::table_text)?;
    seen.table();
    Ok(())
}
