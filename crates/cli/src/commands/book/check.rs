//! `tabia book export` and `verify`.

use super::{Place, told};
use crate::args::Common;
use crate::output::{self, Negative};
use crate::whole::Whole;
use clap::Args;
use serde::Serialize;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use tabia_app::book::{ExportRequest, Exported, Reader, Verified, open_to_check, verify_bytes};

/// Writes the book out.
#[derive(Args, Debug)]
pub(crate) struct Export {
    #[command(flatten)]
    position: crate::args::Position,
    /// csv, jsonl, codes (board and move codes in five columns), parquet, or polyglot (default: csv, or jsonl with
    /// --json)
    #[arg(long)]
    format: Option<String>,
    /// The file to write; standard output without one
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep moves that only lost, which a Polyglot book leaves out
    #[arg(long)]
    all: bool,
}

impl Export {
    pub(crate) fn run(&self, common: &Common, place: &Place) -> anyhow::Result<()> {
        let game = common.game(&self.position.game)?;
        let reader = place.reader(common)?;
        say_if_restless(common, &*reader)?;
        let usual = if common.json { "jsonl" } else { "csv" };
        let format = self.format.as_deref().unwrap_or(usual);
        let request = ExportRequest { pos: self.position.pos.as_deref(), format, all: self.all };
        let Some(path) = &self.out else {
            let mut out = BufWriter::new(std::io::stdout().lock());
            let exported = told(game.book()?.export(&*reader, request, &mut out))?;
            out.flush()?;
            say_left_out(common, exported);
            return Ok(());
        };
        let mut out = Whole::create(path)?;
        let exported = told(game.book()?.export(&*reader, request, &mut out))?;
        out.finish()?;
        if !common.quiet {
            let entries = output::grouped(exported.entries);
            output::message(&format!("{entries} entries written to {}", path.display()));
        }
        say_left_out(common, exported);
        Ok(())
    }
}

fn say_left_out(common: &Common, exported: Exported) {
    if exported.left_out > 0 && !common.quiet {
        let entries = output::grouped(exported.left_out);
        output::message(&format!(
            "{entries} entries of moves that only lost were left out; --all keeps them"
        ));
    }
}

/// What is read while others write to a book without a common moment may not add up.
fn say_if_restless(common: &Common, reader: &dyn Reader) -> anyhow::Result<()> {
    if !common.quiet && !reader.has_moments()? {
        output::message(
            "the book is spread over several servers, which have no common moment: import nothing meanwhile",
        );
    }
    Ok(())
}

#[derive(Serialize)]
struct VerifyView {
    sound: bool,
    #[serde(flatten)]
    report: Verified,
    /// Variants whose rows were also checked against the rules of their game.
    checked_against_rules: Vec<String>,
    /// Variants that no game here knows: their rows were checked against nothing.
    unchecked: Vec<String>,
}

/// Checks the whole book.
pub(super) fn verify(common: &Common, place: &Place) -> anyhow::Result<()> {
    let address = place.address(common)?;
    let mut reader = open_to_check(&address)?;
    say_if_restless(common, &*reader)?;
    let report = verify_bytes(&mut *reader)?;
    drop(reader);
    let mut view =
        VerifyView { sound: false, report, checked_against_rules: Vec::new(), unchecked: Vec::new() };
    if view.report.is_sound() {
        let reader = place.reader(common)?;
        for game in common.registry.games() {
            let (found, names) = told(game.book()?.verify(&*reader))?;
            view.report.problems += found.problems;
            view.report.told.extend(found.told);
            view.checked_against_rules.extend(names);
        }
        let variants = reader.variants()?.into_iter().map(|variant| variant.name);
        view.unchecked = variants.filter(|name| !view.checked_against_rules.contains(name)).collect();
    }
    view.sound = view.report.is_sound() && view.unchecked.is_empty();
    output::answer(common.json, &view, |view| {
        let report = &view.report;
        let mut out =
            format!("{} positions, {} moves: ", output::grouped(report.rows), output::grouped(report.moves));
        out += &match report.problems {
            _ if view.sound => "sound\n".to_owned(),
            0 => "no problems, but not all could be checked\n".to_owned(),
            problems => format!("{problems} problems\n"),
        };
        report.told.iter().for_each(|problem| out += &format!("- {problem}\n"));
        for name in &view.unchecked {
            out += &format!("- {name}: unchecked, no game here has these rules\n");
        }
        out
    })?;
    if view.sound { Ok(()) } else { Err(Negative { message: String::new() }.into()) }
}

/// Sets a shared book up for Citus.
pub(super) fn citus_init(common: &Common, place: &Place) -> anyhow::Result<()> {
    let address = place.address(common)?;
    let url = address.starts_with("postgres://") || address.starts_with("postgresql://");
    anyhow::ensure!(url, "{address} is no PostgreSQL book: name one with --book postgres://...");
    let done = tabia_app::book::citus_init(&address)?;
    if !common.quiet {
        output::message(if done {
            "the rows are distributed by key, 8 shards"
        } else {
            "it was set up already"
        });
    }
    Ok(())
}
