//! A position of few men as the side to move sees it: as if it were White.

use super::geometry::{DIAGONAL, ON_DIAGONAL, TABLES, Tables, each_of};
use super::material::{BISHOP, KNIGHT, MOST, Material, PAWN, QUEEN, ROOK};
use tabia_core::Spot;

/// The other diagonal, and the turn that mirrors the board at it.
const ANTIDIAGONAL: usize = 7;
const ON_ANTIDIAGONAL: u64 = 0x0102_0408_1020_4080;
/// The other side sees rank 1 as rank 8.
const UPSIDE_DOWN: u8 = 56;

/// A man beside the kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) own: bool,
    pub(super) kind: u8,
    pub(super) square: u8,
}

impl Man {
    const NOBODY: Man = Man { own: true, kind: 0, square: 0 };

    pub(super) fn is_like(self, other: Man) -> bool {
        self.own == other.own && self.kind == other.kind
    }

    /// The order of men in numbers.
    fn order(self) -> (bool, u8, u8) {
        (!self.own, self.kind, self.square)
    }
}

/// The men, and the pawn that has just made a double step if it can be captured en passant. The side to move plays up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Own king, the other king.
    pub(super) kings: [u8; 2],
    men: [Man; MOST],
    len: u8,
    pub(super) stepped: Option<u8>,
}

impl Seen {
    pub(super) fn of_kings(kings: [u8; 2]) -> Seen {
        Seen { kings, men: [Man::NOBODY; MOST], len: 0, stepped: None }
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

    fn material(&self) -> Material {
        let plain = self.men().iter().fold(Material::BARE, |all, man| all.with(man.own, man.kind));
        if self.stepped.is_some() { plain.with_en_passant() } else { plain }
    }

    fn has_pawns(&self) -> bool {
        self.men().iter().any(|man| man.kind == PAWN)
    }

    fn side(&self, own: bool) -> u64 {
        let king = 1 << self.kings[usize::from(!own)];
        self.men().iter().filter(|man| man.own == own).fold(king, |set, man| set | 1 << man.square)
    }

    fn occupied(&self) -> u64 {
        self.side(true) | self.side(false)
    }

    /// The place in the tables; `None` where they do not go.
    pub(super) fn spot(&self) -> Option<Spot> {
        let tables = &*TABLES;
        let pawns = self.has_pawns();
        let (turn, pair) = tables.king_pair(self.kings, pawns)?;
        let material = self.material();
        let number = self.number(tables, material, turn, pair)?;
        let kings =
            self.kings.iter().fold(0u64, |set, king| set | 1 << tables.turn[turn][usize::from(*king)]);
        // Two turns lead to these kings: the lesser number counts.
        let index = if !pawns && kings & !ON_DIAGONAL == 0 {
            let mirrored = self.number(tables, material, (turn, DIAGONAL), pair)?;
            number.min(mirrored)
        } else {
            number
        };
        Some(Spot { slice: material.slice(), index })
    }

    /// The number of the men after a turn of the board, or two.
    fn number(&self, tables: &Tables, material: Material, turns: impl Turns, kings: u64) -> Option<u64> {
        let mut men = self.men;
        let men = &mut men[..usize::from(self.len)];
        men.iter_mut().for_each(|man| man.square = turns.apply(tables, man.square));
        men.sort_unstable_by_key(|man| man.order());
        material.number(kings, men)
    }

    /// The same position as the other side sees it.
    pub(super) fn turned(mut self) -> Seen {
        self.kings = [self.kings[1] ^ UPSIDE_DOWN, self.kings[0] ^ UPSIDE_DOWN];
        for man in &mut self.men {
            *man = Man { own: !man.own, square: man.square ^ UPSIDE_DOWN, ..*man };
        }
        self.stepped = self.stepped.map(|square| square ^ UPSIDE_DOWN);
        self
    }

    /// How many men of a side attack a square.
    fn attackers(&self, own: bool, square: u8, occupied: u64) -> usize {
        let tables = &*TABLES;
        self.men().iter().filter(|man| man.own == own && attacks(tables, **man, square, occupied)).count()
    }

    /// Whether the king of a side is attacked.
    fn is_checked(&self, own: bool) -> bool {
        self.attackers(!own, self.kings[usize::from(!own)], self.occupied()) > 0
    }

    /// Whether the men stand on different squares, and nobody could take a king or is in check by three.
    pub(super) fn is_position(&self) -> bool {
        let occupied = self.occupied();
        let apart = occupied.count_ones() == 2 + u32::from(self.len)
            && TABLES.king[usize::from(self.kings[0])] >> self.kings[1] & 1 == 0;
        apart
            && self.attackers(true, self.kings[1], occupied) == 0
            && self.attackers(false, self.kings[0], occupied) <= 2
            && self.stepped.is_none_or(|square| self.may_have_stepped(square))
    }

    /// Whether a pawn can have come to a square by a double step that allows a capture en passant.
    fn may_have_stepped(&self, square: u8) -> bool {
        let (pawn, king, occupied) = (1 << square, self.kings[0], self.occupied());
        let free = occupied >> (square + 8) & 1 == 0 && occupied >> (square + 16) & 1 == 0;
        let before = occupied & !pawn | 1 << (square + 16);
        // What checks besides the pawn must have been opened by the step.
        let opened = self.men().iter().all(|man| {
            let other = man.own || man.square == square;
            other || !attacks(&TABLES, *man, king, before)
        });
        free && opened && self.can_capture_en_passant(square)
    }

    /// Whether a legal move captures a pawn that has just come to a square.
    fn can_capture_en_passant(&self, square: u8) -> bool {
        let mut can = false;
        self.each_en_passant(square, |_| can = true);
        can
    }

    fn each_en_passant(&self, square: u8, mut visit: impl FnMut(Seen)) {
        for (at, man) in self.men().iter().enumerate() {
            let beside = man.square / 8 == square / 8 && man.square.abs_diff(square) == 1;
            if man.own && man.kind == PAWN && beside {
                let mut next = *self;
                next.men[at].square = square + 8;
                next.take(square);
                if !next.is_checked(true) {
                    visit(next);
                }
            }
        }
    }

    /// Removes the other side's man from a square.
    fn take(&mut self, square: u8) {
        if let Some(at) = self.men().iter().position(|man| !man.own && man.square == square) {
            self.men.copy_within(at + 1.., at);
            self.len -= 1;
        }
    }

    /// Visits the position after each legal move, as the other side sees it.
    pub(super) fn each_move(&self, mut visit: impl FnMut(Seen)) {
        let tables = &*TABLES;
        let (own, occupied) = (self.side(true), self.occupied());
        let calm = Seen { stepped: None, ..*self };
        let mut legal = |mut next: Seen, to: u8, captures: bool| {
            if captures {
                next.take(to);
            }
            if !next.is_checked(true) {
                visit(next.turned());
            }
        };
        let (king, other) = (usize::from(self.kings[0]), usize::from(self.kings[1]));
        for to in each_of(tables.king[king] & !own & !tables.king[other]) {
            legal(Seen { kings: [to, self.kings[1]], ..calm }, to, occupied >> to & 1 != 0);
        }
        for (at, man) in self.men().iter().enumerate().filter(|(_, man)| man.own) {
            let moved = |to: u8, kind: u8| {
                let mut next = calm;
                next.men[at] = Man { square: to, kind, ..*man };
                next
            };
            if man.kind == PAWN {
                pawn_moves(tables, man.square, occupied, own, |to| {
                    let kinds = if to < UPSIDE_DOWN { PAWN..=PAWN } else { QUEEN..=KNIGHT };
                    for kind in kinds {
                        let mut next = moved(to, kind);
                        if to == man.square + 16 && next.turned().can_capture_en_passant(to ^ UPSIDE_DOWN) {
                            next.stepped = Some(to);
                        }
                        legal(next, to, occupied >> to & 1 != 0);
                    }
                });
            } else {
                for to in reach(tables, *man, occupied).filter(|to| own >> to & 1 == 0) {
                    legal(moved(to, man.kind), to, occupied >> to & 1 != 0);
                }
            }
        }
        if let Some(square) = self.stepped {
            calm.each_en_passant(square, |next| visit(next.turned()));
        }
    }

    /// Visits each position from which a move without capture or promotion leads here, as the side that moved saw it,
    /// once for every such move of the places in the tables.
    pub(super) fn each_before(&self, mut visit: impl FnMut(Seen)) {
        let here = self.is_symmetric();
        let mut legal = |before: Seen, from: u8, to: u8| {
            let before = before.turned();
            if !before.is_position() {
                return;
            }
            // A position that is its own mirror image has half as many images, and two of its moves lead here. If this
            // is such a position, of two moves that are mirror images one is left out.
            let mirrored = |square: u8| DIAGONAL.apply(&TABLES, square);
            let times = match (before.is_symmetric(), here) {
                (true, false) => 2,
                (false, true) => usize::from((from, to) < (mirrored(from), mirrored(to))),
                _ => 1,
            };
            (0..times).for_each(|_| visit(before));
            before.each_stepped(&mut visit);
        };
        let tables = &*TABLES;
        let occupied = self.occupied();
        if let Some(square) = self.stepped {
            let mut before = Seen { stepped: None, ..*self };
            before.men.iter_mut().filter(|man| man.square == square).for_each(|man| man.square += 16);
            return legal(before, square + 16, square);
        }
        for from in each_of(tables.king[usize::from(self.kings[1])] & !occupied) {
            legal(Seen { kings: [self.kings[0], from], ..*self }, from, self.kings[1]);
        }
        for (at, man) in self.men().iter().enumerate().filter(|(_, man)| !man.own) {
            let mut back = |from: u8| {
                let mut before = *self;
                before.men[at].square = from;
                legal(before, from, man.square);
            };
            if man.kind != PAWN {
                reach(tables, *man, occupied).filter(|from| occupied >> from & 1 == 0).for_each(back);
            } else if man.square < 48 && occupied >> (man.square + 8) & 1 == 0 {
                back(man.square + 8);
                let double = man.square / 8 == 4 && occupied >> (man.square + 16) & 1 == 0;
                if double && !self.can_capture_en_passant(man.square) {
                    back(man.square + 16);
                }
            }
        }
    }

    /// The same men with each double step that may have been the last move and allows a capture.
    fn each_stepped(&self, visit: &mut impl FnMut(Seen)) {
        if self.stepped.is_some() {
            return;
        }
        for pawn in self.men().iter().filter(|man| !man.own && man.kind == PAWN && man.square / 8 == 4) {
            let stepped = Seen { stepped: Some(pawn.square), ..*self };
            if stepped.is_position() {
                visit(stepped);
            }
        }
    }

    /// Whether two turns of the board lead to these kings, which stand as their pair's representative does.
    pub(super) fn may_be_mirrored(&self) -> bool {
        !self.has_pawns() && (1u64 << self.kings[0] | 1 << self.kings[1]) & !ON_DIAGONAL == 0
    }

    /// Whether the position is its own mirror image at a diagonal, which takes both kings on it.
    fn is_symmetric(&self) -> bool {
        let kings = 1u64 << self.kings[0] | 1 << self.kings[1];
        let mirror = if kings & !ON_DIAGONAL == 0 {
            DIAGONAL
        } else if kings & !ON_ANTIDIAGONAL == 0 {
            ANTIDIAGONAL
        } else {
            return false;
        };
        let image = |man: &Man| Man { square: mirror.apply(&TABLES, man.square), ..*man };
        !self.has_pawns() && self.men().iter().all(|man| self.men().contains(&image(man)))
    }
}

/// One turn of the board, or one after the other.
trait Turns {
    fn apply(&self, tables: &Tables, square: u8) -> u8;
}

impl Turns for usize {
    fn apply(&self, tables: &Tables, square: u8) -> u8 {
        tables.turn[*self][usize::from(square)]
    }
}

impl Turns for (usize, usize) {
    fn apply(&self, tables: &Tables, square: u8) -> u8 {
        self.1.apply(tables, self.0.apply(tables, square))
    }
}

/// Whether a man attacks a square.
#[inline]
fn attacks(tables: &Tables, man: Man, square: u8, occupied: u64) -> bool {
    let (from, to) = (usize::from(man.square), usize::from(square));
    match man.kind {
        KNIGHT => tables.knight[from] >> to & 1 != 0,
        PAWN if man.own => tables.pawn[from] >> to & 1 != 0,
        PAWN => tables.pawn[to] >> from & 1 != 0,
        kind => lines(tables, kind, from) >> to & 1 != 0 && tables.between[from][to] & occupied == 0,
    }
}

/// The lines of a queen, rook or bishop on an empty board.
#[inline]
fn lines(tables: &Tables, kind: u8, from: usize) -> u64 {
    match kind {
        ROOK => tables.straights[from],
        BISHOP => tables.diagonals[from],
        _ => tables.straights[from] | tables.diagonals[from],
    }
}

/// The squares that a piece reaches, occupied ones included.
fn reach(tables: &Tables, man: Man, occupied: u64) -> impl Iterator<Item = u8> {
    let from = usize::from(man.square);
    let (set, occupied) = match man.kind {
        KNIGHT => (tables.knight[from], 0),
        kind => (lines(tables, kind, from), occupied),
    };
    each_of(set).filter(move |to| tables.between[from][usize::from(*to)] & occupied == 0)
}

/// The squares a pawn goes to.
fn pawn_moves(tables: &Tables, from: u8, occupied: u64, own: u64, mut visit: impl FnMut(u8)) {
    each_of(tables.pawn[usize::from(from)] & occupied & !own).for_each(&mut visit);
    if occupied >> (from + 8) & 1 != 0 {
        return;
    }
    visit(from + 8);
    if from / 8 == 1 && occupied >> (from + 16) & 1 == 0 {
        visit(from + 16);
    }
}
