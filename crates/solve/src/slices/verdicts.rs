//! Who wins in all slices, by two bits a position, as many threads see and write it.

use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use tabia_core::{Slice, Spot, Verdict, threads};

/// The values of slices by two bits a position, as in files: 0 draw, 1 loss, 2 win.
#[derive(Default)]
pub(super) struct Verdicts {
    slices: FxHashMap<Slice, Vec<AtomicU8>>,
}

impl Verdicts {
    /// Makes room for slices of so many positions, all drawn; the threads fill it together.
    pub(super) fn begin(&mut self, slices: &[(Slice, u64)], threads: usize) {
        let room = |positions: u64| {
            std::iter::repeat_with(AtomicU8::default).take(positions.div_ceil(4) as usize).collect()
        };
        let begun =
            threads::run(threads.clamp(1, slices.len().max(1)), |me| -> Vec<(Slice, Vec<AtomicU8>)> {
                let mine = slices.iter().skip(me).step_by(threads.max(1));
                mine.map(|(slice, positions)| (*slice, room(*positions))).collect()
            });
        self.slices.extend(begun.into_iter().flatten());
    }

    /// A slice whose values are known.
    pub(super) fn keep(&mut self, slice: Slice, bytes: Vec<u8>) {
        self.slices.insert(slice, bytes.into_iter().map(AtomicU8::new).collect());
    }

    /// Appends some bytes of a slice.
    pub(super) fn copy(&self, slice: Slice, range: Range<usize>, out: &mut Vec<u8>) {
        let bytes = self.slices.get(&slice).and_then(|bytes| bytes.get(range)).unwrap_or_default();
        out.extend(bytes.iter().map(|byte| byte.load(Relaxed)));
    }

    /// How many bytes a slice has.
    pub(super) fn len(&self, slice: Slice) -> usize {
        self.slices.get(&slice).map_or(0, Vec::len)
    }

    /// What a place is worth; `None` where there is no such place.
    #[inline]
    pub(super) fn get(&self, spot: Spot) -> Option<Verdict> {
        let byte = self.slices.get(&spot.slice)?.get(spot.index as usize / 4)?;
        Some(match byte.load(Relaxed) >> (2 * (spot.index % 4)) & 3 {
            0 => Verdict::Draw,
            1 => Verdict::Loss,
            _ => Verdict::Win,
        })
    }

    /// Writes the values of places one after the other, which were draws. Their first and last byte may belong to
    /// neighbours as well.
    pub(super) fn write(&self, first: Spot, states: &[AtomicU8]) {
        let Some(bytes) = self.slices.get(&first.slice) else { return };
        let (mut at, mut index) = (0, first.index as usize);
        while at < states.len() {
            let (low, room) = (index % 4, (4 - index % 4).min(states.len() - at));
            let two_bits = |state: &AtomicU8| state.load(Relaxed) >> 6;
            let byte = states[at..at + room].iter().rev().fold(0, |byte, state| byte << 2 | two_bits(state));
            if let Some(place) = bytes.get(index / 4) {
                if room == 4 {
                    place.store(byte, Relaxed);
                } else {
                    place.fetch_or(byte << (2 * low), Relaxed);
                }
            }
            at += room;
            index += room;
        }
    }
}
