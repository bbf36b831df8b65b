//! What a server that other machines can reach says when it starts.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// Starts a server, waits until it answers, ends it, and returns what it said.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
    command.args(["serve", "--quiet", "--book", "book.redb"]).args(arguments).current_dir(folder);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let mut url = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut url).expect("an address");
    let _ = Command::new("kill").arg(child.id().to_string()).status();
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    child.wait().expect("its end");
    said
}

#[test]
fn who_may_write_is_said_at_the_start() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("token"), "secret\n").expect("written");
    let everywhere = ["--listen", "0.0.0.0:0"];
    for (more, words) in [
        (&[] as &[&str], "nobody may write"),
        (&["--allow-writes"], "everybody who can reach this server may write"),
        (&["--token-file", "token"], "whoever has the token may write"),
    ] {
        let text = said(folder.path(), &[&everywhere, more].concat());
        assert!(text.contains(words), "{more:?}: {text}");
        assert!(!text.contains("secret"), "{text}");
    }
    assert_eq!(said(folder.path(), &["--listen", "127.0.0.1:0"]), "");
}

#[test]
fn an_empty_token_is_no_token() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("token"), "\n").expect("written");
    let text = said(folder.path(), &["--listen", "0.0.0.0:0", "--token-file", "token"]);
    assert!(text.contains("there is no token in token"), "{text}");
}
