//! What a figure is: a name, a unit, a goal, and the words that measure it again.

use crate::number::number;
use crate::time::Sample;

/// What a figure is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Millions of something per CPU second.
    Millions(&'static str),
    /// Thousands of something per CPU second.
    Thousands(&'static str),
    /// Nanoseconds for one thing.
    Nanoseconds,
    /// Milliseconds for one thing.
    Milliseconds,
    /// Seconds for one thing.
    Seconds,
    /// How many times as fast as something else.
    Times,
    /// How many times the cost of something else.
    TimesTheCost,
    /// Hundredths of something else.
    Percent,
    /// Bytes for one thing.
    Bytes,
    /// Millions of bytes.
    Megabytes,
}

impl Unit {
    pub(crate) fn text(self) -> String {
        match self {
            Unit::Millions(things) => format!("M {things}/s"),
            Unit::Thousands(things) => format!("k {things}/s"),
            Unit::Nanoseconds => "ns".to_owned(),
            Unit::Milliseconds => "ms".to_owned(),
            Unit::Seconds => "s".to_owned(),
            Unit::Times | Unit::TimesTheCost => "times".to_owned(),
            Unit::Percent => "%".to_owned(),
            Unit::Bytes => "bytes".to_owned(),
            Unit::Megabytes => "MB".to_owned(),
        }
    }

    pub(crate) fn value(self, sample: &Sample) -> f64 {
        let (things, seconds) = (sample.things as f64, sample.seconds);
        match self {
            Unit::Millions(_) => things / seconds / 1e6,
            Unit::Thousands(_) => things / seconds / 1e3,
            Unit::Nanoseconds => seconds * 1e9 / things,
            Unit::Milliseconds => seconds * 1e3 / things,
            // A bench that measures something else tells it itself.
            Unit::Seconds
            | Unit::Times
            | Unit::TimesTheCost
            | Unit::Percent
            | Unit::Bytes
            | Unit::Megabytes => seconds / things,
        }
    }

    fn less_is_better(self) -> bool {
        match self {
            Unit::Nanoseconds
            | Unit::Milliseconds
            | Unit::Seconds
            | Unit::TimesTheCost
            | Unit::Bytes
            | Unit::Megabytes => true,
            Unit::Millions(_) | Unit::Thousands(_) | Unit::Times | Unit::Percent => false,
        }
    }

    pub(crate) fn best(self, values: &[f64]) -> f64 {
        let better: fn(f64, f64) -> f64 = if self.less_is_better() { f64::min } else { f64::max };
        values.iter().copied().reduce(better).unwrap_or(f64::NAN)
    }
}

/// Something that is measured.
#[derive(Clone, Debug)]
pub struct Figure {
    pub(crate) part: String,
    pub(crate) name: String,
    pub(crate) unit: Unit,
    goal: Option<f64>,
    command: Option<String>,
}

impl Figure {
    /// A figure without a goal, of a part that can be chosen on the command line.
    pub fn new(part: impl Into<String>, name: impl Into<String>, unit: Unit) -> Figure {
        Figure { part: part.into(), name: name.into(), unit, goal: None, command: None }
    }

    /// What is to be reached: at most so much of what should be little, at least so much of everything else.
    #[must_use]
    pub fn goal(self, goal: f64) -> Figure {
        Figure { goal: Some(goal), ..self }
    }

    /// The command that measures it, where it is not `cargo bench -p CRATE -- PART`.
    #[must_use]
    pub fn command(self, command: impl Into<String>) -> Figure {
        Figure { command: Some(command.into()), ..self }
    }

    fn goal_text(&self) -> String {
        let word = if self.unit.less_is_better() { "at most" } else { "at least" };
        self.goal.map_or(String::new(), |goal| format!("{word} {goal}"))
    }

    /// For people.
    pub(crate) fn line(&self, values: &[f64]) -> String {
        let best = self.unit.best(values);
        let mut line = format!("{:<56} {:>9} {}", self.name, number(best), self.unit.text());
        if let Some(range) = range(values) {
            line += &format!(" ({} to {})", range.0, range.1);
        }
        if let Some(goal) = self.goal {
            let reached = if self.unit.less_is_better() { best <= goal } else { best >= goal };
            line += &format!("; {}: {}", self.goal_text(), if reached { "reached" } else { "not reached" });
        }
        line
    }

    /// For programs.
    pub(crate) fn row(&self, package: &str, values: &[f64]) -> String {
        let best = number(self.unit.best(values));
        let (low, high) = range(values).unwrap_or_else(|| (best.clone(), best.clone()));
        let (unit, goal) = (self.unit.text(), self.goal_text());
        let again = || format!("cargo bench -p {package} -- {}", self.part);
        let command = self.command.clone().unwrap_or_else(again);
        [package, &self.name, &best, &low, &high, &unit, &goal, &command].join("\t")
    }
}

/// The least and the greatest value, if they can be told apart.
fn range(values: &[f64]) -> Option<(String, String)> {
    let low = number(values.iter().copied().fold(f64::INFINITY, f64::min));
    let high = number(values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    (low != high).then_some((low, high))
}
