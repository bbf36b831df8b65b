//! A plain, slow, obviously right generator of moves, and what it proves about the fast one.

use crate::types::{Color, Direction, Kind, Square};
use crate::{Counting, Draughts, Move, State};
use std::collections::BTreeSet;
use tabia_core::{Game, SplitMix64};

/// A move as the rules describe it: all squares touched, and the squares of captured pieces.
type Plain = (Vec<u8>, BTreeSet<u8>);

fn directions(state: &State, from: Square) -> Vec<Direction> {
    let forward = match state.turn() {
        Color::Black => 1,
        Color::White => -1,
    };
    let king = matches!(state.piece(from), Some((_, Kind::King)));
    Direction::ALL.into_iter().filter(|d| king || d.step().0 == forward).collect()
}

fn jump_sequences(state: &State, path: &[Square], captured: &[Square], out: &mut BTreeSet<Plain>) {
    let (from, at) = (path[0], path[path.len() - 1]);
    let mut ended = true;
    for direction in directions(state, from) {
        let (Some(over), Some(land)) = (direction.walk(at, 1), direction.walk(at, 2)) else {
            continue;
        };
        let enemy = state.piece(over).is_some_and(|(color, _)| color != state.turn());
        let free = state.piece(land).is_none() || land == from;
        if enemy && free && !captured.contains(&over) {
            ended = false;
            jump_sequences(state, &[path, &[land]].concat(), &[captured, &[over]].concat(), out);
        }
    }
    if ended && !captured.is_empty() {
        let numbers = |squares: &[Square]| squares.iter().map(|s| s.number()).collect::<Vec<_>>();
        out.insert((numbers(path), numbers(captured).into_iter().collect()));
    }
}

fn plain_moves(state: &State) -> BTreeSet<Plain> {
    let own: Vec<Square> =
        Square::all().filter(|&s| state.piece(s).is_some_and(|(c, _)| c == state.turn())).collect();
    let mut moves = BTreeSet::new();
    for &from in &own {
        jump_sequences(state, &[from], &[], &mut moves);
    }
    if moves.is_empty() {
        for &from in &own {
            for to in directions(state, from).into_iter().filter_map(|d| d.walk(from, 1)) {
                if state.piece(to).is_none() {
                    moves.insert((vec![from.number(), to.number()], BTreeSet::new()));
                }
            }
        }
    }
    moves
}

fn as_plain(mv: Move) -> Plain {
    let captured = crate::bits::squares(mv.captured()).map(Square::number).collect();
    (mv.squares().map(Square::number).collect(), captured)
}

/// The position after a move, piece by piece.
fn plain_play(state: &State, (path, captured): &Plain) -> State {
    let (mut black, mut white, mut kings) = (0, 0, 0);
    let (from, to) = (path[0], path[path.len() - 1]);
    let mut put = |number: u8, color: Color, king: bool| {
        let bit = 1u32 << (number - 1);
        *(if color == Color::Black { &mut black } else { &mut white }) |= bit;
        kings |= if king { bit } else { 0 };
    };
    for square in Square::all() {
        let Some((color, kind)) = state.piece(square) else { continue };
        if square.number() == from {
            let crowned = match color {
                Color::Black => to >= 29,
                Color::White => to <= 4,
            };
            put(to, color, kind == Kind::King || crowned);
        } else if !captured.contains(&square.number()) {
            put(square.number(), color, kind == Kind::King);
        }
    }
    State::new(black, white, kings, state.turn().other()).expect("a legal move leads to a valid position")
}

fn assert_agrees(state: &State) {
    let expected = plain_moves(state);
    let mut moves = Vec::new();
    let rules = Draughts::default();
    rules.moves(state, &mut moves);
    let found: BTreeSet<Plain> = moves.iter().map(|&mv| as_plain(mv)).collect();
    assert_eq!(found.len(), moves.len(), "a move is listed twice in {state:?}");
    assert_eq!(found, expected, "{state:?}");
    assert_eq!(rules.count_moves(state), moves.len() as u64, "{state:?}");
    assert_eq!(rules.outcome(state).is_some(), moves.is_empty(), "{state:?}");
    let mut replies = 0;
    for &mv in &moves {
        let mut next = *state;
        rules.play(&mut next, mv);
        assert_eq!(next, plain_play(state, &as_plain(mv)), "{mv} in {state:?}");
        replies += plain_moves(&next).len() as u64;
    }
    assert_eq!(rules.count_pairs(state, &mut Vec::new()), replies, "{state:?}");
    assert_random_is_listed(&rules, state, &moves);
    let unique = Draughts { counting: Counting::Unique };
    let ends = |(path, captured): &Plain| (path[0], path[path.len() - 1], captured.clone());
    let different: BTreeSet<_> = expected.iter().map(ends).collect();
    moves.clear();
    unique.moves(state, &mut moves);
    assert_eq!(moves.len(), different.len(), "{state:?}");
    assert_eq!(unique.count_moves(state), moves.len() as u64, "{state:?}");
    assert_random_is_listed(&unique, state, &moves);
}

/// A move drawn by lot is the one of the list that the random number says: games are the same again from their seed.
fn assert_random_is_listed(rules: &Draughts, state: &State, moves: &[Move]) {
    let mut rng = SplitMix64::new(state.key().0);
    for _ in 0..4 {
        let expected = moves.get(rng.clone().below(moves.len() as u64) as usize).copied();
        assert_eq!(rules.random_move(state, &mut rng, &mut Vec::new()), expected, "{state:?}");
    }
}

#[test]
fn random_games_agree_with_the_oracle() {
    let rules = Draughts::default();
    let mut rng = SplitMix64::new(11);
    for _ in 0..150 {
        let mut state = rules.start();
        for _ in 0..200 {
            assert_agrees(&state);
            let Some(mv) = rules.random_move(&state, &mut rng, &mut Vec::new()) else { break };
            rules.play(&mut state, mv);
        }
    }
}

#[test]
fn random_placements_agree_with_the_oracle() {
    let mut rng = SplitMix64::new(12);
    for _ in 0..8000 {
        let pieces: [u32; 4] = std::array::from_fn(|_| rng.below(8) as u32);
        if let Some(state) = crate::random::placement(None, pieces, &mut rng) {
            assert_agrees(&State::try_from(state).expect("a random placement is valid"));
        }
    }
}

/// Lone kings among many men: the longest captures there are.
#[test]
fn long_captures_agree_with_the_oracle() {
    let mut rng = SplitMix64::new(13);
    let mut longest = 0;
    for _ in 0..8000 {
        let men = 5 + rng.below(10) as u32;
        let Some(state) = crate::random::placement(Some(Color::Black), [0, men, 1, 0], &mut rng) else {
            continue;
        };
        let state = State::try_from(state).expect("a random placement is valid");
        assert_agrees(&state);
        assert_agrees(&state.turned());
        let mut moves = Vec::new();
        Draughts::default().moves(&state, &mut moves);
        longest = longest.max(moves.iter().map(|mv| mv.captured().count_ones()).max().unwrap_or(0));
    }
    assert!(longest >= 6, "{longest}");
}
