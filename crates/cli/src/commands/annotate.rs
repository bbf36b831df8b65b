//! `tabia annotate`: the games of a file with values, marks and better moves.

use crate::args::Common;
use crate::commands::interrupt;
use crate::commands::progress::Progress;
use crate::output::{self, Negative};
use crate::whole::Whole;
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{BufRead, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia_app::annotate::{AnnotateRequest, AnnotatedGame, AnnotationView, DEFAULT_NODES, PlayerView};
use tabia_app::book::open_games;
use tabia_app::{AnyGame, ErrorKind, InputError, Skipped, Watch};

/// Looks at every position of the games of a file: exact values where they are known, the engine elsewhere.
#[derive(Args, Debug)]
pub(crate) struct Annotate {
    /// The games: PGN, PDN or lines of JSON, - for standard input; .gz and .zst are unpacked on the way
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the games go with what was found; standard output when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Nodes of the engine for each position that is not known exactly
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The game, where the name of the file does not tell
    #[arg(long)]
    game: Option<String>,
    /// What kind of file it is, where the name does not tell: pgn, pdn, acf, jsonl
    #[arg(long)]
    kind: Option<String>,
    /// What to write: pgn, pdn, jsonl (default: what is read)
    #[arg(long)]
    format: Option<String>,
}

/// What was done.
#[derive(Default, Serialize)]
struct Done {
    games: u64,
    positions: u64,
    skipped: Vec<Skipped>,
    players: Vec<Vec<PlayerView>>,
}

impl Annotate {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = self.game(common)?;
        let kind = self.kind(game)?;
        let written = self.format.clone().unwrap_or_else(|| kind.clone());
        let request = AnnotateRequest { nodes: self.nodes, threads: common.threads() };
        let mut out = Output::create(self.out.as_deref())?;
        let (progress, mut done, mut trouble) = (Progress::new(common), Done::default(), None);
        let tell = |now: &tabia_app::Progress| progress.tell(now);
        let watch = Watch { stop: interrupt::stop()?, progress: &tell };
        let mut sink = |annotated: AnnotatedGame| match annotated {
            AnnotatedGame::Done(text, found) => {
                done.note(&found);
                match out.write(&text) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        trouble = Some(error);
                        ControlFlow::Break(())
                    }
                }
            }
            AnnotatedGame::Skipped(skipped) => {
                if !common.quiet {
                    let file = self.file.display();
                    output::message(&format!(
                        "{file}:{}: game {}: {}",
                        skipped.line, skipped.number, skipped.reason
                    ));
                }
                done.skipped.push(skipped);
                ControlFlow::Continue(())
            }
        };
        let kept = self.kept()?;
        let opened = || match &kept {
            Some(bytes) => Ok(Box::new(Cursor::new(Arc::clone(bytes))) as Box<dyn BufRead>),
            None => open_games(&self.file).map_err(std::io::Error::other),
        };
        let looked = game.annotate()?.annotate_file((&kind, &written), &opened, &request, &watch, &mut sink);
        progress.clear();
        looked.map_err(unwrapped)?;
        trouble.map_or(Ok(()), Err)?;
        out.finish()?;
        self.conclude(common, &done)
    }

    /// What comes through a pipe: games are read twice, once to count them, and a pipe can be read once.
    fn kept(&self) -> anyhow::Result<Option<Arc<[u8]>>> {
        if self.file.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        open_games(&self.file)?.read_to_end(&mut bytes).with_context(|| self.file.display().to_string())?;
        Ok(Some(bytes.into()))
    }

    fn conclude(&self, common: &Common, done: &Done) -> anyhow::Result<()> {
        if self.out.is_some() {
            output::answer(common.json, done, summary)?;
        }
        interrupt::outcome("stopped; the games that were looked at until then are written")?;
        if done.games == 0 {
            return Err(Negative { message: "none of the games could be used".to_owned() }.into());
        }
        Ok(())
    }

    /// The game that is named, or the one that has files with this ending.
    fn game<'a>(&self, common: &'a Common) -> Result<&'a dyn AnyGame, InputError> {
        if let Some(name) = &self.game {
            return common.game(name);
        }
        let reads = |game: &&dyn AnyGame| kind_by_name(*game, &self.file).is_some();
        common.registry.games().find(reads).ok_or_else(|| {
            let name = self.file.display().to_string();
            let message = format!("the name of {name} does not tell which game is in it: say so with --game");
            InputError::new(ErrorKind::Unknown, name, message)
        })
    }

    fn kind(&self, game: &dyn AnyGame) -> Result<String, InputError> {
        if let Some(kind) = &self.kind {
            return Ok(kind.clone());
        }
        if let Some(kind) = kind_by_name(game, &self.file) {
            return Ok(kind.to_owned());
        }
        if matches!(ending(&self.file).as_str(), "jsonl" | "ndjson" | "json") {
            return Ok("jsonl".to_owned());
        }
        let name = self.file.display().to_string();
        let kinds = game.whole_games().text_kinds().join(", ");
        let message = format!("the name of {name} does not tell its kind: --kind can be {kinds}");
        Err(InputError::new(ErrorKind::Unknown, name, message))
    }
}

impl Done {
    fn note(&mut self, found: &AnnotationView) {
        self.games += 1;
        self.positions += found.done as u64;
        self.players.push(found.players.clone());
    }
}

/// The ending of a name, without that of a compressed file.
fn ending(path: &Path) -> String {
    let of = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match of(path).unwrap_or_default().as_str() {
        "gz" | "zst" => path.file_stem().and_then(|stem| of(Path::new(stem))).unwrap_or_default(),
        other => other.to_owned(),
    }
}

fn kind_by_name(game: &dyn AnyGame, path: &Path) -> Option<&'static str> {
    let (ending, kinds) = (ending(path), game.as_files()?.kinds());
    kinds.into_iter().find(|kind| kind.extensions.contains(&ending.as_str())).map(|kind| kind.id)
}

fn unwrapped(error: tabia_app::solve::WorkError) -> anyhow::Error {
    match error {
        tabia_app::solve::WorkError::Input(error) => error.into(),
        other => other.into(),
    }
}

fn summary(done: &Done) -> String {
    let counted = |number: u64, what: &str| {
        format!("{} {what}{}", output::grouped(number), if number == 1 { "" } else { "s" })
    };
    let mut text = format!("{}, {}\n", counted(done.games, "game"), counted(done.positions, "position"));
    if !done.skipped.is_empty() {
        let _ = writeln!(text, "{} skipped", counted(done.skipped.len() as u64, "game"));
    }
    text
}

/// Where games are written: standard output, or a file that has its name only when it is whole.
enum Output {
    Standard,
    File(Whole),
}

impl Output {
    fn create(path: Option<&Path>) -> anyhow::Result<Self> {
        path.map_or(Ok(Output::Standard), |path| Whole::create(path).map(Output::File))
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        match self {
            Output::Standard => output::data(text),
            Output::File(file) => Ok(file.write_all(text.as_bytes())?),
        }
    }

    fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Standard => Ok(()),
            Output::File(file) => file.finish(),
        }
    }
}
