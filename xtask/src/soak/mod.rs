//! A server under mixed load for hours: what it takes must not grow without end, and nothing may be lost or counted twice.

mod client;
mod load;
mod plot;
mod rows;

use crate::server::Server;
use crate::test::{built, target};
use anyhow::{Context, bail, ensure};
use client::Client;
use load::{Load, SENT, VISITORS};
use rows::{HEADER, Row};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// As many faults as are shown.
const SHOWN: usize = 20;

/// Keeps a server busy for some minutes. `TABIA_BIN` names another program than the one that the tests build.
pub(crate) fn run(minutes: u64) -> anyhow::Result<()> {
    let binary = match std::env::var_os("TABIA_BIN") {
        Some(path) => PathBuf::from(path),
        None => built("tabia")?,
    };
    let folder = target()?.join("soak");
    std::fs::create_dir_all(&folder)?;
    let mut server = Server::start(&binary, &folder)?;
    let load = Load {
        client: Client::new(&server.url),
        over: AtomicBool::new(false),
        times: Mutex::default(),
        faults: Mutex::default(),
    };
    let before = counted(&load.client)?;
    let rows = std::thread::scope(|scope| {
        let load = &load;
        for visitor in VISITORS {
            scope.spawn(move || load.keep(visitor));
        }
        let rows = watch(&mut server, load, minutes, &folder.join("soak.csv"));
        load.over.store(true, Ordering::Relaxed);
        rows
    })?;
    std::fs::write(folder.join("soak.svg"), plot::svg(&rows))?;
    send_all(&load.client)?;
    let faults = load.faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    ensure!(
        faults.is_empty(),
        "{} faults:\n  {}",
        faults.len(),
        faults[..faults.len().min(SHOWN)].join("\n  ")
    );
    let more = counted(&load.client)? - before;
    ensure!(more == SENT as u64, "{SENT} games were sent, each many times, and the book counts {more}");
    let grown = rows::growth(&rows);
    ensure!(grown.is_empty(), "{}", grown.join("\n"));
    println!("nothing grew; each of {SENT} games was counted once; {}", folder.join("soak.csv").display());
    Ok(())
}

/// Writes a line each minute.
fn watch(
    server: &mut Server,
    load: &Load,
    minutes: u64,
    table: &std::path::Path,
) -> anyhow::Result<Vec<Row>> {
    let (mut rows, mut file) = (Vec::new(), File::create(table)?);
    writeln!(file, "{HEADER}")?;
    println!("{HEADER}");
    for minute in 1..=minutes {
        std::thread::sleep(Duration::from_secs(60));
        if !server.is_alive() {
            bail!("the server has ended in minute {minute}");
        }
        let times = std::mem::take(&mut *load.times.lock().unwrap_or_else(PoisonError::into_inner));
        let row = Row::of(minute, server.process(), rows::yardstick(), times)?;
        writeln!(file, "{}", row.line())?;
        println!("{}", row.line());
        rows.push(row);
    }
    Ok(rows)
}

/// Games of draughts in the book.
fn counted(client: &Client) -> anyhow::Result<u64> {
    let answer = client.get("/api/v1/games/draughts/stats")?.json();
    answer["total"].as_u64().with_context(|| format!("the book has no total: {answer}"))
}

/// Sends every game once more, and waits until the last is in the book.
fn send_all(client: &Client) -> anyhow::Result<()> {
    let games: Vec<String> = (0..SENT as u64).map(load::game).collect();
    let path = "/api/v1/games/draughts/records";
    for _ in 0..60 {
        let reply = client.post(path, "application/x-ndjson", &games.join("\n"))?;
        if reply.status == 202 {
            return finished(client, &reply.json()["id"].to_string());
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    bail!("the server takes no more games")
}

fn finished(client: &Client, job: &str) -> anyhow::Result<()> {
    for _ in 0..60 {
        let answer = client.get(&format!("/api/v1/jobs/{job}"))?.json();
        if answer["status"] != "running" {
            ensure!(answer["status"] == "done", "the last import: {answer}");
            return Ok(());
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    bail!("job {job} does not end")
}
