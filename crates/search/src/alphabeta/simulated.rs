//! A simulated machine: threads take turns, a few nodes each, so that time is counted in nodes and every run is the same, on
//! however few cores.

use super::AlphaBeta;
use crate::{Limits, Report, SearchOptions, Stop};
use std::sync::{Condvar, Mutex};
use tabia_chess::Chess;
use tabia_core::{Evaluate, Position, Record, SplitMix64};
use tabia_five_visible::FiveVisible;

/// Nodes of a turn.
const TURN: u64 = 16;

/// Who is at work.
#[derive(Debug)]
pub(crate) struct Baton {
    now: Mutex<Turn>,
    passed: Vec<Condvar>,
}

#[derive(Debug)]
struct Turn {
    of: usize,
    /// How many threads are there, and which are not done yet: nobody works before all are there.
    here: usize,
    working: Vec<bool>,
}

impl Baton {
    fn new(threads: usize) -> Self {
        let now = Mutex::new(Turn { of: 0, here: 0, working: vec![true; threads] });
        Baton { now, passed: (0..threads).map(|_| Condvar::new()).collect() }
    }

    /// A thread is there; it waits for its turn.
    pub(crate) fn begin(&self, id: usize) -> Done<'_> {
        let mut now = self.now.lock().unwrap();
        now.here += 1;
        self.passed[0].notify_one();
        let waits = |now: &mut Turn| now.of != id || now.here < self.passed.len();
        drop(self.passed[id].wait_while(now, waits).unwrap());
        Done(self, id)
    }

    /// A thread has visited one more node.
    pub(crate) fn count(&self, id: usize, nodes: u64) {
        if nodes.is_multiple_of(TURN) {
            self.pass(id, true);
        }
    }

    fn pass(&self, id: usize, working: bool) {
        let mut now = self.now.lock().unwrap();
        now.working[id] = working;
        let all = self.passed.len();
        let Some(next) = (1..=all).map(|step| (id + step) % all).find(|&next| now.working[next]) else {
            return;
        };
        now.of = next;
        self.passed[next].notify_one();
        if working {
            drop(self.passed[id].wait_while(now, |now| now.of != id).unwrap());
        }
    }
}

/// A thread that passes the baton on for good when it is done.
pub(crate) struct Done<'a>(&'a Baton, usize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.pass(self.1, false);
    }
}

/// The nodes of all threads together against those of one: the logarithm, for each of some positions after eight random
/// moves, to the last depth that one thread finishes in so many nodes.
fn more_nodes<G: Evaluate>(game: &G, threads: usize, positions: usize, nodes: u64) -> Vec<f64> {
    let mut rng = SplitMix64::new(20);
    let mut all = Vec::new();
    while all.len() < positions {
        let mut record = Record::new(Position { rules: game.clone(), state: game.start() });
        for _ in 0..8 {
            if let Some(mv) = game.random_move(record.state(), &mut rng, &mut Vec::new()) {
                record.play_unchecked(mv);
            }
        }
        let options = |threads| SearchOptions { threads, ..SearchOptions::default() };
        let mut alone = (1, 1);
        let keep = |report: &Report<G::Move>| alone = (report.depth, report.nodes);
        let mut engine = AlphaBeta::new(options(1)).unwrap();
        let report = engine.search(&record, &Limits::nodes(nodes), &Stop::new(), keep);
        // Decided too soon: threads have nothing to do.
        if record.outcome().is_some() || report.nodes < nodes / 10 {
            continue;
        }
        let mut engine = AlphaBeta::new(options(threads)).unwrap();
        engine.baton = Some(Baton::new(threads));
        let together = engine.search(&record, &Limits::depth(alone.0), &Stop::new(), |_| ());
        all.push((together.nodes as f64 / alone.1 as f64).ln());
    }
    all
}

fn geometric_mean(logarithms: &[f64]) -> f64 {
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

/// Threads share the work. (They did three times the work of one before they shared what they learn, of 500,000 nodes a position.)
#[test]
fn sixteen_threads_do_not_do_the_work_three_times() {
    let more = more_nodes(&Chess, 16, 6, 100_000);
    assert!(geometric_mean(&more) < 3.0, "{more:.2?}");
    assert_eq!(more_nodes(&Chess, 4, 1, 20_000), more_nodes(&Chess, 4, 1, 20_000), "every run is the same");
}

/// Where nothing is pruned on a guess, each thread searches to the end, and still not what another is at.
#[test]
fn threads_of_a_full_width_search_share_the_work_too() {
    let more = more_nodes(&FiveVisible::default(), 8, 6, 50_000);
    assert!(geometric_mean(&more) < 2.5, "{more:.2?}");
}

/// The figures of docs/performance.md: `cargo test --release -p tabia-search --lib simulated -- --ignored --nocapture`.
#[test]
#[ignore = "minutes: it measures"]
fn figures_of_sixteen_threads() {
    let tell = |game: &str, positions: usize, nodes, more: Vec<f64>| {
        let more = geometric_mean(&more);
        println!(
            "{game}, {positions} positions of {nodes} nodes: {more:.2} times the nodes, {:.1} times as fast",
            16.0 / more
        );
    };
    for (positions, nodes) in [(16, 500_000), (8, 2_000_000)] {
        tell("chess", positions, nodes, more_nodes(&Chess, 16, positions, nodes));
        tell("arx", positions, nodes, more_nodes(&tabia_arx::Arx, 16, positions, nodes));
        tell(
            "draughts",
            positions,
            nodes,
            more_nodes(&tabia_draughts::Draughts::default(), 16, positions, nodes),
        );
        tell("5-Visible", positions, nodes, more_nodes(&FiveVisible::default(), 16, positions, nodes));
    }
}
