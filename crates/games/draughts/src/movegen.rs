//! Legal moves: steps of all pieces at once, captures where there are any.
//!
//! Everything is written for the side to move: its pieces go forward (down for Black), men and kings
//! alike, and its kings also go backward. `BLACK` is known at compile time, so that each colour gets
//! code without a choice of direction.

use crate::bits::{step_a, step_b};
use crate::capture::{self, Captures};
use crate::moves::Move;
use crate::rules::Counting;
use crate::state::State;
use crate::types::Color;
use tabia_core::SplitMix64;

/// A position seen by the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Sides {
    pub(crate) own: u32,
    pub(crate) opponent: u32,
    /// The own kings.
    pub(crate) kings: u32,
    pub(crate) empty: u32,
}

impl Sides {
    #[inline(always)]
    pub(crate) fn of<const BLACK: bool>(state: &State) -> Sides {
        let (own, opponent) =
            if BLACK { (state.black(), state.white()) } else { (state.white(), state.black()) };
        Sides { own, opponent, kings: own & state.kings(), empty: state.empty() }
    }
}

/// The squares that can be stepped on: forward by 4, forward by 3 or 5, and the same backward for
/// kings. A square in one of the four sets stands for one step.
#[inline(always)]
fn steps<const BLACK: bool>(s: Sides) -> [u32; 4] {
    let forward = [step_a(BLACK, s.own) & s.empty, step_b(BLACK, s.own) & s.empty];
    if s.kings == 0 {
        return [forward[0], forward[1], 0, 0];
    }
    [forward[0], forward[1], step_a(!BLACK, s.kings) & s.empty, step_b(!BLACK, s.kings) & s.empty]
}

/// Where a step of the given sort (one of the four of [`steps`]) to this square begins.
pub(crate) const fn origin(black: bool, sort: usize, to: u32) -> u32 {
    let down = if sort < 2 { black } else { !black };
    // Steps of the second sort are longer by two into odd rows when they go down, even ones when up.
    let odd = to >> 1 & 2;
    match (sort % 2, down) {
        (0, true) => to.wrapping_sub(4) & 31,
        (0, false) => (to + 4) & 31,
        (_, true) => to.wrapping_sub(3 + odd) & 31,
        (_, false) => (to + 5 - odd) & 31,
    }
}

/// The steps to every square: by colour, by way (forward, backward), by sort and square.
static STEPS: [[[Move; 64]; 2]; 2] =
    [[step_table(true, 0), step_table(true, 2)], [step_table(false, 0), step_table(false, 2)]];

const fn step_table(black: bool, first_sort: usize) -> [Move; 64] {
    let mut table = [Move::step(0, 0); 64];
    let mut bit = 0;
    while bit < 64 {
        let to = bit as u32 % 32;
        table[bit] = Move::step(origin(black, first_sort + bit / 32, to), to);
        bit += 1;
    }
    table
}

/// Two sets of the same way in one, so that a loop over both ends once.
#[inline(always)]
pub(crate) const fn pair(a: u32, b: u32) -> u64 {
    a as u64 | (b as u64) << 32
}

/// The table of a colour and a way: 0 forward, 1 backward.
#[inline(always)]
fn steps_of<const BLACK: bool>(way: usize) -> &'static [Move; 64] {
    &STEPS[usize::from(!BLACK)][way]
}

/// Appends all legal moves.
#[inline]
pub(crate) fn list(state: &State, counting: Counting, out: &mut Vec<Move>) {
    match state.turn() {
        Color::Black => list_for::<true>(state, counting, out),
        Color::White => list_for::<false>(state, counting, out),
    }
}

#[inline(always)]
fn list_for<const BLACK: bool>(state: &State, counting: Counting, out: &mut Vec<Move>) {
    let s = Sides::of::<BLACK>(state);
    if Captures::of::<BLACK>(s).any() {
        return capture::list_all::<BLACK>(state, counting, out);
    }
    let [a, b, c, d] = steps::<BLACK>(s);
    push_steps(pair(a, b), steps_of::<BLACK>(0), out);
    if s.kings != 0 {
        push_steps(pair(c, d), steps_of::<BLACK>(1), out);
    }
}

#[inline(always)]
fn push_steps(mut set: u64, table: &[Move; 64], out: &mut Vec<Move>) {
    while set != 0 {
        out.push(table[set.trailing_zeros() as usize & 63]);
        set &= set - 1;
    }
}

/// The number of legal moves.
#[inline(always)]
pub(crate) fn count(state: &State, counting: Counting) -> u64 {
    match state.turn() {
        Color::Black => count_for::<true>(state, counting),
        Color::White => count_for::<false>(state, counting),
    }
}

/// Most positions met have no kings and no capture of more than one piece: they are counted here,
/// in registers alone. The others are left to functions that begin anew.
#[inline(always)]
fn count_for<const BLACK: bool>(state: &State, counting: Counting) -> u64 {
    let s = Sides::of::<BLACK>(state);
    if s.kings != 0 {
        return count_with_kings::<BLACK>(s, counting);
    }
    let captures = Captures::of_men::<BLACK>(s);
    if captures.any() {
        return captures.count_single::<BLACK>(s).unwrap_or_else(|| capture::count_men::<BLACK>(s));
    }
    let [a, b] = [step_a(BLACK, s.own) & s.empty, step_b(BLACK, s.own) & s.empty];
    u64::from(a.count_ones() + b.count_ones())
}

#[inline(never)]
fn count_with_kings<const BLACK: bool>(s: Sides, counting: Counting) -> u64 {
    let captures = Captures::of::<BLACK>(s);
    if captures.any() {
        return captures.count::<BLACK>(s, counting);
    }
    steps::<BLACK>(s).into_iter().map(|set| u64::from(set.count_ones())).sum()
}

/// Whether the side to move has any move.
#[inline]
pub(crate) fn any(state: &State) -> bool {
    fn any_for<const BLACK: bool>(state: &State) -> bool {
        let s = Sides::of::<BLACK>(state);
        steps::<BLACK>(s) != [0; 4] || Captures::of::<BLACK>(s).any()
    }
    match state.turn() {
        Color::Black => any_for::<true>(state),
        Color::White => any_for::<false>(state),
    }
}

/// What the side to move can do, as it sees the board (White after a half turn): the squares that can be stepped on, by
/// sort, or `None` where it must capture. Without a branch on whose turn it is, which cannot be predicted in random play.
#[inline(always)]
pub(crate) fn steps_seen(state: &State) -> Option<[u32; 4]> {
    let white = state.turn() == Color::White;
    let both = pair(state.black(), state.white());
    // A half turn of both boards at once also exchanges them.
    let both = if white { both.reverse_bits() } else { both };
    let kings = if white { state.kings().reverse_bits() } else { state.kings() };
    let (own, opponent) = (both as u32, (both >> 32) as u32);
    let s = Sides { own, opponent, kings: own & kings, empty: !(own | opponent) };
    (!Captures::of_all(s).any()).then(|| {
        [step_a(true, own), step_b(true, own), step_a(false, s.kings), step_b(false, s.kings)]
            .map(|to| to & s.empty)
    })
}

/// The step to a square, by way and sort (128 in all, as [`steps_seen`] has them).
#[inline(always)]
pub(crate) fn step_seen(state: &State, step: usize) -> Move {
    let mv = steps_of::<true>(step / 64 % 2)[step % 64];
    if state.turn() == Color::White { mv.turned_step() } else { mv }
}

/// Whether the side to move must capture.
#[inline]
pub(crate) fn must_capture(state: &State) -> bool {
    match state.turn() {
        Color::Black => Captures::of::<true>(Sides::of::<true>(state)).any(),
        Color::White => Captures::of::<false>(Sides::of::<false>(state)).any(),
    }
}

/// A legal move chosen uniformly; steps are picked without listing them.
#[inline]
pub(crate) fn random(
    state: &State,
    counting: Counting,
    rng: &mut SplitMix64,
    buffer: &mut Vec<Move>,
) -> Option<Move> {
    match state.turn() {
        Color::Black => random_for::<true>(state, counting, rng, buffer),
        Color::White => random_for::<false>(state, counting, rng, buffer),
    }
}

#[inline(always)]
fn random_for<const BLACK: bool>(
    state: &State,
    counting: Counting,
    rng: &mut SplitMix64,
    buffer: &mut Vec<Move>,
) -> Option<Move> {
    let s = Sides::of::<BLACK>(state);
    let captures = Captures::of::<BLACK>(s);
    if captures.any() {
        buffer.clear();
        captures.list::<BLACK>(s, counting, buffer);
        return buffer.get(rng.below(buffer.len() as u64) as usize).copied();
    }
    let [a, b, c, d] = steps::<BLACK>(s);
    let (forward, backward) = (pair(a, b), pair(c, d));
    let total = forward.count_ones() + backward.count_ones();
    let chosen = rng.below(u64::from(total)) as u32;
    match chosen.checked_sub(forward.count_ones()) {
        None => nth_step(forward, chosen, steps_of::<BLACK>(0)),
        Some(chosen) => nth_step(backward, chosen, steps_of::<BLACK>(1)),
    }
}

/// The step of the `n`-th bit of a set; `None` when there are fewer.
#[inline(always)]
fn nth_step(mut set: u64, n: u32, table: &[Move; 64]) -> Option<Move> {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    (set != 0).then(|| table[set.trailing_zeros() as usize & 63])
}
