//! Answers requests without a server: lines of `METHOD address` come in, lines of JSON with the status and the
//! text of the answer go out. `--random N` makes N such lines instead: questions about positions that random play leads to, for
//! each game. The static site is prepared with it, and its tests compare what the browser answers.

use serde_json::json;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Duration;
use tabia_api::{Api, Body, Book, Host, Limits, Place, Request, Settings, TemporaryFile, Work};
use tabia_app::{AnyGame, Registry, Stop};

/// Work is done at once.
struct AtOnce;

impl Host for AtOnce {
    fn spawn(&self, work: Work) {
        work();
    }

    fn later(&self, _: Duration, _: Work) {}

    fn place(&self) -> Option<Place> {
        Some(Box::new(()))
    }

    fn file(&self, _: &[u8]) -> std::io::Result<TemporaryFile> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

const LIMITS: Limits = Limits {
    position_bytes: 4096,
    moves: 2000,
    answer_time: Duration::from_secs(600),
    answer_memory: 512 << 20,
    analyses: 1,
    analysis_memory: 64 << 20,
    analysis_time: Duration::from_secs(600),
    unheard: Duration::from_secs(600),
};

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if let [word, count] = &words[..]
        && word == "--random"
    {
        let count = count.parse().map_err(std::io::Error::other)?;
        for game in Registry::standard().games() {
            random(game, count, &mut out)?;
        }
        return out.flush();
    }
    let settings =
        Settings { registry: Registry::standard(), book: Book::missing("none is needed"), limits: LIMITS };
    let api = Api::new(settings, Arc::new(AtOnce));
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (method, address) = line.split_once(' ').unwrap_or(("GET", &line));
        let request = Request { method: method.to_owned(), ..Request::get(address) };
        let answer = api.answer(&request, &Stop::new());
        let Body::Bytes(bytes) = answer.body else { continue };
        let text = String::from_utf8_lossy(&bytes);
        writeln!(out, "{}", json!({ "address": address, "status": answer.status, "text": text }))?;
    }
    out.flush()
}

/// Questions about positions of random games, which begin at every start the game has a name for.
fn random(game: &dyn AnyGame, count: usize, out: &mut dyn Write) -> std::io::Result<()> {
    let mut seed: u64 = 0x7AB1A;
    let mut next = |below: usize| {
        // Multiply and add, as Knuth's MMIX does; the upper bits are the random ones.
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let starts = game.view().starts;
    let mut position = game.start();
    for _ in 0..count {
        let view = position.view();
        let query = serde_urlencoded::to_string([("pos", &view.position)]).map_err(std::io::Error::other)?;
        writeln!(out, "GET /api/v1/games/{}/position?board=true&{query}", game.id())?;
        let moves = position.moves();
        let over = moves.is_empty() || view.outcome.is_some() || next(60) == 0;
        if over {
            let start = &starts[next(starts.len())];
            position = game.parse(&start.position).map_err(std::io::Error::other)?;
        } else {
            let text = moves[next(moves.len())].text.clone();
            position.play(&text).map_err(std::io::Error::other)?;
        }
    }
    Ok(())
}
