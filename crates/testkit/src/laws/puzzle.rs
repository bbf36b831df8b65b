//! Laws of puzzles: every answer of the solver against trying everything.

use super::walk::{after, listed, trails};
use super::{Effort, Verdict, Violation, law};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use tabia_core::puzzle::{Answer, LevelOptions, Solvable};
use tabia_core::{Game, Outcome, Present, Puzzle, Side, Stop, Work};

/// Positions that can be reached, at most, where everything is tried.
const MOST_POSITIONS: usize = 500;
/// Positions of a game that are looked at, at most: the last ones, where little is left to try.
const MOST_OF_A_GAME: usize = 6;
/// Solvable positions of a whole board, at most, where all are listed.
const MOST_SOLVABLE: u64 = 5000;
/// Bytes that the solver may use for most answers, and for the list of all solvable positions.
const MEMORY: u64 = 16 << 20;
const LIST_MEMORY: u64 = 1 << 20;
/// Solutions that are looked at one by one, at most.
const MOST_SOLUTIONS: u128 = 500;

/// The first law of puzzles that fails, if one does.
pub fn puzzle_verdict<G: Present + Puzzle>(game: &G, effort: Effort) -> Verdict {
    law("a puzzle has one player", game.players() == 1, || game.players().to_string())?;
    let stop = Stop::new();
    let work = Work { threads: 2, memory: MEMORY, stop: &stop, progress: &|_| {} };
    let mut met = HashSet::new();
    let mut lists = HashMap::new();
    for trail in trails(game, effort) {
        let rules = &trail.rules;
        goals(rules)?;
        let list = match lists.entry(rules.variant()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(all_solvable(rules, &Work { memory: LIST_MEMORY, ..work })?),
        };
        for state in trail.states.iter().rev().take(MOST_OF_A_GAME) {
            let Some(oracle) = Oracle::of(rules, state) else { break };
            if !met.insert((rules.variant(), rules.pack_canonical(state))) {
                continue;
            }
            if let Some(list) = list {
                is_listed(rules, &oracle, list)?;
            }
            Puzzled { rules, state, oracle, work }.check()?;
        }
    }
    law("some positions are small enough to try everything", !met.is_empty(), String::new)
}

fn goals<G: Present + Puzzle>(rules: &G) -> Verdict {
    let name = rules.goal_name();
    let again = rules.with_goal(&name).map(|again| (again.goal_name(), again.variant()));
    law("a goal is read as it is written", again == Ok((name.clone(), rules.variant())), || {
        format!("{name}: {again:?}")
    })?;
    law("an unknown goal is refused", rules.with_goal("no such goal").is_err(), String::new)
}

/// All that can follow from a position: for each, the ways to the goal and the moves of the shortest.
struct Oracle<G: Puzzle> {
    ways: HashMap<G::Packed, (u128, Option<u16>)>,
    /// The positions by the moves that lead there.
    levels: Vec<Vec<G::State>>,
}

impl<G: Present + Puzzle> Oracle<G> {
    /// `None` when there are too many positions.
    fn of(rules: &G, state: &G::State) -> Option<Self> {
        let mut oracle = Oracle { ways: HashMap::new(), levels: vec![vec![state.clone()]] };
        let mut seen = HashSet::from([rules.pack(state)]);
        loop {
            let last = oracle.levels.iter().flatten().count();
            let level = &oracle.levels[oracle.levels.len() - 1];
            let next = level.iter().flat_map(|state| successors(rules, state));
            let next: Vec<_> = next.filter(|state| seen.insert(rules.pack(state))).collect();
            if last + next.len() > MOST_POSITIONS {
                return None;
            }
            if next.is_empty() {
                break;
            }
            oracle.levels.push(next);
        }
        for state in oracle.levels.iter().flatten().rev() {
            let found = oracle.solve(rules, state);
            oracle.ways.insert(rules.pack(state), found);
        }
        Some(oracle)
    }

    fn solve(&self, rules: &G, state: &G::State) -> (u128, Option<u16>) {
        if let Some(outcome) = rules.outcome(state) {
            let solved = outcome == Outcome::Win(Side::First);
            return if solved { (1, Some(0)) } else { (0, None) };
        }
        let after: Vec<_> = successors(rules, state).map(|next| self.at(rules, &next)).collect();
        let shortest = after.iter().filter_map(|(_, moves)| *moves).min();
        (after.iter().map(|(ways, _)| ways).sum(), shortest.map(|moves| moves + 1))
    }

    fn at(&self, rules: &G, state: &G::State) -> (u128, Option<u16>) {
        self.ways.get(&rules.pack(state)).copied().unwrap_or_default()
    }

    fn solvable(&self, rules: &G, state: &G::State) -> Solvable {
        if self.at(rules, state).0 > 0 { Solvable::Solvable } else { Solvable::Unsolvable }
    }

    /// Every solution from a position.
    fn lines(&self, rules: &G, state: &G::State) -> Vec<Vec<G::Move>> {
        if rules.outcome(state).is_some() {
            return vec![Vec::new()];
        }
        let mut lines = Vec::new();
        for mv in listed(rules, state) {
            let next = after(rules, state, mv);
            if self.at(rules, &next).0 > 0 {
                lines.extend(self.lines(rules, &next).into_iter().map(|line| [vec![mv], line].concat()));
            }
        }
        lines
    }
}

fn successors<G: Present>(rules: &G, state: &G::State) -> impl Iterator<Item = G::State> {
    listed(rules, state).into_iter().map(move |mv| after(rules, state, mv))
}

/// A position, the solver's means, and the truth.
struct Puzzled<'a, G: Puzzle> {
    rules: &'a G,
    state: &'a G::State,
    oracle: Oracle<G>,
    work: Work<'a>,
}

impl<G: Present + Puzzle> Puzzled<'_, G> {
    fn check(&self) -> Verdict {
        let any = self.rules.solve(self.state, &self.work);
        let fewest = self.rules.solve_fewest(self.state, &self.work);
        self.answer(&any)?;
        self.answer(&fewest)?;
        self.fewest(&any, &fewest)?;
        self.count()?;
        self.hints()?;
        self.levels(false)?;
        self.levels(true)
    }

    fn text(&self) -> String {
        format!("{} to {}", self.rules.format(self.state), self.rules.goal_name())
    }

    fn answer(&self, answer: &Answer<G::Move>) -> Verdict {
        let truth = self.oracle.solvable(self.rules, self.state);
        let honest = answer.value == truth || answer.value == Solvable::Unknown;
        law("what is said to be solvable is", honest, || {
            format!("{}: {} by {}", self.text(), answer.value.name(), answer.method)
        })?;
        let mut state = self.state.clone();
        for &mv in &answer.line {
            let verdict = self.rules.check_move(&state, mv);
            law("solutions have legal moves", verdict.is_ok(), || {
                format!("{}: {mv:?}: {verdict:?}", self.text())
            })?;
            state = after(self.rules, &state, mv);
        }
        let solved = self.rules.outcome(&state) == Some(Outcome::Win(Side::First));
        law("solutions reach the goal", solved == (answer.value == Solvable::Solvable), || {
            format!("{}: {} with {:?}", self.text(), answer.value.name(), answer.line)
        })?;
        let groups = self.rules.group(self.state, &answer.line).len();
        let sensible = groups <= answer.line.len() && (groups == 0) == answer.line.is_empty();
        law("moves as people count them are made of moves", sensible, || format!("{}: {groups}", self.text()))
    }

    fn fewest(&self, any: &Answer<G::Move>, fewest: &Answer<G::Move>) -> Verdict {
        let groups = |line: &[G::Move]| self.rules.group(self.state, line).len();
        let ways = self.oracle.at(self.rules, self.state).0;
        if !fewest.fewest || fewest.value != Solvable::Solvable {
            return Ok(());
        }
        let lines =
            if ways <= MOST_SOLUTIONS { self.oracle.lines(self.rules, self.state) } else { Vec::new() };
        let least = lines.iter().chain([&any.line]).map(|line| groups(line)).min().unwrap_or_default();
        law("no solution has fewer moves than the fewest", groups(&fewest.line) <= least, || {
            format!("{}: {} moves, but {least} are enough", self.text(), groups(&fewest.line))
        })
    }

    fn count(&self) -> Verdict {
        let counted = self.rules.count_solutions(self.state, &self.work).solutions;
        let ways = self.oracle.at(self.rules, self.state).0;
        law("solutions are counted right", counted.is_none_or(|counted| counted == ways), || {
            format!("{}: {counted:?}, there are {ways}", self.text())
        })
    }

    fn hints(&self) -> Verdict {
        let hints = self.rules.hints(self.state, &self.work);
        let moves: HashSet<_> = hints.iter().map(|(mv, _)| *mv).collect();
        let all = moves.len() == hints.len() && moves == listed(self.rules, self.state).into_iter().collect();
        law("there is a hint for every move", all, || format!("{}: {hints:?}", self.text()))?;
        for (mv, hint) in hints {
            let truth = self.oracle.solvable(self.rules, &after(self.rules, self.state, mv));
            law("hints are right", hint == truth || hint == Solvable::Unknown, || {
                format!("{}: {mv:?} is {}", self.text(), hint.name())
            })?;
        }
        Ok(())
    }

    fn levels(&self, symmetry: bool) -> Verdict {
        let options = LevelOptions { symmetry, depth: None, dead_ends: true, solvable: true };
        let Some(levels) = self.rules.levels(self.state, options, &self.work, &mut |_| {}) else {
            return Ok(());
        };
        let counted = levels.levels.iter().map(|level| (level.positions, level.dead_ends, level.solvable));
        let truth = self.oracle.levels.iter().map(|level| {
            let mut seen = HashSet::new();
            let one_of_each = |state: &&G::State| !symmetry || seen.insert(self.rules.pack_canonical(state));
            let level: Vec<_> = level.iter().filter(one_of_each).collect();
            let count = |wanted: &dyn Fn(&G::State) -> bool| {
                level.iter().filter(|state| wanted(state)).count() as u64
            };
            let dead = count(&|state| self.rules.outcome(state).is_some());
            let solvable = count(&|state| self.oracle.at(self.rules, state).0 > 0);
            (level.len() as u64, Some(dead), Some(solvable))
        });
        let (counted, truth): (Vec<_>, Vec<_>) = (counted.collect(), truth.collect());
        law("levels are counted right", counted == truth || !levels.complete, || {
            format!("{}, symmetry {symmetry}: {counted:?} for {truth:?}", self.text())
        })
    }
}

/// The solvable positions of the whole board with the moves to the goal, where they can be listed.
type List<G> = HashMap<<G as Game>::Packed, u16>;

fn all_solvable<G: Puzzle>(rules: &G, work: &Work<'_>) -> Result<Option<List<G>>, Violation> {
    let (mut found, mut twice) = (HashMap::new(), None);
    let listed = rules.solvable_positions(MOST_SOLVABLE, work, &mut |state, moves| {
        if found.insert(rules.pack_canonical(&state), moves).is_some() {
            twice = Some(rules.format(&state));
        }
    });
    law("solvable positions are listed once", twice.is_none(), || twice.clone().unwrap_or_default())?;
    Ok(listed.is_ok().then_some(found))
}

fn is_listed<G: Present + Puzzle>(rules: &G, oracle: &Oracle<G>, list: &List<G>) -> Verdict {
    for state in oracle.levels.iter().flatten() {
        let (told, moves) = (list.get(&rules.pack_canonical(state)).copied(), oracle.at(rules, state).1);
        law("the list of solvable positions is right", told == moves, || {
            format!("{}: {told:?} for {moves:?} moves", rules.format(state))
        })?;
    }
    Ok(())
}
