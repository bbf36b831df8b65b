//! `tabia serve`.

use crate::args::Common;
use crate::endings::Endings;
use crate::output;
use anyhow::Context;
use clap::Args;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use tabia_server::{Config, Limits, Token};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

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
    /// A name this server is called by, besides localhost and its address; may be given more than once
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Let everybody write to the book, though other machines can reach the server
    #[arg(long)]
    allow_writes: bool,
    /// Let only those write to the book who send what stands in this file as a bearer token
    #[arg(long, value_name = "FILE", conflicts_with = "allow_writes")]
    token_file: Option<PathBuf>,
    #[command(flatten)]
    endings: Endings,
}

impl Serve {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        log(common);
        let common = &self.endings.ready(common)?;
        let Serve { listen, book, cors, host: hosts, allow_writes, token_file, .. } = self.clone();
        let token = token_file.as_deref().map(read_token).transpose()?;
        let threads = common.threads();
        let registry = common.registry.clone();
        let limits = Limits::default();
        let config = Config { registry, listen, book, cors, hosts, allow_writes, token, threads, limits };
        tabia_server::run(config, |address| ready(common, address))?;
        Ok(())
    }
}

fn read_token(file: &Path) -> anyhow::Result<Token> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Token::new(&text).with_context(|| format!("there is no token in {}", file.display()))
}

/// The address is the one piece of data this command has.
fn ready(common: &Common, address: SocketAddr) {
    let url = format!("http://{address}/");
    let _ = if common.json { output::json(&serde_json::json!({ "url": url })) } else { output::data(&url) };
}

/// Logs go to standard error; `TABIA_LOG` sets how much, as in `debug`.
fn log(common: &Common) {
    let level = if common.quiet { LevelFilter::WARN } else { LevelFilter::INFO };
    let asked = std::env::var("TABIA_LOG").ok().filter(|asked| !asked.is_empty());
    let filter = asked.and_then(|asked| asked.parse::<Targets>().ok());
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(level));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()));
    let _ = tracing_subscriber::registry().with(lines).with(filter).try_init();
}
