//! A book made of nothing but a list of games: slow, and plainly right.

use std::collections::{BTreeSet, HashMap};
use tabia_book::{Book, Counts, QueryOptions};
use tabia_core::{Game, RecordedGame, Symmetry};

/// Every position of every game, in every orientation.
pub(crate) struct Oracle<'a, G: Game> {
    games: &'a [RecordedGame<G>],
}

impl<'a, G: Game> Oracle<'a, G> {
    pub(crate) fn new(games: &'a [RecordedGame<G>]) -> Self {
        Oracle { games }
    }

    /// Asks the book about every position of the games and compares.
    pub(crate) fn check(&self, book: &Book<'_, G>) {
        let rules = book.rules();
        let mut met: HashMap<G::State, Counts> = HashMap::new();
        let mut played: HashMap<(G::State, G::Move), Counts> = HashMap::new();
        for game in self.games {
            let (positions, moves) = images(rules, game);
            let outcome = game.outcome.expect("a result");
            for (state, swap) in positions {
                *met.entry(state).or_default() += Counts::one(outcome.swapped(swap));
            }
            for (state, mv, swap) in moves {
                *played.entry((state, mv)).or_default() += Counts::one(outcome.swapped(swap));
            }
        }
        for (state, totals) in &met {
            let answer = book
                .query(state, QueryOptions { min_games: 0, ..QueryOptions::default() })
                .expect("an answer");
            assert_eq!(answer.totals, *totals, "{state:?}");
            let mut legal = Vec::new();
            rules.moves(state, &mut legal);
            assert_eq!(answer.moves.iter().map(|m| 1 + m.same.len()).sum::<usize>(), legal.len());
            for stats in &answer.moves {
                for mv in std::iter::once(&stats.mv).chain(&stats.same) {
                    let expected = played.get(&(state.clone(), *mv)).copied().unwrap_or_default();
                    assert_eq!(stats.played, expected, "{state:?} {mv:?}");
                    let mut child = state.clone();
                    rules.play(&mut child, *mv);
                    assert_eq!(
                        stats.reached,
                        met.get(&child).copied().unwrap_or_default(),
                        "{state:?} {mv:?}"
                    );
                }
            }
        }
    }
}

type Seen<G> = Vec<(<G as Game>::State, bool)>;
type Done<G> = Vec<(<G as Game>::State, <G as Game>::Move, bool)>;

/// What a game met and played, seen through every symmetry, each once.
fn images<G: Game>(rules: &G, game: &RecordedGame<G>) -> (Seen<G>, Done<G>) {
    let (mut positions, mut moves): (Seen<G>, Done<G>) = (Vec::new(), Vec::new());
    let mut state = game.start.state.clone();
    let mut known = BTreeSet::new();
    for ply in 0..=game.moves.len() {
        for &symmetry in rules.symmetries(&state) {
            let image = rules.map_state(&state, symmetry);
            let swap = symmetry.swaps_sides();
            if known.insert(format!("{image:?}")) {
                positions.push((image.clone(), swap));
            }
            if let Some(&mv) = game.moves.get(ply) {
                let mv = rules.map_move(mv, symmetry);
                if known.insert(format!("{image:?} {mv:?}")) {
                    moves.push((image, mv, swap));
                }
            }
        }
        if let Some(&mv) = game.moves.get(ply) {
            rules.play(&mut state, mv);
        }
    }
    (positions, moves)
}
