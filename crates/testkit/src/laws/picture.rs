//! Laws of what a game tells about itself for pictures and clicks.

use super::walk::after;
use super::{Verdict, law};
use std::collections::{HashMap, HashSet};
use tabia_core::{Picture, Present, Side};

pub(super) fn check<G: Present>(rules: &G, state: &G::State, moves: &[G::Move]) -> Verdict {
    let text = rules.format(state);
    let cells = rules.geometry().cells;
    let ids: HashSet<_> = cells.iter().map(|cell| cell.id.as_str()).collect();
    law("cells have different names", ids.len() == cells.len(), || format!("{} cells", cells.len()))?;
    let picture = rules.picture(state);
    pieces_stand_apart(&picture, &ids, &text)?;
    moves_are_seen(rules, state, moves, &text)?;
    for &mv in moves {
        clicks(&rules.steps(state, mv), &picture, &ids, || {
            format!("{} in {text}", rules.format_move(state, mv))
        })?;
    }
    Ok(())
}

fn pieces_stand_apart(picture: &Picture, ids: &HashSet<&str>, text: &str) -> Verdict {
    let shown = picture.pieces.iter().map(|p| &p.cell).chain(picture.marks.iter().map(|m| &m.cell));
    for cell in shown {
        law("pieces stand on cells", ids.contains(cell.as_str()), || format!("{cell} in {text}"))?;
    }
    let mut places = HashSet::new();
    for piece in &picture.pieces {
        law("no two pieces stand in one place", places.insert((&piece.cell, piece.level)), || {
            format!("{} level {} in {text}", piece.cell, piece.level)
        })?;
    }
    Ok(())
}

fn clicks(steps: &[String], picture: &Picture, ids: &HashSet<&str>, which: impl Fn() -> String) -> Verdict {
    let known = !steps.is_empty() && steps.iter().all(|step| ids.contains(step.as_str()));
    law("moves are clicked on cells", known, || format!("{steps:?}, {}", which()))?;
    // Where one end of a move holds a piece and the other none, the piece is what is clicked first.
    let holds = |cell: Option<&String>| picture.pieces.iter().any(|piece| Some(&piece.cell) == cell);
    let backwards = !holds(steps.first()) && holds(steps.last());
    law("clicks begin on the piece that moves", !backwards, || format!("{steps:?}, {}", which()))
}

/// A piece that the picture leaves out moves unseen.
fn moves_are_seen<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    let before = seen(&rules.picture(state));
    let mut pictures = HashMap::new();
    for &mv in moves {
        let next = after(rules, state, mv);
        let picture = seen(&rules.picture(&next));
        let word = || rules.format_move(state, mv);
        law("every move changes the picture", picture != before, || format!("{} in {text}", word()))?;
        let (other, first) = pictures.entry(picture).or_insert_with(|| (word(), next.clone()));
        law("different positions have different pictures", *first == next, || {
            format!(
                "{} and {} look alike after {other} and {} in {text}",
                rules.format(first),
                rules.format(&next),
                word()
            )
        })?;
    }
    Ok(())
}

/// A picture as a list that can be compared, whatever the order of its parts.
fn seen(picture: &Picture) -> Vec<String> {
    let pieces = picture.pieces.iter();
    let pieces = pieces.map(|p| format!("{} {} {:?} {}", p.cell, p.level, p.side.map(Side::index), p.name));
    let mut all: Vec<_> =
        pieces.chain(picture.marks.iter().map(|m| format!("{} {}", m.cell, m.name))).collect();
    all.sort_unstable();
    all
}
