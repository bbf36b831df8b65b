//! Sections about what there is: positions, lines, values.

use super::Source;
use super::games::point;
use crate::profile::descent::{Descents, PLIES};
use crate::profile::figures::{Chart, Entry, Point, Reading, Section, Series, Unit};

impl Source<'_> {
    /// Exact values.
    pub(super) fn exact(&self) -> Section {
        let method = "Every position that can be reached was found up to symmetry, and values were worked out backwards from the \
                      ends of the game; draws by counting or repetition play no role. Values are for the side to move, \
                      distances in plies.";
        let mut section = Section::new("exact", "Exact values", method);
        section.facts.extend(self.about.known.iter().cloned());
        let Some(solved) = &self.parts.solved else {
            if !section.facts.is_empty() {
                "A solver made for this game was asked.".clone_into(&mut section.method);
            }
            return section;
        };
        let count = |number: u64| Reading::exact(number as f64, Unit::Count);
        if self.for_two() {
            section.fact("value", "the start is", solved.value.clone());
        }
        if let Some(plies) = solved.distance {
            section.figure("distance", "plies to the end", count(plies.into()));
        }
        let [all, won, drawn, lost] = solved.positions;
        section.figure("positions", "positions up to symmetry", count(all));
        if self.for_two() {
            section.figure("won", "won for the side to move", count(won));
            section.figure("drawn", "drawn", count(drawn));
            section.figure("lost", "lost for the side to move", count(lost));
        } else {
            section.figure("won", "positions that can be solved", count(won));
            section.figure("lost", "positions that cannot", count(lost));
        }
        section.figure("first-moves", "first moves", count(solved.holding[1]));
        section.figure("first-moves-holding", "first moves that keep the value", count(solved.holding[0]));
        if let Some((plies, position)) = &solved.longest {
            section.figure("longest", "plies of the longest win", count((*plies).into()));
            section.fact("longest-position", "a position with it", position.clone());
        }
        let distance = |plies: &Option<u16>| plies.map_or("-".to_owned(), |plies| plies.to_string());
        let rows = solved.first.iter().map(|(mv, value, plies, same)| {
            vec![mv.as_str().into(), value.as_str().into(), distance(plies).into(), same.to_string().into()]
        });
        let columns = ["first move", "value for its player", "plies", "the same by symmetry"];
        section.table("first", "First moves", &columns, rows.collect());
        let rows = solved.only.iter().map(|(position, mv, plies)| {
            vec![position.as_str().into(), mv.as_str().into(), plies.to_string().into()]
        });
        let columns = ["position", "the only winning move", "plies to the win"];
        section.table("only", "Puzzles: a single move wins", &columns, rows.collect());
        let wins = solved.wins_by_distance.iter().enumerate().filter(|(_, wins)| **wins > 0);
        let points =
            wins.map(|(plies, &wins)| Point { x: plies as f64, y: wins as f64, low: None, high: None });
        section.charts.push(Chart {
            id: "distances".to_owned(),
            title: "Won positions by the plies that winning takes".to_owned(),
            x: "plies".to_owned(),
            y: "positions".to_owned(),
            logarithmic: true,
            series: vec![Series { name: "won positions".to_owned(), points: points.collect() }],
        });
        section
    }

    /// Positions by ply.
    pub(super) fn positions(&self) -> Option<Section> {
        let counted = self.parts.positions.as_ref()?;
        let method = "Positions first met at each ply, up to symmetry. All of them are kept while there is room; beyond that, every \
                      line is followed but only positions whose hash falls into one of many equal parts are kept, and their \
                      number is multiplied (the interval is that of picking each with a fixed chance). Lines beyond are \
                      estimated by random descents, and are an upper bound.";
        let mut section = Section::new("positions", "How many positions there are", method);
        let found: u64 = counted.exact.iter().sum();
        let label = if counted.complete {
            "positions in all, up to symmetry"
        } else {
            "positions counted one by one"
        };
        section.figure("counted", label, Reading::exact(found as f64, Unit::Count));
        if let Some(plain) = counted.plain {
            let label = "positions in all, symmetric ones told apart";
            section.figure("plain", label, Reading::exact(plain as f64, Unit::Count));
        }
        let descents = Descents::sum(&self.parts.tree);
        let plies = counted.exact.len() + counted.picked.len();
        let beyond = if counted.complete { plies } else { plies.max(PLIES.min(plies + 12)) };
        let readings = (0..beyond).map(|ply| (ply, counted.at(ply), descents.lines(ply)));
        let readings: Vec<_> = readings.collect();
        let entry = |reading: &Option<Reading>| reading.map_or(Entry::from("-"), Entry::from);
        let rows = readings
            .iter()
            .map(|(ply, positions, lines)| vec![ply.to_string().into(), entry(positions), entry(lines)]);
        section.table("by-ply", "By ply", &["ply", "positions first met", "lines of moves"], rows.collect());
        let points = |pick: &dyn Fn(usize) -> Option<Reading>| {
            (0..beyond).filter_map(|ply| Some(point(ply as f64, &pick(ply)?))).collect::<Vec<_>>()
        };
        let lines = points(&|ply| descents.lines(ply));
        let series = [("positions first met", points(&|ply| counted.at(ply))), ("lines of moves", lines)];
        let series = series.into_iter().filter(|(_, points)| !points.is_empty());
        section.charts.push(Chart {
            id: "positions".to_owned(),
            title: "Positions and lines by ply".to_owned(),
            x: "ply".to_owned(),
            y: "number".to_owned(),
            logarithmic: true,
            series: series.map(|(name, points)| Series { name: name.to_owned(), points }).collect(),
        });
        Some(section)
    }

    /// The size of the tree.
    pub(super) fn tree(&self) -> Option<Section> {
        let method = "Knuth's estimator (1975): a random game multiplies the numbers of legal moves it meets, and the mean of these \
                      products is the number of different games; the interval is a bootstrap over descents. The products \
                      vary enormously where games are long, so that the estimate is then rather too small than too large.";
        let mut section = Section::new("tree", "How many games there are", method);
        let descents = Descents::sum(&self.parts.tree);
        let label = "different games to the end, draws by counting and repetition included";
        section.figure("games", label, descents.size(self.request.seed)?);
        if descents.cut > 0 {
            let text = format!("{} descents did not end within 1,000 plies and were cut there", descents.cut);
            section.fact("cut", "cut off", text);
        }
        Some(section)
    }
}
