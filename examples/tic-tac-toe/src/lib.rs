//! Tic-tac-toe: a whole game for Tabia in one file.
//!
//! ```
//! use tabia_core::{Game, Notation, Outcome, Side};
//! use tabia_tic_tac_toe::TicTacToe;
//!
//! let position = TicTacToe.parse("xx./oo./...").unwrap();
//! let mv = TicTacToe.parse_move(&position.state, "c1").unwrap();
//! let mut state = position.state;
//! TicTacToe.play(&mut state, mv);
//! assert_eq!(TicTacToe.outcome(&state), Some(Outcome::Win(Side::First)));
//! ```

use tabia_core::notation::{Cursor, format_rows, parse_rows};
use tabia_core::{
    Dihedral, Features, Game, Geometry, Info, Key, MoveError, Notation, Outcome, Picture, Piece, Position,
    PositionError, Present, RuleError, Shade, Shape, Side, ZobristTable, view,
};

/// The rules: nothing varies, so they are a value of no size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe;

/// The crosses and the noughts, a bit for each of the nine cells, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct State {
    marks: [u16; 2],
}

/// The cell that receives a mark, 0 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

static KEYS: ZobristTable<9, 2> = ZobristTable::from_seed(0x7ac);
const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

impl State {
    fn occupied(self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn won(self, side: Side) -> bool {
        LINES.iter().any(|line| self.marks[side.index()] & line == *line)
    }

    fn validated(self) -> Result<State, PositionError> {
        let [crosses, noughts] = self.marks.map(u16::count_ones);
        let turn = crosses == noughts || crosses == noughts + 1;
        let late = self.won(Side::First) && crosses == noughts || self.won(Side::Second) && crosses > noughts;
        let broken = [(!turn, "nobody could be to move"), (late, "the game went on after a win")];
        let broken: Vec<_> = broken.iter().filter(|rule| rule.0).map(|rule| RuleError::new(rule.1)).collect();
        if broken.is_empty() { Ok(self) } else { Err(PositionError::Rules(broken)) }
    }
}

impl Game for TicTacToe {
    type State = State;
    type Move = Move;
    type Symmetry = Dihedral;
    type Packed = [u8; 4];
    fn id(&self) -> &str {
        "tic-tac-toe"
    }

    fn start(&self) -> State {
        State::default()
    }
    fn side(&self, state: &State) -> Side {
        if state.occupied().count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let winner = Side::ALL.into_iter().find(|&side| state.won(side));
        winner.map(Outcome::Win).or((state.occupied() == 0o777).then_some(Outcome::Draw))
    }
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if self.outcome(state).is_none() {
            out.extend((0..9).filter(|cell| state.occupied() >> cell & 1 == 0).map(Move));
        }
    }
    fn play(&self, state: &mut State, mv: Move) {
        state.marks[self.side(state).index()] |= 1 << mv.0;
    }
    fn key(&self, state: &State) -> Key {
        let marks = (0..18).filter(|i| state.marks[i / 9] >> (i % 9) & 1 == 1);
        KEYS.hash(marks.map(|i| (i % 9, i / 9)))
    }
    fn pack(&self, state: &State) -> [u8; 4] {
        let [[a, b], [c, d]] = state.marks.map(u16::to_le_bytes);
        [a, b, c, d]
    }
    fn unpack(&self, &[a, b, c, d]: &[u8; 4]) -> Result<State, PositionError> {
        let state = State { marks: [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])] };
        if state.occupied() > 0o777 || state.marks[0] & state.marks[1] != 0 {
            return Err(PositionError::rule("marks outside the board or on top of each other"));
        }
        state.validated()
    }
    fn symmetries(&self, _: &State) -> &[Dihedral] {
        &Dihedral::ALL
    }
    fn map_state(&self, state: &State, symmetry: Dihedral) -> State {
        let cell = |marks: u16, cell: usize| (marks >> cell & 1) << symmetry.apply_index(cell, 3);
        State { marks: state.marks.map(|marks| (0..9).map(|at| cell(marks, at)).sum()) }
    }
    fn map_move(&self, mv: Move, symmetry: Dihedral) -> Move {
        Move(symmetry.apply_index(mv.0.into(), 3) as u8)
    }
}

impl Notation for TicTacToe {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let rows = parse_rows(text, "xo.")?;
        if rows.len() != 3 || rows[0].len() != 3 {
            return Err(PositionError::rule("the board has three rows of three cells"));
        }
        let mut state = State::default();
        for (cell, mark) in rows.concat().into_iter().enumerate().filter(|(_, mark)| *mark < 2) {
            state.marks[mark] |= 1 << cell;
        }
        Ok(Position { rules: *self, state: state.validated()? })
    }
    fn format(&self, state: &State) -> String {
        let mark = |cell: usize| state.marks[0] >> cell & 1 | (state.marks[1] >> cell & 1) << 1;
        format_rows(3, 3, |column, row| ['.', 'x', 'o'][usize::from(mark(row * 3 + column))])
    }
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        let mut cursor = Cursor::new(text);
        let column = "abc".find(|c| cursor.eat(c)).ok_or_else(|| cursor.error("a column, a to c"))?;
        let row = "123".find(|c| cursor.eat(c)).ok_or_else(|| cursor.error("a row, 1 to 3"))?;
        cursor.expect_end()?;
        let mv = Move((row * 3 + column) as u8);
        self.check_move(state, mv)?;
        Ok(mv)
    }
    fn format_move(&self, _: &State, mv: Move) -> String {
        cell_name(mv.0.into())
    }
}

fn cell_name(cell: usize) -> String {
    format!("{}{}", ["a", "b", "c"][cell % 3], cell / 3 + 1)
}

impl Features for TicTacToe {
    fn kinds(&self) -> &[[&str; 2]] {
        &[["x", "o"]]
    }
}

impl Present for TicTacToe {
    fn info(&self) -> Info {
        let notation = "x, o and . row by row; moves like b2";
        Info::new("Tic-tac-toe", "Three in a row win.", notation, &["x", "o"])
    }
    fn geometry(&self) -> Geometry {
        let name = |column, row| Some((cell_name(row * 3 + column), Shade::Light));
        view::grid(
            3,
            3,
            Shape::Square,
            name,
            |column| "abc"[column..=column].into(),
            |row| (row + 1).to_string(),
        )
    }
    fn picture(&self, state: &State) -> Picture {
        let piece = |cell: usize| {
            let side = *Side::ALL.iter().find(|side| state.marks[side.index()] >> cell & 1 == 1)?;
            Some(Piece::plain(cell_name(cell), side, ["x", "o"][side.index()]))
        };
        Picture { pieces: (0..9).filter_map(piece).collect(), marks: Vec::new() }
    }
    fn steps(&self, state: &State, mv: Move) -> Vec<String> {
        vec![self.format_move(state, mv)]
    }
}
