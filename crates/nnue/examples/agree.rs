//! How near networks of chess come to what another program has found out by searching.
//!
//! ```text
//! agree POSITIONS NET ..        a position and its score in hundredths for the side to move on each line, a tab between them
//! ```
//!
//! Prints, for each network, the correlation of the points that both expect, and the factor that brings the network's
//! values nearest to the other program's.

use std::path::Path;
use tabia_chess::Chess;
use tabia_core::Notation;
use tabia_nnue::{Learned, Net};

type Failure = Box<dyn std::error::Error>;

/// Hundredths that make a win e times as likely as a loss.
const SCALE: f64 = 200.0;

fn points(hundredths: f64) -> f64 {
    1.0 / (1.0 + (-hundredths / SCALE).exp())
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((positions, nets)) = words.split_first() else { return Err("agree POSITIONS NET ..".into()) };
    let text = std::fs::read_to_string(positions)?;
    let chess = Chess;
    for path in nets {
        let learned = Learned::new(chess, Net::read(Path::new(path))?)?;
        let mut both = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let (position, score) =
                line.split_once('\t').ok_or_else(|| format!("line {}: no tab", number + 1))?;
            let value = learned.value(&chess.parse(position)?.state);
            both.push((f64::from(value), points(score.parse()?)));
        }
        let factor =
            (1..40).map(|i| f64::from(i) * 0.05).min_by(|a, b| off(&both, *a).total_cmp(&off(&both, *b)));
        let factor = factor.unwrap_or(1.0);
        let pairs: Vec<(f64, f64)> =
            both.iter().map(|&(value, truth)| (points(value * factor), truth)).collect();
        println!(
            "{path}: {} positions, correlation {:.4}, factor {factor:.2}",
            pairs.len(),
            correlation(&pairs)
        );
    }
    Ok(())
}

/// The mean squared error of values that are multiplied by a factor.
fn off(both: &[(f64, f64)], factor: f64) -> f64 {
    both.iter().map(|(value, truth)| (points(value * factor) - truth).powi(2)).sum::<f64>()
        / both.len() as f64
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|pair| of(pair.0 - a, pair.1 - b)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}
