//! The position: nine stacks, the player to move, the blocked stack, and the key that follows them.

use crate::{Move, Place, Stack, Violation, validity, zobrist};
use tabia_core::{Key, Side};

/// Bricks of each player.
pub(crate) const BRICKS: u32 = 8;
/// Tops that win.
pub(crate) const VISIBLE: u32 = 5;
/// All bits of all lanes.
pub(crate) const LANES: u64 = (1 << 63) - 1;
/// Bit 0 of each lane.
pub(crate) const ONES: u64 = 0x0102_0408_1020_4081;

/// A position of 5-Visible.
///
/// The nine stacks lie in one word, seven bits each, position 1 lowest:
///
/// ```text
///   lane of position n, from bit 7(n-1):   6 5 | 4 third | 3 second | 2 top | 1 0 count
/// ```
///
/// Questions about all stacks are then a shift and a mask ("lanes" below are words with only the
/// bits of `ONES`). Stashes are not stored: they are what is not on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    lanes: u64,
    key: Key,
    player: Side,
    /// The stack that received the last brick; 9 for none.
    blocked: u8,
}

impl State {
    /// No brick on the board, player 0 to move.
    pub const EMPTY: State = State { lanes: 0, key: zobrist::EMPTY_BOARD, player: Side::First, blocked: 9 };

    /// The opening with two bricks of each player on positions 3 to 6.
    pub(crate) fn four() -> State {
        let mut state = State::EMPTY;
        for (place, side) in
            Place::ALL[2..6].iter().zip([Side::First, Side::First, Side::Second, Side::Second])
        {
            state.set(*place, Stack::EMPTY.with(side).unwrap_or_default());
        }
        state
    }

    /// The position with these stacks; every violated rule is reported.
    pub fn new(stacks: [Stack; 9], player: Side, blocked: Option<Place>) -> Result<State, Vec<Violation>> {
        let mut state = State::EMPTY;
        for (place, stack) in Place::ALL.into_iter().zip(stacks) {
            state.set(place, stack);
        }
        if player == Side::Second {
            state.change_player();
        }
        state.block(blocked.map_or(9, |place| place.index() as u8));
        let violations = validity::violations(&state, blocked);
        if violations.is_empty() { Ok(state) } else { Err(violations) }
    }

    /// The position with this word of stacks; `None` when a lane is no stack, or there are more bricks than exist.
    ///
    /// The quick way of [`State::new`] for what the rules have written themselves: no violation is named.
    #[inline]
    pub(crate) fn from_lanes(lanes: u64, player: Side, blocked: Option<Place>) -> Option<State> {
        let (low, high) = (lanes & ONES, lanes >> 1 & ONES);
        let brick = |n: u32| lanes >> (2 + n) & ONES;
        // No first brick without a stack, no second on a lone one, no third on two; bits 5 and 6 are free.
        let stray = brick(0) & !(low | high) | brick(1) & !high | brick(2) & !(low & high);
        let mut state = State { lanes, ..State::EMPTY };
        let right = stray | lanes & !(0x1F * ONES) == 0;
        if !right || Side::ALL.into_iter().any(|side| state.bricks(side) > BRICKS) {
            return None;
        }
        for place in Place::ALL {
            state.key ^= zobrist::stack_change(place, 0, state.stack(place).code());
        }
        if player == Side::Second {
            state.change_player();
        }
        state.block(blocked.map_or(9, |place| place.index() as u8));
        Some(state)
    }

    /// The stack on a position.
    #[inline]
    pub fn stack(&self, place: Place) -> Stack {
        Stack::of_lane((self.lanes >> (7 * place.index())) as u8)
    }

    /// All nine stacks.
    pub fn stacks(&self) -> [Stack; 9] {
        Place::ALL.map(|place| self.stack(place))
    }

    /// Who is to move.
    #[inline]
    pub const fn player(&self) -> Side {
        self.player
    }

    /// The stack that received the last brick, if any.
    pub const fn blocked(&self) -> Option<Place> {
        Place::from_index(self.blocked as usize)
    }

    /// The hash, kept up to date.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Bricks of a player on the board.
    pub const fn bricks(&self, side: Side) -> u32 {
        let second = (self.lanes & (0b11100 * ONES)).count_ones();
        match side {
            Side::Second => second,
            Side::First => {
                let (low, high) = (self.lanes & ONES, self.lanes >> 1 & ONES);
                low.count_ones() + 2 * high.count_ones() - second
            }
        }
    }

    /// Bricks a player still has to place.
    #[inline]
    pub const fn stash(&self, side: Side) -> u32 {
        BRICKS.saturating_sub(self.bricks(side))
    }

    /// Bricks of a player on top of stacks.
    #[inline]
    pub const fn visible(&self, side: Side) -> u32 {
        let tops = self.lanes >> 2;
        match side {
            Side::First => (self.standing() & !tops).count_ones(),
            Side::Second => (tops & ONES).count_ones(),
        }
    }

    /// Who has five bricks on top; both is impossible on nine positions.
    #[inline]
    pub const fn winner(&self) -> Option<Side> {
        if self.visible(Side::First) >= VISIBLE {
            Some(Side::First)
        } else if self.visible(Side::Second) >= VISIBLE {
            Some(Side::Second)
        } else {
            None
        }
    }

    /// Lanes of the stacks that stand.
    #[inline]
    pub(crate) const fn standing(&self) -> u64 {
        (self.lanes | self.lanes >> 1) & ONES
    }

    /// Lanes of the stacks with three bricks.
    #[inline]
    pub(crate) const fn full(&self) -> u64 {
        self.lanes & self.lanes >> 1 & ONES
    }

    /// Lanes of the stacks with one brick.
    #[inline]
    pub(crate) const fn lone(&self) -> u64 {
        self.lanes & !(self.lanes >> 1) & ONES
    }

    /// Lanes of the empty positions.
    #[inline]
    pub(crate) const fn empty(&self) -> u64 {
        !self.standing() & ONES
    }

    /// The lane of the blocked stack, 0 for none.
    #[inline]
    pub(crate) const fn blocked_lane(&self) -> u64 {
        // Lane 9 would be bit 63, which no lane uses.
        (1 << (7 * self.blocked as u32)) & ONES
    }

    /// The place of the blocked stack as one of nine bits, 0 for none.
    #[inline]
    pub(crate) const fn blocked_place(&self) -> u64 {
        1 << self.blocked & 0x1FF
    }

    /// The word of stacks.
    #[inline]
    pub(crate) const fn lanes(&self) -> u64 {
        self.lanes
    }

    /// Plays a move known to be legal.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        let brick = match mv.from {
            None => Some(self.player),
            Some(from) => {
                let stack = self.stack(from);
                self.set(from, stack.without_top().unwrap_or_default());
                stack.top()
            }
        };
        if let Some(higher) = brick.and_then(|brick| self.stack(mv.to).with(brick)) {
            self.set(mv.to, higher);
        }
        self.block(mv.to.index() as u8);
        self.change_player();
    }

    // The three functions below are the only ones that change a position, and each changes the key
    // with it (`from_lanes` begins with the stacks).

    #[inline]
    fn set(&mut self, place: Place, stack: Stack) {
        let shift = 7 * place.index();
        let changed = (self.lanes >> shift & 31) ^ u64::from(stack.code());
        self.key ^= zobrist::stack_change(place, (self.lanes >> shift & 31) as u8, stack.code());
        self.lanes ^= changed << shift;
    }

    #[inline]
    fn block(&mut self, index: u8) {
        self.key ^= zobrist::block_change(self.blocked, index);
        self.blocked = index;
    }

    #[inline]
    fn change_player(&mut self) {
        self.key ^= zobrist::PLAYER;
        self.player = self.player.other();
    }
}

/// The stacks as text, for failing tests.
impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::notation::board_text(self))
    }
}
