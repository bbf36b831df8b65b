//! One position of the tree: the principal variation search, and what its result rests on.

use super::MAX_PLY;
use super::memo::{Bound, Memo};
use super::order::Waiting;
use super::stages::{List, SHARED_DEPTH};
use super::worker::Worker;
use crate::path::PATH_FREE;
use crate::score::{INFINITE, WIN, finished, is_win};
use tabia_core::{Evaluate, Key, Side};

/// Why a bound may not be the last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doubt(u8);

impl Doubt {
    pub(crate) const NONE: Doubt = Doubt(0);
    /// Some leaf was guessed.
    pub(crate) const ESTIMATE: Doubt = Doubt(1);
    /// Some leaf was guessed, and something was pruned on a guess.
    pub(crate) const PRUNED: Doubt = Doubt(3);

    pub(crate) const fn from_bits(bits: u8) -> Self {
        Doubt(bits)
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) const fn estimated(self) -> bool {
        self.0 & 1 != 0
    }

    pub(crate) const fn selective(self) -> bool {
        self.0 & 2 != 0
    }

    pub(crate) const fn or(self, other: Doubt) -> Doubt {
        Doubt(self.0 | other.0)
    }
}

/// The value of a position within a window, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) value: i32,
    /// The lowest ply that made a repetition a draw, or [`PATH_FREE`].
    pub(crate) path: u16,
    pub(crate) doubt: Doubt,
}

impl Found {
    /// Before any move was tried.
    pub(crate) const NOTHING: Found = Found::sure(-INFINITE);

    pub(crate) const fn sure(value: i32) -> Self {
        Found { value, path: PATH_FREE, doubt: Doubt::NONE }
    }

    pub(crate) const fn guess(value: i32) -> Self {
        Found { value, path: PATH_FREE, doubt: Doubt::ESTIMATE }
    }

    pub(crate) const fn negated(self) -> Self {
        Found { value: -self.value, ..self }
    }

    /// Takes in another move: the best value so far rests on all moves tried, but one that refutes
    /// (reaches `beta`) rests on itself alone. Whether it is the best.
    #[inline]
    pub(crate) fn absorb(&mut self, other: Found, beta: i32) -> bool {
        if other.value >= beta {
            // A win is a win, whatever the moves that were not needed for it may be worth.
            let doubt = if is_win(other.value) { Doubt::NONE } else { other.doubt };
            *self = Found { doubt, ..other };
            return true;
        }
        let better = other.value > self.value;
        self.value = self.value.max(other.value);
        self.path = self.path.min(other.path);
        self.doubt = self.doubt.or(other.doubt);
        better
    }
}

/// Nodes of less depth do not use the table, where judging a position costs less than looking it up.
const TABLE_DEPTH: i32 = 2;
/// The same where threads share the tree: each that comes to help at a node would search its shallow moves anew.
const TABLE_DEPTH_TOGETHER: i32 = 1;

/// Where a move of the principal variation has turned out better than those before it, the others are searched a ply less deeply,
/// at these depths.
const SETTLING: std::ops::RangeInclusive<i32> = 4..=12;

/// A late move that looks so much better than expected is looked at more deeply, ...
const MUCH_BETTER: i32 = 40;
/// ... and one that hardly does, less deeply.
const HARDLY_BETTER: i32 = 4;

/// What a node was asked, and what is known of it before its moves are tried.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // facts that have nothing to do with each other
pub(crate) struct Node {
    pub(crate) key: Key,
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) memo: Option<Memo>,
    /// The static value, where it was needed.
    pub(crate) fixed: Option<i32>,
    /// The same as far as it is believed: see [`Worker::believed`].
    pub(crate) believed: Option<i32>,
    /// The side to move has to react to something.
    pub(crate) must_resolve: bool,
    /// The static value is better than at the own last turn.
    pub(crate) improving: bool,
    /// Whether the table was asked, and is to be told.
    pub(crate) tabled: bool,
    /// Plies more (or less) for the first move.
    pub(crate) longer: i32,
    /// Some move is expected to be too good.
    pub(crate) refuted: bool,
    /// It is searched a ply less deeply than it was asked to be.
    pub(crate) lowered: bool,
}

impl Node {
    /// On the principal variation.
    pub(crate) const fn open(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<G: Evaluate> Worker<'_, G> {
    /// Searches a position the path has already entered. Whether it must be resolved is asked of the game
    /// where the caller does not know.
    pub(crate) fn node(
        &mut self,
        state: &G::State,
        depth: i32,
        alpha: i32,
        beta: i32,
        may_pass: bool,
        must_resolve: Option<bool>,
    ) -> Found {
        let ply = self.path.ply();
        let refuted = std::mem::take(&mut self.expect_refuted) && beta - alpha == 1;
        if beta - alpha > 1 {
            self.lines[ply].clear();
        }
        if let Some(draw) = self.drawn(state) {
            return draw;
        }
        if let Some(known) = self.known
            && let Some(found) = self.look_up_ending(known, state)
        {
            return found;
        }
        // No win is quicker than one here, no loss either.
        let (alpha, beta) = (alpha.max(ply as i32 - WIN), beta.min(WIN - ply as i32));
        if alpha >= beta {
            return Found::sure(alpha);
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(state, alpha, beta, 0, must_resolve);
        }
        let key = self.game.key(state);
        let tabled = depth >= self.least_tabled();
        let (must_resolve, fixed) = self.judge_meanwhile(state, must_resolve);
        let memo = if tabled { self.recall(key) } else { None };
        if beta - alpha == 1 {
            let answer = memo.and_then(|memo| memo.answer(depth, alpha, beta, ply, self.selective));
            if let Some(found) = answer {
                return found;
            }
        } else if let Some(found) = self.heard_of(state, key, depth, (alpha, beta)) {
            return found;
        }
        if let Some(outcome) = self.game.settled(state) {
            return Found::sure(finished(outcome, self.game.side(state), ply));
        }
        let mut node = Node {
            key,
            depth,
            alpha,
            beta,
            memo,
            fixed,
            believed: None,
            must_resolve: false,
            improving: false,
            tabled,
            longer: 0,
            refuted,
            lowered: false,
        };
        if self.selective {
            node.must_resolve = must_resolve.unwrap_or_else(|| self.game.must_resolve(state));
            if let Some(found) = self.shape(state, &mut node, may_pass) {
                return found;
            }
            if let Some(found) = self.single_out(state, &mut node) {
                return found;
            }
        }
        if self.is_shared(&node) { self.try_together(state, &node) } else { self.try_in_turn(state, &node) }
    }

    /// The least depth at which the table is used: everywhere where a network judges.
    #[inline]
    pub(crate) fn least_tabled(&self) -> i32 {
        match self.busy {
            _ if self.judge.is_some() && self.selective => 0,
            Some(_) => TABLE_DEPTH_TOGETHER,
            None => TABLE_DEPTH,
        }
    }

    /// Judges a position by the network while the memory brings what the table has of it: both are needed nearly always. Whether it
    /// must be resolved, where that was found out, and its static value, unless it must be.
    #[inline]
    pub(crate) fn judge_meanwhile(
        &mut self,
        state: &G::State,
        must_resolve: Option<bool>,
    ) -> (Option<bool>, Option<i32>) {
        if self.least_tabled() > 0 {
            return (must_resolve, None);
        }
        let must_resolve = must_resolve.unwrap_or_else(|| self.game.must_resolve(state));
        (Some(must_resolve), if must_resolve { None } else { Some(self.evaluate(state)) })
    }

    /// The draw that the path makes of this position.
    #[inline]
    fn drawn(&self, state: &G::State) -> Option<Found> {
        let draw = |path| Found { value: 0, path, doubt: Doubt::NONE };
        if let Some(path) = self.path.repetition() {
            return Some(draw(path));
        }
        // A game that ends on the board ends before the count.
        (self.path.counted_out() && self.game.settled(state).is_none()).then(|| draw(0))
    }

    /// Tries the moves in order until one refutes.
    pub(crate) fn try_in_turn(&mut self, state: &G::State, node: &Node) -> Found {
        let shared = self.is_shared(node);
        let mut list = self.list_moves(state, node.memo);
        let (mut best, mut best_number, mut alpha) = (Found::NOTHING, None, node.alpha);
        // The same node, less deep after every move that was better.
        let mut later = *node;
        while let Some(waiting) = self.next_move(state, &mut list, &later, best.value, alpha) {
            let i = list.turn(waiting);
            if shared && i > 0 {
                if self.hear(state, node, &mut best, &mut best_number) {
                    break;
                }
                if best.value > alpha {
                    alpha = best.value;
                    self.settle(&mut later);
                }
            }
            let mv = self.moves[list.first_move + usize::from(waiting.number)];
            let mut found = self.try_move(state, list.side, mv, i, waiting, &later, alpha);
            if self.stopped {
                break;
            }
            if later.depth < node.depth && found.doubt.estimated() {
                found.doubt = Doubt::PRUNED;
            }
            if best.absorb(found, node.beta) && found.value > alpha {
                alpha = found.value;
                self.settle(&mut later);
                best_number = Some(waiting.number);
                if node.open() {
                    self.set_line(mv);
                    if shared && alpha < node.beta {
                        self.tell(node, best, best_number);
                    }
                }
                if alpha >= node.beta {
                    self.reward_first(state, &list, node.depth);
                    break;
                }
            }
            list.tried += 1;
        }
        if list.cut_short || list.left_out {
            best.doubt = best.doubt.or(Doubt::PRUNED);
        }
        self.moves.truncate(list.first_move);
        self.waiting.truncate(list.first_waiting);
        if self.selective && node.depth >= 2 && !self.stopped && best.value <= node.alpha {
            self.reward_last(list.side, node.depth);
        }
        self.conclude(node, best, best_number)
    }

    /// One move was better than those before it: the others are searched less deeply.
    #[inline]
    fn settle(&self, node: &mut Node) {
        let settles = self.selective && node.open() && self.game.singles_out();
        node.depth -= i32::from(settles && SETTLING.contains(&node.depth));
    }

    fn reward_first(&mut self, state: &G::State, list: &List, depth: i32) {
        let last = list.first_waiting + list.tried;
        if self.waiting[last].noisy {
            return;
        }
        let waiting = std::mem::take(&mut self.waiting);
        self.reward(state, list.side, list.first_move, &waiting[list.first_waiting..=last], depth);
        self.waiting = waiting;
    }

    /// Stores what was found, unless the search was interrupted.
    pub(crate) fn conclude(&mut self, node: &Node, best: Found, best_number: Option<u16>) -> Found {
        if !self.stopped && node.tabled {
            let bound = if best.value >= node.beta {
                Bound::Lower
            } else if best_number.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if node.lowered && self.busy.is_some() {
                // As deep as it was asked to be, or every thread that comes after would ask again.
                let doubt = if best.doubt.estimated() { Doubt::PRUNED } else { best.doubt };
                let asked = Node { depth: node.depth + 1, ..*node };
                self.remember(&asked, Found { doubt, ..best }, bound, best_number);
            } else {
                self.remember(node, best, bound, best_number);
            }
        }
        best
    }

    /// Plays a move and searches what follows: first, that it is no better than `alpha`.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn try_move(
        &mut self,
        state: &G::State,
        side: Side,
        mv: G::Move,
        i: usize,
        waiting: Waiting,
        node: &Node,
        alpha: i32,
    ) -> Found {
        let mut child = state.clone();
        self.game.play(&mut child, mv);
        let key = self.game.key(&child);
        let depth = node.depth - 1 + if i == 0 { node.longer } else { 0 };
        self.fetch(key, depth);
        let (reduction, must_resolve) =
            if i > 0 && self.selective { self.reduction(&child, node, i, waiting) } else { (0, None) };
        let flip = self.game.side(&child) != side;
        let ply = self.path.ply();
        self.kinds[ply + 1] = self.game.move_kind(state, mv) as u16;
        self.quiet[ply + 1] = if waiting.noisy { None } else { Some((side, self.game.move_slot(state, mv))) };
        self.enter(key, self.game.is_progress(state, mv));
        let found = if i == 0 {
            self.expect_refuted = !node.open() && !node.refuted;
            let found = self.child(&child, flip, depth, (alpha, node.beta), must_resolve);
            // Less deep than the node says.
            let pruned = node.longer < 0 && found.doubt.estimated();
            if pruned { Found { doubt: Doubt::PRUNED, ..found } } else { found }
        } else {
            let busy = self.busy.filter(|_| node.depth >= SHARED_DEPTH);
            busy.inspect(|busy| busy.begin(key, node.depth));
            let found = self.try_lower(&child, flip, (depth, reduction), node, alpha, must_resolve);
            busy.inspect(|busy| busy.end(key, node.depth));
            found
        };
        self.leave();
        found
    }

    /// Searches whether a later move is better than `alpha` at all, and then how good it is.
    #[inline]
    fn try_lower(
        &mut self,
        child: &G::State,
        flip: bool,
        (depth, reduction): (i32, i32),
        node: &Node,
        alpha: i32,
        must_resolve: Option<bool>,
    ) -> Found {
        let just_above = (alpha, alpha + 1);
        self.expect_refuted = reduction > 0 || !node.refuted;
        let mut found = self.child(child, flip, depth - reduction, just_above, must_resolve);
        if reduction > 0 {
            if found.value > alpha && !self.stopped {
                let more = if node.open() { 0 } else { surprise(found.value - alpha, reduction) };
                self.expect_refuted = !node.refuted;
                found = self.child(child, flip, depth + more, just_above, must_resolve);
                // Less deep than the node says.
                if more < 0 && found.doubt.estimated() {
                    found.doubt = Doubt::PRUNED;
                }
            } else if found.doubt.estimated() {
                found.doubt = Doubt::PRUNED;
            }
        }
        if node.open() && found.value > alpha && found.value < node.beta && !self.stopped {
            found = self.child(child, flip, depth, (alpha, node.beta), must_resolve);
        } else if found.value > alpha {
            // No line was kept below, and the one of an earlier move is not this move's.
            let ply = self.path.ply();
            self.lines[ply].clear();
        }
        found
    }

    /// The value of a child for the side that moved there.
    #[inline]
    pub(crate) fn child(
        &mut self,
        state: &G::State,
        flip: bool,
        depth: i32,
        (alpha, beta): (i32, i32),
        must_resolve: Option<bool>,
    ) -> Found {
        if flip {
            self.node(state, depth, -beta, -alpha, true, must_resolve).negated()
        } else {
            self.node(state, depth, alpha, beta, true, must_resolve)
        }
    }
}

/// Plies more (or less) for a move that a shallower search found to be better than expected by so much.
fn surprise(better_by: i32, reduction: i32) -> i32 {
    i32::from(better_by > MUCH_BETTER && reduction > 1) - i32::from(better_by < HARDLY_BETTER)
}
