//! What a puzzle is about, seen from the pictures before and after the move: no game needs to say more.

use tabia_core::{Picture, Present, Shape, Side, sort_few};

/// A line is long from this many plies on.
const LONG: u32 = 15;

/// The themes of a move, in the order of this list: `multi-jump` or `capture`, `promotion`, `stacking`, `unstacking`,
/// `from the stash`, `check`, `sacrifice`, `quiet move`, `defence`, `long`.
pub fn themes<G: Present>(rules: &G, state: &G::State, mv: G::Move, draws: bool, plies: u32) -> Vec<String> {
    let mut after = state.clone();
    rules.play(&mut after, mv);
    let (mover, one_player) = (rules.side(state), rules.players() == 1);
    let (before, now) = (rules.picture(state), rules.picture(&after));
    let theirs =
        |picture: &Picture| picture.pieces.iter().filter(|piece| piece.side == Some(mover.other())).count();
    let taken = theirs(&before).saturating_sub(theirs(&now));
    let promoted = taken < 2
        && own_kinds(&before, mover).len() == own_kinds(&now, mover).len()
        && own_kinds(&before, mover) != own_kinds(&now, mover);
    let (high, higher) = (raised(&before, mover), raised(&now, mover));
    let steps = rules.steps(state, mv);
    let from_tray = steps.first().is_some_and(|cell| {
        rules.geometry().cells.iter().any(|known| known.id == *cell && known.shape == Shape::Tray)
    });
    let check = now.marks.iter().any(|mark| mark.name == "check");
    let quiet = taken == 0 && !promoted && !check && !one_player;
    let found = [
        ("multi-jump", taken >= 2),
        ("capture", taken == 1),
        ("promotion", promoted),
        ("stacking", higher > high && !from_tray),
        ("unstacking", higher < high && !from_tray),
        ("from the stash", from_tray),
        ("check", check),
        ("sacrifice", !one_player && only_captures(rules, &after, mover)),
        ("quiet move", quiet && !from_tray),
        ("defence", draws),
        ("long", plies >= LONG),
    ];
    found.into_iter().filter(|(_, is)| *is).map(|(name, _)| name.to_owned()).collect()
}

/// The kinds of a side's pieces.
fn own_kinds(picture: &Picture, side: Side) -> Vec<&str> {
    let own = picture.pieces.iter().filter(|piece| piece.side == Some(side));
    let mut kinds: Vec<&str> = own.map(|piece| &*piece.name).collect();
    sort_few(&mut kinds, Ord::cmp);
    kinds
}

/// A side's pieces that stand on others.
fn raised(picture: &Picture, side: Side) -> usize {
    picture.pieces.iter().filter(|piece| piece.side == Some(side) && piece.level > 0).count()
}

/// Whether every reply takes something of `side`.
fn only_captures<G: Present>(rules: &G, state: &G::State, side: Side) -> bool {
    let own = |state: &G::State| own_kinds(&rules.picture(state), side).len();
    let (before, mut replies) = (own(state), Vec::new());
    rules.moves(state, &mut replies);
    !replies.is_empty()
        && replies.into_iter().all(|reply| {
            let mut after = state.clone();
            rules.play(&mut after, reply);
            own(&after) < before
        })
}
