//! The boards that have names.

use crate::art;
use crate::board::Board;
use std::sync::{Arc, LazyLock};

/// A board with a name.
#[derive(Clone, Debug)]
pub struct NamedBoard {
    /// The name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The board.
    pub board: Arc<Board>,
}

/// Name, remark, drawing, and column and row of the usual vacancy.
type Entry = (&'static str, &'static str, &'static str, (usize, usize));

const SQUARES: [Entry; 6] = [
    (
        "english",
        "the English board, 33 holes",
        "--ooo--/--ooo--/ooooooo/ooooooo/ooooooo/--ooo--/--ooo--",
        (3, 3),
    ),
    (
        "european",
        "the European board, 37 holes",
        "--ooo--/-ooooo-/ooooooo/ooooooo/ooooooo/-ooooo-/--ooo--",
        // The middle cannot be solved; this start can, to a single peg.
        (2, 0),
    ),
    (
        "wiegleb",
        "Wiegleb's board of 1779, 45 holes",
        "---ooo---/---ooo---/---ooo---/ooooooooo/ooooooooo/ooooooooo/---ooo---/---ooo---/---ooo---",
        (4, 4),
    ),
    (
        "diamond",
        "the diamond, 41 holes",
        "----o----/---ooo---/--ooooo--/-ooooooo-/ooooooooo/-ooooooo-/--ooooo--/---ooo---/----o----",
        (4, 4),
    ),
    (
        "asymmetric",
        "arms of 3, 3, 2 and 2 rows, 39 holes",
        "--ooo---/--ooo---/oooooooo/oooooooo/oooooooo/--ooo---/--ooo---/--ooo---",
        (3, 3),
    ),
    ("6x6", "the square of 36 holes", "oooooo/oooooo/oooooo/oooooo/oooooo/oooooo", (2, 2)),
];

const TRIANGLES: [Entry; 5] = [
    ("triangle4", "the triangle of 10 holes", "o/oo/ooo/oooo", (0, 1)),
    ("triangle5", "the triangle of 15 holes", "o/oo/ooo/oooo/ooooo", (0, 0)),
    ("triangle6", "the triangle of 21 holes", "o/oo/ooo/oooo/ooooo/oooooo", (0, 0)),
    ("triangle7", "the triangle of 28 holes", "o/oo/ooo/oooo/ooooo/oooooo/ooooooo", (0, 1)),
    ("triangle8", "the triangle of 36 holes", "o/oo/ooo/oooo/ooooo/oooooo/ooooooo/oooooooo", (0, 0)),
];

static ALL: LazyLock<Vec<NamedBoard>> = LazyLock::new(|| {
    let build = |&(name, about, drawing, vacancy): &Entry| {
        let board = Board::build(&art::read(drawing).ok()?).ok()?.named(name, vacancy);
        Some(NamedBoard { name, about, board: Arc::new(board) })
    };
    SQUARES.iter().chain(&TRIANGLES).filter_map(build).collect()
});

/// All boards that have names, the default first.
pub fn all() -> &'static [NamedBoard] {
    &ALL
}

/// The board with this name.
pub fn find(name: &str) -> Option<&'static NamedBoard> {
    all().iter().find(|known| known.name.eq_ignore_ascii_case(name))
}
