//! How much is done for a report: so many pieces of work in each section.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The sections that are worked for, in the order of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Task {
    /// Random games.
    Random,
    /// Random descents through the tree.
    Tree,
    /// All positions that can be reached.
    Positions,
    /// Games of a weak player against itself.
    Weak,
    /// Games of a strong player against itself.
    Strong,
    /// First moves looked at.
    Openings,
    /// Matches between budgets.
    Ladder,
    /// Games of a player who copies.
    Mirror,
}

impl Task {
    pub(super) const ALL: [Task; 8] = [
        Task::Random,
        Task::Tree,
        Task::Positions,
        Task::Weak,
        Task::Strong,
        Task::Openings,
        Task::Ladder,
        Task::Mirror,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Task::Random => "random",
            Task::Tree => "tree",
            Task::Positions => "positions",
            Task::Weak => "weak",
            Task::Strong => "strong",
            Task::Openings => "openings",
            Task::Ladder => "ladder",
            Task::Mirror => "mirror",
        }
    }

    /// The share of a budget of time, in hundredths.
    pub(super) const fn weight(self) -> f64 {
        match self {
            Task::Random | Task::Weak => 8.0,
            Task::Tree => 5.0,
            Task::Positions => 15.0,
            Task::Strong => 30.0,
            Task::Openings => 6.0,
            Task::Ladder => 24.0,
            Task::Mirror => 4.0,
        }
    }

    /// Whether only games for two have it.
    pub(super) const fn for_two(self) -> bool {
        matches!(self, Task::Weak | Task::Strong | Task::Openings | Task::Ladder | Task::Mirror)
    }
}

/// How many pieces of work each section gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort([u64; 8]);

/// Why a text is no effort.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected NAME=NUMBER of random, tree, positions, weak, strong, openings, ladder and mirror, not {0:?}"
)]
pub struct EffortError(pub String);

impl Default for Effort {
    /// About a minute for most games.
    fn default() -> Self {
        Effort([16, 8, 2, 8, 12, 24, 8, 2])
    }
}

impl Effort {
    /// Nothing at all.
    pub const NONE: Effort = Effort([0; 8]);

    pub(super) fn of(&self, task: Task) -> u64 {
        self.0[task as usize]
    }

    pub(super) fn set(&mut self, task: Task, units: u64) {
        self.0[task as usize] = units;
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            Task::ALL.iter().map(|&task| format!("{}={}", task.name(), self.of(task))).collect();
        f.write_str(&parts.join(","))
    }
}

impl FromStr for Effort {
    type Err = EffortError;

    /// Sections that are not named get nothing.
    fn from_str(text: &str) -> Result<Self, EffortError> {
        let mut effort = Effort::NONE;
        for part in text.split(',') {
            let wrong = || EffortError(part.to_owned());
            let (name, number) = part.split_once('=').ok_or_else(wrong)?;
            let task = Task::ALL.into_iter().find(|task| task.name() == name.trim()).ok_or_else(wrong)?;
            let units = number.trim().parse().ok().filter(|&units: &u64| units <= 1 << 40);
            effort.set(task, units.ok_or_else(wrong)?);
        }
        Ok(effort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_are_written_and_read() {
        let effort = Effort::default();
        assert_eq!(effort.to_string().parse(), Ok(effort));
        assert_eq!("tree=3".parse::<Effort>().map(|effort| effort.of(Task::Tree)), Ok(3));
        for wrong in ["", "tree", "tree=x", "trees=3", "tree=-1", "tree=3,,weak=1", "tree=99999999999999"] {
            assert!(wrong.parse::<Effort>().is_err(), "{wrong}");
        }
    }
}
