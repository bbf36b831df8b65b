//! Every route of the HTTP API against its own description, by Schemathesis.

use crate::server::Server;
use crate::setup::has;
use crate::test::{built, command, target};
use std::path::Path;

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
