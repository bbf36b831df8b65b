//! Laws of [`Actions`]: every legal move has its own number, and the number leads back to it.

use super::{Effort, Verdict, law};
use std::collections::HashSet;
use tabia_core::actions::{legal_moves, mask_bytes};
use tabia_core::{Actions, LegalMoves, Notation, SplitMix64, Symmetry};

/// The first law that fails, if one does.
pub fn actions_verdict<G: Actions + Notation>(game: &G, effort: Effort) -> Verdict {
    let mut rng = SplitMix64::new(effort.seed);
    for start in game.starts() {
        let rules = start.position.rules;
        for _ in 0..effort.games {
            let mut state = start.position.state.clone();
            for _ in 0..effort.plies {
                action_verdict(&rules, &state, &mut rng)?;
                let Some(mv) = rules.random_move(&state, &mut rng, &mut Vec::new()) else { break };
                rules.play(&mut state, mv);
            }
        }
    }
    Ok(())
}

/// Checks one position.
pub fn action_verdict<G: Actions + Notation>(rules: &G, state: &G::State, rng: &mut SplitMix64) -> Verdict {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    let numbers: Vec<usize> = moves.iter().map(|&mv| rules.action_of(state, mv)).collect();
    numbers_fit(rules, state, &moves, &numbers)?;
    numbers_lead_back(rules, state, &moves, &numbers, rng)?;
    legal_moves_agree(rules, state, &moves)?;
    mask_agrees(rules, state, &numbers)?;
    sides_count_alike(rules, state, &moves, &numbers)
}

fn numbers_fit<G: Actions + Notation>(
    rules: &G,
    state: &G::State,
    moves: &[G::Move],
    numbers: &[usize],
) -> Verdict {
    let mut taken = HashSet::new();
    for (mv, &number) in moves.iter().zip(numbers) {
        let show = || format!("{mv:?} is {number} of {} in {}", rules.action_count(), rules.format(state));
        law("an action is below the number of actions", number < rules.action_count(), show)?;
        law("different moves are different actions", taken.insert(number), show)?;
    }
    Ok(())
}

fn numbers_lead_back<G: Actions + Notation>(
    rules: &G,
    state: &G::State,
    moves: &[G::Move],
    numbers: &[usize],
    rng: &mut SplitMix64,
) -> Verdict {
    for (&mv, &number) in moves.iter().zip(numbers) {
        let found = rules.move_of(state, number);
        law("an action gives its move back", found == Some(mv), || {
            format!("{number} is {mv:?}, not {found:?}, in {}", rules.format(state))
        })?;
    }
    let count = rules.action_count();
    let others = (0..8).map(|_| rng.below(count as u64) as usize).chain([count, usize::MAX]);
    for number in others.filter(|number| !numbers.contains(number)) {
        let found = rules.move_of(state, number);
        law("an action of no legal move gives none", found.is_none(), || {
            format!("{number} is {found:?} in {}", rules.format(state))
        })?;
    }
    Ok(())
}

/// Counted, drawn and visited, the legal moves are those that are listed.
fn legal_moves_agree<G: Actions + Notation>(rules: &G, state: &G::State, moves: &[G::Move]) -> Verdict {
    let legal = legal_moves(rules, state);
    let same = |found: &[G::Move]| found.len() == moves.len() && moves.iter().all(|mv| found.contains(mv));
    let drawn: Vec<G::Move> = (0..legal.count()).filter_map(|n| legal.nth(rules, state, n)).collect();
    law("every legal move can be drawn, and nothing else", same(&drawn), || {
        format!("{drawn:?} in {}", rules.format(state))
    })?;
    let beyond = legal.nth(rules, state, legal.count());
    law("there is no legal move beyond the last", beyond.is_none(), || {
        format!("{beyond:?} in {}", rules.format(state))
    })?;
    let mut visited = Vec::new();
    legal.each(rules, state, |mv| visited.push(mv));
    law("legal moves are visited in the order of their list", visited == moves, || {
        format!("{visited:?} in {}", rules.format(state))
    })
}

fn mask_agrees<G: Actions + Notation>(rules: &G, state: &G::State, numbers: &[usize]) -> Verdict {
    let mut bits = vec![0xFF; mask_bytes(rules.action_count())];
    legal_moves(rules, state).mask(rules, state, &mut bits);
    let set: HashSet<usize> = (0..8 * bits.len()).filter(|&a| bits[a / 8] >> (a % 8) & 1 == 1).collect();
    law("the mask has the legal moves and nothing else", set == numbers.iter().copied().collect(), || {
        format!("{set:?} in {}", rules.format(state))
    })
}

/// Where sides can be exchanged, some way of doing it changes no number (others also mirror the board).
fn sides_count_alike<G: Actions + Notation>(
    rules: &G,
    state: &G::State,
    moves: &[G::Move],
    numbers: &[usize],
) -> Verdict {
    let unchanged = |exchange: G::Symmetry| {
        let image = rules.map_state(state, exchange);
        let mapped = moves.iter().map(|&mv| rules.action_of(&image, rules.map_move(mv, exchange)));
        mapped.eq(numbers.iter().copied())
    };
    let mut exchanges = rules.symmetries(state).iter().copied().filter(|s| s.swaps_sides()).peekable();
    let alike = exchanges.peek().is_none() || exchanges.any(unchanged);
    law("both sides number their moves alike", alike, || rules.format(state))
}
