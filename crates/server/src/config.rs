//! What the server is told when it starts, and the limits it keeps.

use crate::guard::Token;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tabia_app::Registry;

/// The port when none is asked for.
pub(crate) const DEFAULT_PORT: u16 = 7878;

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The games.
    pub registry: Registry,
    /// Where to listen; left out it is port 7878 of this machine alone, or any free port when that is taken.
    pub listen: Option<SocketAddr>,
    /// Where the statistics are; left out it is the user's own book.
    pub book: Option<String>,
    /// The one other origin whose pages may ask.
    pub cors: Option<String>,
    /// Names this server is called by, besides `localhost` and the address it listens on.
    pub hosts: Vec<String>,
    /// Whether everybody may write to the book, when other machines can reach the server.
    pub allow_writes: bool,
    /// What whoever writes to the book must know.
    pub token: Option<Token>,
    /// Threads that speak to clients; 0 for one per core.
    pub threads: usize,
    /// What clients may use.
    pub limits: Limits,
}

impl Config {
    /// The addresses to try, in order.
    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        self.listen.map_or_else(|| vec![local(DEFAULT_PORT), local(0)], |listen| vec![listen])
    }
}

/// What clients may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at the same time; more wait until one ends.
    pub connections: usize,
    /// Time for the address and headers of a request, and for a connection without one.
    pub header_time: Duration,
    /// Time a client may go without reading any of its answer.
    pub write_time: Duration,
    /// Bytes of a position or code.
    pub position_bytes: usize,
    /// Moves played from a position in one request.
    pub moves: usize,
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Time until an answer must begin.
    pub request_time: Duration,
    /// Analyses at work at the same time.
    pub analyses: usize,
    /// The longest one analysis may run.
    pub analysis_time: Duration,
    /// How long an analysis goes on without anybody listening.
    pub unheard: Duration,
    /// Solver questions and other long work at the same time.
    pub work: usize,
    /// How long such work waits for its turn.
    pub work_wait: Duration,
}

impl Limits {
    /// The part of them that the answering layer keeps.
    pub(crate) fn of_answers(&self) -> tabia_api::Limits {
        tabia_api::Limits {
            position_bytes: self.position_bytes,
            moves: self.moves,
            answer_time: self.request_time,
            answer_memory: 1 << 30,
            analyses: self.analyses,
            analysis_memory: 128 << 20,
            analysis_time: self.analysis_time,
            unheard: self.unheard,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 1024,
            header_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            position_bytes: 4096,
            moves: 2000,
            body_bytes: 8 << 20,
            request_time: Duration::from_secs(30),
            analyses: 4,
            analysis_time: Duration::from_secs(3600),
            unheard: Duration::from_secs(5),
            work: 4,
            work_wait: Duration::from_secs(2),
        }
    }
}
