//! Sections about good play: first moves, the ladder, copying.

use super::Source;
use crate::profile::figures::{Chart, Point, Reading, Section, Series, Unit};
use crate::profile::{ladder, mirror};
use std::collections::BTreeMap;
use tabia_core::sort_few_by_key;

/// First moves that are told.
const TOLD: usize = 40;

impl Source<'_> {
    /// First moves, and what a pie rule would do.
    pub(super) fn openings(&self) -> Option<Section> {
        if !self.for_two() {
            return None;
        }
        let method = format!(
            "First moves, one for all that are the same by symmetry. The opinion is that of a search of {} nodes after the move, -1 \
             to 1 for its player; points are those of the games above. With a pie rule the second player may change sides after \
             the first move: the first then does best to choose the move whose opinion is nearest to even.",
            8 * self.request.budgets.strong
        );
        let mut section = Section::new("openings", "First moves and the pie rule", method);
        let first = &self.about.first_moves;
        let mut order: Vec<usize> = (0..first.len()).collect();
        sort_few_by_key(&mut order, |&at| std::cmp::Reverse(self.parts.openings.get(at).copied()));
        let rows = order.iter().take(TOLD).map(|&at| {
            let mut row = vec![first[at].text.into(), first[at].alike.to_string().into()];
            if !self.parts.openings.is_empty() {
                let opinion =
                    self.parts.openings.get(at).map(|value| format!("{:+.2}", *value as f64 / 10_000.0));
                row.push(opinion.unwrap_or_else(|| "-".to_owned()).into());
            }
            for (_, tally) in &self.strengths {
                let counts = tally.first.get(first[at].text).copied().unwrap_or_default();
                row.push(points(counts).map_or_else(|| "-".into(), Into::into));
            }
            row
        });
        let mut columns = vec!["first move", "the same by symmetry"];
        columns.extend((!self.parts.openings.is_empty()).then_some("opinion"));
        columns.extend(self.strengths.iter().map(|(name, _)| *name));
        section.table("first", "First moves", &columns, rows.collect());
        self.pie(&mut section, &order);
        Some(section)
    }

    /// What the players of weak and strong games made of the best and of the most even first move.
    fn pie(&self, section: &mut Section, order: &[usize]) {
        let (opinions, first) = (&self.parts.openings, &self.about.first_moves);
        let seen = order.iter().copied().filter(|&at| at < opinions.len());
        let (Some(best), Some(even)) =
            (seen.clone().max_by_key(|&at| opinions[at]), seen.min_by_key(|&at| opinions[at].abs()))
        else {
            return;
        };
        let opinion = |at: usize| format!("{} ({:+.2})", first[at].text, opinions[at] as f64 / 10_000.0);
        section.fact("best", "the best first move, by opinion", opinion(best));
        section.fact("even", "the most even first move, which a pie rule makes the best", opinion(even));
        for (name, tally) in self.strengths.iter().filter(|(name, _)| *name != "random") {
            for (id, what, at) in
                [("best", "the best first move", best), ("pie", "the most even first move", even)]
            {
                let counts = tally.first.get(first[at].text).copied().unwrap_or_default();
                if let Some(reading) = points(counts) {
                    let label = format!("points of {} after {what}, {name} play", self.side(0));
                    section.figure(&format!("{name}-{id}"), label, reading);
                }
            }
        }
    }

    /// The skill ladder.
    pub(super) fn ladder(&self) -> Option<Section> {
        let matches = &self.parts.ladder;
        let method = format!(
            "Matches of {} games between two budgets of nodes, in pairs from the same two random plies with sides changed. A rung \
             is the first budget, doubling each time, that takes 60 % of the points from the rung below. The slope is the Elo \
             difference for each doubling over all matches, weighed by their errors.",
            2 * ladder::PAIRS
        );
        let mut section = Section::new("ladder", "How much better searching more plays", method);
        let rungs = matches.iter().filter(|played| played.is_clear()).count();
        let top = matches.iter().filter(|played| played.is_clear()).map(|played| played.high).max();
        if matches.is_empty() {
            return None;
        }
        section.figure("rungs", "rungs found above the lowest", Reading::exact(rungs as f64, Unit::Count));
        if let Some(top) = top {
            section.figure("top", "nodes of the highest rung", Reading::exact(top as f64, Unit::Count));
        }
        if let Some(slope) = ladder::slope(matches) {
            section.figure("slope", "Elo for each doubling of the nodes", slope);
        }
        let rows = matches.iter().map(|played| {
            vec![
                played.low.to_string().into(),
                played.high.to_string().into(),
                Reading::share(played.points(), played.games()).into(),
                Reading::share(played.draws as f64, played.games()).into(),
                if played.is_clear() { "yes" } else { "no" }.into(),
            ]
        });
        let columns = ["nodes", "against", "points of the larger", "draws", "a rung"];
        section.table("matches", "Matches", &columns, rows.collect());
        let points = matches.iter().map(|played| {
            let Reading { value: y, low, high, .. } = Reading::share(played.points(), played.games());
            Point { x: (played.high as f64).log2(), y, low, high }
        });
        section.charts.push(Chart {
            id: "ladder".to_owned(),
            title: "Points of the larger budget against the rung below".to_owned(),
            x: "nodes of the larger budget, as a power of two".to_owned(),
            y: "points".to_owned(),
            logarithmic: false,
            series: vec![Series { name: "points".to_owned(), points: points.collect() }],
        });
        Some(section)
    }

    /// Copying the other player.
    pub(super) fn mirror(&self) -> Section {
        let method = "The second player copies the first player's last move, seen through a symmetry, wherever that is legal, and \
                      moves at random elsewhere; the first player moves at random or searches like the weak player, after a random \
                      first move.";
        let mut section = Section::new("mirror", "Does copying pay?", method);
        let mut all = BTreeMap::new();
        self.parts.mirror.iter().for_each(|part| mirror::plus(&mut all, part));
        let rows = all.iter().map(|(name, copied)| {
            vec![
                name.as_str().into(),
                Reading::share(copied.wins as f64 + copied.draws as f64 / 2.0, copied.games).into(),
                Reading::share(copied.wins as f64, copied.games).into(),
                Reading::share(copied.draws as f64, copied.games).into(),
                Reading::share(copied.copies as f64, copied.moves).into(),
            ]
        });
        let columns = ["symmetry", "points", "wins", "draws", "moves that were copies"];
        section.table("copying", "The player who copies", &columns, rows.collect());
        section
    }
}

/// The points of player 0 in games with these wins, draws and losses.
fn points([wins, draws, losses]: [u64; 3]) -> Option<Reading> {
    let games = wins + draws + losses;
    (games > 0).then(|| Reading::share(wins as f64 + draws as f64 / 2.0, games))
}
