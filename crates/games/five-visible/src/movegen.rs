//! Legal moves, counted and chosen by arithmetic on lanes, listed only when the list is wanted.

use crate::legal::Legal;
use crate::state::ONES;
use crate::{Counting, FiveVisible, Move, Place, State, hashcode};
use tabia_core::{Actions, LegalMoves, RuleError, SplitMix64};

/// What a position allows, before it is spelt out.
struct Choices {
    /// Lanes a brick from the stash may land on.
    placements: u64,
    /// Lanes that may be drawn from.
    sources: u64,
    /// Lanes of standing stacks with room.
    open: u64,
    empty: u64,
    lone: u64,
    put_back: bool,
    lone_wander: bool,
}

impl Choices {
    #[inline]
    fn of(rules: &FiveVisible, state: &State) -> Choices {
        let (full, empty) = (state.full(), state.empty());
        let open = state.standing() & !full;
        let stash = state.stash(state.player()) > 0;
        Choices {
            placements: if stash { open | empty } else { 0 },
            sources: drawable(rules, state),
            open,
            empty,
            lone: state.lone(),
            put_back: rules.options.put_back,
            lone_wander: rules.options.lone_wander,
        }
    }

    /// Lanes that a brick from the stack on lane `from` may land on.
    #[inline]
    fn targets(&self, from: u64) -> u64 {
        let own = if self.put_back { self.open & from } else { 0 };
        let wander = self.lone_wander || self.lone & from == 0;
        (self.open & !from) | own | if wander { self.empty } else { 0 }
    }
}

/// Lanes of the stacks that may be drawn from.
#[inline]
pub(crate) fn drawable(rules: &FiveVisible, state: &State) -> u64 {
    let standing = state.standing();
    if standing.count_ones() >= 3 || rules.options.no_three_stacks {
        standing & !state.blocked_lane()
    } else {
        0
    }
}

/// The single bits of a word of lanes, lowest first.
#[inline]
fn lanes(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = word & word.wrapping_neg();
        word ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[inline]
fn place(lane: u64) -> Option<Place> {
    Place::from_index(lane.trailing_zeros() as usize / 7)
}

/// Appends the legal moves: placements first, then moves by source.
pub(crate) fn moves(rules: &FiveVisible, state: &State, out: &mut Vec<Move>) {
    let first = out.len();
    list(rules, state, ONES, out);
    if rules.counting == Counting::Canonical {
        keep_first_of_each_code(rules, state, out, first);
    }
}

/// The same, but of several equal stacks in a row only the first is used, and the second beside it: other moves only
/// differ from these in where the stacks lie. Where stacks are sorted, no two moves are left that do.
pub(crate) fn moves_up_to_symmetry(rules: &FiveVisible, state: &State, out: &mut Vec<Move>) {
    list(rules, state, hashcode::first_of_equals(rules, state), out);
}

/// Appends the moves that use no lanes but these, and the one beside a source.
fn list(rules: &FiveVisible, state: &State, used: u64, out: &mut Vec<Move>) {
    if state.winner().is_some() {
        return;
    }
    let choices = Choices::of(rules, state);
    out.extend(lanes(choices.placements & used).filter_map(place).map(|to| Move { from: None, to }));
    for from in lanes(choices.sources & used) {
        let targets = choices.targets(from) & (used | from << 7);
        out.extend(lanes(targets).filter_map(place).map(|to| Move { from: place(from), to }));
    }
}

fn keep_first_of_each_code(rules: &FiveVisible, state: &State, out: &mut Vec<Move>, first: usize) {
    let mut kept = first;
    for i in first..out.len() {
        let code = hashcode::of_move(rules, state, out[i]);
        if !out[first..kept].iter().any(|&mv| hashcode::of_move(rules, state, mv) == code) {
            out.swap(kept, i);
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// All legal moves as bits, where positions are told apart by their location: nine for the places a brick from the stash
/// may land on, then nine for those of a brick from each place in turn. All sources at once, without a branch.
#[inline]
pub(crate) fn mask(rules: &FiveVisible, state: &State) -> u128 {
    if state.winner().is_some() { 0 } else { mask_in_play(rules, state) }
}

/// The same while nobody has won.
#[inline]
fn mask_in_play(rules: &FiveVisible, state: &State) -> u128 {
    // The two bits of the heights: everything below is nine bits, one for each place.
    let (low, high) = (together(state.lanes() & ONES), together(state.lanes() >> 1 & ONES));
    let (standing, full) = (low | high, low & high);
    let empty = standing ^ 0x1FF;
    let may_draw = standing.count_ones() >= 3 || rules.options.no_three_stacks;
    let sources = if may_draw { standing & !state.blocked_place() } else { 0 };
    let wanderers = if rules.options.lone_wander { sources } else { sources & high };
    let placements = if state.stash(state.player()) > 0 { full ^ 0x1FF } else { 0 };
    let own = if rules.options.put_back { 0 } else { OWN_PLACES };
    let open = u128::from(standing ^ full) * NINE_TIMES;
    let moves = NINES[sources as usize % 512] & open & !own
        | NINES[wanderers as usize % 512] & (u128::from(empty) * NINE_TIMES);
    u128::from(placements) | moves << 9
}

/// Nine bits nine times.
const NINE_TIMES: u128 = {
    let (mut sum, mut i) = (0, 0);
    while i < 9 {
        sum |= 1 << (9 * i);
        i += 1;
    }
    sum
};

/// Each place among the targets of its own bricks.
const OWN_PLACES: u128 = {
    let (mut sum, mut i) = (0, 0);
    while i < 9 {
        sum |= 1 << (10 * i);
        i += 1;
    }
    sum
};

/// For each set of places nine bits for each of its members.
static NINES: [u128; 512] = {
    let mut table = [0; 512];
    let mut set = 1;
    while set < 512 {
        let lowest = (set as u32).trailing_zeros();
        table[set] = table[set & (set - 1)] | 0x1FF << (9 * lowest);
        set += 1;
    }
    table
};

/// The same bits for the moves that are listed.
pub(crate) fn mask_of_list(rules: &FiveVisible, state: &State) -> u128 {
    let mut list = Vec::with_capacity(96);
    moves(rules, state, &mut list);
    list.into_iter().fold(0, |mask, mv| mask | 1 << rules.action_of(state, mv))
}

/// The bits of a word of lanes moved together: nine bits in a row.
#[inline]
const fn together(word: u64) -> u64 {
    // First the lanes of each three (7 bits apart), then the threes (21 bits apart).
    let threes = (word | word >> 6 | word >> 12) & 0x0000_1C00_00E0_0007;
    (threes | threes >> 18 | threes >> 36) & 0x1FF
}

/// The number of legal moves.
#[inline]
pub(crate) fn count(rules: &FiveVisible, state: &State) -> u64 {
    if rules.counting == Counting::Canonical {
        let mut list = Vec::with_capacity(96);
        moves(rules, state, &mut list);
        return list.len() as u64;
    }
    mask(rules, state).count_ones().into()
}

/// A legal move chosen uniformly.
#[inline]
pub(crate) fn random(
    rules: &FiveVisible,
    state: &State,
    rng: &mut SplitMix64,
    buffer: &mut Vec<Move>,
) -> Option<Move> {
    if rules.counting == Counting::Canonical {
        buffer.clear();
        moves(rules, state, buffer);
        return buffer.get(rng.below(buffer.len() as u64) as usize).copied();
    }
    if state.winner().is_some() {
        return None;
    }
    let legal = Legal::of(mask_in_play(rules, state));
    legal.nth(rules, state, rng.below(legal.count() as u64) as usize)
}

/// Why a move is not legal here.
pub(crate) fn check(rules: &FiveVisible, state: &State, mv: Move) -> Result<(), RuleError> {
    let fail = |message: String| Err(RuleError::new(message));
    if let Some(winner) = state.winner() {
        return fail(format!("the game is over: player {winner} has five bricks on top"));
    }
    let to = mv.to;
    if state.stack(to).height() == 3 && mv.from != Some(to) {
        return fail(format!("the stack on position {to} is full"));
    }
    let Some(from) = mv.from else {
        let player = state.player();
        let empty = state.stash(player) == 0;
        return if empty { fail(format!("the stash of player {player} is empty")) } else { Ok(()) };
    };
    let source = state.stack(from);
    if source.height() == 0 {
        return fail(format!("there is no brick on position {from}"));
    }
    if state.standing().count_ones() < 3 && !rules.options.no_three_stacks {
        return fail("bricks may be moved only while at least three stacks stand".to_owned());
    }
    if state.blocked() == Some(from) {
        return fail(format!("the stack on position {from} received the last brick and is blocked"));
    }
    if from == to {
        return match (rules.options.put_back, source.height()) {
            (true, 1 | 2) => Ok(()),
            (true, _) => {
                fail(format!("a brick is put back only on a stack of one or two; position {from} has three"))
            }
            _ => fail(format!("a brick may not go back onto its own stack (position {from})")),
        };
    }
    if source.height() == 1 && state.stack(to).height() == 0 && !rules.options.lone_wander {
        return fail(format!("the lone brick on position {from} may not move to the empty position {to}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RuleOptions;
    use tabia_core::Game;

    /// The rules read off the page: try everything.
    fn naive(rules: &FiveVisible, state: &State) -> Vec<Move> {
        let mut list = Vec::new();
        let stacks = state.stacks();
        let top_bricks = |side| stacks.iter().filter(|stack| stack.top() == Some(side)).count();
        if tabia_core::Side::ALL.into_iter().any(|side| top_bricks(side) >= 5) {
            return list;
        }
        let placed = stacks.iter().flat_map(|stack| stack.bricks()).filter(|&b| b == state.player()).count();
        let standing = stacks.iter().filter(|stack| stack.height() > 0).count();
        for to in Place::ALL {
            if placed < 8 && stacks[to.index()].height() < 3 {
                list.push(Move { from: None, to });
            }
        }
        for from in Place::ALL {
            for to in Place::ALL {
                let (source, target) = (stacks[from.index()].height(), stacks[to.index()].height());
                let may_draw = source > 0
                    && state.blocked() != Some(from)
                    && (standing >= 3 || rules.options.no_three_stacks);
                let may_land = if from == to {
                    rules.options.put_back && source < 3
                } else if target == 0 {
                    source > 1 || rules.options.lone_wander
                } else {
                    target < 3
                };
                if may_draw && may_land {
                    list.push(Move { from: Some(from), to });
                }
            }
        }
        list
    }

    /// Every move has one like it among the fewer, and in the sorted position no two of those are alike.
    fn check_up_to_symmetry(rules: &FiveVisible, state: &State, listed: &[Move]) {
        let codes = |state: &State, moves: &[Move]| {
            let mut codes: Vec<u16> = moves.iter().map(|&mv| hashcode::of_move(rules, state, mv)).collect();
            codes.sort_unstable();
            codes
        };
        let fewer = |state: &State| {
            let mut moves = Vec::new();
            moves_up_to_symmetry(rules, state, &mut moves);
            moves
        };
        let mut all = codes(state, listed);
        all.dedup();
        let here = fewer(state);
        assert!(here.iter().all(|mv| listed.contains(mv)), "{state:?}");
        let mut some = codes(state, &here);
        some.dedup();
        assert_eq!(some, all, "{state:?}");
        let canonical = rules.canonicalise(state).state;
        assert_eq!(codes(&canonical, &fewer(&canonical)), all, "{canonical:?}");
    }

    #[test]
    fn lanes_come_together() {
        for bits in 0..512 {
            let word = (0..9).filter(|i| bits >> i & 1 != 0).fold(0, |word, i| word | 1 << (7 * i));
            assert_eq!(together(word), bits);
        }
    }

    #[test]
    fn agrees_with_the_naive_generator_under_all_options() {
        let mut rng = SplitMix64::new(3);
        for options in RuleOptions::all() {
            let rules = FiveVisible { options, opening: crate::Opening::Empty, ..Default::default() };
            for _ in 0..100 {
                let mut state = rules.start();
                loop {
                    let mut listed = Vec::new();
                    moves(&rules, &state, &mut listed);
                    assert_eq!(listed, naive(&rules, &state), "{state:?} {options:?}");
                    let legal = Legal::of(mask(&rules, &state));
                    let by_number: Vec<Move> =
                        (0..legal.count()).filter_map(|n| legal.nth(&rules, &state, n)).collect();
                    assert_eq!(by_number, listed, "{state:?} {options:?}");
                    check_up_to_symmetry(&rules, &state, &listed);
                    let Some(mv) = listed.get(rng.below(listed.len() as u64) as usize) else { break };
                    state.play(*mv);
                }
            }
        }
    }
}
