//! Checking a whole book: every row decodes, the sums agree with the ledger, every move is legal, and
//! every position that a move leads to has been met by the games that played it.

use crate::frame::{Frame, Numberer};
use crate::hex::hex;
use crate::{Book, Counts, Ledger, Reader, Result, Row};
use serde::Serialize;
use std::ops::ControlFlow;
use tabia_core::{Game, Packed};

/// So many problems are told in words; the rest are counted.
const TOLD: usize = 20;

/// Rows whose successors are looked up together.
const LOT: usize = 1024;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Rows looked at.
    pub rows: u64,
    /// Moves looked at.
    pub moves: u64,
    /// How many things are wrong.
    pub problems: u64,
    /// The first of them in words.
    pub told: Vec<String>,
}

impl Verified {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.problems == 0
    }

    /// Notes something that is wrong.
    pub fn problem(&mut self, text: impl FnOnce() -> String) {
        self.problems += 1;
        if self.told.len() < TOLD {
            self.told.push(text());
        }
    }

    /// Takes over what another check found.
    pub fn add(&mut self, other: Verified) {
        self.rows += other.rows;
        self.moves += other.moves;
        self.problems += other.problems;
        self.told.extend(other.told);
        self.told.truncate(TOLD);
    }
}

/// Checks what can be checked without knowing the games: pages, rows, sums, ids.
pub fn verify_bytes(reader: &mut dyn Reader) -> Result<Verified> {
    let mut report = Verified::default();
    match reader.check() {
        Ok(()) => {}
        Err(error @ crate::Error::Damaged { .. }) => report.problem(|| error.to_string()),
        Err(error) => return Err(error),
    }
    let reader = &*reader;
    reader.at_one_moment(&mut || verify_sums(reader, &mut report))?;
    Ok(report)
}

fn verify_sums(reader: &dyn Reader, report: &mut Verified) -> Result<()> {
    let mut games = 0u64;
    for variant in reader.variants()? {
        let mut sum = Ledger { games: variant.ledger.games, ..Ledger::default() };
        games += variant.ledger.games.total();
        let scanned = reader.scan(variant.number, &mut |key, row| {
            report.rows += 1;
            report.moves += row.moves.len() as u64;
            sum.met += row.totals.total();
            sum.played += row.played().total();
            if !row.is_consistent() {
                report.problem(|| format!("key {}: a move has more games than the position", hex(key)));
            }
            ControlFlow::Continue(())
        });
        if let Err(error) = scanned {
            report.problem(|| error.to_string());
        } else if sum != variant.ledger {
            report.problem(|| {
                format!("{}: the rows add up to {sum:?}, the ledger says {:?}", variant.name, variant.ledger)
            });
        }
    }
    match reader.info() {
        Ok(info) if info.games == games => {}
        Ok(info) => report.problem(|| format!("{} games have ids, {games} games were counted", info.games)),
        Err(error @ crate::Error::Damaged { .. }) => report.problem(|| error.to_string()),
        Err(error) => return Err(error),
    }
    Ok(())
}

impl<G: Game> Book<'_, G> {
    /// Checks the rows of this game against its rules.
    pub fn verify(&self) -> Result<Verified> {
        let mut report = Verified::default();
        self.reader().at_one_moment(&mut || self.verify_rows(&mut report))?;
        Ok(report)
    }

    fn verify_rows(&self, report: &mut Verified) -> Result<()> {
        let Some(variant) = self.variant() else { return Ok(()) };
        let mut lot: Vec<(Vec<u8>, Row)> = Vec::new();
        let mut failed = None;
        self.reader().scan(variant.number, &mut |key, row| {
            lot.push((key.to_vec(), row.clone()));
            if lot.len() == LOT {
                failed = self.verify_lot(variant.number, &mut lot, report).err();
            }
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        self.verify_lot(variant.number, &mut lot, report)
    }

    fn verify_lot(&self, variant: u8, lot: &mut Vec<(Vec<u8>, Row)>, report: &mut Verified) -> Result<()> {
        let mut keys = Vec::new();
        let mut owed = Vec::new();
        for (key, row) in lot.drain(..) {
            report.rows += 1;
            report.moves += row.moves.len() as u64;
            match self.successors(variant, &key, &row) {
                Ok(next) => next.into_iter().for_each(|(child, counts)| {
                    keys.push(child);
                    owed.push(counts);
                }),
                Err(reason) => report.problem(|| format!("key {}: {reason}", hex(&key))),
            }
        }
        for ((row, key), owed) in self.reader().rows(&keys)?.into_iter().zip(&keys).zip(owed) {
            let met = row.unwrap_or_default().totals;
            if !owed.within(met) {
                report
                    .problem(|| format!("key {}: met by {met:?}, but a move into it by {owed:?}", hex(key)));
            }
        }
        Ok(())
    }

    /// The keys that the moves of a row lead to, with the games that went there.
    fn successors(&self, variant: u8, key: &[u8], row: &Row) -> Result<Vec<(Vec<u8>, Counts)>, String> {
        let rules = self.rules();
        let packed = G::Packed::from_bytes(&key[1..]).ok_or("its length is wrong")?;
        let state = rules.unpack(&packed).map_err(|e| format!("not a position: {e}"))?;
        let frame = Frame::of(rules, &state);
        if frame.packed != packed {
            return Err("not the representative of its class".to_owned());
        }
        let classes = Numberer::new(rules).classes(&frame);
        let mut next = Vec::new();
        for &(number, counts) in &row.moves {
            let class = classes.iter().find(|(_, n)| *n == number);
            let &(mv, _) = class.ok_or_else(|| format!("no legal move has the number {number}"))?;
            let mut child = frame.state.clone();
            rules.play(&mut child, mv);
            let child = Frame::of(rules, &child);
            next.push(([&[variant], child.packed.as_bytes()].concat(), counts.swapped(child.swaps())));
        }
        Ok(next)
    }
}
