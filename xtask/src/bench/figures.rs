//! The figures of our crates: their benches append rows to a file, which becomes a table.

use super::{machine, replace};
use crate::test::{command, target};
use anyhow::Context;
use std::fmt::Write;
use std::path::PathBuf;

/// The benches, in the order of the table: a package, and what `cargo bench` is told besides.
const BENCHES: [(&str, &[&str]); 14] = [
    ("tabia-five-visible", &[]),
    ("tabia-arx", &[]),
    ("tabia-solitaire", &[]),
    ("tabia-draughts", &[]),
    ("tabia-chess", &[]),
    ("tabia-table", &[]),
    ("tabia-search", &["--", "rates"]),
    ("tabia-search", &["--", "two"]),
    ("tabia-solve", &["--bench", "solve", "--", "whole"]),
    ("tabia-solve", &["--bench", "endings"]),
    ("tabia-batch", &[]),
    ("tabia-book", &["--", "redb"]),
    ("tabia-book", &["--", "growth"]),
    ("tabia-cli", &[]),
];

/// The packages that have figures.
pub(super) fn packages() -> Vec<&'static str> {
    let mut names: Vec<&str> = BENCHES.iter().map(|(package, _)| *package).collect();
    names.dedup();
    names
}

fn file() -> anyhow::Result<PathBuf> {
    Ok(target()?.join("figures.tsv"))
}

/// Builds the benches, each as it will be run.
pub(super) fn build() -> anyhow::Result<()> {
    for (package, words) in BENCHES {
        let which = words.iter().take_while(|word| **word != "--").copied();
        let words: Vec<&str> = ["bench", "--no-run", "--package", package].into_iter().chain(which).collect();
        command("cargo", &words, |_| {})?;
    }
    Ok(())
}

/// Runs the benches of the wanted packages. Rows of the others stay as they are.
pub(super) fn measure(wanted: impl Fn(&str) -> bool) -> anyhow::Result<()> {
    let file = file()?;
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    std::fs::create_dir_all(target()?)?;
    replace(&file, &kept(&before, &machine::name()?, &wanted))?;
    for (package, words) in BENCHES.iter().filter(|(package, _)| wanted(package)) {
        println!("== {package} {}", words.join(" "));
        command("cargo", &[&["bench", "--package", *package][..], *words].concat(), |command| {
            command.env("TABIA_FIGURES", &file);
        })?;
    }
    Ok(())
}

/// What a new file begins with: the machine, and the rows that are not measured again.
fn kept(before: &str, machine: &str, wanted: impl Fn(&str) -> bool) -> String {
    let rows = before.lines().filter(|line| Row::read(line).is_some_and(|row| !wanted(row.package)));
    let mut text = format!("# {machine}\n");
    rows.for_each(|row| _ = writeln!(text, "{row}"));
    text
}

/// One figure, as a bench tells it.
#[derive(Debug, PartialEq, Eq)]
struct Row<'a> {
    package: &'a str,
    figure: &'a str,
    value: &'a str,
    low: &'a str,
    high: &'a str,
    unit: &'a str,
    goal: &'a str,
    command: &'a str,
}

impl<'a> Row<'a> {
    fn read(line: &'a str) -> Option<Row<'a>> {
        let parts: Vec<&str> = line.split('\t').collect();
        let [package, figure, value, low, high, unit, goal, command] = parts[..] else { return None };
        let numbers = [value, low, high].iter().all(|number| number.parse::<f64>().is_ok());
        numbers.then_some(Row { package, figure, value, low, high, unit, goal, command })
    }

    /// Whether the goal is reached; `None` where there is none.
    fn reached(&self) -> Option<bool> {
        let value: f64 = self.value.parse().ok()?;
        let (least, goal) = match self.goal.split_once("at least ") {
            Some((_, goal)) => (true, goal),
            None => (false, self.goal.split_once("at most ")?.1),
        };
        let goal: f64 = goal.parse().ok()?;
        Some(if least { value >= goal } else { value <= goal })
    }

    /// A line of the table.
    fn line(&self) -> String {
        let name = self.package.trim_start_matches("tabia-");
        let mut measured = format!("{} {}", self.value, self.unit);
        if self.low != self.high {
            let _ = write!(measured, " ({}-{})", self.low, self.high);
        }
        let goal = match self.reached() {
            Some(true) => format!("{}: reached", self.goal),
            Some(false) => format!("{}: **not reached**", self.goal),
            None => String::new(),
        };
        format!("| {name}: {} | {measured} | {goal} | `{}` |\n", self.figure, self.command)
    }
}

/// What the page says.
pub(super) fn told() -> anyhow::Result<String> {
    let file = file()?;
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("{} is not there: `bench --times` makes it", file.display()))?;
    Ok(page(&text))
}

fn page(text: &str) -> String {
    let machine = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("an unknown machine");
    let rows = latest(text);
    let goals: Vec<bool> = rows.iter().filter_map(Row::reached).collect();
    let reached = goals.iter().filter(|reached| **reached).count();
    let mut told = format!(
        "Measured on {machine}. {reached} of {} goals are reached.\n\n| what | measured | goal | command |\n|---|---|---|---|\n",
        goals.len()
    );
    rows.iter().for_each(|row| told += &row.line());
    let missing: Vec<&str> =
        packages().into_iter().filter(|name| rows.iter().all(|row| row.package != *name)).collect();
    if !missing.is_empty() {
        let _ = writeln!(told, "\nNot measured: {}.", missing.join(", "));
    }
    told
}

/// The last row of each figure, in the order of the benches.
fn latest(text: &str) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for row in text.lines().filter_map(Row::read) {
        let same = |other: &&mut Row<'_>| (other.package, other.figure) == (row.package, row.figure);
        match rows.iter_mut().find(same) {
            Some(before) => *before = row,
            None => rows.push(row),
        }
    }
    let packages = packages();
    rows.sort_by_key(|row| packages.iter().position(|package| *package == row.package));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# A processor, 2 cores, rustc 1.0\n\
        tabia-chess\tpack\t31.0\t31.0\t35.2\tns\tat most 30\tcargo bench -p tabia-chess -- pack\n\
        half a row\ttabia-chess\n\
        tabia-arx\tperft 5\t900\t900\t900\tM nodes/s\tat least 800\tcargo bench -p tabia-arx -- perft\n\
        tabia-chess\tpack\t29.5\t29.5\t33.0\tns\tat most 30\tcargo bench -p tabia-chess -- pack\n\
        tabia-chess\tevaluate\t5.10\t5.10\t5.20\tns\t\tcargo bench -p tabia-chess -- evaluate\n";

    #[test]
    fn the_last_row_of_each_figure_is_told() {
        let rows = latest(FILE);
        let told: Vec<_> = rows.iter().map(|row| (row.figure, row.value, row.reached())).collect();
        assert_eq!(
            told,
            [("perft 5", "900", Some(true)), ("pack", "29.5", Some(true)), ("evaluate", "5.10", None)]
        );
    }

    #[test]
    fn goals_are_compared() {
        let row = |value, goal| {
            Row::read(&format!("p\tf\t{value}\t1\t1\tns\t{goal}\tc")).and_then(|row| row.reached())
        };
        assert_eq!((row("30", "at most 30"), row("30.1", "at most 30")), (Some(true), Some(false)));
        assert_eq!((row("1.7", "at least 1.7"), row("1.69", "at least 1.7")), (Some(true), Some(false)));
        assert_eq!((row("1", ""), row("many", "at least 1")), (None, None));
    }

    #[test]
    fn the_table_has_a_line_for_each_figure_and_names_what_is_missing() {
        let text = page(FILE);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "Measured on A processor, 2 cores, rustc 1.0. 2 of 2 goals are reached.");
        assert_eq!(
            lines[4],
            "| arx: perft 5 | 900 M nodes/s | at least 800: reached | `cargo bench -p tabia-arx -- perft` |"
        );
        assert_eq!(
            lines[6],
            "| chess: evaluate | 5.10 ns (5.10-5.20) |  | `cargo bench -p tabia-chess -- evaluate` |"
        );
        assert!(lines[8].starts_with("Not measured: tabia-five-visible, tabia-solitaire, tabia-draughts,"));
    }

    #[test]
    fn what_is_not_measured_again_is_kept() {
        let text = kept(FILE, "another", |package| package == "tabia-chess");
        assert_eq!(text.lines().count(), 2);
        assert!(text.starts_with("# another\ntabia-arx\tperft 5"));
        assert_eq!(kept(FILE, "another", |_| true), "# another\n");
    }
}
