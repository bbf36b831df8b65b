//! Solve: exact values with the line that shows them, through the facade and with types.

use tabia::Watch;
use tabia::games::five_visible::FiveVisible;
use tabia::prelude::*;
use tabia::rules::{Probe, Work};
use tabia::solve::{SolveRequest, strong};

pub(crate) fn main() {
    // The facade chooses the way that suits the position.
    let registry = Registry::standard();
    let position = registry.find("draughts").and_then(|game| game.parse("W:WK15:B3,K7")).expect("a position");
    let request = SolveRequest { method: Some("strong".to_owned()), ..SolveRequest::default() };
    let solver = position.solve().expect("every game for two can be solved");
    let answer = solver.solve(&request, &Watch::nobody()).expect("a small ending");
    println!("{}: {} {:?}, {}", position.text(), answer.value, answer.distance, answer.line.join(" "));

    // With types: everything that can be reached from here, in memory. 5-Visible from its start takes a second
    // or two; a position with five stacks of three takes no time.
    let rules = FiveVisible::default();
    let near = rules.parse("011/100/011/100/01/-/-/-/- 0 -").expect("a position");
    let solution =
        strong::solve(&rules, &[near.state], &strong::StrongOptions::default(), &Work::unwatched(1));
    let solution = solution.expect("it fits");
    println!("{} positions: {:?}", solution.report().positions, solution.probe(&near.state));
}
