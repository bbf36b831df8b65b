//! Figures of the chess crate by CPU time, the best of many runs: `cargo bench -p tabia-chess`, with
//! `-- perft` only the comparison of perft with cozy-chess alone.

use cozy_chess::Board;
use cpu_time::ProcessTime;
use std::hint::black_box;
use std::ops::ControlFlow;
use tabia_chess::{Chess, State, fen, polyglot, san};
use tabia_core::{
    Evaluate, Game, Outcome, Position, ReadGames, RecordedGame, SplitMix64, Work, perft, playout,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Perft with cozy-chess alone, as its own tests count.
fn direct(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += direct(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

/// The same with the moves listed first, which is a little faster on some machines.
fn direct_listed(board: &Board, depth: u32, buffers: &mut [Vec<cozy_chess::Move>]) -> u64 {
    let mut nodes = 0;
    let Some((moves, deeper)) = buffers.split_first_mut().filter(|_| depth > 1) else {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    };
    moves.clear();
    board.generate_moves(|found| {
        moves.extend(found);
        false
    });
    for &mv in moves.iter() {
        let mut next = board.clone();
        next.play_unchecked(mv);
        nodes += direct_listed(&next, depth - 1, deeper);
    }
    nodes
}

/// CPU seconds of some work.
fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = ProcessTime::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

/// The least CPU seconds of several runs.
fn best<T>(runs: u32, mut work: impl FnMut() -> T) -> f64 {
    (0..runs).map(|_| seconds(&mut work)).fold(f64::MAX, f64::min)
}

fn compare_perft(name: &str, text: &str, depth: u32) {
    let (state, board) = (fen::parse(text).expect("a valid FEN"), text.parse().expect("a valid FEN"));
    let nodes = direct(&board, depth);
    let mut buffers = vec![Vec::with_capacity(128); depth as usize];
    let (mut ours, mut closure, mut listed) = (f64::MAX, f64::MAX, f64::MAX);
    // By turns, so that whatever else runs on the machine disturbs all alike.
    for _ in 0..300 {
        closure = closure.min(seconds(|| direct(black_box(&board), depth)));
        listed = listed.min(seconds(|| direct_listed(black_box(&board), depth, &mut buffers)));
        ours = ours.min(seconds(|| {
            let counted = perft::perft(
                &Chess,
                black_box(&state),
                depth,
                perft::PerftOptions::default(),
                &Work::unwatched(1),
            );
            assert_eq!(counted, Ok(nodes));
        }));
    }
    let rate = |seconds: f64| nodes as f64 / seconds / 1e6;
    let (o, c, l) = (rate(ours), rate(closure), rate(listed));
    println!(
        "perft {name} {depth}: {o:.0} M/s; cozy-chess alone {c:.0} (moves by callback), {l:.0} (moves listed) M/s"
    );
    println!("  {:.2} times the faster one", o / c.max(l));
}

/// Positions of random games, with as many pieces as real ones have.
fn positions(count: usize) -> Vec<State> {
    let (mut rng, mut buffer, mut found) = (SplitMix64::new(960), Vec::new(), Vec::new());
    while found.len() < count {
        let mut state = Chess.start();
        for _ in 0..80 {
            let Some(mv) = Chess.random_move(&state, &mut rng, &mut buffer) else { break };
            Chess.play(&mut state, mv);
            found.push(state);
        }
    }
    found.truncate(count);
    found
}

fn per_position<T>(what: &str, positions: &[State], mut work: impl FnMut(&State) -> T) {
    let time = best(400, || positions.iter().for_each(|state| drop(black_box(work(state)))));
    let nanoseconds = time * 1e9 / positions.len() as f64;
    println!("{what}: {nanoseconds:.1} ns, {:.2} M/s", 1e3 / nanoseconds);
}

/// A file of random games, as text.
fn games(count: usize) -> Vec<u8> {
    let (mut rng, mut buffer, mut text) = (SplitMix64::new(64), Vec::new(), Vec::new());
    for number in 0..count {
        let (mut state, mut moves) = (Chess.start(), Vec::new());
        while let Some(mv) = Chess.random_move(&state, &mut rng, &mut buffer).filter(|_| moves.len() < 80) {
            Chess.play(&mut state, mv);
            moves.push(mv);
        }
        let tags = vec![
            ("White".to_owned(), format!("Player {number}")),
            ("Date".to_owned(), "2026.01.01".to_owned()),
        ];
        let start = Position { rules: Chess, state: Chess.start() };
        let outcome = Some(Chess.outcome(&state).unwrap_or(Outcome::Draw));
        let game = RecordedGame { tags, ..RecordedGame::new(start, moves, outcome) };
        Chess.write_game("pgn", &game, &mut text).expect("memory takes everything");
    }
    text
}

fn read_pgn(text: &[u8]) -> usize {
    let mut plies = 0;
    let sink = &mut |game: Result<RecordedGame<Chess>, _>| {
        plies += game.map_or(0, |game| game.moves.len());
        ControlFlow::Continue(())
    };
    Chess.read_games("pgn", &mut &*text, sink).expect("memory gives everything");
    plies
}

fn random_play() {
    let mut fastest = 0f64;
    for _ in 0..20 {
        let start = ProcessTime::now();
        let report = playout::playouts(&Chess, &Chess.start(), 1, |report| report.playouts >= 500);
        fastest = fastest.max(report.plies as f64 / start.elapsed().as_secs_f64());
    }
    println!("random play: {:.2} M plies/s", fastest / 1e6);
}

fn main() {
    compare_perft("start", START, 4);
    compare_perft("kiwipete", KIWIPETE, 3);
    if std::env::args().any(|arg| arg == "perft") {
        return;
    }
    let positions = positions(1000);
    let pieces: u32 = positions.iter().map(|state| state.board().occupied().len()).sum();
    println!(
        "{} positions of random games, {:.1} pieces on average:",
        positions.len(),
        f64::from(pieces) / 1e3
    );
    per_position("evaluate", &positions, |state| Chess.evaluate(state));
    per_position("pack", &positions, |state| Chess.pack(state));
    let packed: Vec<_> = positions.iter().map(|state| Chess.pack(state)).collect();
    let time = best(400, || packed.iter().for_each(|packed| drop(black_box(Chess.unpack(packed)))));
    println!("unpack: {:.1} ns", time * 1e9 / packed.len() as f64);
    let texts: Vec<_> = positions.iter().map(fen::format).collect();
    let time = best(400, || texts.iter().for_each(|text| drop(black_box(fen::parse(text)))));
    println!("FEN read: {:.1} ns", time * 1e9 / texts.len() as f64);
    per_position("FEN written", &positions, fen::format);
    per_position("canonical encoding", &positions, |state| Chess.pack_canonical(state));
    per_position("Polyglot key", &positions, polyglot::key);
    let first = |state: &State| {
        let mut found = None;
        state.board().generate_moves(|moves| {
            found = Some(moves.nth(0));
            true
        });
        found
    };
    per_position("SAN of a move", &positions, |state| first(state).map(|mv| san::format(state.board(), mv)));
    random_play();
    let text = games(500);
    let plies = read_pgn(&text);
    let time = best(20, || read_pgn(&text));
    let bytes = text.len() as f64 / time / 1e6;
    println!("PGN: {:.2} M plies/s, {bytes:.0} MB/s ({plies} plies)", plies as f64 / time / 1e6);
}
