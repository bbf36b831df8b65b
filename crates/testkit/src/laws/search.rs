//! Laws of games that are searched: the evaluation, and the hints about moves.

use super::walk::{is_capture, listed, trails};
use super::{Effort, Verdict, law};
use tabia_core::playout::playout;
use tabia_core::{Evaluate, Outcome, Present, SplitMix64, Symmetry};

/// The largest value an evaluation may have.
const MOST: i32 = 20_000;

/// The first law of searched games that fails, if one does.
pub fn search_verdict<G: Present + Evaluate>(game: &G, effort: Effort) -> Verdict {
    let mut rng = SplitMix64::new(effort.seed);
    let mut captures = Captures::default();
    for trail in trails(game, effort) {
        let rules = &trail.rules;
        for state in trail.states.iter().filter(|state| rules.outcome(state).is_none()) {
            let text = rules.format(state);
            value(rules, state, &text)?;
            window(rules, state, &text, &mut rng)?;
            passing(rules, state, &text)?;
            let moves = listed(rules, state);
            hints(rules, state, &moves, &text)?;
            captures.add(rules, state, &moves);
        }
    }
    captures.verdict()?;
    leaning(game, effort.seed)
}

/// One number for a position, however it was reached and however the board is turned.
fn value<G: Present + Evaluate>(rules: &G, state: &G::State, text: &str) -> Verdict {
    let value = rules.evaluate(state);
    law("evaluations stay within bounds", value.abs() <= MOST, || format!("{value} for {text}"))?;
    if let Ok(read) = rules.parse(text) {
        let rebuilt = rules.evaluate(&read.state);
        law("the evaluation follows from the position", rebuilt == value, || {
            format!("{text}: {value} after play, {rebuilt} from text")
        })?;
    }
    let weighed = rules.evaluate_weighed(state, &vec![100; rules.terms().len()]);
    law("terms at their full weight are the evaluation", weighed == value, || {
        format!("{text}: {weighed} for {value}")
    })?;
    let canonical = rules.canonicalise(state);
    let images = rules.symmetries(state).iter().map(|&symmetry| (rules.map_state(state, symmetry), symmetry));
    for (image, symmetry) in images.chain([(canonical.state, canonical.symmetry)]) {
        let seen = rules.evaluate(&image);
        law("symmetric positions evaluate equally", seen == value, || {
            format!("{value} for {text}, but {seen} for {} under {}", rules.format(&image), symmetry.name())
        })?;
    }
    Ok(())
}

/// A quick evaluation may stop outside the window, and is exact inside.
fn window<G: Evaluate>(rules: &G, state: &G::State, text: &str, rng: &mut SplitMix64) -> Verdict {
    let value = rules.evaluate(state);
    let low = value - 300 + rng.below(600) as i32;
    for (low, high) in [(-MOST - 1, MOST + 1), (low, low + 1 + rng.below(300) as i32), (value - 1, value + 1)]
    {
        let quick = rules.evaluate_within(state, low, high);
        let outside = quick <= low || quick >= high;
        law("inside the window the evaluation is exact", outside || quick == value, || {
            format!("{text}: {quick} for {value} within {low} to {high}")
        })?;
        let whole = low < -MOST && high > MOST;
        law("nothing is outside the whole window", !whole || quick == value, || {
            format!("{quick} for {text}")
        })?;
    }
    Ok(())
}

fn passing<G: Present + Evaluate>(rules: &G, state: &G::State, text: &str) -> Verdict {
    let Some(passed) = rules.pass(state) else { return Ok(()) };
    let other = rules.side(&passed) != rules.side(state) && rules.outcome(&passed).is_none();
    law("passing gives the turn away and does not end the game", other, || text.to_owned())?;
    law("passing moves nothing", rules.picture(&passed).pieces == rules.picture(state).pieces, || {
        text.to_owned()
    })?;
    let written = rules.format(&passed);
    let rebuilt = rules.parse(&written).map(|read| rules.key(&read.state));
    law("the key follows a pass", rebuilt == Ok(rules.key(&passed)), || format!("{text}, then {written}"))
}

fn hints<G: Evaluate>(rules: &G, state: &G::State, moves: &[G::Move], text: &str) -> Verdict {
    for &mv in moves {
        let (slot, slots) = (rules.move_slot(state, mv), rules.move_slots());
        law("slots of moves are below their number", slot < slots, || {
            format!("{mv:?} has slot {slot} of {slots} in {text}")
        })?;
        let (kind, kinds) = (rules.move_kind(state, mv), rules.move_kinds());
        law("kinds of moves are below their number", kind < kinds, || {
            format!("{mv:?} has kind {kind} of {kinds} in {text}")
        })?;
    }
    let mut expected = moves.to_vec();
    expected.retain(|&mv| rules.is_noisy(state, mv));
    // What the caller has in the buffer already stays there.
    let mut noisy = moves.to_vec();
    rules.noisy_moves(state, &mut noisy);
    let added = noisy.strip_prefix(moves);
    law("noisy moves are listed as they are claimed", added == Some(&expected), || {
        format!("{added:?} for {expected:?} in {text}")
    })
}

/// Games that call a capture noisy mean all captures: a search would stop in the middle of an exchange.
#[derive(Default)]
struct Captures {
    noisy: u64,
    quiet: Option<String>,
}

impl Captures {
    fn add<G: Present + Evaluate>(&mut self, rules: &G, state: &G::State, moves: &[G::Move]) {
        for &mv in moves.iter().filter(|&&mv| is_capture(rules, state, mv)) {
            if rules.is_noisy(state, mv) {
                self.noisy += 1;
            } else if self.quiet.is_none() {
                self.quiet = Some(format!("{} in {}", rules.format_move(state, mv), rules.format(state)));
            }
        }
    }

    fn verdict(self) -> Verdict {
        let quiet = self.quiet.filter(|_| self.noisy > 0);
        law("captures are noisy, all or none", quiet.is_none(), || quiet.clone().unwrap_or_default())
    }
}

/// Whether the evaluation leans to the side that is about to win, whoever is to move. One from the view of
/// a certain player is right when that player is to move, and wrong by as much when the other is.
fn leaning<G: Present + Evaluate>(game: &G, seed: u64) -> Verdict {
    const GAMES: u32 = 96;
    /// Plies before the end that still say something in random games.
    const LAST: usize = 4;
    let (mut rng, mut buffer, mut decided) = (SplitMix64::new(seed), Vec::new(), 0);
    // What positions with this side to move said in favour of the side that won.
    let mut sums = [0i64; 2];
    for _ in 0..GAMES {
        let mut trail = Vec::new();
        let record = |state: &G::State| trail.push(state.clone());
        let (outcome, _) = playout(game, game.start(), &mut rng, &mut buffer, record);
        let Outcome::Win(winner) = outcome else { continue };
        decided += 1;
        for state in trail.iter().rev().take(LAST) {
            let (side, value) = (game.side(state), i64::from(game.evaluate(state)));
            sums[side.index()] += if side == winner { value } else { -value };
        }
    }
    let (least, most) = (sums[0].min(sums[1]), sums[0].max(sums[1]));
    let one_sided = decided >= GAMES / 4 && most > 0 && least < -most / 2;
    law("the evaluation is for the side to move", !one_sided, || {
        let [first, second] = sums;
        format!(
            "over {decided} decided games it favours the winner by {first} when player 0 is to move, and by \
             {second} when player 1 is"
        )
    })
}
