//! Captures: sequences of jumps, each one move.
//!
//! First jumps are found for the whole board at once, and so are the squares from which a man could
//! jump on. Only from there are the sequences followed one by one. Jumped pieces stay on the board
//! until the move ends: they cannot be jumped twice and still stand in the way, while the square the
//! piece came from is free. A man, who only goes forward, never meets either.

use crate::bits::{JUMPS, step_a, step_b};
use crate::movegen::{Sides, moves_of, origin, pair};
use crate::moves::Move;
use crate::rules::Counting;

/// The squares that first jumps land on: forward by a step of 4 and then one of 3 or 5, forward the
/// other way round, and the same backward for kings. A square in one of the four sets stands for one jump.
#[derive(Clone, Copy)]
pub(crate) struct Captures([u32; 4]);

impl Captures {
    #[inline(always)]
    pub(crate) fn of<const BLACK: bool>(s: Sides) -> Captures {
        let [a, b] = jumps(BLACK, s.own, s.opponent, s.empty);
        let [c, d] = jumps(!BLACK, s.kings, s.opponent, s.empty);
        Captures([a, b, c, d])
    }

    /// Whether there is any capture.
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d != 0
    }

    /// The captures of a side without kings.
    #[inline(always)]
    pub(crate) fn of_men<const BLACK: bool>(s: Sides) -> Captures {
        let [a, b] = jumps(BLACK, s.own, s.opponent, s.empty);
        Captures([a, b, 0, 0])
    }

    /// Whether a piece may jump on after its first jump; if not, every first jump is a move. Men are taken for kings
    /// where there are any. A king never goes on over the piece it jumped, since its own square is not empty here.
    #[inline(always)]
    pub(crate) fn go_on<const BLACK: bool>(self, s: Sides) -> bool {
        let [a, b, c, d] = self.0;
        let backward = if s.kings == 0 { 0 } else { beginnings(!BLACK, s) };
        (a | b | c | d) & (beginnings(BLACK, s) | backward) != 0
    }

    /// The first jumps forward and those backward.
    #[inline(always)]
    pub(crate) fn pairs(self) -> [u64; 2] {
        let [a, b, c, d] = self.0;
        [pair(a, b), pair(c, d)]
    }

    /// The same, or these steps where there are no captures.
    #[inline(always)]
    pub(crate) fn pairs_or(self, [a, b, c, d]: [u32; 4]) -> [u64; 2] {
        // Masked, so that no compiler makes a branch of it.
        let without = u64::from(self.any()).wrapping_sub(1);
        let [forward, backward] = self.pairs();
        [forward | pair(a, b) & without, backward | pair(c, d) & without]
    }

    /// The number of captures.
    pub(crate) fn count<const BLACK: bool>(self, s: Sides, counting: Counting) -> u64 {
        if counting == Counting::Unique {
            let mut moves = Vec::new();
            self.list::<BLACK>(s, counting, &mut moves);
            return moves.len() as u64;
        }
        let mut count = 0;
        self.follow::<BLACK>(s, &mut |_| count += 1);
        count
    }

    /// Appends all captures.
    pub(crate) fn list<const BLACK: bool>(self, s: Sides, counting: Counting, out: &mut Vec<Move>) {
        let first = out.len();
        self.follow::<BLACK>(s, &mut |mv| out.push(mv));
        // Only a king can take two routes to the same end.
        if counting == Counting::Unique && s.kings != 0 {
            remove_later_routes(first, out);
        }
    }

    /// Visits every capture, by every route.
    #[inline(always)]
    pub(crate) fn follow<const BLACK: bool>(self, s: Sides, visit: &mut impl FnMut(Move)) {
        let go_on = beginnings(BLACK, s);
        let [a, b, c, d] = self.0;
        for (way, mut set) in [pair(a, b), pair(c, d)].into_iter().enumerate() {
            let table = &moves_of::<BLACK>()[1][way];
            while set != 0 {
                let jump = table[set.trailing_zeros() as usize & 63];
                set &= set - 1;
                let (from, at) = (jump.from_index(), jump.to_index());
                if s.kings >> from & 1 != 0 {
                    // Forward first as the mover sees it, so that a half turn keeps the order of routes.
                    let directions = if BLACK { [0, 1, 2, 3] } else { [3, 2, 1, 0] };
                    follow(&directions, s.opponent, s.empty | 1 << from, jump, visit);
                } else if go_on >> at & 1 != 0 {
                    let directions = if BLACK { [0, 1] } else { [3, 2] };
                    follow(&directions, s.opponent, s.empty, jump, visit);
                } else {
                    visit(jump);
                }
            }
        }
    }
}

/// Appends all captures of a position.
pub(crate) fn list<const BLACK: bool>(s: Sides, counting: Counting, out: &mut Vec<Move>) {
    Captures::of::<BLACK>(s).list::<BLACK>(s, counting, out);
}

/// Appends all captures of a position. On its own, so that callers need not save registers for it.
#[inline(never)]
pub(crate) fn list_all<const BLACK: bool>(s: Sides, counting: Counting, out: &mut Vec<Move>) {
    list::<BLACK>(s, counting, out);
}

/// The number of captures of a side without kings. On its own, as above, and given the parts of [`Sides`] one by one: as a whole they
/// would be in memory where addresses have 32 bits (WebAssembly), and every caller would write them there before it knows whether to ask.
#[inline(never)]
pub(crate) fn count_men<const BLACK: bool>(own: u32, opponent: u32, empty: u32) -> u64 {
    let s = Sides { own, opponent, kings: 0, empty };
    let [a, b] = jumps(BLACK, s.own, s.opponent, s.empty);
    let go_on = beginnings(BLACK, s);
    let single = (a & !go_on).count_ones() + (b & !go_on).count_ones();
    u64::from(single + count_on::<BLACK>(a & go_on, s) + count_on::<BLACK>(b & go_on, s))
}

/// The landing squares of jumps over `opponent`, down or up the page.
#[inline(always)]
fn jumps(down: bool, from: u32, opponent: u32, empty: u32) -> [u32; 2] {
    let over_a = step_a(down, from) & opponent;
    let over_b = step_b(down, from) & opponent;
    [step_b(down, over_a) & empty, step_a(down, over_b) & empty]
}

/// The squares from which a man could jump: jumps walked backward from the empty squares.
#[inline(always)]
fn beginnings(black: bool, s: Sides) -> u32 {
    let over_a = step_a(!black, s.empty) & s.opponent;
    let over_b = step_b(!black, s.empty) & s.opponent;
    step_b(!black, over_a) | step_a(!black, over_b)
}

/// The number of ways men go on from these squares, one man at a time.
fn count_on<const BLACK: bool>(mut landed: u32, s: Sides) -> u32 {
    let mut count = 0;
    while landed != 0 {
        let at = landed & landed.wrapping_neg();
        landed ^= at;
        let [a, b] = jumps(BLACK, at, s.opponent, s.empty);
        count += if a | b == 0 { 1 } else { count_on::<BLACK>(a, s) + count_on::<BLACK>(b, s) };
    }
    count
}

/// The first jumps of two sorts to every square.
pub(crate) const fn jump_table(black: bool, first_sort: usize) -> [Move; 64] {
    let mut table = [Move::step(0, 0); 64];
    let mut bit = 0;
    while bit < 64 {
        table[bit] = first_jump(black, first_sort + bit / 32, bit as u32 % 32);
        bit += 1;
    }
    table
}

/// The jump of the given sort that lands on `to`.
const fn first_jump(black: bool, sort: usize, to: u32) -> Move {
    // The last step of a jump is of the other sort than its first.
    let over = origin(black, sort ^ 1, to);
    let from = origin(black, sort, over);
    // Jumps to the left are 7 down or 9 up, jumps to the right 9 down or 7 up.
    let path = if to > from { (to - from) >> 1 & 1 ^ 1 } else { 2 | (from - to) >> 1 & 1 };
    Move::jumps(from, to, 1 << over, path)
}

/// Visits every way to go on after `route`, or the move itself when there is none.
fn follow(directions: &[u32], opponent: u32, empty: u32, route: Move, visit: &mut impl FnMut(Move)) {
    let mut ended = true;
    for &direction in directions {
        let jump = JUMPS[route.to_index() as usize][direction as usize & 3];
        if jump.over & opponent & !route.captured() == 0 || jump.land & empty == 0 {
            continue;
        }
        ended = false;
        follow(directions, opponent, empty, route.then(direction, jump), visit);
    }
    if ended {
        visit(route);
    }
}

/// Keeps the first of the moves from `first` on that differ in nothing but the route.
fn remove_later_routes(first: usize, out: &mut Vec<Move>) {
    let mut kept = first;
    for n in first..out.len() {
        let mv = out[n];
        if out[first..kept].iter().all(|known| known.without_route() != mv.without_route()) {
            out[kept] = mv;
            kept += 1;
        }
    }
    out.truncate(kept);
}
