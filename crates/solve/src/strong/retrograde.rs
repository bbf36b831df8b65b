//! From the ends of the game backwards, over the graph of moves turned round.
//!
//! Ply by ply: the positions decided in `n` plies decide their predecessors in `n + 1`. A predecessor
//! of a position that is good for whoever moved there is won; one all of whose children are bad is
//! lost, when the last of them is decided. What is never decided is a draw: neither side can end
//! the game to its liking, and it may go on for ever.

use super::AfterLevel;
use super::explore::SAME_MOVER;
use crate::code;
use crate::error::SolveError;
use crate::stage::Stage;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};
use tabia_core::Work;

const CHUNK: usize = 4096;

/// Fewer threads than this are slower than one alone: it needs no locked instructions, which cost more than all else
/// here, because the processor waits for one after the other.
const WORTH_SHARING: usize = 8;

/// Counters and values that threads share, or that one has to itself.
#[derive(Clone, Copy)]
struct Shared {
    alone: bool,
}

impl Shared {
    fn by(work: &Work<'_>) -> Shared {
        Shared { alone: work.threads <= 1 }
    }

    #[inline]
    fn add_one(self, counter: &AtomicU32) {
        if self.alone {
            counter.store(counter.load(Relaxed) + 1, Relaxed);
        } else {
            counter.fetch_add(1, Relaxed);
        }
    }

    /// Takes one off; what is left.
    #[inline]
    fn take_one(self, counter: &AtomicU32) -> u32 {
        if self.alone {
            let left = counter.load(Relaxed) - 1;
            counter.store(left, Relaxed);
            left
        } else {
            counter.fetch_sub(1, Relaxed) - 1
        }
    }

    /// The same for the children of a position.
    #[inline]
    fn take_child(self, counter: &AtomicU16) -> u16 {
        if self.alone {
            let left = counter.load(Relaxed).wrapping_sub(1);
            counter.store(left, Relaxed);
            left
        } else {
            counter.fetch_sub(1, Relaxed).wrapping_sub(1)
        }
    }

    /// Gives a position its value if it has none; whether it had none.
    #[inline]
    fn decide(self, value: &AtomicU16, code: u16) -> bool {
        if self.alone {
            let open = value.load(Relaxed) == code::DRAW;
            if open {
                value.store(code, Relaxed);
            }
            open
        } else {
            value.compare_exchange(code::DRAW, code, Relaxed, Relaxed).is_ok()
        }
    }
}

/// The graph of moves turned round: for each position, where it can be reached from.
struct Backward {
    /// Where the predecessors of each position begin, and where the last ones end.
    first: Vec<u64>,
    sources: Vec<AtomicU32>,
}

impl Backward {
    fn of(degrees: &[u16], edges: &[u32], work: &Work<'_>) -> Result<Self, SolveError> {
        let n = degrees.len();
        let shared = Shared::by(work);
        let fill: Vec<AtomicU32> = zeros(n);
        let stage = Stage::new(work, "count the ways back", Some(edges.len() as u64));
        stage.share(
            edges.len(),
            16 * CHUNK,
            || (),
            |(), range| {
                for edge in &edges[range] {
                    shared.add_one(&fill[(edge & !SAME_MOVER) as usize]);
                }
                Ok(())
            },
        )?;
        let mut first = Vec::with_capacity(n + 1);
        let mut sum = 0;
        for count in &fill {
            first.push(sum);
            sum += u64::from(count.load(Relaxed));
        }
        first.push(sum);
        let sources: Vec<AtomicU32> = zeros(edges.len());
        let starts = chunk_starts(degrees);
        let stage = Stage::new(work, "turn the graph round", Some(n as u64));
        stage.share(
            n,
            CHUNK,
            || (),
            |(), range| {
                let mut at = starts[range.start / CHUNK];
                for from in range {
                    let degree = usize::from(degrees[from]);
                    for &edge in &edges[at..at + degree] {
                        let to = (edge & !SAME_MOVER) as usize;
                        // Slots are taken from the end, so that the counters come out as zero.
                        let slot = first[to] + u64::from(shared.take_one(&fill[to]));
                        sources[slot as usize].store(from as u32 | edge & SAME_MOVER, Relaxed);
                    }
                    at += degree;
                }
                Ok(())
            },
        )?;
        Ok(Backward { first, sources })
    }

    fn of_position(&self, position: u32) -> &[AtomicU32] {
        let position = position as usize;
        &self.sources[self.first[position] as usize..self.first[position + 1] as usize]
    }
}

/// The offset of the first edge of every [`CHUNK`] positions.
fn chunk_starts(degrees: &[u16]) -> Vec<usize> {
    let sums = degrees.chunks(CHUNK).map(|chunk| chunk.iter().map(|&d| usize::from(d)).sum::<usize>());
    let after = sums.scan(0, |at, sum| {
        *at += sum;
        Some(*at)
    });
    std::iter::once(0).chain(after).take(degrees.len().div_ceil(CHUNK)).collect()
}

fn zeros<A: Default>(n: usize) -> Vec<A> {
    std::iter::repeat_with(A::default).take(n).collect()
}

/// Decides everything that can be decided; the codes by number.
///
/// `level` is the distance up to which `values` is complete (0 for a new start), and `after_level`
/// hears of each further one. What positions look like does not matter here: all games share this.
pub(super) fn solve(
    degrees: &[u16],
    edges: Vec<u32>,
    values: Vec<u16>,
    level: u16,
    work: &Work<'_>,
    after_level: AfterLevel<'_>,
) -> Result<Vec<u16>, SolveError> {
    let work = &if work.threads < WORTH_SHARING { Work { threads: 1, ..*work } } else { *work };
    let backward = Backward::of(degrees, &edges, work)?;
    let left = open_children(degrees, &values, &edges, level);
    drop(edges);
    let values: Vec<AtomicU16> = values.into_iter().map(AtomicU16::new).collect();
    let shared = Shared::by(work);
    let at_level = |code: u16| code != code::DRAW && code::distance(code) == level;
    let mut frontier: Vec<u32> =
        (0..values.len() as u32).filter(|&p| at_level(values[p as usize].load(Relaxed))).collect();
    for plies in level.. {
        if frontier.is_empty() {
            break;
        }
        let stage = Stage::new(work, format!("plies {}", plies + 1), Some(frontier.len() as u64));
        let next = stage.share(frontier.len(), CHUNK, Vec::new, |next, range| {
            frontier[range]
                .iter()
                .try_for_each(|&from| step_back(from, &backward, &values, &left, shared, next))
        })?;
        frontier = next.concat();
        after_level(plies + 1, &|| values.iter().map(|v| v.load(Relaxed)).collect())?;
    }
    Ok(values.into_iter().map(AtomicU16::into_inner).collect())
}

/// For each position the children not yet known to be bad: those decided before `level` are counted off.
fn open_children(degrees: &[u16], values: &[u16], edges: &[u32], level: u16) -> Vec<AtomicU16> {
    let mut edges = edges.iter();
    let count = |&degree: &u16| {
        let children = edges.by_ref().take(usize::from(degree));
        if level == 0 {
            children.for_each(drop);
            return AtomicU16::new(degree);
        }
        let bad = |edge: &&u32| {
            let code = values[(**edge & !SAME_MOVER) as usize];
            let bad = if **edge & SAME_MOVER == 0 { code::is_win(code) } else { code::is_loss(code) };
            bad && code::distance(code) < level
        };
        AtomicU16::new(degree - children.filter(bad).count() as u16)
    };
    degrees.iter().map(count).collect()
}

/// Tells the predecessors of a position that was decided.
fn step_back(
    position: u32,
    backward: &Backward,
    values: &[AtomicU16],
    left: &[AtomicU16],
    shared: Shared,
    next: &mut Vec<u32>,
) -> Result<(), SolveError> {
    let sources = backward.of_position(position);
    if sources.is_empty() {
        return Ok(());
    }
    let code = values[position as usize].load(Relaxed);
    let decided = |same| code::one_ply_earlier(code, same).ok_or(SolveError::TooLong);
    let decided = [decided(false)?, decided(true)?];
    for source in sources {
        let source = source.load(Relaxed);
        let from = (source & !SAME_MOVER) as usize;
        let decided = decided[usize::from(source & SAME_MOVER != 0)];
        // It is lost when its last child is known to be bad.
        if code::is_loss(decided) && shared.take_child(&left[from]) != 0 {
            continue;
        }
        if shared.decide(&values[from], decided) {
            next.push(from as u32);
        }
    }
    Ok(())
}
