//! Search that knows endings: draughts with up to three pieces.

mod common;

use common::solved::solve_all;
use common::{assert_sound, record};
use std::collections::HashMap;
use tabia_core::{Game, Notation, Outcome, Probe, SplitMix64, Value};
use tabia_draughts::{Draughts, Move, State};
use tabia_search::{AlphaBeta, Limits, Question, Score, SearchOptions, Stop};

/// Values of positions with at most so many pieces, some of them with their distances.
struct Tables<'a> {
    values: &'a HashMap<State, Value>,
    pieces: u32,
    /// The most pieces of positions whose distances are known.
    distances: u32,
}

impl Probe<Draughts> for Tables<'_> {
    fn probe(&self, state: &State) -> Option<Value> {
        let pieces = (state.black() | state.white()).count_ones();
        if pieces > self.pieces {
            return None;
        }
        Some(match *self.values.get(state)? {
            Value::Win(_) if pieces > self.distances => Value::Win(0),
            Value::Loss(_) if pieces > self.distances => Value::Loss(0),
            value => value,
        })
    }

    fn has_distances(&self) -> bool {
        self.distances >= self.pieces
    }
}

fn rules() -> Draughts {
    Draughts::default()
}

fn solved() -> HashMap<State, Value> {
    let starts = ["B:WK32,K29:BK1", "W:W30,K14:BK3"].map(|fen| rules().parse(fen).unwrap().state);
    solve_all(&rules(), &starts)
}

/// Some of the positions that are not over, always the same.
fn sample(values: &HashMap<State, Value>, count: usize) -> Vec<(State, Value)> {
    let mut all: Vec<_> = values.iter().filter(|(state, _)| rules().outcome(state).is_none()).collect();
    all.sort_by_key(|(state, _)| rules().pack(state));
    let mut rng = SplitMix64::new(3);
    (0..count).map(|_| all[rng.below(all.len() as u64) as usize]).map(|(s, v)| (*s, *v)).collect()
}

fn engine(selective: bool) -> AlphaBeta {
    AlphaBeta::new(SearchOptions { table_bytes: 1 << 20, selective, ..SearchOptions::default() }).unwrap()
}

fn after(state: &State, mv: Move) -> State {
    let mut next = *state;
    rules().play(&mut next, mv);
    next
}

/// The move that holds out longest.
fn best_defence(values: &HashMap<State, Value>, state: &State) -> Move {
    let mut moves = Vec::new();
    rules().moves(state, &mut moves);
    let worth = |mv: &Move| values[&after(state, *mv)].one_ply_earlier().rank();
    moves.into_iter().max_by_key(worth).unwrap()
}

/// Plays a won position against the best defence; what became of it, and in how many plies.
fn play_out(
    tables: &Tables<'_>,
    engine: &mut AlphaBeta,
    state: &State,
    depth: u32,
) -> (Option<Outcome>, usize) {
    let (winner, mut record) = (rules().side(state), record(&rules(), state));
    while record.outcome().is_none() {
        let mv = if rules().side(record.state()) == winner {
            let question = Question { known: Some(tables), ..Question::default() };
            engine.ask(&record, &question, &Limits::depth(depth), &Stop::new(), |_| ()).best()
        } else {
            Some(best_defence(tables.values, record.state()))
        };
        record.play(mv.unwrap()).unwrap();
    }
    (record.outcome(), record.moves().len())
}

#[test]
fn won_endings_are_won_as_quickly_as_possible_against_the_best_defence() {
    let values = solved();
    let tables = Tables { values: &values, pieces: 3, distances: 3 };
    let mut engine = engine(true);
    let mut played = 0;
    for (state, value) in sample(&values, 400) {
        let Value::Win(plies) = value else { continue };
        let won = (Some(Outcome::Win(rules().side(&state))), usize::from(plies));
        assert_eq!(play_out(&tables, &mut engine, &state, 4), won, "{state:?}");
        played += 1;
    }
    assert!(played > 100, "{played}");
}

/// A root of which only the winner is known: what the tables know exactly below it is seen far beyond the depth.
#[test]
fn distances_of_small_endings_finish_what_tables_of_larger_ones_hold() {
    const DEPTH: u32 = 4;
    let values = solved();
    let far = |distances| {
        let tables = Tables { values: &values, pieces: 3, distances };
        let question = Question { known: Some(&tables), ..Question::default() };
        let mut far = 0;
        for (state, value) in sample(&values, 2000) {
            let (true, Value::Win(plies)) = ((state.black() | state.white()).count_ones() == 3, value) else {
                continue;
            };
            let record = record(&rules(), &state);
            let report = engine(false).ask(&record, &question, &Limits::depth(DEPTH), &Stop::new(), |_| ());
            if let Score::Win(seen) = report.score {
                assert!(seen >= plies, "{state:?} is won in {plies}, not in {seen}");
                far += usize::from(u32::from(seen) > DEPTH);
            }
        }
        far
    };
    // Forced replies are followed beyond the depth without any table, too.
    let (alone, with) = (far(0), far(2));
    assert!(with > alone, "{with} with distances, {alone} without");
}

#[test]
fn a_known_position_is_answered_at_once_with_its_whole_line() {
    let values = solved();
    let tables = Tables { values: &values, pieces: 3, distances: 3 };
    let question = Question { known: Some(&tables), ..Question::default() };
    for (state, value) in sample(&values, 100) {
        let report =
            engine(true).ask(&record(&rules(), &state), &question, &Limits::depth(9), &Stop::new(), |_| ());
        assert_sound(&report, value, &format!("{state:?}"));
        assert!(report.exact && report.nodes < 100, "{state:?}: {report:?}");
        assert!(report.pv().len() >= usize::from(value.distance().unwrap_or(1)), "{state:?}: {report:?}");
    }
}

#[test]
fn tables_of_fewer_pieces_or_without_distances_never_mislead() {
    let values = solved();
    for (pieces, distances) in [(2, 2), (2, 0), (3, 0), (3, 2)] {
        let tables = Tables { values: &values, pieces, distances };
        let question = Question { known: Some(&tables), ..Question::default() };
        let (mut pruning, mut full) = (engine(true), engine(false));
        for (state, value) in sample(&values, 60) {
            for engine in [&mut pruning, &mut full] {
                engine.clear();
                let report =
                    engine.ask(&record(&rules(), &state), &question, &Limits::depth(6), &Stop::new(), |_| ());
                assert_sound(&report, value, &format!("{state:?}"));
                let kept = values[&after(&state, report.best().unwrap())].one_ply_earlier();
                let known = pieces == 3 || report.exact;
                assert!(!known || kept.name() == value.name(), "{state:?}: {value:?} became {kept:?}");
            }
        }
    }
}
