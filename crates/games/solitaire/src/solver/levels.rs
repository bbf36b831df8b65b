//! Positions per level, dead ends and solvable ones among them, up to symmetry or without.

use crate::solver::answer::Question;
use crate::solver::burnside::Burnside;
use crate::solver::reach::Reach;
use crate::solver::sectors::Sectors;
use crate::solver::solvable::Problem;
use crate::solver::span::Span;
use crate::symmetry::Group;
use crate::{Solitaire, State};
use std::cell::LazyCell;
use std::ops::Deref;
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
    let sectors = Sectors::new(layout, &group);
    let mut reach = Reach::new(layout, &group, &sectors, &problem.starts, false);
    let base = *reach.base();
    let burnside = LazyCell::new(|| Burnside::new(layout, &sectors, &base, &group, board.size()));
    let mut levels = Vec::new();
    let mut complete = true;
    while reach.positions() > 0 {
        let ply = reach.jumps() as u32;
        let level = PuzzleLevel {
            ply,
            positions: count_classes(&reach, &burnside),
            dead_ends: options.dead_ends.then(|| count_dead_ends(&reach, &burnside, work)),
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
    let peak_bytes = reach.bytes();
    reach.end(work.threads);
    Some(Levels { levels, complete, peak_bytes })
}

/// Classes of the newest level.
fn count_classes(reach: &Reach<'_>, burnside: &impl Deref<Target = Burnside>) -> u64 {
    let map = reach.map(reach.jumps());
    match reach.list() {
        Some(list) => list.len() as u64,
        None => burnside.classes(&|place| map.has(place), reach.positions(), reach.pegs()),
    }
}

/// Classes of the newest level without a jump.
fn count_dead_ends(reach: &Reach<'_>, burnside: &impl Deref<Target = Burnside>, work: &Work<'_>) -> u64 {
    let map = reach.map(reach.jumps());
    if let Some(list) = reach.list() {
        return list.iter().filter(|&&index| reach.is_dead_end(index)).count() as u64;
    }
    let dead = |place| map.has(place) && reach.is_dead_end(place);
    burnside.classes(&dead, reach.dead_ends(work), reach.pegs())
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
