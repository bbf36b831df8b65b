//! Every route of the HTTP API against its own description, by Schemathesis.

use crate::setup::has;
use crate::test::{built, command, target};
use anyhow::Context;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const SCHEMATHESIS: &str = "schemathesis==4.32.5";
const SETTINGS: &str = "xtask/schemathesis.toml";

/// Starts a server and lets Schemathesis ask it; what is missing is installed or named.
pub(crate) fn test(skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let folder = target()?.join("schemathesis");
    let program = folder.join("bin/schemathesis");
    if let Err(error) = install(&folder, &program) {
        skipped.push(format!("the HTTP API by Schemathesis (it could not be installed: {error})"));
        return Ok(());
    }
    let server = Server::start(&built("tabia")?, &folder)?;
    let description = format!("{}api/v1/openapi.json", server.url);
    let settings = std::path::absolute(SETTINGS)?;
    let arguments = ["--config-file", &settings.to_string_lossy(), "run", &description];
    // It leaves its notes where it runs.
    command(&program.to_string_lossy(), &arguments, |command| {
        command.current_dir(&folder);
    })
}

/// A virtual environment of its own, kept for the next time.
fn install(folder: &Path, program: &Path) -> anyhow::Result<()> {
    let stamp = folder.join(SCHEMATHESIS);
    if stamp.is_file() && program.is_file() {
        return Ok(());
    }
    anyhow::ensure!(has("python3"), "python3 is missing");
    let folder = folder.to_string_lossy();
    command("python3", &["-m", "venv", &folder], |_| {})?;
    let pip = format!("{folder}/bin/pip");
    command(&pip, &["install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS], |_| {})?;
    Ok(std::fs::write(stamp, "")?)
}

/// A server with a book of its own, which ends with this.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(binary: &Path, folder: &Path) -> anyhow::Result<Self> {
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
