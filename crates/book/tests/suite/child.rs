//! A second process: the test binary runs itself, does one piece of work and may be killed at it.

use super::{import_games, random_games};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tabia_book::import::{ImportOptions, record};
use tabia_book::stores::open::open_store;
use tabia_core::RecordedGame;
use tabia_draughts::Draughts;

/// The games that all children try to get into the book.
pub(crate) fn games() -> Vec<RecordedGame<Draughts>> {
    random_games(&Draughts::default(), 11, 400, 60)
}

/// The body of the ignored test that children run; nothing when a person runs it.
pub(crate) fn run_if_asked() {
    let (Ok(work), Ok(book)) = (std::env::var("TABIA_CHILD"), std::env::var("TABIA_CHILD_BOOK")) else {
        return;
    };
    if let Err(error) = work_on(&work, &book) {
        println!("error: {error}");
    }
}

fn work_on(work: &str, book: &str) -> tabia_book::Result<()> {
    let store = open_store(book)?;
    say("opened");
    let rules = Draughts::default();
    match work {
        "hold" => std::thread::sleep(Duration::from_mins(1)),
        "record" => {
            for game in games() {
                record(&*store, &game)?;
                say(&game.tags[0].1);
            }
        }
        // More than any new book has room for.
        "fill" => {
            let games = random_games(&rules, 12, 3000, 60);
            import_games(&*store, &rules, &games, &ImportOptions { threads: 2, ..ImportOptions::default() })?;
        }
        _ => {
            let runs = (work == "runs")
                .then(|| Path::new(&std::env::var("TABIA_CHILD_RUNS").unwrap_or_default()).to_owned());
            let options = ImportOptions { threads: 2, batch: 2000, runs, ..ImportOptions::default() };
            import_games(&*store, &rules, &games(), &options)?;
        }
    }
    say("done");
    Ok(())
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "> {line}").and_then(|()| out.flush());
}

/// How to start a child: directly, or through another program.
pub(crate) fn command(through: &[&str], test: &str, work: &str, book: &str) -> Command {
    let exe = std::env::current_exe().expect("this program");
    let mut command = match through.split_first() {
        Some((program, rest)) => {
            let mut command = Command::new(program);
            command.args(rest).arg(exe);
            command
        }
        None => Command::new(exe),
    };
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command
        .env("TABIA_CHILD", work)
        .env("TABIA_CHILD_BOOK", book)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// What a child said: the lines it printed on purpose, and its error.
pub(crate) fn said(child: Child) -> Vec<String> {
    let Some(out) = child.stdout else { return Vec::new() };
    let lines = BufReader::new(out).lines().map_while(Result::ok);
    // The first line begins with the name of the test.
    let said = |line: String| {
        let words = line.split_once("> ").map(|(_, words)| words.to_owned());
        words.or_else(|| line.find("error").map(|at| line[at..].to_owned()))
    };
    lines.filter_map(said).collect()
}
