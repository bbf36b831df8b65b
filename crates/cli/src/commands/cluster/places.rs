//! Where the processes of a cluster are, and starting them all here.

use anyhow::{Context, bail};
use clap::Args;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tabia_app::cluster::{Cluster, Hosts};

/// Where the work is done.
#[derive(Args, Debug)]
pub(super) struct Places {
    /// The processes, an address (host:port) a line; the same list on every machine
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with = "processes")]
    hosts: Option<PathBuf>,
    /// Which line of the list this process is, from 0
    #[arg(long, value_name = "N", requires = "hosts")]
    process: Option<usize>,
    /// Start so many processes on this machine instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    processes: Option<u16>,
    /// Workers of each process
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// How long another process may be silent before all end
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = crate::commands::search::duration)]
    timeout: Duration,
    /// Answer GET /metrics at this address (Prometheus)
    #[arg(long, value_name = "ADDRESS")]
    pub(super) metrics: Option<String>,
}

/// This process among the others, and those it has started.
pub(super) struct Here {
    pub(super) cluster: Cluster,
    others: Others,
    /// Gone with the processes that read it.
    _list: Option<tempfile::NamedTempFile>,
}

/// The processes that were started here, by their numbers.
type Others = Arc<Mutex<Vec<(usize, Child)>>>;

/// How often it is looked whether they are still there.
const LOOK: Duration = Duration::from_millis(100);
/// Who was connected with one that is gone says so within this time, and ends everything.
const CONNECTED: Duration = Duration::from_secs(2);

/// Ends everything when one of the others ends with an error. One that never came to be connected would be waited for
/// until the time is over.
fn watch(others: &Others) {
    let others = Arc::downgrade(others);
    std::thread::spawn(move || {
        while let Some(others) = others.upgrade() {
            let gone = unpoisoned(&others).iter_mut().find_map(|(number, child)| {
                let status = child.try_wait().ok().flatten().filter(|status| !status.success())?;
                Some((*number, status))
            });
            if let Some((number, status)) = gone {
                std::thread::sleep(CONNECTED);
                end_all(&others);
                eprintln!("error: process {number} ended with {status}");
                std::process::exit(2);
            }
            drop(others);
            std::thread::sleep(LOOK);
        }
    });
}

fn end_all(others: &Others) {
    for (_, mut child) in unpoisoned(others).drain(..) {
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Places {
    /// Starts the other processes where that is asked for.
    pub(super) fn begin(&self) -> anyhow::Result<Here> {
        let hosts = match &self.hosts {
            Some(path) => Hosts::read(path)?,
            None => Hosts::here(usize::from(self.processes.unwrap_or(1)))?,
        };
        let process = self.process.unwrap_or(0);
        let (mut others, mut list) = (Vec::new(), None);
        if self.hosts.is_none() && hosts.len() > 1 {
            let mut file = tempfile::NamedTempFile::new().context("a list of hosts")?;
            file.write_all(hosts.to_text().as_bytes()).context("a list of hosts")?;
            for number in 1..hosts.len() {
                others.push((number, start(file.path(), number)?));
            }
            list = Some(file);
        }
        let (workers, timeout) = (usize::from(self.workers), self.timeout);
        let others = Arc::new(Mutex::new(others));
        watch(&others);
        Ok(Here { cluster: Cluster { hosts, process, workers, timeout }, others, _list: list })
    }
}

/// This command again, as another process of the list.
fn start(list: &std::path::Path, number: usize) -> anyhow::Result<Child> {
    let mut words: Vec<OsString> = Vec::new();
    let mut typed = std::env::args_os().skip(1);
    while let Some(word) = typed.next() {
        let text = word.to_string_lossy().into_owned();
        match text.as_str() {
            // One answer is enough, and one place for figures.
            "--processes" | "--metrics" => drop(typed.next()),
            "--quiet" | "-q" => (),
            _ if text.starts_with("--processes=") || text.starts_with("--metrics=") => (),
            _ => words.push(word),
        }
    }
    let program = std::env::current_exe().context("the program itself")?;
    Command::new(program)
        .args(words)
        .args(["--quiet", "--process", &number.to_string(), "--hosts"])
        .arg(list)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("process {number}"))
}

impl Here {
    /// Waits for the processes that were started.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        // Taken out: from here on nobody watches them but this.
        let mut others = std::mem::take(&mut *unpoisoned(&self.others));
        let failed = others.iter_mut().find_map(|(number, child)| match child.wait() {
            Ok(status) if status.success() => None,
            Ok(status) => Some(format!("process {number} ended with {status}")),
            Err(error) => Some(format!("process {number}: {error}")),
        });
        *unpoisoned(&self.others) = others;
        failed.map_or(Ok(()), |why| bail!(why))
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        // After a failure: they have noticed, too, or are not wanted any more.
        end_all(&self.others);
    }
}
