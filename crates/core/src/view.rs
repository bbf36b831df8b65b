//! What any picture of a position needs, in whatever medium: cells, pieces, marks. No drawing.

use crate::{CodeField, Name, Notation, Side};
use serde::{Deserialize, Serialize};

/// A game introduced to people.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Info {
    /// The name people know.
    pub name: Name,
    /// The rules in a few sentences.
    pub rules: Name,
    /// How positions and moves are written, in a few sentences.
    pub notation: Name,
    /// What the players are called, player 0 first (one name in a game for one).
    pub sides: Vec<Name>,
}

impl Info {
    /// The introduction of a game whose words are fixed in the program.
    pub fn new(
        name: &'static str,
        rules: &'static str,
        notation: &'static str,
        sides: &[&'static str],
    ) -> Self {
        let sides = sides.iter().map(|side| Name::Borrowed(side)).collect();
        Info { name: name.into(), rules: rules.into(), notation: notation.into(), sides }
    }
}

/// What makes a person try a game: one line, and a few moves to watch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Invitation {
    /// The line; empty when the game has none.
    pub line: Name,
    /// Moves from the start, as the game writes them.
    pub moves: Vec<Name>,
}

impl Invitation {
    /// An invitation whose words are fixed in the program; the moves are separated by spaces.
    pub fn new(line: &'static str, moves: &'static str) -> Self {
        Invitation { line: line.into(), moves: moves.split_whitespace().map(Into::into).collect() }
    }
}

/// The outline of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A place beside the board where pieces wait.
    Tray,
}

/// The tint of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Shade {
    /// The lighter cells.
    Light,
    /// The darker cells.
    Dark,
    /// Part of the picture, not of the game: drawn as the lighter cells, never clicked.
    Faint,
}

/// A place on the board, or beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cell {
    /// Its name, as in moves: `d4`.
    pub id: String,
    /// What it is called aloud, where that is not its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// Centre, in units of one cell, from the left.
    pub x: f32,
    /// Centre, in units of one cell, from the top.
    pub y: f32,
    /// Width and height, in units of one cell.
    pub size: [f32; 2],
    /// Its outline.
    pub shape: Shape,
    /// Its tint.
    pub shade: Shade,
    /// Row and column in a picture made of text.
    pub text_at: [u8; 2],
}

/// A word beside the board: a rank, a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Label {
    /// The word.
    pub text: String,
    /// Centre, in units of one cell, from the left.
    pub x: f32,
    /// Centre, in units of one cell, from the top.
    pub y: f32,
}

/// The board without pieces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Geometry {
    /// Width, in units of one cell, labels included.
    pub width: f32,
    /// Height, in units of one cell, labels included.
    pub height: f32,
    /// The places, in reading order.
    pub cells: Vec<Cell>,
    /// The words around them.
    pub labels: Vec<Label>,
}

/// A piece on a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Piece {
    /// The cell it stands on.
    pub cell: String,
    /// Whose it is; `None` when it belongs to nobody.
    pub side: Option<Side>,
    /// What it is: `king`, `brick`.
    pub name: Name,
    /// One or two plain letters for it.
    pub ascii: String,
    /// The best Unicode symbol for it.
    pub unicode: String,
    /// Height in a stack: 0 stands on the board.
    pub level: u8,
    /// Its outline as SVG path data in a box of 100 by 100; a plain disc when there is none.
    pub art: Option<Name>,
}

impl Piece {
    /// A piece shown by one word, standing on the board without art of its own.
    pub fn plain(cell: String, side: Side, word: impl Into<Name>) -> Self {
        let name = word.into();
        let (ascii, unicode) = (name.to_string(), name.to_string());
        Piece { cell, side: Some(side), name, ascii, unicode, level: 0, art: None }
    }
}

/// Something else a picture should show on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mark {
    /// The cell.
    pub cell: String,
    /// What it means: `blocked`.
    pub name: Name,
}

/// What stands on the board in one position.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Picture {
    /// The pieces, bottom of each stack first.
    pub pieces: Vec<Piece>,
    /// Other things to show.
    pub marks: Vec<Mark>,
}

/// What a game tells about itself so that anyone can draw it and click on it.
pub trait Present: Notation {
    /// The introduction.
    fn info(&self) -> Info;
    /// The board.
    fn geometry(&self) -> Geometry;
    /// The pieces.
    fn picture(&self, state: &Self::State) -> Picture;
    /// The cells to click, in order, to play a move. Several moves may share them.
    fn steps(&self, state: &Self::State, mv: Self::Move) -> Vec<String>;

    /// The text of the move that clicks on these cells would be, legal or not: what [`Notation::parse_move`] then
    /// says is why it cannot be played.
    fn text_of_steps(&self, steps: &[String]) -> String {
        steps.join("-")
    }

    /// Why nothing can be moved from a cell, in a few words; asked only where no legal move begins. `None` where the
    /// game has no better word than anybody.
    fn stuck(&self, _state: &Self::State, _cell: &str) -> Option<String> {
        None
    }

    /// Where several moves have the same steps, those with a lower rank are offered first.
    fn choice_rank(&self, _mv: Self::Move) -> u8 {
        0
    }

    /// The name where there is little room.
    fn short_name(&self) -> Name {
        self.info().name
    }

    /// The name inside a sentence, where a common noun has no capital letter.
    fn common_name(&self) -> Name {
        self.info().name
    }

    /// What makes a person try it.
    fn invitation(&self) -> Invitation {
        Invitation::default()
    }

    /// The names of openings, a line each: the moves from the start, separated by spaces, a tab, and the name.
    fn openings(&self) -> &'static str {
        ""
    }

    /// What one move is called, and several.
    fn move_words(&self) -> [Name; 2] {
        ["move".into(), "moves".into()]
    }

    /// Positions that show the rules at work: the sentence below each picture, and the position's text.
    fn examples(&self) -> &[(&'static str, &'static str)] {
        &[]
    }

    /// How every kind of piece moves: its name as in pictures, and the words.
    fn piece_words(&self) -> &[(&'static str, &'static str)] {
        &[]
    }

    /// The pieces on the board of a side (of anybody) and of a kind (of any), where the game can count them without a
    /// picture.
    fn piece_count(&self, _state: &Self::State, _side: Option<Side>, _kind: Option<&str>) -> Option<u32> {
        None
    }

    /// What sets a move apart from others with the same steps: `whole stack`, `queen`.
    fn choice(&self, _state: &Self::State, _mv: Self::Move) -> Option<String> {
        None
    }

    /// The side whose pieces are drawn dark.
    fn dark_side(&self) -> Side {
        Side::Second
    }

    /// The position's codes taken apart, for people who want to see the bits.
    fn code_fields(&self, state: &Self::State) -> Vec<CodeField> {
        vec![CodeField::hash("key", self.key(state).0)]
    }

    /// The ways of counting moves that `perft` offers, the default first; empty when there is one.
    fn count_modes(&self) -> &[&str] {
        &[]
    }
    /// The rules with another way of counting moves.
    fn with_count_mode(&self, _mode: &str) -> Option<Self> {
        None
    }
}

/// A plain grid of square cells with labels at the left and below, as most boards have.
///
/// `name` gives the id of the cell in a column and row (row 0 at the top), or `None` for no cell.
pub fn grid(
    columns: usize,
    rows: usize,
    shape: Shape,
    name: impl Fn(usize, usize) -> Option<(String, Shade)>,
    column_label: impl Fn(usize) -> String,
    row_label: impl Fn(usize) -> String,
) -> Geometry {
    let mut cells = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            if let Some((id, shade)) = name(column, row) {
                let (x, y) = (column as f32 + 1.0, row as f32 + 0.5);
                let text_at = [row as u8, column as u8];
                cells.push(Cell { id, name: None, x, y, size: [1.0, 1.0], shape, shade, text_at });
            }
        }
    }
    let left = (0..rows).map(|row| Label { text: row_label(row), x: 0.25, y: row as f32 + 0.5 });
    let below =
        (0..columns).map(|c| Label { text: column_label(c), x: c as f32 + 1.0, y: rows as f32 + 0.25 });
    let labels = left.chain(below).filter(|label| !label.text.is_empty()).collect();
    Geometry { width: columns as f32 + 0.5, height: rows as f32 + 0.5, cells, labels }
}
