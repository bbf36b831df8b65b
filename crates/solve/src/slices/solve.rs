//! One group of slices that lead to each other, backwards from what is known.
//!
//! A first sweep looks at every position: what its moves to other groups are worth is known already.
//! Then, ply by ply, the positions decided in `n` plies tell their predecessors inside the group. A win
//! found through another group is provisional until the plies have come that far: a quicker one may turn
//! up inside.

use super::memory::Memory;
use crate::code;
use crate::error::SolveError;
use crate::progress::{Reporter, share};
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};
use tabia_core::{Index, Slice, Spot, Successor};

const CHUNK: usize = 8192;
/// A position that cannot be lost: it has a win or a draw elsewhere.
const SAFE: u8 = u8::MAX;

/// A group being solved; its slices lie one after the other.
pub(super) struct Group<'a, G> {
    game: &'a G,
    known: &'a Memory,
    /// Each slice, and where it begins.
    slices: Vec<(Slice, usize)>,
    values: Vec<AtomicU16>,
    /// Moves inside the group not yet known to lose.
    open: Vec<AtomicU8>,
    /// The largest distance set in each chunk: later plies can skip it.
    deepest: Vec<AtomicU16>,
}

/// What the moves of a position to other groups are worth.
#[derive(Default)]
struct Elsewhere {
    inside: u32,
    win: Option<u16>,
    draw: bool,
    /// The longest resistance among moves that lose, in plies from here.
    loss: Option<u16>,
}

/// One thread's buffers.
#[derive(Default)]
struct Scratch {
    successors: Vec<Successor>,
    predecessors: Vec<Spot>,
    error: Option<SolveError>,
}

impl<'a, G: Index> Group<'a, G> {
    pub(super) fn new(game: &'a G, known: &'a Memory, slices: &[Slice]) -> Self {
        let mut len = 0;
        let mut place = |slice: &Slice| {
            let start = len;
            len += game.slice_len(*slice) as usize;
            (*slice, start)
        };
        let slices = slices.iter().map(&mut place).collect();
        let zeros = |n| std::iter::repeat_with(AtomicU16::default).take(n).collect();
        let open = std::iter::repeat_with(AtomicU8::default).take(len).collect();
        Group { game, known, slices, values: zeros(len), open, deepest: zeros(len.div_ceil(CHUNK)) }
    }

    /// Solves the group; the codes of its slices in order.
    pub(super) fn solve(
        self,
        threads: usize,
        name: &str,
        reporter: &mut Reporter<'_>,
    ) -> Result<Vec<Vec<u16>>, SolveError> {
        reporter.rename(name);
        self.sweep(threads, reporter.uncounted(false), |scratch, position| self.look(scratch, position))?;
        reporter.uncounted(true);
        for plies in 0..=code::LONGEST {
            let deepest = self.deepest.iter().map(|d| d.load(Relaxed)).max().unwrap_or(0);
            if plies > deepest {
                break;
            }
            reporter.rename(format!("{name}, plies {plies}"));
            self.sweep_chunks(threads, plies, reporter)?;
        }
        let mut codes: Vec<u16> = self.values.into_iter().map(AtomicU16::into_inner).collect();
        let mut parts: Vec<Vec<u16>> =
            self.slices.iter().rev().map(|(_, start)| codes.split_off(*start)).collect();
        parts.reverse();
        Ok(parts)
    }

    /// Visits every position.
    fn sweep(
        &self,
        threads: usize,
        reporter: &mut Reporter<'_>,
        visit: impl Fn(&mut Scratch, usize) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let done = share(threads, self.values.len(), CHUNK, reporter, Scratch::default, |scratch, range| {
            for position in range {
                if let Err(error) = visit(scratch, position) {
                    scratch.error.get_or_insert(error);
                }
            }
        })?;
        done.into_iter().find_map(|scratch| scratch.error).map_or(Ok(()), Err)
    }

    /// Visits the positions decided in `plies`.
    fn sweep_chunks(
        &self,
        threads: usize,
        plies: u16,
        reporter: &mut Reporter<'_>,
    ) -> Result<(), SolveError> {
        let (win, loss) = (code::win(plies), code::loss(plies));
        let live: Vec<usize> =
            (0..self.deepest.len()).filter(|&c| self.deepest[c].load(Relaxed) >= plies).collect();
        let done = share(threads, live.len(), 1, reporter, Scratch::default, |scratch, range| {
            for chunk in &live[range] {
                let end = self.values.len().min((chunk + 1) * CHUNK);
                for position in chunk * CHUNK..end {
                    let code = self.values[position].load(Relaxed);
                    if (code == win || code == loss)
                        && let Err(error) = self.tell(scratch, position, code)
                    {
                        scratch.error.get_or_insert(error);
                    }
                }
            }
        })?;
        done.into_iter().find_map(|scratch| scratch.error).map_or(Ok(()), Err)
    }

    fn spot(&self, position: usize) -> Spot {
        let at = self.slices.partition_point(|(_, start)| *start <= position) - 1;
        let (slice, start) = self.slices[at];
        Spot { slice, index: (position - start) as u64 }
    }

    #[inline]
    fn place(&self, spot: Spot) -> Option<usize> {
        let (_, start) = self.slices.iter().find(|(slice, _)| *slice == spot.slice)?;
        Some(start + spot.index as usize)
    }

    fn set(&self, position: usize, code: u16) {
        self.values[position].store(code, Relaxed);
        self.deepest[position / CHUNK].fetch_max(code::distance(code), Relaxed);
    }

    /// The first look at a position.
    fn look(&self, scratch: &mut Scratch, position: usize) -> Result<(), SolveError> {
        let spot = self.spot(position);
        scratch.successors.clear();
        self.game.successors(spot, &mut scratch.successors);
        if scratch.successors.is_empty() {
            let code = self.finished(spot)?;
            if code != code::DRAW {
                self.set(position, code);
            }
            self.open[position].store(SAFE, Relaxed);
            return Ok(());
        }
        let elsewhere = self.elsewhere(spot, &scratch.successors)?;
        let mut open = SAFE;
        if let Some(plies) = elsewhere.win {
            self.set(position, code::win(plies));
        } else if elsewhere.inside == 0 && !elsewhere.draw {
            self.set(position, code::loss(elsewhere.loss.unwrap_or(0)));
        } else if !elsewhere.draw {
            open = u8::try_from(elsewhere.inside).ok().filter(|n| *n < SAFE).ok_or_else(|| {
                SolveError::Game(format!("{spot:?} has {} moves, too many for the tables", elsewhere.inside))
            })?;
        }
        self.open[position].store(open, Relaxed);
        Ok(())
    }

    fn finished(&self, spot: Spot) -> Result<u16, SolveError> {
        let state = self.game.position(spot);
        let end =
            state.as_ref().and_then(|state| Some(self.game.outcome(state)?.value_for(self.game.side(state))));
        end.map(code::encode)
            .ok_or_else(|| SolveError::Game(format!("{spot:?} has no moves but is not over")))
    }

    fn elsewhere(&self, spot: Spot, successors: &[Successor]) -> Result<Elsewhere, SolveError> {
        let mut sum = Elsewhere::default();
        for successor in successors {
            let code = match *successor {
                Successor::At(next) if self.place(next).is_some() => {
                    sum.inside += 1;
                    continue;
                }
                Successor::At(next) => self.known.get(next),
                Successor::Over(value) => Some(code::encode(value)),
                Successor::Outside => None,
            };
            let code = code
                .ok_or_else(|| SolveError::Game(format!("{spot:?} leads to {successor:?}, not built yet")))?;
            let plies = code::distance(code).wrapping_add(1);
            if code == code::DRAW {
                sum.draw = true;
            } else if plies >= code::LONGEST {
                return Err(SolveError::TooLong);
            } else if code::is_loss(code) {
                sum.win = Some(sum.win.map_or(plies, |known| known.min(plies)));
            } else {
                sum.loss = Some(sum.loss.map_or(plies, |known| known.max(plies)));
            }
        }
        Ok(sum)
    }

    /// Tells the predecessors of a position that it is decided.
    fn tell(&self, scratch: &mut Scratch, position: usize, code: u16) -> Result<(), SolveError> {
        let plies = code::distance(code) + 1;
        if plies >= code::LONGEST {
            return Err(SolveError::TooLong);
        }
        scratch.predecessors.clear();
        self.game.predecessors(self.spot(position), &mut scratch.predecessors);
        let Scratch { successors, predecessors, .. } = scratch;
        for before in predecessors.iter() {
            let Some(place) = self.place(*before) else { continue };
            if code::is_loss(code) {
                let known = self.values[place].load(Relaxed);
                if known == code::DRAW || code::is_win(known) && code::distance(known) > plies {
                    self.set(place, code::win(plies));
                }
            } else if self.open[place].load(Relaxed) != SAFE && self.open[place].fetch_sub(1, Relaxed) == 1 {
                // The last hope inside is gone; a move elsewhere may hold out longer.
                successors.clear();
                self.game.successors(*before, successors);
                let elsewhere = self.elsewhere(*before, successors)?;
                self.set(place, code::loss(plies.max(elsewhere.loss.unwrap_or(0))));
            }
        }
        Ok(())
    }
}
