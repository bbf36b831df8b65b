//! Little time.

use crate::engine::{Engine, MATE_IN_ONE};
use std::time::{Duration, Instant};
use tabia_app::Registry;

#[test]
fn without_time_a_move_comes_all_the_same() {
    let mut engine = Engine::start();
    for go in ["go wtime 5 btime 5", "go wtime 0 btime 0", "go wtime -50 btime -50", "go movetime 1"] {
        engine.say("position startpos moves e2e4");
        engine.say(go);
        assert_eq!(engine.best().len(), 4, "{go}");
    }
    // Nothing but a glance, and still not blind.
    engine.say(MATE_IN_ONE);
    engine.say("go wtime 5 btime 5");
    assert_eq!(engine.best(), "e1e8");
    engine.end();
}

/// Plays one game between two engines with so much time each for the whole of it; how many plies it took,
/// and whose flag fell.
fn play(engines: &mut [Engine; 2], opening: &[String], time: Duration) -> (usize, Option<usize>) {
    let mut position = Registry::standard().find("chess").expect("chess is there").start();
    opening.iter().for_each(|mv| position.play(mv).expect("legal"));
    for engine in engines.iter_mut() {
        engine.say("ucinewgame");
        engine.until_ready();
    }
    let (mut left, mut moves) = ([time; 2], opening.to_vec());
    while position.view().outcome.is_none() && moves.len() < 600 {
        let side = moves.len() % 2;
        let [white, black] = left.map(|left| left.as_millis());
        engines[side].say(&format!("position startpos moves {}", moves.join(" ")));
        let began = Instant::now();
        engines[side].say(&format!("go wtime {white} btime {black}"));
        let best = engines[side].best();
        let Some(rest) = left[side].checked_sub(began.elapsed()) else { return (moves.len(), Some(side)) };
        left[side] = rest;
        position.play(&best).unwrap_or_else(|error| panic!("{best} after {moves:?}: {error}"));
        moves.push(best);
    }
    (moves.len(), None)
}

#[test]
#[ignore = "long: looks at the clock, so the machine must have nothing else to do"]
fn fifty_milliseconds_are_enough_for_a_whole_game() {
    let mut engines = [Engine::start(), Engine::start()];
    let registry = Registry::standard();
    let chess = registry.find("chess").expect("chess is there");
    let mut lost = Vec::new();
    for game in 0..20 {
        // Another opening every time: the game-th first move, and an answer to it.
        let first = chess.start().moves().swap_remove(game).text;
        let mut position = chess.start();
        position.play(&first).expect("legal");
        let second = position.moves().swap_remove(19 - game).text;
        let (plies, flag) = play(&mut engines, &[first, second], Duration::from_millis(50));
        println!("game {}: {plies} plies, flag {flag:?}", game + 1);
        lost.extend(flag);
    }
    assert!(lost.is_empty(), "lost on time: {lost:?}");
}
