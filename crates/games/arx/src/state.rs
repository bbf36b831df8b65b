//! The position: planes of bits, a mailbox beside them, the side to move, and the hash.
//!
//! Plane `i` has the squares whose code has bit `i`; the mailbox has the codes themselves. Every change
//! of a square goes through [`State::replace`], which keeps all of
//! them and the material balance up to date.
//!
//! ```text
//!     planes[half][i]   half 0: squares 0-63, half 1: squares 64-80
//!     i = 0 1 2         LLL: the bottom or single piece
//!     i = 3 4 5         UUU: the top piece (111 over 000: the King)
//!     i = 6             the white squares
//!     i = 7             the squares that are not empty
//! ```
//!
//! Eight words a half, aligned: a square is changed in two vector operations. (Reading codes across the
//! planes instead of from a mailbox made a position half as large and a move half as fast.)
//!
//! Which positions are valid is said by [`crate::validity`].

use crate::bits::squares;
use crate::eval::material_change;
use crate::{Kind, Move, Pile, Square, validity, zobrist};
use std::hash::{Hash, Hasher};
use tabia_core::{Key, RuleError, Side};

/// A position.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct State {
    planes: [[u64; 8]; 2],
    piles: [Pile; Square::COUNT],
    side: Side,
    material: i32,
    key: Key,
}

impl State {
    /// A board without pieces.
    const fn empty() -> State {
        State {
            planes: [[0; 8]; 2],
            piles: [Pile::EMPTY; Square::COUNT],
            side: Side::First,
            material: 0,
            key: Key(0),
        }
    }

    /// The position a game starts from.
    pub fn start() -> State {
        use Kind::{Ballista, Commander, Dragon, Guard, Jester, King, Paladin, Soldier};
        const HOME: [Kind; 9] = [Ballista, Dragon, Paladin, Guard, King, Guard, Paladin, Dragon, Ballista];
        let mut state = State::empty();
        let mut put = |row: usize, column: usize, kind| {
            // White is Black's picture turned by 180 degrees.
            let black = (row * Square::SIDE + column) as u8;
            let white = Square::COUNT as u8 - 1 - black;
            state.replace(Square::from_bits(black), Pile::EMPTY, Pile::single(Side::Second, kind));
            state.replace(Square::from_bits(white), Pile::EMPTY, Pile::single(Side::First, kind));
        };
        for (column, kind) in HOME.into_iter().enumerate() {
            put(0, column, kind);
            put(2, column, Soldier);
        }
        put(1, 2, Commander);
        put(1, 6, Jester);
        state
    }

    /// The position with these piles, from A9 row by row; all violated rules are named.
    ///
    /// Anything goes that square codes can say, except more than one King a side.
    pub fn from_piles(piles: &[Pile; Square::COUNT], side: Side) -> Result<State, Vec<RuleError>> {
        Self::from_text(piles, side, |_| None)
    }

    /// The same, for piles whose place in a text is known.
    pub(crate) fn from_text(
        piles: &[Pile; Square::COUNT],
        side: Side,
        offset: impl Fn(Square) -> Option<usize>,
    ) -> Result<State, Vec<RuleError>> {
        let mut state = State::empty();
        for (square, &pile) in Square::all().zip(piles) {
            state.replace(square, Pile::EMPTY, pile);
        }
        if side == Side::Second {
            state.pass();
        }
        let violations = validity::violations(&state, offset);
        if violations.is_empty() { Ok(state) } else { Err(violations) }
    }

    /// What stands on a square.
    #[inline]
    pub fn pile(&self, square: Square) -> Pile {
        self.piles[square.index()]
    }

    /// All squares from A9, row by row.
    pub const fn piles(&self) -> &[Pile; Square::COUNT] {
        &self.piles
    }

    /// Who is to move.
    #[inline]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The Zobrist hash.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// White's material less Black's, as the evaluation counts it.
    #[inline]
    pub(crate) const fn material(&self) -> i32 {
        self.material
    }

    /// A plane as a set of squares.
    #[inline]
    pub(crate) const fn plane(&self, i: usize) -> u128 {
        self.planes[0][i] as u128 | (self.planes[1][i] as u128) << 64
    }

    /// The squares that are not empty.
    #[inline]
    pub(crate) const fn occupied(&self) -> u128 {
        self.plane(7)
    }

    /// The squares with two pieces.
    #[inline]
    pub(crate) const fn stacks(&self) -> u128 {
        (self.plane(0) | self.plane(1) | self.plane(2)) & (self.plane(3) | self.plane(4) | self.plane(5))
    }

    /// Whether a legal move takes something.
    #[inline]
    pub(crate) fn is_capture(&self, mv: Move) -> bool {
        let there = self.pile(mv.to());
        !there.is_empty() && !there.has_colour_of(self.pile(mv.from()))
    }

    /// Whether a legal move is one of a Soldier by itself, single or leaving a stack.
    #[inline]
    pub(crate) fn moves_soldier_alone(&self, mv: Move) -> bool {
        let here = self.pile(mv.from());
        let goes = if mv.unstack() { here.split().1 } else { here };
        goes == Pile::single(self.side(), Kind::Soldier)
    }

    /// The squares with a King, of both sides.
    #[inline]
    pub(crate) const fn kings(&self) -> u128 {
        self.plane(5) & !(self.plane(0) | self.plane(1) | self.plane(2))
    }

    /// The square of the King of a side, as a set.
    #[inline]
    pub(crate) const fn king(&self, side: Side) -> u128 {
        match side {
            Side::First => self.kings() & self.plane(6),
            Side::Second => self.kings() & !self.plane(6),
        }
    }

    /// Puts `new` where `old` stands: the only way a square changes.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call of its own costs a quarter of a move
    fn replace(&mut self, square: Square, old: Pile, new: Pile) {
        self.key ^= zobrist::pile(square, old) ^ zobrist::pile(square, new);
        self.material += material_change(old, new);
        self.piles[square.index()] = new;
        let fills = old.is_empty() != new.is_empty();
        let change = u64::from(old.code() ^ new.code()) | u64::from(fills) << 7;
        for (i, word) in self.planes[square.index() / 64].iter_mut().enumerate() {
            *word ^= (change >> i & 1) << (square.index() % 64);
        }
    }

    /// Gives the turn to the other side.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.side = self.side.other();
        self.key ^= zobrist::turn();
    }

    /// The position with every pile on another square, and with colours and turn exchanged when `swap`
    /// is set.
    pub(crate) fn mapped(&self, map: impl Fn(Square) -> Square, swap: bool) -> State {
        let mut state = State::empty();
        for square in squares(self.occupied()).map(|square| Square::from_bits(square as u8)) {
            let pile = self.pile(square);
            state.replace(map(square), Pile::EMPTY, if swap { pile.recoloured() } else { pile });
        }
        if (self.side == Side::Second) != swap {
            state.pass();
        }
        state
    }

    /// Plays a legal move.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let (here, there) = (self.pile(from), self.pile(to));
        let (stays, goes) = if mv.unstack() { here.split() } else { (Pile::EMPTY, here) };
        let lands = if there.has_colour_of(here) { goes.onto(there) } else { goes };
        self.replace(from, here, stays);
        self.replace(to, there, lands);
        self.pass();
    }
}

// The mailbox and the side say everything; keys differ for nearly all positions that do.
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.key == other.key && self.side == other.side && self.piles == other.piles
    }
}

impl Eq for State {}

// Equal positions have equal keys, and the key is already well mixed.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::notation::format(self))
    }
}
