//! How a game packs positions and numbers moves, in a few bytes: whether a book can be read.

use crate::frame::{Frame, Numberer};
use siphasher::sip::SipHasher24;
use std::hash::Hasher;
use tabia_core::{Game, Packed, SplitMix64};

const GAMES: u64 = 4;
const PLIES: u32 = 64;

/// A hash over random games that are the same on every machine, and the packed position they start
/// from (rules with several openings are one variant, so the start must be kept with the hash).
///
/// ```text
/// SipHash-2-4 u64 little-endian, packed start
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(Vec<u8>);

impl Fingerprint {
    /// The fingerprint of a game, from its own start.
    pub fn of<G: Game>(game: &G) -> Self {
        let start = game.start();
        let hash = walk(game, &start).to_le_bytes();
        Fingerprint([&hash, game.pack(&start).as_bytes()].concat())
    }

    /// Whether this game packs and numbers as the writer of the fingerprint did.
    pub fn fits<G: Game>(&self, game: &G) -> bool {
        let Some((hash, packed)) = self.0.split_first_chunk::<8>() else { return false };
        let start = G::Packed::from_bytes(packed).and_then(|packed| game.unpack(&packed).ok());
        start.is_some_and(|start| walk(game, &start).to_le_bytes() == *hash)
    }

    /// The bytes, as they stand in books.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The fingerprint with these bytes; whether it fits is asked later.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Fingerprint(bytes.to_vec())
    }
}

fn walk<G: Game>(game: &G, start: &G::State) -> u64 {
    let mut hasher = SipHasher24::new();
    let (mut numberer, mut moves) = (Numberer::new(game), Vec::new());
    for seed in 0..GAMES {
        let mut rng = SplitMix64::new(seed);
        // Through the frame, so that packings which forget the orientation lead to the same games.
        let mut frame = Frame::of(game, start);
        for _ in 0..PLIES {
            hasher.write(frame.packed.as_bytes());
            for (_, number) in numberer.classes(&frame) {
                hasher.write(&number.to_le_bytes());
            }
            let Some(mv) = game.random_move(&frame.state, &mut rng, &mut moves) else { break };
            let mut state = frame.state;
            game.play(&mut state, mv);
            frame = Frame::of(game, &state);
        }
    }
    hasher.finish()
}
