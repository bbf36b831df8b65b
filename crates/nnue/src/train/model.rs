//! The network in floating point, and what a position teaches it.
//!
//! ```text
//!   weights: first[inputs][hidden] | first bias[hidden] | second[buckets][2 * hidden] | second bias[buckets]
//!            | shared[inputs / folds][hidden], where inputs come in several folds
//! ```
//!
//! The row of an input of several folds is learnt as the sum of one of its own and of one that it shares with the same
//! fact in the other folds: so what is true wherever the king stands is learnt from all positions.

use crate::net::{FIRST_ONE, MOST_WEIGHT, Net, SECOND_ONE, Shape};
use crate::samples::Sample;
use tabia_core::SplitMix64;

/// Weights that learn.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) shape: Shape,
    pub(crate) weights: Vec<f32>,
    /// Which inputs were ever seen: the others are not kept.
    pub(crate) seen: Vec<bool>,
    /// [`tabia_core::Features::folds`].
    folds: usize,
}

/// What some positions would change.
#[derive(Clone, Debug)]
pub(crate) struct Gradient {
    pub(crate) weights: Vec<f32>,
    pub(crate) seen: Vec<bool>,
    pub(crate) loss: f64,
    /// Sums, and what they should have been, of the position at hand.
    sums: [Vec<f32>; 2],
    back: [Vec<f32>; 2],
}

impl Gradient {
    pub(crate) fn new(model: &Model) -> Self {
        let zeros = || vec![0.0; model.shape.hidden];
        let (sums, back) = ([zeros(), zeros()], [zeros(), zeros()]);
        let (weights, seen) = (vec![0.0; model.weights.len()], vec![false; model.shape.inputs]);
        Gradient { weights, seen, loss: 0.0, sums, back }
    }
}

pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Model {
    pub(crate) fn new(shape: Shape, folds: usize, seed: u64) -> Self {
        let Shape { inputs, hidden, buckets, .. } = shape;
        let folds = if folds > 1 && inputs % folds == 0 { folds } else { 1 };
        let mut rng = SplitMix64::new(seed);
        let mut random = |width: f32| (rng.unit() as f32 * 2.0 - 1.0) * width;
        let mut weights = Vec::new();
        // About as many inputs are on as a full board has features.
        let (first, second) = ((1.0 / shape.full.max(1) as f32).sqrt(), (1.0 / hidden as f32).sqrt());
        // Where rows are shared, what they have of their own begins with nothing.
        let own = if folds > 1 { 0.0 } else { first };
        weights.extend((0..inputs * hidden).map(|_| random(own)));
        weights.extend((0..hidden).map(|_| 0.1));
        weights.extend((0..2 * hidden * buckets).map(|_| random(second)));
        weights.resize(weights.len() + buckets, 0.0);
        if folds > 1 {
            weights.extend((0..inputs / folds * hidden).map(|_| random(first)));
        }
        let seen = vec![false; inputs];
        Model { shape, weights, seen, folds }
    }

    /// The weights of a network, to go on from: one for these inputs, or one for a single fold of them, with as many sums or fewer.
    /// Sums that it does not have begin as random numbers that nothing depends on yet.
    pub(crate) fn of(net: &Net, shape: Shape, folds: usize, seed: u64) -> Option<Self> {
        let mut model = Model::new(shape, folds, seed);
        let Shape { inputs, hidden, buckets, .. } = model.shape;
        let one_fold = model.folds > 1 && net.shape.inputs == inputs / model.folds;
        let fits = (net.shape.inputs == inputs || one_fold) && net.shape.variant == model.shape.variant;
        let known = net.shape.hidden;
        if !fits || known > hidden || net.shape.buckets != buckets {
            return None;
        }
        let put = |to: &mut [f32], from: &[i16], one: i32| {
            for (to, from) in to.chunks_mut(hidden).zip(from.chunks(known)) {
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = f32::from(from) / one as f32);
            }
        };
        let (bias_at, second_at, end) = (model.bias_at(), model.second_at(0), model.second_at(buckets));
        let weights = &mut model.weights;
        let first_at = if one_fold { end + buckets } else { 0 };
        // What folds share begins as nothing for the sums that are known: it is in their own weights.
        let own = if one_fold { &mut weights[..bias_at] } else { &mut weights[end + buckets..] };
        own.chunks_mut(hidden).for_each(|row| row[..known].fill(0.0));
        put(&mut weights[first_at..], &net.first, FIRST_ONE);
        put(&mut weights[bias_at..second_at], &net.first_bias, FIRST_ONE);
        weights[second_at..end].fill(0.0);
        put(&mut weights[second_at..end], &net.second, SECOND_ONE);
        for (to, &from) in weights[end..end + buckets].iter_mut().zip(&net.second_bias) {
            *to = from as f32 / (FIRST_ONE * SECOND_ONE) as f32;
        }
        model.seen.fill(true);
        Some(model)
    }

    /// Where the weights begin that an input shares with the same fact in other folds.
    #[inline]
    fn shared_at(&self, input: usize) -> Option<usize> {
        let at = self.second_bias_at(self.shape.buckets);
        (self.folds > 1).then(|| at + input % (self.shape.inputs / self.folds) * self.shape.hidden)
    }

    fn bias_at(&self) -> usize {
        self.shape.inputs * self.shape.hidden
    }

    fn second_at(&self, bucket: usize) -> usize {
        self.bias_at() + self.shape.hidden + 2 * self.shape.hidden * bucket
    }

    fn second_bias_at(&self, bucket: usize) -> usize {
        self.second_at(self.shape.buckets) + bucket
    }

    /// What a position should be worth, as a probability.
    #[inline]
    pub(crate) fn target(sample: &Sample<'_>, trust: f32, scale: f32) -> f32 {
        let score = sigmoid(f32::from(sample.score) / scale);
        sample.result.map_or(score, |result| trust * score + (1.0 - trust) * result)
    }

    #[inline]
    fn sum(&self, inputs: &[u16], sums: &mut [f32]) {
        let hidden = self.shape.hidden;
        sums.copy_from_slice(&self.weights[self.bias_at()..self.bias_at() + hidden]);
        for &input in inputs {
            add(sums, &self.weights[usize::from(input) * hidden..][..hidden]);
            if let Some(shared) = self.shared_at(usize::from(input)) {
                add(sums, &self.weights[shared..][..hidden]);
            }
        }
    }

    /// The output before it is made a probability.
    #[inline]
    fn forward(&self, sums: &[Vec<f32>; 2], bucket: usize) -> f32 {
        let second = &self.weights[self.second_at(bucket)..self.second_at(bucket + 1)];
        let (own, other) = second.split_at(self.shape.hidden);
        self.weights[self.second_bias_at(bucket)] + dot_squared(&sums[0], own) + dot_squared(&sums[1], other)
    }

    /// The probability of winning that it gives a position.
    pub(crate) fn output(&self, sample: &Sample<'_>) -> f32 {
        let mut sums = [vec![0.0; self.shape.hidden], vec![0.0; self.shape.hidden]];
        self.sum(sample.own, &mut sums[0]);
        self.sum(sample.other, &mut sums[1]);
        sigmoid(self.forward(&sums, sample.bucket))
    }

    /// Adds what a position teaches: the derivatives of the squared error.
    pub(crate) fn learn(&self, sample: &Sample<'_>, target: f32, gradient: &mut Gradient) {
        let hidden = self.shape.hidden;
        let Gradient { weights: slopes, seen, loss, sums, back } = gradient;
        self.sum(sample.own, &mut sums[0]);
        self.sum(sample.other, &mut sums[1]);
        let output = sigmoid(self.forward(sums, sample.bucket));
        let off = output - target;
        *loss += f64::from(off * off);
        let slope = 2.0 * off * output * (1.0 - output);
        let second_at = self.second_at(sample.bucket);
        slopes[self.second_bias_at(sample.bucket)] += slope;
        for half in 0..2 {
            let range = second_at + half * hidden..second_at + (half + 1) * hidden;
            squared_slopes(
                slope,
                &sums[half],
                &self.weights[range.clone()],
                &mut slopes[range],
                &mut back[half],
            );
            add(&mut slopes[self.bias_at()..self.bias_at() + hidden], &back[half]);
        }
        for (inputs, back) in [(sample.own, &back[0]), (sample.other, &back[1])] {
            for &input in inputs {
                seen[usize::from(input)] = true;
                add(&mut slopes[usize::from(input) * hidden..][..hidden], back);
                if let Some(shared) = self.shared_at(usize::from(input)) {
                    add(&mut slopes[shared..][..hidden], back);
                }
            }
        }
    }

    /// The network in whole numbers.
    pub(crate) fn rounded(&self, scale: f32) -> Net {
        let Shape { inputs, hidden, buckets, .. } = self.shape;
        let round = |weight: f32, one: i32| (weight * one as f32).round() as i32;
        let most = self.most_weight();
        let row = |input: usize| {
            let keep = self.seen[input];
            let row = &self.weights[input * hidden..(input + 1) * hidden];
            let shared = self.shared_at(input).map_or(&[][..], |at| &self.weights[at..at + hidden]);
            let shared = shared.iter().chain(std::iter::repeat(&0.0));
            let whole = row.iter().zip(shared).map(move |(own, shared)| (own + shared).clamp(-most, most));
            whole.map(move |weight| if keep { round(weight, FIRST_ONE) as i16 } else { 0 })
        };
        let first = (0..inputs).flat_map(row).collect();
        let small = |range: std::ops::Range<usize>, one: i32| {
            self.weights[range].iter().map(|&weight| round(weight, one) as i16).collect()
        };
        let first_bias = small(self.bias_at()..self.bias_at() + hidden, FIRST_ONE);
        let second = small(self.second_at(0)..self.second_at(buckets), SECOND_ONE);
        let biases = &self.weights[self.second_bias_at(0)..self.second_bias_at(buckets)];
        let second_bias = biases.iter().map(|&bias| round(bias, FIRST_ONE * SECOND_ONE)).collect();
        let (shape, scale) = (self.shape.clone(), scale.round() as i32);
        Net { shape, scale, first, first_bias, second, second_bias, head: None, folds: self.folds }
            .with_even_folds()
    }

    /// The largest weight so that whole numbers cannot leave their 16 bits, however full the board is.
    pub(crate) fn most_weight(&self) -> f32 {
        let room = f32::from(i16::MAX) / FIRST_ONE as f32 / (self.shape.full + 2) as f32;
        MOST_WEIGHT.min(room)
    }
}

/// Numbers that are worked on together.
const GROUP: usize = 16;

#[inline]
pub(crate) fn add(sums: &mut [f32], row: &[f32]) {
    for (sums, row) in sums.as_chunks_mut::<GROUP>().0.iter_mut().zip(row.as_chunks::<GROUP>().0) {
        (0..GROUP).for_each(|i| sums[i] += row[i]);
    }
}

#[inline]
fn dot_squared(sums: &[f32], weights: &[f32]) -> f32 {
    let mut total = [0.0; GROUP];
    for (sums, weights) in sums.as_chunks::<GROUP>().0.iter().zip(weights.as_chunks::<GROUP>().0) {
        for i in 0..GROUP {
            let clipped = sums[i].clamp(0.0, 1.0);
            total[i] += clipped * clipped * weights[i];
        }
    }
    total.iter().sum()
}

/// The slopes of one half of the second layer, and what goes back to the sums.
#[inline]
fn squared_slopes(slope: f32, sums: &[f32], weights: &[f32], slopes: &mut [f32], back: &mut [f32]) {
    let (sums, weights) = (sums.as_chunks::<GROUP>().0.iter(), weights.as_chunks::<GROUP>().0.iter());
    let (slopes, back) = (slopes.as_chunks_mut::<GROUP>().0, back.as_chunks_mut::<GROUP>().0);
    for (((sums, weights), slopes), back) in sums.zip(weights).zip(slopes).zip(back) {
        for i in 0..GROUP {
            let clipped = sums[i].clamp(0.0, 1.0);
            slopes[i] += slope * clipped * clipped;
            // Outside of 0 to 1 nothing goes back.
            let inside = if sums[i] > 0.0 && sums[i] < 1.0 { 2.0 } else { 0.0 };
            back[i] = inside * slope * weights[i] * clipped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(folds: usize) -> Model {
        let shape =
            Shape { variant: "none".to_owned(), fingerprint: 0, inputs: 20, hidden: 16, buckets: 2, full: 5 };
        Model::new(shape, folds, 11)
    }

    const SAMPLE: Sample<'static> =
        Sample { own: &[1, 5, 9, 13], other: &[0, 5, 19], bucket: 1, score: 80, result: Some(1.0) };

    #[test]
    fn slopes_are_those_of_small_steps() {
        for folds in [1, 2] {
            let (mut model, target) = (model(folds), 0.9);
            let mut gradient = Gradient::new(&model);
            model.learn(&SAMPLE, target, &mut gradient);
            let mut largest = 0.0f32;
            for at in 0..model.weights.len() {
                let here = model.weights[at];
                let mut loss = |weight: f32| {
                    model.weights[at] = weight;
                    f64::from(model.output(&SAMPLE) - target).powi(2)
                };
                let step = 1e-3;
                let numeric = (loss(here + step) - loss(here - step)) / f64::from(2.0 * step);
                model.weights[at] = here;
                let slope = gradient.weights[at];
                assert!((f64::from(slope) - numeric).abs() < 2e-4, "weight {at}: {slope} but {numeric}");
                largest = largest.max(slope.abs());
            }
            assert!(largest > 1e-2, "nothing was learnt");
            assert!(gradient.seen[5] && !gradient.seen[2]);
        }
    }

    /// What a network in whole numbers says of the sample.
    fn value(net: &Net) -> i32 {
        let sums = |inputs: &[u16]| {
            let mut sums = net.first_bias.clone();
            for &input in inputs {
                sums.iter_mut().zip(net.row(usize::from(input))).for_each(|(sum, weight)| *sum += weight);
            }
            sums
        };
        net.value(&sums(SAMPLE.own), &sums(SAMPLE.other), SAMPLE.bucket)
    }

    #[test]
    fn whole_numbers_say_nearly_the_same() {
        for folds in [1, 2] {
            let mut model = model(folds);
            model.seen.fill(true);
            let value = value(&model.rounded(1000.0));
            let p = model.output(&SAMPLE);
            let expected = 1000.0 * (p / (1.0 - p)).ln();
            assert!((value as f32 - expected).abs() < 25.0, "{value} but {expected}");
        }
    }

    #[test]
    fn a_training_goes_on_from_a_network_and_from_one_fold_of_it() {
        let mut model = model(1);
        model.seen.fill(true);
        let net = model.rounded(1000.0);
        let again = Model::of(&net, net.shape.clone(), 1, 5).expect("it has the same shape");
        assert_eq!(again.rounded(1000.0), net);
        let wide = Shape { inputs: 60, ..net.shape.clone() };
        let folded = Model::of(&net, wide.clone(), 3, 5).expect("it is one fold of three").rounded(1000.0);
        assert!((0..60).all(|input| folded.row(input) == net.row(input % 20)));
        assert_eq!(value(&folded), value(&net));
        assert_eq!(Net::from_bytes(&folded.to_bytes()).ok(), Some(folded));
        assert!(Model::of(&net, wide, 1, 5).is_none(), "other inputs");
        assert!(Model::of(&net, Shape { hidden: 8, ..net.shape.clone() }, 1, 5).is_none(), "fewer sums");
    }

    #[test]
    fn new_sums_say_nothing_at_first_and_learn() {
        for folds in [1, 2] {
            let mut model = model(folds);
            model.seen.fill(true);
            let net = model.rounded(1000.0);
            let wider = Shape { hidden: 32, ..net.shape.clone() };
            let wide = Model::of(&net, wider, folds, 5).expect("it has more sums");
            assert_eq!(value(&wide.rounded(1000.0)), value(&net));
            let mut gradient = Gradient::new(&wide);
            wide.learn(&SAMPLE, 0.9, &mut gradient);
            let new = wide.second_at(1) + 16..wide.second_at(1) + 32;
            assert!(gradient.weights[new].iter().any(|slope| *slope != 0.0), "new sums do not learn");
        }
    }
}
