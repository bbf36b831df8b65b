//! The law suite: what is true of every game in every position.

use crate::symmetry_laws;
use std::collections::{HashMap, HashSet};
use tabia_core::{Game, Key, Outcome, Packed, Present, SplitMix64};

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Random games to play from each named start.
    pub games: u32,
    /// Plies after which a game is left.
    pub plies: u32,
    /// Where the randomness starts.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { games: 12, plies: 120, seed: 0x7ab1a }
    }
}

/// A law that does not hold, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law.
    pub law: &'static str,
    /// The position and what was seen there.
    pub details: String,
}

/// What a single law answers.
pub type Verdict = Result<(), Violation>;

/// Fails with `law` unless `holds`.
pub fn law(law: &'static str, holds: bool, details: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Violation { law, details: details() }) }
}

/// Checks every law and panics at the first that fails.
pub fn check<G: Present>(game: &G, options: &Options) {
    check_with_symmetries(game, options, |_| Vec::new());
}

/// Checks every law, for games whose group is too large to list: `elements` draws some of it.
pub fn check_with_symmetries<G: Present>(
    game: &G,
    options: &Options,
    elements: impl Fn(&mut SplitMix64) -> Vec<G::Symmetry>,
) {
    if let Err(violation) = first_violation(game, options, elements) {
        panic!("{}: the law «{}» fails: {}", game.id(), violation.law, violation.details);
    }
}

/// The first law that fails, if one does.
pub fn first_violation<G: Present>(
    game: &G,
    options: &Options,
    elements: impl Fn(&mut SplitMix64) -> Vec<G::Symmetry>,
) -> Verdict {
    starts_are_named(game)?;
    let mut walk = Walk { met: HashMap::new(), pool: Vec::new() };
    let mut rng = SplitMix64::new(options.seed);
    for start in game.starts() {
        let rules = start.position.rules;
        for _ in 0..options.games {
            let mut state = start.position.state.clone();
            for _ in 0..options.plies {
                let mut moves = Vec::new();
                rules.moves(&state, &mut moves);
                let drawn = elements(&mut rng);
                walk.position(&rules, &state, &moves, &mut rng)?;
                symmetry_laws::check(&rules, &state, &moves, &drawn)?;
                let Some(&mv) = moves.get(rng.below(moves.len() as u64) as usize) else { break };
                rules.play(&mut state, mv);
            }
        }
    }
    Ok(())
}

fn starts_are_named<G: Present>(game: &G) -> Verdict {
    let starts = game.starts();
    let ids: HashSet<_> = starts.iter().map(|start| &start.id).collect();
    law("named starts have different names", ids.len() == starts.len(), || format!("{ids:?}"))?;
    let first = starts.first().map(|start| &start.position.state);
    law("the first named start is the start", first == Some(&game.start()), || format!("{first:?}"))?;
    let cells = game.geometry().cells;
    let ids: HashSet<_> = cells.iter().map(|cell| &cell.id).collect();
    law("cells have different names", ids.len() == cells.len(), || format!("{} cells", cells.len()))
}

/// A walk through positions, with the memory that laws about several positions need.
struct Walk<G: Game> {
    met: HashMap<Key, (String, G::State)>,
    pool: Vec<G::Move>,
}

impl<G: Present> Walk<G> {
    fn position(&mut self, rules: &G, state: &G::State, moves: &[G::Move], rng: &mut SplitMix64) -> Verdict {
        let text = rules.format(state);
        text_round_trip(rules, state, &text)?;
        packed_round_trip(rules, state, &text, rng)?;
        self.key_is_exact_here(rules, state, &text)?;
        moves_agree(rules, state, moves, &text, rng)?;
        move_texts(rules, state, moves, &text)?;
        self.other_moves_are_refused(rules, state, moves, &text)?;
        dead_positions_stay_dead(rules, state, moves, &text)?;
        picture_fits(rules, state, moves, &text)?;
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
            law("text gives the same position back", read.state == *state, || {
                format!("{text}: {:?}", read.state)
            })?;
            law("text keeps the rules", read.rules.variant() == rules.variant(), || text.to_owned())?;
            law(
                "the key equals the key rebuilt from text",
                rules.key(&read.state) == rules.key(state),
                || format!("{text}: {} after play, {} from text", rules.key(state), rules.key(&read.state)),
            )?;
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

fn moves_agree<G: Game>(
    rules: &G,
    state: &G::State,
    moves: &[G::Move],
    text: &str,
    rng: &mut SplitMix64,
) -> Verdict {
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
    let mut buffer = Vec::new();
    let mut drawn = HashSet::new();
    let draws = if rng.below(16) == 0 { 40 * moves.len() } else { 2 };
    for _ in 0..draws {
        let mv = rules.random_move(state, rng, &mut buffer);
        law(
            "a random move is a legal move",
            mv.is_some_and(|mv| distinct.contains(&mv)) || moves.is_empty(),
            || format!("{mv:?} in {text}"),
        )?;
        drawn.extend(mv);
    }
    law("random moves reach every move", draws == 2 || drawn.len() == moves.len(), || text.to_owned())
}

fn move_texts<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    for &mv in moves {
        let word = rules.format_move(state, mv);
        let read = rules.parse_move(state, &word);
        law("a written move can be read", read == Ok(mv), || format!("{word:?} in {text}: {read:?}"))?;
    }
    Ok(())
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

fn picture_fits<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    let geometry = rules.geometry();
    let cells: HashSet<_> = geometry.cells.iter().map(|cell| cell.id.as_str()).collect();
    let picture = rules.picture(state);
    let shown = picture.pieces.iter().map(|p| &p.cell).chain(picture.marks.iter().map(|m| &m.cell));
    for cell in shown {
        law("pieces stand on cells", cells.contains(cell.as_str()), || format!("{cell} in {text}"))?;
    }
    for &mv in moves {
        let steps = rules.steps(state, mv);
        let known = !steps.is_empty() && steps.iter().all(|step| cells.contains(step.as_str()));
        law("moves are clicked on cells", known, || format!("{steps:?} in {text}"))?;
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

/// Panics unless these Zobrist keys are good ones: none zero, none twice, no three or four that
/// cancel out, and together of full rank.
pub fn key_table(keys: impl IntoIterator<Item = Key>) {
    if let Err(violation) = key_table_verdict(&keys.into_iter().collect::<Vec<_>>()) {
        panic!("{}: {}", violation.law, violation.details);
    }
}

/// The first thing wrong with a table of Zobrist keys.
pub fn key_table_verdict(keys: &[Key]) -> Verdict {
    let mut singles = HashSet::new();
    for key in keys {
        law("no key is zero", key.0 != 0, || "0".to_owned())?;
        law("no key stands twice", singles.insert(key.0), || key.to_string())?;
    }
    // Two pairs with one sum are four keys that cancel out; a pair that sums to a key makes three.
    let mut pairs = HashSet::new();
    for (i, a) in keys.iter().enumerate() {
        for b in &keys[..i] {
            let sum = a.0 ^ b.0;
            law("no three keys cancel out", !singles.contains(&sum), || format!("{a} {b}"))?;
            law("no four keys cancel out", pairs.insert(sum), || format!("{a} {b}"))?;
        }
    }
    let wanted = keys.len().min(64);
    law("keys have full rank", rank(keys) == wanted, || format!("rank {} of {wanted}", rank(keys)))
}

/// The rank of the keys as vectors over the field of two elements.
pub fn rank(keys: &[Key]) -> usize {
    let mut basis: Vec<u64> = Vec::new();
    for key in keys {
        // `min` clears the leading bit of each basis vector, where it is set.
        let reduced = basis.iter().fold(key.0, |rest, vector| rest.min(rest ^ vector));
        if reduced != 0 {
            basis.push(reduced);
            basis.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    basis.len()
}
