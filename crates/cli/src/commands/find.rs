//! `tabia find`: questions over positions.

use super::book::Place;
use super::interrupt;
use super::progress::Progress;
use crate::args::Common;
use crate::output;
use anyhow::Context;
use clap::Args;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use tabia_app::book::BookFailure;
use tabia_app::find::{FieldView, FindFailure, FindRequest, FindSource, FindView, FoundView};
use tabia_app::solve::WorkError;
use tabia_app::{AnyGame, InputError, Watch};

/// Finds positions that fit a condition.
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Find {
    /// The game, or the beginning of its name
    game: String,
    /// What must be true of a position, in CEL: value == "win" && distance >= 20
    #[arg(value_name = "EXPRESSION", required_unless_present = "fields", allow_hyphen_values = true)]
    expression: Option<String>,
    /// Where to look: tables, book, enumerate, or a file with a position on each line (- for standard input)
    #[arg(long, value_name = "SOURCE", default_value = "tables")]
    r#in: String,
    /// The most positions to list; 0 lists none and counts
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Sort by a field, or by any expression
    #[arg(long, value_name = "FIELD")]
    sort: Option<String>,
    /// The largest first
    #[arg(long, requires = "sort")]
    desc: bool,
    /// Go on beyond the limit, to count everything that fits
    #[arg(long)]
    count: bool,
    /// List the fields that the game has
    #[arg(long)]
    fields: bool,
    /// The tables: a file or a folder (default: those of TABIA_TABLES, or small ones that are built once)
    #[arg(long, value_name = "PATH")]
    tables: Option<PathBuf>,
    /// A position: its rules are used, and positions are enumerated from it
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    from: Option<String>,
    /// --in enumerate: stop after this many plies
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// --in enumerate: look at a position and each of its images under symmetry
    #[arg(long)]
    images: bool,
    /// Memory for tables of positions
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = super::size)]
    memory: usize,
    #[command(flatten)]
    place: Place,
}

impl Find {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.game)?;
        if self.fields {
            return output::answer(common.json, &game.finding().find_fields(), |fields| listed(fields));
        }
        let request = FindRequest {
            expression: self.expression.clone().unwrap_or_default(),
            sort: self.sort.clone(),
            descending: self.desc,
            limit: self.limit,
            count: self.count || self.limit == 0,
            position: self.from.clone(),
            tables: self.tables.clone(),
            threads: common.threads(),
            memory: self.memory as u64,
        };
        match self.r#in.as_str() {
            "tables" => Self::ask(common, game, &request, FindSource::Tables),
            "enumerate" => {
                let source = FindSource::Enumerate { depth: self.depth, symmetry: !self.images };
                Self::ask(common, game, &request, source)
            }
            "book" => {
                let reader = self.place.reader(common)?;
                Self::ask(common, game, &request, FindSource::Book(reader.as_ref()))
            }
            path => {
                let mut lines: Box<dyn BufRead> = if path == "-" {
                    Box::new(std::io::stdin().lock())
                } else {
                    let file = File::open(path).with_context(|| {
                        format!("{path} cannot be read (--in takes tables, book, enumerate or a file)")
                    })?;
                    Box::new(BufReader::new(file))
                };
                let source = FindSource::Lines(&mut *lines);
                Self::ask(common, game, &request, source).map_err(|error| in_file(error, path, &request))
            }
        }
    }

    fn ask(
        common: &Common,
        game: &dyn AnyGame,
        request: &FindRequest,
        source: FindSource<'_>,
    ) -> anyhow::Result<()> {
        let (stop, progress) = (interrupt::stop()?, Progress::new(common));
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        let mut table = Table::default();
        let mut failed = None;
        let found = game.finding().find(request, source, &Watch { stop, progress: &tell }, &mut |found| {
            progress.clear();
            let printed = if common.json { output::json(found) } else { table.add(found) };
            failed = printed.err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.clear();
        if let Some(error) = failed {
            return Err(error);
        }
        let view = found.map_err(told)?;
        table.flush()?;
        // Whoever asks for no position asks how many there are.
        if request.limit == 0 {
            output::answer(common.json, &view, counted)?;
        } else if !common.quiet {
            output::message(&summary(&view));
        }
        interrupt::outcome("stopped before every position was looked at")
    }
}

/// Rows in columns, as wide as the first of them need.
#[derive(Default)]
struct Table {
    waiting: Vec<Vec<String>>,
    widths: Vec<usize>,
}

/// Rows that decide how wide the columns are.
const SAMPLE: usize = 100;

impl Table {
    fn add(&mut self, found: &FoundView) -> anyhow::Result<()> {
        if self.waiting.is_empty() && self.widths.is_empty() {
            self.waiting.push(found.names().map(str::to_owned).chain(["position".to_owned()]).collect());
        }
        let cells = found.fields.iter().map(|(_, value)| value.to_string());
        self.waiting.push(cells.chain([found.position.clone()]).collect());
        if self.waiting.len() > SAMPLE || !self.widths.is_empty() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        if self.widths.is_empty() {
            let columns = self.waiting.first().map_or(0, Vec::len);
            let width = |column: usize| self.waiting.iter().map(|row| row[column].chars().count()).max();
            self.widths = (0..columns).filter_map(width).collect();
        }
        let mut out = anstream::stdout().lock();
        for row in self.waiting.drain(..) {
            let (last, cells) =
                row.split_last().map_or(("", &row[..]), |(last, cells)| (last.as_str(), cells));
            for (cell, &width) in cells.iter().zip(&self.widths) {
                write!(out, "{cell:<width$}  ")?;
            }
            writeln!(out, "{last}")?;
        }
        Ok(out.flush()?)
    }
}

fn listed(fields: &[FieldView]) -> String {
    let line = |field: &FieldView| {
        let sources =
            if field.sources.len() == 1 { format!(" (--in {})", field.sources[0]) } else { String::new() };
        format!("{:<15} {:<7} {}{sources}", field.name, field.r#type, field.about)
    };
    fields.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn counted(view: &FindView) -> String {
    let (matched, looked_at) = (output::grouped(view.matched), output::grouped(view.looked_at));
    let first = if view.complete { "" } else { "the first " };
    format!("{matched} of {first}{looked_at} positions")
}

fn summary(view: &FindView) -> String {
    let mut text = counted(view);
    if view.undecided > 0 {
        let undecided = output::grouped(view.undecided);
        text += &format!("; {undecided} lack something that the question compares, and do not count");
    }
    let rate = view.looked_at as f64 / view.seconds.max(1e-9);
    format!("{text}; {:.2} s, {}positions/s", view.seconds, output::rate(rate))
}

/// Errors of input keep their type, so that they are shown with a caret.
/// Names the file of a line that is no position; what is wrong in the question is in no file.
fn in_file(error: anyhow::Error, path: &str, asked: &FindRequest) -> anyhow::Error {
    let of_a_line = error.downcast_ref::<InputError>().is_some_and(|error| {
        error.input != asked.expression && asked.sort.as_ref().is_none_or(|sort| error.input != *sort)
    });
    if of_a_line && path != "-" { error.context(path.to_owned()) } else { error }
}

fn told(failure: FindFailure) -> anyhow::Error {
    match failure {
        FindFailure::Work(WorkError::Input(error)) | FindFailure::Book(BookFailure::Input(error)) => {
            error.into()
        }
        other => other.into(),
    }
}
