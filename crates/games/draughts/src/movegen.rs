//! Legal moves: steps of all pieces at once, captures where there are any.
//!
//! Everything is written for the side to move: its pieces go forward (down for Black), men and kings
//! alike, and its kings also go backward. `BLACK` is known at compile time, so that each colour gets
//! code without a choice of direction.

use crate::bits::{step_a, step_b};
use crate::capture::{self, Captures};
use crate::moves::Move;
use crate::rules::{Counting, Draughts};
use crate::state::State;
use crate::types::Color;
use std::hint::select_unpredictable;
use tabia_core::SplitMix64;
use tabia_core::bits::{nth_bit, nth_bit_of_two};
use tabia_core::perft::replies;

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
    let [a, b] = [step_a(BLACK, s.own), step_b(BLACK, s.own)];
    [a, b, step_a(!BLACK, s.kings), step_b(!BLACK, s.kings)].map(|to| to & s.empty)
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

/// The steps and the first jumps to every square: by colour, by what they are (a step, a jump), by way (forward,
/// backward), by sort and square.
static MOVES: [[[[Move; 64]; 2]; 2]; 2] = [of_color(true), of_color(false)];

const fn of_color(black: bool) -> [[[Move; 64]; 2]; 2] {
    [
        [step_table(black, 0), step_table(black, 2)],
        [capture::jump_table(black, 0), capture::jump_table(black, 2)],
    ]
}

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

/// The two squares that each step changes, in the same order.
static CHANGES: [[[u32; 64]; 2]; 2] =
    [[changes(true, 0), changes(true, 2)], [changes(false, 0), changes(false, 2)]];

const fn changes(black: bool, first_sort: usize) -> [u32; 64] {
    let (steps, mut table) = (step_table(black, first_sort), [0; 64]);
    let mut bit = 0;
    while bit < 64 {
        table[bit] = 1 << steps[bit].from_index() | 1 << steps[bit].to_index();
        bit += 1;
    }
    table
}

/// Two sets of the same way in one, so that a loop over both ends once.
#[inline(always)]
pub(crate) const fn pair(a: u32, b: u32) -> u64 {
    a as u64 | (b as u64) << 32
}

/// The tables of a colour: of steps and of first jumps, each forward and backward.
#[inline(always)]
pub(crate) fn moves_of<const BLACK: bool>() -> &'static [[[Move; 64]; 2]; 2] {
    &MOVES[usize::from(!BLACK)]
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
        return capture::list_all::<BLACK>(s, counting, out);
    }
    let [a, b, c, d] = steps::<BLACK>(s);
    let [forward, backward] = &moves_of::<BLACK>()[0];
    push_steps(pair(a, b), forward, out);
    push_steps(pair(c, d), backward, out);
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
        Color::Black => count_for::<true>(Sides::of::<true>(state), counting),
        Color::White => count_for::<false>(Sides::of::<false>(state), counting),
    }
}

/// Most positions met have no kings and no capture of more than one piece: they are counted here, in registers alone
/// and without a branch on whether there is a capture. The others are left to functions that begin anew.
#[inline(always)]
fn count_for<const BLACK: bool>(s: Sides, counting: Counting) -> u64 {
    if s.kings != 0 {
        return count_with_kings::<BLACK>(s.own, s.opponent, s.kings, s.empty, counting);
    }
    let captures = Captures::of_men::<BLACK>(s);
    if captures.go_on::<BLACK>(s) {
        return capture::count_men::<BLACK>(s.own, s.opponent, s.empty);
    }
    let [a, b] = [step_a(BLACK, s.own) & s.empty, step_b(BLACK, s.own) & s.empty];
    let [jumps, _] = captures.pairs();
    let moves = select_unpredictable(jumps == 0, pair(a, b), jumps);
    u64::from(moves.count_ones())
}

/// Given the parts of [`Sides`] one by one, for the same reason as [`capture::count_men`].
#[inline(never)]
fn count_with_kings<const BLACK: bool>(
    own: u32,
    opponent: u32,
    kings: u32,
    empty: u32,
    counting: Counting,
) -> u64 {
    let s = Sides { own, opponent, kings, empty };
    let captures = Captures::of::<BLACK>(s);
    if captures.go_on::<BLACK>(s) {
        return captures.count::<BLACK>(s, counting);
    }
    let moves = captures.pairs_or(steps::<BLACK>(s));
    moves.into_iter().map(|set| u64::from(set.count_ones())).sum()
}

/// The number of legal moves after each legal move, together.
#[inline]
pub(crate) fn count_pairs(state: &State, counting: Counting, buffer: &mut Vec<Move>) -> u64 {
    match state.turn() {
        Color::Black => count_pairs_for::<true>(state, counting, buffer),
        Color::White => count_pairs_for::<false>(state, counting, buffer),
    }
}

/// After a step the other side's moves depend on the two squares that changed, and on nothing else: whether it was a
/// king's or led to a crown does not matter to them. Nothing is listed or played.
#[inline(always)]
fn count_pairs_for<const BLACK: bool>(state: &State, counting: Counting, buffer: &mut Vec<Move>) -> u64 {
    let s = Sides::of::<BLACK>(state);
    if Captures::of::<BLACK>(s).any() {
        buffer.clear();
        capture::list_all::<BLACK>(s, counting, buffer);
        return replies(&Draughts { counting }, state, buffer);
    }
    let [a, b, c, d] = steps::<BLACK>(s);
    let kings = state.kings() & s.opponent;
    let mut total = 0;
    for (way, mut set) in [pair(a, b), pair(c, d)].into_iter().enumerate() {
        let changes = &CHANGES[usize::from(!BLACK)][way];
        while set != 0 {
            let change = changes[set.trailing_zeros() as usize & 63];
            set &= set - 1;
            let turned = Sides { own: s.opponent, opponent: s.own ^ change, kings, empty: s.empty ^ change };
            total += if BLACK {
                count_for::<false>(turned, counting)
            } else {
                count_for::<true>(turned, counting)
            };
        }
    }
    total
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
    (!Captures::of::<true>(s).any()).then(|| {
        [step_a(true, own), step_b(true, own), step_a(false, s.kings), step_b(false, s.kings)]
            .map(|to| to & s.empty)
    })
}

/// The step to a square, by way and sort (128 in all, as [`steps_seen`] has them).
#[inline(always)]
pub(crate) fn step_seen(state: &State, step: usize) -> Move {
    let mv = moves_of::<true>()[0][step / 64 % 2][step % 64];
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

/// A legal move chosen uniformly; it is the one of that number in the list, which is not made.
#[inline(always)] // a position that is played on stays in registers
pub(crate) fn random(
    state: &State,
    counting: Counting,
    rng: &mut SplitMix64,
    buffer: &mut Vec<Move>,
) -> Option<Move> {
    match state.turn() {
        Color::Black => random_for::<true>(Sides::of::<true>(state), counting, rng, buffer),
        Color::White => random_for::<false>(Sides::of::<false>(state), counting, rng, buffer),
    }
}

/// Steps and single jumps are sets of squares alike: one of them is picked without a branch on which they are, on the
/// way it goes or on its number, because nobody can predict these. Kings, once there, stay for a while.
#[inline(always)]
fn random_for<const BLACK: bool>(
    s: Sides,
    counting: Counting,
    rng: &mut SplitMix64,
    buffer: &mut Vec<Move>,
) -> Option<Move> {
    if s.kings == 0 {
        let captures = Captures::of_men::<BLACK>(s);
        if captures.go_on::<BLACK>(Sides { kings: 0, ..s }) {
            return random_capture::<BLACK>(s, counting, rng, buffer);
        }
        let [moves, _] = captures.pairs_or(steps::<BLACK>(Sides { kings: 0, ..s }));
        let chosen = rng.below(u64::from(moves.count_ones())) as u32;
        let table = &moves_of::<BLACK>()[usize::from(captures.any())][0];
        return (moves != 0).then(|| table[nth_bit(moves, chosen) as usize % 64]);
    }
    let captures = Captures::of::<BLACK>(s);
    if captures.go_on::<BLACK>(s) {
        return random_capture::<BLACK>(s, counting, rng, buffer);
    }
    let moves = captures.pairs_or(steps::<BLACK>(s));
    let total = moves[0].count_ones() + moves[1].count_ones();
    let chosen = nth_bit_of_two(moves, rng.below(u64::from(total)) as u32) as usize;
    let table = &moves_of::<BLACK>()[usize::from(captures.any())];
    (total > 0).then(|| table[chosen / 64 % 2][chosen % 64])
}

/// The same where captures go on, and have to be listed.
#[inline(always)]
fn random_capture<const BLACK: bool>(
    s: Sides,
    counting: Counting,
    rng: &mut SplitMix64,
    buffer: &mut Vec<Move>,
) -> Option<Move> {
    buffer.clear();
    capture::list_all::<BLACK>(s, counting, buffer);
    buffer.get(rng.below(buffer.len() as u64) as usize).copied()
}
