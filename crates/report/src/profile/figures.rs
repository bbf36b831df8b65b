//! What a report says, in a shape that any medium can show.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tabia_core::Geometry;

/// Everything found out about one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The id of the game.
    pub game: String,
    /// The name people know.
    pub name: String,
    /// The game with its options.
    pub variant: String,
    /// Where games start.
    pub start: String,
    /// What the players are called.
    pub sides: Vec<String>,
    /// Where randomness started.
    pub seed: u64,
    /// Nodes for each move of the weak and of the strong player.
    #[serde(default = "usual_budgets")]
    pub budgets: [u64; 2],
    /// How much was done; with the seed it repeats every figure but the measured times.
    pub effort: String,
    /// What was found, by subject.
    pub sections: Vec<Section>,
    /// Figures of this machine and this run, which no seed repeats.
    pub measured: Vec<Figure>,
    /// The board, for maps of it.
    pub board: Geometry,
}

fn usual_budgets() -> [u64; 2] {
    let super::Budgets { weak, strong } = super::Budgets::default();
    [weak, strong]
}

/// What was found about one subject.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Section {
    /// A word for it, stable.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How it was found out.
    pub method: String,
    /// Single figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
    /// What is said in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Rows of figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Pictures of figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charts: Vec<Chart>,
    /// Figures on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<HeatMap>,
}

/// How a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A share, 0 to 1.
    Share,
    /// A plain number.
    Number,
    /// A count.
    Count,
    /// The decimal logarithm of a number that may be larger than any other.
    Log10,
}

/// A number with its 95 % interval and the size of the sample; an exact one has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The number.
    pub value: f64,
    /// The lower end of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The size of the sample.
    pub n: u64,
    /// How the number is meant.
    pub unit: Unit,
}

/// A reading with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// A word for it, stable.
    pub id: String,
    /// What it is.
    pub label: String,
    /// The number.
    #[serde(flatten)]
    pub reading: Reading,
}

/// Something said in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// A word for it, stable.
    pub id: String,
    /// What it is about.
    pub label: String,
    /// What is said.
    pub text: String,
}

/// What stands in a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entry {
    /// A number.
    Reading(Reading),
    /// Words.
    Text(String),
}

/// Rows of entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// A word for it, stable.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What stands in each column.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Entry>>,
}

/// A picture of figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// A word for it, stable.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What is counted to the right.
    pub x: String,
    /// What is counted upwards.
    pub y: String,
    /// Whether upwards is by powers of ten.
    pub logarithmic: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Where it goes: to the right, upwards, and the interval there.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// The lower end of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

/// A number for each cell of the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// A word for it, stable.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The numbers, by the names of the cells.
    pub cells: BTreeMap<String, Reading>,
}

impl Section {
    /// A section with nothing in it yet.
    pub(super) fn new(id: &str, title: &str, method: impl Into<String>) -> Self {
        Section { id: id.to_owned(), title: title.to_owned(), method: method.into(), ..Section::default() }
    }

    pub(super) fn figure(&mut self, id: &str, label: impl Into<String>, reading: Reading) {
        self.figures.push(Figure { id: id.to_owned(), label: label.into(), reading });
    }

    pub(super) fn fact(&mut self, id: &str, label: &str, text: impl Into<String>) {
        self.facts.push(Fact { id: id.to_owned(), label: label.to_owned(), text: text.into() });
    }

    pub(super) fn table(&mut self, id: &str, title: &str, columns: &[&str], rows: Vec<Vec<Entry>>) {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        if !rows.is_empty() {
            self.tables.push(Table { id: id.to_owned(), title: title.to_owned(), columns, rows });
        }
    }
}

impl From<Reading> for Entry {
    fn from(reading: Reading) -> Self {
        Entry::Reading(reading)
    }
}

impl From<String> for Entry {
    fn from(text: String) -> Self {
        Entry::Text(text)
    }
}

impl From<&str> for Entry {
    fn from(text: &str) -> Self {
        Entry::Text(text.to_owned())
    }
}

impl Profile {
    /// The command that makes the same report again.
    pub fn command(&self) -> String {
        let Profile { game, start, seed, effort, budgets: [weak, strong], .. } = self;
        let unusual = self.budgets != usual_budgets();
        let players = if unusual { format!(" --weak {weak} --strong {strong}") } else { String::new() };
        format!("tabia report {game} --variant '{start}' --seed {seed}{players} --effort {effort}")
    }

    /// The figure with this name, `SECTION.FIGURE`.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        let (section, figure) = name.split_once('.')?;
        let section = self.sections.iter().find(|known| known.id == section)?;
        section.figures.iter().find(|known| known.id == figure)
    }

    /// What is said in words under this name, `SECTION.FACT`.
    pub fn fact(&self, name: &str) -> Option<&str> {
        let (section, fact) = name.split_once('.')?;
        let section = self.sections.iter().find(|known| known.id == section)?;
        section.facts.iter().find(|known| known.id == fact).map(|fact| fact.text.as_str())
    }
}
