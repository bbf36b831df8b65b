//! `tabia report`: what a game is like.

use super::interrupt;
use super::progress::Progress;
use super::solve::plain;
use crate::args::Common;
use crate::{input, output, whole};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabia_app::profile::{
    Budgets, Comparison, Effort, Profile, ProfileRequest, Reading, compared_html, html,
};
use tabia_app::{AnyPosition, ErrorKind, InputError, Watch};

/// Finds out what a game is like, by playing, counting and solving it.
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// The game, or the beginning of its name
    game: String,
    /// The opening, board or position that games start from, with its options: four+put-back
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    variant: Option<String>,
    /// More openings, boards or positions, to be compared with the first; may be given several times
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    compare: Vec<String>,
    /// Time for all of it, shared between the sections: 30s, 10m; the effort it came to is in the report
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "effort")]
    time: Option<Duration>,
    /// Pieces of work for each section, as a report tells them: random=16,strong=12
    #[arg(long, value_name = "EFFORT", value_parser = effort)]
    effort: Option<Effort>,
    /// Nodes for each move of the weak player
    #[arg(long, value_name = "N", default_value_t = Budgets::default().weak, value_parser = clap::value_parser!(u64).range(1..1_000_000_000))]
    weak: u64,
    /// Nodes for each move of the strong player
    #[arg(long, value_name = "N", default_value_t = Budgets::default().strong, value_parser = clap::value_parser!(u64).range(1..1_000_000_000))]
    strong: u64,
    /// Where the report goes: .html or .json, may be given twice; work that was stopped is kept beside the first, and
    /// gone on with by the same command
    #[arg(long, value_name = "FILE")]
    out: Vec<PathBuf>,
}

fn time(text: &str) -> Result<Duration, String> {
    tabia_app::search::duration(text).ok_or_else(|| "expected a time such as 30s or 10m".to_owned())
}

fn effort(text: &str) -> Result<Effort, String> {
    text.parse().map_err(|error: tabia_app::profile::EffortError| error.to_string())
}

/// The kinds of files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Html,
    Json,
}

impl Report {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let outs =
            self.out.iter().map(|path| Ok((kind(path)?, path))).collect::<Result<Vec<_>, InputError>>()?;
        let game = common.game(&self.game)?;
        let first = input::position(game, self.variant.as_deref())?;
        let others = self.compare.iter().map(|text| game.parse(text)).collect::<Result<Vec<_>, _>>()?;
        let positions: Vec<Box<dyn AnyPosition>> = std::iter::once(first).chain(others).collect();
        let mut profiles = Vec::new();
        for (number, position) in positions.iter().enumerate() {
            profiles.push(self.one(common, position.as_ref(), number, positions.len())?);
        }
        let comparison = Comparison { compared: profiles };
        for (kind, path) in outs {
            whole::write(path, &contents(kind, &comparison)?)?;
        }
        (0..positions.len()).filter_map(|number| self.partial(number)).for_each(|path| {
            let _ = std::fs::remove_file(path);
        });
        if self.out.is_empty() && common.json {
            return output::data(&contents(Kind::Json, &comparison)?);
        }
        output::data(&comparison.compared.iter().map(summary).collect::<Vec<_>>().join("\n"))
    }

    fn one(
        &self,
        common: &Common,
        position: &dyn AnyPosition,
        number: usize,
        of: usize,
    ) -> anyhow::Result<Profile> {
        let request = ProfileRequest {
            seed: common.seed,
            effort: self.effort.unwrap_or_default(),
            time: self.time.map(|time| time / of as u32),
            budgets: Budgets { weak: self.weak, strong: self.strong },
            partial: self.partial(number),
            threads: common.threads(),
        };
        let progress = Progress::new(common);
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        let stop = if number == 0 { interrupt::stop()? } else { interrupt::thrown() };
        let found = position.profile()?.report(&request, &Watch { stop, progress: &tell });
        progress.clear();
        interrupt::outcome(if request.partial.is_some() {
            "stopped; what was found is kept, and the same command goes on"
        } else {
            "stopped"
        })?;
        found.map_err(plain)
    }

    /// Where unfinished work is kept: beside the first file.
    fn partial(&self, number: usize) -> Option<PathBuf> {
        let mut name = self.out.first()?.clone().into_os_string();
        name.push(if number == 0 { ".unfinished".to_owned() } else { format!(".unfinished{number}") });
        Some(name.into())
    }
}

fn kind(path: &Path) -> Result<Kind, InputError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("html" | "htm") => Ok(Kind::Html),
        Some("json") => Ok(Kind::Json),
        _ => {
            let name = path.display().to_string();
            let message = format!("reports are written as .html or .json, which {name:?} is not");
            Err(InputError::new(ErrorKind::Unknown, name, message))
        }
    }
}

/// One report by itself, several as a comparison.
fn contents(kind: Kind, comparison: &Comparison) -> anyhow::Result<String> {
    Ok(match (kind, comparison.compared.as_slice()) {
        (Kind::Html, [one]) => html(one),
        (Kind::Html, _) => compared_html(comparison),
        (Kind::Json, [one]) => serde_json::to_string_pretty(one)? + "\n",
        (Kind::Json, _) => serde_json::to_string_pretty(comparison)? + "\n",
    })
}

fn summary(profile: &Profile) -> String {
    let mut out = format!("{} ({}) from {}\n", profile.name, profile.variant, profile.start);
    for section in &profile.sections {
        let _ = writeln!(out, "\n{}", section.title);
        for fact in &section.facts {
            let _ = writeln!(out, "  {}: {}", fact.label, fact.text);
        }
        for figure in &section.figures {
            let _ = writeln!(out, "  {}: {}", figure.label, reading(&figure.reading));
        }
    }
    let _ = writeln!(out, "\nmade again by {}", profile.command());
    out
}

fn reading(reading: &Reading) -> String {
    let sample = if reading.n > 0 { format!(", n = {}", output::grouped(reading.n)) } else { String::new() };
    format!("{reading}{sample}")
}
