//! A server of one's own to ask questions of.

use crate::test::command;
use anyhow::Context;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server with a book of its own, which ends with this.
pub(crate) struct Server {
    child: Child,
    /// Where it answers, with a slash at the end.
    pub(crate) url: String,
}

impl Server {
    /// Starts a server on a free port. Its book is new, and has twenty games of each kind.
    pub(crate) fn start(binary: &Path, folder: &Path) -> anyhow::Result<Self> {
        let book = folder.join("book.redb");
        let _ = std::fs::remove_file(&book);
        fill(binary, &book)?;
        let mut command = Command::new(binary);
        command.args(["serve", "--quiet", "--listen", "127.0.0.1:0", "--book"]).arg(&book);
        let mut child = command.stdout(Stdio::piped()).spawn().context("the server cannot be started")?;
        let mut url = String::new();
        let output = child.stdout.take().context("the server has no output")?;
        BufReader::new(output).read_line(&mut url)?;
        Ok(Server { child, url: url.trim().to_owned() })
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has not ended by itself.
    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

/// Some games of each kind, so that there are statistics to ask for.
fn fill(binary: &Path, book: &Path) -> anyhow::Result<()> {
    for game in ["five-visible", "arx", "solitaire", "draughts", "chess"] {
        let selfplay = ["book", "selfplay", game, "--quiet", "--games", "20", "--player", "random"];
        command(&binary.to_string_lossy(), &selfplay, |command| {
            command.arg("--book").arg(book).stdout(Stdio::null());
        })?;
    }
    Ok(())
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
