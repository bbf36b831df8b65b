//! Checks the claim of a puzzle again, by other means than it was made with: tables, a plain full-width search, or a
//! plain depth-first search. Nothing here knows of evaluations, orderings or pruning.

use super::exact::only_keeper;
use super::record::PuzzleRecord;
use rustc_hash::FxHashMap;
use tabia_core::{Game, Outcome, Present, Probe, Side, Work};
use tabia_solve::dfs::{self, Answer, DfsOptions};

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {reason}")]
pub struct WrongPuzzle {
    /// The position of the puzzle.
    pub position: String,
    /// What is wrong.
    pub reason: String,
}

fn wrong(puzzle: &PuzzleRecord, reason: impl Into<String>) -> WrongPuzzle {
    WrongPuzzle { position: puzzle.position.clone(), reason: reason.into() }
}

/// The position and the move that a puzzle names.
fn read<G: Present>(rules: &G, puzzle: &PuzzleRecord) -> Result<(G, G::State, G::Move), WrongPuzzle> {
    let position = rules.parse(&puzzle.position).map_err(|error| wrong(puzzle, error.to_string()))?;
    let mv = position.rules.parse_move(&position.state, &puzzle.mv);
    let mv = mv.map_err(|error| wrong(puzzle, error.to_string()))?;
    Ok((position.rules, position.state, mv))
}

/// Checks a puzzle against a source of exact values.
pub fn by_values<G: Present>(
    rules: &G,
    values: &dyn Probe<G>,
    puzzle: &PuzzleRecord,
) -> Result<(), WrongPuzzle> {
    let (rules, state, mv) = read(rules, puzzle)?;
    let only = only_keeper(&rules, values, &state).map_err(|error| wrong(puzzle, error.to_string()))?;
    let only = only.ok_or_else(|| wrong(puzzle, "there is not exactly one move that keeps the value"))?;
    if only.mv != mv {
        let right = rules.format_move(&state, only.mv);
        return Err(wrong(puzzle, format!("the move is {right}, not {}", puzzle.mv)));
    }
    let said = (puzzle.value.as_str(), puzzle.plies);
    if said != (only.value.name(), only.plies) {
        let reason =
            format!("the value is {} in {}, not {} in {}", only.value.name(), only.plies, said.0, said.1);
        return Err(wrong(puzzle, reason));
    }
    Ok(())
}

/// Checks a forced win by plain full-width search: the move wins within the plies, not sooner, and no other does.
pub fn by_full_width<G: Present>(rules: &G, puzzle: &PuzzleRecord) -> Result<(), WrongPuzzle> {
    let (rules, state, mv) = read(rules, puzzle)?;
    let attacker = rules.side(&state);
    let mut search = FullWidth { rules: &rules, attacker, known: FxHashMap::default() };
    let after = |mv: G::Move| {
        let mut after = state.clone();
        rules.play(&mut after, mv);
        after
    };
    let left = puzzle.plies.checked_sub(1).ok_or_else(|| wrong(puzzle, "a win takes a ply at least"))?;
    if !search.wins(&after(mv), left) {
        return Err(wrong(puzzle, format!("{} does not win in {} plies", puzzle.mv, puzzle.plies)));
    }
    if left > 0 && search.wins(&after(mv), left - 1) {
        return Err(wrong(puzzle, format!("{} wins in fewer than {} plies", puzzle.mv, puzzle.plies)));
    }
    let mut moves = Vec::new();
    rules.moves(&state, &mut moves);
    for other in moves.into_iter().filter(|other| *other != mv) {
        if search.wins(&after(other), left) {
            let other = rules.format_move(&state, other);
            return Err(wrong(puzzle, format!("{other} wins in {} plies, too", puzzle.plies)));
        }
    }
    Ok(())
}

/// Whether a side can force a win within so many plies: every move of both sides, and a memory of exact positions.
struct FullWidth<'a, G: Game> {
    rules: &'a G,
    attacker: Side,
    /// For each position, the plies within which a win is known and those within which there is none.
    known: FxHashMap<G::Packed, (u32, Option<u32>)>,
}

impl<G: Game> FullWidth<'_, G> {
    fn wins(&mut self, state: &G::State, plies: u32) -> bool {
        if let Some(outcome) = self.rules.settled(state) {
            return outcome == Outcome::Win(self.attacker);
        }
        if plies == 0 {
            return false;
        }
        let key = self.rules.pack(state);
        match self.known.get(&key) {
            Some((_, Some(wins))) if *wins <= plies => return true,
            Some((fails, _)) if *fails >= plies => return false,
            _ => {}
        }
        let mut moves = Vec::new();
        self.rules.moves(state, &mut moves);
        let attacks = self.rules.side(state) == self.attacker;
        // The attacker needs one move that wins, the defender one that does not lose.
        let decided = moves.into_iter().any(|mv| {
            let mut after = state.clone();
            self.rules.play(&mut after, mv);
            self.wins(&after, plies - 1) == attacks
        });
        let wins = decided == attacks;
        let entry = self.known.entry(key).or_insert((0, None));
        if wins {
            entry.1 = Some(entry.1.map_or(plies, |before| before.min(plies)));
        } else {
            entry.0 = entry.0.max(plies);
        }
        wins
    }
}

/// Checks a puzzle for one player by depth-first search: the move leads to the goal, no other does.
pub fn by_depth_first<G: Present>(
    rules: &G,
    puzzle: &PuzzleRecord,
    work: &Work<'_>,
) -> Result<(), WrongPuzzle> {
    let (rules, state, mv) = read(rules, puzzle)?;
    let mut moves = Vec::new();
    rules.moves(&state, &mut moves);
    if moves.len() < 2 {
        return Err(wrong(puzzle, "there is no choice"));
    }
    let goal = |state: &G::State| rules.outcome(state) == Some(Outcome::Win(Side::First));
    for other in moves {
        let mut after = state.clone();
        rules.play(&mut after, other);
        let report = dfs::search(&rules, &after, goal, DfsOptions::default(), work);
        let report = report.map_err(|error| wrong(puzzle, error.to_string()))?;
        let text = rules.format_move(&state, other);
        match (report.answer, other == mv) {
            (Answer::Path(_), true) | (Answer::NoPath, false) => {}
            (Answer::Path(_), false) => return Err(wrong(puzzle, format!("{text} stays solvable, too"))),
            (Answer::NoPath, true) => return Err(wrong(puzzle, format!("{text} is not solvable"))),
            (Answer::GaveUp, _) => return Err(wrong(puzzle, "the search did not come to an end")),
        }
    }
    Ok(())
}
