//! Questions of the puzzle trait, each handed to the cheapest method that can answer it.

use crate::solver::beam::{Beam, Found};
use crate::solver::fewest::Fewest;
use crate::solver::layout::Layout;
use crate::solver::oracle::Oracle;
use crate::solver::regions::Regions;
use crate::solver::solvable::{Between, Problem};
use crate::solver::span::Span;
use crate::solver::{all, count, levels};
use crate::symmetry::Group;
use crate::{Jump, Solitaire, State, chain, goal_text, parse_goal};
use tabia_core::Work;
use tabia_core::puzzle::{Answer, Count, LevelOptions, Levels, PuzzleLevel, Solvable};
use tabia_core::{Game, PositionError, Puzzle};

/// Levels of a first quick search hold this many positions, and a second one's.
const WIDTHS: [usize; 2] = [250, 4000];

/// Bytes a position of a level takes in a search for one solution.
const BEAM_BYTES: u64 = 64;

impl Puzzle for Solitaire {
    fn with_goal(&self, text: &str) -> Result<Self, PositionError> {
        parse_goal(self, text).map(|goal| self.with(goal))
    }

    fn goal_name(&self) -> String {
        goal_text(self, self.goal())
    }

    fn solve(&self, state: &State, work: &Work<'_>) -> Answer<Jump> {
        Question::new(self, *state).solve(work)
    }

    fn solve_fewest(&self, state: &State, work: &Work<'_>) -> Answer<Jump> {
        Question::new(self, *state).solve_fewest(work)
    }

    fn count_solutions(&self, state: &State, work: &Work<'_>) -> Count {
        Question::new(self, *state).count(work)
    }

    fn hints(&self, state: &State, work: &Work<'_>) -> Vec<(Jump, Solvable)> {
        Question::new(self, *state).hints(work)
    }

    fn levels(
        &self,
        state: &State,
        options: LevelOptions,
        work: &Work<'_>,
        on_level: &mut dyn FnMut(&PuzzleLevel),
    ) -> Option<Levels> {
        levels::count(self, state.pegs(), options, work, on_level)
    }

    fn solvable_positions(
        &self,
        room: u64,
        work: &Work<'_>,
        on_position: &mut dyn FnMut(State, u16),
    ) -> Result<(), String> {
        all::solvable(self, room, work, on_position)
    }

    fn group(&self, _: &State, line: &[Jump]) -> Vec<String> {
        chain::group(line).into_iter().map(|hops| chain::format(self.board(), hops)).collect()
    }
}

/// A position to be solved.
pub(crate) struct Question<'a> {
    rules: &'a Solitaire,
    start: u64,
    /// The symmetries that keep the position and the goal.
    group: Group,
    /// The goals of the position's class.
    targets: Vec<u64>,
}

impl<'a> Question<'a> {
    pub(crate) fn new(rules: &'a Solitaire, state: State) -> Self {
        let start = state.pegs();
        let group = rules.group().restricted(|group, element| group.image(start, element) == start);
        let span = Span::of_jumps(rules.board());
        let mut targets = rules.goal().targets(rules.board());
        targets.retain(|&target| span.same_class(start, target));
        Question { rules, start, group, targets }
    }

    /// The index of the board's positions, if two bitmaps fit into the memory allowed.
    fn layout(&self, work: &Work<'_>) -> Option<&Layout> {
        self.rules.board().layout().filter(|layout| 2 << layout.bits() >> 3 <= work.memory)
    }

    /// All positions from which the goal can be reached, as far from it as this one.
    fn oracle(&self, layout: &Layout, work: &Work<'_>) -> Option<Oracle> {
        let jumps = self.start.count_ones().checked_sub(self.rules.goal().pegs())?;
        Oracle::new(self.rules.board(), layout, &self.group, &self.targets, jumps as usize, work)
    }

    /// The question in terms of both ends, if their bitmaps fit into the memory allowed.
    fn problem(&self, work: &Work<'_>) -> Option<Problem<'_>> {
        let board = self.rules.board();
        let layout = board.layout()?;
        let (starts, targets) = (vec![self.start], self.targets.clone());
        let problem = Problem { board, layout, group: &self.group, starts, targets };
        (problem.bytes() <= work.memory).then_some(problem)
    }

    fn answer(value: Solvable, line: Vec<Jump>, method: &'static str, reason: &str) -> Answer<Jump> {
        Answer { value, line, fewest: false, method, reason: reason.to_owned(), positions: 0, peak_bytes: 0 }
    }

    /// Classes of positions between start and goal, by number of jumps.
    pub(crate) fn between(&self, work: &Work<'_>) -> Option<Vec<u64>> {
        Some(self.problem(work)?.between(work)?.sizes())
    }

    /// What can be said without any search.
    fn at_once(&self) -> Option<Answer<Jump>> {
        let goal = self.rules.goal();
        if goal.is_met(self.start) {
            let mut answer =
                Self::answer(Solvable::Solvable, Vec::new(), "trivial", "the goal is on the board");
            answer.fewest = true;
            Some(answer)
        } else if self.start.count_ones() <= goal.pegs() {
            Some(Self::answer(
                Solvable::Unsolvable,
                Vec::new(),
                "trivial",
                "there are too few pegs for the goal",
            ))
        } else if self.targets.is_empty() {
            let reason =
                "every jump keeps the class of a position (Rule of Three), and the goal is of another class";
            Some(Self::answer(Solvable::Unsolvable, Vec::new(), "class", reason))
        } else {
            None
        }
    }

    pub(crate) fn solve(&self, work: &Work<'_>) -> Answer<Jump> {
        if let Some(answer) = self.at_once() {
            return answer;
        }
        let mut beam = Beam::new(self.rules, self.start.count_ones());
        if let Some(answer) = self.narrow(&mut beam, work) {
            return answer;
        }
        if let Some(between) = self.problem(work).and_then(|problem| problem.between(work)) {
            return self.levels_answer(&between, work);
        }
        let mut width = WIDTHS[1] * 8;
        while width as u64 * BEAM_BYTES * u64::from(self.start.count_ones()) <= work.memory
            && !work.is_stopped()
        {
            let found = beam.search(self.start, width, work);
            if found != Found::Unclear {
                return self.beam_answer(found, beam.positions, width);
            }
            width *= 4;
        }
        let mut answer = Self::answer(Solvable::Unknown, Vec::new(), "beam", "not found within the limits");
        answer.positions = beam.positions;
        answer
    }

    /// What searches of little width find.
    fn narrow(&self, beam: &mut Beam<'_>, work: &Work<'_>) -> Option<Answer<Jump>> {
        WIDTHS.into_iter().find_map(|width| {
            let found = beam.search(self.start, width, work);
            (found != Found::Unclear).then(|| self.beam_answer(found, beam.positions, width))
        })
    }

    fn beam_answer(&self, found: Found, positions: u64, width: usize) -> Answer<Jump> {
        let mut answer = match found {
            Found::Line(line) => Self::answer(Solvable::Solvable, line, "beam", "found by search"),
            _ => Self::answer(Solvable::Unsolvable, Vec::new(), "search", "all positions were looked at"),
        };
        answer.positions = positions;
        answer.peak_bytes = positions.min(width as u64 * u64::from(self.start.count_ones())) * BEAM_BYTES;
        answer
    }

    fn levels_answer(&self, between: &Between, work: &Work<'_>) -> Answer<Jump> {
        let line = self.problem(work).and_then(|problem| between.line(&problem, self.start));
        let mut answer = match line {
            Some(line) => {
                Self::answer(Solvable::Solvable, line, "levels", "found among all solvable positions")
            }
            None => Self::answer(
                Solvable::Unsolvable,
                Vec::new(),
                "levels",
                "no position of the middle level is common",
            ),
        };
        answer.positions = between.total();
        answer.peak_bytes = between.bytes;
        answer
    }

    pub(crate) fn solve_fewest(&self, work: &Work<'_>) -> Answer<Jump> {
        if let Some(answer) = self.at_once() {
            return answer;
        }
        let Some(layout) = self.layout(work) else { return self.solve(work) };
        let Some(oracle) = self.oracle(layout, work) else {
            return Self::answer(Solvable::Unknown, Vec::new(), "moves", "stopped");
        };
        let (positions, bytes) = (oracle.positions, oracle.bytes());
        let mut answer = if oracle.is_solvable(self.start, layout.index(self.start)) {
            self.search_fewest(layout, oracle, work)
        } else {
            let reason =
                "all positions from which the goal can be reached were found, and this is none of them";
            Self::answer(Solvable::Unsolvable, Vec::new(), "levels", reason)
        };
        answer.positions += positions;
        answer.peak_bytes = bytes;
        answer
    }

    fn search_fewest(&self, layout: &Layout, oracle: Oracle, work: &Work<'_>) -> Answer<Jump> {
        let (board, targets) = (self.rules.board(), self.targets.as_slice());
        let regions = Regions::new(board, self.rules.goal());
        let bound = regions.moves_needed(self.start);
        let mut fewest = Fewest { board, layout, group: &self.group, oracle, regions, targets };
        let Some((line, positions)) = fewest.search(self.start, work) else {
            return Self::answer(Solvable::Unknown, Vec::new(), "moves", "stopped");
        };
        let mut answer = Self::answer(Solvable::Solvable, line, "moves", "");
        answer.reason = format!(
            "{bound} moves are needed to open as many regions; from there on every number of moves was tried in turn"
        );
        answer.fewest = true;
        answer.positions = positions;
        answer
    }

    pub(crate) fn count(&self, work: &Work<'_>) -> Count {
        if let Some(answer) = self.at_once() {
            let solutions = Some(u128::from(answer.value == Solvable::Solvable));
            return Count { solutions, positions: 1, peak_bytes: 0 };
        }
        if let Some(problem) = self.problem(work)
            && let Some(between) = problem.between(work)
        {
            let solutions = count::through(&problem, &between, self.start, work);
            return Count { solutions, positions: between.total(), peak_bytes: between.bytes };
        }
        let (solutions, positions) = count::by_table(self.rules, self.start, work);
        Count { solutions, positions, peak_bytes: positions * 64 }
    }

    /// The same question one jump later.
    fn after(&self, jump: Jump) -> Self {
        let mut next = State::new(self.start);
        self.rules.play(&mut next, jump);
        Question::new(self.rules, next)
    }

    /// Whether it can be solved, when little work tells.
    fn quick(&self, work: &Work<'_>) -> Option<Solvable> {
        let narrow = || self.narrow(&mut Beam::new(self.rules, self.start.count_ones()), work);
        self.at_once().or_else(narrow).map(|answer| answer.value)
    }

    pub(crate) fn hints(&self, work: &Work<'_>) -> Vec<(Jump, Solvable)> {
        let jumps: Vec<Jump> = self.rules.board().possible(self.start).collect();
        let all = |value| jumps.iter().map(|&jump| (jump, value)).collect();
        if self.at_once().is_some() {
            return all(Solvable::Unsolvable);
        }
        // Most jumps are clear after a narrow search; all positions are looked at for the others.
        let known: Vec<Option<Solvable>> = jumps.iter().map(|&jump| self.after(jump).quick(work)).collect();
        let layout = self.layout(work).filter(|_| known.contains(&None));
        let oracle = layout.and_then(|layout| Some((layout, self.oracle(layout, work)?)));
        let value = |(&jump, known): (&Jump, Option<Solvable>)| {
            let slow = || match &oracle {
                Some((layout, oracle)) => {
                    let next = self.start ^ jump.holes();
                    let solvable = oracle.is_solvable(next, layout.index(next));
                    if solvable { Solvable::Solvable } else { Solvable::Unsolvable }
                }
                None => self.after(jump).solve(work).value,
            };
            (jump, known.unwrap_or_else(slow))
        };
        jumps.iter().zip(known).map(value).collect()
    }
}
