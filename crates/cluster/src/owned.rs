//! A slice of an ending table, spread over the workers: blocks of it go round among them.

use tabia_core::{Index, Slice, Spot};

/// Positions of a block.
pub(crate) const BLOCK: u64 = 1024;

/// Which worker has a place, and where.
#[inline]
pub(crate) fn home(spot: Spot, workers: usize) -> (usize, usize) {
    let (block, workers) = (spot.index / BLOCK, workers as u64);
    // Small slices begin at different workers.
    let owner = (block + u64::from(spot.slice.0)) % workers;
    (owner as usize, (block / workers * BLOCK + spot.index % BLOCK) as usize)
}

/// The part of a slice that a worker has, as numbers of the slice in order.
pub(crate) fn part<G: Index>(
    game: &G,
    slice: Slice,
    me: usize,
    workers: usize,
) -> impl Iterator<Item = u64> + use<G> {
    let (len, workers) = (game.slice_len(slice), workers as u64);
    let first = (me as u64 + workers - u64::from(slice.0) % workers) % workers;
    let blocks = (first..len.div_ceil(BLOCK)).step_by(workers as usize);
    blocks.flat_map(move |block| block * BLOCK..len.min((block + 1) * BLOCK))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_draughts::Draughts;

    #[test]
    fn every_place_has_one_home() {
        let game = Draughts::default();
        let slices = game.slice_groups(3).concat();
        for workers in [1, 2, 3, 7] {
            for &slice in &slices {
                let mut seen = 0;
                for me in 0..workers {
                    for (local, index) in part(&game, slice, me, workers).enumerate() {
                        assert_eq!(home(Spot { slice, index }, workers), (me, local));
                        seen += 1;
                    }
                }
                assert_eq!(seen, game.slice_len(slice));
            }
        }
    }
}
