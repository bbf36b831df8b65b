//! What was found, written into the game: marks as annotation glyphs, values as `[%eval]` comments, better moves as
//! variations.

use crate::{Annotation, Ply, Worth};
use std::collections::BTreeMap;
use tabia_core::{Game, Note, RecordedGame, Side, Variation};

/// The glyph of an only move.
const ONLY_MOVE: u8 = 7;
/// Estimates are cut here, in hundredths.
const LARGEST: i32 = 9999;

impl<M: Copy + Eq> Annotation<M> {
    /// Writes the findings into the game that they are about. What its author said stays, but for older values.
    ///
    /// After each move stands the value of the position it leads to, for player 0: `[%eval 0.35]` in pawns, men or
    /// bricks, `[%eval #-3]` when player 1 wins in three moves.
    pub fn write_into<G: Game<Move = M>>(&self, game: &mut RecordedGame<G>) {
        let mut said: BTreeMap<usize, (Vec<u8>, String)> = BTreeMap::new();
        for note in std::mem::take(&mut game.notes) {
            let (marks, comment) = said.entry(note.after).or_default();
            marks.extend(note.marks);
            *comment = joined(comment, &without_evals(&note.comment));
        }
        for (after, ply) in (1..).zip(&self.plies).take(game.moves.len()) {
            let (marks, _) = said.entry(after).or_default();
            let found = ply.mark().map(crate::Mark::glyph).or_else(|| ply.found_only().then_some(ONLY_MOVE));
            if let Some(mark) = found.filter(|mark| !marks.contains(mark)) {
                marks.push(mark);
            }
        }
        for (after, ply) in self.plies.iter().enumerate().skip(1) {
            if let Some(value) = eval_comment(ply) {
                let (_, comment) = said.entry(after).or_default();
                *comment = joined(&value, comment);
            }
        }
        let spoken =
            said.into_iter().filter(|(_, (marks, comment))| !marks.is_empty() || !comment.is_empty());
        game.notes = spoken.map(|(after, (marks, comment))| Note { after, marks, comment }).collect();
        self.add_better_moves(game);
    }

    /// The best move beside each that has a mark, unless somebody gave it already.
    fn add_better_moves<G: Game<Move = M>>(&self, game: &mut RecordedGame<G>) {
        for (after, ply) in self.plies.iter().enumerate().take(game.moves.len()) {
            let Some(best) = ply.verdict.best.filter(|_| ply.mark().is_some()) else { continue };
            let given = |line: &Variation<M>| {
                line.of == 0 && line.after == after && line.moves.first() == Some(&best)
            };
            if ply.played != Some(best) && !game.variations.iter().any(given) {
                game.variations.push(Variation { of: 0, after, moves: vec![best], notes: Vec::new() });
            }
        }
    }
}

fn joined(one: &str, other: &str) -> String {
    [one, other].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The value of a position for player 0, as other programs read it; none where a table knows no distance.
fn eval_comment<M: Copy>(ply: &Ply<M>) -> Option<String> {
    let sign = if ply.side == Side::First { 1 } else { -1 };
    // A mate in so many moves of the winner.
    let moves = |plies: u16| i32::from(plies).div_euclid(2) + i32::from(plies) % 2;
    let value = match ply.verdict.worth {
        Worth::Win(plies) => format!("#{}", sign * moves(plies?)),
        Worth::Loss(plies) if plies? == 0 => return None,
        Worth::Loss(plies) => format!("#{}", -sign * moves(plies?)),
        Worth::Draw => "0.00".to_owned(),
        Worth::Estimate(hundredths) => {
            format!("{:.2}", f64::from(sign * hundredths.clamp(-LARGEST, LARGEST)) / 100.0)
        }
    };
    Some(format!("[%eval {value}]"))
}

/// A comment without the values of an earlier look at the game.
fn without_evals(comment: &str) -> String {
    let mut rest = comment;
    let mut kept = String::new();
    while let Some(at) = rest.find("[%eval ") {
        kept.push_str(&rest[..at]);
        rest = rest[at..].split_once(']').map_or("", |(_, after)| after.trim_start());
    }
    (kept + rest).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_values_are_taken_out_and_words_stay() {
        for (comment, left) in [
            ("[%eval 0.3] good", "good"),
            ("so [%eval #-3,12] it is [%clk 0:01:00]", "so it is [%clk 0:01:00]"),
            ("plain", "plain"),
            ("[%eval 1", ""),
        ] {
            assert_eq!(without_evals(comment), left);
        }
    }
}
