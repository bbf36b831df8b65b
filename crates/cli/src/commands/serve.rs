//! `tabia serve`.

use crate::args::Common;
use crate::output;
use clap::Args;
use std::net::SocketAddr;
use tabia_server::Config;

/// Serves the HTTP API and the page.
#[derive(Args, Clone, Debug)]
pub(crate) struct Serve {
    /// Where to listen [default: port 7878 of this machine, or any free one when that is taken]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Statistics: a file, folder or address [default: the book in your data folder]
    #[arg(long, value_name = "PATH or URL")]
    book: Option<String>,
    /// Another origin whose pages may ask
    #[arg(long, value_name = "ORIGIN")]
    cors: Option<String>,
}

impl Serve {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        log(common);
        let Serve { listen, book, cors } = self.clone();
        let config = Config { listen, book, cors, threads: common.threads(), ..Config::default() };
        tabia_server::run(config, |address| ready(common, address))?;
        Ok(())
    }
}

/// The address is the one piece of data this command has.
fn ready(common: &Common, address: SocketAddr) {
    let url = format!("http://{address}/");
    let _ = if common.json { output::json(&serde_json::json!({ "url": url })) } else { output::data(&url) };
}

/// Logs go to standard error; `TABIA_LOG` sets how much, as in `debug`.
fn log(common: &Common) {
    let level = if common.quiet { "warn" } else { "info" };
    let filter = tracing_subscriber::EnvFilter::try_from_env("TABIA_LOG");
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let logs = logs.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()));
    let _ = logs.try_init();
}
