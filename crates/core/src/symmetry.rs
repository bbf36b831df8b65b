//! Symmetries: changes of the board that change nothing in the game.

use std::fmt::Debug;
use std::marker::PhantomData;

/// An element of a group that acts on positions and moves of a game.
///
/// The action itself is in [`crate::Game::map_state`] and [`crate::Game::map_move`].
pub trait Symmetry: Copy + Eq + Debug + Send + Sync + 'static {
    /// The element that changes nothing.
    const IDENTITY: Self;
    /// First `self`, then `next`.
    #[must_use]
    fn then(self, next: Self) -> Self;
    /// The element that undoes this one.
    #[must_use]
    fn inverse(self) -> Self;
    /// Whether the two players change places.
    fn swaps_sides(self) -> bool {
        false
    }
    /// A short name, for people.
    fn name(self) -> String {
        format!("{self:?}")
    }
}

/// The group of one element, for games without symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoSymmetry;

impl Symmetry for NoSymmetry {
    const IDENTITY: Self = NoSymmetry;
    fn then(self, _: Self) -> Self {
        NoSymmetry
    }
    fn inverse(self) -> Self {
        NoSymmetry
    }
}

/// The representative of a position under the game's symmetries, and the way there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical<State, Sym> {
    /// The representative.
    pub state: State,
    /// The symmetry that maps the original position to the representative.
    pub symmetry: Sym,
}

/// The four symmetries made of a mirror and an exchange of the two players.
///
/// How the board looks in the mirror, and how it is turned when the players change places, is the game's
/// affair; the two must commute. Games in which only one of them is a symmetry list the half of the group
/// that they have. `N` is what the game calls the elements in answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MirrorSwap<N = PlainNames>(u8, PhantomData<N>);

/// What a game calls the elements of [`MirrorSwap`].
pub trait MirrorSwapNames: Copy + Eq + Send + Sync + 'static {
    /// Nothing changes, the players change places, the board is mirrored, both.
    const NAMES: [&'static str; 4];
}

/// Names that fit every game: `identity`, `swap`, `mirror`, `mirror-swap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlainNames;

impl MirrorSwapNames for PlainNames {
    const NAMES: [&'static str; 4] = ["identity", "swap", "mirror", "mirror-swap"];
}

impl<N> MirrorSwap<N> {
    /// The players change places.
    pub const SWAP: Self = MirrorSwap(1, PhantomData);
    /// The board is mirrored.
    pub const MIRROR: Self = MirrorSwap(2, PhantomData);
    /// Both.
    pub const MIRROR_SWAP: Self = MirrorSwap(3, PhantomData);
    /// All four, the identity first; the first two swap at most, the others mirror too.
    pub const ALL: [Self; 4] = [MirrorSwap(0, PhantomData), Self::SWAP, Self::MIRROR, Self::MIRROR_SWAP];

    /// Whether the board is mirrored.
    #[inline]
    pub const fn mirrors(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether the players change places.
    #[inline]
    pub const fn swaps(self) -> bool {
        self.0 & 1 != 0
    }
}

impl<N: MirrorSwapNames> Symmetry for MirrorSwap<N> {
    const IDENTITY: Self = MirrorSwap(0, PhantomData);

    fn then(self, next: Self) -> Self {
        MirrorSwap(self.0 ^ next.0, PhantomData)
    }

    fn inverse(self) -> Self {
        self
    }

    fn swaps_sides(self) -> bool {
        self.swaps()
    }

    fn name(self) -> String {
        N::NAMES[usize::from(self.0 & 3)].to_owned()
    }
}

impl<N: MirrorSwapNames> Debug for MirrorSwap<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

/// The eight symmetries of a square grid.
///
/// The number is a sum: 1 mirrors left-right, 2 mirrors top-bottom, 4 exchanges x and y first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dihedral(u8);

impl Dihedral {
    /// All eight, the identity first.
    pub const ALL: [Dihedral; 8] = [
        Dihedral(0),
        Dihedral(1),
        Dihedral(2),
        Dihedral(3),
        Dihedral(4),
        Dihedral(5),
        Dihedral(6),
        Dihedral(7),
    ];

    /// Where the cell (x, y) of an `n` by `n` grid goes.
    #[inline]
    pub const fn apply(self, (x, y): (usize, usize), n: usize) -> (usize, usize) {
        let (x, y) = if self.0 & 4 != 0 { (y, x) } else { (x, y) };
        let x = if self.0 & 1 != 0 { n - 1 - x } else { x };
        let y = if self.0 & 2 != 0 { n - 1 - y } else { y };
        (x, y)
    }

    /// Where cell `y * n + x` goes.
    #[inline]
    pub const fn apply_index(self, cell: usize, n: usize) -> usize {
        let (x, y) = self.apply((cell % n, cell / n), n);
        y * n + x
    }

    /// 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Symmetry for Dihedral {
    const IDENTITY: Self = Dihedral(0);

    fn then(self, next: Self) -> Self {
        // An exchange in `next` turns our left-right mirror into a top-bottom one.
        let flips = self.0 & 3;
        let flips = if next.0 & 4 != 0 { (flips >> 1) | ((flips & 1) << 1) } else { flips };
        Dihedral((self.0 ^ next.0) & 4 | (flips ^ (next.0 & 3)))
    }

    fn inverse(self) -> Self {
        let flips = self.0 & 3;
        if self.0 & 4 == 0 { self } else { Dihedral(4 | (flips >> 1) | ((flips & 1) << 1)) }
    }

    fn name(self) -> String {
        [
            "identity",
            "mirror-x",
            "mirror-y",
            "rotate-180",
            "transpose",
            "rotate-90",
            "rotate-270",
            "anti-transpose",
        ][self.index()]
        .to_owned()
    }
}

impl Debug for Dihedral {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dihedral_is_a_group_and_acts_as_one() {
        let cells = || (0..5).flat_map(|y| (0..5).map(move |x| (x, y)));
        for a in Dihedral::ALL {
            assert_eq!(a.then(a.inverse()), Dihedral::IDENTITY, "{a:?}");
            for b in Dihedral::ALL {
                for cell in cells() {
                    assert_eq!(a.then(b).apply(cell, 5), b.apply(a.apply(cell, 5), 5), "{a:?} then {b:?}");
                }
            }
        }
    }

    /// A cell with an owner: mirrored left-right, turned top-bottom with the owner exchanged.
    fn seen_through(symmetry: MirrorSwap, (x, y, owner): (u8, u8, u8)) -> (u8, u8, u8) {
        let x = if symmetry.mirrors() { 4 - x } else { x };
        if symmetry.swaps() { (x, 4 - y, 1 - owner) } else { (x, y, owner) }
    }

    #[test]
    fn mirror_and_swap_are_a_group_and_act_as_one() {
        let all: [MirrorSwap; 4] = MirrorSwap::ALL;
        assert_eq!(all[0], MirrorSwap::IDENTITY);
        for a in all {
            assert_eq!(a.then(a.inverse()), MirrorSwap::IDENTITY, "{a:?}");
            for b in all {
                assert!(all.contains(&a.then(b)));
                assert_eq!(a.then(b).swaps_sides(), a.swaps_sides() != b.swaps_sides());
                for cell in (0..50).map(|n| (n % 5, n / 5 % 5, n / 25)) {
                    let one_by_one = seen_through(b, seen_through(a, cell));
                    assert_eq!(seen_through(a.then(b), cell), one_by_one, "{a:?} then {b:?}");
                }
            }
        }
        assert_eq!(all.map(Symmetry::name), PlainNames::NAMES.map(str::to_owned));
    }

    #[test]
    fn rotations_turn_clockwise_as_named() {
        assert_eq!(Dihedral(5).apply((0, 0), 3), (2, 0));
        assert_eq!(Dihedral(5).apply((2, 0), 3), (2, 2));
    }
}
