//! The least HTTP that a client needs: one request for each connection.

use anyhow::Context;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Longer than any answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks one server.
#[derive(Clone)]
pub(crate) struct Client {
    address: String,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Reply {
    /// The body as JSON; `null` when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

impl Client {
    /// For a server that answers at an address such as `http://127.0.0.1:7878/`.
    pub(crate) fn new(url: &str) -> Client {
        Client { address: url.trim_start_matches("http://").trim_end_matches('/').to_owned() }
    }

    /// A connection, with nothing said yet.
    pub(crate) fn connect(&self) -> anyhow::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// Sends a request, and leaves the answer to be read or not.
    pub(crate) fn send(&self, method: &str, path: &str, kind: &str, body: &str) -> anyhow::Result<TcpStream> {
        let mut stream = self.connect()?;
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        Ok(stream)
    }

    /// Asks, and waits for the whole answer.
    pub(crate) fn get(&self, path: &str) -> anyhow::Result<Reply> {
        read(self.send("GET", path, "text/plain", "")?)
    }

    /// Sends a body, and waits for the whole answer.
    pub(crate) fn post(&self, path: &str, kind: &str, body: &str) -> anyhow::Result<Reply> {
        read(self.send("POST", path, kind, body)?)
    }
}

fn read(mut stream: TcpStream) -> anyhow::Result<Reply> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").context("an answer without an end of its head")?;
    let status = head.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    Ok(Reply { status: status.context("an answer without a status")?, body: body.to_owned() })
}
