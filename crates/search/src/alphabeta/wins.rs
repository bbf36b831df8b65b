//! Wins that pruning hides: a full-width search that asks for nothing else.
//!
//! Pruning near the leaves gives up quiet moves that cannot be expected to reach the window, and a quiet
//! move that mates is one of them; a win behind a sacrifice is then hidden on many plies. Asking only
//! whether there is a win is cheap: the side that defends needs one good reply at every turn. So a small
//! share of a pruning search goes to that question, for more and more plies, and every win of few plies is
//! found early, whatever it looks like.

use super::deepening::{Root, interrupted};
use super::node::Found;
use super::order::History;
use super::worker::Worker;
use crate::Report;
use crate::score::{INFINITE, WIN, is_win};
use tabia_core::Evaluate;

/// One node in so many of a pruning search looks for hidden wins, ...
const SHARE: u64 = 24;
/// ... and so many at the beginning, as long as they are one in [`EARLY_SHARE`].
const EARLY: u64 = 1024;
const EARLY_SHARE: u64 = 8;

/// Two plies more take about so many times the nodes.
const GROWTH: u64 = 24;

/// How far the search for hidden wins has come.
pub(crate) struct Hunt<M> {
    /// Wins within so many plies are looked for next.
    plies: i32,
    /// Nodes it has taken so far.
    spent: u64,
    /// Nodes that the next attempt will probably need.
    needed: u64,
    /// What served in it. What refutes an attack that comes to nothing is not what refutes a good move.
    killers: Vec<[Option<M>; 2]>,
    history: History,
}

/// What came of looking for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hunted {
    Win,
    NoWin,
    Interrupted,
}

impl<G: Evaluate> Worker<'_, G> {
    pub(crate) fn new_hunt(&self) -> Hunt<G::Move> {
        let (killers, history) = (vec![[None; 2]; self.killers.len()], History::new(self.game.move_slots()));
        Hunt { plies: 1, spent: 0, needed: 0, killers, history }
    }

    /// Spends its share of the nodes on wins within `depth` plies, and quicker than what was found; whether
    /// there is one, which then leads `roots`. A share that is used up is no reason to stop.
    pub(crate) fn hunt(
        &mut self,
        state: &G::State,
        roots: &mut Vec<Root<G::Move>>,
        hunt: &mut Hunt<G::Move>,
        found: Found,
        depth: i32,
    ) -> bool {
        if !self.selective || self.id > 0 || self.options.lines > 1 {
            return false;
        }
        let most = if is_win(found.value) { depth.min(WIN - found.value - 1) } else { depth };
        while hunt.plies <= most && !self.stopped {
            let share = self.nodes / SHARE + (self.nodes / EARLY_SHARE).min(EARLY);
            let allowed = share.saturating_sub(hunt.spent);
            if allowed <= hunt.needed {
                return false;
            }
            let before = self.nodes;
            let hunted = self.attempt(state, roots, hunt, allowed);
            let taken = self.nodes - before;
            hunt.spent += taken;
            match hunted {
                Hunted::Win => return true,
                Hunted::NoWin => (hunt.plies, hunt.needed) = (hunt.plies + 2, GROWTH * taken),
                // Nothing is remembered from one attempt to the next.
                Hunted::Interrupted => hunt.needed = 2 * allowed,
            }
            // Interrupted after a win was found, before there was sure to be no quicker one.
            if let Some(now) = roots.first().map(|root| root.found)
                && now.value >= WIN - most
            {
                return self.confirm(state, roots, now, depth);
            }
        }
        false
    }

    /// Looks for a win by itself, with ordering knowledge of its own and without the table: the bounds it
    /// finds are of no use to anybody else, and nobody helps.
    fn attempt(
        &mut self,
        state: &G::State,
        roots: &mut Vec<Root<G::Move>>,
        hunt: &mut Hunt<G::Move>,
        budget: u64,
    ) -> Hunted {
        let (table, busy) = (self.table.take(), self.busy.take());
        std::mem::swap(&mut self.killers, &mut hunt.killers);
        std::mem::swap(&mut self.history, &mut hunt.history);
        let hunted = self.win_within(state, roots, hunt.plies, budget);
        std::mem::swap(&mut self.killers, &mut hunt.killers);
        std::mem::swap(&mut self.history, &mut hunt.history);
        (self.table, self.busy) = (table, busy);
        hunted
    }

    /// Whether the side to move wins within so many plies: full-width, and with no interest in anything but
    /// the quickest win, which then leads `roots`.
    fn win_within(
        &mut self,
        state: &G::State,
        roots: &mut Vec<Root<G::Move>>,
        plies: i32,
        budget: u64,
    ) -> Hunted {
        let before = roots.clone();
        let found = self.in_full(state, roots, plies, (WIN - plies - 1, INFINITE), budget, false);
        match found {
            Some(found) if found.value >= WIN - plies => Hunted::Win,
            Some(_) => Hunted::NoWin,
            None => {
                interrupted(roots, before);
                Hunted::Interrupted
            }
        }
    }

    /// Searches in full, within a budget, whatever the search is otherwise; `None` when interrupted.
    pub(crate) fn in_full(
        &mut self,
        state: &G::State,
        roots: &mut [Root<G::Move>],
        plies: i32,
        window: (i32, i32),
        budget: u64,
        remember: bool,
    ) -> Option<Found> {
        let selective = std::mem::replace(&mut self.selective, false);
        self.budget = self.nodes.saturating_add(budget);
        self.look_up();
        let found = self.root(state, roots, plies, window, remember);
        (self.selective, self.budget, self.stopped) = (selective, u64::MAX, false);
        self.look_up();
        found
    }

    /// Looks for nothing but a win of up to `most` plies.
    pub(crate) fn deepen_for_wins(
        &mut self,
        state: &G::State,
        roots: &mut Vec<Root<G::Move>>,
        most: i32,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> (i32, bool) {
        let mut reached = 0;
        for plies in (1..most).step_by(2).chain([most]) {
            match self.win_within(state, roots, plies, u64::MAX) {
                Hunted::Interrupted => break,
                Hunted::NoWin => reached = plies,
                Hunted::Win => {
                    progress(&self.report(roots, 1, plies, true));
                    return (plies, true);
                }
            }
        }
        (reached, false)
    }
}
