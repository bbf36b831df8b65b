//! Search against full retrograde values: 5-Visible whole, and the endings of draughts, chess and Arx.
//!
//! The oracle shares no code with the search. Positions are drawn at random for every distance, so that
//! the many trivial ones do not crowd out the deep ones.

use std::collections::{BTreeMap, HashMap};
use tabia_arx::Arx;
use tabia_chess::Chess;
use tabia_core::{Evaluate, Game, Index, Position, Record, Slice, SplitMix64, Spot, Value, Work};
use tabia_draughts::Draughts;
use tabia_five_visible::{FiveVisible, Opening};
use tabia_nnue::{Learned, Net};
use tabia_search::{AlphaBeta, Limits, Question, Score, SearchOptions, Stop};
use tabia_solve::file::Precision;
use tabia_solve::slices::Builder;
use tabia_solve::{code, strong};

/// Distances beyond this are not searched for; such positions must look open.
const MOST: u16 = 11;

/// How many positions to draw, and how far to look.
#[derive(Clone, Copy)]
struct Sample {
    /// Positions of each distance: won or lost in up to three plies, in up to seven, in more.
    near: usize,
    middle: usize,
    far: usize,
    /// Of the far ones only wins, in positions with the fewest moves: every ply costs that factor.
    narrow: bool,
    /// Draws, and what is decided beyond the horizon; plies looked ahead there.
    open: usize,
    open_depth: u16,
    /// The longest distance that each of the [`engines`] is asked for.
    reach: [u16; 4],
}

impl Sample {
    fn quota(&self, value: Value) -> usize {
        match near(value) {
            Some(1..=3) => self.near,
            Some(4..=7) => self.middle,
            Some(_) if self.narrow && matches!(value, Value::Loss(_)) => 0,
            Some(_) => self.far,
            None => self.open,
        }
    }

    /// Draws from all positions, the same ones every time.
    fn draw<G: Game>(&self, game: &G, all: Vec<(G::State, Value)>) -> Vec<(G::State, Value)> {
        let mut classes: BTreeMap<Option<i32>, Vec<(G::State, Value)>> = BTreeMap::new();
        for (state, value) in all {
            classes.entry(near(value).map(|n| i32::from(n) * sign(value))).or_default().push((state, value));
        }
        let mut rng = SplitMix64::new(7);
        let mut drawn = Vec::new();
        for mut class in classes.into_values() {
            let value = class[0].1;
            if self.narrow && near(value) > Some(7) {
                class.sort_by_key(|(state, _)| game.count_moves(state));
                class.truncate(self.far);
            }
            for _ in 0..self.quota(value).min(class.len()) {
                drawn.push(class.swap_remove(rng.below(class.len() as u64) as usize));
            }
        }
        drawn
    }
}

/// The distance, where it lies within the horizon.
fn near(value: Value) -> Option<u16> {
    value.distance().filter(|&distance| distance <= MOST)
}

const fn sign(value: Value) -> i32 {
    if matches!(value, Value::Win(_)) { 1 } else { -1 }
}

struct Engine {
    name: &'static str,
    engine: AlphaBeta,
}

/// Full-width engines: no table, a table, a table so small that it forgets, two threads.
fn engines() -> [Engine; 4] {
    let engine = |name, table_bytes, threads| {
        let options = SearchOptions { table_bytes, threads, selective: false, ..SearchOptions::default() };
        Engine { name, engine: AlphaBeta::new(options).unwrap() }
    };
    [
        engine("no table", 0, 1),
        engine("table", 8 << 20, 1),
        engine("tiny table", 4 << 10, 1),
        engine("two threads", 8 << 20, 2),
    ]
}

/// Searches every position with every engine. The tables are kept from one position to the next: what
/// they remember of earlier searches must be true as well.
fn compare<G: Evaluate>(game: &G, sample: Sample, all: Vec<(G::State, Value)>) -> Vec<(G::State, Value)> {
    let positions = sample.draw(game, all);
    for (Engine { name, mut engine }, reach) in engines().into_iter().zip(sample.reach) {
        for (state, value) in &positions {
            let near = near(*value);
            if near > Some(reach) {
                continue;
            }
            let plies = near.unwrap_or(sample.open_depth);
            let record = Record::new(Position { rules: game.clone(), state: state.clone() });
            let report = engine.search(&record, &Limits::depth(plies.into()), &Stop::new(), |_| ());
            let right = match (report.score, near.map(|_| *value)) {
                (Score::Win(n), Some(Value::Win(m))) | (Score::Loss(n), Some(Value::Loss(m))) => {
                    n == m && report.exact
                }
                // Beyond the horizon; what the table knows may be told all the same.
                (Score::Win(n), None) => *value == Value::Win(n),
                (Score::Loss(n), None) => *value == Value::Loss(n),
                (Score::Draw, None) => *value == Value::Draw,
                (Score::Estimate(_), None) => true,
                _ => false,
            };
            assert!(right, "{name}: found {:?}, expected {value:?} in {}", report.score, game.key(state));
        }
    }
    positions
}

/// Every position that both openings of 5-Visible lead to, by the rules without options.
fn five_visible() -> Vec<(<FiveVisible as Game>::State, Value)> {
    let game = FiveVisible::default();
    let empty = FiveVisible { opening: Opening::Empty, ..game };
    let starts = [game.start(), empty.start()];
    let solution =
        strong::solve(&game, &starts, &strong::StrongOptions::default(), &Work::unwatched(2)).unwrap();
    let value = |(key, code)| (game.unpack(key).unwrap(), code::decode(code));
    solution.entries().map(value).filter(|(state, _)| game.outcome(state).is_none()).collect()
}

#[test]
fn five_visible_is_searched_to_its_retrograde_value() {
    let sample = Sample {
        near: 1000,
        middle: 10,
        far: 1,
        narrow: true,
        open: 100,
        open_depth: 3,
        reach: [5, 11, 5, 8],
    };
    let positions = compare(&FiveVisible::default(), sample, five_visible());
    assert!(positions.len() > 3000, "{}", positions.len());
    let has = |value| positions.iter().any(|(_, other)| *other == value);
    assert!((1..=MOST).all(|plies| has(Value::Win(plies))));
}

#[test]
#[ignore = "long: many thousands of positions of 5-Visible, four engines; a quarter of an hour"]
fn much_of_five_visible_is_searched_to_its_retrograde_value() {
    let sample = Sample {
        near: 10_000,
        middle: 300,
        far: 20,
        narrow: false,
        open: 5000,
        open_depth: 4,
        reach: [7, 11, 7, 11],
    };
    let positions = compare(&FiveVisible::default(), sample, five_visible());
    assert!(positions.len() > 20_000, "{}", positions.len());
}

/// The endings with so many pieces in the slices that `wanted` picks, by their tables. Whatever they lead to is built as well.
fn endings<G: Index>(game: &G, pieces: u32, wanted: impl Fn(&str) -> bool) -> Vec<(G::State, Value)> {
    let mut builder = Builder::new(game, Precision::Distance);
    let mut all = Vec::new();
    for group in game.slice_groups(pieces) {
        let is_wanted =
            |slice: &Slice| game.slice_pieces(*slice) == pieces && wanted(&game.slice_name(*slice));
        if game.slice_pieces(group[0]) == pieces && !group.iter().any(is_wanted) {
            continue;
        }
        for (slice, codes) in group.iter().zip(builder.solve(&group, &Work::unwatched(2)).unwrap()) {
            if is_wanted(slice) {
                let spots = (0..).map(|index| Spot { slice: *slice, index });
                let position = |(spot, &code)| Some((game.position(spot)?, code::decode(code)));
                let open = |(state, _): &(G::State, Value)| game.settled(state).is_none();
                all.extend(spots.zip(&codes).filter_map(position).filter(open));
            }
            builder.keep(*slice, codes);
        }
    }
    all
}

#[test]
fn chess_endings_of_three_men_are_searched_to_their_exact_value() {
    let sample = Sample {
        near: 300,
        middle: 60,
        far: 10,
        narrow: false,
        open: 200,
        open_depth: 3,
        reach: [5, 9, 5, 9],
    };
    let positions = compare(&Chess, sample, endings(&Chess, 3, |_| true));
    assert!(positions.len() > 1000, "{}", positions.len());
}

#[test]
fn arx_endings_of_one_man_are_searched_to_their_exact_value() {
    let sample = Sample {
        near: 200,
        middle: 30,
        far: 5,
        narrow: false,
        open: 100,
        open_depth: 3,
        reach: [3, 7, 5, 7],
    };
    let wanted = ["KCvK", "KvKC", "KDvK", "KSvK", "KvKS"];
    let positions = compare(&Arx, sample, endings(&Arx, 3, |name| wanted.contains(&name)));
    assert!(positions.len() > 500, "{}", positions.len());
}

#[test]
fn some_draughts_endings_of_four_pieces_are_searched_to_their_exact_value() {
    let game = Draughts::default();
    let sample = Sample {
        near: 500,
        middle: 400,
        far: 50,
        narrow: false,
        open: 500,
        open_depth: 5,
        reach: [9, 11, 11, 11],
    };
    let positions =
        compare(&game, sample, endings(&game, 4, |name| ["02v02", "11v02", "02v11"].contains(&name)));
    assert!(positions.len() > 500, "{}", positions.len());
}

#[test]
#[ignore = "long: builds the tables of all endings of four pieces"]
fn all_draughts_endings_of_four_pieces_are_searched_to_their_exact_value() {
    let game = Draughts::default();
    let sample = Sample {
        near: 5000,
        middle: 5000,
        far: 1000,
        narrow: false,
        open: 5000,
        open_depth: 7,
        reach: [11; 4],
    };
    let positions = compare(&game, sample, endings(&game, 4, |_| true));
    assert!(positions.len() > 30_000, "{}", positions.len());
}

/// The share of positions drawn at random in which the network's best move keeps the exact result.
fn share_played_right(nodes: u64, count: usize) -> f64 {
    let game = FiveVisible::default();
    let mut all = five_visible();
    let values: HashMap<u64, Value> = all.iter().map(|(state, value)| (key(&game, state), *value)).collect();
    let net = Net::from_bytes(include_bytes!("../nets/five-visible.net")).unwrap();
    let learned = Learned::new(game, net).unwrap();
    let question = Question { judges: Some(&learned), ..Question::default() };
    let mut engine =
        AlphaBeta::new(SearchOptions { table_bytes: 1 << 20, ..SearchOptions::default() }).unwrap();
    let mut rng = SplitMix64::new(2000);
    let mut right = 0;
    for _ in 0..count {
        let (state, value) = all.swap_remove(rng.below(all.len() as u64) as usize);
        engine.clear();
        let record = Record::new(Position { rules: game, state });
        let report = engine.ask(&record, &question, &Limits::nodes(nodes), &Stop::new(), |_| ());
        let mut after = state;
        game.play(&mut after, report.lines[0].moves[0]);
        let reached = match game.outcome(&after) {
            Some(outcome) => outcome.value_for(game.side(&after)),
            None => values[&key(&game, &after)],
        };
        right += usize::from(class(value) == -class(reached));
    }
    right as f64 / count as f64
}

fn key(game: &FiveVisible, state: &<FiveVisible as Game>::State) -> u64 {
    game.key(&game.canonicalise(state).state).0
}

/// Won, drawn or lost.
const fn class(value: Value) -> i32 {
    match value {
        Value::Win(_) => 1,
        Value::Loss(_) => -1,
        Value::Draw | Value::Unknown => 0,
    }
}

#[test]
fn the_network_of_five_visible_keeps_the_result_in_nearly_all_positions() {
    let share = share_played_right(1000, 2000);
    println!("{:.2} % of 2,000 positions at 1,000 nodes", 100.0 * share);
    assert!(share >= 0.99, "{share}");
}
