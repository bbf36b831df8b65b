//! The rules a second time, as plainly as they can be said: a mailbox, one step at a time, no tables.
//!
//! Shares nothing with the fast generator but the names of squares, pieces and moves.

use crate::{Kind, Move, Pile, Square, State};
use std::collections::BTreeSet;
use tabia_core::Side;

/// A board of piles and a side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mailbox {
    pub(crate) piles: [Pile; 81],
    pub(crate) side: Side,
}

type Step = (i32, i32);
const ORTHOGONAL: [Step; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [Step; 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

impl Mailbox {
    pub(crate) fn of(state: &State) -> Mailbox {
        Mailbox { piles: *state.piles(), side: state.side() }
    }

    /// All legal moves, sorted.
    pub(crate) fn moves(&self) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        let has = |side, kind| self.piles.contains(&Pile::single(side, kind));
        let both_kings = Side::ALL.into_iter().all(|side| has(side, Kind::King));
        let others = self.piles.iter().filter(|pile| !pile.is_empty() && !pile.is_king()).count();
        if !both_kings || others == 0 {
            return moves;
        }
        for from in Square::all() {
            let pile = self.piles[from.index()];
            if pile.side() != Some(self.side) {
                continue;
            }
            for kind in pile.kinds() {
                for to in self.reached(kind, from) {
                    let target = self.piles[to.index()];
                    let own = target.side() == Some(self.side);
                    let single = own && !target.is_stack() && !target.is_king();
                    let alone = !pile.is_stack();
                    if !own || alone && kind != Kind::King && single {
                        moves.insert(Move::new(from, to, false));
                    }
                    // Two equal pieces: the top is one of them, so the set sees the same move.
                    if pile.top() == Some(kind) && (!own || single) {
                        moves.insert(Move::new(from, to, true));
                    }
                }
            }
        }
        moves
    }

    fn reached(&self, kind: Kind, from: Square) -> Vec<Square> {
        let forward = if self.side == Side::First { -1 } else { 1 };
        match kind {
            Kind::Soldier => self.rays(from, &[(forward, -1), (forward, 1)], 1),
            Kind::Jester => self.rays(from, &DIAGONAL, 8),
            Kind::Commander => self.rays(from, &ORTHOGONAL, 8),
            Kind::Paladin => self.rays(from, &ORTHOGONAL, 2),
            Kind::Guard => self.rays(from, &DIAGONAL, 2),
            Kind::Dragon => self.rays(from, &KNIGHT, 1),
            Kind::Ballista => self.rays(from, &[(forward, 0)], 8),
            Kind::King => [self.rays(from, &ORTHOGONAL, 1), self.rays(from, &DIAGONAL, 1)].concat(),
        }
    }

    /// Steps until something is met, the edge included.
    fn rays(&self, from: Square, steps: &[Step], longest: i32) -> Vec<Square> {
        let mut reached = Vec::new();
        for &(down, right) in steps {
            for n in 1..=longest {
                let (row, column) = (from.row() as i32 + n * down, from.column() as i32 + n * right);
                if !(0..9).contains(&row) || !(0..9).contains(&column) {
                    break;
                }
                let to = row as usize * 9 + column as usize;
                reached.extend(Square::from_index(to));
                if !self.piles[to].is_empty() {
                    break;
                }
            }
        }
        reached
    }

    pub(crate) fn play(&self, mv: Move) -> Mailbox {
        let mut next = self.clone();
        let (from, to) = (mv.from().index(), mv.to().index());
        let (here, there) = (self.piles[from], self.piles[to]);
        let mover = if mv.unstack() { here.top() } else { here.bottom() };
        next.piles[from] = match here.bottom() {
            Some(stays) if mv.unstack() => Pile::single(self.side, stays),
            _ => Pile::EMPTY,
        };
        next.piles[to] = match (mover, there.bottom()) {
            (Some(top), Some(bottom)) if there.side() == Some(self.side) => {
                Pile::stack(self.side, top, bottom).expect("no Kings")
            }
            (Some(kind), _) if mv.unstack() => Pile::single(self.side, kind),
            _ => here,
        };
        next.side = self.side.other();
        next
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|mv| self.play(mv).perft(depth - 1)).sum()
    }
}

/// Positions to compare on: random play, and random boards with anything anywhere.
pub(crate) mod positions {
    use super::*;
    use tabia_core::SplitMix64;

    /// A position after some random plies; it may be over.
    pub(crate) fn played(rng: &mut SplitMix64, plies: u64) -> State {
        let mut state = State::start();
        for _ in 0..plies {
            let Some(mv) = crate::movegen::random(&state, rng, &mut Vec::new()) else { break };
            state.play(mv);
        }
        state
    }

    /// About one square in `sparse` holds a random pile; both sides have a King.
    pub(crate) fn scattered(rng: &mut SplitMix64, sparse: u64) -> State {
        let mut piles = [Pile::EMPTY; 81];
        for pile in &mut piles {
            if rng.below(sparse) == 0 {
                let side = Side::ALL[rng.below(2) as usize];
                let mut kind = || Kind::ALL[rng.below(7) as usize];
                let (top, bottom) = (kind(), kind());
                let stack = Pile::stack(side, top, bottom).filter(|_| rng.below(3) == 0);
                *pile = stack.unwrap_or(Pile::single(side, bottom));
            }
        }
        let white = rng.below(81) as usize;
        let black = (white + 1 + rng.below(80) as usize) % 81;
        piles[white] = Pile::single(Side::First, Kind::King);
        piles[black] = Pile::single(Side::Second, Kind::King);
        State::from_piles(&piles, Side::ALL[rng.below(2) as usize]).expect("one King a side")
    }
}

mod tests {
    use super::{Mailbox, positions};
    use crate::{Arx, Move, State};
    use tabia_core::{Game, SplitMix64};

    /// Moves, counts, and every position one move on.
    fn compare(state: &State) {
        let mailbox = Mailbox::of(state);
        let expected: Vec<_> = mailbox.moves().into_iter().collect();
        let mut moves = Vec::new();
        Arx.moves(state, &mut moves);
        random_is_listed(state, &moves);
        moves.sort();
        assert_eq!(moves, expected, "{state:?}");
        assert_eq!(Arx.count_moves(state), moves.len() as u64, "{state:?}");
        for &mv in &moves {
            let mut next = *state;
            next.play(mv);
            let rebuilt = State::from_piles(next.piles(), next.side()).expect("valid");
            assert_eq!(next, rebuilt, "hash drifted: {state:?} {mv:?}");
            let kept = |state: &State| ([0, 1, 2, 3, 4, 5, 6, 7].map(|i| state.plane(i)), state.material());
            assert_eq!(kept(&next), kept(&rebuilt), "planes or material drifted: {state:?} {mv:?}");
            assert_eq!(Mailbox::of(&next), mailbox.play(mv), "{state:?} {mv:?}");
        }
        assert_eq!(Arx.count_pairs(state, &mut Vec::new()), mailbox.perft(2), "{state:?}");
    }

    /// A move drawn by lot is the one of the list that the random number says: games are the same again from their seed.
    fn random_is_listed(state: &State, moves: &[Move]) {
        let mut rng = SplitMix64::new(state.key().0);
        for _ in 0..8 {
            let expected = moves.get(rng.clone().below(moves.len() as u64) as usize).copied();
            assert_eq!(Arx.random_move(state, &mut rng, &mut Vec::new()), expected, "{state:?}");
        }
    }

    #[test]
    fn bitboards_agree_with_the_mailbox_in_play() {
        let mut rng = SplitMix64::new(4);
        for game in 0..150 {
            compare(&positions::played(&mut rng, game));
        }
    }

    #[test]
    fn bitboards_agree_with_the_mailbox_on_any_board() {
        let mut rng = SplitMix64::new(5);
        for n in 0..400 {
            compare(&positions::scattered(&mut rng, 1 + n % 12));
        }
    }

    #[test]
    fn the_published_counts_from_the_start() {
        let mailbox = Mailbox::of(&State::start());
        assert_eq!([1, 2, 3].map(|depth| mailbox.perft(depth)), [53, 2809, 154443]);
    }

    /// Every line of the perft file says what the mailbox says.
    fn perft_file(deepest: u32) {
        let text = include_str!("../../../../data/arx/perft.txt");
        for case in tabia_testkit::perft_file::read(&Arx, text).expect("readable") {
            let mailbox = Mailbox::of(&case.position.state);
            for (depth, count) in case.counts.into_iter().filter(|&(depth, _)| depth <= deepest) {
                assert_eq!(mailbox.perft(depth), count, "line {}, depth {depth}", case.line);
            }
        }
    }

    #[test]
    fn the_mailbox_confirms_the_perft_file() {
        perft_file(2);
    }

    #[test]
    #[ignore = "long: every count of the perft file by the slow generator, minutes unoptimised"]
    fn the_mailbox_confirms_the_perft_file_to_its_end() {
        perft_file(5);
    }
}
