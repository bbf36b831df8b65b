//! The moves of a node, ranked no sooner than they are needed: the table's move, noisy moves, the rest.
//!
//! Most nodes are refuted by the first or second move, and near the leaves quiet moves are often not tried
//! at all.

use super::memo::Memo;
use super::node::Node;
use super::order::{FROM_TABLE, KILLERS, LOSING, NOISY, Waiting, continued, pick};
use super::worker::Worker;
use tabia_core::{Evaluate, Side, sort_few_by_key};

/// Nodes of less depth are not shared among threads.
pub(crate) const SHARED_DEPTH: i32 = 2;

/// So many moves at most are ranked all at once.
const FEW: usize = 16;

/// What of a node's moves is listed in `waiting`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listed {
    /// The table's move, or nothing.
    First,
    /// Noisy moves too.
    Noisy,
    All,
}

/// The moves of a node: parts of the worker's buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) side: Side,
    pub(crate) first_move: usize,
    pub(crate) first_waiting: usize,
    /// How many moves have been tried.
    pub(crate) tried: usize,
    /// How many were put off, and so are still to be tried or given up.
    put_off: usize,
    /// The moves that are left are not tried, on a guess.
    pub(crate) cut_short: bool,
    /// Some move was left out on a guess.
    pub(crate) left_out: bool,
    from_table: Option<u16>,
    listed: Listed,
}

impl List {
    /// How many moves come before a move in the order that a single thread would try them in: threads that reduce the same move
    /// by different depths cannot use each other's answers.
    #[inline]
    pub(crate) fn turn(&self, waiting: Waiting) -> usize {
        if waiting.is_put_off() { waiting.turn.into() } else { self.next_turn() }
    }

    #[inline]
    fn next_turn(&self) -> usize {
        self.tried + self.put_off
    }
}

impl<G: Evaluate> Worker<'_, G> {
    /// Lists the moves of a position, the table's move to be tried first.
    #[inline]
    pub(crate) fn list_moves(&mut self, state: &G::State, memo: Option<Memo>) -> List {
        let (first_move, first_waiting) = (self.moves.len(), self.waiting.len());
        self.game.moves(state, &mut self.moves);
        let known = memo.and_then(|memo| memo.best);
        let from_table = known.filter(|&number| usize::from(number) < self.moves.len() - first_move);
        if let Some(number) = from_table {
            let noisy = self.game.is_noisy(state, self.moves[first_move + usize::from(number)]);
            self.waiting.push(Waiting::new(FROM_TABLE, number, noisy));
        }
        let side = self.game.side(state);
        let listed = Listed::First;
        let (cut_short, left_out) = (false, false);
        List {
            side,
            first_move,
            first_waiting,
            tried: 0,
            put_off: 0,
            cut_short,
            left_out,
            from_table,
            listed,
        }
    }

    /// The next move to try; `None` when there is none that is worth it.
    #[inline]
    pub(crate) fn next_move(
        &mut self,
        state: &G::State,
        list: &mut List,
        node: &Node,
        best: i32,
        alpha: i32,
    ) -> Option<Waiting> {
        while !list.cut_short {
            let some = list.first_waiting + list.tried < self.waiting.len();
            if some {
                let next = pick(&mut self.waiting[list.first_waiting..], list.tried);
                if self.busy.is_some() && self.is_busy_with(state, list, node, next) {
                    self.waiting[list.first_waiting + list.tried] = next.put_off(list.next_turn());
                    list.put_off += 1;
                    continue;
                }
                if (NOISY..FROM_TABLE).contains(&next.urgency) && !self.gains(state, list, next) {
                    self.waiting[list.first_waiting + list.tried].urgency += LOSING - NOISY;
                    continue;
                }
                if next.urgency >= NOISY || next.is_put_off() && list.listed == Listed::All {
                    return Some(next);
                }
                // Noisy moves that are expected to lose wait for the quiet ones.
                if list.listed == Listed::All {
                    list.cut_short = !next.noisy
                        && (self.hopeless(node, best, alpha, list.next_turn())
                            || self.has_never_served(node, best, list.tried, next));
                    if list.cut_short {
                        continue;
                    }
                    let mv = self.moves[list.first_move + usize::from(next.number)];
                    if list.tried == 0 || next.noisy || !self.gives_away(state, mv, node, best, alpha) {
                        return Some(next);
                    }
                    self.waiting.swap_remove(list.first_waiting + list.tried);
                    list.left_out = true;
                    continue;
                }
            }
            match list.listed {
                Listed::First if self.moves.len() - list.first_move <= FEW => self.rank_all(state, list),
                Listed::First => self.rank_noisy(state, list),
                Listed::Noisy if self.hopeless(node, best, alpha, list.next_turn()) => {
                    if !some && list.tried == self.moves.len() - list.first_move {
                        return None;
                    }
                    list.cut_short = true;
                }
                Listed::Noisy => self.rank_quiet(state, list),
                Listed::All => return None,
            }
        }
        self.next_put_off(list)
    }

    /// Whether a noisy move does not lose by an exchange. Found out no sooner than it is that move's turn.
    #[inline]
    fn gains(&self, state: &G::State, list: &List, noisy: Waiting) -> bool {
        self.game.gains(state, self.moves[list.first_move + usize::from(noisy.number)], 0)
    }

    /// A move that was put off, where the others are given up.
    fn next_put_off(&mut self, list: &List) -> Option<Waiting> {
        let rest = &mut self.waiting[list.first_waiting + list.tried..];
        let at = rest.iter().position(|waiting| waiting.is_put_off())?;
        rest.swap(0, at);
        Some(rest[0])
    }

    /// Whether another thread is searching what follows a move, so that it had better be put off.
    #[inline(never)]
    fn is_busy_with(&self, state: &G::State, list: &List, node: &Node, next: Waiting) -> bool {
        if node.depth < SHARED_DEPTH || list.tried == 0 || next.is_put_off() {
            return false;
        }
        self.is_another_after(state, self.moves[list.first_move + usize::from(next.number)], node.depth)
    }

    /// Whether another thread is searching what follows a move of a node of this depth.
    pub(crate) fn is_another_after(&self, state: &G::State, mv: G::Move, depth: i32) -> bool {
        self.busy.is_some_and(|busy| {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            busy.is_searched(self.game.key(&child), depth)
        })
    }

    /// All at once: so few moves are not worth two rounds. (Written out, not made of parts of the next two:
    /// shared functions for the urgencies were not inlined and cost 2 to 4 % of a search.)
    #[inline]
    fn rank_all(&mut self, state: &G::State, list: &mut List) {
        let killers = self.killers[self.path.ply()];
        let before = self.before(self.path.ply());
        let served = continued([&self.schemes, &self.plans, &self.answers], before);
        for (mv, number) in self.moves[list.first_move..].iter().zip(0..) {
            if list.from_table == Some(number) {
                continue;
            }
            let noisy = self.game.is_noisy(state, *mv);
            let urgency = if noisy {
                NOISY + self.game.move_promise(state, *mv).clamp(-50_000, 50_000)
            } else if let Some(killer) = killers.iter().position(|&killer| killer == Some(*mv)) {
                KILLERS[killer]
            } else {
                let promise = self.game.move_promise(state, *mv).clamp(-50_000, 50_000);
                promise
                    + self.history.get(list.side, self.game.move_slot(state, *mv))
                    + served(self.game.move_kind(state, *mv))
            };
            self.waiting.push(Waiting::new(urgency, number, noisy));
        }
        list.listed = Listed::All;
    }

    #[inline]
    fn rank_noisy(&mut self, state: &G::State, list: &mut List) {
        for (mv, number) in self.moves[list.first_move..].iter().zip(0..) {
            if list.from_table != Some(number) && self.game.is_noisy(state, *mv) {
                let urgency = NOISY + self.game.move_promise(state, *mv).clamp(-50_000, 50_000);
                self.waiting.push(Waiting::new(urgency, number, true));
            }
        }
        list.listed = Listed::Noisy;
    }

    #[inline]
    fn rank_quiet(&mut self, state: &G::State, list: &mut List) {
        let killers = self.killers[self.path.ply()];
        let before = self.before(self.path.ply());
        let served = continued([&self.schemes, &self.plans, &self.answers], before);
        for (mv, number) in self.moves[list.first_move..].iter().zip(0..) {
            if list.from_table == Some(number) || self.game.is_noisy(state, *mv) {
                continue;
            }
            let urgency = if let Some(killer) = killers.iter().position(|&killer| killer == Some(*mv)) {
                KILLERS[killer]
            } else {
                let promise = self.game.move_promise(state, *mv).clamp(-50_000, 50_000);
                promise
                    + self.history.get(list.side, self.game.move_slot(state, *mv))
                    + served(self.game.move_kind(state, *mv))
            };
            self.waiting.push(Waiting::new(urgency, number, false));
        }
        list.listed = Listed::All;
    }

    /// The moves of a position with their urgencies, in the game's order.
    pub(crate) fn ranked(&mut self, state: &G::State) -> Vec<(G::Move, Waiting)> {
        let mut list = self.list_moves(state, None);
        self.rank_noisy(state, &mut list);
        self.rank_quiet(state, &mut list);
        let mv = |waiting: &Waiting| self.moves[list.first_move + usize::from(waiting.number)];
        let told = |waiting: &Waiting| {
            let losing = waiting.noisy && !self.gains(state, &list, *waiting);
            let urgency = waiting.urgency + if losing { LOSING - NOISY } else { 0 };
            (mv(waiting), Waiting { urgency, ..*waiting })
        };
        let mut ranked: Vec<_> = self.waiting[list.first_waiting..].iter().map(told).collect();
        sort_few_by_key(&mut ranked, |(_, waiting)| waiting.number);
        self.moves.truncate(list.first_move);
        self.waiting.truncate(list.first_waiting);
        ranked
    }
}
