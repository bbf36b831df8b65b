//! Random placements, each valid one equally likely.

use crate::bits::{BOTTOM_ROW, TOP_ROW};
use crate::setup::Setup;
use crate::types::Color;
use tabia_core::SplitMix64;

/// A placement of (black men, white men, black kings, white kings); `None` when there is none.
///
/// Black men keep off the bottom row and white men off the top row, so that the two compete for the
/// 24 squares between. How many of each go to their own back row is drawn first, weighted by the number
/// of placements that follow.
pub(crate) fn placement(turn: Option<Color>, pieces: [u32; 4], rng: &mut SplitMix64) -> Option<Setup> {
    let [black_men, white_men, black_kings, white_kings] = pieces;
    let total = pieces.iter().try_fold(0u32, |sum, &n| sum.checked_add(n))?;
    if total > 32 {
        return None;
    }
    let (black_home, white_home) = draw_homes(black_men, white_men, rng)?;
    let (mut free, middle) = (u32::MAX, !(TOP_ROW | BOTTOM_ROW));
    let mut take = |count: u32, among: u32| {
        let taken = subset(count, among & free, rng);
        free &= !taken;
        taken
    };
    let black = take(black_home, TOP_ROW) | take(black_men - black_home, middle);
    let white = take(white_home, BOTTOM_ROW) | take(white_men - white_home, middle);
    let black_kings = take(black_kings, u32::MAX);
    let white_kings = take(white_kings, u32::MAX);
    let turn = turn.unwrap_or_else(|| Color::ALL[rng.below(2) as usize]);
    Some(Setup::from_boards(black | black_kings, white | white_kings, black_kings | white_kings, turn))
}

/// How many black men stand on the top row and how many white men on the bottom row.
fn draw_homes(black_men: u32, white_men: u32, rng: &mut SplitMix64) -> Option<(u32, u32)> {
    let weight = |black: u32, white: u32| {
        let (Some(black_middle), Some(white_middle)) =
            (black_men.checked_sub(black), white_men.checked_sub(white))
        else {
            return 0;
        };
        let left = 24u32.saturating_sub(black_middle);
        choose(4, black) * choose(4, white) * choose(24, black_middle) * choose(left, white_middle)
    };
    let homes = || (0..=4).flat_map(|black| (0..=4).map(move |white| (black, white)));
    let total: u64 = homes().map(|(black, white)| weight(black, white)).sum();
    let mut ticket = (total > 0).then(|| rng.below(total))?;
    homes().find(|&(black, white)| {
        let weight = weight(black, white);
        let drawn = ticket < weight;
        ticket = ticket.saturating_sub(weight);
        drawn
    })
}

/// The number of ways to choose `k` of `n`; exact for `n` up to 32.
fn choose(n: u32, k: u32) -> u64 {
    if k > n { 0 } else { (0..u64::from(k)).fold(1, |ways, i| ways * (u64::from(n) - i) / (i + 1)) }
}

/// A random subset of `count` squares, or all of them if there are no more.
fn subset(count: u32, among: u32, rng: &mut SplitMix64) -> u32 {
    let (mut wanted, mut taken) = (count, 0);
    for seen in 0..32 {
        let left = (among >> seen).count_ones();
        let here = among & 1 << seen;
        // Each square is taken with the chance that it is among those still wanted.
        if here != 0 && rng.below(u64::from(left)) < u64::from(wanted) {
            taken |= here;
            wanted -= 1;
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Selector;
    use std::collections::HashMap;

    #[test]
    fn counts_are_kept_and_all_is_valid() {
        let mut rng = SplitMix64::new(3);
        for round in 0..2000 {
            let pieces: [u32; 4] = std::array::from_fn(|_| rng.below(12) as u32);
            let Some(state) = placement(None, pieces, &mut rng) else {
                assert!(pieces.iter().sum::<u32>() > 24, "{pieces:?}");
                continue;
            };
            assert!(state.valid(), "round {round}: {state}");
            let selectors = [
                Selector::MenOf(Color::Black),
                Selector::MenOf(Color::White),
                Selector::KingsOf(Color::Black),
                Selector::KingsOf(Color::White),
            ];
            assert_eq!(selectors.map(|s| state.number(s) as u32), pieces);
        }
    }

    #[test]
    fn full_boards_have_one_placement() {
        let mut rng = SplitMix64::new(1);
        let state = placement(Some(Color::Black), [28, 4, 0, 0], &mut rng);
        assert_eq!(state.map(|s| s.valid()), Some(true));
        assert_eq!(placement(None, [28, 5, 0, 0], &mut rng), None);
        assert_eq!(placement(None, [u32::MAX, 2, 0, 0], &mut rng), None);
    }

    /// One man each: 28 * 28 - 24 placements. Each should come up about as often as any other.
    #[test]
    fn placements_are_equally_likely() {
        let mut rng = SplitMix64::new(2);
        let mut seen: HashMap<Setup, u32> = HashMap::new();
        for _ in 0..76_000 {
            *seen.entry(placement(Some(Color::Black), [1, 1, 0, 0], &mut rng).unwrap()).or_default() += 1;
        }
        assert_eq!(seen.len(), 28 * 28 - 24);
        let expected = 76_000.0 / 760.0;
        let chi_squared: f64 = seen.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        // Mean 759, standard deviation 39.
        assert!((chi_squared - 759.0).abs() < 5.0 * 39.0, "{chi_squared}");
    }
}
