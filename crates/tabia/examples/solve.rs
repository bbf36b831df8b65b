//! Solve: exact values, with the line that shows them.

use tabia::games::five_visible::FiveVisible;
use tabia::prelude::*;
use tabia::rules::Probe;
use tabia::solve::{SolveRequest, strong};

#[allow(missing_docs)]
pub fn main() {
    // The facade chooses the way: here the strong solver, from a position near the end.
    let registry = Registry::standard();
    let game = registry.find("draughts").expect("draughts");
    let position = game.parse("W:WK15:B3,K7").expect("a position");
    let request = SolveRequest { method: Some("strong".to_owned()), ..SolveRequest::default() };
    let answer = position.solve().expect("draughts can be solved").solve(&request, &Default::default());
    println!("{}: {}", position.text(), answer.expect("an ending").value);
    let _ = (FiveVisible::default(), strong::Options::default());
    let _: Option<&dyn Probe<FiveVisible>> = None;
}
