//! Positions, stacks and moves.

use tabia_core::Side;

/// One of the nine positions, 1 to 9 for people and 0 to 8 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u8);

impl Place {
    /// How many there are.
    pub const COUNT: usize = 9;
    /// All nine in order.
    pub const ALL: [Place; 9] =
        [Place(0), Place(1), Place(2), Place(3), Place(4), Place(5), Place(6), Place(7), Place(8)];

    /// The position with this index, 0 to 8.
    pub const fn from_index(index: usize) -> Option<Place> {
        if index < Self::COUNT { Some(Place(index as u8)) } else { None }
    }

    /// The position with this number, 1 to 9.
    pub const fn from_number(number: usize) -> Option<Place> {
        if number == 0 { None } else { Self::from_index(number - 1) }
    }

    /// 0 to 8.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 1 to 9.
    pub const fn number(self) -> usize {
        self.index() + 1
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A stack of up to three bricks, laid out as the stack hashcode without its drawable bit.
///
/// ```text
///   bit   4       3        2     1 0
///       third | second |  top  | count
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stack(u8);

impl Stack {
    /// No brick.
    pub const EMPTY: Stack = Stack(0);

    /// The stack with this code; bricks that are not there must have 0 bits.
    pub const fn from_code(code: u8) -> Option<Stack> {
        let bricks = code >> 2;
        if code < 32 && bricks < 1 << (code & 3) { Some(Stack(code)) } else { None }
    }

    /// The stack in the low bits of a lane, which never holds anything else.
    #[inline]
    pub(crate) const fn of_lane(lane: u8) -> Stack {
        Stack(lane & 31)
    }

    /// The code, 0 to 31.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The number of bricks, 0 to 3.
    #[inline]
    pub const fn height(self) -> u8 {
        self.0 & 3
    }

    /// The brick on top.
    #[inline]
    pub const fn top(self) -> Option<Side> {
        match (self.height(), self.0 >> 2 & 1) {
            (0, _) => None,
            (_, 0) => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// The stack with one more brick on top; `None` when it is full.
    #[inline]
    #[must_use]
    pub const fn with(self, brick: Side) -> Option<Stack> {
        if self.height() == 3 {
            return None;
        }
        let bricks = (self.0 >> 2) << 1 | brick as u8;
        Some(Stack(bricks << 2 | (self.height() + 1)))
    }

    /// The stack without its top brick; `None` when it is empty.
    #[inline]
    #[must_use]
    pub const fn without_top(self) -> Option<Stack> {
        if self.height() == 0 {
            return None;
        }
        Some(Stack((self.0 >> 3) << 2 | (self.height() - 1)))
    }

    /// The bricks from bottom to top.
    pub fn bricks(self) -> impl Iterator<Item = Side> {
        (0..self.height())
            .rev()
            .map(move |i| if self.0 >> (2 + i) & 1 == 0 { Side::First } else { Side::Second })
    }
}

/// A turn: the brick that travels and where it lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The stack the brick is drawn from; `None` for the player's own stash.
    pub from: Option<Place>,
    /// The stack it lands on.
    pub to: Place,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fifteen_stacks_and_bricks_come_and_go() {
        let stacks: Vec<Stack> = (0..=255).filter_map(Stack::from_code).collect();
        assert_eq!(stacks.len(), 15);
        for stack in stacks {
            let rebuilt = stack.bricks().try_fold(Stack::EMPTY, Stack::with);
            assert_eq!(rebuilt, Some(stack));
            for brick in Side::ALL {
                if let Some(higher) = stack.with(brick) {
                    assert_eq!(higher.top(), Some(brick));
                    assert_eq!(higher.without_top(), Some(stack));
                }
            }
        }
    }
}
