//! What many people ask of a server at once, the rude ones among them.

use super::client::Client;
use anyhow::ensure;
use serde_json::json;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const GAMES: [&str; 5] = ["five-visible", "arx", "solitaire", "draughts", "chess"];
/// Positions that are solved in a moment, and one that takes all the time it is given.
const SOLVED: [(&str, &str); 4] = [
    ("draughts", "W:WK14,K15:BK1"),
    ("solitaire", "triangle5"),
    ("five-visible", "0/0/1/-/-/-/-/-/-%200%201"),
    ("chess", "8/8/8/8/8/4k3/4p3/4K3%20w%20-%20-%200%201"),
];
/// The games that are sent again and again, each under one name: a book counts each once.
pub(crate) const SENT: usize = 200;

/// What the clients have in common.
pub(crate) struct Load {
    pub(crate) client: Client,
    /// Set when everybody should go.
    pub(crate) over: AtomicBool,
    /// Seconds that positions took to be answered since this was last emptied.
    pub(crate) times: Mutex<Vec<f64>>,
    /// What should not have happened.
    pub(crate) faults: Mutex<Vec<String>>,
}

/// One kind of client; it does its work once for each call, with a number that changes.
pub(crate) type Visit = fn(&Load, u64) -> anyhow::Result<()>;

/// Every kind of client with its name and its pause between two visits, in milliseconds.
pub(crate) const VISITORS: [(&str, Visit, u64); 7] = [
    ("positions", positions, 60),
    ("positions", positions, 100),
    ("solver", solve, 500),
    ("analysis", analysis, 1500),
    ("import", import, 3000),
    ("reader", read_everything, 1000),
    ("hostile", hostile, 400),
];

impl Load {
    /// Visits until everybody should go.
    pub(crate) fn keep(&self, (name, visit, pause): (&str, Visit, u64)) {
        let mut seed = pause.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        while !self.over.load(Ordering::Relaxed) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            if let Err(error) = visit(self, seed >> 8) {
                let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
                faults.push(format!("{name}: {error:#}"));
            }
            std::thread::sleep(Duration::from_millis(pause));
        }
    }
}

fn pick<T: Copy>(list: &[T], number: u64) -> T {
    list[number as usize % list.len()]
}

/// Plays a few random moves, one request for each, as a page does.
fn positions(load: &Load, mut number: u64) -> anyhow::Result<()> {
    let game = pick(&GAMES, number);
    let mut line = Vec::new();
    for _ in 0..number % 12 {
        let path = format!("/api/v1/games/{game}/position?board=true&play={}", line.join(","));
        let begin = Instant::now();
        let reply = load.client.get(&path)?;
        let taken = begin.elapsed().as_secs_f64();
        load.times.lock().unwrap_or_else(PoisonError::into_inner).push(taken);
        ensure!(reply.status == 200, "{path}: {} {}", reply.status, reply.body);
        let answer = reply.json();
        let moves: Vec<&str> =
            answer["moves"].as_array().into_iter().flatten().filter_map(|mv| mv["move"].as_str()).collect();
        if moves.is_empty() {
            break;
        }
        line.push(pick(&moves, number).replace('+', "%2B").replace('#', "%23").replace(' ', "%20"));
        number /= 3;
    }
    Ok(())
}

/// Asks for exact values; every third client does not wait for the answer.
fn solve(load: &Load, number: u64) -> anyhow::Result<()> {
    let (game, position) = pick(&SOLVED, number);
    let path = format!("/api/v1/games/{game}/solve?pos={position}&time=0.5");
    if number.is_multiple_of(3) {
        drop(load.client.send("GET", &path, "text/plain", "")?);
        return Ok(());
    }
    let reply = load.client.get(&path)?;
    // A server that has its hands full says so.
    ensure!(matches!(reply.status, 200 | 422 | 501 | 503), "{path}: {} {}", reply.status, reply.body);
    Ok(())
}

/// Begins to analyse, listens for a while, and then ends it, hangs up, or was never there.
fn analysis(load: &Load, number: u64) -> anyhow::Result<()> {
    let body = json!({ "game": pick(&["draughts", "chess", "arx"], number), "limits": { "time": 2.0 } });
    let reply = load.client.post("/api/v1/analyses", "application/json", &body.to_string())?;
    if reply.status == 429 {
        return Ok(());
    }
    ensure!(reply.status == 201, "analyses: {} {}", reply.status, reply.body);
    let id = reply.json()["id"].to_string();
    if number.is_multiple_of(3) {
        return Ok(());
    }
    let mut events = load.client.send("GET", &format!("/api/v1/analyses/{id}/events"), "text/plain", "")?;
    let mut some = [0; 256];
    let _ = events.read(&mut some)?;
    if number % 3 == 1 {
        let ended = load.client.send("DELETE", &format!("/api/v1/analyses/{id}"), "text/plain", "")?;
        drop(ended);
    }
    Ok(())
}

/// Sends some of the same games again.
fn import(load: &Load, number: u64) -> anyhow::Result<()> {
    let games: Vec<String> = (0..10).map(|more| game(number + more)).collect();
    let path = "/api/v1/games/draughts/records";
    let reply = load.client.post(path, "application/x-ndjson", &games.join("\n"))?;
    ensure!(matches!(reply.status, 202 | 429 | 503), "{path}: {} {}", reply.status, reply.body);
    Ok(())
}

/// One of the games that are sent.
pub(crate) fn game(number: u64) -> String {
    const LINES: [[&str; 4]; 4] = [
        ["11-15", "22-18", "15x22", "25x18"],
        ["9-13", "22-18", "12-16", "24-20"],
        ["11-15", "23-19", "8-11", "22-17"],
        ["10-15", "21-17", "9-13", "17-14"],
    ];
    let number = number % SENT as u64;
    json!({ "id": format!("soak-{number}"), "moves": pick(&LINES, number), "winner": number % 2 }).to_string()
}

/// What a page and those who watch over a server ask for.
fn read_everything(load: &Load, number: u64) -> anyhow::Result<()> {
    let game = pick(&GAMES, number);
    for path in ["/", "/healthz", "/metrics", "/api/v1/games", "/api/v1/openapi.json", "stats", "board.svg"] {
        let path =
            if path.starts_with('/') { path.to_owned() } else { format!("/api/v1/games/{game}/{path}") };
        let reply = load.client.get(&path)?;
        ensure!(matches!(reply.status, 200 | 503), "{path}: {} {}", reply.status, reply.body);
    }
    Ok(())
}

/// Clients that do what clients should not. What they get does not matter; that the server goes on does.
fn hostile(load: &Load, number: u64) -> anyhow::Result<()> {
    let mut stream = load.client.connect()?;
    let noise: Vec<u8> = (0..2000u64).map(|byte| (number.wrapping_mul(byte * byte + 7) >> 9) as u8).collect();
    let large = format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "x".repeat(60_000));
    let words: &[u8] = match number % 6 {
        0 => &noise,
        1 => b"GET /api/v1/games HTTP/1.1\r\nhost: local",
        2 => large.as_bytes(),
        3 => b"POST /api/v1/recognise HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 90000000\r\n\r\n{",
        4 => b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n",
        _ => b"GET /api/v1/games/chess/position?pos=%ff%00%f0&play=%2c%2c HTTP/1.1\r\nhost: evil.example\r\n\r\n",
    };
    let _ = stream.write_all(words);
    if number.is_multiple_of(2) {
        let _ = stream.shutdown(Shutdown::Write);
    }
    std::thread::sleep(Duration::from_millis(number % 300));
    Ok(())
}
