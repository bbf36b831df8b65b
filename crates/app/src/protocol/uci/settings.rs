//! The options of the engine, as `setoption` sets them.

use super::memory;
use super::words::Castling;
use crate::search::Strength;
use std::ops::RangeInclusive;
use tabia_search::{AlphaBeta, SearchOptions};

const THREADS: RangeInclusive<usize> = 1..=256;
const LINES: RangeInclusive<usize> = 1..=64;
const OVERHEAD: RangeInclusive<usize> = 0..=5000;

/// How the engine is set up.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Megabytes of the table.
    hash: usize,
    /// The most that can be had.
    most_hash: usize,
    threads: usize,
    /// How many best lines the GUI wants to see.
    pub(super) lines: usize,
    /// Milliseconds that each move costs on the way to the GUI and back.
    pub(super) overhead: usize,
    chess960: bool,
    limit_strength: bool,
    elo: usize,
}

impl Settings {
    pub(super) fn new(threads: usize) -> Self {
        let most_hash = memory::most_megabytes();
        Settings {
            hash: 64.min(most_hash),
            most_hash,
            threads: threads.clamp(*THREADS.start(), *THREADS.end()),
            lines: 1,
            overhead: 10,
            chess960: false,
            limit_strength: false,
            elo: 1500,
        }
    }

    /// The `option` lines of the introduction.
    pub(super) fn declared(&self) -> String {
        let spin = |name: &str, now: usize, range: RangeInclusive<usize>| {
            format!("option name {name} type spin default {now} min {} max {}", range.start(), range.end())
        };
        let check = |name: &str, now: bool| format!("option name {name} type check default {now}");
        [
            spin("Hash", self.hash, 1..=self.most_hash),
            spin("Threads", self.threads, THREADS),
            spin("MultiPV", self.lines, LINES),
            check("Ponder", false),
            spin("Move Overhead", self.overhead, OVERHEAD),
            check("UCI_Chess960", self.chess960),
            check("UCI_LimitStrength", self.limit_strength),
            spin("UCI_Elo", self.elo, Strength::ELO),
        ]
        .join("\n")
    }

    /// Sets an option. A number outside its range becomes the nearest one inside, with a remark; anything
    /// else that is wrong is an error.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Option<String>, String> {
        let (range, number) = match name.to_ascii_lowercase().as_str() {
            "hash" => (1..=self.most_hash, &mut self.hash),
            "threads" => (THREADS, &mut self.threads),
            "multipv" => (LINES, &mut self.lines),
            "move overhead" => (OVERHEAD, &mut self.overhead),
            "uci_elo" => (Strength::ELO, &mut self.elo),
            "uci_chess960" => return switch(name, value, &mut self.chess960),
            "uci_limitstrength" => return switch(name, value, &mut self.limit_strength),
            // The GUI alone decides when to ponder.
            "ponder" => return Ok(None),
            _ => return Err(format!("there is no option {name:?}")),
        };
        let (least, most) = (*range.start(), *range.end());
        let wanted = value.parse::<usize>();
        let wanted =
            wanted.map_err(|_| format!("{name} is a number from {least} to {most}, not {value:?}"))?;
        *number = wanted.clamp(least, most);
        let remark = || format!("{name} goes from {least} to {most}: it is {number} now, not {wanted}");
        Ok((*number != wanted).then(remark))
    }

    pub(super) fn castling(&self) -> Castling {
        if self.chess960 { Castling::TakesRook } else { Castling::TwoSteps }
    }

    /// How strongly to play, where that is limited.
    pub(super) fn strength(&self) -> Option<Strength> {
        self.limit_strength.then(|| Strength::of_elo(self.elo))
    }

    /// What the engine must be made of.
    pub(super) fn options(&self) -> SearchOptions {
        let candidates = self.strength().map_or(1, |strength| strength.candidates());
        SearchOptions {
            table_bytes: self.hash << 20,
            threads: self.threads,
            lines: self.lines.max(candidates),
            selective: true,
        }
    }

    /// An engine, with a remark where its table had to be smaller than was asked for.
    pub(super) fn engine(&mut self) -> (AlphaBeta, Option<String>) {
        self.made_within(memory::most_megabytes(), AlphaBeta::new)
    }

    /// The same where so many megabytes are free: taking more than there are ends the process on many
    /// systems instead of failing.
    fn made_within<T, E>(
        &mut self,
        free: usize,
        make: impl Fn(SearchOptions) -> Result<T, E>,
    ) -> (T, Option<String>) {
        let wanted = self.hash;
        self.hash = wanted.min(free);
        loop {
            match make(self.options()) {
                Ok(engine) => {
                    let remark = || format!("no memory for a table of {wanted} MB: it has {} MB", self.hash);
                    return (engine, (self.hash < wanted).then(remark));
                }
                // An engine without a table is never refused.
                Err(_) => self.hash /= 2,
            }
        }
    }
}

fn switch(name: &str, value: &str, setting: &mut bool) -> Result<Option<String>, String> {
    *setting = value.parse().map_err(|_| format!("{name} is true or false, not {value:?}"))?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_range_becomes_the_nearest_and_is_told() {
        let mut settings = Settings { most_hash: 100, ..Settings::new(2) };
        assert_eq!(settings.set("Hash", "50"), Ok(None));
        let remark = settings.set("hash", "65536").unwrap().unwrap();
        assert!(remark.contains("100") && remark.contains("65536"), "{remark}");
        assert_eq!(settings.hash, 100);
        assert!(settings.set("Hash", "much").unwrap_err().contains("\"much\""));
        assert!(settings.set("UCI_Chess960", "yes").unwrap_err().contains("\"yes\""));
        assert_eq!(settings.set("move overhead", "0"), Ok(None));
    }

    #[test]
    fn a_table_that_cannot_be_had_becomes_a_smaller_one() {
        let with = |hash: usize, free: usize, most: usize| {
            let mut settings = Settings { hash, ..Settings::new(1) };
            let make = |options: SearchOptions| (options.table_bytes <= most << 20).then_some(()).ok_or(());
            let remark = settings.made_within(free, make).1;
            (settings.hash, remark.is_some())
        };
        assert_eq!(with(64, 1000, 1000), (64, false));
        assert_eq!(with(65536, 1000, 1000), (1000, true));
        assert_eq!(with(65536, 1000, 300), (250, true));
        assert_eq!(with(64, 1000, 0), (0, true));
    }
}
