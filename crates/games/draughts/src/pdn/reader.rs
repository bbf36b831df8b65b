//! Tokens to games: one at a time, the bad ones reported and left behind.

use super::lexer::{LONGEST_COMMENT, Lexer, Token};
use super::line::{self, Reading, Trouble, Word};
use super::{Claim, ResultConvention};
use crate::movegen;
use crate::moves::Move;
use crate::rules::Draughts;
use crate::state::State;
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use tabia_core::files::GameSink;
use tabia_core::{FileError, Notation, Note, Outcome, Position, RecordedGame, Variation};

/// A longer game is damage.
const LONGEST_GAME: usize = 20_000;

/// Reads all games.
pub(crate) fn read(
    rules: &Draughts,
    convention: ResultConvention,
    input: &mut dyn BufRead,
    sink: &mut GameSink<'_, Draughts>,
) -> io::Result<()> {
    let mut lexer = Lexer::new(input);
    let mut draft = Draft::new(*rules, convention, 1, 1);
    loop {
        let token = lexer.next();
        let ends = match &token {
            Token::End => true,
            Token::Tag(..) => draft.has_moves(),
            _ => false,
        };
        if ends && hand_over(&mut draft, None, lexer.line(), sink).is_break() {
            break;
        }
        match token {
            Token::End => break,
            Token::Word(word) if draft.in_game() && convention.claim(&word).is_some() => {
                if hand_over(&mut draft, convention.claim(&word), lexer.line(), sink).is_break() {
                    break;
                }
            }
            token => draft.take(token, lexer.line()),
        }
    }
    lexer.into_result()
}

/// Gives a finished game away and begins the next.
fn hand_over(
    draft: &mut Draft,
    result: Option<Claim>,
    line: u64,
    sink: &mut GameSink<'_, Draughts>,
) -> ControlFlow<()> {
    let next = Draft::new(draft.rules, draft.convention, draft.number + 1, line);
    if draft.is_blank() {
        return ControlFlow::Continue(());
    }
    let done = std::mem::replace(draft, next);
    sink(done.finish(result, line))
}

/// A game being read.
struct Draft {
    rules: Draughts,
    convention: ResultConvention,
    number: u64,
    line: u64,
    tags: Vec<(String, String)>,
    start: State,
    /// The tags say that this is English draughts.
    is_english: bool,
    /// The game itself, and its variations in the order in which they begin.
    lines: Vec<Line>,
    /// The lines that have not ended, the game itself first.
    open: Vec<usize>,
    warning: Option<String>,
    error: Option<FileError>,
}

/// The words of a line. Places in it are counted in words until they are read as moves.
#[derive(Default)]
struct Line {
    of: usize,
    after: usize,
    words: Vec<Word>,
    notes: Vec<Note>,
}

impl Draft {
    fn new(rules: Draughts, convention: ResultConvention, number: u64, line: u64) -> Self {
        Draft {
            rules,
            convention,
            number,
            line,
            tags: Vec::new(),
            start: State::START,
            is_english: false,
            lines: vec![Line::default()],
            open: vec![0],
            warning: None,
            error: None,
        }
    }

    fn is_blank(&self) -> bool {
        self.tags.is_empty() && !self.has_moves() && self.error.is_none()
    }

    fn has_moves(&self) -> bool {
        !self.lines[0].words.is_empty() || self.lines.len() > 1
    }

    /// Whether the next word belongs to the game itself.
    fn in_game(&self) -> bool {
        self.open.len() == 1
    }

    /// Keeps the first trouble; the rest of the game is read over.
    fn fail(&mut self, line: u64, message: String) {
        let number = self.number;
        self.error.get_or_insert(FileError { number, line, message });
    }

    fn warn(&mut self, line: u64, message: &str) {
        self.warning.get_or_insert_with(|| format!("line {line}: {message}"));
    }

    fn take(&mut self, token: Token, line: u64) {
        if self.is_blank() {
            self.line = line;
        }
        match token {
            Token::Tag(name, value) => self.tag(name, value, line),
            Token::Word(word) => self.word(word, line),
            Token::Open => self.open_variation(),
            Token::Close if !self.in_game() => drop(self.open.pop()),
            Token::Close => self.fail(line, "a variation ends that did not begin".to_owned()),
            // What stands before a game belongs to none.
            Token::Mark(_) | Token::Comment(_) if self.is_blank() => {}
            Token::Comment(text) => self.comment(&text, line),
            Token::Mark(mark) => {
                let current = self.current();
                Note::add_mark(&mut current.notes, current.words.len(), mark);
            }
            Token::Damage(what) => self.fail(line, what),
            Token::Unclosed(began) => self.fail(began, "a comment does not end".to_owned()),
            Token::End => {}
        }
    }

    fn current(&mut self) -> &mut Line {
        let at = self.open[self.open.len() - 1];
        &mut self.lines[at]
    }

    fn tag(&mut self, name: String, value: String, line: u64) {
        if name.eq_ignore_ascii_case("FEN") {
            match self.rules.parse(&value) {
                Ok(position) => self.start = position.state,
                Err(error) => self.fail(line, format!("the FEN {value:?}: {error}")),
            }
        } else if name.eq_ignore_ascii_case("GameType") {
            let kind = value.split(',').next().unwrap_or_default().trim();
            self.is_english = kind == "21";
            if !kind.is_empty() && !self.is_english {
                self.fail(line, format!("the game type {value:?} is not English draughts (21)"));
            }
        }
        self.tags.push((name, value));
    }

    fn word(&mut self, text: String, line: u64) {
        // In a variation a result is a remark.
        if self.convention.claim(&text).is_some() {
            return;
        }
        if self.current().words.len() == LONGEST_GAME {
            return self.fail(line, format!("the game is longer than {LONGEST_GAME} moves"));
        }
        self.current().words.push(Word { text, line });
    }

    fn open_variation(&mut self) {
        let of = self.open[self.open.len() - 1];
        let after = self.lines[of].words.len();
        self.open.push(self.lines.len());
        self.lines.push(Line { of, after, ..Line::default() });
    }

    fn comment(&mut self, text: &str, line: u64) {
        if text.len() > LONGEST_COMMENT {
            self.warn(line, "the rest of a very long comment was left out");
        }
        let current = self.current();
        Note::add_comment(&mut current.notes, current.words.len(), text);
    }

    fn finish(mut self, result: Option<Claim>, line: u64) -> Result<RecordedGame<Draughts>, FileError> {
        if !self.in_game() {
            self.fail(line, "a variation does not end".to_owned());
        }
        if !self.has_moves() && !self.is_english {
            let doubt = "a game without moves that is not said to be English draughts (GameType 21)";
            self.fail(self.line, doubt.to_owned());
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let (base, lines) = (self.start.turn() as usize, std::mem::take(&mut self.lines));
        let (main, trouble) = line::read(&self.rules, self.start, base, &lines[0].words);
        if let Some(Trouble { line, message }) = trouble {
            return Err(FileError { number: self.number, line, message });
        }
        let variations = if lines.len() > 1 { self.variations(&lines, &main) } else { Vec::new() };
        let (outcome, disagreement) = self.result(result);
        let last = main.states[main.moves.len()];
        let warning = self.warning.or(disagreement).or_else(|| contradiction(&last, outcome));
        Ok(RecordedGame {
            number: self.number,
            line: self.line,
            warning,
            tags: self.tags,
            start: Position { rules: self.rules, state: self.start },
            notes: notes(&lines[0], &main),
            moves: main.moves,
            outcome,
            variations,
        })
    }

    /// Reads the variations. One that cannot be played on is cut short.
    fn variations(&mut self, lines: &[Line], main: &Reading) -> Vec<Variation<Move>> {
        let mut kept = Vec::new();
        let mut read: Vec<Option<(usize, Reading)>> = vec![Some((0, main.clone()))];
        for line in &lines[1..] {
            let parent = read[line.of].as_ref();
            let branch = parent.and_then(|(of, parent)| {
                // It replaces the last move.
                let after = parent.moves_after(line.after)?.saturating_sub(1);
                let (reading, trouble) =
                    line::read(&self.rules, parent.states[after], parent.base + after, &line.words);
                Some((*of, after, reading, trouble))
            });
            let Some((of, after, reading, trouble)) = branch else {
                read.push(None);
                continue;
            };
            if let Some(Trouble { line, message }) = trouble {
                self.warn(line, &format!("a variation is cut short at {message}"));
            }
            let notes = notes(line, &reading);
            if reading.moves.is_empty() && notes.is_empty() {
                read.push(None);
                continue;
            }
            kept.push(Variation { of, after, moves: reading.moves.clone(), notes });
            read.push(Some((kept.len(), reading)));
        }
        kept
    }

    /// The result by the word at the end, or by the tag where that is a mere star; and a remark when the
    /// two disagree.
    fn result(&self, said: Option<Claim>) -> (Option<Outcome>, Option<String>) {
        let tag = self.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("Result"));
        let tagged = tag.and_then(|(_, value)| self.convention.claim(value.trim()));
        match (said, tagged) {
            (None | Some(Claim(None)), tagged) => (tagged.and_then(|claim| claim.0), None),
            (Some(said), Some(tagged)) if said != tagged => {
                let [said_word, tagged] = [said, tagged].map(|claim| self.convention.word(claim.0));
                let remark = format!("the moves end with {said_word}, but the Result tag says {tagged}");
                (said.0, Some(remark))
            }
            (Some(said), _) => (said.0, None),
        }
    }
}

/// The remarks on a line, counted in moves.
fn notes(line: &Line, reading: &Reading) -> Vec<Note> {
    let placed = line.notes.iter().filter_map(|note| {
        let after = reading.moves_after(note.after)?;
        Some(Note { after, ..note.clone() })
    });
    placed.collect()
}

/// A remark when the board says something else than the file.
pub(crate) fn contradiction(last: &State, outcome: Option<Outcome>) -> Option<String> {
    let winner = last.turn().other();
    let claim = match outcome? {
        Outcome::Win(side) if side == winner.side() => return None,
        Outcome::Win(_) => format!("{} won", last.turn()),
        Outcome::Draw => "it is a draw".to_owned(),
    };
    let decided = !movegen::any(last);
    decided.then(|| format!("the file says that {claim}, but {} has no move: {winner} won", last.turn()))
}
