//! A position as data for others, valid or not: four bitboards and the turn.

use crate::board::{Board, PieceSet, Selector};
use crate::dump;
use crate::fen;
use crate::movegen;
use crate::random;
use crate::rules::Counting;
use crate::state::State;
use crate::types::{Color, Square};
use crate::validity::{self, Violation};
use serde::{Deserialize, Serialize};
use std::fmt;
use tabia_core::{PositionError, SplitMix64, TextError};

/// A board and a turn, valid or not.
///
/// It is plain data: compared and hashed by value, written as JSON, printed as a picture.
/// [`State`] is the valid form that games are played on.
///
/// ```
/// use tabia_draughts::{Color, Setup, Selector};
///
/// let start = Setup::default_start();
/// assert_eq!(start, Setup::from_fen("B:W21-32:B1-12.")?);
/// assert_eq!(start.encode_dump(), "0101010110101010010101010000000000000000404040400404040440404040B");
/// assert_eq!(start.number(Selector::Color(Color::White)), 12);
/// assert_eq!(start.children().len(), 7);
/// assert!(start.valid());
/// # Ok::<(), tabia_core::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// Who makes the next move.
    pub turn: Color,
}

impl Setup {
    /// The setup with these bitboards, as they are.
    ///
    /// ```
    /// use tabia_draughts::Setup;
    ///
    /// let state = Setup::new(1 << 1, 0, 1 << 62, 0, true);
    /// assert_eq!(state.encode_fen(), "B:W32:B1");
    /// ```
    pub const fn new(
        black_men: u64,
        black_kings: u64,
        white_men: u64,
        white_kings: u64,
        black_turn: bool,
    ) -> Self {
        let board = Board {
            black_men: PieceSet(black_men),
            black_kings: PieceSet(black_kings),
            white_men: PieceSet(white_men),
            white_kings: PieceSet(white_kings),
        };
        Setup { board, turn: if black_turn { Color::Black } else { Color::White } }
    }

    /// The setup with this board and turn.
    pub const fn from_board(board: Board, turn: Color) -> Self {
        Setup { board, turn }
    }

    /// The setup of 32-bit boards.
    pub(crate) const fn from_boards(black: u32, white: u32, kings: u32, turn: Color) -> Self {
        let board = Board {
            black_men: PieceSet::unpacked(black & !kings),
            black_kings: PieceSet::unpacked(black & kings),
            white_men: PieceSet::unpacked(white & !kings),
            white_kings: PieceSet::unpacked(white & kings),
        };
        Setup { board, turn }
    }

    /// Reads FEN: `B:W18,24,K30:B5,12`. What it says may break the rules: see [`Setup::violations`].
    ///
    /// ```
    /// use tabia_draughts::Setup;
    ///
    /// assert_eq!(Setup::from_fen("W : B K1-4 : W 21-23, 30 .")?.encode_fen(), "W:W21,22,23,30:BK1,K2,K3,K4");
    /// let error = Setup::from_fen("B:W18,33:B5").unwrap_err();
    /// assert_eq!(error.to_string(), "at byte 6: expected a square from 1 to 32, found '3'");
    /// # Ok::<(), tabia_core::PositionError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, PositionError> {
        Ok(fen::read(text)?.setup())
    }

    /// Reads a dump: 64 digits from bit 0 to bit 63 (0 empty, 1 black man, 2 black king, 4 white
    /// man, 8 white king) and `B` or `W`.
    pub fn from_dump(text: &str) -> Result<Self, TextError> {
        dump::read(text)
    }

    /// Twelve men each on the dark squares closest to their own side; Black moves first.
    pub const fn default_start() -> Self {
        Setup::from_boards(State::START.black(), State::START.white(), 0, Color::Black)
    }

    /// A random placement of so many pieces, each valid placement equally likely; a random turn when
    /// none is given. `None` when so many pieces have no valid placement.
    ///
    /// ```
    /// use tabia_core::SplitMix64;
    /// use tabia_draughts::{Color, Setup, Selector};
    ///
    /// let mut rng = SplitMix64::new(1);
    /// let state = Setup::random(Some(Color::White), 3, 2, 1, 0, &mut rng).unwrap();
    /// assert!(state.valid());
    /// assert_eq!(state.number(Selector::MenOf(Color::Black)), 3);
    /// assert_eq!(Setup::random(None, 29, 0, 0, 0, &mut rng), None);
    /// ```
    pub fn random(
        turn: Option<Color>,
        black_men: u32,
        white_men: u32,
        black_kings: u32,
        white_kings: u32,
        rng: &mut SplitMix64,
    ) -> Option<Self> {
        random::placement(turn, [black_men, white_men, black_kings, white_kings], rng)
    }

    /// The dark squares.
    pub const fn playable_squares() -> PieceSet {
        PieceSet::PLAYABLE
    }

    /// Whether no rule of placement is violated.
    pub fn valid(&self) -> bool {
        self.violations().is_empty()
    }

    /// Every violated rule of placement, with the squares that violate it.
    ///
    /// ```
    /// use tabia_draughts::Setup;
    ///
    /// let state = Setup::from_fen("B:W1,18:B18,32")?;
    /// let all: Vec<String> = state.violations().iter().map(ToString::to_string).collect();
    /// assert_eq!(all, [
    ///     "two pieces on one square: 18",
    ///     "a black man on White's back row would be a king: 32",
    ///     "a white man on Black's back row would be a king: 1",
    /// ]);
    /// # Ok::<(), tabia_core::PositionError>(())
    /// ```
    pub fn violations(&self) -> Vec<Violation> {
        validity::violations(&self.board)
    }

    /// All setups one turn away, each once, in no particular order. An invalid one has none.
    ///
    /// Steps cost time in proportion to the pieces that can move: all pieces of a kind are tried at
    /// once.
    pub fn children(&self) -> Vec<Setup> {
        let Ok(state) = State::try_from(*self) else { return Vec::new() };
        let mut moves = Vec::new();
        movegen::list(&state, Counting::Unique, &mut moves);
        let child = |mv| {
            let mut child = state;
            child.play(mv);
            Setup::from(child)
        };
        let mut children: Vec<_> = moves.into_iter().map(child).collect();
        // Different pieces may end up the same way after all.
        let mut seen = std::collections::HashSet::with_capacity(children.len());
        children.retain(|child| seen.insert(*child));
        children
    }

    /// The selected squares, without those of `except`.
    ///
    /// ```
    /// use tabia_draughts::{Color, Setup, Selector};
    ///
    /// let state = Setup::from_fen("B:W18,24,K30:B5,12")?;
    /// let white_men = state.pieces(Selector::Color(Color::White), Some(Selector::Kings));
    /// assert_eq!(white_men.squares().map(|s| s.number()).collect::<Vec<_>>(), [18, 24]);
    /// # Ok::<(), tabia_core::PositionError>(())
    /// ```
    pub fn pieces(&self, selector: Selector, except: Option<Selector>) -> PieceSet {
        let excluded = except.map_or(PieceSet::EMPTY, |except| self.board.select(except));
        self.board.select(selector) & !excluded
    }

    /// The number of selected squares.
    pub fn number(&self, of: Selector) -> usize {
        self.board.select(of).len()
    }

    /// The setup in FEN, White first, ascending. Light squares cannot be said in FEN.
    pub fn encode_fen(&self) -> String {
        fen::write_setup(self)
    }

    /// The setup as a dump. Sets that overlap add up to digits that [`Setup::from_dump`] refuses.
    pub fn encode_dump(&self) -> String {
        dump::write(self)
    }

    /// A text that is the same for equal setups and different for others, for ever: the dump.
    pub fn id(&self) -> String {
        self.encode_dump()
    }
}

impl Default for Setup {
    fn default() -> Self {
        Setup::default_start()
    }
}

impl From<State> for Setup {
    fn from(state: State) -> Setup {
        Setup::from_boards(state.black(), state.white(), state.kings(), state.turn())
    }
}

/// Fails with every violated rule.
impl TryFrom<Setup> for State {
    type Error = PositionError;

    fn try_from(state: Setup) -> Result<State, PositionError> {
        let [black, white, kings] =
            [Selector::Color(Color::Black), Selector::Color(Color::White), Selector::Kings]
                .map(|selector| state.board.select(selector).packed());
        let violations = state.violations();
        match State::new(black, white, kings, state.turn) {
            Some(valid) if violations.is_empty() => Ok(valid),
            _ => Err(PositionError::Rules(violations.iter().map(|v| v.rule_error(None)).collect())),
        }
    }
}

/// A picture: `b` and `w` are men, `B` and `W` kings, `?` more than one piece.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            for column in 0..8 {
                let symbol = match dump::digit(&self.board, 8 * row + column) {
                    0 if Square::at(row as usize, column as usize).is_none() => ' ',
                    0 => '.',
                    1 => 'b',
                    2 => 'B',
                    4 => 'w',
                    8 => 'W',
                    _ => '?',
                };
                write!(f, "{symbol}{}", if column < 7 { " " } else { "\n" })?;
            }
        }
        write!(f, "{} to move", self.turn)
    }
}
