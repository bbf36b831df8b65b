//! Laws of symmetry: the group is a group, acts as one, and changes nothing in the game.

use super::{Verdict, law};
use std::collections::HashSet;
use tabia_core::{Present, Symmetry};

/// Checks the listed symmetries of a position together with `drawn` ones.
pub(crate) fn check<G: Present>(
    rules: &G,
    state: &G::State,
    moves: &[G::Move],
    drawn: &[G::Symmetry],
) -> Verdict {
    let listed = rules.symmetries(state);
    if let Some(&first) = listed.first() {
        law("the identity is listed first", first == G::Symmetry::IDENTITY, || format!("{first:?}"))?;
    }
    for &a in listed {
        for &b in listed {
            law("the listed symmetries are closed", listed.contains(&a.then(b)), || format!("{a:?} {b:?}"))?;
        }
    }
    for &a in listed.iter().chain(drawn) {
        group(listed, drawn, a)?;
        action(rules, state, moves, a)?;
        for &b in listed.iter().chain(drawn) {
            let (one, two) =
                (rules.map_state(state, a.then(b)), rules.map_state(&rules.map_state(state, a), b));
            law("symmetries act one after the other", one == two, || format!("{a:?} then {b:?}"))?;
        }
    }
    canonical(rules, state, moves)
}

fn group<S: Symmetry>(listed: &[S], drawn: &[S], a: S) -> Verdict {
    let show = || format!("{a:?}");
    law("an element and its inverse cancel", a.then(a.inverse()) == S::IDENTITY, show)?;
    law("the inverse cancels from the left too", a.inverse().then(a) == S::IDENTITY, show)?;
    law("the identity changes nothing", a.then(S::IDENTITY) == a && S::IDENTITY.then(a) == a, show)?;
    for &b in listed.iter().chain(drawn) {
        let swaps = a.swaps_sides() != b.swaps_sides();
        law("swaps of sides add up", a.then(b).swaps_sides() == swaps, || format!("{a:?} {b:?}"))?;
        for &c in listed.iter().chain(drawn) {
            let same = a.then(b).then(c) == a.then(b.then(c));
            law("composition is associative", same, || format!("{a:?} {b:?} {c:?}"))?;
        }
    }
    Ok(())
}

fn action<G: Present>(rules: &G, state: &G::State, moves: &[G::Move], a: G::Symmetry) -> Verdict {
    let image = rules.map_state(state, a);
    let show = || format!("{} under {a:?} is {}", rules.format(state), rules.format(&image));
    law("the inverse brings the position back", rules.map_state(&image, a.inverse()) == *state, show)?;
    let side = if a.swaps_sides() { rules.side(state).other() } else { rules.side(state) };
    law("the side to move is mapped", rules.side(&image) == side, show)?;
    let outcome = rules.outcome(state).map(|outcome| outcome.swapped(a.swaps_sides()));
    law("the outcome is mapped", rules.outcome(&image) == outcome, show)?;
    law("a dead position stays dead", rules.is_dead(&image) == rules.is_dead(state), show)?;
    let canonical = rules.pack_canonical(&image) == rules.pack_canonical(state);
    law("the canonical form is the same for all images", canonical, show)?;
    let mut image_moves = Vec::new();
    rules.moves(&image, &mut image_moves);
    same_moves(rules, state, moves, &image_moves, a)?;
    for &mv in moves {
        let mapped = rules.map_move(mv, a);
        law("the inverse brings the move back", rules.map_move(mapped, a.inverse()) == mv, show)?;
        let (mut here, mut there) = (state.clone(), image.clone());
        rules.play(&mut here, mv);
        rules.play(&mut there, mapped);
        let commutes = rules.map_state(&here, a) == there;
        law("mapping and playing commute", commutes, || format!("{mv:?}: {}", show()))?;
    }
    Ok(())
}

fn canonical<G: Present>(rules: &G, state: &G::State, moves: &[G::Move]) -> Verdict {
    let canonical = rules.canonicalise(state);
    let show = || format!("{} has {}", rules.format(state), rules.format(&canonical.state));
    let packed = rules.pack_canonical(state);
    law(
        "the canonical encoding is that of the canonical form",
        rules.pack(&canonical.state) == packed,
        show,
    )?;
    law("the canonical form is its own", rules.pack_canonical(&canonical.state) == packed, show)?;
    let again = rules.canonicalise(&canonical.state).state;
    law("canonicalising twice changes nothing more", again == canonical.state, show)?;
    let mut canonical_moves = Vec::new();
    rules.moves(&canonical.state, &mut canonical_moves);
    same_moves(rules, state, moves, &canonical_moves, canonical.symmetry)?;
    fewer_moves(rules, state, moves)?;
    fewer_moves(rules, &canonical.state, &canonical_moves)
}

/// The moves up to symmetry are legal ones, and lead everywhere.
fn fewer_moves<G: Present>(rules: &G, state: &G::State, moves: &[G::Move]) -> Verdict {
    let mut fewer = Vec::new();
    rules.moves_up_to_symmetry(state, &mut fewer);
    let reached = |moves: &[G::Move]| -> HashSet<G::Packed> {
        let after = moves.iter().map(|&mv| {
            let mut next = state.clone();
            rules.play(&mut next, mv);
            rules.pack_canonical(&next)
        });
        after.collect()
    };
    let right = fewer.iter().all(|mv| moves.contains(mv)) && reached(&fewer) == reached(moves);
    law("the moves up to symmetry lead where all moves lead", right, || rules.format(state))
}

fn same_moves<G: Present>(
    rules: &G,
    state: &G::State,
    moves: &[G::Move],
    image_moves: &[G::Move],
    a: G::Symmetry,
) -> Verdict {
    let mapped: HashSet<_> = moves.iter().map(|&mv| rules.map_move(mv, a)).collect();
    let there: HashSet<_> = image_moves.iter().copied().collect();
    law("legal moves map to legal moves", mapped == there, || {
        let odd: Vec<_> = mapped.symmetric_difference(&there).collect();
        format!("{} under {a:?}: {odd:?}", rules.format(state))
    })
}
