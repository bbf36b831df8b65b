//! Laws of variants: the name of the rules, and the rules of a name.

use super::walk::{after, listed};
use super::{Verdict, law};
use std::collections::HashSet;
use tabia_core::{Position, Present};

/// The first law that fails for rules that are all different.
pub fn variants_verdict<G: Present>(rules: &[G]) -> Verdict {
    for (n, one) in rules.iter().enumerate() {
        for other in &rules[..n] {
            law("different rules have different variants", one.variant() != other.variant(), || {
                format!("{one:?} and {other:?} are both {}", one.variant())
            })?;
        }
    }
    for asked in rules {
        for wanted in rules {
            comes_back(asked, wanted, &wanted.start())?;
        }
        others_are_refused(asked)?;
    }
    Ok(())
}

/// The same for the rules of the named starts, some of which are the same.
pub(super) fn starts<G: Present>(game: &G, starts: &[Position<G>]) -> Verdict {
    for wanted in starts {
        for asked in starts.iter().map(|start| &start.rules).chain([game]) {
            comes_back(asked, &wanted.rules, &wanted.state)?;
        }
        others_are_refused(&wanted.rules)?;
    }
    Ok(())
}

/// Rules give back any rules of their game, whatever their own options are.
fn comes_back<G: Present>(asked: &G, wanted: &G, state: &G::State) -> Verdict {
    let variant = wanted.variant();
    let begins =
        variant.strip_prefix(wanted.id()).is_some_and(|rest| rest.is_empty() || rest.starts_with('+'));
    law("a variant is the id, and then options", begins, || variant.clone())?;
    match asked.from_variant(&variant) {
        Err(error) => law("rules come back from their variant", false, || format!("{variant}: {error}")),
        Ok(back) => {
            law("rules come back from their variant", back.variant() == variant, || {
                format!("{variant} gives {}", back.variant())
            })?;
            law("rules with one variant play alike", play_alike(wanted, &back, state), || {
                format!("{variant} gives {back:?} for {wanted:?}")
            })
        }
    }
}

/// Whether two rules agree about a position: board, codes, outcome, and where moves lead. How moves are
/// counted and where games start is no part of a variant.
fn play_alike<G: Present>(a: &G, b: &G, state: &G::State) -> bool {
    let successors = |rules: &G| -> HashSet<G::Packed> {
        let moves = listed(rules, state).into_iter();
        moves.map(|mv| rules.pack_canonical(&after(rules, state, mv))).collect()
    };
    // The board first: a position of another board means nothing to the rules of this one.
    (a.geometry(), a.players(), a.draw_rules()) == (b.geometry(), b.players(), b.draw_rules())
        && (a.format(state), a.key(state), a.pack(state)) == (b.format(state), b.key(state), b.pack(state))
        && a.outcome(state) == b.outcome(state)
        && successors(a) == successors(b)
}

/// Names that are nearly right are refused, or are the names of what they give.
fn others_are_refused<G: Present>(rules: &G) -> Verdict {
    let variant = rules.variant();
    let shorter: String = variant.chars().take(variant.chars().count().saturating_sub(1)).collect();
    let wrong = [String::new(), shorter, variant.to_uppercase(), format!("not-{variant}")];
    let longer = ["x", "+", "+x", " "].map(|more| format!("{variant}{more}"));
    for name in wrong.into_iter().chain(longer) {
        if let Ok(back) = rules.from_variant(&name) {
            law("names of no rules are refused", back.variant() == name, || {
                format!("{name:?} is taken for {}", back.variant())
            })?;
        }
    }
    Ok(())
}
