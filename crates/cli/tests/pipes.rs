//! Games that come through a pipe.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const GAMES: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabia"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    child.stdin.take().expect("a pipe").write_all(input).expect("written");
    child.wait_with_output().expect("its end")
}

#[test]
fn games_are_imported_from_standard_input() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ways: &[&str] = if cfg!(unix) { &["-", "/dev/stdin"] } else { &["-"] };
    for (n, way) in ways.iter().enumerate() {
        let book = folder.path().join(format!("{n}.redb"));
        let book = book.to_str().expect("a plain name");
        let out = piped(
            &["book", "import", "chess", way, "--kind", "pgn", "--book", book, "--json"],
            GAMES.as_bytes(),
        );
        let told = String::from_utf8_lossy(&out.stdout);
        assert!(
            told.starts_with(r#"{"games":1,"plies":7,"#),
            "{way}: {told}{}",
            String::from_utf8_lossy(&out.stderr)
        );
    }
}

#[test]
fn games_are_annotated_from_standard_input() {
    let arguments = ["annotate", "-", "--game", "chess", "--kind", "pgn", "--nodes", "100", "--quiet"];
    let out = piped(&arguments, GAMES.as_bytes());
    let told = String::from_utf8_lossy(&out.stdout);
    assert!(told.contains("Qxf7#"), "{told}{}", String::from_utf8_lossy(&out.stderr));
}

/// What cannot be renamed over is written to as it is.
#[cfg(unix)]
#[test]
fn a_file_can_be_a_pipe() {
    let arguments =
        ["annotate", "-", "--game", "chess", "--kind", "pgn", "--nodes", "100", "--out", "/dev/stdout"];
    let out = piped(&arguments, GAMES.as_bytes());
    let told = String::from_utf8_lossy(&out.stdout);
    assert!(told.contains("Qxf7#"), "{told}{}", String::from_utf8_lossy(&out.stderr));
}
