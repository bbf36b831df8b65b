//! The shapes in which the public design of 5-Visible speaks about boards: a board view with the
//! hashcode, the next player and the standing stacks, each with an id of the client's own choice.
//!
//! The design's id 9 stands for a player's stash, so stacks have any other id.

use crate::{ErrorKind, InputError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tabia_core::{Game, Notation, Side};
use tabia_five_visible::{FiveVisible, Move, Place, Stack, State, hashcode};

/// The id of a player's own stash.
pub const STASH: i64 = 9;
/// Nobody, where a player could be named.
const NOBODY: u8 = 2;

/// The visible state of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FiveVisibleBoard"))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WireBoard {
    /// The board hashcode; 0 when the game is won.
    pub hashcode: u64,
    /// Who moves next, 0 or 1.
    pub next_player: u8,
    /// Who has won: 0, 1, or 2 for nobody. Ignored in requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// Bricks in the stash of player 0. Ignored in requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bricks0: Option<u8>,
    /// Bricks in the stash of player 1. Ignored in requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bricks1: Option<u8>,
    /// The hashcode of the move that led here. Ignored in requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_move_hashcode: Option<u16>,
    /// The stacks that stand.
    pub stacks: Vec<StackView>,
}

/// A stack on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FiveVisibleStack"))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StackView {
    /// Its name, chosen by the client; never 9.
    pub id: i64,
    /// The stack hashcode.
    pub hashcode: u8,
    /// How many bricks. Ignored in requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u8>,
    /// Whose brick is on top. Ignored in requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<u8>,
    /// Whether a brick may be drawn from it. Ignored in requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_provide: Option<bool>,
}

fn refuse(kind: ErrorKind, input: impl ToString, message: impl Into<String>) -> InputError {
    InputError::new(kind, input.to_string(), message)
}

/// A new game in which this player moves first.
pub fn new_game(first: u8) -> Result<WireBoard, InputError> {
    let rules = FiveVisible::default();
    let wrong = || refuse(ErrorKind::Syntax, first, format!("first-turn is {first}, not 0 or 1"));
    let side = Side::from_index(first.into()).ok_or_else(wrong)?;
    let start = rules.start();
    let state = State::new(start.stacks(), side, start.blocked()).map_err(|_| wrong())?;
    let ids: Vec<i64> = (0..9).collect();
    Ok(view(&rules, &state, &ids, None))
}

/// The board after a move from one stack (or from the stash, 9) to another.
pub fn play(board: &WireBoard, from: i64, to: i64) -> Result<WireBoard, InputError> {
    let rules = FiveVisible::default();
    let mut ids = stack_ids(board)?;
    let state = read(&rules, board)?;
    if to == STASH {
        return Err(refuse(ErrorKind::Illegal, to, "9 is the stash: a brick cannot be put back there"));
    }
    if !ids.contains(&to) {
        ids.push(to);
    }
    let place = |id: i64| ids.iter().position(|known| *known == id).and_then(Place::from_index);
    let unknown = |id: i64| refuse(ErrorKind::Illegal, id, format!("there is no stack {id}"));
    let from = if from == STASH { None } else { Some(place(from).ok_or_else(|| unknown(from))?) };
    let mv = Move { from, to: place(to).ok_or_else(|| unknown(to))? };
    let text = rules.format_move(&state, mv);
    let mut next = state;
    rules.check_move(&state, mv).map_err(|error| refuse(ErrorKind::Illegal, text, error.message))?;
    let code = hashcode::of_move(&rules, &state, mv);
    rules.play(&mut next, mv);
    Ok(view(&rules, &next, &ids, Some(code)))
}

/// A match as the book reads it: who won, and the (board, move) hashcodes of every play. The player to
/// move is not part of a board hashcode; it is whoever can have begun.
pub fn record(winner: u8, plays: &[(u64, u16)]) -> Result<String, InputError> {
    let rules = FiveVisible::default();
    let wrong = |message: String| refuse(ErrorKind::Syntax, winner, message);
    let winner = match winner {
        0 | 1 => serde_json::json!(winner),
        2 => serde_json::json!("draw"),
        _ => return Err(wrong(format!("winner is {winner}, not 0, 1 or 2"))),
    };
    let first = plays.first().ok_or_else(|| wrong("a match has at least one play".to_owned()))?;
    let mut refused = None;
    for side in Side::ALL {
        match replay(&rules, first.0, side, plays) {
            Ok((start, moves)) => {
                return Ok(
                    serde_json::json!({ "start": start, "moves": moves, "winner": winner }).to_string()
                );
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or_else(|| wrong("a match has at least one play".to_owned())))
}

/// The start and the moves of a match in which `side` began.
fn replay(
    rules: &FiveVisible,
    start: u64,
    side: Side,
    plays: &[(u64, u16)],
) -> Result<(String, Vec<String>), InputError> {
    let read = |error| InputError::position(&format!("{start:#x}"), &error);
    let mut state = hashcode::decode_board(rules, start, side).map_err(read)?;
    let text = rules.format(&state);
    let mut moves = Vec::new();
    for (i, &(board, code)) in (1..).zip(plays) {
        let here = hashcode::board(rules, &state).map_err(|error| error.message);
        if here.as_ref() != Ok(&board) {
            let message = format!("play {i} is on the board {board}, but the match stands at {here:?}");
            return Err(refuse(ErrorKind::Invalid, board, message));
        }
        let mv = hashcode::find_move(rules, &state, code).ok_or_else(|| {
            refuse(ErrorKind::Illegal, code, format!("play {i}: {code} is not a move on the board {board}"))
        })?;
        moves.push(rules.format_move(&state, mv));
        rules.play(&mut state, mv);
    }
    Ok((text, moves))
}

fn stack_ids(board: &WireBoard) -> Result<Vec<i64>, InputError> {
    let ids: Vec<i64> = board.stacks.iter().map(|stack| stack.id).collect();
    if ids.contains(&STASH) {
        return Err(refuse(ErrorKind::Invalid, STASH, "a stack has the id 9, which stands for the stash"));
    }
    if ids.iter().collect::<BTreeSet<_>>().len() < ids.len() {
        return Err(refuse(ErrorKind::Invalid, format!("{ids:?}"), "two stacks have the same id"));
    }
    Ok(ids)
}

/// The position of a board view, with its stacks on positions 1, 2, ... in the order of the list.
fn read(rules: &FiveVisible, board: &WireBoard) -> Result<State, InputError> {
    let player = Side::from_index(board.next_player.into()).ok_or_else(|| {
        refuse(
            ErrorKind::Syntax,
            board.next_player,
            format!("next-player is {}, not 0 or 1", board.next_player),
        )
    })?;
    if board.stacks.len() > Place::COUNT {
        return Err(refuse(ErrorKind::Invalid, board.stacks.len(), "there are more than nine stacks"));
    }
    let (mut stacks, mut blocked) = ([Stack::EMPTY; 9], None);
    for (place, stack) in Place::ALL.into_iter().zip(&board.stacks) {
        let code = stack.hashcode;
        let wrong =
            || refuse(ErrorKind::Invalid, code, format!("{code} is not the hashcode of a standing stack"));
        let bricks = Stack::from_code(code & !hashcode::DRAWABLE).filter(|stack| stack.height() > 0);
        stacks[place.index()] = bricks.ok_or_else(wrong)?;
        if code & hashcode::DRAWABLE == 0 && board.stacks.len() >= 3 {
            blocked = Some(place);
        }
    }
    let broken = |errors: Vec<tabia_five_visible::Violation>| {
        let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let message = reasons.join("; ");
        InputError { reasons, ..refuse(ErrorKind::Invalid, board.hashcode, message) }
    };
    let state = State::new(stacks, player, blocked).map_err(broken)?;
    let invalid = |message: String| refuse(ErrorKind::Invalid, board.hashcode, message);
    let code = hashcode::board(rules, &state).map_err(|error| invalid(error.message))?;
    if code != board.hashcode {
        return Err(invalid(format!("the stacks have the hashcode {code}, not {}", board.hashcode)));
    }
    Ok(state)
}

fn view(rules: &FiveVisible, state: &State, ids: &[i64], last: Option<u16>) -> WireBoard {
    let stack = |(place, &id): (Place, &i64)| {
        let (stack, code) = (state.stack(place), hashcode::of_stack(rules, state, place));
        let top = stack.top()?;
        Some(StackView {
            id,
            hashcode: code,
            count: Some(stack.height()),
            top: Some(top.index() as u8),
            can_provide: Some(code & hashcode::DRAWABLE != 0),
        })
    };
    WireBoard {
        hashcode: hashcode::board(rules, state).unwrap_or_default(),
        next_player: state.player().index() as u8,
        winner: Some(state.winner().map_or(NOBODY, |side| side.index() as u8)),
        bricks0: Some(state.stash(Side::First) as u8),
        bricks1: Some(state.stash(Side::Second) as u8),
        last_move_hashcode: last,
        stacks: Place::ALL.into_iter().zip(ids).filter_map(stack).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_can_be_played_through_the_views() {
        let board = new_game(1).expect("a player");
        assert_eq!((board.hashcode, board.next_player, board.stacks.len()), (0x21212525, 1, 4));
        let after = play(&board, STASH, 0).expect("legal");
        assert_eq!((after.next_player, after.bricks1, after.last_move_hashcode), (0, Some(5), Some(0xFF00)));
        let blocked = after.stacks.iter().find(|stack| stack.id == 0).expect("stands");
        assert_eq!((blocked.hashcode, blocked.can_provide), (0x05, Some(false)));
        assert!(play(&after, 0, 2).is_err(), "a blocked stack gives nothing");
        assert!(play(&after, 4, STASH).is_err());
        assert!(play(&after, 77, 3).is_err());
    }

    #[test]
    fn ids_belong_to_the_client() {
        let mut board = new_game(0).expect("a player");
        for stack in &mut board.stacks {
            stack.id += 100;
        }
        let after = play(&board, 102, 105).expect("legal");
        assert!(after.stacks.iter().all(|stack| stack.id > 100));
    }

    #[test]
    fn a_match_is_read_from_its_hashcodes() {
        // Five bricks side by side; player 1 covers nothing.
        let mut board = new_game(0).expect("a player");
        let mut plays = Vec::new();
        for (from, to) in [(STASH, 0), (STASH, 4), (STASH, 1), (STASH, 5), (STASH, 6)] {
            let after = play(&board, from, to).expect("legal");
            plays.push((board.hashcode, after.last_move_hashcode.expect("a move was played")));
            board = after;
        }
        assert_eq!(board.winner, Some(0));
        let json = record(0, &plays).expect("a match");
        assert!(json.contains("\"winner\":0"), "{json}");
        plays[2].0 += 1;
        assert!(record(0, &plays).is_err());
        assert!(record(3, &plays).is_err());
        assert!(record(0, &[]).is_err());
    }

    #[test]
    fn a_board_must_agree_with_its_hashcode() {
        let mut board = new_game(0).expect("a player");
        board.hashcode += 1;
        assert!(play(&board, STASH, 0).is_err());
    }
}
