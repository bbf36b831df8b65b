//! Legal moves: one walk over the pieces, and three ways to use it (listing, counting, drawing lots).
//!
//! The walk hands out *bundles*: sets of targets that are different moves each. A bundle is the moves
//! of one piece or stack from its square, or one step of all Soldiers in one direction, so that counting
//! is a matter of popcounts.

use crate::bits::{BOARD, COLUMN_A, COLUMN_I, nth, squares};
use crate::reach::{ballista, commander, dragon, guard, jester, king, paladin, reach};
use crate::{Kind, Move, Square, State};
use tabia_core::{Side, SplitMix64};

/// Moves that differ in their target. The move to `to` has the code `base + step * to`:
///
/// ```text
///     from one square      base = from | unstack << 14    step = 128   (to << 7)
///     all by one offset    base = from - to, wrapping     step = 129   (to << 7 | to)
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundle {
    pub(crate) targets: u128,
    base: u16,
    step: u16,
}

impl Bundle {
    #[inline]
    const fn from_square(from: usize, unstack: bool, targets: u128) -> Bundle {
        Bundle { targets, base: from as u16 | (unstack as u16) << 14, step: 128 }
    }

    #[inline]
    const fn by_offset(back: i16, targets: u128) -> Bundle {
        Bundle { targets, base: back as u16, step: 129 }
    }

    /// The move to one of the targets.
    #[inline]
    pub(crate) const fn to(&self, target: usize) -> Move {
        Move::from_bits(self.base.wrapping_add(self.step * target as u16))
    }

    /// The square all the moves begin on, and whether the top of a stack goes alone; `None` for Soldiers.
    #[inline]
    pub(crate) const fn origin(&self) -> Option<(usize, bool)> {
        if self.step == 128 { Some((self.base as usize & 127, self.base >> 14 & 1 != 0)) } else { None }
    }

    /// How many moves it stands for.
    #[inline]
    pub(crate) const fn len(&self) -> u32 {
        self.targets.count_ones()
    }
}

/// Appends all legal moves.
pub(crate) fn list(state: &State, out: &mut Vec<Move>) {
    walk(state, state.side(), |bundle| out.extend(squares(bundle.targets).map(|to| bundle.to(to))));
}

/// Appends the legal moves that capture.
pub(crate) fn list_captures(state: &State, out: &mut Vec<Move>) {
    let white = state.plane(6);
    let enemies = state.occupied() & if state.side() == Side::First { !white } else { white };
    walk(state, state.side(), |bundle| {
        out.extend(squares(bundle.targets & enemies).map(|to| bundle.to(to)));
    });
}

/// The number of legal moves.
pub(crate) fn count(state: &State) -> u64 {
    let mut total = 0;
    walk(state, state.side(), |bundle| total += bundle.len());
    u64::from(total)
}

/// Whether there is a legal move.
pub(crate) fn any(state: &State) -> bool {
    let side = state.side();
    let pieces = Pieces::of(state, side);
    let mut found = 0;
    if !pieces.is_over(state) {
        // Nearly always a Soldier can step; the whole walk is for the rest.
        soldiers(pieces.singles(Kind::Soldier), side, pieces.open(), &mut |bundle| found |= bundle.targets);
    }
    found != 0 || count(state) > 0
}

/// The number of moves `side` would have if it were to move, how many of them end in `zone`, and whether
/// one of them takes on `king`.
pub(crate) fn mobility(state: &State, side: Side, zone: u128, king: u128) -> (u32, u32, bool) {
    let (mut total, mut inside, mut all) = (0, 0, 0);
    walk(state, side, |bundle| {
        total += bundle.len();
        inside += (bundle.targets & zone).count_ones();
        all |= bundle.targets;
    });
    (total, inside, all & king != 0)
}

/// A legal move chosen uniformly; `None` when there is none. `buffer` is scratch space.
pub(crate) fn random(state: &State, rng: &mut SplitMix64, buffer: &mut Vec<Move>) -> Option<Move> {
    // More bundles than a game can have: 2 of Soldiers, 11 officers, or up to 9 stacks with 2 each.
    const ROOM: usize = 32;
    let mut bundles = [Bundle::from_square(0, false, 0); ROOM];
    let mut ends = [u16::MAX; ROOM];
    let (mut used, mut total) = (0, 0);
    walk(state, state.side(), |bundle| {
        total += bundle.len() as u16;
        bundles[used % ROOM] = bundle;
        ends[used % ROOM] = total;
        used += 1;
    });
    if used > ROOM {
        buffer.clear();
        list(state, buffer);
        return buffer.get(rng.below(buffer.len() as u64) as usize).copied();
    }
    let chosen = rng.below(u64::from(total)) as u16;
    // Without a branch: the bundles that end before the chosen move.
    let before = ends.iter().map(|&end| u16::from(end <= chosen)).sum::<u16>();
    let bundle = bundles[usize::from(before) % ROOM];
    let begins = ends[usize::from(before) % ROOM] - bundle.len() as u16;
    (total > 0).then(|| bundle.to(nth(bundle.targets, u32::from(chosen - begins))))
}

/// Calls `give` with every bundle of moves of `side`; none when the game is over.
#[inline]
pub(crate) fn walk(state: &State, side: Side, mut give: impl FnMut(Bundle)) {
    let pieces = Pieces::of(state, side);
    if pieces.is_over(state) {
        return;
    }
    let occupied = pieces.occupied;
    let open = pieces.open();
    soldiers(pieces.singles(Kind::Soldier), side, open, &mut give);
    let give = &mut give;
    each(pieces.singles(Kind::Jester), open, |from| jester(from, occupied), give);
    each(pieces.singles(Kind::Commander), open, |from| commander(from, occupied), give);
    each(pieces.singles(Kind::Paladin), open, |from| paladin(from, occupied), give);
    each(pieces.singles(Kind::Guard), open, |from| guard(from, occupied), give);
    each(pieces.singles(Kind::Dragon), open, dragon, give);
    each(pieces.singles(Kind::Ballista), open, |from| ballista(side, from, occupied), give);
    each(pieces.king, !pieces.own, king, give);
    for from in squares(pieces.stacks) {
        stack(state, &pieces, side, from, give);
    }
}

/// The moves of single pieces of one kind.
#[inline]
fn each(set: u128, open: u128, reach: impl Fn(usize) -> u128, give: &mut impl FnMut(Bundle)) {
    for from in squares(set) {
        give(Bundle::from_square(from, false, reach(from) & open));
    }
}

/// One step of all Soldiers to the left, and one to the right.
#[inline]
fn soldiers(set: u128, side: Side, open: u128, give: &mut impl FnMut(Bundle)) {
    let (not_a, not_i) = (set & !COLUMN_A, set & !COLUMN_I);
    match side {
        Side::First => {
            give(Bundle::by_offset(10, not_a >> 10 & open));
            give(Bundle::by_offset(8, not_i >> 8 & open));
        }
        Side::Second => {
            give(Bundle::by_offset(-8, not_a << 8 & open & BOARD));
            give(Bundle::by_offset(-10, not_i << 10 & open & BOARD));
        }
    }
}

/// The moves of a whole stack by either part, and those of its top alone.
#[inline]
fn stack(state: &State, pieces: &Pieces, side: Side, from: usize, give: &mut impl FnMut(Bundle)) {
    let pile = state.pile(Square::from_bits(from as u8));
    let (Some(top), Some(bottom)) = (pile.top(), pile.bottom()) else { return };
    let by_top = reach(top, side, from, pieces.occupied);
    let by_either = by_top | reach(bottom, side, from, pieces.occupied);
    give(Bundle::from_square(from, false, by_either & !pieces.own));
    give(Bundle::from_square(from, true, by_top & pieces.open()));
}

/// The planes of a position, sorted for the moves of one side.
struct Pieces {
    own: u128,
    king: u128,
    stacks: u128,
    occupied: u128,
    single_bits: [u128; 3],
    singles: u128,
}

impl Pieces {
    #[inline]
    fn of(state: &State, side: Side) -> Pieces {
        let [l0, l1, l2] = [state.plane(0), state.plane(1), state.plane(2)];
        let low = l0 | l1 | l2;
        let high = state.plane(3) | state.plane(4) | state.plane(5);
        let white = state.plane(6);
        let occupied = state.occupied();
        let own = if side == Side::First { white } else { occupied & !white };
        let singles = own & !high;
        Pieces {
            own,
            king: own & !low,
            stacks: own & low & high,
            occupied,
            single_bits: [l0, l1, l2],
            singles,
        }
    }

    /// Where a piece by itself may land: an own single piece is no obstacle, a stack or the King is.
    #[inline]
    const fn open(&self) -> u128 {
        !(self.stacks | self.king)
    }

    /// Whether a King is missing or only Kings are left.
    #[inline]
    fn is_over(&self, state: &State) -> bool {
        let kings = state.kings();
        self.king == 0 || kings == self.king || kings == self.occupied
    }

    /// The own single pieces of a kind other than King.
    #[inline]
    fn singles(&self, kind: Kind) -> u128 {
        let mut set = self.singles;
        for (i, bits) in self.single_bits.into_iter().enumerate() {
            set &= if kind as u8 >> i & 1 != 0 { bits } else { !bits };
        }
        set
    }
}
