//! Adam: steps as long as the slopes are steady (Kingma and Ba, 2015).

use super::model::{Gradient, Model};

const STEADY: f32 = 0.9;
const STEADY_SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;

/// The running means of slopes and of their squares.
#[derive(Clone, Debug)]
pub(crate) struct Adam {
    pub(crate) means: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    pub(crate) steps: u32,
}

impl Adam {
    pub(crate) fn new(len: usize) -> Self {
        Adam { means: vec![0.0; len], squares: vec![0.0; len], steps: 0 }
    }

    /// The rate of the next step: the means begin at nothing, which must not count.
    pub(crate) fn rate(&mut self, rate: f32) -> f32 {
        self.steps += 1;
        let steps = self.steps as i32;
        rate * (1.0 - STEADY_SQUARE.powi(steps)).sqrt() / (1.0 - STEADY.powi(steps))
    }

    /// Takes a step by the sum of the gradients, which are emptied.
    pub(crate) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [&mut Gradient],
        count: f32,
        rate: f32,
        threads: usize,
    ) {
        let rate = self.rate(rate);
        for gradient in gradients.iter() {
            model.seen.iter_mut().zip(&gradient.seen).for_each(|(seen, new)| *seen |= new);
        }
        let most = model.most_weight();
        let size = model.weights.len().div_ceil(threads.max(1)).max(1);
        let mut slopes: Vec<_> =
            gradients.iter_mut().map(|gradient| gradient.weights.chunks_mut(size)).collect();
        std::thread::scope(|scope| {
            let ranges = model.weights.chunks_mut(size).zip(self.means.chunks_mut(size));
            for ((weights, means), squares) in ranges.zip(self.squares.chunks_mut(size)) {
                let slopes: Vec<&mut [f32]> = slopes.iter_mut().filter_map(Iterator::next).collect();
                let work = move || step_range(weights, means, squares, slopes, count, rate, most);
                if threads > 1 {
                    scope.spawn(work);
                } else {
                    work();
                }
            }
        });
    }
}

/// Takes a step with some of the weights.
pub(crate) fn step_range(
    weights: &mut [f32],
    means: &mut [f32],
    squares: &mut [f32],
    slopes: Vec<&mut [f32]>,
    count: f32,
    rate: f32,
    most: f32,
) {
    let mut slopes = slopes.into_iter();
    let Some(total) = slopes.next() else { return };
    for part in slopes {
        total.iter_mut().zip(part.iter()).for_each(|(total, part)| *total += part);
        part.fill(0.0);
    }
    for (((weight, mean), square), slope) in weights.iter_mut().zip(means).zip(squares).zip(total.iter()) {
        let slope = slope / count;
        *mean = STEADY * *mean + (1.0 - STEADY) * slope;
        *square = STEADY_SQUARE * *square + (1.0 - STEADY_SQUARE) * slope * slope;
        *weight = (*weight - rate * *mean / (square.sqrt() + TINY)).clamp(-most, most);
    }
    total.fill(0.0);
}
