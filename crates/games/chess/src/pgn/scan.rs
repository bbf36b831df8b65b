//! The outer form of PGN: bytes become tags, words, comments and brackets.
//!
//! The scanner is fed piece by piece and keeps no more than the tag, word or comment it is in, so that neither
//! the size of a file nor the length of its lines matters.

use std::ops::ControlFlow;

/// What the scanner finds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event<'a> {
    /// What stands between the brackets of a tag.
    Tag(&'a [u8]),
    /// A move, number, glyph or result.
    Word(&'a [u8]),
    /// What stands between the braces of a comment, or after its semicolon.
    Comment(&'a [u8]),
    /// A variation begins.
    Open,
    /// A variation ends.
    Close,
    /// Something that makes the present game unusable.
    Trouble(&'static str),
}

/// Takes the events, each with its line.
pub(super) trait Listener {
    fn event(&mut self, event: Event<'_>, line: u64) -> ControlFlow<()>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Between or in words.
    Text,
    /// In brackets; whether in quotes, and there after a backslash.
    Tag { quoted: bool, escaped: bool },
    /// In braces; how much of [`NEXT_GAME`] has just been seen.
    Comment { seen: usize },
    /// After a semicolon.
    LineComment,
    /// After `%` at the beginning of a line.
    Escape,
}

/// A comment does not contain this: somebody forgot to close it, and here the next game begins.
const NEXT_GAME: &[u8] = b"\n[Event \"";
/// Longer words and tags are garbage.
const LONGEST_WORD: usize = 64;
const LONGEST_TAG: usize = 8192;
/// Of a longer comment the rest is left out.
pub(super) const LONGEST_COMMENT: usize = 1 << 16;

/// The state between two bytes.
pub(super) struct Scanner {
    mode: Mode,
    pending: Vec<u8>,
    /// How many variations are open.
    depth: u32,
    line: u64,
    /// The line where the pending word, tag or comment began.
    began: u64,
    line_start: bool,
}

impl Scanner {
    pub(super) fn new() -> Self {
        Scanner { mode: Mode::Text, pending: Vec::new(), depth: 0, line: 1, began: 1, line_start: true }
    }

    /// Takes some bytes of the file.
    pub(super) fn feed(&mut self, bytes: &[u8], to: &mut impl Listener) -> ControlFlow<()> {
        for &byte in bytes {
            match self.mode {
                Mode::Text => self.text(byte, to)?,
                Mode::Tag { quoted, escaped } => self.tag(byte, quoted, escaped, to)?,
                Mode::Comment { seen } => self.comment(byte, seen, to)?,
                Mode::LineComment if byte == b'\n' => self.end_comment(to)?,
                Mode::LineComment => self.grow(byte, LONGEST_COMMENT),
                Mode::Escape if byte == b'\n' => self.mode = Mode::Text,
                Mode::Escape => {}
            }
            self.line_start = byte == b'\n' || (self.line_start && byte == b'\r');
            self.line += u64::from(byte == b'\n');
        }
        ControlFlow::Continue(())
    }

    /// Takes the end of the file.
    pub(super) fn finish(&mut self, to: &mut impl Listener) -> ControlFlow<()> {
        match self.mode {
            Mode::Text => self.end_word(to)?,
            Mode::LineComment => self.end_comment(to)?,
            _ => {}
        }
        let (what, line) = match self.mode {
            Mode::Tag { .. } => ("a tag is not closed", self.began),
            Mode::Comment { .. } => ("a comment is not closed", self.began),
            _ if self.depth > 0 => ("a variation is not closed", self.line),
            _ => return ControlFlow::Continue(()),
        };
        to.event(Event::Trouble(what), line)
    }

    fn text(&mut self, byte: u8, to: &mut impl Listener) -> ControlFlow<()> {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c => self.end_word(to)?,
            b'%' if self.line_start => self.mode = Mode::Escape,
            b'.' if self.pending.iter().all(u8::is_ascii_digit) => self.end_word(to)?,
            b';' => {
                self.end_word(to)?;
                self.mode = Mode::LineComment;
            }
            b'{' => {
                self.end_word(to)?;
                self.began = self.line;
                self.mode = Mode::Comment { seen: 0 };
            }
            b'(' => {
                self.end_word(to)?;
                self.depth += 1;
                to.event(Event::Open, self.line)?;
            }
            b')' => self.close_variation(to)?,
            // In a variation only a bracket at the beginning of a line can be a tag.
            b'[' if self.depth == 0 || self.line_start => self.begin_tag(to)?,
            // These begin a word of their own, wherever they stand; a star is the whole of it.
            b'$' | b'*' => {
                self.end_word(to)?;
                self.add_to_word(byte);
                if byte == b'*' {
                    self.end_word(to)?;
                }
            }
            _ => self.add_to_word(byte),
        }
        ControlFlow::Continue(())
    }

    fn add_to_word(&mut self, byte: u8) {
        if self.pending.is_empty() {
            self.began = self.line;
        }
        self.grow(byte, LONGEST_WORD);
    }

    fn grow(&mut self, byte: u8, longest: usize) {
        // One byte more than allowed shows that it was too long.
        if self.pending.len() <= longest {
            self.pending.push(byte);
        }
    }

    fn end_word(&mut self, to: &mut impl Listener) -> ControlFlow<()> {
        if self.pending.is_empty() {
            return ControlFlow::Continue(());
        }
        let flow = to.event(Event::Word(&self.pending), self.began);
        self.pending.clear();
        flow
    }

    fn end_comment(&mut self, to: &mut impl Listener) -> ControlFlow<()> {
        self.mode = Mode::Text;
        let flow = to.event(Event::Comment(&self.pending), self.line);
        self.pending.clear();
        flow
    }

    fn close_variation(&mut self, to: &mut impl Listener) -> ControlFlow<()> {
        self.end_word(to)?;
        if self.depth == 0 {
            return to.event(Event::Trouble("')' without '('"), self.line);
        }
        self.depth -= 1;
        to.event(Event::Close, self.line)
    }

    fn begin_tag(&mut self, to: &mut impl Listener) -> ControlFlow<()> {
        self.end_word(to)?;
        self.mode = Mode::Tag { quoted: false, escaped: false };
        self.began = self.line;
        if std::mem::take(&mut self.depth) > 0 {
            return to.event(Event::Trouble("a variation is not closed"), self.line);
        }
        ControlFlow::Continue(())
    }

    fn tag(&mut self, byte: u8, quoted: bool, escaped: bool, to: &mut impl Listener) -> ControlFlow<()> {
        if byte == b'\n' || (byte == b']' && !quoted) {
            self.mode = Mode::Text;
            let closed = byte == b']' && self.pending.len() <= LONGEST_TAG;
            let event =
                if closed { Event::Tag(&self.pending) } else { Event::Trouble("a tag is not closed") };
            let flow = to.event(event, self.began);
            self.pending.clear();
            return flow;
        }
        let quote = byte == b'"' && !escaped;
        self.mode = Mode::Tag { quoted: quoted != quote, escaped: quoted && byte == b'\\' && !escaped };
        self.grow(byte, LONGEST_TAG);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, byte: u8, seen: usize, to: &mut impl Listener) -> ControlFlow<()> {
        if byte == b'}' {
            return self.end_comment(to);
        }
        self.grow(byte, LONGEST_COMMENT);
        let seen = match byte {
            _ if NEXT_GAME.get(seen) == Some(&byte) => seen + 1,
            b'\n' => 1,
            _ => 0,
        };
        self.mode = Mode::Comment { seen };
        if seen < NEXT_GAME.len() {
            return ControlFlow::Continue(());
        }
        self.depth = 0;
        let opened = std::mem::replace(&mut self.began, self.line);
        self.pending.clear();
        self.pending.extend_from_slice(&NEXT_GAME[2..]);
        self.mode = Mode::Tag { quoted: true, escaped: false };
        to.event(Event::Trouble("a comment is not closed"), opened)
    }
}
