//! The training of a head: what was played, of all that was legal, with the rest of the network as it is.
//!
//! ```text
//!   weights, in rows of sixteen: mix[2 * hidden] | bias | rows[2 * inputs]
//! ```

use super::adam::{Adam, step_range};
use super::{PARTS, TrainingOptions, falling, shuffled};
use crate::choices::{Choice, Choices};
use crate::head::{HEAD_ONE, Head, MOST_HEAD_WEIGHT, WIDTH};
use crate::net::{FIRST_ONE, Net};
use std::sync::{Mutex, PoisonError};
use tabia_core::{SplitMix64, Work, threads};

/// Positions of a batch.
const BATCH: usize = 1024;
/// The rate at the beginning.
const RATE: f32 = 0.01;

/// How an epoch of a head went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// Its number, from 1.
    pub number: u32,
    /// The mean of -ln(share of the move played), on what was learnt from, while it was learnt.
    pub loss: f64,
    /// The same on games held out.
    pub held_out: f64,
    /// How often the move played is the first choice there, in parts of one.
    pub first_choice: f64,
}

/// Teaches a head for a network that stays as it is; `None` when stopped. Epochs and seed are those of the options.
pub fn teach(
    net: &Net,
    kept: &Choices,
    held: &Choices,
    options: &TrainingOptions,
    work: &Work<'_>,
    on_epoch: &mut dyn FnMut(&Lesson),
) -> Option<Head> {
    let mut model = Model::new(net, options.seed);
    let mut adam = Adam::new(model.weights.len());
    let parts: Vec<_> = (0..PARTS).map(|_| Mutex::new(Gradient::new(&model))).collect();
    let threads = work.threads.max(1);
    for epoch in 0..options.epochs {
        let order = shuffled(kept.len(), options.seed ^ u64::from(epoch) << 32);
        let (mut loss, mut done) = (0.0, 0);
        for batch in order.chunks(BATCH) {
            if work.is_stopped() {
                return None;
            }
            let share = (epoch as f32 + done as f32 / order.len() as f32) / options.epochs as f32;
            loss += model.step(kept, batch, &parts, &mut adam, RATE * falling(share), threads);
            done += batch.len();
            work.report(format!("epoch {}", epoch + 1), done as u64, Some(order.len() as u64));
        }
        let (held_out, first_choice) = model.test(held, threads);
        on_epoch(&Lesson { number: epoch + 1, loss: loss / done.max(1) as f64, held_out, first_choice });
    }
    Some(model.rounded())
}

/// A head that learns.
struct Model<'a> {
    net: &'a Net,
    weights: Vec<f32>,
}

/// What some positions would change, and the numbers of the position at hand.
struct Gradient {
    weights: Vec<f32>,
    loss: f64,
    scratch: Scratch,
}

struct Scratch {
    sums: Vec<i16>,
    /// Sums of both sides, clipped and squared, and 1.
    squares: Vec<f32>,
    mood: [f32; WIDTH],
    /// What each move is worth; then its share.
    worth: Vec<f32>,
}

impl Scratch {
    fn new(net: &Net) -> Self {
        let hidden = net.shape.hidden;
        let (sums, squares) = (vec![0; hidden], Vec::with_capacity(2 * hidden + 1));
        Scratch { sums, squares, mood: [0.0; WIDTH], worth: Vec::new() }
    }
}

impl Gradient {
    fn new(model: &Model<'_>) -> Self {
        Gradient { weights: vec![0.0; model.weights.len()], loss: 0.0, scratch: Scratch::new(model.net) }
    }
}

impl<'a> Model<'a> {
    fn new(net: &'a Net, seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        // Rows begin at nothing: what is never seen stays there, and takes no room in a file.
        let mut weights = vec![0.0; WIDTH * Head::len(net.shape.inputs, net.shape.hidden)];
        let mix = WIDTH * (2 * net.shape.hidden + 1);
        weights[..mix].iter_mut().for_each(|weight| *weight = (rng.unit() as f32 * 2.0 - 1.0) * 0.3);
        Model { net, weights }
    }

    /// Where the row of a change begins.
    fn row_at(&self, change: u16) -> usize {
        WIDTH * (2 * self.net.shape.hidden + 1 + usize::from(change))
    }

    /// Fills in what each move is worth.
    fn forward(&self, choice: &Choice<'_>, scratch: &mut Scratch) {
        let Scratch { sums, squares, mood, worth } = scratch;
        squares.clear();
        for inputs in [choice.position.own, choice.position.other] {
            sums.copy_from_slice(&self.net.first_bias);
            for &input in inputs {
                let row = self.net.row(usize::from(input));
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            }
            squares.extend(sums.iter().map(|&sum| {
                let clipped = f32::from(sum.clamp(0, FIRST_ONE as i16)) / FIRST_ONE as f32;
                clipped * clipped
            }));
        }
        // The bias is what is always there.
        squares.push(1.0);
        *mood = [0.0; WIDTH];
        for (&square, row) in squares.iter().zip(self.weights.as_chunks::<WIDTH>().0) {
            if square > 0.0 {
                (0..WIDTH).for_each(|i| mood[i] += square * row[i]);
            }
        }
        worth.clear();
        worth.extend(choice.moves().map(|changes| {
            let row = |&change: &u16| &self.weights[self.row_at(change)..][..WIDTH];
            changes.iter().map(|change| dot(row(change), mood)).sum::<f32>()
        }));
    }

    /// -ln(share of the move played), once what moves are worth is filled in; makes shares of them.
    fn loss(choice: &Choice<'_>, worth: &mut [f32]) -> f64 {
        let most = worth.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = worth.iter().map(|worth| (worth - most).exp()).sum();
        let loss = most + sum.ln() - worth[choice.played];
        worth.iter_mut().for_each(|worth| *worth = (*worth - most).exp() / sum);
        f64::from(loss)
    }

    /// Adds what a position teaches.
    fn learn(&self, choice: &Choice<'_>, gradient: &mut Gradient) {
        let Gradient { weights: slopes, loss, scratch } = gradient;
        self.forward(choice, scratch);
        *loss += Self::loss(choice, &mut scratch.worth);
        let Scratch { squares, mood, worth, .. } = scratch;
        let mut back = [0.0; WIDTH];
        for (number, changes) in choice.moves().enumerate() {
            let slope = worth[number] - f32::from(u8::from(number == choice.played));
            for &change in changes {
                let at = self.row_at(change);
                for i in 0..WIDTH {
                    slopes[at + i] += slope * mood[i];
                    back[i] += slope * self.weights[at + i];
                }
            }
        }
        for (&square, slopes) in squares.iter().zip(slopes.as_chunks_mut::<WIDTH>().0) {
            if square > 0.0 {
                (0..WIDTH).for_each(|i| slopes[i] += square * back[i]);
            }
        }
    }

    /// Learns from one batch; its loss before that.
    fn step(
        &mut self,
        choices: &Choices,
        batch: &[u32],
        parts: &[Mutex<Gradient>],
        adam: &mut Adam,
        rate: f32,
        threads: usize,
    ) -> f64 {
        // A fixed number of parts, added in order: the same for any number of threads.
        let size = batch.len().div_ceil(PARTS).max(1);
        let model = &*self;
        threads::run(threads.min(PARTS), |thread| {
            for (part, numbers) in
                parts.iter().zip(batch.chunks(size)).skip(thread).step_by(threads.min(PARTS))
            {
                let mut gradient = part.lock().unwrap_or_else(PoisonError::into_inner);
                numbers.iter().for_each(|&number| model.learn(&choices.get(number as usize), &mut gradient));
            }
        });
        let mut parts: Vec<_> =
            parts.iter().map(|part| part.lock().unwrap_or_else(PoisonError::into_inner)).collect();
        let loss = parts.iter_mut().map(|part| std::mem::take(&mut part.loss)).sum();
        let slopes = parts.iter_mut().map(|part| &mut part.weights[..]).collect();
        let rate = adam.rate(rate);
        let (count, Adam { means, squares, .. }) = (batch.len() as f32, adam);
        step_range(&mut self.weights, means, squares, slopes, count, rate, MOST_HEAD_WEIGHT);
        loss
    }

    /// The mean loss on some positions, and how often the move played is the first choice.
    fn test(&self, choices: &Choices, threads: usize) -> (f64, f64) {
        let parts = threads::run(threads, |thread| {
            let (mut scratch, mut total) = (Scratch::new(self.net), (0.0, 0));
            for at in (thread..choices.len()).step_by(threads) {
                let choice = choices.get(at);
                self.forward(&choice, &mut scratch);
                let best = scratch.worth.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
                total.1 += u64::from(best.is_some_and(|(number, _)| number == choice.played));
                total.0 += Self::loss(&choice, &mut scratch.worth);
            }
            total
        });
        let (loss, first) = parts.iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        let count = choices.len().max(1) as f64;
        (loss / count, first as f64 / count)
    }

    /// The head in whole numbers.
    fn rounded(&self) -> Head {
        let round = |&weight: &f32| (weight * HEAD_ONE as f32).round() as i8;
        Head::of(&self.weights.iter().map(round).collect::<Vec<_>>(), self.net.shape.hidden)
    }
}

fn dot(row: &[f32], mood: &[f32; WIDTH]) -> f32 {
    row.iter().zip(mood).map(|(weight, mood)| weight * mood).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Shape;
    use crate::samples::Sample;
    use crate::train::{Samples, Trainer};

    fn net() -> Net {
        let shape =
            Shape { variant: "none".to_owned(), fingerprint: 0, inputs: 20, hidden: 16, buckets: 1, full: 5 };
        let mut trainer = Trainer::new(shape, &Samples::new(), TrainingOptions::default());
        trainer.see_all();
        trainer.net()
    }

    /// A head whose rows are not at their beginning.
    fn model(net: &Net) -> Model<'_> {
        let mut model = Model::new(net, 5);
        let mut rng = SplitMix64::new(3);
        model.weights.iter_mut().for_each(|weight| *weight += 2.0 * rng.unit() as f32 - 1.0);
        model
    }

    const POSITION: Sample<'static> =
        Sample { own: &[1, 5, 9, 13], other: &[0, 5, 19], bucket: 0, score: 0, result: Some(0.5) };
    /// Three moves; one of them changes nothing that can be seen.
    const MOVES: [&[u16]; 3] = [&[3, 2], &[], &[7, 2, 38]];

    fn choice(changes: &[u16]) -> Choice<'_> {
        Choice::new(POSITION, changes, 2)
    }

    #[test]
    fn slopes_are_those_of_small_steps() {
        let (net, changes) = (net(), Choice::written(&MOVES));
        let (mut model, choice) = (model(&net), choice(&changes));
        let mut gradient = Gradient::new(&model);
        model.learn(&choice, &mut gradient);
        let mut largest = 0.0f32;
        for at in 0..model.weights.len() {
            let here = model.weights[at];
            let mut loss = |weight: f32| {
                model.weights[at] = weight;
                let mut scratch = Scratch::new(&net);
                model.forward(&choice, &mut scratch);
                Model::loss(&choice, &mut scratch.worth)
            };
            let step = 1e-2;
            let numeric = (loss(here + step) - loss(here - step)) / f64::from(2.0 * step);
            model.weights[at] = here;
            let slope = gradient.weights[at];
            assert!((f64::from(slope) - numeric).abs() < 1e-3, "weight {at}: {slope} but {numeric}");
            largest = largest.max(slope.abs());
        }
        assert!(largest > 0.1, "nothing was learnt");
    }

    #[test]
    fn whole_numbers_say_nearly_the_same() {
        let (net, changes) = (net(), Choice::written(&MOVES));
        let (model, choice) = (model(&net), choice(&changes));
        let mut scratch = Scratch::new(&net);
        model.forward(&choice, &mut scratch);
        let sums = |inputs: &[u16]| {
            let mut sums = net.first_bias.clone();
            for &input in inputs {
                sums.iter_mut().zip(net.row(usize::from(input))).for_each(|(sum, weight)| *sum += weight);
            }
            sums
        };
        let head = model.rounded();
        let mood = head.mood(&sums(POSITION.own), &sums(POSITION.other));
        for (number, changes) in MOVES.iter().enumerate() {
            let worth = head.worth(&mood, changes.iter().map(|&change| usize::from(change)));
            let expected = scratch.worth[number];
            assert!((worth - expected).abs() < 0.2, "{number}: {worth} but {expected}");
        }
        assert!(scratch.worth.iter().any(|worth| worth.abs() > 1.0), "{:?}", scratch.worth);
    }
}
