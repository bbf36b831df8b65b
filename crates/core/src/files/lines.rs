//! Words into lines: how games are written in text files.

use super::Note;
use std::io::{self, Write};

/// Lines are no longer than this, if the words allow.
const WIDTH: usize = 79;

/// Writes words with a space or a line end between them.
#[derive(Debug)]
pub struct Lines<W> {
    output: W,
    column: usize,
    /// The word being put together.
    word: String,
    /// The next word belongs to it.
    joined: bool,
}

impl<W: Write> Lines<W> {
    /// At the beginning of a line.
    pub fn new(output: W) -> Self {
        Lines { output, column: 0, word: String::new(), joined: false }
    }

    /// Adds a word.
    pub fn word(&mut self, word: &str) -> io::Result<()> {
        if !std::mem::take(&mut self.joined) {
            self.flush_word()?;
        }
        self.word.push_str(word);
        Ok(())
    }

    /// Adds the marks of a remark as `$1`, and its comment in braces. A brace that would end the comment
    /// becomes a parenthesis.
    pub fn note(&mut self, note: &Note) -> io::Result<()> {
        for mark in &note.marks {
            self.word(&format!("${mark}"))?;
        }
        let comment = note.comment.replace('}', ")");
        let mut words = comment.split_whitespace().peekable();
        if words.peek().is_none() {
            return Ok(());
        }
        self.word("{")?;
        self.joined = true;
        words.try_for_each(|word| self.word(word))?;
        self.word.push('}');
        Ok(())
    }

    /// Adds the parenthesis before a variation.
    pub fn open(&mut self) -> io::Result<()> {
        self.word("(")?;
        self.joined = true;
        Ok(())
    }

    /// Adds the parenthesis after a variation.
    pub fn close(&mut self) {
        self.word.push(')');
        self.joined = false;
    }

    /// Ends the last line.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush_word()?;
        self.output.write_all(b"\n")
    }

    fn flush_word(&mut self) -> io::Result<()> {
        if self.word.is_empty() {
            return Ok(());
        }
        // At the beginning of a line these would be the tag of another game, and a line to skip.
        let stays = self.word.starts_with(['[', '%']);
        if self.column > 0 {
            let fits = stays || self.column + 1 + self.word.len() <= WIDTH;
            self.output.write_all(if fits { b" " } else { b"\n" })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.output.write_all(self.word.as_bytes())?;
        self.column += self.word.len();
        self.word.clear();
        Ok(())
    }
}
