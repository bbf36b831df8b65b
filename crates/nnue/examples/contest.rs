//! Monte-Carlo search with and without a head, and alpha-beta, all with the same network, against each other.
//!
//! ```text
//! contest GAME NET A B PAIRS        players: head=N, plain=N (playouts) or head=Nms, plain=Nms, alphabeta=N (nodes) or alphabeta=Nms
//! ```
//!
//! Every opening of six random plies is played twice, with the sides exchanged, on two threads. Prints what A scored, its Elo with a 95 %
//! interval from the pairs, and the playouts or nodes of either player per second.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tabia_arx::Arx;
use tabia_chess::Chess;
use tabia_core::{Evaluate, Features, Outcome, Position, Record, Side, SplitMix64, threads};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_nnue::{Learned, Net};
use tabia_search::{AlphaBeta, Limits, Mcts, MctsOptions, Question, SearchOptions, Stop};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const OPENING: usize = 6;
/// A game without an end is a draw after this many plies.
const LONGEST: usize = 400;
const SEED: u64 = 9;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, net, a, b, pairs] = &words[..] else { return Err("contest GAME NET A B PAIRS".into()) };
    let (net, specs, pairs) = (Net::read(Path::new(net))?, [&a[..], &b[..]], pairs.parse()?);
    match &game[..] {
        "arx" => contest(&Arx, net, specs, pairs),
        "chess" => contest(&Chess, net, specs, pairs),
        "draughts" => contest(&Draughts::default(), net, specs, pairs),
        "five-visible" => contest(&FiveVisible::default(), net, specs, pairs),
        _ => Err("no such game".into()),
    }
}

/// A player, and what it has done so far.
struct Player<'a, G: Features> {
    judges: &'a Learned<G>,
    alphabeta: Option<AlphaBeta>,
    limits: Limits,
    visited: u64,
    spent: Duration,
}

impl<'a, G: Features + Evaluate> Player<'a, G> {
    /// A player by name; `judges`: with the head, and without.
    fn new(spec: &str, judges: &'a [Learned<G>; 2]) -> Result<Self, Failure> {
        let (kind, limit) = spec.split_once('=').ok_or("a player is KIND=LIMIT")?;
        let limits = match limit.strip_suffix("ms") {
            Some(time) => Limits::time(Duration::from_millis(time.parse()?)),
            None => Limits::nodes(limit.parse()?),
        };
        let options = SearchOptions { table_bytes: 32 << 20, ..SearchOptions::default() };
        let alphabeta = (kind == "alphabeta").then(|| AlphaBeta::new(options)).transpose()?;
        let judges = if kind == "head" { &judges[0] } else { &judges[1] };
        Ok(Player { judges, alphabeta, limits, visited: 0, spent: Duration::ZERO })
    }

    fn choose(&mut self, record: &Record<G>, seed: u64) -> Option<G::Move> {
        let (begun, stop) = (Instant::now(), Stop::new());
        let report = match &mut self.alphabeta {
            Some(engine) => {
                let question = Question { judges: Some(self.judges), ..Question::default() };
                engine.ask(record, &question, &self.limits, &stop, |_| ())
            }
            None => Mcts::new(MctsOptions { seed, ..MctsOptions::default() }).judged(
                record,
                self.judges,
                &self.limits,
                &stop,
                |_| (),
            ),
        };
        self.spent += begun.elapsed();
        self.visited += report.nodes;
        report.best()
    }
}

/// Half points of the first of two players in a game from an opening.
fn play<G: Features + Evaluate>(
    players: &mut [Player<'_, G>; 2],
    opening: &Record<G>,
    first: Side,
    seed: u64,
) -> u32 {
    let mut record = opening.clone();
    players.iter_mut().filter_map(|player| player.alphabeta.as_mut()).for_each(AlphaBeta::clear);
    while record.outcome().is_none() && record.moves().len() < LONGEST {
        let turn = usize::from(record.rules().side(record.state()) != first);
        let Some(mv) = players[turn].choose(&record, seed ^ record.moves().len() as u64) else { break };
        record.play_unchecked(mv);
    }
    let winner = record.outcome().and_then(Outcome::winner);
    winner.map_or(1, |winner| if winner == first { 2 } else { 0 })
}

/// An opening of random moves that does not end the game.
fn opening<G: Features>(game: &G, rng: &mut SplitMix64) -> Record<G> {
    loop {
        let mut record = Record::new(Position { rules: game.clone(), state: game.start() });
        for _ in 0..OPENING {
            let Some(mv) = game.random_move(record.state(), rng, &mut Vec::new()) else { break };
            record.play_unchecked(mv);
        }
        if record.outcome().is_none() {
            return record;
        }
    }
}

fn contest<G: Features + Evaluate>(
    game: &G,
    net: Net,
    specs: [&str; 2],
    pairs: usize,
) -> Result<(), Failure> {
    let bare = Learned::new(game.clone(), net.clone().with_head(None))?;
    let judges = [Learned::new(game.clone(), net)?, bare];
    let mut rng = SplitMix64::new(SEED);
    let openings: Vec<Record<G>> = (0..pairs).map(|_| opening(game, &mut rng)).collect();
    let next = Mutex::new(0..pairs);
    let run = |_: usize| -> Result<_, Failure> {
        let mut players = [Player::new(specs[0], &judges)?, Player::new(specs[1], &judges)?];
        let mut points = Vec::new();
        loop {
            let Some(at) = next.lock().map_err(|_| "a thread died")?.next() else { break };
            let mut half = |first| play(&mut players, &openings[at], first, SEED ^ (at as u64) << 20);
            points.push(Side::ALL.map(&mut half));
        }
        Ok((points, players.map(|player| (player.visited, player.spent.as_secs_f64()))))
    };
    let parts = threads::run(2, run).into_iter().collect::<Result<Vec<_>, Failure>>()?;
    let points: Vec<[u32; 2]> = parts.iter().flat_map(|(points, _)| points).copied().collect();
    let games = || points.iter().flatten();
    let [won, drawn, lost] = [2, 1, 0].map(|half| games().filter(|&&points| points == half).count());
    let shares: Vec<f64> = points.iter().map(|pair| f64::from(pair[0] + pair[1]) / 4.0).collect();
    let (count, mean) = (shares.len() as f64, shares.iter().sum::<f64>() / shares.len() as f64);
    let spread = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let off = 1.96 * (spread / count).sqrt();
    let elo = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
    let rate = |player: usize| {
        let sum = |of: fn(&(u64, f64)) -> f64| parts.iter().map(|(_, spent)| of(&spent[player])).sum::<f64>();
        sum(|spent| spent.0 as f64) / sum(|spent| spent.1)
    };
    println!(
        "{} {} {}: +{won} ={drawn} -{lost}, {:+.0} [{:+.0}, {:+.0}]; {:.0} and {:.0} a second",
        game.id(),
        specs[0],
        specs[1],
        elo(mean),
        elo(mean - off),
        elo(mean + off),
        rate(0),
        rate(1)
    );
    Ok(())
}
