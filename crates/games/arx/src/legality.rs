//! Why a move is not legal: a particular reason for each kind of mistake.

use crate::bits::bit;
use crate::reach::reach;
use crate::types::side_name;
use crate::{Kind, Move, Pile, Square, State, movegen};
use tabia_core::{RuleError, Side};

/// Accepts exactly the legal moves.
pub(crate) fn check(state: &State, mv: Move) -> Result<(), RuleError> {
    reason(state, mv).map_or(Ok(()), |message| Err(RuleError::new(message)))
}

/// What is wrong with a move; `None` when nothing is.
fn reason(state: &State, mv: Move) -> Option<String> {
    let (from, to) = (mv.from(), mv.to());
    let (here, there) = (state.pile(from), state.pile(to));
    let side = state.side();
    over(state)
        .or_else(|| wrong_start(side, from, here))
        .or_else(|| (from == to).then(|| format!("a move from {from} to itself moves nothing")))
        .or_else(|| {
            let single = mv.unstack() && !here.is_stack();
            single.then(|| format!("{from} holds a single piece: there is no stack to leave"))
        })
        .or_else(|| own_target(here, to, there, mv.unstack()))
        .or_else(|| out_of_reach(state, mv, here))
}

fn over(state: &State) -> Option<String> {
    if let Some(&side) = Side::ALL.iter().find(|&&side| state.king(side) == 0) {
        return Some(format!("the game is over: {} has no King", side_name(side)));
    }
    (movegen::count(state) == 0).then(|| "the game is over: a draw".to_owned())
}

fn wrong_start(side: Side, from: Square, here: Pile) -> Option<String> {
    match here.side() {
        None => Some(format!("{from} is empty")),
        Some(owner) if owner != side => {
            Some(format!("it is {}'s turn, and {from} is {}'s", side_name(side), side_name(owner)))
        }
        Some(_) => None,
    }
}

/// What own pieces on the target allow: a single piece onto a single piece, no Kings.
fn own_target(here: Pile, to: Square, there: Pile, unstack: bool) -> Option<String> {
    if there.side() != here.side() {
        return None;
    }
    if here.is_king() {
        Some(format!("the King cannot step onto its own piece on {to}: Kings are never stacked"))
    } else if there.is_king() {
        Some(format!("nothing can be stacked onto the own King on {to}"))
    } else if here.is_stack() && !unstack {
        Some(format!("a whole stack cannot land on the own piece on {to}"))
    } else if there.is_stack() {
        Some(format!("the own stack on {to} is full"))
    } else {
        None
    }
}

/// Geometry: the piece does not move like that at all, or something stands in between.
fn out_of_reach(state: &State, mv: Move, here: Pile) -> Option<String> {
    let (from, to) = (mv.from(), mv.to());
    let movers = || here.top().into_iter().chain(here.bottom().filter(|_| !mv.unstack()));
    let reaches = |occupied| {
        movers().any(|kind| reach(kind, state.side(), from.index(), occupied) & bit(to.index()) != 0)
    };
    if reaches(state.occupied()) {
        return None;
    }
    let names: Vec<_> = movers().map(Kind::name).collect();
    let names = names.join(" or ");
    Some(if reaches(0) {
        match first_between(state, from, to) {
            Some(square) => format!("the way of the {names} from {from} to {to} is blocked on {square}"),
            None => format!("the way of the {names} from {from} to {to} is blocked"),
        }
    } else {
        format!("a {names} does not move from {from} to {to}")
    })
}

/// The first piece met on a straight way.
fn first_between(state: &State, from: Square, to: Square) -> Option<Square> {
    let step = |a: usize, b: usize| (b as isize - a as isize).signum();
    let (down, right) = (step(from.row(), to.row()), step(from.column(), to.column()));
    let at = |n: isize| {
        let row = from.row().checked_add_signed(down * n)?;
        Square::at(row, from.column().checked_add_signed(right * n)?)
    };
    (1..Square::SIDE as isize).map_while(at).take_while(|&s| s != to).find(|&s| !state.pile(s).is_empty())
}
