//! `tabia cluster` with processes on this machine: the answers of one.

use std::path::Path;
use std::process::{Command, Output};

fn tabia(folder: &Path, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_tabia");
    Command::new(program).args(words).current_dir(folder).output().expect("the program")
}

/// What comes with `--json`, less what it took.
fn answer(folder: &Path, words: &[&str]) -> serde_json::Value {
    let output = tabia(folder, &[words, &["--json", "--quiet"]].concat());
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let mut value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for name in ["seconds", "cpu_seconds", "peak_bytes", "plies_per_second"] {
        value.as_object_mut().expect("an object").remove(name);
    }
    value
}

#[test]
fn two_processes_answer_as_one_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let wanted = answer(here, &["enumerate", "draughts", "--depth", "5"]);
    let found = answer(here, &["cluster", "enumerate", "draughts", "--depth", "5", "--processes", "2"]);
    assert_eq!(found, wanted);

    answer(here, &["tablebase", "build", "five-visible", "--out", "one.tbl"]);
    let options = ["--out", "many.tbl", "--processes", "2", "--workers", "2", "--folder", "work"];
    answer(here, &[&["cluster", "solve", "five-visible"][..], &options].concat());
    assert!(
        std::fs::read(here.join("one.tbl")).expect("a table")
            == std::fs::read(here.join("many.tbl")).expect("a table")
    );

    let digests = |path: &str| tabia(here, &["tablebase", "digest", path]).stdout;
    for (one, many, more) in [("one", "many", &[][..]), ("who", "who-many", &["--outcome-only"])] {
        let local = ["tablebase", "build", "draughts", "--pieces", "2", "--out", one];
        let cluster =
            ["cluster", "tablebase", "draughts", "--pieces", "2", "--out", many, "--processes", "2"];
        let wanted = answer(here, &[&local[..], more].concat());
        assert_eq!(answer(here, &[&cluster[..], more].concat()), wanted);
        assert!(!digests(one).is_empty());
        assert_eq!(digests(many), digests(one));
    }
}

#[test]
fn a_book_of_runs_is_served_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let game = r#"{"moves": ["11-15", "23-19", "8-11"], "winner": 0}"#;
    std::fs::write(here.join("games.jsonl"), format!("{game}\n")).expect("a file");
    let import = ["cluster", "book", "draughts", "games.jsonl", "--out", "runs", "--processes", "2"];
    assert_eq!(answer(here, &import)["games"], 1);
    let again = answer(here, &import);
    assert_eq!((&again["games"], &again["known"]), (&0.into(), &1.into()));
    let output = tabia(here, &["book", "query", "draughts", "--book", "runs"]);
    assert!(
        output.status.success() && String::from_utf8_lossy(&output.stdout).contains("11-15"),
        "{output:?}"
    );
}

#[test]
fn what_cannot_work_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::write(here.join("hosts"), "127.0.0.1:7000\nsomewhere\n").expect("a file");
    for (words, message) in [
        (
            &["cluster", "enumerate", "draughts", "--hosts", "hosts", "--process", "0"][..],
            "line 2: expected host:port",
        ),
        (&["cluster", "enumerate", "draughts", "--hosts", "none", "--process", "0"], "none"),
        (&["cluster", "enumerate", "draughts", "--hosts", "hosts"], "--process"),
        (&["cluster", "enumerate", "draughts", "--memory", "64M"], "--folder"),
        (&["cluster", "tablebase", "five-visible", "--pieces", "2", "--out", "x"], "no numbered endings"),
        (&["cluster", "enumerate", "five-visible", "--symmetry", "off"], "images"),
        (&["book", "citus-init", "--book", "book.redb"], "no PostgreSQL book"),
    ] {
        let output = tabia(here, words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(message), "{words:?}: {said}");
    }
}

/// A process that dies before it is connected is noticed at once, and not when the time is over.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_dies_at_once_ends_all() {
    let program = env!("CARGO_BIN_EXE_tabia");
    let words = ["cluster", "enumerate", "draughts", "--depth", "30", "--processes", "3", "--timeout", "1h"];
    let first = Command::new(program)
        .args(words)
        .arg("--quiet")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program");
    let children = format!("/proc/{0}/task/{0}/children", first.id());
    let victim = loop {
        let listed = std::fs::read_to_string(&children).expect("a list of processes");
        if let Some(number) = listed.split_whitespace().next() {
            break number.to_owned();
        }
        std::thread::yield_now();
    };
    assert!(Command::new("kill").args(["-9", &victim]).status().expect("kill").success());
    let output = first.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("process 1"), "{said}");
}
