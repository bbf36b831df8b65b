//! A game that is solved: the solver itself says where the marks belong.

use std::convert::Infallible;
use tabia_core::{Game, Position, Record, Side, SplitMix64, Value, Work};
use tabia_five_visible::FiveVisible;
use tabia_report::{Mark, Source, Verdict, annotate};
use tabia_solve::strong::{self, StrongOptions};

/// Random games from late positions (what can be reached from there is soon solved), looked at by the solver.
#[test]
fn marks_stand_exactly_where_the_value_changes() {
    let rules = FiveVisible::default();
    let mut rng = SplitMix64::new(18);
    let (mut marked, mut only) = (0, 0);
    for _ in 0..4 {
        let game = random_game(rules, &mut rng);
        let first = game.moves().len().saturating_sub(12);
        let start = Position { rules, state: game.states()[first].clone() };
        let moves = &game.moves()[first..];
        let solution =
            strong::solve(&rules, &[start.state.clone()], &StrongOptions::default(), &Work::unwatched(1))
                .expect("a late position is solved");
        let mut judge = |record: &Record<FiveVisible>| {
            Ok::<_, Infallible>(
                Verdict::of_probe(&rules, &solution, record.state(), Source::Exact).expect("solved"),
            )
        };
        let mut heard = 0;
        let annotation =
            annotate(start, moves, &mut judge, &mut |_| heard += 1).unwrap_or_else(|never| match never {});
        assert!(annotation.is_complete() && heard == annotation.total);
        let mut record = Record::new(Position { rules, state: game.states()[first].clone() });
        for ply in &annotation.plies {
            let Some(mv) = ply.played else { break };
            let before = result(&rules, &solution, &record);
            let chosen = results_of_moves(&rules, &solution, record.state());
            record.play_unchecked(mv);
            let changed = before != result(&rules, &solution, &record);
            assert_eq!(ply.mark(), changed.then_some(Mark::Blunder), "{:?}", record.state());
            let as_good = chosen.iter().filter(|&&result| result == before).count();
            assert_eq!(ply.verdict.only, chosen.len() > 1 && as_good == 1);
            marked += usize::from(changed);
            only += usize::from(ply.verdict.only);
        }
        for side in [Side::First, Side::Second] {
            let spotless = annotation.count(side, Mark::Blunder) == 0;
            assert_eq!(annotation.accuracy(side) == Some(100.0), spotless);
        }
    }
    assert!(marked > 0 && only > 0, "the games show nothing: {marked} {only}");
}

fn random_game(rules: FiveVisible, rng: &mut SplitMix64) -> Record<FiveVisible> {
    let mut record = Record::new(Position { rules, state: rules.start() });
    let mut buffer = Vec::new();
    while record.outcome().is_none() && record.moves().len() < 200 {
        let Some(mv) = rules.random_move(&record.state().clone(), rng, &mut buffer) else { break };
        record.play_unchecked(mv);
    }
    record
}

/// Who wins with best play; `None` for a draw. The oracle: nothing of the crate under test is used.
fn result(
    rules: &FiveVisible,
    solution: &dyn tabia_core::Probe<FiveVisible>,
    record: &Record<FiveVisible>,
) -> Option<Side> {
    result_at(rules, solution, record.state())
}

fn result_at(
    rules: &FiveVisible,
    solution: &dyn tabia_core::Probe<FiveVisible>,
    state: &<FiveVisible as Game>::State,
) -> Option<Side> {
    if let Some(outcome) = rules.settled(state) {
        return outcome.winner();
    }
    let side = rules.side(state);
    match solution.probe(state) {
        Some(Value::Win(_)) => Some(side),
        Some(Value::Loss(_)) => Some(side.other()),
        _ => None,
    }
}

fn results_of_moves(
    rules: &FiveVisible,
    solution: &dyn tabia_core::Probe<FiveVisible>,
    state: &<FiveVisible as Game>::State,
) -> Vec<Option<Side>> {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    let after = |&mv: &<FiveVisible as Game>::Move| {
        let mut next = state.clone();
        rules.play(&mut next, mv);
        result_at(rules, solution, &next)
    };
    moves.iter().map(after).collect()
}
