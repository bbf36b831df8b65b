//! The commands, a file each.

pub(crate) mod annotate;
pub(crate) mod book;
mod clock;
#[cfg(feature = "cluster")]
pub(crate) mod cluster;
pub(crate) mod codes;
pub(crate) mod enumerate;
pub(crate) mod find;
mod games;
mod interactive;
pub(crate) mod interrupt;
mod lines;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod playout;
pub(crate) mod progress;
pub(crate) mod puzzles;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod serve;
mod shell;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tablebase;
pub(crate) mod train;
#[cfg(feature = "terminal")]
pub(crate) mod tui;
mod uci;

use crate::args::{Cli, Command};

/// Does what was typed.
pub(crate) fn run(cli: &Cli) -> anyhow::Result<()> {
    let common = &cli.common;
    match &cli.command {
        Command::Games => games::run(common),
        Command::Show(show) => show.run(common),
        Command::Moves(moves) => moves.run(common),
        Command::Play(play) => play.run(common),
        #[cfg(feature = "terminal")]
        Command::Tui(tui) => tui.run(common),
        Command::Encode(encode) => encode.run(common),
        Command::Decode(decode) => decode.run(common),
        Command::Perft(perft) => perft.run(common),
        Command::Enumerate(enumerate) => enumerate.run(common),
        Command::Playout(playout) => playout.run(common),
        Command::Search(search) => search.run(common),
        Command::Match(matches) => matches.run(common),
        Command::Train(train) => train.run(common),
        Command::Uci => uci::run(common),
        Command::Solve(solve) => solve.run(common),
        Command::Tablebase(tablebase) => tablebase.run(common),
        Command::Book(book) => book.run(common),
        #[cfg(feature = "cluster")]
        Command::Cluster(cluster) => cluster.run(common),
        Command::Find(find) => find.run(common),
        Command::Puzzles(puzzles) => puzzles.run(common),
        Command::Annotate(annotate) => annotate.run(common),
        Command::Report(report) => report.run(common),
        Command::Serve(serve) => serve.run(common),
        Command::Bench => playout::bench(common),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Man => shell::man(),
    }
}

/// A number of bytes as people write it: `4096`, `64k`, `256M`, `2G`.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 1usize << 10),
        Some('m' | 'M') => (&text[..text.len() - 1], 1 << 20),
        Some('g' | 'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number: usize = digits.parse().map_err(|_| "expected a size such as 64k, 256M or 2G".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "this is more memory than any machine has".to_owned())
}
