//! The positions of games with what was played there: what a head learns from.

use crate::games::{NO_SCORE, PlayedGame};
use crate::head::changes;
use crate::learned::compare;
use crate::net::{NetError, Shape};
use crate::samples::{Sample, Samples, is_held_out};
use crate::wiring::Wiring;
use tabia_core::Features;

/// Positions, their moves, and the one that was played; all of them in memory.
#[derive(Clone, Debug)]
pub struct Choices {
    positions: Samples,
    /// What every move changes, each move ended by [`END`], position after position.
    changes: Vec<u16>,
    /// Where the moves of each position begin; one more at the end.
    starts: Vec<u64>,
    /// The number of the move that was played.
    played: Vec<u16>,
}

/// Ends a move.
const END: u16 = u16::MAX;
/// Positions to learn from at most: more would take much memory, and teach so small a head little.
const MOST: usize = 1 << 20;

/// A position with its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) position: Sample<'a>,
    changes: &'a [u16],
    pub(crate) played: usize,
}

impl<'a> Choice<'a> {
    #[cfg(test)]
    pub(crate) fn new(position: Sample<'a>, changes: &'a [u16], played: usize) -> Self {
        Choice { position, changes, played }
    }

    /// Moves as they are kept.
    #[cfg(test)]
    pub(crate) fn written(moves: &[&[u16]]) -> Vec<u16> {
        moves.iter().flat_map(|changes| changes.iter().copied().chain([END])).collect()
    }

    /// What each move changes.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &'a [u16]> + use<'a> {
        self.changes.split_inclusive(|&change| change == END).map(|mv| &mv[..mv.len() - 1])
    }
}

impl Choices {
    fn new() -> Self {
        Choices { positions: Samples::new(), changes: Vec::new(), starts: vec![0], played: Vec::new() }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.played.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Choice<'_> {
        let changes = &self.changes[self.starts[at] as usize..self.starts[at + 1] as usize];
        Choice { position: self.positions.get(at), changes, played: usize::from(self.played[at]) }
    }

    /// The positions of games in which there was a choice, in two parts: those to learn from (a million at most), and those of
    /// games held out.
    pub fn of<G: Features>(
        game: &G,
        shape: &Shape,
        games: impl IntoIterator<Item = PlayedGame>,
    ) -> Result<(Choices, Choices), NetError> {
        let wiring = Wiring::of(game);
        if 2 * wiring.inputs() >= usize::from(END) {
            return Err(NetError::Nothing("a head is for games of less than 32,767 inputs"));
        }
        let (mut kept, mut held) = (Choices::new(), Choices::new());
        for (number, played) in games.into_iter().enumerate() {
            let part = if is_held_out(number) { &mut held } else { &mut kept };
            part.add_game(game, &wiring, shape, &played);
            if kept.len() >= MOST {
                break;
            }
        }
        Ok((kept, held))
    }

    fn add_game<G: Features>(&mut self, game: &G, wiring: &Wiring, shape: &Shape, played: &PlayedGame) {
        let (mut state, mut moves, mut set) = (game.start(), Vec::new(), vec![0; wiring.words()]);
        // Moves before the first score are those of the opening, played at random.
        let searched = played.plies.iter().position(|&(_, score)| score != NO_SCORE);
        for (ply, &(number, _)) in played.plies.iter().enumerate() {
            moves.clear();
            game.moves(&state, &mut moves);
            let Some(&mv) = moves.get(usize::from(number)) else { return };
            if moves.len() > 1 && searched.is_some_and(|first| ply >= first) {
                game.feature_set(&state, &mut set);
                self.add(game, wiring, shape, &state, &set, &moves);
                self.played.push(number);
            }
            game.play(&mut state, mv);
        }
    }

    fn add<G: Features>(
        &mut self,
        game: &G,
        wiring: &Wiring,
        shape: &Shape,
        state: &G::State,
        set: &[u64],
        moves: &[G::Move],
    ) {
        let side = game.side(state);
        let frames = [side, side.other()].map(|viewer| (viewer, game.frame(state, viewer)));
        self.positions.add(wiring, shape, set, frames, NO_SCORE, 1);
        let seen = wiring.seen(side, frames[0].1);
        let (mut now, mut came, mut went) = (vec![0; set.len()], Vec::new(), Vec::new());
        for &mv in moves {
            let mut after = state.clone();
            game.play(&mut after, mv);
            game.feature_set(&after, &mut now);
            compare(&now, set, &mut came, &mut went);
            self.changes.extend(changes(seen, &came, &went).map(|change| change as u16));
            self.changes.push(END);
        }
        self.starts.push(self.changes.len() as u64);
    }
}
