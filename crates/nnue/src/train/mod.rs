//! The training: in floating point, sparse where positions are, by Adam.
//!
//! A position has a few dozen of hundreds or thousands of inputs, so that both directions of the first layer touch only
//! their rows. What a position should be worth is a mixture of what the search said (as a probability of winning) and of
//! how the game ended. A batch is divided into a fixed number of parts, each summed on its own and the sums added in
//! order: so that the result is the same for any number of threads.

mod adam;
mod model;
mod moves;
mod state;

use crate::net::{Net, NetError, Shape};
use crate::samples::Samples;
use adam::Adam;
use model::{Gradient, Model};
pub use moves::{Lesson, teach};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tabia_core::{SplitMix64, Work, threads};

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingOptions {
    /// Times that every position is shown.
    pub epochs: u32,
    /// Positions of a batch.
    pub batch: usize,
    /// The rate at the beginning; it falls to a hundredth of itself.
    pub rate: f32,
    /// The share of the search's score in what a position should be worth; the rest is the result.
    pub trust: f32,
    /// In how many folds the inputs come: [`tabia_core::Features::folds`].
    pub folds: usize,
    /// Where the randomness starts.
    pub seed: u64,
}

impl Default for TrainingOptions {
    fn default() -> Self {
        TrainingOptions { epochs: 12, batch: 8192, rate: 0.002, trust: 0.75, folds: 1, seed: 1 }
    }
}

/// How an epoch went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The mean squared error on what was learnt from, while it was learnt.
    pub loss: f64,
    /// The same on games held out.
    pub held_out: f64,
}

/// Parts of a batch.
const PARTS: usize = 16;

/// A training under way.
#[derive(Debug)]
pub struct Trainer {
    model: Model,
    adam: Adam,
    scale: f32,
    epochs: u32,
    options: TrainingOptions,
}

impl Trainer {
    /// A training that has not begun.
    pub fn new(shape: Shape, samples: &Samples, options: TrainingOptions) -> Self {
        Trainer::begin(Model::new(shape, options.folds, options.seed), samples.scale(), options)
    }

    /// A training that begins with what a network knows. It must have the same shape, but for sums that are new, or look at one
    /// fold of the inputs. A hundredth stays worth what it is: weights that fit another scale would have to be unlearnt first.
    pub fn from_net(net: &Net, shape: Shape, options: TrainingOptions) -> Result<Self, NetError> {
        let model = Model::of(net, shape, options.folds, options.seed);
        let model = model.ok_or(NetError::Nothing(
            "a training can only go on from a network of the same shape, or of fewer sums",
        ))?;
        Ok(Trainer::begin(model, net.scale as f32, options))
    }

    fn begin(model: Model, scale: f32, options: TrainingOptions) -> Self {
        let adam = Adam::new(model.weights.len());
        Trainer { model, adam, scale, epochs: 0, options }
    }

    /// Continues where a file left off; one of another shape is refused.
    pub fn resume(path: &Path, shape: Shape, options: TrainingOptions) -> Result<Self, NetError> {
        state::read(path, shape, options)
    }

    /// Keeps everything that is needed to continue.
    pub fn save(&self, path: &Path) -> Result<(), NetError> {
        state::write(self, path)
    }

    /// Epochs that are finished.
    pub fn epochs(&self) -> u32 {
        self.epochs
    }

    /// Whether all are.
    pub fn is_done(&self) -> bool {
        self.epochs >= self.options.epochs
    }

    /// Shows every position once; `None` when stopped.
    pub fn epoch(&mut self, kept: &Samples, held: &Samples, work: &Work<'_>) -> Option<Epoch> {
        let order = shuffled(kept.len(), self.options.seed ^ u64::from(self.epochs) << 32);
        let parts: Vec<_> = (0..PARTS).map(|_| Mutex::new(Gradient::new(&self.model))).collect();
        let (mut loss, mut done) = (0.0, 0);
        let total = order.len() as f32 * self.options.epochs as f32;
        for batch in order.chunks(self.options.batch) {
            if work.is_stopped() {
                return None;
            }
            let share = (self.epochs as f32 * order.len() as f32 + done as f32) / total.max(1.0);
            let rate = self.options.rate * falling(share);
            loss += self.step(kept, batch, &parts, rate, work.threads.max(1));
            done += batch.len();
            work.report(format!("epoch {}", self.epochs + 1), done as u64, Some(order.len() as u64));
        }
        self.epochs += 1;
        let held_out = self.loss(held, work.threads.max(1));
        Some(Epoch { number: self.epochs, loss: loss / done.max(1) as f64, held_out })
    }

    /// Learns from one batch; its loss before that.
    fn step(
        &mut self,
        samples: &Samples,
        batch: &[u32],
        parts: &[Mutex<Gradient>],
        rate: f32,
        threads: usize,
    ) -> f64 {
        let (model, trust, scale) = (&self.model, self.options.trust, self.scale);
        let size = batch.len().div_ceil(PARTS).max(1);
        threads::run(threads.min(PARTS), |thread| {
            for (part, numbers) in
                parts.iter().zip(batch.chunks(size)).skip(thread).step_by(threads.min(PARTS))
            {
                let mut gradient = part.lock().unwrap_or_else(PoisonError::into_inner);
                for &number in numbers {
                    let sample = samples.get(number as usize);
                    model.learn(&sample, Model::target(&sample, trust, scale), &mut gradient);
                }
            }
        });
        let mut parts: Vec<_> =
            parts.iter().map(|part| part.lock().unwrap_or_else(PoisonError::into_inner)).collect();
        let mut gradients: Vec<&mut Gradient> = parts.iter_mut().map(|part| &mut **part).collect();
        let loss = gradients.iter_mut().map(|gradient| std::mem::take(&mut gradient.loss)).sum();
        self.adam.step(&mut self.model, &mut gradients, batch.len() as f32, rate, threads);
        loss
    }

    /// The mean squared error on some positions.
    pub fn loss(&self, samples: &Samples, threads: usize) -> f64 {
        let (model, trust, scale) = (&self.model, self.options.trust, self.scale);
        let sums = threads::run(threads, |thread| {
            let one = |at: usize| {
                let sample = samples.get(at);
                let off = model.output(&sample) - Model::target(&sample, trust, scale);
                f64::from(off * off)
            };
            (thread..samples.len()).step_by(threads).map(one).sum::<f64>()
        });
        sums.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// Keeps the weights of all inputs, also of those that no position has shown.
    pub fn see_all(&mut self) {
        self.model.seen.fill(true);
    }

    /// The network in whole numbers.
    pub fn net(&self) -> Net {
        self.model.rounded(self.scale)
    }
}

/// What is left of the rate after a share of the training: it falls along a cosine to a hundredth.
fn falling(share: f32) -> f32 {
    0.01 + 0.99 * 0.5 * (1.0 + (share * std::f32::consts::PI).cos())
}

/// The numbers below `len` in a random order.
fn shuffled(len: usize, seed: u64) -> Vec<u32> {
    let mut rng = SplitMix64::new(seed);
    let mut order: Vec<u32> = (0..len as u32).collect();
    for at in (1..len).rev() {
        order.swap(at, rng.below(at as u64 + 1) as usize);
    }
    order
}
