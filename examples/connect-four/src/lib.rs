//! Connect four on any board that fits into 64 bits. A column is a run of bits from the bottom, and the bit
//! above its top stays empty, so that no run of four goes on in the next column.

use tabia::prelude::*;
use tabia::rules::notation::{format_rows, parse_rows};
use tabia::rules::view::{self, Geometry, Info, Picture, Piece, Shade, Shape};
use tabia::rules::{MirrorSwap, MoveError, PositionError, RuleError, TextError, ZobristTable};

/// The rules: a board of columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    columns: u32,
    rows: u32,
}

/// The discs of both sides, a bit for each cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State([u64; 2]);

/// The column that a disc falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

static KEYS: ZobristTable<64, 2> = ZobristTable::from_seed(0xC4);

impl ConnectFour {
    /// The rules on a board, if it fits into 64 bits.
    pub fn new(columns: u32, rows: u32) -> Option<Self> {
        let fits = (1..=9).contains(&columns) && (1..=9).contains(&rows) && columns * (rows + 1) <= 64;
        fits.then_some(ConnectFour { columns, rows })
    }
    fn bit(self, column: u32, row: u32) -> u64 {
        1 << (column * (self.rows + 1) + row)
    }
    fn column(self, column: u32) -> u64 {
        self.bit(column, self.rows) - self.bit(column, 0)
    }
    /// The lowest empty cell of a column; 0 when it is full.
    fn landing(self, state: State, column: u32) -> u64 {
        (((state.0[0] | state.0[1]) & self.column(column)) + self.bit(column, 0)) & self.column(column)
    }
    /// How many runs of so many discs go up, right or diagonally.
    fn runs(self, discs: u64, length: u32) -> u32 {
        let run = |step| (1..length).fold(discs, |run, n| run & discs >> (n * step));
        [1, self.rows, self.rows + 1, self.rows + 2].map(|step| run(step).count_ones()).iter().sum()
    }
    fn owner(self, state: State, column: u32, row: u32) -> Option<Side> {
        Side::ALL.into_iter().find(|side| state.0[side.index()] & self.bit(column, row) != 0)
    }
    fn cell(column: u32, row: u32) -> String {
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }
    fn validated(self, state: State) -> Result<State, PositionError> {
        let ([first, second], all) = (state.0.map(u64::count_ones), state.0[0] | state.0[1]);
        let stacked = |c| all & self.column(c) & ((all & self.column(c)) + self.bit(c, 0)) == 0;
        let outside = all & !(0..self.columns).map(|c| self.column(c)).sum::<u64>();
        let rules = [
            (outside == 0 && state.0[0] & state.0[1] == 0, "every disc has a cell of its own"),
            ((0..self.columns).all(stacked), "no disc floats"),
            (first == second || first == second + 1, "the sides move in turn"),
            (self.runs(state.0[usize::from(first > second)], 4) == 0, "a win ends the game"),
        ];
        let broken: Vec<_> = rules.iter().filter(|rule| !rule.0).map(|rule| RuleError::new(rule.1)).collect();
        if broken.is_empty() { Ok(state) } else { Err(PositionError::Rules(broken)) }
    }
}

impl Default for ConnectFour {
    fn default() -> Self {
        ConnectFour { columns: 7, rows: 6 }
    }
}

impl Game for ConnectFour {
    type State = State;
    type Move = Column;
    type Symmetry = MirrorSwap;
    type Packed = [u8; 16];

    fn id(&self) -> &str {
        "connect-four"
    }
    fn variant(&self) -> String {
        let size = format!("connect-four+{}x{}", self.columns, self.rows);
        if *self == Self::default() { self.id().to_owned() } else { size }
    }
    fn from_variant(&self, variant: &str) -> Result<Self, PositionError> {
        let sizes = (1..=9).flat_map(|columns| (1..=9).filter_map(move |rows| Self::new(columns, rows)));
        sizes.into_iter().find(|rules| rules.variant() == variant).ok_or_else(|| self.no_variant(variant))
    }
    fn start(&self) -> State {
        State::default()
    }
    fn side(&self, state: &State) -> Side {
        if state.0[0].count_ones() > state.0[1].count_ones() { Side::Second } else { Side::First }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let full = (state.0[0] | state.0[1]).count_ones() == self.columns * self.rows;
        let winner = Side::ALL.into_iter().find(|side| self.runs(state.0[side.index()], 4) > 0);
        winner.map(Outcome::Win).or(full.then_some(Outcome::Draw))
    }
    fn moves(&self, state: &State, out: &mut Vec<Column>) {
        if self.outcome(state).is_none() {
            out.extend((0..self.columns).filter(|&c| self.landing(*state, c) != 0).map(|c| Column(c as u8)));
        }
    }
    fn play(&self, state: &mut State, mv: Column) {
        state.0[self.side(state).index()] |= self.landing(*state, mv.0.into());
    }
    fn key(&self, state: &State) -> Key {
        KEYS.hash((0..128).filter(|n| state.0[n / 64] >> (n % 64) & 1 == 1).map(|n| (n % 64, n / 64)))
    }
    fn pack(&self, state: &State) -> [u8; 16] {
        (u128::from(state.0[0]) | u128::from(state.0[1]) << 64).to_le_bytes()
    }
    fn unpack(&self, packed: &[u8; 16]) -> Result<State, PositionError> {
        let both = u128::from_le_bytes(*packed);
        self.validated(State([both as u64, (both >> 64) as u64]))
    }
    fn symmetries(&self, _: &State) -> &[MirrorSwap] {
        &[MirrorSwap::ALL[0], MirrorSwap::MIRROR]
    }
    fn map_state(&self, state: &State, symmetry: MirrorSwap) -> State {
        let to = |c: u32| self.bit(self.map_move(Column(c as u8), symmetry).0.into(), 0);
        let moved = |discs: u64, c| (discs & self.column(c)) / self.bit(c, 0) * to(c);
        State(state.0.map(|discs| (0..self.columns).map(|c| moved(discs, c)).sum()))
    }
    fn map_move(&self, mv: Column, symmetry: MirrorSwap) -> Column {
        if symmetry.mirrors() { Column(self.columns as u8 - 1 - mv.0) } else { mv }
    }
}

impl Evaluate for ConnectFour {
    /// Pairs and threes in a row, ours against theirs.
    fn evaluate(&self, state: &State) -> i32 {
        let worth = |discs| (3 * self.runs(discs, 2) + 15 * self.runs(discs, 3)) as i32;
        let side = self.side(state);
        worth(state.0[side.index()]) - worth(state.0[side.other().index()])
    }
}

impl Notation for ConnectFour {
    /// Rows from the top separated by `/`, or the size of an empty board: `4x5`.
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        if let Ok(rules) = self.from_variant(&format!("{}+{}", self.id(), text.trim())) {
            return Ok(Position { state: rules.start(), rules });
        }
        let drawn = parse_rows(text, "xo.")?;
        let rules = Self::new(drawn[0].len() as u32, drawn.len() as u32);
        let rules = rules.ok_or_else(|| PositionError::rule("a board of this size does not fit"))?;
        let mut state = State::default();
        for (row, line) in (0..rules.rows).rev().zip(drawn) {
            for (column, &side) in (0..).zip(&line).filter(|(_, side)| **side < 2) {
                state.0[side] |= rules.bit(column, row);
            }
        }
        Ok(Position { rules, state: rules.validated(state)? })
    }
    fn format(&self, state: &State) -> String {
        let owner = |column: usize, row: usize| self.owner(*state, column as u32, self.rows - 1 - row as u32);
        let letter = |column, row| owner(column, row).map_or('.', |side| ['x', 'o'][side.index()]);
        format_rows(self.columns as usize, self.rows as usize, letter)
    }
    fn parse_move(&self, state: &State, text: &str) -> Result<Column, MoveError> {
        let column = (0..self.columns as u8).find(|&c| self.format_move(state, Column(c)) == text);
        let mv = Column(column.ok_or_else(|| TextError::at(text, 0, "the letter of a column"))?);
        self.check_move(state, mv)?;
        Ok(mv)
    }
    fn format_move(&self, _: &State, mv: Column) -> String {
        char::from(b'a' + mv.0).to_string()
    }
}

impl Present for ConnectFour {
    fn info(&self) -> Info {
        let rules = "Discs fall to the bottom of a column. Four in a row, a column or a diagonal win.";
        let notation = "Rows from the top, x and o for discs; moves are the letters of columns.";
        Info::new("Connect four", rules, notation, &["x", "o"])
    }
    fn geometry(&self) -> Geometry {
        let cell = |column: usize, row: usize| Self::cell(column as u32, self.rows - 1 - row as u32);
        let name = |column, row| Some((cell(column, row), Shade::Light));
        let letter = |column: usize| char::from(b'a' + column as u8).to_string();
        view::grid(self.columns as usize, self.rows as usize, Shape::Circle, name, letter, |_| String::new())
    }
    fn picture(&self, state: &State) -> Picture {
        let cells = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row)));
        let piece = |(column, row)| {
            let side = self.owner(*state, column, row)?;
            Some(Piece::plain(Self::cell(column, row), side, ["x", "o"][side.index()]))
        };
        Picture { pieces: cells.filter_map(piece).collect(), marks: Vec::new() }
    }
    fn steps(&self, state: &State, mv: Column) -> Vec<String> {
        let row = self.landing(*state, mv.0.into()).trailing_zeros() % (self.rows + 1);
        vec![Self::cell(mv.0.into(), row)]
    }
}
