//! Pruning on guesses: quicker to great depths, never a made-up win.
//!
//! Used only where a game allows reductions, and never to settle a window that is about wins. All
//! margins are in hundredths of a man or pawn. Everything found with the help of a guess is marked,
//! so that a full-width search does not believe it.

use super::node::{Doubt, Found, Node};
use super::order::{NO_KIND, NOISY, Waiting};
use super::worker::Worker;
use crate::path::PATH_FREE;
use crate::score::{is_decided, is_loss, is_win};
use std::sync::LazyLock;
use tabia_core::Evaluate;

/// A ply, where parts of one are counted.
const PLY: i32 = 1024;

/// How much less deeply the `i`-th move is searched at first: grows with both logarithms.
static REDUCTIONS: LazyLock<[[i16; 64]; 64]> = LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (i, cell) in row.iter_mut().enumerate().skip(1) {
            *cell = (f64::from(PLY) * (0.5 + (depth as f64).ln() * (i as f64).ln() / 2.1)) as i16;
        }
    }
    table
});

/// In parts of a ply.
#[inline]
fn reduced(depth: i32, i: usize) -> i32 {
    i32::from(REDUCTIONS[depth.min(63) as usize][i.min(63)])
}

/// A node this far above its window for each ply is cut off near the leaves.
const ABOVE: i32 = 75;
/// It need not be so far above where the opponent's last move has made matters worse for the opponent.
const WORSENED: i32 = 25;
/// Quiet moves are not expected to gain more than this for each ply and once more.
const BELOW: i32 = 70;

/// Quiet moves that lose more than this by an exchange, times the square of the depth, are not tried near the leaves.
const GIVEN_AWAY: i32 = 25;

/// From this depth on the table's move is compared with all others, ...
const SINGLED_OUT: i32 = 5;
/// ... which must stay so many sixteenths for each ply below it, ...
const SINGLE_MARGIN: i32 = 24;
/// ... and by so many more for a second ply.
const FAR_BETTER: i32 = 20;

/// What a quiet move has served that is searched a ply less or more deeply, and the most that counts.
const SERVED: i32 = 5_000;
const SERVED_AT_MOST: i32 = 5 * PLY / 2;

/// What a quiet move that failed again and again has served, for each ply.
const FAILED: i32 = -2_700;

/// A quiet move is credited by what it has made of the static value: by so much for each hundredth, ...
const CHANGED: i32 = 8;
/// ... not more than this, ...
const MOST_CHANGED: i32 = 600;
/// ... and moves that change nothing by this.
const UNCHANGED: i32 = 80;

/// Static values are believed less and less after so many quiet plies, where a count of them ends the game.
const PATIENCE: i32 = 8;

impl<G: Evaluate> Worker<'_, G> {
    /// Adapts the depth, and cuts a node off that is far above its window.
    pub(crate) fn shape(&mut self, state: &G::State, node: &mut Node, may_pass: bool) -> Option<Found> {
        if node.must_resolve {
            let ply = self.path.ply();
            self.fixed[ply] = None;
            if (self.path.ply() as i32) < 2 * self.depth {
                node.depth += 1;
            }
            return None;
        }
        let fixed = self.fixed_value(state, node);
        node.fixed = Some(fixed);
        let (ply, fixed) = (self.path.ply(), self.believed(fixed));
        node.believed = Some(fixed);
        self.fixed[ply] = Some(fixed);
        node.improving = ply >= 2 && self.fixed[ply - 2].is_some_and(|before| fixed > before);
        let worsened = self.compare_with_last(state, fixed);
        let expected = node.memo.and_then(|memo| memo.better(fixed)).unwrap_or(fixed);
        if !node.open() && !is_decided(node.beta) {
            let margin = ABOVE * (node.depth - i32::from(node.improving)) - i32::from(worsened) * WORSENED;
            if node.depth <= 8 && expected - margin >= node.beta {
                // Half of the way: the margin is a guess.
                let value = i32::midpoint(expected, node.beta);
                return Some(Found { value, path: PATH_FREE, doubt: Doubt::PRUNED });
            }
            if may_pass
                && node.depth >= 3
                && expected.min(fixed) >= node.beta
                && let Some(found) = self.pass(state, node, expected)
            {
                return Some(found);
            }
        }
        // Without a move from the table the order is poor, and with one of a shallow search hardly better where a move is
        // expected that is too good: a shallower search finds it first.
        let best = node.memo.filter(|memo| memo.best.is_some());
        let poor = node.depth >= 5 && best.is_none();
        let stale = node.refuted && node.depth >= 6 && best.is_some_and(|memo| memo.depth < node.depth - 4);
        node.lowered = poor || stale;
        node.depth -= i32::from(node.lowered);
        None
    }

    /// A static value nearer to a draw the nearer the count of quiet plies comes to its end.
    #[inline]
    pub(crate) fn believed(&self, fixed: i32) -> i32 {
        let Some((quiet, limit)) = self.path.patience() else { return fixed };
        if quiet <= PATIENCE {
            return fixed;
        }
        // Half of it is left at the end.
        let whole = limit * 11 / 5;
        fixed * (whole - quiet) / (whole - PATIENCE)
    }

    /// Whether the opponent's last move, a quiet one or not, has made matters worse for the opponent; a quiet one is credited by
    /// what it has changed.
    fn compare_with_last(&mut self, state: &G::State, fixed: i32) -> bool {
        let ply = self.path.ply();
        let Some(last) = ply.checked_sub(1).and_then(|ply| self.fixed[ply]) else { return false };
        if self.kinds[ply] == NO_KIND {
            return false;
        }
        let gained = -(fixed + last);
        if let Some((other, slot)) = self.quiet[ply]
            && other != self.game.side(state)
            && self.game.is_steady()
        {
            let by = (CHANGED * gained).clamp(-MOST_CHANGED, MOST_CHANGED) + UNCHANGED;
            self.history.update(other, slot, by);
        }
        gained < -2
    }

    /// Whether the table's move is better than all others by far: then it is searched more deeply. A node that is
    /// refuted without it, too, is cut off.
    pub(crate) fn single_out(&mut self, state: &G::State, node: &mut Node) -> Option<Found> {
        if !self.game.singles_out() || node.depth < SINGLED_OUT {
            return None;
        }
        let ply = self.path.ply();
        let memo = node.memo.filter(|memo| memo.best.is_some() && memo.says_at_least())?;
        let asked = memo.depth >= node.depth - 3 && !is_decided(memo.value);
        if !asked || ply as i32 >= 2 * self.depth {
            return None;
        }
        let least = memo.value - SINGLE_MARGIN * node.depth / 16;
        let found = self.others(state, node, least, (node.depth - 1) / 2);
        if self.stopped {
            return None;
        }
        if found.value < least {
            let far = !node.open() && found.value < least - FAR_BETTER;
            node.longer = 1 + i32::from(far);
        } else if least >= node.beta && !is_decided(node.beta) {
            return Some(Found { value: least, path: found.path, doubt: Doubt::PRUNED });
        } else if memo.value >= node.beta {
            node.longer = -1;
        }
        None
    }

    /// What the moves but the table's reach, less deeply and below `least`.
    fn others(&mut self, state: &G::State, node: &Node, least: i32, depth: i32) -> Found {
        let (alpha, beta, tabled) = (least - 1, least, false);
        let node = Node { depth, alpha, beta, tabled, ..*node };
        let mut list = self.list_moves(state, node.memo);
        // The table's move comes first.
        list.tried = self.waiting.len() - list.first_waiting;
        let mut best = Found::NOTHING;
        while let Some(waiting) = self.next_move(state, &mut list, &node, best.value, alpha) {
            let mv = self.moves[list.first_move + usize::from(waiting.number)];
            let found = self.try_move(state, list.side, mv, list.turn(waiting), waiting, &node, alpha);
            if self.stopped || best.absorb(found, beta) && found.value >= beta {
                break;
            }
            list.tried += 1;
        }
        self.moves.truncate(list.first_move);
        self.waiting.truncate(list.first_waiting);
        best
    }

    /// The static value the table remembers, or a fresh one; exact only where it matters, if it will not be
    /// remembered.
    #[inline]
    fn fixed_value(&mut self, state: &G::State, node: &Node) -> i32 {
        if let Some(fixed) = node.fixed.or(node.memo.and_then(|memo| memo.fixed)) {
            return fixed;
        }
        if node.tabled {
            return self.evaluate(state);
        }
        let low = node.alpha - BELOW * (1 + node.depth);
        self.evaluate_within(state, low, node.beta + ABOVE * node.depth)
    }

    /// Passes the turn: a side that is still above the window then, is above it anyway.
    fn pass(&mut self, state: &G::State, node: &Node, expected: i32) -> Option<Found> {
        let passed = self.game.pass(state)?;
        let depth = node.depth - 4 - node.depth / 3 - ((expected - node.beta) / 120).min(3);
        let ply = self.path.ply();
        (self.kinds[ply + 1], self.quiet[ply + 1]) = (NO_KIND, None);
        let key = self.game.key(&passed);
        self.fetch(key, depth.max(0));
        self.enter_passed(key);
        self.expect_refuted = !node.refuted;
        let found = self.node(&passed, depth, -node.beta, 1 - node.beta, false, None).negated();
        self.leave();
        if self.stopped || found.value < node.beta {
            return None;
        }
        // A win after a pass is not a win.
        let value = if is_win(found.value) { node.beta } else { found.value };
        Some(Found { value, path: found.path, doubt: Doubt::PRUNED })
    }

    /// Whether the quiet moves from the `i`-th on are not worth trying near the leaves: they come late, or
    /// cannot be expected to reach the window.
    #[inline]
    pub(crate) fn hopeless(&self, node: &Node, best: i32, alpha: i32, i: usize) -> bool {
        if !self.selective || i == 0 || node.open() || node.must_resolve {
            return false;
        }
        let square = node.depth * node.depth;
        let late = match self.game.is_steady() {
            true if node.improving => node.depth <= 4 && i as i32 > 4 + square,
            true => node.depth <= 4 && i as i32 > 2 + square * 2 / 3,
            false => node.depth <= 3 && i as i32 > 3 + square,
        };
        // As deeply as such a move would be searched at first.
        let less = if i > 1 && node.depth > 2 { reduced(node.depth, i) / PLY } else { 0 };
        let depth = (node.depth - less).max(1);
        let futile = depth <= 5 && node.believed.is_some_and(|fixed| fixed + BELOW * (1 + depth) <= alpha);
        (late || futile) && !is_loss(best) && !is_decided(alpha)
    }

    /// Whether a quiet move near the leaves has failed so often that neither it nor those after it are worth trying.
    #[inline]
    pub(crate) fn has_never_served(&self, node: &Node, best: i32, i: usize, next: Waiting) -> bool {
        let asked = self.selective && i > 0 && node.depth <= 4 && !node.open() && !node.must_resolve;
        asked && next.urgency < FAILED * node.depth && !is_loss(best)
    }

    /// Whether a quiet move near the leaves puts its piece where it is lost.
    #[inline]
    pub(crate) fn gives_away(
        &self,
        state: &G::State,
        mv: G::Move,
        node: &Node,
        best: i32,
        alpha: i32,
    ) -> bool {
        let asked = self.selective && node.depth <= 8 && !node.open() && !node.must_resolve;
        let most = GIVEN_AWAY * node.depth * node.depth;
        asked && !is_loss(best) && !is_decided(alpha) && self.game.loses(state, mv, most)
    }

    /// How many plies less deeply to search a move at first, and whether what follows it must be resolved,
    /// where that had to be found out.
    #[inline]
    pub(crate) fn reduction(
        &self,
        child: &G::State,
        node: &Node,
        i: usize,
        waiting: Waiting,
    ) -> (i32, Option<bool>) {
        if node.depth < 3 || i < 2 || node.must_resolve {
            return (0, None);
        }
        let table = reduced(node.depth, i) + PLY * i32::from(node.refuted);
        let less = match waiting.noisy {
            true if waiting.urgency >= NOISY => table / PLY / 3 * PLY,
            true => table / PLY / 2 * PLY,
            false => table - (waiting.served() * PLY / SERVED).clamp(-SERVED_AT_MOST, SERVED_AT_MOST),
        };
        let reduction = ((less - PLY * i32::from(node.open())) / PLY).clamp(0, node.depth - 2);
        if reduction == 0 {
            return (0, None);
        }
        let resolve = self.game.must_resolve(child);
        (if resolve { 0 } else { reduction }, Some(resolve))
    }
}
