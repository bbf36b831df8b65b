//! The positions of a book that stand out.

use crate::{Book, Counts, Error, Result};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use tabia_core::{Game, Packed, Side};

/// What makes a position stand out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TopBy {
    /// Many games met it.
    #[default]
    Games,
    /// One player nearly always won: the lower end of the Wilson interval of the better win rate.
    OneSided,
}

/// Which positions to list.
#[derive(Clone, Copy, Debug)]
pub struct TopOptions {
    /// What counts.
    pub by: TopBy,
    /// How many.
    pub limit: usize,
    /// Positions met by fewer games are left out.
    pub min_games: u64,
}

/// A position that stands out, as its canonical representative.
#[derive(Clone, Debug, PartialEq)]
pub struct TopPosition<S> {
    /// The position.
    pub state: S,
    /// The games that met it.
    pub totals: Counts,
    /// The moves that were played in it.
    pub moves: usize,
}

impl<G: Game> Book<'_, G> {
    /// The positions that stand out most, the first first; the second number is how many there are
    /// with enough games.
    pub fn top(&self, options: TopOptions) -> Result<(Vec<TopPosition<G::State>>, u64)> {
        let Some(variant) = self.variant() else { return Ok((Vec::new(), 0)) };
        let mut best: BinaryHeap<Reverse<Ranked>> = BinaryHeap::new();
        let mut eligible = 0;
        self.reader().scan(variant.number, &mut |key, row| {
            if row.totals.total() >= options.min_games {
                eligible += 1;
                let rank = rank(options.by, row.totals);
                if best.len() < options.limit || best.peek().is_some_and(|Reverse((least, ..))| rank > *least)
                {
                    best.push(Reverse((rank, Reverse(key[1..].to_vec()), row.moves.len(), row.totals)));
                    if best.len() > options.limit {
                        best.pop();
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        let place = self.reader().info()?.place;
        let position = |Reverse((_, Reverse(packed), moves, totals)): Reverse<Ranked>| {
            let state = G::Packed::from_bytes(&packed).and_then(|packed| self.rules().unpack(&packed).ok());
            let state = state.ok_or_else(|| Error::damaged(&place, "a key is not a position"))?;
            Ok(TopPosition { state, totals, moves })
        };
        let positions = best.into_sorted_vec().into_iter().map(position).collect::<Result<_>>()?;
        Ok((positions, eligible))
    }
}

/// Rank and key order them; the least key wins among equals.
type Ranked = ([u64; 2], Reverse<Vec<u8>>, usize, Counts);

fn rank(by: TopBy, totals: Counts) -> [u64; 2] {
    match by {
        TopBy::Games => [totals.total(), 0],
        TopBy::OneSided => {
            let low = Side::ALL.map(|side| totals.wilson(side)[0]);
            // Bits of non-negative floats are in the order of the floats.
            [low[0].max(low[1]).to_bits(), totals.total()]
        }
    }
}
