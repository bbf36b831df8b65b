//! Sections about played games.

use super::Source;
use crate::profile::figures::{Chart, Entry, HeatMap, Point, Reading, Section, Series, Unit};
use crate::profile::play::draw_words;
use crate::profile::tally::Tally;
use std::collections::{BTreeMap, BTreeSet};
use tabia_core::{DrawReason, sort_few_by_key};

/// Lengths fall into about this many groups.
const GROUPS: u32 = 40;
/// A cell needs so many moves before a share is told.
const ENOUGH: u64 = 20;

impl Source<'_> {
    /// Who wins.
    pub(super) fn outcomes(&self) -> Section {
        let method = format!(
            "Games were played from the start and counted ({}); a share has Wilson's interval, a draw is half a point.",
            if self.for_two() { self.players() } else { "any move is as likely as any other".to_owned() }
        );
        let mut section = Section::new("outcome", "How games end", method);
        for (name, tally) in &self.strengths {
            let share = |hits: u64| Reading::share(hits as f64, tally.games);
            if self.for_two() {
                let first = self.side(0);
                let label = format!("points of {first}, {name} play");
                section.figure(&format!("{name}-first"), label, Reading::share(tally.points(), tally.games));
                section.figure(&format!("{name}-draws"), format!("draws, {name} play"), share(tally.draws));
            } else {
                section.figure("solved", "solved by chance", share(tally.wins[0]));
            }
            let label = format!("games in which a position came back, {name} play");
            section.figure(&format!("{name}-repetition"), label, share(tally.repeated));
        }
        let every: BTreeSet<&String> =
            self.strengths.iter().flat_map(|(_, tally)| tally.ends.keys()).collect();
        let rows = every.into_iter().map(|end| {
            let share = |(_, tally): &(&str, Tally)| {
                let hits = tally.ends.get(end).copied().unwrap_or_default();
                Reading::share(hits as f64, tally.games).into()
            };
            std::iter::once(Entry::from(end.as_str())).chain(self.strengths.iter().map(share)).collect()
        });
        let columns: Vec<&str> =
            std::iter::once("ending").chain(self.strengths.iter().map(|(name, _)| *name)).collect();
        section.table("endings", "Endings by strength", &columns, rows.collect());
        for (name, tally) in self.strengths.iter().filter(|(name, _)| *name != "random") {
            let label = format!("different games among those of {name} play");
            section.figure(
                &format!("{name}-distinct"),
                label,
                exact(tally.distinct.len() as f64, tally.games),
            );
        }
        section
    }

    /// How long they take.
    pub(super) fn lengths(&self) -> Option<Section> {
        let method = "Plies of the same games; the mean has Student's interval and the others that of their rank; games \
                      that no rule ends are cut at 1,000.";
        let mut section = Section::new("length", "How long games take", method);
        for (name, tally) in &self.strengths {
            section.figure(&format!("{name}-mean"), format!("mean, {name} play"), tally.length().reading());
            for (id, share, word) in
                [("tenth", 0.1, "a tenth"), ("median", 0.5, "half"), ("most", 0.9, "nine tenths")]
            {
                let label = format!("{word} of the games are not longer, {name} play");
                section.figure(&format!("{name}-{id}"), label, tally.length_quantile(share));
            }
        }
        let longest = self.strengths.iter().filter_map(|(_, tally)| tally.lengths.keys().last()).max()?;
        let width = longest.div_ceil(GROUPS).max(1);
        let series = self
            .strengths
            .iter()
            .map(|(name, tally)| Series { name: format!("{name} play"), points: histogram(tally, width) });
        section.charts.push(Chart {
            id: "lengths".to_owned(),
            title: format!("Share of games by length, in groups of {width}"),
            x: "plies".to_owned(),
            y: "share of games".to_owned(),
            logarithmic: false,
            series: series.collect(),
        });
        Some(section)
    }

    /// How many moves there are to choose from.
    pub(super) fn branching(&self) -> Section {
        let method = "Legal moves of every position of the same games: the mean of each game, then over games; by ply, over \
                      the games that came so far.";
        let mut section = Section::new("branching", "How many moves there are", method);
        let mut series = Vec::new();
        for (name, tally) in &self.strengths {
            let label = format!("legal moves of a position, {name} play");
            section.figure(&format!("{name}-mean"), label, tally.choices.fine(Unit::Number));
            let label = format!("positions with a single legal move, {name} play");
            section.figure(&format!("{name}-forced"), label, tally.forced.fine(Unit::Share));
            let met = tally.by_ply.iter().enumerate().filter(|(_, moments)| moments.n >= 10);
            let points = met.map(|(ply, moments)| point(ply as f64, &moments.reading()));
            series.push(Series { name: format!("{name} play"), points: points.collect() });
        }
        section.charts.push(Chart {
            id: "branching".to_owned(),
            title: "Legal moves by ply".to_owned(),
            x: "ply".to_owned(),
            y: "legal moves".to_owned(),
            logarithmic: false,
            series,
        });
        section
    }

    /// How exciting games are.
    pub(super) fn tension(&self) -> Section {
        let method = "What the players themselves expected at every ply, -1 to 1. Lead changes: turns at which the lead (0.1 \
                      and more) passes to the other side, by ply (Browne 2008). Drama: how far the later winner was behind while \
                      behind, the mean of the square roots (Browne 2008). Decisiveness (Thompson 2000): the share of the game that \
                      was left when the winner expected 0.5 and more for good. Clarity (Thompson 2000): how often a weak player \
                      would choose the strong player's move. (Cameron Browne, Automatic Generation and Evaluation of \
                      Recombination Games, PhD thesis, Queensland University of Technology, 2008; J. Mark Thompson, Defining the \
                      Abstract, The Games Journal, 2000.)";
        let mut section = Section::new("tension", "How exciting games are", method);
        for (name, tally) in self.strengths.iter().filter(|(_, tally)| tally.tension.lead_changes.n > 0) {
            let tension = &tally.tension;
            let mut figure = |id: &str, label: &str, reading: Reading| {
                if reading.n > 0 {
                    section.figure(&format!("{name}-{id}"), format!("{label}, {name} play"), reading);
                }
            };
            figure("lead-changes", "lead changes per ply", tension.lead_changes.fine(Unit::Number));
            figure("drama", "drama", tension.drama.fine(Unit::Number));
            figure("decided", "left of the game when decided", tension.left_when_decided.fine(Unit::Share));
            figure("clarity", "clarity", Reading::share(tension.agreed as f64, tension.asked));
        }
        section
    }

    /// Where moves go on the board.
    pub(super) fn maps(&self) -> Section {
        let method = "The cell on which each move ends, in the games that were looked at closely: the share of all moves, and how \
                      many of the moves to a cell were made by the later winner.";
        let mut section = Section::new("maps", "Where moves go", method);
        for (name, tally) in &self.strengths {
            let all: u64 = tally.cells.values().map(|counts| counts[0]).sum();
            let moves = tally
                .cells
                .iter()
                .map(|(cell, counts)| (cell.clone(), Reading::share(counts[0] as f64, all)));
            section.maps.push(map(&format!("{name}-moves"), format!("All moves, {name} play"), moves));
            let enough = tally.cells.iter().filter(|(_, counts)| counts[0] >= ENOUGH);
            let won =
                enough.map(|(cell, counts)| (cell.clone(), Reading::share(counts[1] as f64, counts[0])));
            let title = format!("Moves of winners among those to a cell, {name} play");
            section.maps.push(map(&format!("{name}-winners"), title, won));
        }
        section.maps.retain(|map| !map.cells.is_empty());
        section
    }

    /// What is used, and what never is.
    pub(super) fn used(&self) -> Section {
        let method = "The games that were looked at closely: which piece moved, what the move was like, and how games ended; what \
                      the rules name and no game showed is listed.";
        let mut section = Section::new("used", "What is used", method);
        let total = |of: fn(&Tally) -> &BTreeMap<String, u64>| {
            let mut all = BTreeMap::<String, u64>::new();
            for (_, tally) in &self.strengths {
                of(tally).iter().for_each(|(name, count)| *all.entry(name.clone()).or_default() += count);
            }
            all
        };
        let (pieces, kinds) = (total(|tally| &tally.pieces), total(|tally| &tally.kinds));
        for (id, title, counts) in [("pieces", "Moves by piece", &pieces), ("kinds", "Moves by kind", &kinds)]
        {
            let all: u64 = counts.values().sum();
            let mut rows: Vec<_> = counts.iter().collect();
            sort_few_by_key(&mut rows, |(_, count)| std::cmp::Reverse(**count));
            let row = |(name, count): (&String, &u64)| {
                vec![name.as_str().into(), Reading::share(*count as f64, all).into()]
            };
            section.table(id, title, &["", "share of moves"], rows.into_iter().take(40).map(row).collect());
        }
        let never = self.never(&pieces, &total(|tally| &tally.ends));
        let text = if never.is_empty() { "nothing".to_owned() } else { never.join("; ") };
        section.fact("never", "never seen", text);
        section
    }

    /// Pieces that never moved, and endings that never came.
    fn never(&self, pieces: &BTreeMap<String, u64>, ends: &BTreeMap<String, u64>) -> Vec<String> {
        let known = self.about.piece_words.iter().map(|(name, _)| (*name).to_owned());
        let unmoved =
            known.filter(|name| !pieces.contains_key(name)).map(|name| format!("a move of a {name}"));
        let draws = &self.about.draws;
        let possible = [
            (draws.repetitions.is_some(), DrawReason::Repetition),
            (draws.quiet_plies.is_some(), DrawReason::QuietPlies),
            (draws.total_plies.is_some(), DrawReason::TotalPlies),
        ];
        let endings = possible.into_iter().filter(|(possible, _)| *possible).map(|(_, why)| draw_words(why));
        let wins: Vec<String> = if self.for_two() {
            (0..2).map(|side| format!("{} wins", self.side(side))).collect()
        } else {
            vec!["solved".to_owned()]
        };
        unmoved.chain(endings.chain(wins).filter(|end| !ends.contains_key(end))).collect()
    }
}

/// A number of a sample that needs no interval.
fn exact(value: f64, n: u64) -> Reading {
    Reading { n, ..Reading::exact(value, Unit::Count) }
}

pub(super) fn point(x: f64, reading: &Reading) -> Point {
    Point { x, y: reading.value, low: reading.low, high: reading.high }
}

fn map(id: &str, title: String, cells: impl Iterator<Item = (String, Reading)>) -> HeatMap {
    HeatMap { id: id.to_owned(), title, cells: cells.collect() }
}

fn histogram(tally: &Tally, width: u32) -> Vec<Point> {
    let mut groups = BTreeMap::<u32, u64>::new();
    for (length, games) in &tally.lengths {
        *groups.entry(length / width).or_default() += games;
    }
    let last = groups.keys().last().copied().unwrap_or_default();
    let middle = f64::from(width.saturating_sub(1)) / 2.0;
    (0..=last)
        .map(|group| {
            let share = Reading::share(groups.get(&group).copied().unwrap_or_default() as f64, tally.games);
            point(f64::from(group * width) + middle, &share)
        })
        .collect()
}
