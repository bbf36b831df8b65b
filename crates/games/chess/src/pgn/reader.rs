//! Games out of tags and words: positions are set up, moves are played.

use super::scan::{Event, LONGEST_COMMENT, Listener, Scanner};
use super::words::{Written, is_number, is_plain, read_move};
use super::{Stated, result_of, result_word};
use crate::types::{Color, Move};
use crate::{Chess, State, fen};
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use tabia_core::files::GameSink;
use tabia_core::{FileError, Game, Note, Outcome, Position, RecordedGame, Variation};

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
struct Draft {
    number: u64,
    line: u64,
    tags: Vec<(String, String)>,
    start: State,
    /// The game itself and the open variations in it; empty as long as there are only tags.
    open: Vec<Line>,
    moves: Vec<Move>,
    notes: Vec<Note>,
    variations: Vec<Variation<Move>>,
    warning: Option<String>,
    error: Option<FileError>,
}

/// A line of moves that is being read.
struct Line {
    /// 0 for the game itself, n for its n-th variation; `None` where it cannot be played on.
    number: Option<usize>,
    now: State,
    /// The position after `forked` of its moves, where its last variation began. The next one begins
    /// there or later.
    fork: State,
    forked: usize,
}

impl Line {
    fn new(number: Option<usize>, start: &State) -> Self {
        Line { number, now: *start, fork: *start, forked: 0 }
    }
}

struct Games<'a, 'b> {
    sink: &'a mut GameSink<'b, Chess>,
    number: u64,
    game: Option<Draft>,
}

impl Listener for Games<'_, '_> {
    fn event(&mut self, event: Event<'_>, line: u64) -> ControlFlow<()> {
        match event {
            Event::Word(word) => return self.word(word, line),
            Event::Tag(text) => {
                if self.game.as_ref().is_some_and(|game| !game.open.is_empty()) {
                    self.end(None)?;
                }
                let game = self.draft(line);
                match tag(text) {
                    Some(tag) => game.tags.push(tag),
                    None => game.fail(line, format!("a bad tag: [{}]", decoded(text))),
                }
            }
            // What is said before or after a game belongs to none.
            Event::Comment(text) => {
                self.game.as_mut().into_iter().for_each(|game| game.comment(text, line));
            }
            Event::Open => {
                let game = self.draft(line);
                game.begin_moves(line);
                game.open_variation();
            }
            Event::Close => self.draft(line).close_variation(),
            Event::Trouble(what) => self.draft(line).fail(line, what.to_owned()),
        }
        ControlFlow::Continue(())
    }
}

impl Games<'_, '_> {
    /// The present game, begun if there is none.
    fn draft(&mut self, line: u64) -> &mut Draft {
        self.game.get_or_insert_with(|| {
            self.number += 1;
            Draft {
                number: self.number,
                line,
                tags: Vec::new(),
                start: State::start(),
                open: Vec::new(),
                moves: Vec::with_capacity(128),
                notes: Vec::new(),
                variations: Vec::new(),
                warning: None,
                error: None,
            }
        })
    }

    fn word(&mut self, word: &[u8], line: u64) -> ControlFlow<()> {
        let game = self.draft(line);
        game.begin_moves(line);
        match result_of(word) {
            // In a variation a result is a remark.
            Some(result) if game.open.len() == 1 => return self.end(Some(result)),
            Some(_) => {}
            None => game.take(word, line),
        }
        ControlFlow::Continue(())
    }

    /// Hands the present game on; `stated` is the result at its end, if it has one.
    fn end(&mut self, stated: Option<Stated>) -> ControlFlow<()> {
        let Some(mut game) = self.game.take() else { return ControlFlow::Continue(()) };
        game.begin_moves(game.line);
        if let Some(error) = game.error {
            return (self.sink)(Err(error));
        }
        let in_tag = game.tag("Result").and_then(|value| result_of(value.as_bytes()));
        let outcome = stated.or(in_tag).and_then(|Stated(outcome)| outcome);
        let warning = game.warning.take().or_else(|| game.contradiction(stated, in_tag, outcome));
        (self.sink)(Ok(RecordedGame {
            number: game.number,
            line: game.line,
            tags: game.tags,
            start: Position { rules: Chess, state: game.start },
            moves: game.moves,
            outcome,
            notes: game.notes,
            variations: game.variations,
            warning,
        }))
    }
}

impl Draft {
    fn fail(&mut self, line: u64, message: String) {
        self.error.get_or_insert(FileError { number: self.number, line, message });
    }

    fn warn(&mut self, line: u64, message: &str) {
        self.warning.get_or_insert_with(|| format!("line {line}: {message}"));
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets up the position once the tags are over.
    fn begin_moves(&mut self, line: u64) {
        if !self.open.is_empty() {
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
        self.open.push(Line::new(Some(0), &self.start));
    }

    fn open_variation(&mut self) {
        let Some(line) = self.open.last_mut() else { return };
        let inner = if let Some(of) = line.number {
            let moves = if of == 0 { &self.moves } else { &self.variations[of - 1].moves };
            // It replaces the last move.
            let after = moves.len().saturating_sub(1);
            moves[line.forked..after].iter().for_each(|&mv| line.fork.play(mv));
            line.forked = after;
            self.variations.push(Variation { of, after, moves: Vec::new(), notes: Vec::new() });
            Line::new(Some(self.variations.len()), &line.fork)
        } else {
            Line::new(None, &line.now)
        };
        self.open.push(inner);
    }

    fn close_variation(&mut self) {
        if self.open.len() > 1 {
            let number = self.open.pop().and_then(|line| line.number);
            self.forget(number);
        }
    }

    /// Takes back a variation in which nothing was said.
    fn forget(&mut self, number: Option<usize>) {
        if number == Some(self.variations.len()) {
            self.variations.pop_if(|last| last.moves.is_empty() && last.notes.is_empty());
        }
    }

    /// The moves and remarks of the line being read.
    fn current(&mut self) -> Option<(&mut Vec<Move>, &mut Vec<Note>)> {
        match self.open.last() {
            None | Some(Line { number: Some(0), .. }) => Some((&mut self.moves, &mut self.notes)),
            Some(Line { number: Some(number), .. }) => {
                self.variations.get_mut(number - 1).map(|line| (&mut line.moves, &mut line.notes))
            }
            Some(Line { number: None, .. }) => None,
        }
    }

    fn comment(&mut self, text: &[u8], line: u64) {
        if text.len() > LONGEST_COMMENT {
            self.warn(line, "the rest of a very long comment was left out");
        }
        if let Some((moves, notes)) = self.current() {
            Note::add_comment(notes, moves.len(), &decoded(text));
        }
    }

    /// A move, a number, a glyph or a sign.
    fn take(&mut self, word: &[u8], line: u64) {
        if self.error.is_some() || is_number(word) || is_plain(word) && self.play(word).is_ok() {
            return;
        }
        let Written { text, marks } = match Written::read(word) {
            Ok(written) => written,
            Err(reason) => return self.refuse(word, line, reason),
        };
        if !text.is_empty()
            && let Err(reason) = self.play(text)
        {
            return self.refuse(word, line, &reason);
        }
        if !marks.is_empty()
            && let Some((moves, notes)) = self.current()
        {
            marks.into_iter().for_each(|mark| Note::add_mark(notes, moves.len(), mark));
        }
    }

    /// Plays a move of the line being read; one that is cut short already takes anything.
    #[inline]
    fn play(&mut self, text: &[u8]) -> Result<(), String> {
        let Some(Line { number: Some(number), now, .. }) = self.open.last_mut() else { return Ok(()) };
        let mv = read_move(now, text)?;
        now.play(mv);
        match number.checked_sub(1) {
            None => self.moves.push(mv),
            Some(variation) => self.variations[variation].moves.push(mv),
        }
        Ok(())
    }

    /// A bad move spoils the game; in a variation only what follows it there.
    fn refuse(&mut self, word: &[u8], line: u64, reason: &str) {
        let variation = self.open.len() > 1;
        let Some(open) = self.open.last_mut() else { return };
        let board = open.now.board();
        let dots = if board.side_to_move() == Color::White { "." } else { "..." };
        let message = format!("move {}{dots} {}: {reason}", board.fullmove_number(), decoded(word));
        if !variation {
            self.fail(line, message);
        } else if let Some(number) = open.number.take() {
            self.forget(Some(number));
            self.warn(line, &format!("a variation is cut short at {message}"));
        }
    }

    /// What does not fit together about the result.
    fn contradiction(
        &self,
        stated: Option<Stated>,
        in_tag: Option<Stated>,
        outcome: Option<Outcome>,
    ) -> Option<String> {
        let seen = self.open.first().and_then(|line| Chess.settled(&line.now));
        match (stated, in_tag) {
            _ if seen.is_some() && outcome.is_some() && seen != outcome => {
                Some(format!("the board says {}, the file {}", result_word(seen), result_word(outcome)))
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
pub(super) fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
