//! Ctrl-C while something long is done.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn tabia(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
    command.args(arguments).args(["--book", "book.redb"]).current_dir(folder);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Starts a long command, sends it a signal once it has counted something, and waits for its end.
fn interrupt(folder: &Path, arguments: &[&str], signal: &str) -> Output {
    let mut command = tabia(folder, arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let book = folder.join("book.redb");
    // An empty book is small; games of a second make it grow.
    let began = Instant::now();
    let large = || std::fs::metadata(&book).is_ok_and(|m| m.len() > 1 << 21);
    while !large() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
    assert!(sent.expect("the program kill").success());
    child.wait_with_output().expect("its end")
}

#[test]
fn what_was_counted_stays_and_the_rest_can_follow() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let selfplay = ["book", "selfplay", "draughts", "--games", "2000000", "--player", "random"];
    let out = interrupt(folder.path(), &selfplay, "-INT");
    assert_eq!(out.status.code(), Some(130), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("the same command goes on from there"), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("games played"), "{}", text(&out.stdout));
    let verified = tabia(folder.path(), &["book", "verify"]).output().expect("an answer");
    assert!(verified.status.success() && text(&verified.stdout).contains("sound"), "{verified:?}");
}

/// Whether a process has a handler for Ctrl-C yet.
#[cfg(target_os = "linux")]
fn listens(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
}

#[test]
#[cfg(target_os = "linux")]
fn long_commands_end_in_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("tables").display().to_string();
    let commands: [&[&str]; 5] = [
        &["perft", "chess", "30"],
        &["enumerate", "chess", "--memory", "1000G"],
        &["playout", "arx", "--seconds", "1000"],
        &["solve", "chess", "--method", "proof", "--time", "1000s"],
        &["tablebase", "build", "arx", "--pieces", "4", "--out", &table, "--memory", "1000G"],
    ];
    for arguments in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
        let command = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("started");
        let began = Instant::now();
        while !listens(child.id()) && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let sent = Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
        assert!(sent.expect("the program kill").success());
        let out = child.wait_with_output().expect("its end");
        assert_eq!(out.status.code(), Some(130), "{arguments:?}: {}", text(&out.stderr));
        assert!(text(&out.stderr).contains("stopped"), "{arguments:?}: {}", text(&out.stderr));
        if arguments[0] == "enumerate" {
            assert!(text(&out.stdout).contains("not all: stopped"), "{}", text(&out.stdout));
        }
    }
}
