//! The same work by Tabia and by other people's crates, by turns in one run, by CPU time.
//!
//! Prints a row for each: what, unit, our figure, the peer, its version, its figure, with tabs between them. Perft counts must be
//! equal. Random games end at mate, in stalemate, or after a hundred plies without a capture or a pawn's move; where a crate
//! has a way to play them or to count moves, that one is taken, and where there are two ways, the faster one counts.
//!
//! There is no peer for the other games: no crate that plays English draughts, Arx or peg solitaire was found in the registry.

#[path = "../../crates/games/chess/benches/parts/cozy.rs"]
mod cozy;

use board_game::board::Board as _;
use board_game::games::chess::{ChessBoard, Rules};
use board_game::util::game_stats::perft_naive;
use cpu_time::ProcessTime;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::hint::black_box;
use tabia_chess::{Chess, fen};
use tabia_core::{Game, SplitMix64, Work, perft, playout};

const ROUNDS: usize = 10;
const GAMES: u64 = 200;
const LONGEST_QUIET: u32 = 100;

const POSITIONS: [(&str, &str, u32); 2] = [
    ("chess perft 5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("chess perft 4 of kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
];

/// Some work that says how many things it did.
type Task<'a> = (&'a str, &'a dyn Fn() -> u64);

fn main() {
    for (what, text, depth) in POSITIONS {
        let state = fen::parse(text).expect("a valid FEN");
        let cozy: cozy_chess::Board = text.parse().expect("a valid FEN");
        let plain: chess::Board = text.parse().expect("a valid FEN");
        let board = ChessBoard::new_without_history(plain, Rules::unlimited());
        let options = perft::PerftOptions::default();
        let ours = || perft::perft(&Chess, &state, depth, options, &Work::unwatched(1)).expect("a count");
        let tasks: [Task<'_>; 5] = [
            ("tabia-chess", &ours),
            ("cozy-chess", &|| cozy::perft(&cozy, depth)),
            ("cozy-chess", &|| cozy::perft_listed(&cozy, depth, &mut cozy::lists(depth))),
            ("chess", &|| chess::MoveGen::movegen_perft_test(&plain, depth as usize) as u64),
            ("board-game", &|| perft_naive(&board, depth)),
        ];
        let counts = tasks.map(|(_, task)| task());
        assert!(counts.iter().all(|&count| count == counts[0]), "{what}: {counts:?}");
        compare(what, "M nodes/s", &tasks);
    }
    let ours = || playout::playouts(&Chess, &Chess.start(), 1, |report| report.playouts >= GAMES).plies;
    compare(
        "chess, random play",
        "M plies/s",
        &[
            ("tabia-chess", &ours),
            ("cozy-chess", &cozy_play),
            ("chess", &chess_play),
            ("board-game", &board_game_play),
        ],
    );
}

/// Measures all, the first of which is ours, and prints a row for each of the others.
fn compare(what: &str, unit: &str, tasks: &[Task<'_>]) {
    let mut rates = vec![0f64; tasks.len()];
    for _ in 0..ROUNDS {
        for (rate, (_, task)) in rates.iter_mut().zip(tasks) {
            let clock = ProcessTime::now();
            let done = black_box(task());
            *rate = rate.max(done as f64 / clock.elapsed().as_secs_f64() / 1e6);
        }
    }
    let mut peers: Vec<&str> = tasks.iter().skip(1).map(|(peer, _)| *peer).collect();
    peers.dedup();
    for peer in peers {
        let ways = tasks.iter().zip(&rates).filter(|((name, _), _)| *name == peer);
        let best = ways.map(|(_, rate)| *rate).fold(0.0, f64::max);
        println!("{what}\t{unit}\t{}\t{peer}\t{}\t{}", number(rates[0]), version(peer), number(best));
    }
}

/// Three digits.
fn number(value: f64) -> String {
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}")
}

/// The version that was built.
fn version(name: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split_once(&format!("name = \"{name}\"\nversion = \"")).map(|(_, rest)| rest);
    entry.and_then(|rest| rest.split('"').next()).unwrap_or("?")
}

fn cozy_play() -> u64 {
    let (mut rng, mut moves, mut plies) = (SplitMix64::new(1), Vec::with_capacity(256), 0);
    for _ in 0..GAMES {
        let mut board = cozy_chess::Board::default();
        while u32::from(board.halfmove_clock()) < LONGEST_QUIET {
            moves.clear();
            board.generate_moves(|found| {
                moves.extend(found);
                false
            });
            if moves.is_empty() {
                break;
            }
            board.play_unchecked(moves[rng.below(moves.len() as u64) as usize]);
            plies += 1;
        }
    }
    plies
}

fn chess_play() -> u64 {
    let (mut rng, mut plies) = (SplitMix64::new(1), 0);
    for _ in 0..GAMES {
        let (mut board, mut quiet) = (chess::Board::default(), 0);
        while quiet < LONGEST_QUIET {
            let mut moves = chess::MoveGen::new_legal(&board);
            let count = moves.len() as u64;
            if count == 0 {
                break;
            }
            let Some(mv) = moves.nth(rng.below(count) as usize) else { break };
            let pawn = board.piece_on(mv.get_source()) == Some(chess::Piece::Pawn);
            let capture = board.piece_on(mv.get_dest()).is_some();
            quiet = if pawn || capture { 0 } else { quiet + 1 };
            board = board.make_move_new(mv);
            plies += 1;
        }
    }
    plies
}

/// By its own rules, which see repetitions too.
fn board_game_play() -> u64 {
    let (mut rng, mut plies) = (SmallRng::seed_from_u64(1), 0);
    for _ in 0..GAMES {
        let mut board = ChessBoard::default();
        while board.play_random_available_move(&mut rng).is_ok() {
            plies += 1;
        }
    }
    plies
}
