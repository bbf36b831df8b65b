//! Positions that a search came to, drawn at random: what a network is asked about while it plays.
//!
//! A position of a game is there because both sides played well. Nearly all that a search judges is there because somebody did
//! not, and a network that has never seen such positions judges them badly. So a judge that stands between the search and the
//! evaluation keeps a few of those it is asked about, each as likely as any other, with the moves that lead there.

use std::sync::{Mutex, PoisonError};
use tabia_core::{Evaluate, Game, Judge, Judges, Key, SplitMix64};

/// Keeps some of the positions that a search judges.
pub(crate) struct Witness<'a, G: Game> {
    game: &'a G,
    judges: Option<&'a dyn Judges<G>>,
    /// How many positions are kept.
    most: u32,
    kept: Mutex<Kept<G>>,
}

struct Kept<G: Game> {
    rng: SplitMix64,
    ways: Vec<Vec<Step<G>>>,
}

/// A position of the search, and the key of the one before it.
#[derive(Clone)]
struct Step<G: Game> {
    key: Key,
    before: Option<Key>,
    state: G::State,
}

impl<'a, G: Evaluate> Witness<'a, G> {
    /// A witness of one search.
    pub(crate) fn new(game: &'a G, judges: Option<&'a dyn Judges<G>>, most: u32, seed: u64) -> Self {
        Witness {
            game,
            judges,
            most,
            kept: Mutex::new(Kept { rng: SplitMix64::new(seed), ways: Vec::new() }),
        }
    }

    /// The moves from a position to each of those that were kept below it, where they can be told.
    pub(crate) fn ways(self, from: &G::State) -> Vec<Vec<G::Move>> {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.ways.iter().filter_map(|steps| way(self.game, from, steps)).collect()
    }
}

impl<G: Evaluate> Judges<G> for Witness<'_, G> {
    fn judge(&self) -> Box<dyn Judge<G> + '_> {
        let rng = self.kept.lock().unwrap_or_else(PoisonError::into_inner).rng.clone();
        Box::new(Hearing {
            game: self.game,
            judge: self.judges.map(Judges::judge),
            path: Vec::new(),
            heard: 0,
            places: (0..self.most).map(|_| Place { next: 1, way: Vec::new() }).collect(),
            rng,
            kept: &self.kept,
        })
    }
}

/// One of the positions that are kept: which one is decided anew less and less often.
struct Place<G: Game> {
    /// The next position that takes it.
    next: u64,
    way: Vec<Step<G>>,
}

/// The judge of one thread, and what it has kept so far.
struct Hearing<'a, G: Game> {
    game: &'a G,
    judge: Option<Box<dyn Judge<G> + 'a>>,
    /// The last position that was judged at each ply.
    path: Vec<Option<Step<G>>>,
    heard: u64,
    places: Vec<Place<G>>,
    rng: SplitMix64,
    kept: &'a Mutex<Kept<G>>,
}

impl<G: Evaluate> Judge<G> for Hearing<'_, G> {
    fn judge(&mut self, state: &G::State, ply: usize, before: Option<Key>) -> i32 {
        if self.path.len() <= ply {
            self.path.resize_with(ply + 1, || None);
        }
        self.path[ply] = Some(Step { key: self.game.key(state), before, state: state.clone() });
        if ply > 0 {
            self.heard += 1;
            for place in self.places.iter_mut().filter(|place| place.next == self.heard) {
                place.way = chain(&self.path[..=ply]);
                // The n-th position takes the place with a chance of 1 in n.
                let share = self.rng.unit().max(1e-12);
                place.next = self.heard + 1 + (self.heard as f64 * (1.0 / share - 1.0)) as u64;
            }
        }
        match &mut self.judge {
            Some(judge) => judge.judge(state, ply, before),
            None => self.game.evaluate(state),
        }
    }
}

impl<G: Game> Drop for Hearing<'_, G> {
    fn drop(&mut self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let ways = self.places.drain(..).map(|place| place.way).filter(|way| !way.is_empty());
        kept.ways.extend(ways);
    }
}

/// The positions on the way to the last of a path, as far as they were judged on this way. One at most between two was not: nobody
/// judges where something must be resolved.
fn chain<G: Game>(path: &[Option<Step<G>>]) -> Vec<Step<G>> {
    let Some((Some(last), earlier)) = path.split_last() else { return Vec::new() };
    let mut steps = vec![last.clone()];
    let (mut before, mut missing) = (last.before, 0);
    for step in earlier.iter().skip(1).rev() {
        match step {
            Some(step) if missing == 1 || before == Some(step.key) => {
                steps.push(step.clone());
                (before, missing) = (step.before, 0);
            }
            _ if missing == 0 => missing = 1,
            _ => return Vec::new(),
        }
    }
    steps.reverse();
    steps
}

/// The moves that lead through some positions, looking no further than over one that is missing.
fn way<G: Game>(game: &G, from: &G::State, steps: &[Step<G>]) -> Option<Vec<G::Move>> {
    let (mut now, mut moves) = (from.clone(), Vec::new());
    for step in steps {
        let after = |state: &G::State, mv| {
            let mut after = state.clone();
            game.play(&mut after, mv);
            after
        };
        let listed = |state: &G::State| {
            let mut moves = Vec::new();
            if game.settled(state).is_none() {
                game.moves(state, &mut moves);
            }
            moves
        };
        let key = game.key(&now);
        let direct = listed(&now).into_iter().find(|&mv| game.key(&after(&now, mv)) == step.key);
        if let Some(mv) = direct {
            moves.push(mv);
        } else if step.before == Some(key) {
            // By a pass.
            return None;
        } else {
            let between = listed(&now).into_iter().map(|mv| (mv, after(&now, mv)));
            let mut between = between.filter(|(_, state)| step.before == Some(game.key(state)));
            let (first, state) = between.next()?;
            moves.push(first);
            moves.push(listed(&state).into_iter().find(|&mv| game.key(&after(&state, mv)) == step.key)?);
        }
        now = step.state.clone();
    }
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_draughts::Draughts;

    fn after(game: &Draughts, state: &<Draughts as Game>::State, number: usize) -> <Draughts as Game>::State {
        let (mut moves, mut after) = (Vec::new(), *state);
        game.moves(state, &mut moves);
        game.play(&mut after, moves[number % moves.len()]);
        after
    }

    /// Each of the positions that were judged is as likely to be kept as any other.
    #[test]
    fn every_position_has_the_same_chance() {
        let game = Draughts::default();
        let (root, mut counts) = (game.start(), [0u32; 7]);
        for seed in 0..7000 {
            let witness = Witness::new(&game, None, 1, seed);
            {
                let mut judge = witness.judge();
                judge.judge(&root, 0, None);
                for number in 0..7 {
                    judge.judge(&after(&game, &root, number), 1, Some(game.key(&root)));
                }
            }
            let mut moves = Vec::new();
            game.moves(&root, &mut moves);
            let ways = witness.ways(&root);
            let [way] = &ways[..] else { panic!("{} ways", ways.len()) };
            counts[moves.iter().position(|mv| way[..] == [*mv]).expect("one move")] += 1;
        }
        // Five times the deviation of 1000 in 7000.
        assert!(counts.iter().all(|&count| count.abs_diff(1000) < 150), "{counts:?}");
    }

    /// A position whose predecessor was not judged is led to all the same; one behind two such is not kept.
    #[test]
    fn a_way_leads_over_one_position_that_was_not_judged() {
        let game = Draughts::default();
        let root = game.start();
        let path: Vec<_> = (0..4)
            .scan(root, |state, number| {
                *state = after(&game, state, number);
                Some(*state)
            })
            .collect();
        let ways = |judged: &[usize]| {
            let witness = Witness::new(&game, None, 1, 1);
            {
                let mut judge = witness.judge();
                for &at in judged {
                    let before = if at == 0 { root } else { path[at - 1] };
                    judge.judge(&path[at], at + 1, Some(game.key(&before)));
                }
            }
            let kept =
                witness.kept.lock().expect("nobody panics").ways.iter().map(Vec::len).collect::<Vec<_>>();
            (kept, witness.ways(&root).iter().map(Vec::len).collect::<Vec<_>>())
        };
        let (kept, found) = ways(&[1]);
        assert_eq!((kept, found), (vec![1], vec![2]));
        assert_eq!(ways(&[3]).1, Vec::<usize>::new());
    }
}
