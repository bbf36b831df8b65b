//! A position of few men as the side to move sees it: as if it were White, which plays up, to smaller numbers.

use super::material::{self, MOST, Material};
use crate::bits::{bit, squares};
use crate::reach::{king, reach};
use crate::{Kind, Square};
use tabia_core::{Side, Slice, Spot, Successor, Value};

/// The column that the mirror keeps.
const MIDDLE: u8 = 4;

/// A man beside the Kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) own: bool,
    pub(super) kind: Kind,
    pub(super) square: u8,
    /// Below another man in a stack.
    pub(super) under: bool,
}

/// The men: own ones first, those of one side in the order of their kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Own King, the other King.
    pub(super) kings: [u8; 2],
    men: [Man; MOST],
    len: u8,
}

const NOBODY: Man = Man { own: true, kind: Kind::King, square: 0, under: false };

impl Seen {
    pub(super) fn of_kings(kings: [u8; 2]) -> Seen {
        Seen { kings, men: [NOBODY; MOST], len: 0 }
    }

    /// One man more; there is room for [`MOST`].
    pub(super) fn push(&mut self, man: Man) {
        if let Some(place) = self.men.get_mut(usize::from(self.len)) {
            *place = man;
            self.len += 1;
        }
    }

    pub(super) fn men(&self) -> &[Man] {
        &self.men[..usize::from(self.len)]
    }

    fn side(&self, own: bool) -> u128 {
        let king = bit(usize::from(self.kings[usize::from(!own)]));
        self.men()
            .iter()
            .filter(|man| man.own == own)
            .fold(king, |set, man| set | bit(usize::from(man.square)))
    }

    fn occupied(&self) -> u128 {
        self.side(true) | self.side(false)
    }

    /// Whether two men of one side stand on one square.
    fn has_stack(&self) -> bool {
        matches!(self.men(), [a, b] if a.square == b.square)
    }

    /// The place in the tables; `None` where only Kings are left.
    pub(super) fn spot(&self) -> Option<Spot> {
        if self.len == 0 {
            return None;
        }
        let column = self.kings[0] % 9;
        let plain = || self.number();
        let mirrored = || self.mirrored().number();
        let (slice, index) = match column.cmp(&MIDDLE) {
            std::cmp::Ordering::Less => plain()?,
            std::cmp::Ordering::Greater => mirrored()?,
            std::cmp::Ordering::Equal => plain()?.min(mirrored()?),
        };
        Some(Spot { slice, index })
    }

    #[inline]
    fn number(&self) -> Option<(Slice, u64)> {
        let men = self.men();
        Some((Material::of_men(men).slice(), material::number(self.kings, men)?))
    }

    #[inline]
    fn map(mut self, square: &[u8; Square::COUNT]) -> Seen {
        self.kings = self.kings.map(|king| square[usize::from(king)]);
        self.men.iter_mut().for_each(|man| man.square = square[usize::from(man.square)]);
        self
    }

    #[inline]
    fn mirrored(self) -> Seen {
        self.map(&MIRRORED)
    }

    /// Whether the position is its own mirror image.
    fn is_symmetric(&self) -> bool {
        let image = self.mirrored();
        self.kings == image.kings && self.men().iter().all(|man| image.men().contains(man))
    }

    /// The same position as the other side sees it.
    #[inline]
    fn turned(self) -> Seen {
        let mut seen = self.map(&FLIPPED);
        seen.kings.reverse();
        seen.men.iter_mut().for_each(|man| man.own = !man.own);
        if let [a, b] = seen.men
            && seen.len == 2
            && a.own != b.own
        {
            seen.men = [b, a];
        }
        seen
    }

    /// Whether nobody stands on another's square, but for stacks of one side.
    pub(super) fn is_position(&self) -> bool {
        let apart = self.side(true) & self.side(false) == 0;
        let on_king = |man: &Man| self.kings.contains(&man.square);
        apart && self.kings[0] != self.kings[1] && !self.men().iter().any(on_king)
    }

    /// Whether the own King stands where the mirror leaves it.
    pub(super) fn may_be_mirrored(&self) -> bool {
        self.kings[0] % 9 == MIDDLE
    }

    /// Visits where each legal move leads.
    pub(super) fn each_move(&self, mut visit: impl FnMut(Successor)) {
        let (own, occupied) = (self.side(true), self.occupied());
        let mut after = |next: Seen, to: u8| visit(next.taken(to));
        for to in squares(king(usize::from(self.kings[0])) & !own) {
            after(Seen { kings: [to as u8, self.kings[1]], ..*self }, to as u8);
        }
        let own_king = bit(usize::from(self.kings[0]));
        let stack = self.has_stack();
        for (at, man) in self.men().iter().enumerate().filter(|(_, man)| man.own && !man.under) {
            let by_top = reach(man.kind, Side::First, usize::from(man.square), occupied);
            // Alone: onto a single man of its own it makes a stack.
            for to in squares(by_top & !own_king) {
                after(self.moved(at, to as u8), to as u8);
            }
            if stack {
                let below = self.men[1 - at];
                let by_either = by_top | reach(below.kind, Side::First, usize::from(man.square), occupied);
                for to in squares(by_either & !own) {
                    after(self.moved_whole(to as u8), to as u8);
                }
            }
        }
    }

    /// The same with one man on another square: above its own man there, if there is one.
    fn moved(&self, at: usize, to: u8) -> Seen {
        let mut next = *self;
        let own = next.men[at].own;
        next.men.iter_mut().for_each(|man| man.under = man.own == own && man.square == to);
        next.men[at].square = to;
        next.men[at].under = false;
        // Nobody lies below a man that is not there.
        if next.len < 2 {
            next.men[1].under = false;
        }
        next
    }

    /// The same with both men of a stack on another square.
    fn moved_whole(&self, to: u8) -> Seen {
        let mut next = *self;
        next.men.iter_mut().for_each(|man| man.square = to);
        next
    }

    /// What a move to a square comes to once everything of the other side is taken there.
    fn taken(self, to: u8) -> Successor {
        if self.kings[1] == to {
            return Successor::Over(Value::Loss(0));
        }
        let mut left = self;
        if self.men().iter().any(|man| !man.own && man.square == to) {
            left = Seen::of_kings(self.kings);
            self.men().iter().filter(|man| man.own || man.square != to).for_each(|man| left.push(*man));
        }
        left.turned().spot().map_or(Successor::Over(Value::Draw), Successor::At)
    }

    /// Visits each position from which a move without capture leads here, as the side that moved saw it, once for every
    /// such move of the places in the tables.
    pub(super) fn each_before(&self, mut visit: impl FnMut(Seen)) {
        let here = self.is_symmetric();
        let mut before = |seen: Seen, from: u8, to: u8| {
            let seen = seen.turned();
            // A position that is its own mirror image has half as many images, and two of its moves lead here. If this
            // is such a position, of two moves that are mirror images one is left out.
            let times = match (seen.is_symmetric(), here) {
                (true, false) => 2,
                (false, true) => usize::from((from, to) < (mirror(from), mirror(to))),
                _ => 1,
            };
            (0..times).for_each(|_| visit(seen));
        };
        let (occupied, stack) = (self.occupied(), self.has_stack());
        for from in squares(king(usize::from(self.kings[1])) & !occupied) {
            before(Seen { kings: [self.kings[0], from as u8], ..*self }, from as u8, self.kings[1]);
        }
        for (at, man) in self.men().iter().enumerate().filter(|(_, man)| !man.own && !man.under) {
            // Its moves taken back are those of the same kind that plays the other way.
            let back = reach(man.kind, Side::First, usize::from(man.square), occupied);
            for from in squares(back & !occupied) {
                before(self.moved(at, from as u8), from as u8, man.square);
            }
            let Some(friend) = self.men().iter().position(|other| *other != *man && !other.own) else {
                continue;
            };
            let friend = self.men[friend];
            if stack {
                let either = back | reach(friend.kind, Side::First, usize::from(man.square), occupied);
                for from in squares(either & !occupied) {
                    before(self.moved_whole(from as u8), from as u8, man.square);
                }
            } else if back & bit(usize::from(friend.square)) != 0 {
                // It left the stack whose lower man stands there.
                before(self.moved(at, friend.square), friend.square, man.square);
            }
        }
    }
}

/// The square that the mirror takes a square to.
fn mirror(square: u8) -> u8 {
    MIRRORED[usize::from(square)]
}

/// Where the mirror of the columns and that of the rows take each square.
static MIRRORED: [u8; Square::COUNT] = squares_by(false);
static FLIPPED: [u8; Square::COUNT] = squares_by(true);

const fn squares_by(rows: bool) -> [u8; Square::COUNT] {
    let mut table = [0; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT {
        let (row, column) = (at / Square::SIDE, at % Square::SIDE);
        table[at] =
            if rows { (8 - row) * Square::SIDE + column } else { row * Square::SIDE + 8 - column } as u8;
        at += 1;
    }
    table
}

/// The square with a number below 81.
pub(super) fn square_of(number: u8) -> Option<Square> {
    Square::from_index(usize::from(number))
}
