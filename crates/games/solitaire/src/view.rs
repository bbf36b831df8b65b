//! What a picture needs: round holes, pegs, and for triangles rows shifted by half a hole.

use crate::board::Lattice;
use crate::types::holes_of;
use crate::{Board, Hole, Jump, Solitaire, State};
use tabia_core::view::Label;
use tabia_core::{
    Cell, CodeField, Game, Geometry, Info, Invitation, Name, Picture, Piece, Present, Shade, Shape,
};

/// The height of a row of a triangle whose holes all touch, in units of one hole.
const TRIANGLE_ROW: f32 = 0.866;

/// Positions that show the rules.
const EXAMPLES: [(&str, &str); 2] = [
    (
        "Only one of the jumps here leads to a single peg.",
        "--...--/--.o.--/.oo..../....o../......./--...--/--...--",
    ),
    (
        "Stuck: no peg has a neighbour to jump over.",
        "--...--/--...--/o.....o/......./......./--.o.--/--...--",
    ),
];

impl Present for Solitaire {
    fn info(&self) -> Info {
        Info::new(
            "Peg solitaire",
            "A peg jumps over a neighbouring peg into the empty hole behind it, and the jumped peg is removed. \
                    One hop is a jump; hops in a row by one peg are one move. The task is to leave a single peg.",
            "Positions are rows from the top separated by /: o peg, . empty hole, - no hole. Holes are \
                       named by column letter and row number from the top: d4. Moves: d2-d4, or d2-d4-f4.",
            &["player"],
        )
    }

    fn short_name(&self) -> Name {
        "Solitaire".into()
    }

    fn move_words(&self) -> [Name; 2] {
        ["jump".into(), "jumps".into()]
    }

    fn invitation(&self) -> Invitation {
        Invitation::new(
            "31 jumps leave one peg. Can you?",
            "d2-d4 b3-d3 c1-c3 d3-b3 f3-d3 a3-c3 e5-e3 e7-e5 c6-e6 e6-e4 e1-c1 g5-e5 c4-c6 a4-c4 g3-g5 \
             c7-e7 a5-c5 c4-c2 c1-c3 c6-c4 e4-e6 e7-e5 d5-f5 e2-e4 g5-e5 d3-d5 c3-c5 e4-e6 c5-e5 e6-e4 \
             e4-g4",
        )
    }

    fn examples(&self) -> &[(&'static str, &'static str)] {
        &EXAMPLES
    }

    fn geometry(&self) -> Geometry {
        let board = self.board();
        let row_height = if board.lattice() == Lattice::Triangle { TRIANGLE_ROW } else { 1.0 };
        let (width, height) = (board.width() as f32, board.height() as f32 * row_height);
        let cells = board.holes().map(|hole| cell(board, hole, row_height)).collect();
        let row_label =
            |y: usize| Label { text: (y + 1).to_string(), x: 0.25, y: (y as f32 + 0.5) * row_height };
        let mut labels: Vec<Label> = (0..board.height()).map(row_label).collect();
        // On a triangle they name the columns where these end: in the bottom row.
        let column_label = |x: usize| Label {
            text: char::from(b'a' + x as u8).to_string(),
            x: x as f32 + 1.0,
            y: height + 0.25,
        };
        labels.extend((0..board.width()).map(column_label));
        Geometry { width: width + 0.5, height: height + 0.5, cells, labels }
    }

    fn picture(&self, state: &State) -> Picture {
        let piece = |hole| Piece {
            cell: self.board().hole_name(hole),
            side: None,
            name: "peg".into(),
            ascii: "o".to_owned(),
            unicode: "●".to_owned(),
            level: 0,
            art: None,
        };
        Picture { pieces: holes_of(state.pegs()).map(piece).collect(), marks: Vec::new() }
    }

    fn steps(&self, _: &State, jump: Jump) -> Vec<String> {
        [jump.from, jump.to].map(|hole| self.board().hole_name(hole)).to_vec()
    }

    fn common_name(&self) -> Name {
        "peg solitaire".into()
    }

    fn stuck(&self, _: &State, _: &str) -> Option<String> {
        Some("no peg beside it can be jumped over".to_owned())
    }

    fn code_fields(&self, state: &State) -> Vec<CodeField> {
        let holes: Vec<String> = self.board().holes().map(|hole| self.board().hole_name(hole)).collect();
        let pegs = CodeField::set("pegs", state.pegs(), &holes, "a peg");
        vec![pegs, CodeField::hash("key", self.key(state).0)]
    }
}

fn cell(board: &Board, hole: Hole, row_height: f32) -> Cell {
    let (column, row) = board.cell(hole);
    let (mut x, mut text_column) = (column as f32 + 1.0, column);
    if board.lattice() == Lattice::Triangle {
        // Two text columns per hole leave room for the half steps.
        x += (board.height() - 1 - row) as f32 / 2.0;
        text_column = 2 * column + board.height() - 1 - row;
    }
    Cell {
        id: board.hole_name(hole),
        name: None,
        x,
        y: (row as f32 + 0.5) * row_height,
        size: [1.0, 1.0],
        shape: Shape::Circle,
        shade: Shade::Light,
        text_at: [row as u8, text_column as u8],
    }
}
