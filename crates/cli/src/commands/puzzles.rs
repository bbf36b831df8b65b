//! `tabia puzzles`: positions in which exactly one move is right.

use super::interrupt;
use super::progress::Progress;
use super::solve::plain;
use crate::args::Common;
use crate::{output, whole};
use anyhow::Context;
use clap::Args;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tabia_app::puzzles::{PuzzleRecord, PuzzlesRequest};
use tabia_app::{AnyGame, Watch};

/// Makes puzzles, lists those that come with the program, or checks some.
#[derive(Args, Debug)]
pub(crate) struct Puzzles {
    /// The game, or the beginning of its name
    game: String,
    /// How many to make; without it, those that come with the program are listed
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Write them to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The fewest plies to the end (default: what suits the game)
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// A position or opening that the games begin at
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    from: Option<String>,
    /// The tables: a file or a folder (default: those of TABIA_TABLES, or small ones that are built once)
    #[arg(long, value_name = "PATH")]
    tables: Option<PathBuf>,
    /// Check the puzzles of this file by other means than they were made with
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "out"])]
    check: Option<PathBuf>,
    /// Memory for solvers
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = super::size)]
    memory: usize,
}

impl Puzzles {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.game)?;
        let request = PuzzlesRequest {
            count: self.count.unwrap_or(0),
            plies: self.plies,
            seed: common.seed,
            position: self.from.clone(),
            tables: self.tables.clone(),
            threads: common.threads(),
            memory: self.memory as u64,
        };
        match (&self.check, self.count) {
            (Some(path), _) => check(common, game, path, &request),
            (None, Some(_)) => self.make(common, game, &request),
            (None, None) => {
                let lines = game.puzzles().shipped().all().iter().map(|puzzle| shown(common, puzzle));
                output::data(&lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
            }
        }
    }

    fn make(&self, common: &Common, game: &dyn AnyGame, request: &PuzzlesRequest) -> anyhow::Result<()> {
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        let (mut lines, mut failed) = (String::new(), None);
        let made = game.puzzles().make_puzzles(request, &Watch { stop, progress: &tell }, &mut |puzzle| {
            let written = if self.out.is_some() {
                serde_json::to_string(puzzle).map(|line| lines += &format!("{line}\n")).map_err(Into::into)
            } else {
                progress.clear();
                shown(common, puzzle).and_then(|line| output::data(&line))
            };
            failed = written.err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.clear();
        if let Some(error) = failed {
            return Err(error);
        }
        let made = made.map_err(plain)?;
        if let Some(path) = &self.out {
            whole::write(path, &lines)?;
        }
        if !common.quiet {
            output::message(&format!("{} puzzles from {} games", made.puzzles, output::grouped(made.games)));
        }
        interrupt::outcome("stopped before there were as many as asked for")
    }
}

fn check(common: &Common, game: &dyn AnyGame, path: &Path, request: &PuzzlesRequest) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let (stop, progress) = (interrupt::stop()?, Progress::new(common));
    let tell = |now: &tabia_app::Progress| progress.tell(now);
    let watch = Watch { stop, progress: &tell };
    let (mut checked, mut wrong) = (0, 0);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let puzzle: PuzzleRecord = serde_json::from_str(line)
            .with_context(|| format!("{}, line {}: this is no puzzle", path.display(), number + 1))?;
        checked += 1;
        if let Some(reason) = game.puzzles().check_puzzle(&puzzle, request, &watch).map_err(plain)? {
            wrong += 1;
            output::data(&format!("line {}: {}: {reason}", number + 1, puzzle.position))?;
        }
        interrupt::outcome("stopped before every puzzle was checked")?;
    }
    let words = format!("{checked} puzzles checked, {wrong} wrong");
    if wrong > 0 {
        return Err(output::Negative { message: words }.into());
    }
    output::data(&words)
}

fn shown(common: &Common, puzzle: &PuzzleRecord) -> anyhow::Result<String> {
    if common.json {
        return Ok(serde_json::to_string(puzzle)?);
    }
    let PuzzleRecord { position, mv, value, plies, rating, themes, verified, .. } = puzzle;
    let (id, by) = (puzzle.id(), verified.name());
    Ok(format!("{id}  {rating:>4}  {position}  {mv}  {value} in {plies}, by {by}: {}", themes.join(", ")))
}
