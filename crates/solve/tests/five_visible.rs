//! 5-Visible solved twice: by the strong solver, and by the plainest algorithm there is.

use std::collections::HashMap;
use tabia_core::{Game, Probe, Value, Work};
use tabia_five_visible::{FiveVisible, Opening, RuleOptions as Rules};
use tabia_solve::strong::{Method, Solution, StrongOptions, solve};
use tabia_solve::{SolveError, code};

fn openings(options: Rules) -> (FiveVisible, Vec<<FiveVisible as Game>::State>) {
    let game = |opening| FiveVisible { opening, options, ..FiveVisible::default() };
    (game(Opening::Four), vec![game(Opening::Four).start(), game(Opening::Empty).start()])
}

fn solved(options: Rules, method: Method) -> Solution<FiveVisible> {
    let (game, starts) = openings(options);
    let how = StrongOptions { method, ..StrongOptions::default() };
    solve(&game, &starts, &how, &Work::unwatched(2)).unwrap()
}

/// Every position with its children in plain lists; rounds over all of them until nothing changes.
fn plainly(game: &FiveVisible, starts: &[<FiveVisible as Game>::State]) -> HashMap<[u8; 8], Value> {
    let mut numbers: HashMap<[u8; 8], usize> = HashMap::new();
    let mut states = Vec::new();
    for start in starts {
        numbers.entry(game.pack(start)).or_insert_with(|| {
            states.push(*start);
            states.len() - 1
        });
    }
    let mut children: Vec<Vec<usize>> = Vec::new();
    let mut moves = Vec::new();
    while children.len() < states.len() {
        let state = states[children.len()];
        moves.clear();
        game.moves(&state, &mut moves);
        let mut list = Vec::new();
        for &mv in &moves {
            let mut next = state;
            game.play(&mut next, mv);
            list.push(*numbers.entry(game.pack(&next)).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            }));
        }
        children.push(list);
    }
    let end =
        |state| game.outcome(state).map_or(Value::Unknown, |outcome| outcome.value_for(game.side(state)));
    let mut values: Vec<Value> = states.iter().map(end).collect();
    for plies in 1.. {
        let mut next = values.clone();
        for (at, list) in children.iter().enumerate().filter(|(at, _)| values[*at] == Value::Unknown) {
            if list.iter().any(|&child| matches!(values[child], Value::Loss(_))) {
                next[at] = Value::Win(plies);
            } else if list.iter().all(|&child| matches!(values[child], Value::Win(_))) {
                next[at] = Value::Loss(plies);
            }
        }
        if next == values {
            break;
        }
        values = next;
    }
    let settle = |value| if value == Value::Unknown { Value::Draw } else { value };
    numbers.into_iter().map(|(key, number)| (key, settle(values[number]))).collect()
}

fn compare(options: Rules) {
    let (game, starts) = openings(options);
    let plain = plainly(&game, &starts);
    let solution = solved(options, Method::Graph);
    assert_eq!(solution.len(), plain.len(), "{}", game.variant());
    for (key, code) in solution.entries() {
        assert_eq!(plain[key], code::decode(code), "{key:02x?} of {}", game.variant());
    }
}

#[test]
fn many_threads_agree_with_one() {
    let (game, starts) = openings(Rules::default());
    let entries = |threads| {
        let solution = solve(&game, &starts, &StrongOptions::default(), &Work::unwatched(threads)).unwrap();
        solution.entries().map(|(key, code)| (*key, code)).collect::<Vec<_>>()
    };
    assert_eq!(entries(8), entries(1));
}

#[test]
fn the_plain_algorithm_agrees_everywhere() {
    compare(Rules::default());
}

#[test]
fn both_openings_are_as_documented() {
    let solution = solved(Rules::default(), Method::Graph);
    let (_, starts) = openings(Rules::default());
    assert_eq!(solution.len(), 310_227);
    let values: Vec<_> = starts.iter().map(|start| solution.probe(start)).collect();
    assert_eq!(values, [Some(Value::Draw); 2]);
}

/// The limit is noticed soon after it is passed, however wide the game is.
#[test]
fn memory_is_not_passed_by_far() {
    let (game, starts) = openings(Rules::default());
    for memory in [1 << 20, 4 << 20] {
        let work = Work { memory, ..Work::unwatched(1) };
        let Err(SolveError::Memory { positions, per_position, limit }) =
            solve(&game, &starts, &StrongOptions::default(), &work)
        else {
            panic!("{memory} bytes cannot be enough");
        };
        assert_eq!(limit, memory);
        assert!(positions * per_position < 2 * memory, "{positions} of {per_position} bytes");
    }
}

#[test]
#[ignore = "long: every option of the rules, solved in three ways"]
fn every_option_agrees_in_three_ways() {
    for bits in 0..8u8 {
        let options =
            Rules { put_back: bits & 1 != 0, lone_wander: bits & 2 != 0, no_three_stacks: bits & 4 != 0 };
        compare(options);
        let (graph, passes) = (solved(options, Method::Graph), solved(options, Method::Passes));
        assert!(graph.entries().eq(passes.entries()));
    }
}
