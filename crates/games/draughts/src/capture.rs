//! Captures: sequences of jumps, each one move.
//!
//! Whether there is a first jump is asked of the whole board at once, and so is whether any landing
//! square might allow a second. Only then are the sequences followed one by one. Jumped pieces stay
//! on the board until the move ends: they cannot be jumped twice and still stand in the way, while
//! the square the piece came from is free.

use crate::bits::{JUMPS, squares, step_a, step_b};
use crate::movegen::Sides;
use crate::moves::Move;
use crate::rules::Counting;

/// The squares that first jumps land on. A square in one of the four sets stands for one jump.
#[derive(Clone, Copy)]
pub(crate) struct Captures {
    forward: [u32; 2],
    backward: [u32; 2],
}

impl Captures {
    #[inline(always)]
    pub(crate) fn of<const BLACK: bool>(s: Sides) -> Captures {
        let backward = if s.kings == 0 { [0; 2] } else { jumps(!BLACK, s.kings, s.opponent, s.empty) };
        Captures { forward: jumps(BLACK, s.own, s.opponent, s.empty), backward }
    }

    /// Whether there is any capture.
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.forward[0] | self.forward[1] | self.backward[0] | self.backward[1] != 0
    }

    /// The number of captures.
    #[inline(always)]
    pub(crate) fn count<const BLACK: bool>(self, s: Sides, counting: Counting) -> u64 {
        if self.may_go_on::<BLACK>(s) {
            return count_sequences::<BLACK>(s, counting);
        }
        let [a, b] = self.forward;
        let [c, d] = self.backward;
        u64::from(a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones())
    }

    /// Whether a second jump looks possible from any landing square (as if any piece could make it
    /// and no piece had been jumped yet, so that "no" is certain).
    #[inline(always)]
    fn may_go_on<const BLACK: bool>(self, s: Sides) -> bool {
        let landed = self.forward[0] | self.forward[1] | self.backward[0] | self.backward[1];
        let [a, b] = jumps(BLACK, landed, s.opponent, s.empty);
        if s.kings == 0 {
            return a | b != 0;
        }
        // A king's own square becomes free.
        let empty = s.empty | s.kings;
        let [a, b] = jumps(BLACK, landed, s.opponent, empty);
        let [c, d] = jumps(!BLACK, landed, s.opponent, empty);
        a | b | c | d != 0
    }
}

/// The landing squares of jumps over `opponent`, down or up the page.
#[inline(always)]
fn jumps(down: bool, from: u32, opponent: u32, empty: u32) -> [u32; 2] {
    let over_a = step_a(down, from) & opponent;
    let over_b = step_b(down, from) & opponent;
    [step_b(down, over_a) & empty, step_a(down, over_b) & empty]
}

/// Appends all captures.
pub(crate) fn list<const BLACK: bool>(s: Sides, counting: Counting, out: &mut Vec<Move>) {
    let first = out.len();
    follow_all::<BLACK>(s, &mut |mv| out.push(mv));
    if counting == Counting::Unique {
        remove_later_routes(first, out);
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

fn count_sequences<const BLACK: bool>(s: Sides, counting: Counting) -> u64 {
    // Only a king can take two routes to the same end.
    if counting == Counting::Unique && s.kings != 0 {
        let mut moves = Vec::new();
        list::<BLACK>(s, counting, &mut moves);
        return moves.len() as u64;
    }
    let mut count = 0;
    follow_all::<BLACK>(s, &mut |_| count += 1);
    count
}

/// Directions as the mover sees them, forward first, so that a half turn of the board keeps the
/// order of routes.
const fn directions(black: bool) -> [usize; 4] {
    if black { [0, 1, 2, 3] } else { [3, 2, 1, 0] }
}

/// Visits every capture of every piece.
#[inline(always)]
fn follow_all<const BLACK: bool>(s: Sides, visit: &mut impl FnMut(Move)) {
    let (men, kings) = (s.own & !s.kings, s.kings);
    // Jumping back from an empty landing square finds the pieces that can begin.
    let beginners = |down: bool, pieces: u32| {
        let over_a = step_a(!down, s.empty) & s.opponent;
        let over_b = step_b(!down, s.empty) & s.opponent;
        (step_b(!down, over_a) | step_a(!down, over_b)) & pieces
    };
    for square in squares(beginners(BLACK, men)) {
        let route = Route { from: square.index() as u32, captured: 0, path: 0 };
        follow(&directions(BLACK)[..2], s.opponent, s.empty, square.index(), route, visit);
    }
    if kings == 0 {
        return;
    }
    for square in squares(beginners(BLACK, kings) | beginners(!BLACK, kings)) {
        let route = Route { from: square.index() as u32, captured: 0, path: 0 };
        follow(&directions(BLACK), s.opponent, s.empty | square.bit(), square.index(), route, visit);
    }
}

/// The jumps made so far.
#[derive(Clone, Copy)]
struct Route {
    from: u32,
    captured: u32,
    path: u32,
}

/// Visits every way to go on from `at`, or the move itself when there is none.
fn follow(
    directions: &[usize],
    opponent: u32,
    empty: u32,
    at: usize,
    route: Route,
    visit: &mut impl FnMut(Move),
) {
    let mut ended = true;
    for &direction in directions {
        let jump = JUMPS[at & 31][direction & 3];
        if jump.over & opponent & !route.captured == 0 || jump.land & empty == 0 {
            continue;
        }
        ended = false;
        let shift = 2 * route.captured.count_ones();
        let path = route.path | (direction as u32) << shift;
        let longer = Route { from: route.from, captured: route.captured | jump.over, path };
        follow(directions, opponent, empty, jump.land.trailing_zeros() as usize, longer, visit);
    }
    if ended && route.captured != 0 {
        visit(Move::jumps(route.from, at as u32, route.captured, route.path));
    }
}
