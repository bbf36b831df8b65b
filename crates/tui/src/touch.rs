//! From touches to moves: a move is played by touching its cells in order. No rule of any game is known here.

use tabia_app::views::MoveView;

/// What a touch does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// These cells are touched now, and nothing is decided.
    On(Vec<String>),
    /// Plays the move with this text.
    Play(String),
    /// Several moves have these steps: what sets them apart, and their texts.
    Choose(Vec<(String, String)>),
    /// No move touches these cells.
    Refused(Vec<String>),
}

fn begins(mv: &MoveView, touched: &[String]) -> bool {
    mv.steps.starts_with(touched)
}

/// The cells that can be touched next.
pub(crate) fn targets(moves: &[MoveView], touched: &[String]) -> Vec<String> {
    let next = |mv: &MoveView| mv.steps.get(touched.len()).cloned();
    let mut cells: Vec<String> = moves.iter().filter(|mv| begins(mv, touched)).filter_map(next).collect();
    cells.sort();
    cells.dedup();
    cells
}

/// Touches a cell after others. `waits` says whether a cell is a place beside the board: what waits there need not be
/// touched before the place where it goes.
pub(crate) fn touch(
    moves: &[MoveView],
    touched: &[String],
    cell: &str,
    waits: impl Fn(&str) -> bool,
) -> Touch {
    let next: Vec<String> = touched.iter().cloned().chain([cell.to_owned()]).collect();
    let fitting: Vec<&MoveView> = moves.iter().filter(|mv| begins(mv, &next)).collect();
    if fitting.is_empty() {
        return elsewhere(moves, touched, cell, waits).unwrap_or(Touch::Refused(next));
    }
    let done = fitting.iter().any(|mv| mv.steps.len() == next.len());
    if done || (fitting.len() == 1 && next.len() > 1) { decide(&fitting) } else { Touch::On(next) }
}

/// A touch that goes on with nothing: the end of a longer way, letting go, another piece, something from beside.
fn elsewhere(
    moves: &[MoveView],
    touched: &[String],
    cell: &str,
    waits: impl Fn(&str) -> bool,
) -> Option<Touch> {
    let some = |take: &dyn Fn(&&MoveView) -> bool| moves.iter().filter(take).collect::<Vec<_>>();
    let ends = |mv: &&MoveView| begins(mv, touched) && mv.steps.last().is_some_and(|last| last == cell);
    let ahead = some(&ends);
    if !touched.is_empty() && !ahead.is_empty() {
        return Some(decide(&ahead));
    }
    if touched.last().is_some_and(|last| last == cell) {
        return Some(Touch::On(Vec::new()));
    }
    let here = [cell.to_owned()];
    if moves.iter().any(|mv| begins(mv, &here)) {
        return Some(Touch::On(here.to_vec()));
    }
    let brought = some(&|mv| matches!(&mv.steps[..], [from, to] if waits(from) && to == cell));
    (touched.is_empty() && !brought.is_empty()).then(|| decide(&brought))
}

fn decide(moves: &[&MoveView]) -> Touch {
    let named = |mv: &&MoveView| (mv.choice.clone().unwrap_or_else(|| mv.text.clone()), mv.text.clone());
    match moves {
        [only] => Touch::Play(only.text.clone()),
        several => Touch::Choose(several.iter().map(named).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &str, position: &str) -> Vec<MoveView> {
        tabia_app::Registry::standard().find(game).unwrap().parse(position).unwrap().offered()
    }

    fn after(game: &str, position: &str, cells: &[&str]) -> Touch {
        let (moves, mut touched) = (moves(game, position), Vec::new());
        for (number, cell) in cells.iter().enumerate() {
            match touch(&moves, &touched, cell, |cell| cell.starts_with("stash")) {
                Touch::On(now) => touched = now,
                other => {
                    assert_eq!(number + 1, cells.len(), "decided early");
                    return other;
                }
            }
        }
        Touch::On(touched)
    }

    #[test]
    fn steps_lead_to_a_move() {
        assert_eq!(after("chess", "start", &["e2"]), Touch::On(vec!["e2".into()]));
        assert_eq!(after("chess", "start", &["e2", "e4"]), Touch::Play("e4".into()));
        assert_eq!(after("chess", "start", &["e2", "d2"]), Touch::On(vec!["d2".into()]), "another piece");
        assert_eq!(after("chess", "start", &["e2", "e2"]), Touch::On(Vec::new()), "let go");
        assert_eq!(after("chess", "start", &["e5"]), Touch::Refused(vec!["e5".into()]));
        assert_eq!(after("five", "empty", &["5"]), Touch::Play("s5".into()), "from the stash");
        assert_eq!(after("draughts", "B:W18,25:B14", &["14", "23"]), Touch::Play("14x23".into()));
    }

    #[test]
    fn several_moves_with_the_same_steps_are_offered() {
        let Touch::Choose(offered) = after("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", &["a7", "a8"]) else {
            panic!("four kinds of pieces")
        };
        assert_eq!(offered.len(), 4);
        assert_eq!(offered[0].1, "a8=Q");
    }

    #[test]
    fn targets_are_the_next_cells() {
        assert_eq!(targets(&moves("chess", "start"), &["g1".to_owned()]), ["f3", "h3"]);
        assert!(targets(&moves("chess", "start"), &["e5".to_owned()]).is_empty());
    }
}
