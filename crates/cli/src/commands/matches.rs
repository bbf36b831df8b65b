//! `tabia match`.

use super::interrupt;
use crate::args::Common;
use crate::{input, output};
use anyhow::Context;
use clap::Args;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use tabia_app::search::{MatchRequest, MatchView, PlayerSpec, Sprt, SprtVerdict};

/// Lets two players play many games.
#[derive(Args, Debug)]
pub(crate) struct Match {
    /// The game, or the beginning of its name
    game: String,
    /// The first player: random, greedy, level=1 to level=10, depth=N, nodes=N, time=50ms or mcts=N (mcts=50ms; mcts=50ms,eval=net judges by a network in the place of playouts); those that search may
    /// weigh terms of the evaluation anew, in hundredths: nodes=2000,mobility=0; tables=0 plays without ending tables,
    /// blur=50 cannot tell moves apart that differ by less than half a pawn
    #[arg(value_parser = player)]
    a: PlayerSpec,
    /// The other player
    #[arg(value_parser = player)]
    b: PlayerSpec,
    /// Games to play, in pairs with sides changed
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Random plies before the players take over
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: u32,
    /// The position openings start from
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    from: Option<String>,
    /// Stop when a sequential test between two differences in Elo is decided: 0,10
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Write the games to a file: .jsonl, or .pdn and .pgn where the game has them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A player by name.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, String> {
    PlayerSpec::of_this_machine(text).map_err(|error| error.message)
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match numbers {
        Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two differences in Elo, the smaller first: 0,10".to_owned()),
    }
}

impl Match {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let position = input::position(common.game(&self.game)?, self.from.as_deref())?;
        let kind = self.out.as_ref().map(|path| {
            path.extension().map(|kind| kind.to_string_lossy().to_lowercase()).unwrap_or_default()
        });
        let mut file = self.out.clone().map(|path| Late { path, file: None });
        let mut nowhere = std::io::sink();
        let output: &mut (dyn Write + Send) = match &mut file {
            Some(file) => file,
            None => &mut nowhere,
        };
        let request = MatchRequest {
            a: self.a.clone(),
            b: self.b.clone(),
            games: self.games,
            opening_plies: self.opening_plies,
            threads: common.threads(),
            seed: common.seed,
            sprt: self.sprt,
            record: kind,
        };
        let watched = !common.quiet && std::io::stderr().is_terminal();
        let mut on_pair = |view: &MatchView| {
            if watched {
                output::message(text(view).trim_end());
            }
        };
        let stop = interrupt::stop()?;
        let view = position.search()?.play_match(&request, output, stop, &mut on_pair)?;
        if let Some(mut file) = file {
            file.flush().context("the games cannot be written")?;
        }
        output::answer(common.json, &view, text)?;
        interrupt::outcome("stopped before the end")
    }
}

/// A file that is made when something is written to it: a match that is refused leaves none behind.
struct Late {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Write for Late {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(BufWriter::new(File::create(&self.path)?)),
        };
        file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

pub(super) fn text(view: &MatchView) -> String {
    let test = match (view.sprt, view.llr) {
        (Some(verdict), Some(llr)) => {
            let word = match verdict {
                SprtVerdict::Accepted => "accepted",
                SprtVerdict::Rejected => "rejected",
                SprtVerdict::Open => "open",
            };
            format!("; test {word} (log-likelihood ratio {llr:.2})")
        }
        _ => String::new(),
    };
    format!(
        "{} against {}: {} wins, {} losses, {} draws of {} games; {:.1} %, Elo {:+.0} ± {:.0}{test}\n",
        view.a,
        view.b,
        view.wins,
        view.losses,
        view.draws,
        view.games,
        100.0 * view.score,
        view.elo,
        view.elo_error
    )
}
