//! Every position of a board from which the goal can be reached.
//!
//! Class by class of the goals: a symmetry that exchanges classes takes the solvable positions of one
//! to those of the other, so one class of each such family is enough.

use crate::solver::oracle::Oracle;
use crate::solver::span::Span;
use crate::{Solitaire, State};
use tabia_core::Work;

/// Calls back with one of each class of symmetric positions, and the jumps to the goal.
pub(crate) fn solvable(
    rules: &Solitaire,
    room: u64,
    work: &Work<'_>,
    on_position: &mut dyn FnMut(State, u16),
) -> Result<(), String> {
    let board = rules.board();
    let layout = board.layout().ok_or("the board has too many holes for a bitmap of its positions")?;
    let targets = rules.goal().targets(board);
    if targets.iter().any(|&target| board.can_move(target)) {
        return Err("the goal still has a jump, and a game ends when none is left".to_owned());
    }
    let needed = 2 << layout.bits() >> 3;
    if needed > work.memory {
        return Err(format!("bitmaps of {needed} bytes are needed, {} are allowed", work.memory));
    }
    let (span, goal_pegs) = (Span::of_jumps(board), rules.goal().pegs());
    let mut left = room;
    for class in families(rules, &span, targets) {
        let jumps = board.size() - goal_pegs as usize;
        let group = rules.group().restricted(|group, element| {
            class.iter().all(|&target| span.same_class(class[0], group.image(target, element)))
        });
        let oracle = Oracle::new(board, layout, &group, &class, jumps, work).ok_or("stopped")?;
        // A little more than this, because of positions that are symmetric themselves.
        let about = oracle.positions / group.order() as u64;
        left = left.checked_sub(about).ok_or_else(|| {
            let all = room - left + about;
            format!("there are {all} solvable positions and more, and the memory allowed has room for {room}")
        })?;
        oracle.for_each(board, layout, |pegs| {
            if group.canonical(pegs) == pegs {
                on_position(State::new(pegs), (pegs.count_ones() - goal_pegs) as u16);
            }
        });
    }
    Ok(())
}

/// The targets by class, one class of each family that symmetries exchange.
fn families(rules: &Solitaire, span: &Span, targets: Vec<u64>) -> Vec<Vec<u64>> {
    let mut classes: Vec<Vec<u64>> = Vec::new();
    for target in targets {
        match classes.iter_mut().find(|class| span.same_class(class[0], target)) {
            Some(class) => class.push(target),
            None => classes.push(vec![target]),
        }
    }
    let mut kept: Vec<Vec<u64>> = Vec::new();
    for class in classes {
        let image_of = |other: &Vec<u64>| {
            (0..rules.group().order())
                .any(|element| span.same_class(other[0], rules.group().image(class[0], element)))
        };
        if !kept.iter().any(image_of) {
            kept.push(class);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use crate::{Solitaire, catalogue};
    use std::collections::HashMap;
    use tabia_core::{Game, Puzzle};
    use tabia_core::{Stop, Work};

    /// Every position of a small board by brute force: can some goal be reached?
    fn plainly(rules: &Solitaire) -> HashMap<[u8; 8], u16> {
        let (mut solvable, mut moves) = (HashMap::new(), Vec::new());
        let mut by_pegs: Vec<u64> = (1..=rules.board().full()).collect();
        by_pegs.sort_by_key(|pegs| pegs.count_ones());
        for pegs in by_pegs {
            let state = crate::State::new(pegs);
            let key = rules.pack_canonical(&state);
            moves.clear();
            rules.moves(&state, &mut moves);
            let best = moves.iter().filter_map(|&mv| {
                let mut next = state;
                rules.play(&mut next, mv);
                solvable.get(&rules.pack_canonical(&next)).copied()
            });
            let value = if rules.goal().is_met(pegs) { Some(0) } else { best.min().map(|jumps| jumps + 1) };
            if let Some(jumps) = value {
                solvable.insert(key, jumps);
            }
        }
        solvable
    }

    #[test]
    fn small_boards_agree_with_brute_force() {
        let (stop, silent) = (Stop::new(), |_: &tabia_core::Progress| ());
        let work = Work { threads: 1, memory: 1 << 30, stop: &stop, progress: &silent };
        for name in ["triangle4", "triangle5"] {
            let any = Solitaire::new(catalogue::find(name).unwrap().board.clone());
            for goal in ["any", "a1", "b3"] {
                let rules = any.with_goal(goal).unwrap();
                let mut found = HashMap::new();
                let mut twice = 0;
                rules
                    .solvable_positions(u64::MAX, &work, &mut |state, jumps| {
                        twice += usize::from(found.insert(rules.pack_canonical(&state), jumps).is_some());
                    })
                    .unwrap();
                assert_eq!(twice, 0, "{name} to {goal}");
                assert_eq!(found, plainly(&rules), "{name} to {goal}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (stop, silent) = (Stop::new(), |_: &tabia_core::Progress| ());
        let work = Work { threads: 1, memory: 1 << 20, stop: &stop, progress: &silent };
        let refused = Solitaire::english().solvable_positions(10, &work, &mut |_, _| ());
        assert!(refused.unwrap_err().contains("are allowed"));
        let small = Solitaire::new(catalogue::find("triangle5").unwrap().board.clone());
        assert!(small.solvable_positions(10, &work, &mut |_, _| ()).unwrap_err().contains("room"));
    }
}
