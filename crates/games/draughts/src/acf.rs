//! ACF: one game a line - moves by their whole path, a tab, the result (`1-0`: Black won).
//!
//! Squares are numbered from 0, and from the other end of each row:
//!
//! ```text
//!     PDN   1  2  3  4        ACF   3  2  1  0
//!           5  6  7  8              7  6  5  4
//! ```

use crate::notation;
use crate::pdn::{Claim, ResultConvention, contradiction};
use crate::rules::Draughts;
use crate::state::State;
use crate::types::Square;
use std::io::{self, BufRead, Read, Write};
use tabia_core::files::GameSink;
use tabia_core::{FileError, Position, RecordedGame};

const CONVENTION: ResultConvention = ResultConvention::FirstMover;
const LONGEST_LINE: u64 = 1 << 18;

/// Reads all games.
pub(crate) fn read(
    rules: &Draughts,
    input: &mut dyn BufRead,
    sink: &mut GameSink<'_, Draughts>,
) -> io::Result<()> {
    let (mut line, mut number) = (Vec::new(), 0);
    for line_number in 1.. {
        line.clear();
        if (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            // What is cut off here is refused below: its result is missing.
            input.skip_until(b'\n')?;
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        number += 1;
        let error = |message| FileError { number, line: line_number, message };
        let game = read_line(rules, &text).map_err(error);
        let game = game.map(|game| RecordedGame { number, line: line_number, ..game });
        if sink(game).is_break() {
            break;
        }
    }
    Ok(())
}

/// A game without its number and line.
fn read_line(rules: &Draughts, text: &str) -> Result<RecordedGame<Draughts>, String> {
    let text = text.trim_end();
    let Some((moves_text, result)) = text.rsplit_once('\t') else {
        return Err("expected a tab and a result after the moves".to_owned());
    };
    let Claim(outcome) = CONVENTION.claim(result).ok_or_else(|| format!("{result:?} is not a result"))?;
    let (mut state, mut moves) = (State::START, Vec::new());
    for (ply, word) in moves_text.split_whitespace().enumerate() {
        let refused =
            |reason: String| format!("move {} of {}, {word:?}: {reason}", ply / 2 + 1, state.turn());
        let path = read_path(word).ok_or_else(|| refused("expected squares from 0 to 31".to_owned()))?;
        let read = notation::readings(rules, &state, &path).and_then(|moves| notation::only(&moves));
        let mv = read.map_err(|error| refused(error.message))?;
        state.play(mv);
        moves.push(mv);
    }
    let warning = contradiction(&state, outcome);
    let start = Position { rules: *rules, state: State::START };
    Ok(RecordedGame { warning, ..RecordedGame::new(start, moves, outcome) })
}

fn read_path(word: &str) -> Option<Vec<Square>> {
    let square = |digits: &str| {
        digits.parse().ok().filter(|&n: &u8| n < 32).map(|n| mirrored(Square::from_index(n.into())))
    };
    word.split('-').map(square).collect()
}

/// The square at the other end of its row.
fn mirrored(square: Square) -> Square {
    Square::from_index(square.index() as u32 ^ 3)
}

/// Writes one game as a line; only games from the usual start can be.
pub(crate) fn write(game: &RecordedGame<Draughts>, output: &mut dyn Write) -> io::Result<()> {
    if game.start.state != State::START {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "ACF games begin at the start position"));
    }
    let path = |squares: &mut dyn Iterator<Item = Square>| {
        squares.map(|square| mirrored(square).index().to_string()).collect::<Vec<_>>().join("-")
    };
    let moves: Vec<String> = game.moves.iter().map(|mv| path(&mut mv.squares())).collect();
    writeln!(output, "{}\t{}", moves.join(" "), CONVENTION.word(game.outcome))
}
