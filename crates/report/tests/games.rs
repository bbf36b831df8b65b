//! How many games there are: the estimate by random descents beside the exact number, which is counted through a table of
//! positions.

use rustc_hash::FxHashMap;
use tabia_core::{Game, Notation, Position, Work};
use tabia_report::profile::{Request, Subject, profile};
use tabia_solitaire::Solitaire;
use tabia_tic_tac_toe::TicTacToe;

/// The sequences of moves from a position until there is none; symmetric positions have equally many.
fn games<G: Game>(rules: &G, state: &G::State, known: &mut FxHashMap<G::Packed, u128>) -> u128 {
    let state = rules.canonicalise(state).state;
    let packed = rules.pack(&state);
    if let Some(&games) = known.get(&packed) {
        return games;
    }
    let mut moves = Vec::new();
    rules.moves(&state, &mut moves);
    let mut sum = u128::from(moves.is_empty());
    for mv in moves {
        let mut after = state.clone();
        rules.play(&mut after, mv);
        sum += games(rules, &after, known);
    }
    known.insert(packed, sum);
    sum
}

fn board(name: &str) -> Solitaire {
    Solitaire::named(name).unwrap()
}

fn exact<G: Game>(rules: &G) -> u128 {
    games(rules, &rules.start(), &mut FxHashMap::default())
}

#[test]
fn tables_count_the_published_numbers() {
    assert_eq!(exact(&TicTacToe), 255_168);
    // Bill Butler, "15-hole peg solitaire", durangobill.com.
    assert_eq!(exact(&board("triangle5")), 568_630);
}

/// The triangle of 21 holes from each of its vacancies. Not seen published.
const TRIANGLE: [(&str, u128); 5] = [
    ("./oo/ooo/oooo/ooooo/oooooo", 394_999_872_560),
    ("o/.o/ooo/oooo/ooooo/oooooo", 708_705_108_578),
    ("o/oo/.oo/oooo/ooooo/oooooo", 986_566_545_013),
    ("o/oo/o.o/oooo/ooooo/oooooo", 254_097_562_320),
    ("o/oo/ooo/o.oo/ooooo/oooooo", 2_192_940_463_788),
];

#[test]
fn tables_count_the_games_of_the_triangle_of_21_holes() {
    for (text, number) in TRIANGLE {
        let Position { rules, state } = board("triangle6").parse(text).unwrap();
        assert_eq!(games(&rules, &state, &mut FxHashMap::default()), number, "{text}");
    }
}

#[test]
#[ignore = "a minute and 2 GB"]
fn tables_count_the_published_number_of_the_english_board() {
    // Bill Butler, "33 hole peg solitaire", durangobill.com.
    assert_eq!(exact(&board("english")), 577_116_156_815_309_849_672);
}

#[test]
fn descents_estimate_what_tables_count() {
    let mut covered = 0;
    for (text, number) in TRIANGLE {
        let start = board("triangle6").parse(text).unwrap();
        let truth = (number as f64).log10();
        for seed in 1..=5 {
            let request = Request { seed, effort: "tree=5".parse().unwrap(), ..Request::default() };
            let found = profile(&Subject::new(start.clone(), None), &request, &Work::unwatched(1)).unwrap();
            let size = found.figure("tree.games").unwrap().reading;
            covered += u32::from(size.low.unwrap() <= truth && truth <= size.high.unwrap());
        }
    }
    assert!(covered >= 21, "{covered} of 25 intervals of 95 % cover the number");
}
