//! Tokens to games: one at a time, the bad ones reported and left behind.

use super::lexer::{Lexer, Token};
use super::{Claim, ResultConvention};
use crate::legality;
use crate::movegen;
use crate::moves::Move;
use crate::notation::{self, Ambiguous};
use crate::rules::Draughts;
use crate::state::State;
use crate::types::Square;
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use tabia_core::files::GameSink;
use tabia_core::{FileError, Notation, Outcome, Position, RecordedGame};

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
            Token::Tag(..) => draft.has_moves || draft.depth > 0,
            _ => false,
        };
        if ends && hand_over(&mut draft, None, lexer.line(), sink).is_break() {
            break;
        }
        match token {
            Token::End => break,
            Token::Word(word) if draft.depth == 0 => {
                if let Some(claim) = convention.claim(&word) {
                    if hand_over(&mut draft, Some(claim), lexer.line(), sink).is_break() {
                        break;
                    }
                } else {
                    draft.movetext(&word, lexer.line());
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
    state: State,
    moves: Vec<Move>,
    /// The squares of a capture that is told jump by jump and not yet whole.
    unfinished: Vec<Square>,
    has_moves: bool,
    /// Open variations.
    depth: u32,
    error: Option<FileError>,
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
            state: State::START,
            moves: Vec::new(),
            unfinished: Vec::new(),
            has_moves: false,
            depth: 0,
            error: None,
        }
    }

    fn is_blank(&self) -> bool {
        self.tags.is_empty() && !self.has_moves && self.error.is_none()
    }

    /// Keeps the first trouble; the rest of the game is read over.
    fn fail(&mut self, line: u64, message: String) {
        let number = self.number;
        self.error.get_or_insert(FileError { number, line, message });
    }

    fn take(&mut self, token: Token, line: u64) {
        match token {
            Token::Tag(name, value) => {
                if self.is_blank() {
                    self.line = line;
                }
                self.tag(name, value, line);
            }
            Token::Open => self.depth += 1,
            Token::Close if self.depth > 0 => self.depth -= 1,
            Token::Close => self.fail(line, "a variation ends that did not begin".to_owned()),
            Token::Damage(what) => self.fail(line, what),
            // What stands in variations is not played.
            Token::Word(_) | Token::End => {}
        }
    }

    fn tag(&mut self, name: String, value: String, line: u64) {
        if name.eq_ignore_ascii_case("FEN") {
            match self.rules.parse(&value) {
                Ok(position) => (self.start, self.state) = (position.state, position.state),
                Err(error) => self.fail(line, format!("the FEN {value:?}: {error}")),
            }
        } else if name.eq_ignore_ascii_case("GameType") {
            let kind = value.split(',').next().unwrap_or_default().trim();
            if !kind.is_empty() && kind != "21" {
                self.fail(line, format!("the game type {value:?} is not English draughts (21)"));
            }
        }
        self.tags.push((name, value));
    }

    fn movetext(&mut self, word: &str, line: u64) {
        if self.is_blank() {
            self.line = line;
        }
        self.has_moves = true;
        if self.error.is_none()
            && let Err(reason) = self.play(word)
        {
            let (number, color) = (self.move_number(), self.state.turn());
            self.fail(line, format!("move {number} of {color}, {word:?}: {reason}"));
        }
    }

    fn move_number(&self) -> usize {
        // A game that White begins still has Black's move in each pair first.
        usize::midpoint(self.moves.len(), self.start.turn() as usize) + 1
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        if self.moves.len() == LONGEST_GAME {
            return Err(format!("the game is longer than {LONGEST_GAME} moves"));
        }
        let path = notation::read_path(word).map_err(|error| error.to_string())?;
        let path = self.joined(path)?;
        match notation::resolve(&self.rules, &self.state, &path, Ambiguous::IfSameEnd) {
            Ok(mv) => {
                self.state.play(mv);
                self.moves.push(mv);
                Ok(())
            }
            Err(_) if notation::begins_capture(&self.state, &path) => {
                self.unfinished = path;
                Ok(())
            }
            Err(error) => Err(error.message),
        }
    }

    /// The path with the jumps that were told before it.
    fn joined(&mut self, path: Vec<Square>) -> Result<Vec<Square>, String> {
        let mut whole = std::mem::take(&mut self.unfinished);
        if whole.is_empty() {
            return Ok(path);
        }
        if whole.last() != path.first() {
            return Err(legality::refusal(&self.state, &whole).message);
        }
        whole.extend(path.into_iter().skip(1));
        Ok(whole)
    }

    fn finish(mut self, result: Option<Claim>, line: u64) -> Result<RecordedGame<Draughts>, FileError> {
        if self.depth > 0 {
            self.fail(line, "a variation does not end".to_owned());
        }
        if !self.unfinished.is_empty() {
            let reason = legality::refusal(&self.state, &self.unfinished).message;
            self.fail(line, format!("move {} of {}: {reason}", self.move_number(), self.state.turn()));
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let tag = self.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("Result"));
        let tag = tag.and_then(|(_, value)| self.convention.claim(value.trim()));
        let outcome = result.or(tag).and_then(|claim| claim.0);
        let warning = match (result, tag) {
            (Some(said), Some(tagged)) if said != tagged => {
                let [said, tagged] = [said, tagged].map(|claim| self.convention.word(claim.0));
                Some(format!("the moves end with {said}, but the Result tag says {tagged}"))
            }
            _ => None,
        };
        Ok(RecordedGame {
            number: self.number,
            line: self.line,
            warning: warning.or_else(|| contradiction(&self.state, outcome)),
            tags: self.tags,
            start: Position { rules: self.rules, state: self.start },
            moves: self.moves,
            outcome,
        })
    }
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
