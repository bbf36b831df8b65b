//! The laws of capabilities find bugs: games that have them, with one planted at a time.

mod planted;

use planted::{Bug, Planted};
use tabia_core::{Game, Notation, Value};
use tabia_draughts::{Counting, Draughts};
use tabia_solitaire::Solitaire;
use tabia_testkit::laws::{
    Effort, Verdict, arrange_verdict, features_verdict, files_verdict, game_verdict, index_verdict,
    levels_verdict, line_verdict, puzzle_verdict, search_verdict,
};
use tabia_tic_tac_toe::TicTacToe;

const EFFORT: Effort = Effort { games: 6, plies: 60, seed: 1 };

/// Without a bug no law fails; with each of these, this one.
fn finds<G>(game: &G, verdict: impl Fn(&Planted<G>) -> Verdict, cases: &[(Bug, &str)])
where
    G: Game,
{
    let broken = |bug| verdict(&Planted { game: game.clone(), bug }).err();
    assert_eq!(broken(Bug::None), None);
    for &(bug, law) in cases {
        let found = broken(bug);
        assert_eq!(found.as_ref().map(|violation| violation.law), Some(law), "{bug:?}: {found:?}");
    }
}

#[test]
fn bugs_in_features_are_found() {
    finds(
        &Draughts::default(),
        |game| features_verdict(game, EFFORT),
        &[
            (Bug::WordLeft, "every word of a feature set is written"),
            (Bug::TwoAsOne, "every feature is an input of its own"),
            (Bug::FoldsMixed, "a side sees a position in one fold of the inputs"),
            (Bug::NoSuchFrame, "a side sees the board in one of its ways"),
            (Bug::BoardNotTurned, "exchanging the sides changes nothing for the side to move"),
            (Bug::StartMirrored, "exchanging the sides changes no move"),
        ],
    );
}

#[test]
fn bugs_in_moves_and_numbers_are_found() {
    finds(
        &TicTacToe,
        |game| game_verdict(game, EFFORT, |_| Vec::new()),
        &[
            (Bug::OneNumber, "different moves have different numbers"),
            (Bug::SomeNumbers, "all moves have numbers, or none"),
            (Bug::RandomMoveAfterTheEnd, "a random move is a legal move"),
            (Bug::AnyVariant, "names of no rules are refused"),
        ],
    );
}

#[test]
fn bugs_in_searched_games_are_found() {
    finds(
        &Draughts::default(),
        |game| search_verdict(game, EFFORT),
        &[
            (Bug::Unbounded, "evaluations stay within bounds"),
            (Bug::Moody, "the evaluation follows from the position"),
            (Bug::Weights, "terms at their full weight are the evaluation"),
            (Bug::Window, "inside the window the evaluation is exact"),
            (Bug::WholeWindow, "nothing is outside the whole window"),
            (Bug::NoisyForgets, "noisy moves are listed as they are claimed"),
            (Bug::QuietCaptures, "captures are noisy, all or none"),
        ],
    );
    // No symmetry of tic-tac-toe swaps the sides.
    finds(
        &TicTacToe,
        |game| search_verdict(game, EFFORT),
        &[
            (Bug::FirstsView, "the evaluation is for the side to move"),
            (Bug::Lopsided, "symmetric positions evaluate equally"),
            (Bug::Pass, "passing gives the turn away and does not end the game"),
        ],
    );
}

#[test]
fn bugs_in_numbered_positions_are_found() {
    let rules = Draughts { counting: Counting::Unique };
    finds(
        &rules,
        |game| index_verdict(game, 3, EFFORT),
        &[
            (Bug::Gap, "a position has its own number"),
            (Bug::TooLong, "there is no position beyond the last"),
            (Bug::TooShort, "every number is a position"),
            (Bug::OneSide, "symmetric positions have one number"),
            (Bug::OneName, "slices have different names"),
            (Bug::SuccessorForgotten, "successors are where the moves lead"),
            (Bug::PredecessorForgotten, "moves are found from both ends equally often"),
            (Bug::PredecessorTwice, "moves are found from both ends equally often"),
            (Bug::GroupsReversed, "moves lead to the group or earlier ones"),
            (Bug::GapClaimed, "a gap is no position"),
        ],
    );
}

#[test]
fn bugs_in_levels_are_found() {
    let rules = Draughts::default();
    finds(
        &rules,
        |game| levels_verdict(game, 3, EFFORT),
        &[
            (Bug::LayersReversed, "layers are all groups in their order"),
            (Bug::LevelsReversed, "moves out of a block lead to earlier ones"),
            (Bug::BlockForgotten, "every position is in one block"),
            (Bug::MoveUncounted, "a look sees the moves of the index"),
            (Bug::TellsTwice, "moves inside a block are found from both ends equally often"),
            (Bug::TellsNobody, "moves inside a block are found from both ends equally often"),
        ],
    );
}

#[test]
fn bugs_in_puzzles_are_found() {
    let rules = Solitaire::named("triangle4").unwrap();
    finds(
        &rules,
        |game| puzzle_verdict(game, EFFORT),
        &[
            (Bug::AnyGoal, "an unknown goal is refused"),
            (Bug::AlwaysSolvable, "what is said to be solvable is"),
            (Bug::LineTooShort, "solutions reach the goal"),
            (Bug::NotTheFewest, "no solution has fewer moves than the fewest"),
            (Bug::CountedTwice, "solutions are counted right"),
            (Bug::HintForgotten, "there is a hint for every move"),
            (Bug::HintsTurned, "hints are right"),
            (Bug::LevelsForget, "levels are counted right"),
            (Bug::ListForgets, "the list of solvable positions is right"),
            (Bug::ListTwice, "solvable positions are listed once"),
        ],
    );
}

#[test]
fn bugs_in_game_files_are_found() {
    finds(
        &Draughts::default(),
        |game| files_verdict(game, EFFORT),
        &[
            (Bug::AnyKind, "an unknown kind of file is refused"),
            (Bug::GameForgotten, "as many games are read as were written"),
            (Bug::MoveForgotten, "a game is read with its moves"),
            (Bug::ResultTurned, "a game is read with its result"),
            (Bug::TagForgotten, "a game is read with its tags, where there are tags"),
            (Bug::NumbersFromZero, "games are numbered from 1"),
            (Bug::ReadsOn, "reading stops when it is told to"),
        ],
    );
}

#[test]
fn lines_that_do_not_reach_their_value_are_found() {
    let state = TicTacToe.parse("xx./oo./...").unwrap().state;
    let moves = |words: &[&str]| -> Vec<_> {
        let mut state = state;
        let each = words.iter().map(|word| {
            let mv = TicTacToe.parse_move(&TicTacToe.start(), word).unwrap();
            TicTacToe.play(&mut state, mv);
            mv
        });
        each.collect()
    };
    let broken =
        |words, value| line_verdict(&TicTacToe, &state, &moves(words), value).err().map(|found| found.law);
    assert_eq!(broken(&["c1"], Value::Win(1)), None);
    assert_eq!(broken(&["c3", "c2"], Value::Loss(2)), None);
    assert_eq!(broken(&["c1"], Value::Win(3)), Some("a line is as long as its value says"));
    assert_eq!(broken(&["c1"], Value::Loss(1)), Some("a line reaches its value"));
    assert_eq!(broken(&["c3"], Value::Win(1)), Some("a line reaches its value"));
    assert_eq!(broken(&["c1"], Value::Draw), Some("a line reaches its value"));
    assert_eq!(broken(&["a1"], Value::Win(1)), Some("a line has legal moves"));
}

#[test]
fn bugs_in_setting_up_are_found() {
    let same = "a position taken apart and put together is the same";
    finds(
        &Draughts::default(),
        |game| arrange_verdict(game, EFFORT),
        &[
            (Bug::OneLetter, "no two pieces have the same letter"),
            (Bug::PieceNotOffered, "what stands on the board can be set up"),
            (Bug::SideNotAsked, same),
            (Bug::PieceLost, same),
        ],
    );
}
