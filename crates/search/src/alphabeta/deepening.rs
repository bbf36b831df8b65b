//! The root: one iteration after another, each a ply deeper, with a window around the last value.

use super::MAX_PLY;
use super::node::{Doubt, Found, Node};
use super::order::Waiting;
use super::together::Answer;
use super::worker::Worker;
use crate::limits::Firmness;
use crate::score::{INFINITE, Score, WIN, is_decided, is_loss, is_win};
use crate::{Limits, Line, Report};
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;
use tabia_core::{Evaluate, sort_few_by_key};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Root<M> {
    mv: M,
    waiting: Waiting,
    line: Vec<M>,
    pub(crate) found: Found,
    /// The iteration that found it.
    depth: i32,
}

/// Which of the moves at the root are still to be tried.
struct Turns {
    /// Once more, before all others.
    again: VecDeque<usize>,
    /// In order ...
    in_turn: Range<usize>,
    /// ... and after them those that another thread was busy with.
    put_off: VecDeque<usize>,
}

impl Turns {
    fn next(&mut self) -> Option<usize> {
        self.again.pop_front().or_else(|| self.in_turn.next()).or_else(|| self.put_off.pop_front())
    }

    /// The `i`-th move has come before all others, and need not be tried in its turn.
    fn moved_to_front(&mut self, i: usize) {
        if i >= self.in_turn.start {
            self.in_turn.start += 1;
        }
        for waiting in [&mut self.again, &mut self.put_off] {
            waiting.retain(|&at| at != i);
            waiting.iter_mut().filter(|at| **at < i).for_each(|at| *at += 1);
        }
    }
}

/// The first window reaches this far to either side of the last value.
const ASPIRATION: i32 = 10;

/// A pruned search that has found a win may spend this many nodes on confirming it, or as many as it
/// has spent on finding it.
const CONFIRMATION: u64 = 2_000_000;

impl<G: Evaluate> Worker<'_, G> {
    /// Searches deeper and deeper until a limit is reached or the answer is exact.
    pub(crate) fn deepen(
        &mut self,
        state: &G::State,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let mut roots = self.roots(state);
        let most = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32) as i32;
        let lines = if self.only_wins { 1 } else { self.options.lines }.min(roots.len());
        let (depth, exact) = if self.only_wins {
            self.deepen_for_wins(state, &mut roots, most, progress)
        } else {
            self.deepen_for_all(state, &mut roots, (most, limits), lines, progress)
        };
        best_first(&mut roots[..lines]);
        self.complete(state, &mut roots);
        self.report(&roots, lines, depth, exact)
    }

    /// Looks for the best lines; the depth reached, and whether the answer is exact.
    fn deepen_for_all(
        &mut self,
        state: &G::State,
        roots: &mut Vec<Root<G::Move>>,
        (most, limits): (i32, &Limits),
        lines: usize,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> (i32, bool) {
        let mut hunt = self.new_hunt();
        let mut reached = 0;
        let mut firmness = Firmness { only: roots.len() == 1, ..Firmness::default() };
        for depth in 1..=most {
            let before = roots.clone();
            let Some(found) = self.iterate(state, roots, depth, lines) else {
                interrupted(roots, before);
                break;
            };
            reached = depth;
            // Looking for a quicker win costs little; finding out the distance of a long one may take all there is.
            let exact = is_exact(found, depth)
                || self.hunt(state, roots, &mut hunt, found, depth)
                || self.confirm(state, roots, found, depth);
            let mut told = roots[..lines].to_vec();
            best_first(&mut told);
            progress(&self.report(&told, lines, depth, exact));
            if exact || self.stopped {
                return (reached, exact);
            }
            firmness = firmness.after(&before[0], &roots[0]);
            if self.id == 0 && self.control.is_enough(limits, firmness) {
                break;
            }
        }
        (reached, false)
    }

    /// Plays a decided line out to the end of the game: its tail may have come from the table or from
    /// below the last ply, where no lines are kept.
    fn complete(&mut self, state: &G::State, roots: &mut [Root<G::Move>]) {
        let Some(root) = roots.first_mut().filter(|root| is_decided(root.found.value)) else { return };
        let plies = (WIN - root.found.value.abs()) as usize;
        (self.stopped, self.selective, self.budget) = (false, false, self.nodes + CONFIRMATION / 4);
        self.look_up();
        let mut now = state.clone();
        for at in 0..plies {
            if at == root.line.len() {
                if let Some(mv) = self.known_move(&now) {
                    root.line.push(mv);
                } else {
                    self.node(&now, (plies - at) as i32, -INFINITE, INFINITE, false, None);
                    let rest = &self.lines[at];
                    if self.stopped || rest.is_empty() {
                        break;
                    }
                    root.line.extend_from_slice(rest);
                }
            }
            let mv = root.line[at];
            let progress = self.game.is_progress(&now, mv);
            self.game.play(&mut now, mv);
            self.enter(self.game.key(&now), progress);
        }
        (0..self.path.ply()).for_each(|_| self.leave());
    }

    /// The moves, the most promising first.
    fn roots(&mut self, state: &G::State) -> Vec<Root<G::Move>> {
        let best = self.recall(self.game.key(state)).and_then(|memo| memo.best);
        let root = |(mv, waiting)| Root { mv, waiting, line: vec![mv], found: Found::guess(0), depth: 0 };
        let mut ranked = self.ranked(state);
        if ranked.iter().any(|(mv, _)| self.among.contains(mv)) {
            ranked.retain(|(mv, _)| self.among.contains(mv));
        }
        let mut roots: Vec<_> = ranked.into_iter().map(root).collect();
        self.keep_result(state, &mut roots, |root| root.mv);
        sort_few_by_key(&mut roots, |root| (best != Some(root.waiting.number), -root.waiting.urgency));
        roots
    }

    /// One iteration: the best lines in turn. `None` when it was interrupted.
    fn iterate(
        &mut self,
        state: &G::State,
        roots: &mut [Root<G::Move>],
        depth: i32,
        lines: usize,
    ) -> Option<Found> {
        self.look_up();
        for k in 0..lines {
            self.aspire(state, &mut roots[k..], depth, k == 0)?;
        }
        roots.first().map(|root| root.found)
    }

    /// Searches with a narrow window around the last value, and a wider one for as long as it fails.
    fn aspire(
        &mut self,
        state: &G::State,
        roots: &mut [Root<G::Move>],
        depth: i32,
        all: bool,
    ) -> Option<Found> {
        let last = roots.first().map_or(0, |root| root.found.value);
        let mut margin = if depth < 5 || is_decided(last) { INFINITE } else { ASPIRATION };
        let (mut alpha, mut beta) = (last - margin, last + margin);
        loop {
            (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
            let found = self.root(state, roots, depth, (alpha, beta), all)?;
            margin *= 2;
            let next = if margin > 500 { INFINITE } else { margin };
            if found.value <= alpha && alpha > -INFINITE {
                // It is not as good as it seemed: finding out how good takes no window above that.
                beta = if beta < INFINITE { i32::midpoint(alpha, beta) } else { beta };
                alpha = found.value - next;
            } else if found.value >= beta && beta < INFINITE {
                beta = found.value + next;
            } else {
                return Some(found);
            }
        }
    }

    /// Searches the moves in order; one that is better than those before comes to the front at once,
    /// so that an interrupted search has its best move there. `None` when interrupted. The table is told
    /// where `roots` are all moves of the position and `remember` is set.
    pub(crate) fn root(
        &mut self,
        state: &G::State,
        roots: &mut [Root<G::Move>],
        depth: i32,
        (lowest, beta): (i32, i32),
        remember: bool,
    ) -> Option<Found> {
        self.depth = depth;
        let side = self.game.side(state);
        let key = self.game.key(state);
        let must_resolve = self.game.must_resolve(state);
        // What is true of some moves is not true of the position.
        let remember = remember && self.among.is_empty();
        let (memo, fixed, tabled) = (None, None, true);
        let mut node = Node {
            key,
            depth,
            alpha: lowest,
            beta,
            memo,
            fixed,
            believed: None,
            must_resolve,
            improving: false,
            tabled,
            longer: 0,
            refuted: false,
            lowered: false,
        };
        let mut best = Found::NOTHING;
        let mut turns = Turns { again: VecDeque::new(), in_turn: 0..roots.len(), put_off: VecDeque::new() };
        let mut shared = remember && self.is_shared(&node);
        if shared {
            self.begin_asking(&node);
        }
        while let Some(i) = turns.next() {
            let (mv, waiting) = (roots[i].mv, roots[i].waiting);
            if i > 0 && !turns.in_turn.is_empty() && self.is_another_after(state, mv, depth) {
                turns.put_off.push_back(i);
                continue;
            }
            let mut found = Found::NOTHING;
            let mut news = if shared && i > 0 { self.news_here() } else { None };
            if news.is_none() {
                found = self.try_move(state, side, mv, i, waiting, &node, node.alpha);
                news = if shared { self.take_answer() } else { None };
            }
            if let Some(answer) = news {
                // Whatever was to be tried now is still to be tried.
                turns.again.push_front(i);
                if answer.found.value > node.alpha
                    && !self.take_over_root(state, roots, &mut turns, answer, depth)
                {
                    // By a move that is not to be played: alone from here.
                    self.end_asking();
                    shared = false;
                    continue;
                }
                best.absorb(answer.found, beta);
                node.alpha = node.alpha.max(best.value);
                if answer.whole {
                    self.end_asking();
                    // The own best move may have proved that it is worth so much, which does not prove that nothing is worth more.
                    if let Some(first) = roots.first_mut().filter(|_| best.value > lowest) {
                        first.found = if answer.found.value >= best.value { answer.found } else { best };
                    }
                    return Some(answer.found);
                }
                self.reach(node.alpha);
                continue;
            }
            if self.stopped {
                if shared {
                    self.end_asking();
                }
                return None;
            }
            if best.absorb(found, beta) && found.value > node.alpha {
                node.alpha = found.value;
                (roots[i].found, roots[i].depth) = (found, depth);
                self.set_line(mv);
                roots[i].line.clone_from(&self.lines[0]);
                roots[..=i].rotate_right(1);
                turns.moved_to_front(i);
                if shared && found.value < beta {
                    self.tell(&node, best, Some(waiting.number));
                }
                if found.value >= beta {
                    break;
                }
            }
        }
        if shared {
            self.end_asking();
        }
        let improved = best.value > lowest;
        if let Some(first) = roots.first_mut().filter(|_| improved) {
            first.found = best;
        }
        if remember {
            node.alpha = lowest;
            self.conclude(&node, best, roots.first().filter(|_| improved).map(|root| root.waiting.number));
        }
        Some(best)
    }

    /// Takes over what another thread has found about the root: its move comes first, and is tried again because it may be
    /// better still. Whether it is one of the moves.
    fn take_over_root(
        &mut self,
        state: &G::State,
        roots: &mut [Root<G::Move>],
        turns: &mut Turns,
        answer: Answer,
        depth: i32,
    ) -> bool {
        let Answer { found, by, .. } = answer;
        let Some(i) = roots.iter().position(|root| by == Some(root.waiting.number)) else { return false };
        self.line_from_table(state, found, depth);
        let Root { mv, line, .. } = &mut roots[i];
        line.clear();
        line.push(*mv);
        if self.lines[0].first() == Some(mv) {
            line.extend_from_slice(&self.lines[0][1..]);
        }
        (roots[i].found, roots[i].depth) = (found, depth);
        roots[..=i].rotate_right(1);
        turns.moved_to_front(i);
        turns.again.push_front(0);
        true
    }

    /// A pruned search found a win or loss: finds its true distance without pruning, if that is not too
    /// much work. Whether it did.
    pub(crate) fn confirm(
        &mut self,
        state: &G::State,
        roots: &mut [Root<G::Move>],
        found: Found,
        depth: i32,
    ) -> bool {
        let plies = WIN - found.value.abs();
        if !self.selective
            || self.id > 0
            || self.options.lines > 1
            || !is_decided(found.value)
            || plies > depth
        {
            return false;
        }
        let before = roots.to_vec();
        let window =
            if is_win(found.value) { (found.value - 1, INFINITE) } else { (-INFINITE, found.value + 1) };
        let confirmed = self.in_full(state, roots, plies, window, self.nodes.max(CONFIRMATION), true);
        if confirmed.is_none() {
            roots.clone_from_slice(&before);
        }
        confirmed.is_some_and(|found| is_exact(found, plies))
    }

    pub(crate) fn report(
        &self,
        roots: &[Root<G::Move>],
        lines: usize,
        depth: i32,
        exact: bool,
    ) -> Report<G::Move> {
        let line = |root: &Root<G::Move>| {
            let settled = depth > 0 && !root.found.doubt.estimated();
            Line { moves: root.line.clone(), score: Score::from_raw(root.found.value, settled) }
        };
        let lines: Vec<_> = roots.iter().take(lines).map(line).collect();
        Report {
            score: lines.first().map_or(Score::Draw, |line| line.score),
            lines,
            exact,
            depth: depth as u32,
            nodes: self.nodes,
            seconds: self.control.seconds(),
            table: self.stats,
        }
    }
}

impl Firmness {
    /// How firmly the best move stands after one more iteration.
    fn after<M: Eq>(self, before: &Root<M>, now: &Root<M>) -> Firmness {
        let steady = if before.mv == now.mv { self.steady + 1 } else { 0 };
        Firmness { steady, fell: before.found.value - now.found.value, ..self }
    }
}

/// The lines as they are told. Each was looked for without those before it, so a later one can turn out
/// better. What an interrupted iteration has found stays before what older ones had.
fn best_first<M>(lines: &mut [Root<M>]) {
    lines.sort_by_key(|root| (Reverse(root.depth), Reverse(root.found.value)));
}

/// After an interrupted iteration: keeps what it found where that is an improvement, and goes back to
/// the iteration before where it is not, because the moves not yet tried may be better.
pub(crate) fn interrupted<M: Copy + Eq>(roots: &mut Vec<Root<M>>, before: Vec<Root<M>>) {
    let (Some(now), Some(then)) = (roots.first_mut(), before.first()) else { return };
    let another = now.mv != then.mv && !is_loss(now.found.value);
    if is_win(now.found.value) || another {
        now.found.doubt = Doubt::ESTIMATE;
    } else {
        *roots = before;
    }
}

/// Whether nothing can change the value any more: no leaf was guessed, or the distance of a win or
/// loss lies within what was searched in full.
pub(crate) fn is_exact(found: Found, depth: i32) -> bool {
    !found.doubt.estimated()
        || is_decided(found.value) && WIN - found.value.abs() <= depth && !found.doubt.selective()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves at the root change places while they are tried; each is tried once all the same.
    #[test]
    fn every_move_has_its_turn_whichever_comes_to_the_front() {
        let mut names: Vec<char> = "abcdefg".chars().collect();
        let mut turns = Turns { again: VecDeque::new(), in_turn: 0..names.len(), put_off: VecDeque::new() };
        let mut tried = String::new();
        while let Some(i) = turns.next() {
            let name = names[i];
            if i > 0 && "bd".contains(name) && !turns.in_turn.is_empty() {
                turns.put_off.push_back(i);
                continue;
            }
            // What is found of another move while this one is to be tried.
            let heard = match name {
                'c' if !tried.contains('f') => Some('f'),
                'e' if !tried.contains('b') => Some('b'),
                _ => None,
            };
            if let Some(at) = heard.and_then(|heard| names.iter().position(|&name| name == heard)) {
                turns.again.push_front(i);
                names[..=at].rotate_right(1);
                turns.moved_to_front(at);
                turns.again.push_front(0);
                continue;
            }
            tried.push(name);
            if name == 'g' {
                names[..=i].rotate_right(1);
                turns.moved_to_front(i);
            }
        }
        assert_eq!(tried, "afcbegd");
    }
}
