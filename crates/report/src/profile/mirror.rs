//! Does it pay to copy the other player's moves, seen through a symmetry?

use super::Subject;
use super::play::LONGEST;
use super::players::{Play, about};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tabia_core::{Outcome, Position, Present, Record, Side, SplitMix64, Symmetry};

/// Games against each opponent in a piece of work.
const GAMES: u64 = 16;

/// How a player fared who copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Copied {
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    /// Moves, and those that were copies.
    pub(super) moves: u64,
    pub(super) copies: u64,
}

/// By symmetry and opponent: `rotate-180 against random`.
pub(super) type Mirrored = BTreeMap<String, Copied>;

/// Lets the second player copy through every symmetry of the start.
pub(super) fn games<G: Present>(
    subject: &Subject<'_, G>,
    opponents: &mut [(&str, u64, &mut dyn Play<G>)],
    seed: u64,
) -> Mirrored {
    let mut rng = SplitMix64::new(seed);
    let mut found = Mirrored::new();
    for &symmetry in subject.rules.symmetries(&subject.start) {
        if symmetry == G::Symmetry::IDENTITY {
            continue;
        }
        for (name, nodes, opponent) in opponents.iter_mut() {
            let copied = found.entry(format!("{} against {name}", symmetry.name())).or_default();
            for _ in 0..GAMES {
                opponent.new_game();
                game(subject, symmetry, *nodes, *opponent, &mut rng, copied);
            }
        }
    }
    found
}

/// One game: the second player copies where that is legal, and moves at random elsewhere.
fn game<G: Present>(
    subject: &Subject<'_, G>,
    symmetry: G::Symmetry,
    nodes: u64,
    opponent: &mut dyn Play<G>,
    rng: &mut SplitMix64,
    copied: &mut Copied,
) {
    let rules = &subject.rules;
    let mut record = Record::new(Position { rules: rules.clone(), state: subject.start.clone() });
    let mut moves = Vec::new();
    while record.outcome().is_none() && record.moves().len() < LONGEST {
        let first = rules.side(record.state()) == Side::First;
        let copy = record.moves().last().map(|&last| rules.map_move(last, symmetry));
        moves.clear();
        rules.moves(record.state(), &mut moves);
        let copy = copy.filter(|copy| !first && moves.contains(copy));
        // The opponent's first move is any, so that games differ.
        let mv = if let Some(copy) = copy {
            Some(copy)
        } else if first && !record.moves().is_empty() {
            let nodes = about(nodes, rng);
            opponent.choose(&record, nodes, rng).map(|choice| choice.mv)
        } else {
            moves.get(rng.below(moves.len() as u64) as usize).copied()
        };
        let Some(mv) = mv else { break };
        copied.moves += u64::from(!first);
        copied.copies += u64::from(copy.is_some());
        record.play_unchecked(mv);
    }
    copied.games += 1;
    copied.wins += u64::from(record.outcome() == Some(Outcome::Win(Side::Second)));
    copied.draws += u64::from(record.outcome().is_none_or(|outcome| outcome == Outcome::Draw));
}

/// Adds what other games came to.
pub(super) fn plus(all: &mut Mirrored, other: &Mirrored) {
    for (name, copied) in other {
        let sum = all.entry(name.clone()).or_default();
        sum.games += copied.games;
        sum.wins += copied.wins;
        sum.draws += copied.draws;
        sum.moves += copied.moves;
        sum.copies += copied.copies;
    }
}
