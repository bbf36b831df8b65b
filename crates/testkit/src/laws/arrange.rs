//! Laws of [`Arrange`]: what the picture of a position shows, put together again, is that position.

use super::{Effort, Verdict, law};
use std::collections::HashSet;
use tabia_core::{Arrange, Arrangement, SplitMix64};

/// The first law that fails, if one does.
pub fn arrange_verdict<G: Arrange>(game: &G, effort: Effort) -> Verdict {
    let mut rng = SplitMix64::new(effort.seed);
    for start in game.starts() {
        let rules = start.position.rules;
        palette_verdict(&rules)?;
        for _ in 0..effort.games {
            let mut state = start.position.state.clone();
            for _ in 0..effort.plies {
                position_verdict(&rules, &state)?;
                let Some(mv) = rules.random_move(&state, &mut rng, &mut Vec::new()) else { break };
                rules.play(&mut state, mv);
            }
        }
    }
    Ok(())
}

fn palette_verdict<G: Arrange>(rules: &G) -> Verdict {
    let (palette, mut letters) = (rules.palette(), HashSet::new());
    law("there is a piece to set up", !palette.is_empty(), String::new)?;
    for piece in palette {
        let show = || format!("{piece:?}");
        law("a piece has one letter", piece.ascii.chars().count() == 1, show)?;
        law("no two pieces have the same letter", letters.insert(piece.ascii.clone()), show)?;
    }
    let empty = Arrangement { cells: Default::default(), side: 0, extras: Default::default() };
    let text = rules.arranged(&empty);
    law("an empty board has a text, allowed or not", text.is_ok(), || format!("{text:?}"))
}

fn position_verdict<G: Arrange>(rules: &G, state: &G::State) -> Verdict {
    let show = |found: &str| format!("{found} for {}", rules.format(state));
    let apart = rules.arrangement(state);
    let known = apart.check(&rules.geometry(), &rules.palette());
    law("what stands on the board can be set up", known.is_ok(), || show(&format!("{known:?}")))?;
    let low = apart.cells.values().all(|pieces| pieces.chars().count() <= rules.stack());
    law("no stack is higher than a cell can hold", low, || show(&format!("{:?}", apart.cells)))?;
    let extras: HashSet<String> = rules.extras().into_iter().map(|extra| extra.id.to_string()).collect();
    let told = apart.extras.keys().all(|extra| extras.contains(extra));
    law("the extras of a position are among the extras", told, || show(&format!("{:?}", apart.extras)))?;
    let text = rules.arranged(&apart);
    let again = text.as_ref().ok().and_then(|text| rules.parse(text).ok());
    let same = again.is_some_and(|again| again.state == *state && again.rules.variant() == rules.variant());
    law("a position taken apart and put together is the same", same, || show(&format!("{text:?}")))
}
