//! The number of solutions: sequences of jumps from a position to the goal.

use crate::Solitaire;
use crate::solver::hashed;
use crate::solver::solvable::{Between, Problem};
use rustc_hash::FxHashMap;
use tabia_core::Work;

/// Solutions through the positions between start and goal, level by level from the goal.
///
/// Symmetric positions have equally many, so one of each class is enough. `None` when stopped or
/// when the number does not fit.
pub(crate) fn through(problem: &Problem<'_>, between: &Between, start: u64, work: &Work<'_>) -> Option<u128> {
    let goals = between.level(problem, between.jumps);
    let mut later: FxHashMap<u32, u128> = goals.into_iter().map(|index| (index, 1)).collect();
    for jumps in (0..between.jumps).rev() {
        if work.is_stopped() {
            return None;
        }
        let sum = |index: u32| {
            let pegs = problem.layout.pegs(&between.base, jumps, index);
            let mut sum = Some(0u128);
            problem.layout.for_each_jump(pegs, |jump, _| {
                let child = problem.layout.index(problem.group.canonical(pegs ^ jump.holes()));
                if let Some(&more) = later.get(&child) {
                    sum = sum.and_then(|sum| sum.checked_add(more));
                }
            });
            Some((index, sum?))
        };
        later = between.level(problem, jumps).into_iter().map(sum).collect::<Option<_>>()?;
        work.report("counting", (between.jumps - jumps) as u64, Some(between.jumps as u64));
    }
    let start = problem.layout.index(problem.group.canonical(start));
    Some(later.get(&start).copied().unwrap_or(0))
}

/// Solutions counted with a table of positions; for boards too large to index.
pub(crate) fn by_table(rules: &Solitaire, start: u64, work: &Work<'_>) -> (Option<u128>, u64) {
    let mut table = hashed::Counts::new(rules, work);
    let solutions = table.count(start);
    (solutions, table.len() as u64)
}
