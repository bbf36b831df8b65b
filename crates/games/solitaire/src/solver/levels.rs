//! Positions per level, dead ends and solvable ones among them, up to symmetry or without.

use crate::solver::answer::Question;
use crate::solver::burnside::Burnside;
use crate::solver::reach::Reach;
use crate::solver::solvable::Problem;
use crate::solver::span::Span;
use crate::symmetry::Group;
use crate::{Solitaire, State};
use tabia_core::Work;
use tabia_core::puzzle::{LevelOptions, Levels, PuzzleLevel};

/// Counts level by level; `None` when the bitmaps do not fit.
pub(crate) fn count(
    rules: &Solitaire,
    start: u64,
    options: LevelOptions,
    work: &Work<'_>,
    on_level: &mut dyn FnMut(&PuzzleLevel),
) -> Option<Levels> {
    let (board, layout) = (rules.board(), rules.board().layout()?);
    let group = class_group(rules, start, options.symmetry);
    let mut starts: Vec<u64> = group.images(start).to_vec();
    starts.sort_unstable();
    starts.dedup();
    let span = Span::of_jumps(board);
    let mut targets = rules.goal().targets(board);
    targets.retain(|&target| options.solvable && span.same_class(start, target));
    let problem = Problem { board, layout, group: &group, starts, targets };
    if problem.bytes() > work.memory {
        return None;
    }
    let solvable = if options.solvable { solvable_counts(&problem, work) } else { Vec::new() };
    let mut reach = Reach::new(layout, &group, &problem.starts, false);
    let burnside = Burnside::new(layout, reach.base(), &group, board.size());
    let mut levels = Vec::new();
    let mut complete = true;
    while reach.positions() > 0 {
        let (ply, pegs) = (reach.jumps() as u32, reach.pegs());
        let dead = options.dead_ends.then(|| reach.dead_ends(work));
        let classes = |list: &dyn Fn(u32) -> bool, positions| burnside.classes(list, positions, pegs);
        let map = reach.map(reach.jumps());
        let level = PuzzleLevel {
            ply,
            positions: classes(&|index| map.has(index), reach.positions()),
            dead_ends: dead.map(|dead| classes(&|index| map.has(index) && reach.is_dead_end(index), dead)),
            solvable: options.solvable.then(|| solvable.get(ply as usize).copied().unwrap_or(0)),
        };
        on_level(&level);
        levels.push(level);
        work.report("levels", u64::from(ply), Some(board.size() as u64));
        if options.depth.is_some_and(|depth| ply >= depth) {
            break;
        }
        if work.is_stopped() {
            complete = false;
            break;
        }
        reach.advance(work);
    }
    Some(Levels { levels, complete, peak_bytes: reach.bytes() })
}

/// The symmetries that keep the goal and the class of the start; the identity alone without symmetry.
///
/// A symmetry may exchange classes. What is reached from an image in another class is the image of
/// what is reached here, so it adds no class of symmetric positions and can be left out.
fn class_group(rules: &Solitaire, start: u64, symmetry: bool) -> Group {
    let span = Span::of_jumps(rules.board());
    rules.group().restricted(|group, element| {
        element == 0 || symmetry && span.same_class(start, group.image(start, element))
    })
}

/// Solvable positions per level.
fn solvable_counts(problem: &Problem<'_>, work: &Work<'_>) -> Vec<u64> {
    let between = problem.between(work);
    between.map(|between| between.sizes()).unwrap_or_default()
}

/// Positions per level that lie between a position and the goal: reachable, and solvable from there;
/// one of each class under the symmetries that keep position and goal. `None` when stopped, or when
/// the bitmaps do not fit into the memory allowed.
pub fn solvable_classes(rules: &Solitaire, start: State, work: &Work<'_>) -> Option<Vec<u64>> {
    Question::new(rules, start).between(work)
}
