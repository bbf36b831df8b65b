//! A PostgreSQL server of the tests' own: in a temporary folder, on a free port, gone with its value.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A running server.
pub(crate) struct Server {
    folder: tempfile::TempDir,
    binaries: PathBuf,
    port: u16,
    locales: Option<String>,
}

/// How the server is started.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    Plenty,
    /// No file of it can grow beyond so many megabytes: the server's disk is full.
    Megabytes(u32),
}

impl Server {
    /// Starts a server; without PostgreSQL on the machine says so, and gives `None`.
    pub(crate) fn start(test: &str) -> Option<Server> {
        Self::start_with(test, None)
    }

    /// Starts a server that knows the locales in a folder, too.
    pub(crate) fn start_with(test: &str, locales: Option<&str>) -> Option<Server> {
        let Some(binaries) = binaries() else {
            println!("skipped: {test}: no PostgreSQL server on this machine (apt-get install postgresql)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("tabia-pg-").tempdir().expect("a temporary folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
        let server = Server { folder, binaries, port, locales: locales.map(str::to_owned) };
        own(server.folder.path());
        let cluster = ["-A", "trust", "-U", "tabia", "-E", "UTF8", "--locale=C", "--no-sync"];
        // Small files of the log, so that a limit on the size of files spares them; pages with checksums.
        server.run("initdb", &[&cluster[..], &["--wal-segsize=1", "--data-checksums"]].concat());
        server.start_up(Room::Plenty);
        Some(server)
    }

    pub(crate) fn start_up(&self, room: Room) {
        let folder = self.folder.path().display();
        let options = format!("-p {} -h 127.0.0.1 -k {folder} -c max_wal_size=4GB", self.port);
        let log = self.folder.path().join("log");
        let arguments = ["-w", "-o", &options, "-l", &log.display().to_string(), "start"];
        match room {
            Room::Plenty => self.run("pg_ctl", &arguments),
            Room::Megabytes(most) => {
                // In blocks of 512 bytes.
                let limit = format!("ulimit -f {}; exec \"$@\"", 2048 * most);
                self.run_through(&["sh", "-c", &limit, "sh"], "pg_ctl", &arguments);
            }
        }
    }

    pub(crate) fn stop(&self) {
        self.run("pg_ctl", &["-m", "fast", "-w", "stop"]);
    }

    /// Stops the server the hard way, as a power cut would, and starts it again.
    pub(crate) fn crash_and_restart(&self) {
        self.run("pg_ctl", &["-m", "immediate", "-w", "stop"]);
        self.start_up(Room::Plenty);
    }

    /// CPU time of the server with all its processes.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        let file = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap_or_default();
        let main = file.lines().next().unwrap_or_default();
        let threads = std::fs::read_to_string(format!("/proc/{main}/task/{main}/children"));
        let children = threads.unwrap_or_default();
        let parts = children.split_whitespace().map(|child| cpu_seconds(child, true));
        cpu_seconds(main, true) + parts.sum::<f64>()
    }

    /// The folder of the server's files.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        self.run_through(&[], program, arguments);
    }

    /// Runs a program of PostgreSQL by way of another, which is given its command line.
    fn run_through(&self, through: &[&str], program: &str, arguments: &[&str]) {
        let program = self.binaries.join(program);
        let mut command = match through.split_first() {
            None => as_other_user(&program),
            Some((first, rest)) => {
                let mut command = as_other_user(Path::new(first));
                command.args(rest).arg(&program);
                command
            }
        };
        command.arg("-D").arg(self.data()).args(arguments);
        command.envs(self.locales.as_ref().map(|folder| ("LOCPATH", folder)));
        let status = command.current_dir("/").stdout(Stdio::null()).status().expect("PostgreSQL's program");
        assert!(status.success(), "{}: {status}", program.display());
    }

    /// Changes a setting of the server for all sessions to come.
    pub(crate) fn set(&self, setting: &str) {
        let status = Command::new(self.binaries.join("psql"))
            .args(["-h", "127.0.0.1", "-U", "tabia", "-p", &self.port.to_string(), "-q", "-d", "postgres"])
            .args(["-c", &format!("ALTER SYSTEM SET {setting}"), "-c", "SELECT pg_reload_conf()"])
            .stdout(Stdio::null())
            .status()
            .expect("psql");
        assert!(status.success(), "{setting}: {status}");
    }

    /// The address of a database of this name, created now.
    pub(crate) fn database(&self, name: &str) -> String {
        let status = Command::new(self.binaries.join("createdb"))
            .args(["-h", "127.0.0.1", "-U", "tabia", "-p", &self.port.to_string(), name])
            .status()
            .expect("createdb");
        assert!(status.success(), "createdb: {status}");
        format!("postgres://tabia@127.0.0.1:{}/{name}", self.port)
    }
}

/// CPU time of a process, and of the children it has waited for.
pub(crate) fn cpu_seconds(process: &str, with_children: bool) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
    let children = if with_children { ticks(13) + ticks(14) } else { 0.0 };
    (ticks(11) + ticks(12) + children) / 100.0
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut command = as_other_user(&self.binaries.join("pg_ctl"));
        let _ =
            command.arg("-D").arg(self.data()).args(["-m", "immediate", "stop"]).current_dir("/").output();
    }
}

/// PostgreSQL refuses to run as root.
fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

fn as_other_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]).arg(program);
    command
}

fn own(folder: &Path) {
    if is_root() {
        let status = Command::new("chown").arg("nobody").arg(folder).status().expect("chown");
        assert!(status.success(), "chown: {status}");
    }
}

/// The folder of the newest server installed, or the one in the search path.
fn binaries() -> Option<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = installed.map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    folders.reverse();
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    folders.into_iter().find(|folder| folder.join("initdb").exists() && folder.join("pg_ctl").exists())
}
