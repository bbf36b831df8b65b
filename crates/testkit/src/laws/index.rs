//! Laws of numbered positions: a number for every position, and moves that are found from both ends.

use super::walk::{after, listed};
use super::{Effort, Verdict, law};
use std::collections::HashSet;
use tabia_core::{Index, Present, Slice, SplitMix64, Spot, Successor};

/// The first law of numbered positions that fails, if one does. Slices of up to `games` times `plies`
/// positions are looked at whole, of larger ones as many positions are drawn.
pub fn index_verdict<G: Present + Index>(game: &G, pieces: u32, effort: Effort) -> Verdict {
    let groups = game.slice_groups(pieces);
    names(game, &groups.concat(), pieces)?;
    let mut rng = SplitMix64::new(effort.seed);
    let mut known = HashSet::new();
    for group in &groups {
        known.extend(group.iter().copied());
        for &slice in group {
            let (len, most) = (game.slice_len(slice), u64::from(effort.games) * u64::from(effort.plies));
            let beyond = game.position(Spot { slice, index: len });
            law("there is no position beyond the last", beyond.is_none(), || game.slice_name(slice))?;
            for n in 0..len.min(most) {
                let index = if len <= most { n } else { rng.below(len) };
                let spot = Spot { slice, index };
                if game.is_gap(spot) {
                    gap(game, spot)?;
                    continue;
                }
                number(game, spot)?;
                forwards(game, spot, &known)?;
                backwards(game, spot, group)?;
            }
        }
    }
    Ok(())
}

fn names<G: Index>(game: &G, slices: &[Slice], pieces: u32) -> Verdict {
    let mut all = HashSet::new();
    for &slice in slices {
        let name = game.slice_name(slice);
        law("slices have different names", all.insert(name.clone()), || name.clone())?;
        let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c)) && !name.is_empty();
        law("names of slices fit files", fits, || name.clone())?;
        law("a slice is found by its name", game.slice_named(&name) == Some(slice), || name.clone())?;
        law("slices have no more pieces than asked for", game.slice_pieces(slice) <= pieces, || {
            name.clone()
        })?;
    }
    law("other names are of no slice", game.slice_named("no such slice").is_none(), String::new)
}

/// A gap stands for nothing and leads nowhere.
fn gap<G: Index>(game: &G, spot: Spot) -> Verdict {
    let (mut successors, mut predecessors) = (Vec::new(), Vec::new());
    game.successors(spot, &mut successors);
    game.predecessors(spot, &mut predecessors);
    let empty = game.position(spot).is_none() && successors.is_empty() && predecessors.is_empty();
    law("a gap is no position", empty, || format!("{spot:?}"))
}

/// Every number is a position, and the position has this number, also seen through symmetries.
fn number<G: Present + Index>(game: &G, spot: Spot) -> Verdict {
    let Some(state) = game.position(spot) else {
        return law("every number is a position", false, || format!("{spot:?}"));
    };
    let text = game.format(&state);
    let read = game.parse(&text);
    law("a numbered position is a valid one", read.is_ok_and(|read| read.state == state), || {
        format!("{spot:?}: {text}")
    })?;
    let back = game.locate(&state);
    law("a position has its own number", back == Some(spot), || {
        format!("{text} at {spot:?}, found at {back:?}")
    })?;
    for &symmetry in game.symmetries(&state) {
        let image = game.locate(&game.map_state(&state, symmetry));
        law("symmetric positions have one number", image == Some(spot), || {
            format!("{text} at {spot:?}, under {symmetry:?} at {image:?}")
        })?;
    }
    Ok(())
}

/// Successors are where the moves lead: inside the group, to earlier groups, or to the end.
fn forwards<G: Present + Index>(game: &G, spot: Spot, known: &HashSet<Slice>) -> Verdict {
    let Some(state) = game.position(spot) else { return Ok(()) };
    let text = game.format(&state);
    let lead = |mv| {
        let next = after(game, &state, mv);
        match (game.locate(&next), game.outcome(&next)) {
            (Some(spot), _) => Successor::At(spot),
            (None, Some(outcome)) => Successor::Over(outcome.value_for(game.side(&next))),
            (None, None) => Successor::Outside,
        }
    };
    let moves = listed(game, &state);
    let in_turn = moves.iter().all(|&mv| game.side(&after(game, &state, mv)) != game.side(&state));
    law("players move in turn", in_turn, || text.clone())?;
    let expected: Vec<Successor> = moves.into_iter().map(lead).collect();
    let mut found = Vec::new();
    game.successors(spot, &mut found);
    law("successors are where the moves lead", same(&expected, &found), || {
        format!("{text}: {found:?} for {expected:?}")
    })?;
    for successor in found {
        let earlier = match successor {
            Successor::At(spot) => known.contains(&spot.slice) && !game.is_gap(spot),
            Successor::Over(_) => true,
            Successor::Outside => false,
        };
        law("moves lead to the group or earlier ones", earlier, || format!("{text}: {successor:?}"))?;
    }
    Ok(())
}

/// Whether two lists have the same elements equally often.
fn same<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let count = |list: &[T], x: &T| list.iter().filter(|y| *y == x).count();
    a.len() == b.len() && a.iter().all(|x| count(a, x) == count(b, x))
}

/// Every move inside the group is found from both of its ends, equally often.
fn backwards<G: Present + Index>(game: &G, spot: Spot, group: &[Slice]) -> Verdict {
    let forth = |from, to| {
        let mut out = Vec::new();
        game.successors(from, &mut out);
        out.into_iter().filter(|&successor| successor == Successor::At(to)).count()
    };
    let back = |from, to| {
        let mut out = Vec::new();
        game.predecessors(to, &mut out);
        out.into_iter().filter(|&predecessor| predecessor == from).count()
    };
    let mut edges = Vec::new();
    let mut successors = Vec::new();
    game.successors(spot, &mut successors);
    for successor in successors {
        if let Successor::At(to) = successor
            && group.contains(&to.slice)
        {
            edges.push((spot, to));
        }
    }
    let mut predecessors = Vec::new();
    game.predecessors(spot, &mut predecessors);
    for from in predecessors {
        law("predecessors are of the same group", group.contains(&from.slice), || format!("{from:?}"))?;
        edges.push((from, spot));
    }
    for (from, to) in edges {
        let (forth, back) = (forth(from, to), back(from, to));
        law("moves are found from both ends equally often", forth == back, || {
            format!("{from:?} to {to:?}: {forth} forwards, {back} backwards")
        })?;
    }
    Ok(())
}
