//! Matches against another program: our own, through UCI, and programs that do not play.

use std::process::Command;

/// What a match against a program says: exit code, standard output, standard error.
fn contest(program: &str, games: &str) -> (Option<i32>, String, String) {
    let tabia = env!("CARGO_BIN_EXE_tabia");
    let output = Command::new(tabia)
        .args(["match", "chess", "nodes=100", program, "--games", games, "--threads", "1", "--quiet"])
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_program_that_speaks_uci_plays() {
    let tabia = env!("CARGO_BIN_EXE_tabia");
    let (code, out, err) = contest(&format!("uci:{tabia} uci?Hash=1&nodes=100"), "2");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("of 2 games"), "{out}");
}

#[test]
fn a_program_that_ends_or_plays_nonsense_is_named() {
    let (code, _, err) = contest("uci:false", "2");
    assert_eq!(code, Some(2));
    assert!(err.contains("the engine false ended"), "{err}");
    let (code, _, err) = contest("uci:no-such-engine-here", "2");
    assert_eq!(code, Some(2));
    assert!(err.contains("no-such-engine-here cannot be used"), "{err}");
}

/// An engine that knows one move.
#[cfg(unix)]
#[test]
fn an_illegal_move_ends_the_match() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let script = folder.path().join("engine.sh");
    let text = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) echo bestmove e2e5;; esac; done";
    std::fs::write(&script, text).expect("it can be written");
    let (code, _, err) = contest(&format!("uci:sh {}", script.display()), "2");
    assert_eq!(code, Some(2));
    assert!(err.contains("e2e5") && err.contains("cannot be"), "{err}");
}
