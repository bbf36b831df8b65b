//! Games out of tags and words: positions are set up, moves are played.

use super::scan::{Event, Listener, Scanner};
use super::{Stated, result_of, result_word};
use crate::san::San;
use crate::types::{Color, Move};
use crate::{Chess, State, fen, uci};
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use tabia_core::files::GameSink;
use tabia_core::{FileError, Game, Outcome, Position, RecordedGame};

/// Reads all games of a file.
pub(super) fn read(input: &mut dyn BufRead, sink: &mut GameSink<'_, Chess>) -> io::Result<()> {
    let mut scanner = Scanner::new();
    let mut games = Games { sink, number: 0, game: None };
    let mut first = true;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let length = bytes.len();
        let text = if std::mem::take(&mut first) { without_mark(bytes) } else { bytes };
        if scanner.feed(text, &mut games).is_break() {
            return Ok(());
        }
        input.consume(length);
        if length == 0 {
            break;
        }
    }
    // Whether the sink wants more does not matter any more.
    let _ = scanner.finish(&mut games).is_continue() && games.end(None).is_continue();
    Ok(())
}

/// The bytes without the mark that some programs put before UTF-8.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// The game being read.
struct Open {
    number: u64,
    line: u64,
    tags: Vec<(String, String)>,
    /// The position now; `None` as long as there are only tags.
    now: Option<State>,
    start: State,
    moves: Vec<Move>,
    warning: Option<String>,
    error: Option<FileError>,
}

struct Games<'a, 'b> {
    sink: &'a mut GameSink<'b, Chess>,
    number: u64,
    game: Option<Open>,
}

impl Listener for Games<'_, '_> {
    fn event(&mut self, event: Event<'_>, line: u64) -> ControlFlow<()> {
        match event {
            Event::Word(word) => return self.word(word, line),
            Event::Tag(text) => {
                if self.game.as_ref().is_some_and(|game| game.now.is_some()) {
                    self.end(None)?;
                }
                let game = self.open(line);
                match tag(text) {
                    Some(tag) => game.tags.push(tag),
                    None => game.fail(line, format!("a bad tag: [{}]", decoded(text))),
                }
            }
            Event::Trouble(what) => self.open(line).fail(line, what.to_owned()),
        }
        ControlFlow::Continue(())
    }
}

impl Games<'_, '_> {
    /// The present game, begun if there is none.
    fn open(&mut self, line: u64) -> &mut Open {
        self.game.get_or_insert_with(|| {
            self.number += 1;
            Open {
                number: self.number,
                line,
                tags: Vec::new(),
                now: None,
                start: State::start(),
                moves: Vec::with_capacity(128),
                warning: None,
                error: None,
            }
        })
    }

    fn word(&mut self, word: &[u8], line: u64) -> ControlFlow<()> {
        let game = self.open(line);
        game.begin_moves(line);
        if let Some(result) = result_of(word) {
            return self.end(Some(result));
        }
        game.play(word, line);
        ControlFlow::Continue(())
    }

    /// Hands the present game on; `stated` is the result at its end, if it has one.
    fn end(&mut self, stated: Option<Stated>) -> ControlFlow<()> {
        let Some(mut game) = self.game.take() else { return ControlFlow::Continue(()) };
        game.begin_moves(game.line);
        if let Some(error) = game.error {
            return (self.sink)(Err(error));
        }
        let in_tag =
            game.tags.iter().find(|(name, _)| name == "Result").and_then(|(_, v)| result_of(v.as_bytes()));
        let outcome = stated.or(in_tag).and_then(|Stated(outcome)| outcome);
        let warning = game.warning.take().or_else(|| game.contradiction(stated, in_tag, outcome));
        (self.sink)(Ok(RecordedGame {
            number: game.number,
            line: game.line,
            tags: game.tags,
            start: Position { rules: Chess, state: game.start },
            moves: game.moves,
            outcome,
            warning,
        }))
    }
}

impl Open {
    fn fail(&mut self, line: u64, message: String) {
        self.error.get_or_insert(FileError { number: self.number, line, message });
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets up the position once the tags are over.
    fn begin_moves(&mut self, line: u64) {
        if self.now.is_some() {
            return;
        }
        if let Some(variant) = self.tag("Variant").filter(|variant| !is_chess(variant)) {
            let message = format!("the variant {variant:?} is not played here");
            self.fail(line, message);
        }
        if let Some(text) = self.tag("FEN") {
            match fen::parse(text) {
                Ok(state) => self.start = state,
                Err(error) => {
                    let message = format!("the FEN tag {text:?}: {error}");
                    self.fail(line, message);
                }
            }
        }
        self.now = Some(self.start.clone());
    }

    fn play(&mut self, word: &[u8], line: u64) {
        let Some(now) = &mut self.now else { return };
        if self.error.is_some() || is_decoration(word) {
            return;
        }
        match read_move(now, word) {
            Ok(mv) => {
                now.play(mv);
                self.moves.push(mv);
            }
            Err(reason) => {
                let dots = if now.board().side_to_move() == Color::White { "." } else { "..." };
                let count = now.board().fullmove_number();
                let message = format!("move {count}{dots} {}: {reason}", decoded(word));
                self.fail(line, message);
            }
        }
    }

    /// What does not fit together about the result.
    fn contradiction(
        &self,
        stated: Option<Stated>,
        in_tag: Option<Stated>,
        outcome: Option<Outcome>,
    ) -> Option<String> {
        let on_board = self.now.as_ref().and_then(|now| Chess.settled(now));
        match (stated, in_tag) {
            _ if on_board.is_some() && outcome.is_some() && on_board != outcome => {
                Some(format!("the board says {}, the file {}", result_word(on_board), result_word(outcome)))
            }
            (Some(Stated(stated)), Some(Stated(in_tag))) if stated != in_tag => Some(format!(
                "the moves end with {}, the tag says {}",
                result_word(stated),
                result_word(in_tag)
            )),
            _ => None,
        }
    }
}

fn is_chess(variant: &str) -> bool {
    let name: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    let known = ["standard", "chess", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom"];
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Move numbers, glyphs and signs: words that are no moves.
fn is_decoration(word: &[u8]) -> bool {
    let sign = |&b: &u8| matches!(b, b'!' | b'?' | b'=' | b'+' | b'/' | b'\\' | b'-' | b'~' | b'#' | b'.');
    match word {
        [b'$', ..] | b"e.p." | b"ep" | b"N" | b"D" => true,
        _ => word.iter().all(u8::is_ascii_digit) || word.iter().all(sign),
    }
}

fn read_move(state: &State, word: &[u8]) -> Result<Move, String> {
    let board = state.board();
    match San::read(word) {
        Ok(san) => match (san.resolve(board), uci::read(board, word)) {
            (Ok(mv), _) => Ok(mv),
            (Err(_), Some(mv)) if board.is_legal(mv) => Ok(mv),
            (Err(error), _) => Err(error.message),
        },
        Err(_) => Err("not a move".to_owned()),
    }
}

/// Name and value of a tag.
fn tag(text: &[u8]) -> Option<(String, String)> {
    let text = text.trim_ascii();
    let quote = text.iter().position(|&byte| byte == b'"')?;
    let name = text[..quote].trim_ascii();
    let value = text[quote + 1..].strip_suffix(b"\"")?;
    let word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'#' | b'=' | b':');
    if name.is_empty() || !name.iter().all(word) {
        return None;
    }
    Some((decoded(name), unescaped(&decoded(value))))
}

fn unescaped(value: &str) -> String {
    if !value.contains('\\') {
        return value.to_owned();
    }
    let mut chars = value.chars();
    let mut plain = String::with_capacity(value.len());
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    plain
}

/// UTF-8, or Latin-1 where it is not.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
