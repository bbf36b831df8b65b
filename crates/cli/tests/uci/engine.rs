//! The program as a chess GUI has it: a process with two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// An answer that has not come by then will not come: the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1";

pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabia"))
            .args(["uci", "--threads", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Engine { child, input, lines }
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes());
    }

    pub(crate) fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    /// The first line that begins with `word`.
    pub(crate) fn hear(&self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {word} came"));
            if line.split_whitespace().next() == Some(word) {
                return line;
            }
        }
    }

    /// Everything said until the answer to `isready`.
    pub(crate) fn until_ready(&mut self) -> Vec<String> {
        self.say("isready");
        self.until("readyok")
    }

    pub(crate) fn best(&self) -> String {
        let line = self.hear("bestmove");
        line.split_whitespace().nth(1).expect("a move").to_owned()
    }

    /// The first moves of all lines told until the answer comes.
    pub(crate) fn lines_to_best(&self) -> Vec<String> {
        std::iter::from_fn(|| Some(self.lines.recv_timeout(PATIENCE).expect("bestmove")))
            .take_while(|line| !line.starts_with("bestmove"))
            .filter_map(|line| Some(line.split_once(" pv ")?.1.split(' ').next()?.to_owned()))
            .collect()
    }

    /// Everything said until a line that is `last`.
    pub(crate) fn until(&self, last: &str) -> Vec<String> {
        std::iter::from_fn(|| Some(self.lines.recv_timeout(PATIENCE).expect(last)))
            .take_while(|line| line != last)
            .collect()
    }

    /// Closes the input.
    pub(crate) fn hang_up(&mut self) {
        drop(self.input.take());
    }

    /// Closes the input, and waits for the program to end well.
    pub(crate) fn end(mut self) {
        self.hang_up();
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
