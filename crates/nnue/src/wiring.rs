//! Which input of a network a feature is to either side.

use tabia_core::rng::mix;
use tabia_core::{Features, Side, SplitMix64};

/// Stands for a feature that is no input.
const NONE: u16 = u16::MAX;

/// The inputs of all features, looked up once: for each side and each way of seeing the board.
#[derive(Clone, Debug)]
pub struct Wiring {
    words: usize,
    inputs: usize,
    frames: usize,
    table: Vec<u16>,
}

impl Wiring {
    /// The wiring of a game.
    pub fn of<G: Features>(game: &G) -> Self {
        let (words, inputs, frames) = (game.feature_words(), game.inputs(), game.frames().max(1));
        let mut table = Vec::with_capacity(2 * frames * words * 64);
        for viewer in Side::ALL {
            for frame in 0..frames {
                table.extend((0..words * 64).map(|feature| {
                    let input = game.input(viewer, frame, feature).filter(|&input| input < inputs);
                    input.and_then(|input| u16::try_from(input).ok()).unwrap_or(NONE)
                }));
            }
        }
        Wiring { words, inputs, frames, table }
    }

    /// Words of a feature set.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Inputs of a side.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The inputs of a side that sees the board in this way, by feature.
    #[inline]
    pub(crate) fn seen(&self, viewer: Side, frame: usize) -> Seen<'_> {
        let len = self.words * 64;
        let at = (viewer.index() * self.frames + frame.min(self.frames - 1)) * len;
        Seen(&self.table[at..at + len])
    }

    /// A number that changes with anything that a network depends on: the numbering of inputs, and the sets of the
    /// positions of some games.
    pub fn fingerprint<G: Features>(&self, game: &G) -> u64 {
        let mut print = mix(self.inputs as u64 ^ (self.frames as u64) << 32);
        self.table.iter().for_each(|&input| print = mix(print ^ u64::from(input)));
        let (mut rng, mut set, mut moves) = (SplitMix64::new(1), vec![0; self.words], Vec::new());
        for _ in 0..4 {
            let mut state = game.start();
            for _ in 0..40 {
                game.feature_set(&state, &mut set);
                set.iter().for_each(|&word| print = mix(print ^ word));
                Side::ALL.iter().for_each(|&side| print = mix(print ^ game.frame(&state, side) as u64));
                let Some(mv) = game.random_move(&state, &mut rng, &mut moves) else { break };
                game.play(&mut state, mv);
            }
        }
        print
    }
}

/// How one side sees features.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a>(&'a [u16]);

impl Seen<'_> {
    /// The input that a feature is.
    #[inline]
    pub(crate) fn input(&self, feature: usize) -> Option<usize> {
        self.0.get(feature).filter(|&&input| input != NONE).map(|&input| usize::from(input))
    }
}
