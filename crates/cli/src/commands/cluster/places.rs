//! Where the processes of a cluster are, and starting them all here.

use anyhow::{Context, bail};
use clap::Args;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
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
    others: Vec<(usize, Child)>,
    /// Gone with the processes that read it.
    _list: Option<tempfile::NamedTempFile>,
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
        for (number, child) in &mut self.others {
            let status = child.wait().with_context(|| format!("process {number}"))?;
            if !status.success() {
                bail!("process {number} ended with {status}");
            }
        }
        self.others.clear();
        Ok(())
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        // After a failure: they have noticed, too, or are not wanted any more.
        for (_, child) in &mut self.others {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
