//! The search itself: go down to the most proving position for as long as it stays that.

use super::Verdict;
use super::numbers::{INFINITE, Numbers};
use crate::TableStats;
use crate::limits::Control;
use crate::path::{PATH_FREE, Path};
use tabia_core::rng::mix;
use tabia_core::{Game, Key, Outcome, Record, Side};
use tabia_table::Table;

/// The deepest ply; deeper lines make the answer `Unknown`.
const DEEPEST: usize = 2000;

/// A position after a move, and what is known of it.
struct Child<G: Game> {
    mv: G::Move,
    state: G::State,
    key: Key,
    progress: bool,
    numbers: Numbers,
}

/// One attempt to prove a win for the attacker.
pub(crate) struct Prover<'a, G: Game> {
    game: &'a G,
    table: &'a Table,
    control: &'a Control,
    attacker: Side,
    path: Path,
    /// The XOR of the positions on the path, to tell paths apart.
    trail: u64,
    moves: Vec<G::Move>,
    /// The children of all positions on the path, used as a stack.
    children: Vec<Child<G>>,
    next_check: u64,
    stopped: bool,
    /// Some line was too deep to follow.
    too_deep: bool,
    /// Whether some refutation was stored for its path alone.
    path_bound: bool,
    pub(crate) nodes: u64,
    pub(crate) stats: TableStats,
}

impl<'a, G: Game> Prover<'a, G> {
    pub(crate) fn new(record: &'a Record<G>, table: &'a Table, control: &'a Control, attacker: Side) -> Self {
        Prover {
            game: record.rules(),
            table,
            control,
            attacker,
            path: Path::new(record),
            trail: 0,
            moves: Vec::new(),
            children: Vec::new(),
            next_check: 0,
            stopped: false,
            too_deep: false,
            path_bound: false,
            nodes: 0,
            stats: TableStats::default(),
        }
    }

    /// Settles the position, if the limits allow it; with the plies that a proven win takes at most.
    pub(crate) fn run(&mut self, state: &G::State) -> (Verdict, Option<u16>) {
        let numbers = match self.finished(state) {
            Some(numbers) => numbers,
            None => self.settle(state, self.game.key(state), INFINITE, INFINITE),
        };
        if numbers.is_proven() {
            (Verdict::Proven, Some(numbers.plies))
        } else if numbers.is_refuted() && !self.too_deep {
            (Verdict::Refuted, None)
        } else {
            (Verdict::Unknown, None)
        }
    }

    fn finished(&self, state: &G::State) -> Option<Numbers> {
        let won = Outcome::Win(self.attacker);
        let settle = |outcome| if outcome == won { Numbers::proven(0) } else { Numbers::refuted(PATH_FREE) };
        self.game.settled(state).map(settle)
    }

    /// The key under which the table knows a position: the two attackers are two questions.
    fn table_key(&self, key: Key) -> Key {
        Key(key.0 ^ [0x5D1F_37C6_A2B9_E804, 0x9E02_C47B_1D6F_53A8][self.attacker.index()])
    }

    fn path_key(&self, key: Key) -> Key {
        Key(self.table_key(key).0 ^ mix(self.trail))
    }

    /// What is known of a position that the path has just entered.
    fn look(&mut self, state: &G::State, key: Key) -> Numbers {
        if let Some(numbers) = self.finished(state) {
            return numbers;
        }
        if let Some(path) = self.path.repetition() {
            return Numbers::refuted(path);
        }
        if self.path.counted_out() {
            return Numbers::refuted(0);
        }
        let known = self.recall(self.table_key(key)).unwrap_or(Numbers::FRESH);
        if known.is_proven() || known.is_refuted() || !self.path_bound {
            return known;
        }
        self.recall(self.path_key(key)).unwrap_or(known)
    }

    fn recall(&mut self, key: Key) -> Option<Numbers> {
        self.stats.probes += 1;
        let entry = self.table.probe(key)?;
        self.stats.hits += 1;
        Some(Numbers::read(entry))
    }

    fn remember(&mut self, key: Key, numbers: Numbers, work: u64) {
        let path_bound = numbers.is_refuted() && numbers.path != PATH_FREE;
        self.path_bound |= path_bound;
        let key = if path_bound { self.path_key(key) } else { self.table_key(key) };
        self.stats.stores += 1;
        self.table.store(key, work.ilog2() as u8, numbers.payload());
    }

    /// Lists the children of a position on top of the stack.
    fn expand(&mut self, state: &G::State) {
        self.moves.clear();
        let mut moves = std::mem::take(&mut self.moves);
        self.game.moves(state, &mut moves);
        for &mv in &moves {
            let mut next = state.clone();
            self.game.play(&mut next, mv);
            let key = self.game.key(&next);
            let progress = self.game.is_progress(state, mv);
            self.path.push(key, progress);
            let numbers = self.look(&next, key);
            self.path.pop();
            self.children.push(Child { mv, state: next, key, progress, numbers });
        }
        self.moves = moves;
    }

    /// Works on a position until it is settled or one of its numbers reaches its threshold.
    fn settle(&mut self, state: &G::State, key: Key, most_prove: u32, most_refute: u32) -> Numbers {
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes >= self.next_check {
            match self.control.next_check(self.nodes) {
                Some(next) => self.next_check = next,
                None => self.stopped = true,
            }
        }
        if self.path.ply() >= DEEPEST {
            self.too_deep = true;
            return Numbers::refuted(0);
        }
        let ply = self.path.ply();
        let attacking = self.game.side(state) == self.attacker;
        let first = self.children.len();
        // What lies below this position is told apart by the path down to it.
        self.trail ^= mix(key.0);
        self.expand(state);
        let mut numbers = loop {
            let children = &self.children[first..];
            let numbers = Numbers::combine(children.iter().map(|child| child.numbers), attacking);
            let settled = numbers.is_proven() || numbers.is_refuted();
            if settled || self.stopped || numbers.prove >= most_prove || numbers.refute >= most_refute {
                break numbers;
            }
            self.descend(first, attacking, numbers, most_prove, most_refute);
        };
        self.trail ^= mix(key.0);
        self.children.truncate(first);
        if usize::from(numbers.path) >= ply {
            numbers.path = PATH_FREE;
        }
        if !self.stopped {
            self.remember(key, numbers, self.nodes - before);
        }
        numbers
    }

    /// Works on the most promising child, until it is no longer that.
    fn descend(&mut self, first: usize, attacking: bool, now: Numbers, most_prove: u32, most_refute: u32) {
        let wanted = |child: &Child<G>| if attacking { child.numbers.prove } else { child.numbers.refute };
        let (mut best, mut second) = (first, INFINITE);
        for at in first + 1..self.children.len() {
            let number = wanted(&self.children[at]);
            if number < wanted(&self.children[best]) {
                second = wanted(&self.children[best]);
                best = at;
            } else {
                second = second.min(number);
            }
        }
        let child = self.children[best].numbers;
        // A little patience (a quarter) saves going back and forth between equals.
        let patient = (second.saturating_add(second / 4 + 1)).min(INFINITE);
        let (prove, refute) = if attacking {
            (most_prove.min(patient), most_refute.saturating_sub(now.refute).saturating_add(child.refute))
        } else {
            (most_prove.saturating_sub(now.prove).saturating_add(child.prove), most_refute.min(patient))
        };
        let (state, key) = (self.children[best].state.clone(), self.children[best].key);
        self.path.push(key, self.children[best].progress);
        let numbers = self.settle(&state, key, prove.min(INFINITE), refute.min(INFINITE));
        self.path.pop();
        self.children[best].numbers = numbers;
    }

    /// The proof, played out: the attacker's quickest way against the defender's longest.
    pub(crate) fn line(&mut self, state: &G::State) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut now = state.clone();
        while self.game.settled(&now).is_none() && line.len() < DEEPEST {
            let Some((mv, next)) = self.proven_step(&now) else { break };
            let progress = self.game.is_progress(&now, mv);
            self.trail ^= mix(self.game.key(&now).0);
            self.path.push(self.game.key(&next), progress);
            line.push(mv);
            now = next;
        }
        line
    }

    /// The move of the proof here. What the table has forgotten is proven again.
    fn proven_step(&mut self, state: &G::State) -> Option<(G::Move, G::State)> {
        let attacking = self.game.side(state) == self.attacker;
        for attempt in 0..2 {
            if attempt > 0 {
                self.settle(state, self.game.key(state), INFINITE, INFINITE);
            }
            let first = self.children.len();
            self.trail ^= mix(self.game.key(state).0);
            self.expand(state);
            self.trail ^= mix(self.game.key(state).0);
            let children: Vec<Child<G>> = self.children.drain(first..).collect();
            let complete = attacking || children.iter().all(|child| child.numbers.is_proven());
            let proven = children.into_iter().filter(|child| child.numbers.is_proven());
            let by_plies = |child: &Child<G>| child.numbers.plies;
            let step = if attacking { proven.min_by_key(by_plies) } else { proven.max_by_key(by_plies) };
            if complete && step.is_some() || attempt > 0 {
                return step.map(|child| (child.mv, child.state));
            }
        }
        None
    }

    /// The move the side to move would most likely choose, as far as the search got.
    pub(crate) fn likely(&mut self, state: &G::State) -> Option<G::Move> {
        let attacking = self.game.side(state) == self.attacker;
        self.children.clear();
        self.trail = mix(self.game.key(state).0);
        self.expand(state);
        self.trail = 0;
        let hope = |child: &Child<G>| if attacking { child.numbers.prove } else { child.numbers.refute };
        self.children.drain(..).min_by_key(hope).map(|child| child.mv)
    }
}
