//! Exact values of games that can be solved whole.

use super::Subject;
use serde::{Deserialize, Serialize};
use tabia_core::{Present, Value, Work};
use tabia_solve::strong::{self, Solution, StrongOptions};
use tabia_solve::{SolveError, code, lines};

/// Positions with a single good move that are told.
const TOLD: usize = 10;
/// Winning takes at least so many plies in those.
const DEEP: u16 = 3;

/// What is known of a solved game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Solved {
    /// Positions up to symmetry: all, and won, drawn and lost ones of the side to move.
    pub(super) positions: [u64; 4],
    /// The value of the start, and plies to the end of a game that is won.
    pub(super) value: String,
    pub(super) distance: Option<u16>,
    /// The longest win, and a position with it.
    pub(super) longest: Option<(u16, String)>,
    /// Won positions by the plies that takes.
    pub(super) wins_by_distance: Vec<u64>,
    /// First moves, with value, distance, and how many are the same by symmetry.
    pub(super) first: Vec<(String, String, Option<u16>, u64)>,
    /// First moves that keep the value, and all.
    pub(super) holding: [u64; 2],
    /// Positions with a single good move: text, move, plies to the win.
    pub(super) only: Vec<(String, String, u16)>,
}

/// Solves the game from its start.
pub(super) fn solve<G: Present>(subject: &Subject<'_, G>, work: &Work<'_>) -> Result<Solved, SolveError> {
    let solution =
        strong::solve(&subject.rules, std::slice::from_ref(&subject.start), &StrongOptions::default(), work)?;
    let mut solved = Solved::default();
    for (_, value) in solution.entries() {
        solved.positions[0] += 1;
        match code::decode(value) {
            Value::Win(plies) => {
                solved.positions[1] += 1;
                let plies = usize::from(plies);
                if solved.wins_by_distance.len() <= plies {
                    solved.wins_by_distance.resize(plies + 1, 0);
                }
                solved.wins_by_distance[plies] += 1;
            }
            Value::Draw => solved.positions[2] += 1,
            Value::Loss(_) => solved.positions[3] += 1,
            Value::Unknown => (),
        }
    }
    start(subject, &solution, &mut solved)?;
    deepest(subject, &solution, &mut solved)?;
    Ok(solved)
}

/// The start and its moves.
fn start<G: Present>(
    subject: &Subject<'_, G>,
    solution: &Solution<G>,
    solved: &mut Solved,
) -> Result<(), SolveError> {
    let (rules, start) = (&subject.rules, &subject.start);
    let value = lines::value_of(rules, solution, start)?.unwrap_or(Value::Unknown);
    (solved.value, solved.distance) = (value.name().to_owned(), value.distance());
    for mv in lines::moves(rules, solution, start)? {
        let same = mv.value.name() == value.name();
        solved.holding[0] += u64::from(same);
        solved.holding[1] += 1;
        if let Some(class) = subject.first_moves.iter().find(|class| class.moves.first() == Some(&mv.mv)) {
            let (name, count) = (mv.value.name().to_owned(), class.moves.len() as u64);
            solved.first.push((class.text.clone(), name, mv.value.distance(), count));
        }
    }
    Ok(())
}

/// The longest wins, and those that a single move keeps.
fn deepest<G: Present>(
    subject: &Subject<'_, G>,
    solution: &Solution<G>,
    solved: &mut Solved,
) -> Result<(), SolveError> {
    let rules = &subject.rules;
    let longest = solved.wins_by_distance.len().saturating_sub(1) as u16;
    for plies in (DEEP..=longest).rev() {
        for (packed, value) in solution.entries().filter(|(_, value)| *value == code::win(plies)) {
            let state = tabia_core::trust::unpack(rules, packed)?;
            if solved.longest.is_none() {
                solved.longest = Some((code::distance(value), rules.format(&state)));
            }
            let moves = lines::moves(rules, solution, &state)?;
            let wins = moves.iter().filter(|mv| matches!(mv.value, Value::Win(_))).count();
            if let Some(best) = moves.first().filter(|_| wins == 1 && moves.len() > 2) {
                solved.only.push((rules.format(&state), rules.format_move(&state, best.mv), plies));
                if solved.only.len() == TOLD {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}
