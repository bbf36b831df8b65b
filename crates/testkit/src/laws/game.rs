//! Laws of every game: codes, keys and moves.

use super::walk::{after, listed, trails};
use super::{Effort, Verdict, law, picture, symmetry, variant};
use std::collections::{HashMap, HashSet};
use tabia_core::{Game, Key, Outcome, Packed, Present, SplitMix64};

/// The first law of every game that fails, if one does. `elements` draws symmetries where the group is too
/// large to list.
pub fn game_verdict<G: Present>(
    game: &G,
    effort: Effort,
    elements: impl Fn(&mut SplitMix64) -> Vec<G::Symmetry>,
) -> Verdict {
    starts_are_named(game)?;
    let starts: Vec<_> = game.starts().into_iter().map(|start| start.position).collect();
    variant::starts(game, &starts)?;
    let mut memory = Memory { met: HashMap::new(), pool: Vec::new() };
    let mut rng = SplitMix64::new(effort.seed);
    for trail in trails(game, effort) {
        for state in &trail.states {
            let moves = listed(&trail.rules, state);
            let drawn = elements(&mut rng);
            memory.position(&trail.rules, state, &moves, &mut rng)?;
            picture::check(&trail.rules, state, &moves)?;
            symmetry::check(&trail.rules, state, &moves, &drawn)?;
        }
    }
    Ok(())
}

fn starts_are_named<G: Present>(game: &G) -> Verdict {
    let starts = game.starts();
    let ids: HashSet<_> = starts.iter().map(|start| &start.id).collect();
    law("named starts have different names", ids.len() == starts.len(), || format!("{ids:?}"))?;
    let first = starts.first().map(|start| &start.position.state);
    law("the first named start is the start", first == Some(&game.start()), || format!("{first:?}"))
}

/// What laws about several positions remember.
struct Memory<G: Game> {
    met: HashMap<Key, (String, G::State)>,
    pool: Vec<G::Move>,
}

impl<G: Present> Memory<G> {
    fn position(&mut self, rules: &G, state: &G::State, moves: &[G::Move], rng: &mut SplitMix64) -> Verdict {
        let text = rules.format(state);
        text_round_trip(rules, state, &text)?;
        packed_round_trip(rules, state, &text, rng)?;
        keys_follow_moves(rules, state, moves, &text)?;
        self.key_is_exact_here(rules, state, &text)?;
        moves_agree(rules, state, moves, &text)?;
        random_moves_agree(rules, state, moves, &text, rng)?;
        move_numbers(rules, state, moves, &text)?;
        move_texts(rules, state, moves, &text)?;
        self.other_moves_are_refused(rules, state, moves, &text)?;
        dead_positions_stay_dead(rules, state, moves, &text)?;
        strata_never_rise(rules, state, moves, &text)?;
        codes_round_trip(rules, state, &text)
    }

    /// Finds keys that are zero or equal, which no comparison with a rebuilt hash can see.
    fn key_is_exact_here(&mut self, rules: &G, state: &G::State, text: &str) -> Verdict {
        let met = self.met.entry(rules.key(state)).or_insert_with(|| (rules.variant(), state.clone()));
        law("different positions have different keys", met.0 != rules.variant() || met.1 == *state, || {
            format!("{text} and {} share {}", rules.format(&met.1), rules.key(state))
        })
    }

    fn other_moves_are_refused(
        &mut self,
        rules: &G,
        state: &G::State,
        moves: &[G::Move],
        text: &str,
    ) -> Verdict {
        for &mv in self.pool.iter().filter(|mv| !moves.contains(mv)) {
            law("a move that is not listed is refused", rules.check_move(state, mv).is_err(), || {
                format!("{mv:?} in {text}")
            })?;
        }
        let fresh: Vec<_> = moves.iter().filter(|mv| !self.pool.contains(mv)).take(4).copied().collect();
        if self.pool.len() < 400 {
            self.pool.extend(fresh);
        }
        Ok(())
    }
}

fn text_round_trip<G: Present>(rules: &G, state: &G::State, text: &str) -> Verdict {
    match rules.parse(text) {
        Err(error) => law("a written position can be read", false, || format!("{text}: {error}")),
        Ok(read) => {
            law(
                "the key equals the key rebuilt from text",
                rules.key(&read.state) == rules.key(state),
                || format!("{text}: {} after play, {} from text", rules.key(state), rules.key(&read.state)),
            )?;
            law("text gives the same position back", read.state == *state, || {
                format!("{text}: {:?}", read.state)
            })?;
            law("text keeps the rules", read.rules.variant() == rules.variant(), || text.to_owned())?;
            law("text is written in one way", read.rules.format(&read.state) == text, || text.to_owned())
        }
    }
}

fn packed_round_trip<G: Present>(rules: &G, state: &G::State, text: &str, rng: &mut SplitMix64) -> Verdict {
    let packed = rules.pack(state);
    let bytes = packed.as_bytes();
    law("bytes give the same encoding back", G::Packed::from_bytes(bytes) == Some(packed), || {
        text.to_owned()
    })?;
    match rules.unpack(&packed) {
        Err(error) => law("a packed position can be unpacked", false, || format!("{text}: {error}"))?,
        Ok(back) => {
            law("unpacking gives the position", rules.packs_canonically() || back == *state, || {
                format!("{text}: {back:?}")
            })?;
            law("packing again gives the same bytes", rules.pack(&back) == packed, || text.to_owned())?;
            let keys_agree = rules.packs_canonically() || rules.key(&back) == rules.key(state);
            law("the key equals the key rebuilt from bytes", keys_agree, || text.to_owned())?;
        }
    }
    // Damage a byte: what is still accepted must be exactly what that code stands for.
    let mut damaged = bytes.to_vec();
    let at = rng.below(damaged.len() as u64) as usize;
    if let Some(byte) = damaged.get_mut(at) {
        *byte ^= 1 << rng.below(8);
    }
    if let Some(other) = G::Packed::from_bytes(&damaged)
        && let Ok(back) = rules.unpack(&other)
    {
        law("an encoding is the only one of its position", rules.pack(&back) == other, || {
            format!("{damaged:02x?} stands for {}", rules.format(&back))
        })?;
    }
    Ok(())
}

fn moves_agree<G: Game>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    let distinct: HashSet<_> = moves.iter().copied().collect();
    law("every move is listed once", distinct.len() == moves.len(), || text.to_owned())?;
    let counted = rules.count_moves(state);
    law("counting agrees with listing", counted == moves.len() as u64, || {
        format!("{text}: counted {counted}, listed {}", moves.len())
    })?;
    law(
        "a game is over exactly when there is no move",
        rules.outcome(state).is_some() == moves.is_empty(),
        || format!("{text}: {:?} with {} moves", rules.outcome(state), moves.len()),
    )?;
    for &mv in moves {
        let verdict = rules.check_move(state, mv);
        law("every listed move is accepted", verdict.is_ok(), || format!("{mv:?} in {text}: {verdict:?}"))?;
    }
    Ok(())
}

fn random_moves_agree<G: Game>(
    rules: &G,
    state: &G::State,
    moves: &[G::Move],
    text: &str,
    rng: &mut SplitMix64,
) -> Verdict {
    let (mut buffer, mut drawn) = (Vec::new(), HashSet::new());
    // Every move is waited for in some positions only: that takes long.
    let waits = rng.below(16) == 0;
    for _ in 0..if waits { 2 + 40 * moves.len() } else { 2 } {
        let mv = rules.random_move(state, rng, &mut buffer);
        let legal = mv.map_or(moves.is_empty(), |mv| moves.contains(&mv));
        law("a random move is a legal move", legal, || format!("{mv:?} in {text}"))?;
        drawn.extend(mv);
    }
    law("random moves reach every move", !waits || drawn.len() == moves.len(), || text.to_owned())
}

/// A key that a move did not bring up to date is found here, move by move, before any other law trips over it.
fn keys_follow_moves<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    for &mv in moves {
        let next = after(rules, state, mv);
        let written = rules.format(&next);
        let word = rules.format_move(state, mv);
        let read = match rules.parse(&written) {
            Ok(read) => read,
            Err(error) => {
                return law("a written position can be read", false, || {
                    format!("{written}, after {word} in {text}: {error}")
                });
            }
        };
        let (played, rebuilt) = (rules.key(&next), rules.key(&read.state));
        law("the key follows every move", played == rebuilt, || {
            format!("{word} in {text} leads to {written}: {played} after play, {rebuilt} from text")
        })?;
    }
    Ok(())
}

/// Databases take moves with one number for one move, so they must lead to one class of positions.
fn move_numbers<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    let numbered = moves.iter().filter(|&&mv| rules.move_number(state, mv).is_some()).count();
    law("all moves have numbers, or none", numbered == 0 || numbered == moves.len(), || text.to_owned())?;
    let mut numbers = HashMap::new();
    for &mv in moves {
        let Some(number) = rules.move_number(state, mv) else { break };
        let packed = rules.pack_canonical(&after(rules, state, mv));
        let (other, first) = *numbers.entry(number).or_insert((mv, packed));
        law("different moves have different numbers", first == packed, || {
            format!("{other:?} and {mv:?} are both number {number} in {text}")
        })?;
    }
    Ok(())
}

fn move_texts<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    for &mv in moves {
        let word = rules.format_move(state, mv);
        let read = rules.parse_move(state, &word);
        law("a written move can be read", read == Ok(mv), || format!("{word:?} in {text}: {read:?}"))?;
    }
    Ok(())
}

fn strata_never_rise<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    let here = rules.stratum(state);
    let image = rules.stratum(&rules.canonicalise(state).state);
    law("symmetric positions are of the same stratum", here == image, || {
        format!("{text}: {here:?}, {image:?}")
    })?;
    let rises = |mv: &&G::Move| match (here, rules.stratum(&after(rules, state, **mv))) {
        (Some(here), Some(next)) => next > here,
        (here, next) => here != next,
    };
    let rising = moves.iter().find(rises);
    law("no move leads to a higher stratum", rising.is_none(), || format!("{text}: {rising:?}"))
}

fn dead_positions_stay_dead<G: Game>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    if !rules.is_dead(state) {
        return Ok(());
    }
    let winner = rules.outcome(state).and_then(Outcome::winner);
    law("nobody has won in a dead position", winner.is_none(), || text.to_owned())?;
    for &mv in moves {
        let mut next = state.clone();
        rules.play(&mut next, mv);
        law("what follows a dead position is dead", rules.is_dead(&next), || format!("{mv:?} in {text}"))?;
    }
    Ok(())
}

fn codes_round_trip<G: Present>(rules: &G, state: &G::State, text: &str) -> Verdict {
    for format in rules.formats().iter().filter(|format| format.reversible) {
        // A code may be undefined for some positions; it says so.
        let Ok(code) = rules.encode(state, &format.id) else { continue };
        let same = match rules.decode(&code, &format.id) {
            Ok(read) => read.rules.pack_canonical(&read.state) == rules.pack_canonical(state),
            Err(_) => false,
        };
        law("a code gives the position back", same, || format!("{}: {code} for {text}", format.id))?;
    }
    Ok(())
}
