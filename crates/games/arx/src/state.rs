//! The position: planes of bits, a mailbox beside them, the side to move, and the hash.
//!
//! Plane `i` has the squares whose code has bit `i`; the mailbox has the codes themselves. Every change
//! of a square goes through [`State::replace`] or [`State::clear`], which keep all of
//! them and the material balance up to date.
//!
//! ```text
//!     planes[third][i]   squares 0-31, squares 32-63, squares 64-80
//!     i = 0 1 2          LLL: the bottom or single piece
//!     i = 3 4 5          UUU: the top piece (111 over 000: the King)
//!     i = 6              the white squares
//!     i = 7              the squares that are not empty
//! ```
//!
//! Eight words a third, aligned: a square is changed in one vector operation, and a position is three cache lines to
//! copy. (Reading codes across the planes instead of from a mailbox made a position half as large and a move half as
//! fast.)
//!
//! Which positions are valid is said by [`crate::validity`].

use crate::bits::squares;
use crate::eval::material;
use crate::{Kind, Move, Pile, Square, validity, zobrist};
use std::hash::{Hash, Hasher};
use tabia_core::{Key, RuleError, Side};

/// A position.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct State {
    planes: [[u32; 8]; 3],
    key: Key,
    material: i32,
    piles: [Pile; Square::COUNT],
    side: Side,
    crowded: bool,
}

const _: () = assert!(size_of::<State>() == 192);

/// How many pieces of each kind a side begins with.
const AT_START: [u8; Kind::COUNT] = [9, 1, 1, 2, 2, 2, 2, 1];

/// What each code puts on the planes: a word for a bit, so that a square is changed by whole vectors.
static PLANES: [[u32; 8]; 128] = {
    let mut table = [[0; 8]; 128];
    let mut code = 1;
    while code < 128 {
        let mut i = 0;
        while i < 7 {
            table[code][i] = (code >> i & 1) as u32;
            i += 1;
        }
        table[code][7] = 1;
        code += 1;
    }
    table
};

impl State {
    /// A board without pieces.
    const fn empty() -> State {
        State {
            planes: [[0; 8]; 3],
            key: Key(0),
            material: 0,
            piles: [Pile::EMPTY; Square::COUNT],
            side: Side::First,
            crowded: false,
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
        state.crowded = Side::ALL.into_iter().any(|side| state.has_too_many(side));
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
        let [low, middle, high] = &self.planes;
        (low[i] as u64 | (middle[i] as u64) << 32) as u128 | (high[i] as u128) << 64
    }

    /// Whether a side may have more pieces of a kind than at the start. A game never gets there, only a position
    /// that was set up.
    #[inline]
    pub(crate) const fn is_crowded(&self) -> bool {
        self.crowded
    }

    fn has_too_many(&self, side: Side) -> bool {
        let mut counts = [0; Kind::COUNT];
        let own = self.piles.iter().filter(|pile| pile.side() == Some(side));
        own.flat_map(|pile| pile.kinds()).for_each(|kind| counts[kind as usize - 1] += 1);
        counts.iter().zip(AT_START).any(|(&count, usual)| count > usual)
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
        self.pile(mv.to()).is_other_than(self.pile(mv.from()))
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

    /// Puts `new` where `old` stands: with [`State::clear`] the only way a square changes.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call of its own costs a quarter of a move
    fn replace(&mut self, square: Square, old: Pile, new: Pile) {
        self.key ^= zobrist::pile(square, old) ^ zobrist::pile(square, new);
        self.material += material(new) - material(old);
        self.piles[square.index()] = new;
        let [old, new] = [old, new].map(|pile| &PLANES[usize::from(pile.code() & 127)]);
        for (i, word) in self.planes[square.index() / 32].iter_mut().enumerate() {
            *word ^= (old[i] ^ new[i]) << (square.index() % 32);
        }
    }

    /// Takes a pile away.
    #[inline(always)]
    #[allow(clippy::inline_always)] // as above
    fn clear(&mut self, square: Square, pile: Pile) {
        self.key ^= zobrist::pile(square, pile);
        self.material -= material(pile);
        self.piles[square.index()] = Pile::EMPTY;
        let planes = &PLANES[usize::from(pile.code() & 127)];
        for (i, word) in self.planes[square.index() / 32].iter_mut().enumerate() {
            *word ^= planes[i] << (square.index() % 32);
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
        let mut state = State { crowded: self.crowded, ..State::empty() };
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
    #[inline(always)]
    #[allow(clippy::inline_always)] // most of what it takes is done before a call would have begun
    pub(crate) fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let (here, there) = (self.pile(from), self.pile(to));
        let goes = if mv.unstack() {
            let (stays, goes) = here.split();
            self.replace(from, here, stays);
            goes
        } else {
            self.clear(from, here);
            here
        };
        let lands = if there.has_colour_of(here) { goes.onto(there) } else { goes };
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
