//! Playing worse on purpose: fewer positions, and a blurred judgement of the best few moves. So a weak player errs where moves
//! are nearly alike, as people do, and not at random.

use std::ops::RangeInclusive;
use std::sync::LazyLock;
use tabia_core::SplitMix64;
use tabia_search::Report;

/// A limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    nodes: u64,
    blur: u32,
}

/// The names of the levels, the weakest first.
pub const LEVEL_NAMES: [&str; 10] = [
    "Newcomer", "Beginner", "Learner", "Casual", "Improver", "Club", "Strong", "Expert", "Master", "Champion",
];

/// One level of one game.
struct Level {
    game: &'static str,
    number: usize,
    strength: Strength,
    /// A rating: in chess about that of Stockfish's scale, elsewhere above the first level.
    elo: usize,
}

/// Found by matches of neighbouring levels: `cargo xtask levels`. A game that is not there has the levels of `*`.
static LEVELS: LazyLock<Vec<Level>> =
    LazyLock::new(|| include_str!("levels.csv").lines().filter_map(level).collect());

/// A line of the table; its head has no numbers.
fn level(line: &'static str) -> Option<Level> {
    let mut fields = line.split(',');
    let (game, number) = (fields.next()?, fields.next()?.parse().ok()?);
    let strength = Strength { nodes: fields.next()?.parse().ok()?, blur: fields.next()?.parse().ok()? };
    Some(Level { game, number, strength, elo: fields.next()?.parse().ok()? })
}

/// The levels of a game, the weakest first.
fn levels(game: &str) -> impl Iterator<Item = &'static Level> {
    let known = if LEVELS.iter().any(|level| level.game == game) { game.to_owned() } else { "*".to_owned() };
    LEVELS.iter().filter(move |level| level.game == known)
}

impl Strength {
    /// The levels for people.
    pub const LEVELS: RangeInclusive<usize> = 1..=LEVEL_NAMES.len();

    /// The ratings that can be asked for in chess.
    pub const ELO: RangeInclusive<usize> = 200..=1990;

    /// How many of the best moves may be mistaken for the best one, ...
    const CANDIDATES: usize = 6;
    /// ... and beyond how much blur more of them may be: one for each so many hundredths.
    const CLOSE: u32 = 350;
    const ONE_MORE: u32 = 20;

    /// So many positions for a move, and a judgement that is wrong by so many hundredths.
    pub const fn new(nodes: u64, blur: u32) -> Self {
        Strength { nodes, blur }
    }

    /// The number of a level, which is given by that or by its name.
    pub(super) fn level_named(text: &str) -> Option<usize> {
        let named = LEVEL_NAMES.iter().position(|name| name.eq_ignore_ascii_case(text)).map(|at| at + 1);
        named.or_else(|| text.parse().ok()).filter(|number| Self::LEVELS.contains(number))
    }

    /// A level of a game; numbers beyond the ends are taken as these.
    pub fn of_level(game: &str, number: usize) -> Self {
        let number = number.clamp(*Self::LEVELS.start(), *Self::LEVELS.end());
        let found = levels(game).find(|level| level.number == number);
        found.map_or(Strength { nodes: 1, blur: 0 }, |level| level.strength)
    }

    /// The strength of a rating, between the levels of chess; ratings beyond their ends are taken as these.
    pub fn of_elo(elo: usize) -> Self {
        let scale: Vec<&Level> = levels("chess").collect();
        let after = scale.iter().position(|level| level.elo > elo).unwrap_or(scale.len() - 1).max(1);
        let (low, high) = (scale[after - 1], scale[after]);
        let part = (elo.clamp(low.elo, high.elo) - low.elo) as f64 / (high.elo - low.elo) as f64;
        let between = |low: f64, high: f64| low + (high - low) * part;
        let (low, high) = (low.strength, high.strength);
        // Strength grows with the logarithm of the nodes.
        let nodes = between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp();
        let blur = between(low.blur.into(), high.blur.into());
        Strength { nodes: nodes.round() as u64, blur: blur.round() as u32 }
    }

    /// Positions that may be visited for a move.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Games that may be played out for a move, where a game has no evaluation: each costs about as much as twenty positions.
    pub fn playouts(&self) -> u64 {
        (self.nodes / 20).max(1)
    }

    /// How many best lines the choice needs.
    pub fn candidates(&self) -> usize {
        let more = self.blur.saturating_sub(Self::CLOSE) / Self::ONE_MORE;
        if self.blur > 0 { Self::CANDIDATES + more as usize } else { 1 }
    }

    /// Which of the lines of a search to play: the best, as far as a blurred judgement can tell.
    pub fn choose<Move>(&self, report: &Report<Move>, rng: &mut SplitMix64) -> usize {
        let mut judged = |score: tabia_search::Score| {
            f64::from(score.rank().clamp(-3000, 3000)) + f64::from(self.blur) * bell(rng)
        };
        let judged: Vec<f64> = report.lines.iter().map(|line| judged(line.score)).collect();
        (0..judged.len()).max_by(|&a, &b| judged[a].total_cmp(&judged[b]).then(b.cmp(&a))).unwrap_or(0)
    }
}

/// A random number around 0 with a deviation of 1, nearly normal: a sum of uniform ones.
fn bell(rng: &mut SplitMix64) -> f64 {
    let sum: f64 = (0..12).map(|_| rng.below(1 << 32) as f64 / (1u64 << 32) as f64).sum();
    sum - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_search::{Line, Score, TableStats};

    fn report(values: &[i32]) -> Report<u8> {
        let line = |&value: &i32| Line { moves: vec![0], score: Score::Estimate(value) };
        Report {
            lines: values.iter().map(line).collect(),
            score: Score::Draw,
            exact: false,
            depth: 1,
            nodes: 1,
            seconds: 0.0,
            table: TableStats::default(),
        }
    }

    #[test]
    fn more_rating_is_more_nodes_and_less_blur() {
        let all: Vec<Strength> = Strength::ELO.step_by(50).map(Strength::of_elo).collect();
        assert!(all.windows(2).all(|pair| pair[0].blur >= pair[1].blur));
        assert_eq!(Strength::of_elo(0), Strength::of_level("chess", 1));
        assert_eq!(Strength::of_elo(9999), Strength::of_level("chess", 10));
    }

    #[test]
    fn every_game_has_ten_levels_and_each_knows_more_than_the_one_below() {
        for game in ["chess", "draughts", "arx", "five-visible", "a game of yours"] {
            let all: Vec<Strength> =
                Strength::LEVELS.map(|number| Strength::of_level(game, number)).collect();
            let better = |two: &[Strength]| {
                two[0].blur > two[1].blur || two[0].blur == 0 && two[0].nodes < two[1].nodes
            };
            assert!(all.windows(2).all(better), "{game}");
            assert_eq!((all.len(), all[9].candidates()), (10, 1), "{game}");
            assert!(levels(game).map(|level| level.number).eq(Strength::LEVELS));
        }
    }

    #[test]
    fn the_page_calls_the_levels_by_the_same_names() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/js/play.js");
        // The crate by itself has no page.
        if let Ok(page) = std::fs::read_to_string(page) {
            assert!(page.contains(&format!("\"{}\"", LEVEL_NAMES.join(","))));
        }
    }

    #[test]
    fn a_blurred_judgement_prefers_what_is_better_but_not_always() {
        let mut rng = SplitMix64::new(1);
        let mut times = |strength: Strength| {
            let mut times = [0; 3];
            (0..1000).for_each(|_| times[strength.choose(&report(&[50, 0, -400]), &mut rng)] += 1);
            times
        };
        let [best, second, worst] = times(Strength::new(1, 100));
        assert!(best > second && second > 100 && worst < 30, "{best} {second} {worst}");
        assert_eq!(times(Strength::new(1, 0)), [1000, 0, 0]);
        // Who sees next to nothing mistakes more moves for the best one.
        assert_eq!([0, 1, 350, 1000].map(|blur| Strength::new(1, blur).candidates()), [1, 6, 6, 38]);
        assert_eq!(Strength::of_elo(1000).choose(&report(&[]), &mut SplitMix64::new(1)), 0);
    }
}
