//! Playing worse on purpose: fewer positions, and a blurred judgement of the best few moves.

use std::ops::RangeInclusive;
use tabia_core::SplitMix64;
use tabia_search::Report;

/// A limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    nodes: u64,
    blur: u32,
}

impl Strength {
    /// The ratings that can be asked for.
    pub const ELO: RangeInclusive<usize> = 1000..=2400;

    /// How many of the best moves may be mistaken for the best one.
    const CANDIDATES: usize = 6;

    /// The strength of a rating, by the scale below; ratings beyond its ends are taken as these.
    pub fn of_elo(elo: usize) -> Self {
        let after = SCALE.iter().position(|step| step.0 > elo).unwrap_or(SCALE.len() - 1).max(1);
        let (low, high) = (SCALE[after - 1], SCALE[after]);
        let part = (elo.clamp(low.0, high.0) - low.0) as f64 / (high.0 - low.0) as f64;
        // Strength grows with the logarithm of the nodes.
        let nodes = low.1 * (high.1 / low.1).powf(part);
        let blur = low.2 + (high.2 - low.2) * part;
        Strength { nodes: nodes.round() as u64, blur: blur.round() as u32 }
    }

    /// Positions that may be visited for a move.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many best lines the choice needs.
    pub fn candidates(&self) -> usize {
        if self.blur > 0 { Self::CANDIDATES } else { 1 }
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

/// Rating, positions for a move, blur in hundredths of a pawn. Measured in chess: docs/search.md says how.
const SCALE: [(usize, f64, f64); 4] =
    [(1000, 60.0, 160.0), (1500, 300.0, 60.0), (2000, 4_000.0, 10.0), (2400, 60_000.0, 0.0)];

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
        assert!(all.windows(2).all(|pair| pair[0].nodes < pair[1].nodes && pair[0].blur >= pair[1].blur));
        assert_eq!(Strength::of_elo(0), Strength::of_elo(1000));
        assert_eq!(Strength::of_elo(9999), Strength::of_elo(2400));
        assert_eq!(Strength::of_elo(2400).candidates(), 1);
    }

    #[test]
    fn a_blurred_judgement_prefers_what_is_better_but_not_always() {
        let mut rng = SplitMix64::new(1);
        let mut times = |strength: Strength| {
            let mut times = [0; 3];
            (0..1000).for_each(|_| times[strength.choose(&report(&[50, 0, -400]), &mut rng)] += 1);
            times
        };
        let [best, second, worst] = times(Strength { nodes: 1, blur: 100 });
        assert!(best > second && second > 100 && worst < 30, "{best} {second} {worst}");
        assert_eq!(times(Strength { nodes: 1, blur: 0 }), [1000, 0, 0]);
        assert_eq!(Strength::of_elo(1000).choose(&report(&[]), &mut SplitMix64::new(1)), 0);
    }
}
