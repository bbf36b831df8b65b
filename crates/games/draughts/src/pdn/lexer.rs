//! Bytes to words: constant memory, whatever the file holds.

use std::io::{self, BufRead};
use tabia_core::files::take_mark;

/// A longer word is no move, and a longer tag is damage.
const LONGEST_WORD: usize = 64;
const LONGEST_TAG: usize = 4096;
/// Of a longer comment the rest is left out; one byte more shows that there was more.
pub(super) const LONGEST_COMMENT: usize = 1 << 16;

/// How games begin, also after a comment that nobody closed.
const GAME_BEGINS: &[u8] = b"[Event \"";

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// A move, a result, or something that should have been one.
    Word(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// What stands in braces or after a semicolon.
    Comment(String),
    /// A numeric glyph, or the sign that stands for one.
    Mark(u8),
    /// Something that cannot be read; the next token is sound again.
    Damage(String),
    /// A comment that begins in this line is not closed.
    Unclosed(u64),
    /// The end of the file.
    End,
}

/// Splits a file into tokens and counts its lines. Move numbers are left out.
pub(super) struct Lexer<'a> {
    input: &'a mut dyn BufRead,
    buffer: Vec<u8>,
    position: usize,
    filled: usize,
    /// The line of the next byte, from 1.
    line: u64,
    at_line_start: bool,
    /// The first byte not of the file but of its mark of byte order has been dealt with.
    started: bool,
    waiting: Option<Token>,
    error: Option<io::Error>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(input: &'a mut dyn BufRead) -> Self {
        let buffer = vec![0; 1 << 16];
        Lexer {
            input,
            buffer,
            position: 0,
            filled: 0,
            line: 1,
            at_line_start: true,
            started: false,
            waiting: None,
            error: None,
        }
    }

    /// The line of the next byte, from 1.
    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    /// The trouble with the file itself that ended it early.
    pub(super) fn into_result(self) -> io::Result<()> {
        self.error.map_or(Ok(()), Err)
    }

    fn peek(&mut self) -> Option<u8> {
        if self.position == self.filled {
            self.refill();
        }
        self.buffer[..self.filled].get(self.position).copied()
    }

    fn refill(&mut self) {
        (self.position, self.filled) = (0, 0);
        while self.error.is_none() {
            match self.input.read(&mut self.buffer) {
                Ok(filled) => {
                    self.filled = filled;
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.error = Some(error),
            }
        }
        if !self.started {
            self.started = true;
            // A byte order mark is no text.
            self.position = if self.buffer[..self.filled].starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        }
    }

    fn next_byte(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.position += 1;
        self.at_line_start = byte == b'\n';
        self.line += u64::from(self.at_line_start);
        Some(byte)
    }

    /// The rest of the line.
    fn line_rest(&mut self) -> String {
        let mut raw = Vec::new();
        while self.peek().is_some_and(|byte| byte != b'\n') {
            let byte = self.next_byte();
            if raw.len() <= LONGEST_COMMENT {
                raw.extend(byte);
            }
        }
        text(&raw)
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Token {
        if let Some(token) = self.waiting.take() {
            return token;
        }
        loop {
            let at_line_start = self.at_line_start;
            let Some(byte) = self.peek() else { return Token::End };
            match byte {
                b'%' if at_line_start => drop(self.line_rest()),
                b';' => {
                    self.next_byte();
                    return Token::Comment(self.line_rest());
                }
                b'{' => {
                    self.next_byte();
                    return self.comment();
                }
                b'[' => {
                    self.next_byte();
                    return self.tag();
                }
                b'(' | b')' | b'}' | b']' | b'*' => {
                    self.next_byte();
                    return match byte {
                        b'(' => Token::Open,
                        b')' => Token::Close,
                        b']' => Token::Damage("a tag ends that did not begin".to_owned()),
                        b'}' => Token::Damage("a comment ends that did not begin".to_owned()),
                        _ => Token::Word("*".to_owned()),
                    };
                }
                b'$' => {
                    self.next_byte();
                    if let Ok(mark) = self.take_while(|byte| byte.is_ascii_digit()).parse() {
                        return Token::Mark(mark);
                    }
                }
                b'!' | b'?' => {
                    let signs = self.take_while(|byte| matches!(byte, b'!' | b'?'));
                    if let Some((mark, _)) = take_mark(&signs) {
                        return Token::Mark(mark);
                    }
                }
                _ if byte.is_ascii_whitespace() || byte == 0 => drop(self.next_byte()),
                _ => {
                    if let Some(word) = self.word() {
                        return word;
                    }
                }
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> String {
        let mut taken = String::new();
        while let Some(byte) = self.peek().filter(|&byte| wanted(byte)) {
            self.next_byte();
            if taken.len() < LONGEST_WORD {
                taken.push(char::from(byte));
            }
        }
        taken
    }

    /// A comment, after its brace. One that is still open where the next game begins is damage, and the
    /// game is kept.
    fn comment(&mut self) -> Token {
        let begin = self.line;
        let (mut raw, mut matched) = (Vec::new(), 0);
        loop {
            let may_match = self.at_line_start || matched > 0;
            let byte = match self.next_byte() {
                None => return Token::Unclosed(begin),
                Some(b'}') => return Token::Comment(text(&raw)),
                Some(byte) => byte,
            };
            matched = if may_match && byte == GAME_BEGINS[matched] { matched + 1 } else { 0 };
            if raw.len() <= LONGEST_COMMENT {
                raw.push(byte);
            }
            if matched == GAME_BEGINS.len() {
                self.waiting = Some(self.tag_from(b"Event \"".to_vec()));
                return Token::Unclosed(begin);
            }
        }
    }

    /// A tag, after its bracket.
    fn tag(&mut self) -> Token {
        self.tag_from(Vec::new())
    }

    /// Collects a tag until `"]`, or `]` when there is no quote.
    fn tag_from(&mut self, mut raw: Vec<u8>) -> Token {
        loop {
            match self.peek() {
                Some(b']') if tag_is_complete(&raw) => {
                    self.next_byte();
                    return tag_of(&raw);
                }
                Some(byte) if byte != b'\n' && raw.len() < LONGEST_TAG => {
                    self.next_byte();
                    raw.push(byte);
                }
                _ => {
                    let shown: String = text(&raw).chars().take(40).collect();
                    return Token::Damage(format!("the tag \"[{}\" does not end", shown.trim_end()));
                }
            }
        }
    }

    /// A word, or nothing when it was only a move number.
    fn word(&mut self) -> Option<Token> {
        let mut raw = Vec::new();
        while let Some(byte) = self.peek() {
            let ends = byte.is_ascii_whitespace() || b"{}()[];!?$".contains(&byte);
            if ends || raw.len() > LONGEST_WORD {
                break;
            }
            self.next_byte();
            // A star on a move says that it is the only good one.
            if byte != b'*' {
                raw.push(byte);
            }
        }
        if raw.len() > LONGEST_WORD {
            return Some(Token::Damage(format!("\"{}...\" is too long for a move", text(&raw[..20]))));
        }
        let word = text(&raw);
        // `12.` and `12...` may stand before a move without a space between.
        let move_text = match word.split_once('.') {
            Some((number, rest)) if number.bytes().all(|b| b.is_ascii_digit()) => {
                rest.trim_start_matches('.')
            }
            _ => &word,
        };
        let is_number = move_text.is_empty() || move_text.bytes().all(|b| b.is_ascii_digit());
        (!is_number).then(|| Token::Word(move_text.to_owned()))
    }
}

/// Whether a bracket may end the tag here: after a closing quote, or when there is no quote.
fn tag_is_complete(raw: &[u8]) -> bool {
    let Some(open) = raw.iter().position(|&byte| byte == b'"') else { return true };
    let inner = raw[open + 1..].trim_ascii_end();
    match inner.strip_suffix(b"\"") {
        Some(value) => value.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 0,
        None => false,
    }
}

fn tag_of(raw: &[u8]) -> Token {
    let whole = text(raw.trim_ascii());
    let end = whole.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(whole.len());
    let (name, value) = whole.split_at(end);
    let value = value.trim();
    let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
    Token::Tag(name.to_owned(), unescape(value))
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(&next @ ('"' | '\\')) if c == '\\' => {
                plain.push(next);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}

/// UTF-8, or else Latin-1, where every byte is a character.
fn text(raw: &[u8]) -> String {
    std::str::from_utf8(raw)
        .map_or_else(|_| raw.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}
