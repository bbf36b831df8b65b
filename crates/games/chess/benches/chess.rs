//! Figures of chess, one thread: `cargo bench -p tabia-chess`. Words choose parts: `-- perft` compares perft with cozy-chess.

#[path = "parts/cozy.rs"]
mod cozy;

use std::hint::black_box;
use std::ops::ControlFlow;
use tabia_chess::{Chess, Move, State, fen, polyglot, san};
use tabia_core::{
    Evaluate, Game, Outcome, Position, ReadGames, RecordedGame, SplitMix64, Work, perft, playout,
};
use tabia_figures::{Figure, Figures, Unit, by_turns};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Ours and two ways with cozy-chess alone, by turns in one run.
fn compare_perft(figures: &mut Figures, name: &str, text: &str, depth: u32) {
    if !figures.wanted("perft") {
        return;
    }
    let (state, board) = (fen::parse(text).expect("a valid FEN"), text.parse().expect("a valid FEN"));
    let nodes = cozy::perft(&board, depth);
    let mut buffers = cozy::lists(depth);
    let ours = || {
        let options = perft::PerftOptions::default();
        perft::perft(&Chess, black_box(&state), depth, options, &Work::unwatched(1))
    };
    let seconds = by_turns(
        figures.rounds(300),
        [
            &mut || assert_eq!(ours(), Ok(nodes)),
            &mut || assert_eq!(cozy::perft(black_box(&board), depth), nodes),
            &mut || assert_eq!(cozy::perft_listed(black_box(&board), depth, &mut buffers), nodes),
        ],
    );
    let [ours, callback, listed] = seconds.map(|seconds| nodes as f64 / seconds / 1e6);
    println!(
        "{name}, cozy-chess alone: {callback:.0} (moves by callback), {listed:.0} (moves listed) M nodes/s"
    );
    let figure = Figure::new("perft", format!("{name}, leaves counted"), Unit::Millions("nodes"));
    figures.tell(figure, &[ours]);
    let figure = Figure::new("perft", format!("{name}, against cozy-chess's faster way"), Unit::Times);
    figures.tell(figure.goal(1.3), &[ours / callback.max(listed)]);
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

/// Nanoseconds of `work` for one of the items.
fn each<T, R>(figures: &mut Figures, figure: Figure, items: &[T], mut work: impl FnMut(&T) -> R) {
    figures.measure(figure, || {
        items.iter().for_each(|item| _ = black_box(work(black_box(item))));
        items.len() as u64
    });
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

fn first_move(state: &State) -> Option<(State, Move)> {
    let mut moves = Vec::new();
    Chess.moves(state, &mut moves);
    moves.first().map(|&mv| (*state, mv))
}

fn main() {
    let mut figures = Figures::new("tabia-chess");
    compare_perft(&mut figures, "perft 4", START, 4);
    compare_perft(&mut figures, "perft 3 of kiwipete", KIWIPETE, 3);
    let figure = Figure::new("playout", "random play", Unit::Millions("plies")).goal(8.0);
    figures.measure(figure, || {
        playout::playouts(&Chess, &Chess.start(), 1, |report| report.playouts >= 500).plies
    });

    let positions = positions(1000);
    let pieces: u32 = positions.iter().map(|state| state.board().occupied().len()).sum();
    println!("{} positions, {:.1} pieces on average", positions.len(), f64::from(pieces) / 1e3);
    let packed: Vec<_> = positions.iter().map(|state| Chess.pack(state)).collect();
    let texts: Vec<_> = positions.iter().map(fen::format).collect();
    let moves: Vec<_> = positions.iter().filter_map(first_move).collect();
    let one = |part: &str, name: &str| Figure::new(part, name, Unit::Nanoseconds);
    let all = &mut figures;
    each(all, one("evaluate", "evaluate"), &positions, |state| Chess.evaluate(state));
    each(all, one("pack", "pack").goal(30.0), &positions, |state| Chess.pack(state));
    each(all, one("unpack", "unpack").goal(60.0), &packed, |packed| Chess.unpack(packed));
    each(all, one("fen", "FEN read").goal(250.0), &texts, |text| fen::parse(text));
    each(all, one("fen", "FEN written"), &positions, fen::format);
    each(all, one("canonical", "canonical packing"), &positions, |state| Chess.pack_canonical(state));
    each(all, one("polyglot", "Polyglot key"), &positions, polyglot::key);
    each(all, one("san", "SAN of a move"), &moves, |(state, mv)| san::format(state.board(), *mv));
    let text = games(500);
    println!("PGN: {:.1} MB", text.len() as f64 / 1e6);
    let figure = Figure::new("pgn", "PGN read, every move checked", Unit::Millions("plies")).goal(1.0);
    figures.measure(figure, || read_pgn(&text) as u64);
}
