//! One row of a book: a position's totals and all its moves with their counters.
//!
//! The bytes (every number a varint, see `varint.rs`):
//!
//! ```text
//! row    = totals { gap counts }
//! totals = 3                      exactly the sum of the moves below
//!        | counts
//! counts = 0 | 1 | 2              one game: won by player 0, won by player 1, drawn
//!        | wins0+4 wins1 draws    anything else (never one game alone)
//! gap    = move number - previous move number - 1     (the first: the number itself)
//! ```
//!
//! Most rows of a large book were met once, and take three bytes. A row has one encoding: whatever
//! else is found on disk is damage.

use crate::{Counts, varint};

const SUM_OF_MOVES: u64 = 3;
const MANY: u64 = 4;

/// What a book knows about one position, in the position's canonical frame.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The games that met the position, each once.
    pub totals: Counts,
    /// The games that played each move here, each once per move; ascending by move number.
    pub moves: Vec<(u64, Counts)>,
}

impl Clone for Row {
    fn clone(&self) -> Self {
        Row { totals: self.totals, moves: self.moves.clone() }
    }

    /// Keeps the allocation, which a derived one would not: rows are merged by the million.
    fn clone_from(&mut self, other: &Self) {
        self.totals = other.totals;
        self.moves.clone_from(&other.moves);
    }
}

impl Row {
    /// Adds what another row of the same position says.
    pub fn add(&mut self, other: &Row) {
        self.totals += other.totals;
        for &(number, counts) in &other.moves {
            self.add_move(number, counts);
        }
    }

    /// Adds games that played a move.
    #[inline]
    pub(crate) fn add_move(&mut self, number: u64, counts: Counts) {
        if self.moves.last().is_none_or(|(last, _)| *last < number) {
            self.moves.push((number, counts));
            return;
        }
        match self.moves.binary_search_by_key(&number, |&(n, _)| n) {
            Ok(at) => self.moves[at].1 += counts,
            Err(at) => self.moves.insert(at, (number, counts)),
        }
    }

    /// Forgets everything but the allocation.
    pub fn clear(&mut self) {
        self.totals = Counts::default();
        self.moves.clear();
    }

    /// The sum over the moves. It differs from the totals where games ended here, or came back and
    /// played something else.
    pub fn played(&self) -> Counts {
        let mut sum = Counts::default();
        for &(_, counts) in &self.moves {
            sum += counts;
        }
        sum
    }

    /// Whether no move was played by more games than met the position.
    pub fn is_consistent(&self) -> bool {
        self.moves.iter().all(|&(_, counts)| counts.within(self.totals))
    }

    /// Appends the bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        if !self.moves.is_empty() && self.totals == self.played() {
            varint::put(out, SUM_OF_MOVES);
        } else {
            put_counts(out, self.totals);
        }
        let mut next = 0;
        for &(number, counts) in &self.moves {
            varint::put(out, number.wrapping_sub(next));
            next = number.wrapping_add(1);
            put_counts(out, counts);
        }
    }

    /// Reads the bytes into this row; `None` when they are not what [`Row::encode`] writes.
    pub fn decode_into(&mut self, mut bytes: &[u8]) -> Option<()> {
        self.clear();
        let summed = bytes.first() == Some(&(SUM_OF_MOVES as u8));
        let totals = if summed { None } else { Some(take_counts(&mut bytes)?) };
        bytes = bytes.get(usize::from(summed)..)?;
        let mut next = Some(0u64);
        while !bytes.is_empty() {
            let number = next?.checked_add(varint::take(&mut bytes)?)?;
            next = number.checked_add(1);
            self.moves.push((number, take_counts(&mut bytes)?));
        }
        let played = self.played();
        match totals {
            None if self.moves.is_empty() => return None,
            None => self.totals = played,
            Some(totals) if !self.moves.is_empty() && totals == played => return None,
            Some(totals) => self.totals = totals,
        }
        Some(())
    }

    /// The row with these bytes.
    pub fn decode(bytes: &[u8]) -> Option<Row> {
        let mut row = Row::default();
        row.decode_into(bytes)?;
        Some(row)
    }
}

fn put_counts(out: &mut Vec<u8>, counts: Counts) {
    match counts {
        Counts { wins0: 1, wins1: 0, draws: 0 } => out.push(0),
        Counts { wins0: 0, wins1: 1, draws: 0 } => out.push(1),
        Counts { wins0: 0, wins1: 0, draws: 1 } => out.push(2),
        Counts { wins0, wins1, draws } => {
            varint::put(out, wins0.saturating_add(MANY));
            varint::put(out, wins1);
            varint::put(out, draws);
        }
    }
}

fn take_counts(bytes: &mut &[u8]) -> Option<Counts> {
    let one = |wins0, wins1, draws| Some(Counts { wins0, wins1, draws });
    match varint::take(bytes)? {
        0 => one(1, 0, 0),
        1 => one(0, 1, 0),
        2 => one(0, 0, 1),
        SUM_OF_MOVES => None,
        many => {
            let (wins1, draws) = (varint::take(bytes)?, varint::take(bytes)?);
            let counts = Counts { wins0: many - MANY, wins1, draws };
            (counts.total() != 1).then_some(counts)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts() -> impl Strategy<Value = Counts> {
        let n = prop_oneof![0u64..3, 0u64..1_000_000, 0..u64::MAX / 4];
        (n.clone(), n.clone(), n).prop_map(|(wins0, wins1, draws)| Counts { wins0, wins1, draws })
    }

    fn row() -> impl Strategy<Value = Row> {
        let number = prop_oneof![0u64..40, any::<u64>()];
        let moves = proptest::collection::btree_map(number, counts(), 0..5);
        (counts(), moves, any::<bool>()).prop_map(|(totals, moves, summed)| {
            let mut row = Row { totals, moves: moves.into_iter().collect() };
            if summed {
                row.totals = row.played();
            }
            row
        })
    }

    proptest! {
        #[test]
        fn rows_come_back(row in row()) {
            let mut bytes = Vec::new();
            row.encode(&mut bytes);
            prop_assert_eq!(Row::decode(&bytes), Some(row));
        }

        #[test]
        fn every_row_has_one_encoding(bytes in proptest::collection::vec(0u8..8, 0..12)) {
            if let Some(row) = Row::decode(&bytes) {
                let mut again = Vec::new();
                row.encode(&mut again);
                prop_assert_eq!(again, bytes);
            }
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes: Vec<u8>) {
            let _ = Row::decode(&bytes);
        }

        #[test]
        fn adding_is_commutative(a in row(), b in row()) {
            let (mut ab, mut ba) = (a.clone(), b.clone());
            ab.add(&b);
            ba.add(&a);
            prop_assert_eq!(ab, ba);
        }
    }

    #[test]
    fn a_position_met_once_takes_three_bytes() {
        let won = Counts { wins0: 1, wins1: 0, draws: 0 };
        let mut bytes = Vec::new();
        Row { totals: won, moves: vec![(5, won)] }.encode(&mut bytes);
        assert_eq!(bytes, [3, 5, 0]);
        bytes.clear();
        Row { totals: Counts { wins0: 3, wins1: 1, draws: 0 }, moves: vec![(2, won), (4, won)] }
            .encode(&mut bytes);
        assert_eq!(bytes, [7, 1, 0, 2, 0, 1, 0]);
    }
}
