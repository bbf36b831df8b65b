//! The solver of peg solitaire, with bugs.

use super::{Bug, Planted};
use tabia_core::puzzle::{Answer, Count, LevelOptions, Levels, PuzzleLevel, Solvable};
use tabia_core::{PositionError, Puzzle, Work};
use tabia_solitaire::{Jump, Solitaire, State};

impl Puzzle for Planted<Solitaire> {
    fn with_goal(&self, text: &str) -> Result<Self, PositionError> {
        let game = self.game.with_goal(text);
        let game = if self.has(Bug::AnyGoal) { game.or_else(|_| self.game.with_goal("any")) } else { game };
        game.map(|game| self.again(game))
    }
    fn goal_name(&self) -> String {
        self.game.goal_name()
    }
    fn solve(&self, state: &State, work: &Work<'_>) -> Answer<Jump> {
        let mut answer = self.game.solve(state, work);
        match self.bug {
            Bug::AlwaysSolvable => answer.value = Solvable::Solvable,
            Bug::LineTooShort => drop(answer.line.pop()),
            _ => {}
        }
        answer
    }
    fn solve_fewest(&self, state: &State, work: &Work<'_>) -> Answer<Jump> {
        match self.bug {
            // Any solution will do.
            Bug::NotTheFewest => Answer { fewest: true, ..self.game.solve(state, work) },
            _ => self.game.solve_fewest(state, work),
        }
    }
    fn count_solutions(&self, state: &State, work: &Work<'_>) -> Count {
        let count = self.game.count_solutions(state, work);
        let times = if self.has(Bug::CountedTwice) { 2 } else { 1 };
        Count { solutions: count.solutions.map(|solutions| times * solutions), ..count }
    }
    fn hints(&self, state: &State, work: &Work<'_>) -> Vec<(Jump, Solvable)> {
        let mut hints = self.game.hints(state, work);
        match self.bug {
            Bug::HintForgotten => drop(hints.pop()),
            Bug::HintsTurned => hints.iter_mut().for_each(|(_, hint)| *hint = turned(*hint)),
            _ => {}
        }
        hints
    }
    fn levels(
        &self,
        state: &State,
        options: LevelOptions,
        work: &Work<'_>,
        on_level: &mut dyn FnMut(&PuzzleLevel),
    ) -> Option<Levels> {
        let mut levels = self.game.levels(state, options, work, on_level)?;
        if self.has(Bug::LevelsForget) {
            levels.levels.pop();
        }
        Some(levels)
    }
    fn solvable_positions(
        &self,
        room: u64,
        work: &Work<'_>,
        on_position: &mut dyn FnMut(State, u16),
    ) -> Result<(), String> {
        let times = match self.bug {
            Bug::ListForgets => 0,
            Bug::ListTwice => 2,
            _ => 1,
        };
        self.game.solvable_positions(room, work, &mut |state, moves| {
            let times = if moves == 1 { times } else { 1 };
            (0..times).for_each(|_| on_position(state, moves));
        })
    }
    fn group(&self, state: &State, line: &[Jump]) -> Vec<String> {
        Puzzle::group(&self.game, state, line)
    }
}

fn turned(hint: Solvable) -> Solvable {
    match hint {
        Solvable::Solvable => Solvable::Unsolvable,
        Solvable::Unsolvable => Solvable::Solvable,
        Solvable::Unknown => Solvable::Unknown,
    }
}
