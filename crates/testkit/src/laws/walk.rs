//! Random games for the laws to look at.

use super::Effort;
use tabia_core::{Present, Side, SplitMix64};

/// How the moves of a random game are chosen. Uniform play rarely meets the ends that need most of the
/// pieces gone.
#[derive(Clone, Copy)]
enum Temper {
    Uniform,
    /// A capture where there is one.
    Capturing,
    /// The same, but not one that ends the game where that can be helped.
    Lasting,
}

/// The positions of a random game, and the rules it was played by.
pub(super) struct Trail<G: Present> {
    pub(super) rules: G,
    pub(super) states: Vec<G::State>,
}

/// Random games from every named start.
pub(super) fn trails<G: Present>(game: &G, effort: Effort) -> impl Iterator<Item = Trail<G>> + use<G> {
    let mut rng = SplitMix64::new(effort.seed);
    let starts = game.starts().into_iter();
    let games = starts.flat_map(move |start| (0..effort.games).map(move |n| (start.position.clone(), n)));
    games.map(move |(start, n)| {
        let temper = [Temper::Uniform, Temper::Capturing, Temper::Lasting][n as usize % 3];
        let mut states = vec![start.state];
        while states.len() <= effort.plies as usize
            && let Some(next) = next(&start.rules, &states[states.len() - 1], temper, &mut rng)
        {
            states.push(next);
        }
        Trail { rules: start.rules, states }
    })
}

fn next<G: Present>(rules: &G, state: &G::State, temper: Temper, rng: &mut SplitMix64) -> Option<G::State> {
    let mut moves = listed(rules, state);
    match temper {
        Temper::Uniform => {}
        Temper::Capturing => prefer(&mut moves, |mv| is_capture(rules, state, mv)),
        Temper::Lasting => {
            prefer(&mut moves, |mv| rules.outcome(&after(rules, state, mv)).is_none());
            prefer(&mut moves, |mv| is_capture(rules, state, mv));
        }
    }
    let mv = *moves.get(rng.below(moves.len() as u64) as usize)?;
    Some(after(rules, state, mv))
}

/// Drops the others where there are such moves.
fn prefer<M: Copy>(moves: &mut Vec<M>, wanted: impl Fn(M) -> bool) {
    if moves.iter().any(|&mv| wanted(mv)) {
        moves.retain(|&mv| wanted(mv));
    }
}

/// The legal moves.
pub(super) fn listed<G: Present>(rules: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    moves
}

/// The position after a move.
pub(super) fn after<G: Present>(rules: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = state.clone();
    rules.play(&mut next, mv);
    next
}

/// Whether the picture shows fewer pieces of the opponent after a move.
pub(super) fn is_capture<G: Present>(rules: &G, state: &G::State, mv: G::Move) -> bool {
    let opponent = rules.side(state).other();
    pieces(rules, &after(rules, state, mv), opponent) < pieces(rules, state, opponent)
}

fn pieces<G: Present>(rules: &G, state: &G::State, side: Side) -> usize {
    rules.picture(state).pieces.iter().filter(|piece| piece.side == Some(side)).count()
}
