//! Sessions in a real pseudo-terminal: keys go in, and a terminal in memory shows what comes out.
#![cfg(all(unix, feature = "terminal"))]

use portable_pty::{Child, CommandBuilder, ExitStatus, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);

struct Session {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    shown: Receiver<Vec<u8>>,
    terminal: vt100::Parser,
    // The terminal is there as long as this is.
    _master: Box<dyn portable_pty::MasterPty + Send>,
    home: tempfile::TempDir,
}

impl Session {
    fn new(program: &Path, arguments: &[&str], (width, height): (u16, u16)) -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let size = PtySize { rows: height, cols: width, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        for (name, value) in [("TERM", "xterm-256color"), ("COLORTERM", "truecolor")] {
            command.env(name, value);
        }
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            command.env(name, home.path());
        }
        command.env_remove("NO_COLOR");
        command.env("RUST_BACKTRACE", "0");
        command.cwd(home.path());
        let child = pair.slave.spawn_command(command).expect("it starts");
        let mut reader = pair.master.try_clone_reader().expect("an end to read from");
        let keys = pair.master.take_writer().expect("an end to write to");
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let _ = sender.send(bytes[..count].to_vec());
            }
        });
        let terminal = vt100::Parser::new(height, width, 0);
        Session { child, keys, shown, terminal, _master: pair.master, home }
    }

    fn tabia(arguments: &[&str]) -> Self {
        Self::new(Path::new(env!("CARGO_BIN_EXE_tabia")), arguments, (100, 30))
    }

    fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it listens");
        self.keys.flush().expect("it listens");
    }

    fn screen(&self) -> String {
        self.terminal.screen().contents()
    }

    /// Waits until a text is on the screen.
    fn wait_for(&mut self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Waits until this is being typed at the prompt. Keys that come before the prompt can be lost.
    fn wait_at_prompt(&mut self, typed: &str) {
        let line = format!("\n> {typed}");
        self.wait_until(&line, |screen| screen.trim_end().ends_with(line.trim_end()));
    }

    fn wait_until(&mut self, text: &str, there: impl Fn(&str) -> bool) {
        let began = Instant::now();
        while !there(&self.screen()) {
            assert!(began.elapsed() < PATIENCE, "{text} did not appear:\n{}", self.screen());
            if let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(50)) {
                self.terminal.process(&bytes);
            }
        }
    }

    /// Waits for the end, and looks whether the terminal is as it was.
    fn end(mut self) -> (ExitStatus, String) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "it did not end:\n{}", self.screen());
            while let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(20)) {
                self.terminal.process(&bytes);
            }
        };
        while let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(200)) {
            self.terminal.process(&bytes);
        }
        let screen = self.terminal.screen();
        assert!(!screen.alternate_screen(), "the screen was not given back");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "pastes are still marked");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is still caught");
        (status, screen.contents())
    }
}

#[test]
fn a_session_of_every_game() {
    for (game, name, mv, after) in [
        ("five", "5-Visible", "6-5", "Player 1 to move"),
        ("arx", "Arx", "c2+b3", "Black to move"),
        ("solitaire", "Peg solitaire", "d2", "after d2-d4"),
        ("draughts", "English draughts", "11-15", "White to move"),
        ("chess", "Chess", "Nf", "Black to move"),
    ] {
        let mut session = Session::tabia(&["tui", game]);
        session.wait_for(name);
        session.send("m");
        session.wait_for("Type a move");
        session.send(mv);
        session.send("\r");
        session.wait_for(after);
        // Every tab, the help, back and forward, a turned board, a click, the wheel.
        let rules = tabia_app::Registry::standard().find(game).expect("a game").view().rules;
        let begin: String = rules.chars().take(12).collect();
        for (keys, shown) in [("5", begin.as_str()), ("4", "0x"), ("?", "start and end of the line")] {
            session.send(keys);
            session.wait_for(shown);
        }
        session.send("\x1bf\x1b[D\x1b[C\x1b[<65;5;5M\x1b[<0;5;5M\x1b[<0;5;5m");
        session.wait_for("after ");
        session.send("q");
        let (status, _) = session.end();
        assert!(status.success(), "{game}: {status:?}");
    }
}

#[test]
fn a_pasted_game_is_opened() {
    let mut session = Session::tabia(&["tui", "draughts"]);
    session.wait_for("English draughts");
    session.send("\x1b[200~1. e4 e5 2. Nf3 Nc6 *\x1b[201~");
    session.wait_for("2. Nf3 Nc6");
    session.send("\x03");
    assert!(session.end().0.success(), "Ctrl-C leaves");
}

#[test]
fn a_signal_leaves_the_terminal_clean() {
    let mut session = Session::tabia(&["tui", "chess"]);
    session.wait_for("White to move");
    let process = session.child.process_id().expect("a number").to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &process]).status().expect("kill").success());
    assert_eq!(session.end().0.exit_code(), 130);
}

/// Run by the test below, in a terminal of its own.
#[test]
#[ignore = "it panics on purpose"]
fn panicking() {
    let _ = tabia_tui::on_screen(|_| panic!("on purpose"));
}

#[test]
fn a_panic_leaves_the_terminal_clean() {
    let program = std::env::current_exe().expect("this test");
    let arguments = ["--ignored", "--exact", "panicking", "--nocapture"];
    let (status, shown) = Session::new(&program, &arguments, (100, 30)).end();
    assert!(!status.success());
    assert!(shown.contains("on purpose"), "the reason can be read: {shown}");
}

#[test]
fn games_are_played_with_completion_and_history() {
    let mut session = Session::tabia(&["play", "chess", "--versus", "depth=1"]);
    session.wait_at_prompt("");
    session.send("Nf\t");
    session.wait_at_prompt("Nf3");
    session.send("\r");
    session.wait_for("Black plays");
    session.wait_at_prompt("");
    assert!(!session.screen().contains("packed"), "no codes unless asked: {}", session.screen());
    session.send("z9\r");
    session.wait_for("error");
    session.wait_at_prompt("");
    session.send("Na\r");
    session.wait_for("White plays Na3");
    session.wait_at_prompt("");
    session.send("codes\r");
    session.wait_for("canonical");
    session.wait_at_prompt("");
    // The history has what was typed.
    session.send("\x1b[A");
    session.wait_at_prompt("codes");
    session.send("\x03");
    let kept = session.home.path().join("tabia").join("typed.txt");
    let home = std::mem::replace(&mut session.home, tempfile::tempdir().expect("a temporary folder"));
    assert_eq!(session.end().0.exit_code(), 130);
    let typed = std::fs::read_to_string(&kept).expect("kept for the next game");
    assert!(typed.contains("Nf3") && typed.contains("codes"), "{typed}");
    drop(home);
}

#[test]
fn boards_have_colours_on_a_terminal_and_none_in_a_pipe() {
    let session = Session::tabia(&["show", "draughts"]);
    let (status, shown) = session.end();
    assert!(status.success() && shown.contains("32 ●"), "{shown}");
    let piped = std::process::Command::new(env!("CARGO_BIN_EXE_tabia")).args(["show", "draughts"]).output();
    assert!(!piped.expect("an answer").stdout.contains(&0x1b));
}

#[test]
fn without_a_terminal_it_says_so() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_tabia")).args(["tui", "chess"]).output();
    let out = out.expect("an answer");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("needs a terminal"));
}
