//! The weights of inputs that come in several folds ([`Features::folds`](tabia_core::Features::folds)), as a file has them: those of the
//! first as they are, the others by what they differ from those, which is little.

/// Turns the weights of all folds into what a file has.
pub(crate) fn tell_apart(first: &mut [i16], folds: usize) {
    let (shared, rest) = first.split_at_mut(first.len() / folds);
    for (at, weight) in rest.iter_mut().enumerate() {
        *weight = weight.wrapping_sub(shared[at % shared.len()]);
    }
}

/// The weights that were told apart.
pub(crate) fn put_together(first: &mut [i16], folds: usize) {
    let (shared, rest) = first.split_at_mut(first.len() / folds);
    for (at, weight) in rest.iter_mut().enumerate() {
        *weight = weight.wrapping_add(shared[at % shared.len()]);
    }
}

/// Makes weights multiples of `first`, in the first fold, and lets them differ from those by multiples of `others`, in the others.
pub(crate) fn coarsen(weights: &mut [i16], folds: usize, first: u16, others: u16) {
    tell_apart(weights, folds);
    let (shared, rest) = weights.split_at_mut(weights.len() / folds);
    for (weights, step) in [(shared, i32::from(first.max(1))), (rest, i32::from(others.max(1)))] {
        // To the nearest, and from the middle towards 0.
        let near = |weight: i32| (2 * weight.abs() + step - 1) / (2 * step) * step * weight.signum();
        for weight in weights {
            *weight = near(i32::from(*weight)).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
    }
    put_together(weights, folds);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::SplitMix64;

    fn random(rng: &mut SplitMix64, folds: usize) -> Vec<i16> {
        (0..40 * folds).map(|_| rng.below(1 << 16) as i16).collect()
    }

    fn coarse(weights: &[i16], folds: usize, first: u16, others: u16) -> Vec<i16> {
        let mut coarse = weights.to_vec();
        coarsen(&mut coarse, folds, first, others);
        coarse
    }

    #[test]
    fn even_folds_are_near_what_they_were_and_stay_even() {
        let mut rng = SplitMix64::new(7);
        for folds in 1..4 {
            let weights = random(&mut rng, folds);
            let even = coarse(&weights, folds, 1, 2);
            for (at, (before, after)) in weights.iter().zip(&even).enumerate() {
                assert!(before.wrapping_sub(*after).unsigned_abs() <= u16::from(at >= 40), "{at}");
                assert_eq!(after.wrapping_sub(even[at % 40]) % 2, 0);
            }
            assert_eq!(coarse(&even, folds, 1, 2), even);
            assert!(folds > 1 || even == weights);
        }
    }

    #[test]
    fn coarser_weights_are_the_nearest_multiples() {
        let mut rng = SplitMix64::new(8);
        for (folds, first, others) in [(1, 3, 1), (2, 1, 4), (3, 2, 5)] {
            let mut fine = random(&mut rng, folds);
            // Far from the ends of 16 bits, where a multiple could be too large.
            fine.iter_mut().for_each(|weight| *weight /= 4);
            let mut told = coarse(&fine, folds, first, others);
            assert_eq!(coarse(&told, folds, first, others), told);
            tell_apart(&mut fine, folds);
            tell_apart(&mut told, folds);
            for (at, (fine, told)) in fine.into_iter().zip(told).enumerate() {
                let step = if at < 40 { first } else { others } as i16;
                assert_eq!(told % step, 0);
                assert!(2 * (fine - told).abs() <= step, "{fine} became {told}");
            }
        }
    }

    #[test]
    fn weights_that_were_told_apart_come_back() {
        let mut rng = SplitMix64::new(5);
        for folds in 1..5 {
            let mut told = random(&mut rng, 1).repeat(folds);
            tell_apart(&mut told, folds);
            assert!(told[40..].iter().all(|&weight| weight == 0), "the folds are alike");
            let weights = random(&mut rng, folds);
            let mut told = weights.clone();
            tell_apart(&mut told, folds);
            put_together(&mut told, folds);
            assert_eq!(told, weights);
        }
    }
}
