//! `tabia tablebase`.

use super::interrupt;
use super::progress::Progress;
use super::solve::{plain, print};
use crate::args::Common;
use crate::output::{self, Negative};
use crate::{commands, input};
use anyhow::Context;
use clap::{Args, Subcommand};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tabia_app::device::{DeviceRequest, DeviceSlice};
use tabia_app::tablebase::{self, BuildRequest, Digest, SliceView, StatsView, TableView, VerifyView};
use tabia_app::{Stop, Watch};

/// Exact values of whole families of positions, in files.
#[derive(Args, Debug)]
pub(crate) struct Tablebase {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Build a table; what is there already is kept, and a killed build goes on where it was
    Build(Build),
    /// Work every value out again from its neighbours, and check every checksum
    Verify {
        /// The file, or the folder of an ending table
        path: PathBuf,
        /// Do it on a GPU: cuda (ending tables of draughts)
        #[arg(long, value_name = "DEVICE")]
        device: Option<String>,
    },
    /// A number for every slice of an ending table: two tables with the same ones are the same
    Digest {
        /// The folder of an ending table
        path: PathBuf,
    },
    /// Ask for a position
    Probe {
        /// The file, or the folder of an ending table
        path: PathBuf,
        /// The position; - for one per line from standard input
        #[arg(value_name = "POS", allow_hyphen_values = true)]
        pos: String,
    },
    /// Say what a table is
    Info {
        /// The file, or the folder of an ending table
        path: PathBuf,
    },
    /// Count positions by value and distance, with examples and the longest win
    Stats(Stats),
}

#[derive(Args, Debug)]
struct Build {
    /// The game, or the beginning of its name
    game: String,
    /// A position or opening whose options are used: empty+put-back
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: Option<String>,
    /// The file to write; for endings the folder
    #[arg(long, value_name = "PATH", required_unless_present = "keep")]
    out: Option<PathBuf>,
    /// Build on a GPU: cuda, or cuda:1 for the second one (endings of draughts, up to 8 pieces)
    #[arg(long, value_name = "DEVICE", requires = "pieces")]
    device: Option<String>,
    /// Write nothing: count, and print the digest of every slice
    #[arg(long, requires = "device", conflicts_with = "out")]
    keep: bool,
    /// Endings on a GPU: at most so many pieces of one side
    #[arg(long, value_name = "N", requires = "device")]
    side: Option<u32>,
    /// Puzzles: the goal, a hole or any
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Endings: up to so many pieces
    #[arg(long, value_name = "N")]
    pieces: Option<u32>,
    /// Endings: one slice by its name (KBNvK in chess), with all that it follows from
    #[arg(long, value_name = "SLICE", conflicts_with_all = ["pieces", "device"])]
    slice: Option<String>,
    /// Endings: only who wins, not how soon (smaller)
    #[arg(long)]
    outcome_only: bool,
    /// Memory that may be used
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = commands::size)]
    memory: usize,
}

#[derive(Args, Debug)]
struct Stats {
    /// The file, or the folder of an ending table
    path: PathBuf,
    /// Also write a picture of the histogram
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Plain characters in the plot
    #[arg(long)]
    ascii: bool,
}

impl Tablebase {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        match &self.action {
            Action::Build(build) => build.run(common),
            Action::Verify { path, device } => {
                let table = tablebase::open(&common.registry, path).map_err(plain)?;
                let (stop, progress) = (interrupt::stop()?, Progress::new(common));
                let tell = |now: &tabia_app::Progress| progress.tell(now);
                let watch = Watch { stop, progress: &tell };
                let verdict = match device {
                    Some(device) => game_of(common, &table.info())?.device()?.verify_on(device, path, &watch),
                    None => table.verify(common.threads(), &watch),
                };
                progress.clear();
                interrupt::outcome("stopped before every value was checked")?;
                let view = verdict.map_err(plain)?;
                output::answer(common.json, &view, verify_text)?;
                if view.right { Ok(()) } else { Err(Negative { message: String::new() }.into()) }
            }
            Action::Probe { path, pos } => {
                let table = tablebase::open(&common.registry, path).map_err(plain)?;
                let probe = |text: &str| match table.probe(text).map_err(plain)? {
                    Some(view) => print(common, &view),
                    None => Err(Negative { message: format!("not in the table: {text}") }.into()),
                };
                if pos == "-" { input::each_line(probe) } else { probe(pos) }
            }
            Action::Digest { path } => {
                let table = tablebase::open(&common.registry, path).map_err(plain)?;
                let (stop, progress) = (interrupt::stop()?, Progress::new(common));
                let tell = |now: &tabia_app::Progress| progress.tell(now);
                let digests = table.digests(common.threads(), &Watch { stop, progress: &tell });
                progress.clear();
                interrupt::outcome("stopped before every value was read")?;
                output::answer(common.json, &digests.map_err(plain)?, |rows| {
                    rows.iter().map(digest_line).collect()
                })
            }
            Action::Info { path } => {
                let table = tablebase::open(&common.registry, path).map_err(plain)?;
                output::answer(common.json, &table.info(), table_text)
            }
            Action::Stats(stats) => stats.run(common),
        }
    }
}

impl Build {
    fn run(&self, common: &Common) -> anyhow::Result<()> {
        if let Some(device) = &self.device {
            return self.run_on(device, common);
        }
        let request = BuildRequest {
            out: self.out.clone().unwrap_or_default(),
            position: self.pos.clone(),
            goal: self.goal.clone(),
            pieces: self.pieces,
            slice: self.slice.clone(),
            distances: !self.outcome_only,
            threads: common.threads(),
            memory: self.memory as u64,
        };
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let planned = AtomicBool::new(common.quiet);
        let tell = |now: &tabia_app::Progress| {
            // The first report is the plan: it stays on the screen.
            if !planned.swap(true, Relaxed) {
                output::message(&now.stage);
            }
            progress.tell(now);
        };
        let built = common.game(&self.game)?.tables()?.build(&request, &Watch { stop, progress: &tell });
        progress.clear();
        interrupt::outcome("stopped; the same command goes on from there")?;
        output::answer(common.json, &built.map_err(plain)?, table_text)
    }
}

impl Build {
    fn run_on(&self, device: &str, common: &Common) -> anyhow::Result<()> {
        let request = DeviceRequest {
            device: device.to_owned(),
            pieces: self.pieces.unwrap_or_default(),
            side: self.side,
            distances: !self.outcome_only,
            out: self.out.clone(),
            threads: common.threads(),
        };
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        let mut digests = Vec::new();
        let mut each = |slice: &DeviceSlice| {
            digests.push(Digest {
                slice: slice.slice.clone(),
                positions: slice.positions,
                wins: slice.wins,
                draws: slice.positions - slice.wins - slice.losses,
                losses: slice.losses,
                digest: slice.digest.clone(),
            });
        };
        let watch = Watch { stop, progress: &tell };
        let built = common.game(&self.game)?.device()?.build_on(&request, &watch, &mut each);
        progress.clear();
        interrupt::outcome("stopped; the same command goes on from there")?;
        let view = built.map_err(plain)?;
        if self.keep && !common.json {
            digests.iter().try_for_each(|digest| output::data(digest_line(digest).trim_end()))?;
        }
        output::answer(common.json, &view, table_text)
    }
}

/// The game of a table.
fn game_of<'a>(common: &'a Common, table: &TableView) -> anyhow::Result<&'a dyn tabia_app::AnyGame> {
    let game = common.registry.of_variant(&table.variant);
    game.with_context(|| format!("the table is of {}, which is not a game of this program", table.variant))
}

/// A slice, its positions, wins, draws and losses, and its digest.
fn digest_line(digest: &Digest) -> String {
    let Digest { slice, positions, wins, draws, losses, digest } = digest;
    format!("{slice} {positions} {wins} {draws} {losses} {digest}\n")
}

impl Stats {
    fn run(&self, common: &Common) -> anyhow::Result<()> {
        let table = tablebase::open(&common.registry, &self.path).map_err(plain)?;
        let view = table.stats(&Stop::new()).map_err(plain)?;
        if let Some(path) = &self.svg {
            std::fs::write(path, view.plot_svg()).with_context(|| path.display().to_string())?;
        }
        output::answer(common.json, &view, |view| stats_text(view, self.ascii))
    }
}

fn verify_text(view: &VerifyView) -> String {
    let mut out = String::new();
    for example in &view.examples {
        let _ = writeln!(out, "wrong: {example}");
    }
    let verdict = match (view.right, view.proof) {
        (true, true) => "right: every value follows from its neighbours, down to finished games",
        (true, false) => {
            "consistent: every value agrees with its neighbours (without distances that is no proof)"
        }
        (false, _) => "WRONG",
    };
    let _ = writeln!(
        out,
        "{verdict} ({} positions, {} wrong, {:.2} s, {})",
        output::grouped(view.positions),
        output::grouped(view.wrong),
        view.seconds,
        output::cpu(view.cpu_seconds, 2)
    );
    out
}

pub(crate) fn table_text(view: &TableView) -> String {
    let mut out = format!("{}, found by {}\n", view.variant, view.layout);
    let rows =
        [("positions", view.positions), ("wins", view.wins), ("draws", view.draws), ("losses", view.losses)];
    for (name, count) in rows {
        let _ = writeln!(out, "{name:<10} {:>15}", output::grouped(count));
    }
    if view.distances {
        let _ = writeln!(out, "longest    {:>15} plies", view.longest);
    }
    let _ = writeln!(out, "{} bytes in {} files", output::grouped(view.bytes), view.files);
    if view.seconds > 0.0 {
        let memory =
            view.peak_bytes.map_or(String::new(), |bytes| format!(", {} MB of memory", bytes / 1_000_000));
        let kept =
            if view.kept > 0 { format!(", {} files were there already", view.kept) } else { String::new() };
        let cpu = output::cpu(view.cpu_seconds, 2);
        let _ = writeln!(out, "built in {:.2} s ({cpu}{memory}{kept})", view.seconds);
    }
    out
}

fn stats_text(view: &StatsView, ascii: bool) -> String {
    let mut out = table_text(&view.table);
    slices_text("slice", &view.slices, &mut out);
    slices_text("pieces", &view.pieces, &mut out);
    out.push_str("\nan example of each value and distance\n");
    for bar in &view.histogram {
        let distance = bar.distance.map_or(String::new(), |plies| format!(" in {plies}"));
        let label = format!("{}{distance}", bar.value);
        let _ = writeln!(out, "{label:<12} {:>13}  {}", output::grouped(bar.positions), bar.example);
    }
    out.push('\n');
    out.push_str(&view.plot_text(100, ascii));
    if let Some(longest) = &view.longest_win {
        let _ = writeln!(out, "\nlongest win: {} plies from {}", longest.distance, longest.position);
        let _ = writeln!(out, "{}", longest.line.join(" "));
    }
    out
}

fn slices_text(title: &str, rows: &[SliceView], out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\n{title:<10} {:>15} {:>15} {:>15} {:>15} {:>8}",
        "positions", "wins", "draws", "losses", "longest"
    );
    for row in rows {
        let counts = [row.positions, row.wins, row.draws, row.losses].map(output::grouped);
        let [positions, wins, draws, losses] = counts;
        let example = row.longest_position.as_ref().map_or(String::new(), |text| format!("  {text}"));
        let _ = writeln!(
            out,
            "{:<10} {positions:>15} {wins:>15} {draws:>15} {losses:>15} {:>8}{example}",
            row.slice, row.longest
        );
    }
}
