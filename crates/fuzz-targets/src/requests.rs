//! Questions: over HTTP, as pasted text, as conditions, as UCI.

use crate::{chosen, game, registry};
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tabia_api::{Api, Book, Host, Limits, Place, Request, Settings, TemporaryFile, Work};
use tabia_app::find::{FindRequest, FindSource};
use tabia_app::search::Evaluation;
use tabia_app::{Registry, Stop, Watch};

/// Nobody who would do long work: what it is asked for, not how it ends, is of interest.
struct Idle;

impl Host for Idle {
    fn spawn(&self, _: Work) {}

    fn later(&self, _: Duration, _: Work) {}

    fn place(&self) -> Option<Place> {
        None
    }

    fn file(&self, _: &[u8]) -> io::Result<TemporaryFile> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

const LIMITS: Limits = Limits {
    position_bytes: 4_000,
    moves: 200,
    answer_time: Duration::from_millis(50),
    answer_memory: 1 << 20,
    analyses: 1,
    analysis_memory: 1 << 20,
    analysis_time: Duration::from_millis(50),
    unheard: Duration::from_millis(50),
};

/// A request: lines with method, address and media type, and a body. The answer is one that clients can understand.
pub fn http(data: &[u8]) {
    static API: LazyLock<Api> = LazyLock::new(|| {
        let book = Book::missing("nobody keeps one here");
        let settings = Settings { registry: Registry::standard(), book, limits: LIMITS };
        Api::new(settings, Arc::new(Idle))
    });
    let mut parts = data.splitn(4, |byte| *byte == b'\n');
    let mut line = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (method, address, media) = (line(), line(), line());
    let body = parts.next().unwrap_or_default().to_vec();
    let request = Request { method, media, body, ..Request::get(&address) };
    let answer = API.answer(&request, &Stop::new());
    assert!((200..600).contains(&answer.status), "{}", answer.status);
    assert_ne!(answer.status, 500, "{address}");
}

/// A pasted text, in every way it can be read.
pub fn recognise(data: &[u8]) {
    let Some((number, text)) = chosen(data) else { return };
    let hint = (number % 2 == 0).then(|| game(number / 2).id());
    let _ = tabia_app::recognise(registry(), text, hint);
}

/// A condition, asked about one position of the game.
pub fn question(data: &[u8]) {
    let Some((number, text)) = chosen(data) else { return };
    let game = game(number);
    let request = FindRequest { expression: text.to_owned(), ..FindRequest::default() };
    let position = game.start().text();
    let source = FindSource::Lines(&mut position.as_bytes());
    let _ = game.finding().find(&request, source, &Watch::nobody(), &mut |_| ControlFlow::Continue(()));
}

/// What a chess program says to an engine. Large tables and long thinking are for others. Whatever was said before, a question is answered.
pub fn uci(data: &[u8]) {
    let quick = |line: &&[u8]| {
        let line = String::from_utf8_lossy(line).to_lowercase();
        !["hash", "threads", "go", "quit"].iter().any(|word| line.contains(word))
    };
    let lines: Vec<&[u8]> = data.split(|byte| *byte == b'\n').filter(quick).collect();
    let (begin, end) = (&b"setoption name Hash value 1\n"[..], &b"\ngo nodes 10\nquit\n"[..]);
    let commands = [begin, &lines.join(&b'\n'), end].concat();
    let mut heard = Vec::new();
    let input = io::Cursor::new(commands);
    let told = tabia_app::protocol::uci::run(input, &mut heard, 1, None, &Evaluation::Best);
    assert!(told.is_ok());
    assert!(String::from_utf8_lossy(&heard).contains("bestmove"), "{}", data.escape_ascii());
}
