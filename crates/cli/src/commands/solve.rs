//! `tabia solve`.

use super::interrupt;
use super::progress::Progress;
use crate::args::Common;
use crate::endings::Endings;
use crate::output::{self, Negative};
use crate::{commands, input};
use anyhow::Context;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use tabia_app::draw::{self, TextStyle};
use tabia_app::solve::{SolveRequest, SolveView, SolvedMove, WorkError};
use tabia_app::{AnyPosition, Watch};

/// Answers exactly.
#[derive(Args, Debug)]
pub(crate) struct Solve {
    /// The game, or the beginning of its name
    game: String,
    /// The position: text, code or name; - for one per line from standard input
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pos: Option<String>,
    /// Puzzles: where to begin, a position or the vacant hole
    #[arg(long, value_name = "POS", allow_hyphen_values = true, conflicts_with = "pos")]
    from: Option<String>,
    /// Puzzles: the goal, a hole, any, or a position
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Puzzles: a solution with the fewest moves, proved to be one
    #[arg(long)]
    fewest_moves: bool,
    /// Puzzles: count the solutions
    #[arg(long)]
    count: bool,
    /// Puzzles: say which moves keep the position solvable
    #[arg(long)]
    hints: bool,
    /// Puzzles: the board, by name or as a drawing in a file
    #[arg(long, value_name = "NAME|FILE")]
    board: Option<String>,
    #[command(flatten)]
    pictures: Pictures,
    #[command(flatten)]
    endings: Endings,
    /// The method: table, strong, proof, alphabeta; for puzzles special or dfs (default: the first that can answer)
    #[arg(long, value_name = "NAME")]
    method: Option<String>,
    /// A table or a folder of tables to look into first
    #[arg(long, value_name = "PATH")]
    tables: Option<PathBuf>,
    /// Memory that may be used
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = commands::size)]
    memory: usize,
    /// Time for what might not end: half of it to find every position, the rest to search
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = commands::search::duration)]
    time: Duration,
}

/// How the line is looked at.
#[derive(Args, Debug)]
struct Pictures {
    /// Draw the board after each move of the line
    #[arg(long, conflicts_with_all = ["json", "svg"])]
    boards: bool,
    /// With --boards: ASCII characters alone
    #[arg(long, requires = "boards")]
    ascii: bool,
    /// Print one SVG sheet with the board after each move of the line, instead
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

impl Pictures {
    /// Prints the answer, and the boards of its line where they were asked for.
    fn print(&self, common: &Common, position: &dyn AnyPosition, view: &SolveView) -> anyhow::Result<()> {
        if self.svg {
            output::data(&draw::sheet(&position.film(&view.line)?))?;
            return negative(view);
        }
        output::answer(common.json, view, text)?;
        if self.boards {
            let style = if self.ascii { TextStyle::Ascii } else { TextStyle::Unicode };
            let boards = draw::strip(&position.film(&view.line)?, style, output::width());
            output::data(&format!("\n{boards}"))?;
        }
        negative(view)
    }
}

impl Solve {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let common = &self.endings.ready(common)?;
        let request = SolveRequest {
            method: self.method.clone(),
            tables: self.tables.clone(),
            goal: self.goal.clone(),
            fewest_moves: self.fewest_moves,
            count: self.count,
            hints: self.hints,
            threads: common.threads(),
            memory: self.memory as u64,
            time: self.time,
        };
        let game = common.game(&self.game)?;
        let board = self.board.as_deref().map(|board| self.board_position(common, board)).transpose()?;
        let parse = |text: &str| match &board {
            Some(board) => board.parse_here(text),
            None => game.parse(text),
        };
        let stop = interrupt::stop()?;
        let answer = |position: Box<dyn AnyPosition>| {
            let progress = Progress::new(common);
            let tell = |now: &tabia_app::Progress| progress.tell(now);
            let solved = position.solve()?.solve(&request, &Watch { stop, progress: &tell });
            progress.clear();
            interrupt::outcome("stopped before the answer was known")?;
            self.pictures.print(common, position.as_ref(), &solved.map_err(plain)?)
        };
        match self.pos.as_deref().or(self.from.as_deref()) {
            Some("-") => input::each_line(|line| answer(parse(line)?)),
            Some(text) => answer(parse(text)?),
            None => answer(board.unwrap_or_else(|| game.start())),
        }
    }

    /// The start position on a board that is named or drawn in a file.
    fn board_position(&self, common: &Common, board: &str) -> anyhow::Result<Box<dyn AnyPosition>> {
        let game = common.game(&self.game)?;
        let path = std::path::Path::new(board);
        if !path.exists() {
            let neither = || format!("there is no file {board:?}, and it is no board by itself");
            return game.parse(board).with_context(neither);
        }
        let drawing = std::fs::read_to_string(path).with_context(|| board.to_owned())?;
        game.parse(drawing.trim_end()).with_context(|| board.to_owned())
    }
}

/// An input error keeps its caret; others are told as they are.
pub(crate) fn plain(error: WorkError) -> anyhow::Error {
    match error {
        WorkError::Input(error) => error.into(),
        other => other.into(),
    }
}

/// Prints the answer.
pub(super) fn print(common: &Common, view: &SolveView) -> anyhow::Result<()> {
    output::answer(common.json, view, text)?;
    negative(view)
}

/// "No" and "unknown" are negative answers.
fn negative(view: &SolveView) -> anyhow::Result<()> {
    match view.value {
        "unsolvable" | "unknown" => Err(Negative { message: String::new() }.into()),
        _ => Ok(()),
    }
}

fn text(view: &SolveView) -> String {
    let mut out = view.value.to_owned();
    if let Some(distance) = view.distance {
        let bound = if view.distance_exact { "" } else { "at most " };
        let unit = match (view.value, distance) {
            ("solvable", 1) => "move",
            ("solvable", _) => "moves",
            (_, 1) => "ply",
            _ => "plies",
        };
        let _ = write!(out, " in {bound}{distance} {unit}");
    }
    out.push('\n');
    if let Some(solutions) = view.solutions {
        let _ = writeln!(out, "{} solutions", output::grouped(solutions));
    }
    if !view.line.is_empty() {
        let _ = writeln!(out, "{}", view.line.join(" "));
    }
    moves_text(&view.moves, &mut out);
    let memory = view.peak_bytes.map_or(String::new(), |bytes| format!(", {} MB", bytes / 1_000_000));
    let reason = if view.reason.is_empty() { String::new() } else { format!(": {}", view.reason) };
    let _ = writeln!(
        out,
        "by {}{reason} ({} positions, {:.2} s{memory})",
        view.method,
        output::grouped(view.positions),
        view.seconds
    );
    out
}

/// The moves, those with the same value on one line.
fn moves_text(moves: &[SolvedMove], out: &mut String) {
    for same in moves.chunk_by(|a, b| a.value == b.value && a.distance == b.distance) {
        let Some(first) = same.first() else { continue };
        let distance = first.distance.map_or(String::new(), |plies| format!(" in {plies}"));
        let label = format!("{}{distance}", first.value);
        let texts: Vec<&str> = same.iter().map(|mv| mv.text.as_str()).collect();
        let _ = writeln!(out, "{} {label:<12} {}", if first.best { "*" } else { " " }, texts.join(" "));
    }
}
