//! `tabia book import`, `record` and `selfplay`.

use super::{Place, told};
use crate::args::Common;
use crate::commands::interrupt;
use crate::commands::matches::player;
use crate::commands::progress::Progress;
use crate::output::{self, Negative};
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tabia_app::Watch;
use tabia_app::book::{BadGame, Event, ImportReport, ImportRequest, Keep, SelfplayRequest};
use tabia_app::search::PlayerSpec;

/// Imports larger than this gather sorted runs first, where a folder for them is at hand.
const LARGE: u64 = 1 << 30;

/// What is said when a command ends early.
const STOPPED: &str = "stopped; what was counted is in the book: the same command goes on from there";

/// Imports files of games.
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// The game, or the beginning of its name
    game: String,
    /// The files, - for standard input; .gz and .zst are unpacked on the way
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What kind of files they are, where the name does not tell: pdn, pgn, acf, jsonl
    #[arg(long)]
    kind: Option<String>,
    /// A position that names the rules, where they are not the usual ones
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    rules: Option<String>,
    /// Gather sorted runs in this folder first and load them at the end (by default for more than 1 GB)
    #[arg(long, value_name = "FOLDER")]
    runs: Option<PathBuf>,
    /// Count games without ids that are alike in moves, result and tags as one
    #[arg(long)]
    distinct: bool,
    /// Count each variation, too, as a game that starts where it leaves its line
    #[arg(long)]
    variations: bool,
    /// Keep these tags of each game, and which positions it met: White,Black,Event,Date
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    keep_tags: Vec<String>,
    /// Keep the moves of each game, so that it can be shown again; a few bytes a move more
    #[arg(long)]
    keep_moves: bool,
}

/// What an import came to.
#[derive(Serialize)]
pub(crate) struct ImportView {
    #[serde(flatten)]
    report: ImportReport,
    plies_per_second: f64,
    bad_games: Vec<BadGame>,
    remarks: Vec<BadGame>,
}

impl ImportView {
    /// With the games that were not counted, and the remarks on those that were.
    pub(crate) fn new(report: ImportReport, bad_games: Vec<BadGame>, remarks: Vec<BadGame>) -> Self {
        let plies_per_second = report.plies as f64 / report.seconds.max(1e-9);
        ImportView { report, plies_per_second, bad_games, remarks }
    }

    /// A negative answer where there were games, and none of them could be used.
    pub(crate) fn of_use(&self) -> anyhow::Result<()> {
        let ImportReport { bad, games, known, .. } = self.report;
        if bad > 0 && games + known == 0 {
            return Err(Negative { message: "none of the games could be used".to_owned() }.into());
        }
        Ok(())
    }
}

impl Import {
    pub(crate) fn run(&self, common: &Common, place: &Place) -> anyhow::Result<()> {
        let game = common.game(&self.game)?;
        let request = ImportRequest {
            files: self.files.clone(),
            kind: self.kind.clone(),
            pos: self.rules.clone(),
            threads: common.threads(),
            runs: self.runs.clone().or_else(|| self.runs_by_size(&place.address(common).ok()?)),
            distinct: self.distinct,
            variations: self.variations,
            keep: Keep { tags: self.keep_tags.clone(), moves: self.keep_moves },
        };
        // Before the book is opened, which makes one where there is none.
        told(game.book()?.check_import(&request))?;
        let store = place.store(common)?;
        let progress = Progress::new(common);
        let (bad, remarks) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let tell = |game: &BadGame, counted: &str, list: &Mutex<Vec<BadGame>>| {
            let BadGame { file, number, line, reason } = game;
            if !common.quiet {
                output::message(&format!("{file}:{line}: game {number}: {counted}{reason}"));
            }
            list.lock().unwrap_or_else(PoisonError::into_inner).push(game.clone());
        };
        let events = |event: Event<'_>| match event {
            Event::Progress(now) => progress.tell(&now),
            Event::Bad(game) => tell(game, "", &bad),
            Event::Remark(game) => tell(game, "counted, with a remark: ", &remarks),
        };
        let report = game.book()?.import(&*store, &request, &events, interrupt::stop()?);
        progress.clear();
        let report = told(report)?;
        let [bad, remarks] =
            [bad, remarks].map(|list| list.into_inner().unwrap_or_else(PoisonError::into_inner));
        let view = ImportView::new(report, bad, remarks);
        output::answer(common.json, &view, imported)?;
        interrupt::outcome(STOPPED)?;
        view.of_use()
    }

    /// A folder beside the book, when the files are large.
    fn runs_by_size(&self, address: &str) -> Option<PathBuf> {
        // Runs keep nothing but counts.
        if self.keep_moves || !self.keep_tags.is_empty() {
            return None;
        }
        let bytes: u64 = self.files.iter().filter_map(|file| file.metadata().ok()).map(|m| m.len()).sum();
        (bytes > LARGE && !address.contains("://")).then(|| PathBuf::from(format!("{address}.import")))
    }
}

pub(crate) fn imported(view: &ImportView) -> String {
    let report = &view.report;
    let mut text = format!(
        "{} games, {} plies counted in {:.2} s ({}plies/s)\n",
        output::grouped(report.games),
        output::grouped(report.plies),
        report.seconds,
        output::rate(view.plies_per_second)
    );
    let remarks = [
        (report.known, "had been counted before"),
        (report.equal, "are equal to an earlier game of their file"),
        (report.unfinished, "have no result and were left out"),
        (report.bad, "could not be used"),
        (report.warnings, "were counted with a remark"),
    ];
    for (number, what) in remarks.iter().filter(|(number, _)| *number > 0) {
        text += &format!("{} games {what}\n", output::grouped(number));
    }
    text
}

/// Counts one game.
#[derive(Args, Debug)]
pub(crate) struct Record {
    /// The game, or the beginning of its name
    game: String,
    /// A file with one game as JSON; - or nothing reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Record {
    pub(crate) fn run(&self, common: &Common, place: &Place) -> anyhow::Result<()> {
        let game = common.game(&self.game)?;
        let mut json = String::new();
        let file = self.file.as_deref().filter(|file| file.as_os_str() != "-");
        let from = || file.map_or_else(|| "standard input".to_owned(), |file| file.display().to_string());
        if let Some(file) = file {
            json = std::fs::read_to_string(file).with_context(from)?;
        } else {
            std::io::stdin().read_to_string(&mut json).context("standard input cannot be read")?;
        }
        let view = told(game.book()?.record(&*place.store(common)?, json.trim())).with_context(from)?;
        output::answer(common.json, &view, |view| {
            let what = if view.counted { "counted" } else { "had been counted before" };
            format!("a game of {}, {} plies, {}: {what}", view.variant, view.plies, view.outcome)
        })
    }
}

/// Plays games for the book.
#[derive(Args, Debug)]
pub(crate) struct Selfplay {
    #[command(flatten)]
    position: crate::args::Position,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Who plays: random, greedy, depth=N, nodes=N, time=20ms or mcts=N
    #[arg(long, default_value = "depth=4", value_parser = player)]
    player: PlayerSpec,
    /// Random plies at the beginning of each game
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    opening_randomness: u32,
    /// Keep the players, the positions and the moves of each game, marked as self-play
    #[arg(long)]
    keep: bool,
}

impl Selfplay {
    pub(crate) fn run(&self, common: &Common, place: &Place) -> anyhow::Result<()> {
        let game = common.game(&self.position.game)?;
        let request = SelfplayRequest {
            pos: self.position.pos.clone(),
            games: self.games,
            player: self.player.clone(),
            opening_plies: self.opening_randomness,
            seed: common.seed,
            threads: common.threads(),
            keep: self.keep,
        };
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let watch = Watch { stop, progress: &|now| progress.tell(now) };
        let view = game.book()?.selfplay(&*place.store(common)?, &request, &watch);
        progress.clear();
        let view = told(view)?;
        output::answer(common.json, &view, |view| {
            format!(
                "{} games played, {} were in the book; {} plies\nplayer 0 won {}, player 1 won {}, {} draws\n",
                output::grouped(view.games),
                output::grouped(view.known),
                output::grouped(view.plies),
                view.wins0,
                view.wins1,
                view.draws
            )
        })?;
        interrupt::outcome(STOPPED)
    }
}
