//! How far networks are from the scores of games they have not learnt from: in positions that were played, and in those that
//! searches looked at.
//!
//! ```text
//! gaps GAMES NET ..        GAMES: a file of games of chess with asides (tabia train chess --games-only --asides 2)
//! ```
//!
//! Prints, for each network and either kind of position, the mean squared difference of the points that both expect, and how often it
//! is more than a quarter of a point.

use std::path::Path;
use tabia_chess::{Chess, State};
use tabia_core::Game;
use tabia_nnue::games::NO_SCORE;
use tabia_nnue::{GamesReader, Learned, Net, PlayedGame};

type Failure = Box<dyn std::error::Error>;

/// Hundredths that make a win e times as likely as a loss.
const SCALE: f64 = 200.0;
/// Scores beyond this are decided games.
const MOST_SCORE: i16 = 3000;
/// A difference that is large.
const FAR: f64 = 0.25;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((games, nets)) = words.split_first() else { return Err("gaps GAMES NET ..".into()) };
    let games = GamesReader::open(Path::new(games), &Chess)?.games;
    let (mut played, mut asides) = (Vec::new(), Vec::new());
    games.iter().for_each(|game| collect(game, &mut played, &mut asides));
    for path in nets {
        let learned = Learned::new(Chess, Net::read(Path::new(path))?)?;
        for (name, positions) in [("played", &played), ("looked at", &asides)] {
            let points = |hundredths: i32| 1.0 / (1.0 + (-f64::from(hundredths) / SCALE).exp());
            let off = |(state, score): &(State, i16)| points(learned.value(state)) - points((*score).into());
            let (square, far) = positions
                .iter()
                .map(off)
                .fold((0.0, 0), |(square, far), off| (square + off * off, far + u32::from(off.abs() > FAR)));
            let count = positions.len().max(1) as f64;
            println!(
                "{path}: {} positions {name}, error {:.5}, far off {:.1} %",
                positions.len(),
                square / count,
                100.0 * f64::from(far) / count
            );
        }
    }
    Ok(())
}

/// The positions of a game that have a score.
fn collect(game: &PlayedGame, played: &mut Vec<(State, i16)>, asides: &mut Vec<(State, i16)>) {
    let has_score = |score: i16| score != NO_SCORE && score.abs() <= MOST_SCORE;
    let (mut state, mut moves) = (Chess.start(), Vec::new());
    let mut play = |state: &mut State, number: u16| {
        moves.clear();
        Chess.moves(state, &mut moves);
        if let Some(&mv) = moves.get(usize::from(number)) {
            Chess.play(state, mv);
        }
    };
    for (&(number, score), at) in game.plies.iter().zip(0..) {
        if has_score(score) {
            played.push((state, score));
        }
        for aside in game.asides.iter().filter(|aside| aside.from == at && has_score(aside.score)) {
            let mut there = state;
            aside.moves.iter().for_each(|&number| play(&mut there, number));
            asides.push((there, aside.score));
        }
        play(&mut state, number);
    }
}
