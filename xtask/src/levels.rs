//! The ten levels of each game, found by matches: the highest is given, and each below it is the one that loses about three games
//! of four.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const TABLE: &str = "crates/app/src/search/levels.csv";
const GAMES: [&str; 4] = ["arx", "chess", "draughts", "five-visible"];
const LEVELS: usize = 10;
/// Positions that the highest level looks at for a move.
const MOST: f64 = 5_000.0;
/// From this place on nothing is blurred.
const CLEAR: f64 = 0.7;
/// The lowest place: nobody looks at fewer positions, and players are not blurred any more.
const LOWEST: f64 = -0.43;
const MOST_BLUR: f64 = 1_000.0;
/// What a level should take from the one below, and how far off is near enough.
const POINTS: f64 = 0.75;
const NEAR: f64 = 0.02;
/// Matches that are tried for a level.
const TRIES: usize = 5;
/// The rating of the highest level of chess on Stockfish's scale; docs/search.md says how it was measured.
const CHAMPION: f64 = 1990.0;

/// One level: its place on the way from knowing next to nothing (0) to the highest level (1).
#[derive(Clone, Copy, Debug)]
struct Level {
    place: f64,
    /// What it takes from the level below.
    points: Option<f64>,
}

impl Level {
    fn nodes(self) -> u64 {
        // Telling six moves apart takes about three times as long as finding the best one.
        let lines = if self.blur() > 0 { 3.0 } else { 1.0 };
        (10.0 * lines * (MOST / 10.0).powf(self.place)).round().max(2.0) as u64
    }

    /// The higher levels see clearly, and see less far than the highest.
    fn blur(self) -> u32 {
        (600.0 * (1.0 - self.place / CLEAR).max(0.0).powf(1.5)).round().min(MOST_BLUR) as u32
    }

    fn player(self) -> String {
        format!("nodes={},blur={},tables=0", self.nodes(), self.blur())
    }
}

/// Finds the levels of one game, or of all, with a program, and writes the table.
pub(crate) fn find(program: &Path, games: u64, only: Option<&str>) -> anyhow::Result<()> {
    ensure!(only.is_none_or(|game| GAMES.contains(&game)), "there are levels of {}", GAMES.join(", "));
    let before = std::fs::read_to_string(TABLE)?;
    let mut text = String::from("game,level,nodes,blur,elo,points\n");
    for game in GAMES {
        // A game that nobody has measured is taken to be like draughts.
        let names = if game == "draughts" { &["*", game][..] } else { &[game] };
        if only.is_some_and(|only| only != game) {
            for name in names {
                let rows = before.lines().filter(|row| row.split(',').next() == Some(*name));
                rows.for_each(|row| text += &format!("{row}\n"));
            }
            continue;
        }
        let levels = of_game(program, game, games)?;
        names.iter().for_each(|name| write_levels(&mut text, name, &levels));
    }
    let unfinished = format!("{TABLE}.unfinished");
    std::fs::write(&unfinished, &text)?;
    std::fs::rename(&unfinished, TABLE)?;
    Ok(())
}

/// The levels of a game, the lowest first.
fn of_game(program: &Path, game: &str, games: u64) -> anyhow::Result<Vec<Level>> {
    let mut levels = vec![Level { place: 1.0, points: None }];
    let mut step = 0.1;
    while levels.len() < LEVELS {
        let above = levels[levels.len() - 1];
        let (mut best, mut missed) = (above, f64::MAX);
        // The longest step that took too little, and the shortest that took too much.
        let (mut short, mut long) = (0.0f64, f64::MAX);
        for attempt in 0..TRIES {
            let below = Level { place: (above.place - step).max(LOWEST), points: None };
            let seed = (levels.len() * TRIES + attempt) as u64;
            let points = points(program, game, above, below, games, seed)?;
            println!("{game}: {} takes {:.1} % from {}", above.player(), points * 100.0, below.player());
            if (points - POINTS).abs() < missed {
                (best, missed) = (Level { points: Some(points), ..below }, (points - POINTS).abs());
            }
            if missed <= NEAR {
                break;
            }
            if points < POINTS {
                short = short.max(step);
            } else {
                long = long.min(step);
            }
            // Strength is nearly even along the way: what is missing in rating is missing in steps.
            let share = rating(POINTS) / rating(points.clamp(0.52, 0.98));
            let next = step * share.clamp(0.4, 2.5);
            let between = short < long && long < f64::MAX && !(short < next && next < long);
            step = if between { f64::midpoint(short, long) } else { next }.clamp(0.002, 1.0);
        }
        let (points, last) = (best.points, levels.len() - 1);
        levels[last].points = points;
        step = above.place - best.place;
        levels.push(Level { points: None, ..best });
    }
    levels.reverse();
    Ok(levels)
}

/// What the first takes from the second.
fn points(program: &Path, game: &str, a: Level, b: Level, games: u64, seed: u64) -> anyhow::Result<f64> {
    let (games, seed) = (games.to_string(), seed.to_string());
    let words =
        ["match", game, &a.player(), &b.player(), "--games", &games, "--seed", &seed, "--json", "--quiet"];
    let output = Command::new(program).args(words).output().context("the program cannot be started")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout)?;
    told["score"].as_f64().with_context(|| format!("no score in {told}"))
}

/// The difference in rating behind a share of the points.
fn rating(points: f64) -> f64 {
    400.0 * (points / (1.0 - points)).log10()
}

fn write_levels(text: &mut String, game: &str, levels: &[Level]) {
    let steps: Vec<f64> = levels.iter().skip(1).map(|level| level.points.map_or(0.0, rating)).collect();
    let lowest = if game == "chess" { CHAMPION - steps.iter().sum::<f64>() } else { 0.0 };
    for (number, level) in levels.iter().enumerate() {
        let elo = lowest + steps[..number].iter().sum::<f64>();
        let points = level.points.map_or(String::new(), |points| format!("{points:.3}"));
        let _ = writeln!(text, "{game},{},{},{},{elo:.0},{points}", number + 1, level.nodes(), level.blur());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_leads_up() {
        let way = |place: f64| Level { place, points: None };
        assert_eq!((way(1.0).nodes(), way(1.0).blur()), (5_000, 0));
        for step in 0..14 {
            let (low, high) = (LOWEST + f64::from(step) / 10.0, LOWEST + f64::from(step + 1) / 10.0);
            let (low, high) = (way(low), way(high));
            assert!(low.blur() > high.blur() || low.blur() == high.blur() && low.nodes() < high.nodes());
        }
        assert_eq!((way(LOWEST).nodes(), way(LOWEST).blur()), (2, 1_000));
        assert!((rating(0.75) - 190.8).abs() < 0.1);
        let mut text = String::new();
        let below = Level { place: 0.9, points: None };
        write_levels(&mut text, "chess", &[below, Level { place: 1.0, points: Some(0.75) }]);
        assert_eq!(text, "chess,1,2686,0,1799,\nchess,2,5000,0,1990,0.750\n");
    }
}
