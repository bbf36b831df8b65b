//! The number of solutions: sequences of jumps from a position to the goal.

use crate::Solitaire;
use crate::solver::hashed;
use crate::solver::solvable::{Between, Problem};
use tabia_core::puzzle::Work;

/// Solutions through the positions between start and goal, level by level from the goal.
///
/// Symmetric positions have equally many, so one of each class is enough. `None` when stopped or
/// when the number does not fit.
pub(crate) fn through(problem: &Problem<'_>, between: &Between, start: u64, work: &Work<'_>) -> Option<u128> {
    let mut later = between.level(problem, between.jumps);
    let mut counts = vec![1u128; later.len()];
    for jumps in (0..between.jumps).rev() {
        if work.is_stopped() {
            return None;
        }
        let level = between.level(problem, jumps);
        let mut sums = vec![Some(0u128); level.len()];
        for (&index, sum) in level.iter().zip(&mut sums) {
            let pegs = problem.layout.pegs(&between.base, jumps, index);
            problem.layout.for_each_jump(pegs, |jump, _| {
                let child = problem.layout.index(problem.group.canonical(pegs ^ jump.holes()));
                if let Ok(at) = later.binary_search(&child) {
                    *sum = sum.and_then(|sum| sum.checked_add(counts[at]));
                }
            });
        }
        counts = sums.into_iter().collect::<Option<_>>()?;
        later = level;
        work.report(
            "counting",
            (between.jumps - jumps) as u64,
            Some(between.jumps as u64),
            later.len() as u64,
        );
    }
    let start = problem.layout.index(problem.group.canonical(start));
    Some(later.binary_search(&start).map_or(0, |at| counts[at]))
}

/// Solutions counted with a table of positions; for boards too large to index.
pub(crate) fn by_table(rules: &Solitaire, start: u64, work: &Work<'_>) -> (Option<u128>, u64) {
    let mut table = hashed::Counts::new(rules, work);
    let solutions = table.count(start);
    (solutions, table.len() as u64)
}
