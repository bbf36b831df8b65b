//! Legal moves: one walk over the pieces, and three ways to use it (listing, counting, drawing lots).
//!
//! The walk hands out *bundles*: sets of targets that are different moves each. A bundle is the moves
//! of one piece or stack from its square, or one step of all Soldiers in one direction, so that counting
//! is a matter of popcounts.

use crate::bits::{BOARD, COLUMN_A, COLUMN_I, first, from_first, nth, squares};
use crate::reach::{self, ballista, commander, dragon, guard, jester, king, paladin};
use crate::{Arx, Kind, Move, Square, State};
use tabia_core::{Side, SplitMix64, perft};

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

    /// Those of the moves that end on these squares.
    #[inline]
    const fn ending_on(self, squares: u128) -> Bundle {
        Bundle { targets: self.targets & squares, ..self }
    }

    /// The targets of those of the moves that leave one of these squares empty.
    #[inline]
    const fn emptying(&self, squares: u128) -> u128 {
        match self.origin() {
            Some((_, true)) => 0,
            Some((from, false)) => self.targets & (squares >> from & 1).wrapping_neg(),
            None => {
                let back = self.base as i16;
                self.targets & if back > 0 { squares >> back } else { squares << -back }
            }
        }
    }

    /// Appends the moves: eight at a time whether or not there are as many, because where a loop over so few squares ends
    /// is hard to predict.
    #[inline]
    fn list(&self, out: &mut Vec<Move>) {
        let ([low, high], first) = from_first(self.targets);
        let bundle = Bundle { base: self.base.wrapping_add(self.step.wrapping_mul(first as u16)), ..*self };
        let mut list = |mut word: u64, above: usize| {
            let end = out.len() + word.count_ones() as usize;
            while word != 0 {
                out.extend_from_slice(&[(); 8].map(|()| {
                    let to = above + word.trailing_zeros() as usize;
                    word &= word.wrapping_sub(1);
                    bundle.to(to)
                }));
            }
            out.truncate(end);
        };
        list(low, 0);
        if high != 0 {
            list(high, 64);
        }
    }
}

/// Appends all legal moves.
pub(crate) fn list(state: &State, out: &mut Vec<Move>) {
    walk(state, state.side(), |bundle| bundle.list(out));
}

/// Appends the legal moves that capture.
pub(crate) fn list_captures(state: &State, out: &mut Vec<Move>) {
    let enemies = enemies(state, state.side());
    walk(state, state.side(), |bundle| bundle.ending_on(enemies).list(out));
}

/// The squares of the other side.
#[inline]
fn enemies(state: &State, side: Side) -> u128 {
    let white = state.plane(6);
    state.occupied() & if side == Side::First { !white } else { white }
}

/// The number of legal moves.
#[inline]
pub(crate) fn count(state: &State) -> u64 {
    let mut total = 0;
    walk(state, state.side(), |bundle| total += bundle.len());
    u64::from(total)
}

/// The number of legal moves after each legal move, together.
///
/// What stands on a target is nothing to the piece that moves there, as long as it is not its own. So a move that takes
/// nothing changes the replies only by lines that it closes or opens. How many replies each square would take away by
/// being filled is worked out once; moves that take a piece or open a line are played.
pub(crate) fn count_pairs(state: &State, played: &mut Vec<Move>) -> u64 {
    let side = state.side();
    let Replies { total: replies, seen, blocked } = Replies::of(state, side.other());
    let enemies = enemies(state, side);
    let mut total = 0;
    played.clear();
    walk(state, side, |bundle| {
        let quiet = bundle.ending_on(!(enemies | bundle.emptying(seen)));
        total += u64::from(replies) * u64::from(quiet.len());
        total -= squares(quiet.targets).map(|to| u64::from(blocked[to])).sum::<u64>();
        bundle.ending_on(!quiet.targets).list(played);
    });
    total + perft::replies(&Arx, state, played)
}

/// The moves of a side, and what they would lose.
struct Replies {
    total: u32,
    /// The squares that pieces see along lines: if one is left, they may see further.
    seen: u128,
    /// For each square the number of moves over it.
    blocked: [u8; Square::COUNT],
}

impl Replies {
    fn of(state: &State, side: Side) -> Replies {
        let mut replies = Replies { total: 0, seen: 0, blocked: [0; Square::COUNT] };
        let king = state.king(side);
        walk(state, side, |bundle| {
            replies.total += bundle.len();
            let Some((from, _)) = bundle.origin() else { return };
            let lines = if king >> from & 1 == 0 { !dragon(from) } else { 0 };
            replies.seen |= bundle.targets & lines;
            for to in squares(bundle.targets & reach::far(from)) {
                let step = reach::step_back(from, to);
                let mut at = to.wrapping_add_signed(step);
                while at != from {
                    replies.blocked[at] += 1;
                    at = at.wrapping_add_signed(step);
                }
            }
        });
        replies
    }
}

/// Whether there is a legal move.
pub(crate) fn any(state: &State) -> bool {
    let side = state.side();
    let pieces = Pieces::of(state, side);
    // Nearly always a Soldier can step; the whole walk is for the rest.
    let step = || pieces.soldiers(side).iter().any(|bundle| bundle.targets != 0);
    !pieces.is_over(state) && step() || count(state) > 0
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

/// A legal move chosen uniformly; `None` when there is none. It is the one of that number in the list, which is only
/// made in `buffer` where a side has more pieces than a game can have.
#[inline]
pub(crate) fn random(state: &State, rng: &mut SplitMix64, buffer: &mut Vec<Move>) -> Option<Move> {
    if state.is_crowded() {
        buffer.clear();
        list(state, buffer);
        return buffer.get(rng.below(buffer.len() as u64) as usize).copied();
    }
    match state.side() {
        Side::First => random_for(state, Side::First, rng),
        Side::Second => random_for(state, Side::Second, rng),
    }
}

#[inline(always)]
#[allow(clippy::inline_always)] // so that the side is known
fn random_for(state: &State, side: Side, rng: &mut SplitMix64) -> Option<Move> {
    let pieces = Pieces::of(state, side);
    if pieces.is_over(state) {
        // A number is drawn whenever a move is asked for.
        rng.next();
        return None;
    }
    let singles = pieces.singles(side);
    let lots = Lots::of(&singles);
    // Where the moves of each stack end, counted on from the single pieces.
    let (mut total, mut ends) = (lots.total(), [0; STACKS]);
    for (from, end) in squares(pieces.stacks).zip(&mut ends) {
        total += pieces.stack(state, side, from).iter().map(Bundle::len).sum::<u32>();
        *end = total;
    }
    let chosen = rng.below(u64::from(total)) as u32;
    if chosen < lots.total() {
        let (n, before) = lots.find(chosen);
        let bundle = singles[n];
        return Some(bundle.to(nth(bundle.targets, chosen - before)));
    }
    let (from, end) = squares(pieces.stacks).zip(ends).find(|&(_, end)| chosen < end)?;
    let [whole, top] = pieces.stack(state, side, from);
    let top_first = end - top.len();
    let (bundle, first) =
        if chosen < top_first { (whole, top_first - whole.len()) } else { (top, top_first) };
    Some(bundle.to(nth(bundle.targets, chosen - first)))
}

/// Where the moves of each bundle of single pieces end, counted on from bundle to bundle: a byte each, since a side that
/// is not crowded has at most 122 moves with them. A bundle is found without a branch, because nobody can predict it.
struct Lots([u64; 2]);

impl Lots {
    const ONES: u64 = u64::MAX / 255;

    #[inline]
    fn of(bundles: &[Bundle; SINGLES]) -> Lots {
        let mut counts = [0; 2];
        for (n, bundle) in bundles.iter().enumerate() {
            counts[n / 8] |= u64::from(bundle.len()) << (n % 8 * 8);
        }
        let [low, high] = counts.map(|bytes| bytes.wrapping_mul(Self::ONES));
        Lots([low, high + (low >> 56) * Self::ONES])
    }

    #[inline]
    fn total(&self) -> u32 {
        (self.0[1] >> 56) as u32
    }

    /// The bundle of a move, and the number of moves before it.
    #[inline]
    fn find(&self, chosen: u32) -> (usize, u32) {
        const HIGH: u64 = Lots::ONES << 7;
        let [low, high] = self.0;
        let number = (u64::from(chosen) * Self::ONES) | HIGH;
        let n = ((number - low) & HIGH).count_ones() + ((number - high) & HIGH).count_ones();
        let ends = u128::from(low) << 8 | u128::from(high) << 72;
        (n as usize, (ends >> (8 * n)) as u32 & 0xFF)
    }
}

/// Bundles of single pieces, where there are not more than at the start: two of Soldiers, eleven of officers.
const SINGLES: usize = 13;
/// The stacks that the 19 pieces of a side beside the King can form.
const STACKS: usize = 9;

/// Calls `give` with every bundle of moves of `side`, some of them empty; none when the game is over.
#[inline(always)]
#[allow(clippy::inline_always)] // every use is another loop
pub(crate) fn walk(state: &State, side: Side, mut give: impl FnMut(Bundle)) {
    match side {
        Side::First => walk_for(state, Side::First, &mut give),
        Side::Second => walk_for(state, Side::Second, &mut give),
    }
}

#[inline(always)]
#[allow(clippy::inline_always)] // so that the side is known
fn walk_for(state: &State, side: Side, give: &mut impl FnMut(Bundle)) {
    let pieces = Pieces::of(state, side);
    if pieces.is_over(state) {
        return;
    }
    let occupied = pieces.occupied;
    pieces.soldiers(side).into_iter().for_each(&mut *give);
    pieces.each(Kind::Jester, |from| jester(from, occupied), give);
    pieces.each(Kind::Commander, |from| commander(from, occupied), give);
    pieces.each(Kind::Paladin, |from| paladin(from, occupied), give);
    pieces.each(Kind::Guard, |from| guard(from, occupied), give);
    pieces.each(Kind::Dragon, dragon, give);
    pieces.each(Kind::Ballista, |from| ballista(side, from, occupied), give);
    squares(pieces.king).for_each(|from| give(Bundle::from_square(from, false, king(from) & !pieces.own)));
    for from in squares(pieces.stacks) {
        let [whole, top] = pieces.stack(state, side, from);
        give(whole);
        give(top);
    }
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
    fn of_kind(&self, kind: Kind) -> u128 {
        let mut set = self.singles;
        for (i, bits) in self.single_bits.into_iter().enumerate() {
            set &= if kind as u8 >> i & 1 != 0 { bits } else { !bits };
        }
        set
    }

    /// The moves of all single pieces of a side that is not crowded: every officer has its place, captured or not.
    #[inline(always)]
    #[allow(clippy::inline_always)] // so that the side is known
    fn singles(&self, side: Side) -> [Bundle; SINGLES] {
        let [soldiers_left, soldiers_right] = self.soldiers(side);
        let occupied = self.occupied;
        let [j] = self.officers(Kind::Jester, |at| jester(at, occupied));
        let [c] = self.officers(Kind::Commander, |at| commander(at, occupied));
        let [p, q] = self.officers(Kind::Paladin, |at| paladin(at, occupied));
        let [g, h] = self.officers(Kind::Guard, |at| guard(at, occupied));
        let [d, e] = self.officers(Kind::Dragon, dragon);
        let [a, b] = self.officers(Kind::Ballista, |at| ballista(side, at, occupied));
        let [k] = first(self.king).map(|at| Bundle::from_square(at, false, king(at) & !self.own));
        [soldiers_left, soldiers_right, j, c, p, q, g, h, d, e, a, b, k]
    }

    /// The moves of the single pieces of one kind, of which there are at most `N`. Whether there is one at all changes
    /// seldom in a game, so that it can be guessed; how many there are is not asked.
    #[inline(always)]
    #[allow(clippy::inline_always)] // as what calls it
    fn officers<const N: usize>(&self, kind: Kind, reach: impl Fn(usize) -> u128) -> [Bundle; N] {
        let set = self.of_kind(kind);
        if set == 0 {
            return [Bundle::from_square(0, false, 0); N];
        }
        first(set).map(|at| self.single(at, reach(at)))
    }

    #[inline]
    const fn single(&self, from: usize, reached: u128) -> Bundle {
        Bundle::from_square(from, false, reached & self.open())
    }

    /// The moves of single pieces of one kind.
    #[inline]
    fn each(&self, kind: Kind, reach: impl Fn(usize) -> u128, give: &mut impl FnMut(Bundle)) {
        squares(self.of_kind(kind)).for_each(|from| give(self.single(from, reach(from))));
    }

    /// One step of all Soldiers to the left, and one to the right.
    #[inline]
    fn soldiers(&self, side: Side) -> [Bundle; 2] {
        let (set, open) = (self.of_kind(Kind::Soldier), self.open() & BOARD);
        let (not_a, not_i) = (set & !COLUMN_A, set & !COLUMN_I);
        match side {
            Side::First => {
                [Bundle::by_offset(10, not_a >> 10 & open), Bundle::by_offset(8, not_i >> 8 & open)]
            }
            Side::Second => {
                [Bundle::by_offset(-8, not_a << 8 & open), Bundle::by_offset(-10, not_i << 10 & open)]
            }
        }
    }

    /// The moves of a whole stack by either part, and those of its top alone. What the parts are is not branched upon.
    #[inline]
    fn stack(&self, state: &State, side: Side, from: usize) -> [Bundle; 2] {
        let code = state.pile(Square::from_bits(from as u8)).code();
        let sight = reach::sight_of(code, from, self.occupied);
        let by_top = sight & reach::on_empty_board(code >> 3, side, from);
        let by_bottom = sight & reach::on_empty_board(code, side, from);
        [
            Bundle::from_square(from, false, (by_top | by_bottom) & !self.own),
            Bundle::from_square(from, true, by_top & self.open()),
        ]
    }
}
