//! A game that is solved: the solver itself says where the marks belong.

use std::collections::HashSet;
use std::convert::Infallible;
use tabia_core::{Game, Position, Record, Side, SplitMix64, Value, Work};
use tabia_five_visible::FiveVisible;
use tabia_report::{Mark, Source, Verdict, annotate};
use tabia_solve::strong::{self, StrongOptions};

/// Random games from the start, looked at by the solver.
#[test]
fn marks_stand_exactly_where_the_value_changes() {
    let rules = FiveVisible::default();
    let solution = strong::solve(&rules, &[rules.start()], &StrongOptions::default(), &Work::unwatched(2))
        .expect("5-Visible is solved in seconds");
    let mut rng = SplitMix64::new(18);
    let (mut marked, mut only) = (0, 0);
    for _ in 0..20 {
        let game = random_game(rules, &mut rng);
        let start = Position { rules, state: rules.start() };
        let mut judge = |record: &Record<FiveVisible>| {
            Ok::<_, Infallible>(
                Verdict::of_probe(&rules, &solution, record.state(), Source::Exact).expect("solved"),
            )
        };
        let mut heard = 0;
        let annotation = annotate(start, game.moves(), &mut judge, &mut |_| heard += 1)
            .unwrap_or_else(|never| match never {});
        assert!(annotation.is_complete() && heard == annotation.total);
        for (ply, state) in annotation.plies.iter().zip(game.states()) {
            let Some(mv) = ply.played else { break };
            let before = result(&rules, &solution, state);
            let mut after = *state;
            rules.play(&mut after, mv);
            let changed = before != result(&rules, &solution, &after);
            assert_eq!(ply.mark(), changed.then_some(Mark::Blunder), "{state:?}");
            let chosen = results_of_moves(&rules, &solution, state);
            let (as_good, worse): (Vec<_>, Vec<_>) = chosen.iter().partition(|(_, result)| *result == before);
            let classes: HashSet<_> = as_good.iter().map(|(class, _)| *class).collect();
            assert_eq!(ply.verdict.only, !worse.is_empty() && classes.len() == 1, "{state:?}");
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
        let Some(mv) = rules.random_move(record.state(), rng, &mut buffer) else { break };
        record.play_unchecked(mv);
    }
    record
}

/// Who wins with best play; `None` for a draw. The oracle: nothing of the crate under test is used.
fn result(
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

/// The class of positions that each move leads to, and who wins there.
fn results_of_moves(
    rules: &FiveVisible,
    solution: &dyn tabia_core::Probe<FiveVisible>,
    state: &<FiveVisible as Game>::State,
) -> Vec<(<FiveVisible as Game>::Packed, Option<Side>)> {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    let after = |&mv: &<FiveVisible as Game>::Move| {
        let mut next = *state;
        rules.play(&mut next, mv);
        (rules.pack_canonical(&next), result(rules, solution, &next))
    };
    moves.iter().map(after).collect()
}
