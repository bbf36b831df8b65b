//! Games with their types to games as text, and back. Variations may be nested deeply, so nothing here recurses.

use super::{GameText, LineText, MoveText, result_of, result_word};
use crate::adapter::position_of;
use crate::{ErrorKind, InputError};
use std::collections::VecDeque;
use tabia_core::files::take_mark;
use tabia_core::{Note, Position, Present, Record, RecordedGame, Variation};

/// Variations nested deeper than this are left out: a text is read back by readers with a limit of their own.
const DEEPEST: usize = 24;

/// A game as text.
pub(crate) fn told<G: Present>(game: &RecordedGame<G>) -> GameText {
    let rules = &game.start.rules;
    let (text, states) = line_text(rules, &game.start.state, &game.moves, &game.notes);
    let mut lines = vec![(text, states, 0)];
    for variation in &game.variations {
        // A variation that leaves no known line belongs to no game.
        let Some((_, states, depth)) = lines.get(variation.of) else { break };
        let Some(start) = states.get(variation.after) else { break };
        let depth = depth + 1;
        let (text, states) = line_text(rules, start, &variation.moves, &variation.notes);
        lines.push((text, states, depth));
    }
    // A line stands after the one that it leaves, so from the end each is complete when it is hung up.
    while lines.len() > 1 {
        let Some((text, _, depth)) = lines.pop() else { break };
        let Variation { of, after, .. } = game.variations[lines.len() - 1];
        let left = lines.get_mut(of).and_then(|(line, ..)| line.moves.get_mut(after));
        if let Some(replaced) = left.filter(|_| depth <= DEEPEST && !text.moves.is_empty()) {
            replaced.variations.insert(0, text);
        }
    }
    GameText {
        start: rules.format(&game.start.state),
        tags: game.tags.iter().cloned().collect(),
        result: game.outcome.map(|outcome| result_word(outcome).to_owned()),
        line: lines.pop().map(|(text, ..)| text).unwrap_or_default(),
    }
}

/// A line as text, and the positions along it.
fn line_text<G: Present>(
    rules: &G,
    start: &G::State,
    moves: &[G::Move],
    notes: &[Note],
) -> (LineText, Vec<G::State>) {
    let (mut line, mut states) = (LineText::default(), vec![start.clone()]);
    let mut state = start.clone();
    for &mv in moves {
        let text = rules.format_move(&state, mv);
        line.moves.push(MoveText { shown: text.clone(), text, ..MoveText::default() });
        rules.play(&mut state, mv);
        states.push(state.clone());
    }
    for note in notes {
        let said = note.after.checked_sub(1).and_then(|before| line.moves.get_mut(before));
        let comment = match said {
            Some(mv) => {
                mv.glyphs.extend(note.marks.iter().map(|&mark| glyph(mark)));
                &mut mv.comment
            }
            None => &mut line.comment,
        };
        if !comment.is_empty() && !note.comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&note.comment);
    }
    (line, states)
}

/// The sign of a mark, or its number where it has none.
fn glyph(mark: u8) -> String {
    let sign = match mark {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10 => "=",
        13 => "∞",
        14 => "⩲",
        16 => "±",
        17 => "∓",
        18 => "+-",
        19 => "-+",
        _ => return format!("${mark}"),
    };
    sign.to_owned()
}

fn mark_of(glyph: &str) -> Result<u8, InputError> {
    let number = glyph.strip_prefix('$').and_then(|number| number.parse().ok());
    let sign = take_mark(glyph).filter(|(_, rest)| rest.is_empty()).map(|(mark, _)| mark);
    number.or(sign).ok_or_else(|| {
        let message = format!("{glyph:?} is no mark: a sign such as !? or a number such as $10");
        InputError::new(ErrorKind::Syntax, glyph, message)
    })
}

/// Where a game starts.
pub(super) fn start_of<G: Present>(rules: &G, start: Option<&str>) -> Result<Position<G>, InputError> {
    match start {
        Some(text) => position_of(rules, text),
        None => Ok(Position { rules: rules.clone(), state: rules.start() }),
    }
}

/// The game of a list of moves. Draws by history do not end it: players may have gone on.
pub(super) fn played<G: Present>(
    start: Position<G>,
    moves: &[String],
) -> Result<RecordedGame<G>, InputError> {
    let mut record = Record::new(start.clone());
    for text in moves {
        let read = record.rules().parse_moves(record.state(), text);
        for mv in read.map_err(|error| InputError::mv(text, &error))? {
            record.play_unchecked(mv);
        }
    }
    Ok(RecordedGame::new(start, record.moves().to_vec(), record.outcome()))
}

/// The game that a text tells; every move is checked.
pub(crate) fn recorded<G: Present>(rules: &G, game: &GameText) -> Result<RecordedGame<G>, InputError> {
    let start = position_of(rules, &game.start)?;
    let result = game.result.as_deref().unwrap_or_default();
    let outcome = result_of(result).ok_or_else(|| {
        let message = format!("{result:?} is no result: 1-0, 0-1, 1/2-1/2 or *");
        InputError::new(ErrorKind::Syntax, result, message)
    })?;
    let mut told = RecordedGame::new(start.clone(), Vec::new(), outcome);
    told.tags = game.tags.clone().into_iter().collect();
    let mut waiting = VecDeque::from([(&game.line, start.state, None)]);
    while let Some((line, state, leaves)) = waiting.pop_front() {
        let number = leaves.map_or(0, |_| told.variations.len() + 1);
        let (moves, states) = read_line(&start.rules, state, line)?;
        let notes = notes_of(line)?;
        for (after, mv) in line.moves.iter().enumerate() {
            let branches = mv.variations.iter();
            waiting.extend(branches.map(|branch| (branch, states[after].clone(), Some((number, after)))));
        }
        match leaves {
            None => (told.moves, told.notes) = (moves, notes),
            Some((of, after)) => told.variations.push(Variation { of, after, moves, notes }),
        }
    }
    Ok(told)
}

/// The moves of a line, and the positions along it.
fn read_line<G: Present>(
    rules: &G,
    mut state: G::State,
    line: &LineText,
) -> Result<(Vec<G::Move>, Vec<G::State>), InputError> {
    let (mut moves, mut states) = (Vec::new(), vec![state.clone()]);
    for MoveText { text, .. } in &line.moves {
        let mv = rules.parse_move(&state, text).map_err(|error| InputError::mv(text, &error))?;
        rules.play(&mut state, mv);
        moves.push(mv);
        states.push(state.clone());
    }
    Ok((moves, states))
}

fn notes_of(line: &LineText) -> Result<Vec<Note>, InputError> {
    let mut notes = Vec::new();
    Note::add_comment(&mut notes, 0, &line.comment);
    for (after, mv) in (1..).zip(&line.moves) {
        for glyph in &mv.glyphs {
            Note::add_mark(&mut notes, after, mark_of(glyph)?);
        }
        Note::add_comment(&mut notes, after, &mv.comment);
    }
    Ok(notes)
}
