//! What a picture needs: a 3x3 board, a tray with each player's stash, the blocked stack.

use crate::{Counting, FiveVisible, Move, Place, State, hashcode};
use tabia_core::{
    BitRun, Cell, CodeField, Game, Geometry, Info, Invitation, Mark, Picture, Piece, Present, Shade, Shape,
    Side,
};

const TRAYS: [&str; 2] = ["stash0", "stash1"];
/// A brick seen from the side, in a box of 100 by 100.
const BRICK: &str = "M8 34 Q8 28 14 28 H86 Q92 28 92 34 V66 Q92 72 86 72 H14 Q8 72 8 66 Z";

/// Positions that show the rules.
const EXAMPLES: [(&str, &str); 2] = [
    ("Four stacks show a brick of player 0 on top: one more, and the game is won.", "0/0/0/0/1/1/1/-/- 0 -"),
    (
        "The striped stack received the last brick: nothing is drawn from it in this turn.",
        "-/-/-/-/0/-/-/-/- 1 5",
    ),
];

impl Present for FiveVisible {
    fn info(&self) -> Info {
        Info::new(
            "5-Visible",
            "Two players, eight bricks each, nine positions with stacks of at most three. A turn places a \
                    brick from your stash on any stack with room, or, while at least three stacks stand, moves the \
                    top brick of either colour from one stack to another with room (to an empty position only from \
                    a stack of more than one). The stack that received the last brick is blocked: nothing is drawn \
                    from it in the next turn. Whoever has five bricks on top of stacks wins at once. A third \
                    repetition or 200 plies draw a recorded game.",
            "Nine stacks separated by /, bricks bottom to top as 0 and 1, - for empty; the player to move; \
                       the blocked position or -. Moves: s3 places on position 3, 4-7 moves the top brick of 4 to 7. \
                       Hashcodes: #<hex>:<player>.",
            &["Player 0", "Player 1"],
        )
    }

    fn invitation(&self) -> Invitation {
        Invitation::new("Solved: with best play nobody wins. Try to beat it.", "6-5 3-4 s4 s5 s3 s3 s3 5-6")
    }

    fn examples(&self) -> &[(&'static str, &'static str)] {
        &EXAMPLES
    }

    fn geometry(&self) -> Geometry {
        let cell = |place: Place| {
            let (column, row) = (place.index() % 3, place.index() / 3);
            Cell {
                id: place.to_string(),
                name: None,
                x: column as f32 + 1.8,
                y: row as f32 + 0.6,
                size: [1.0, 1.0],
                shape: Shape::Square,
                shade: Shade::Light,
                text_at: [row as u8, column as u8],
            }
        };
        let tray = |side: usize| Cell {
            id: TRAYS[side].to_owned(),
            name: Some(format!("stash of player {side}").into()),
            x: [0.55, 5.05][side],
            y: 1.6,
            size: [0.9, 3.0],
            shape: Shape::Tray,
            shade: Shade::Dark,
            text_at: [3 + side as u8, 0],
        };
        let cells = [tray(0)].into_iter().chain(Place::ALL.into_iter().map(cell)).chain([tray(1)]).collect();
        Geometry { width: 5.6, height: 3.2, cells, labels: Vec::new() }
    }

    fn picture(&self, state: &State) -> Picture {
        let brick = |cell: String, side: Side, level: usize| Piece {
            cell,
            side: Some(side),
            name: "brick".into(),
            ascii: side.to_string(),
            unicode: ["○", "●"][side.index()].to_owned(),
            level: level as u8,
            art: Some(BRICK.into()),
        };
        let mut pieces = Vec::new();
        for place in Place::ALL {
            let bricks = state.stack(place).bricks().enumerate();
            pieces.extend(bricks.map(|(level, side)| brick(place.to_string(), side, level)));
        }
        for side in Side::ALL {
            let tray = TRAYS[side.index()].to_owned();
            pieces.extend((0..state.stash(side) as usize).map(|level| brick(tray.clone(), side, level)));
        }
        let blocked = state.blocked().map(|place| Mark { cell: place.to_string(), name: "blocked".into() });
        Picture { pieces, marks: blocked.into_iter().collect() }
    }

    fn steps(&self, state: &State, mv: Move) -> Vec<String> {
        let tray = || TRAYS[state.player().index()].to_owned();
        vec![mv.from.map_or_else(tray, |from| from.to_string()), mv.to.to_string()]
    }

    fn stuck(&self, state: &State, cell: &str) -> Option<String> {
        let from = Place::ALL.into_iter().find(|place| place.to_string() == cell)?;
        let to = Place::ALL.into_iter().find(|&place| place != from)?;
        if state.blocked() == Some(from) {
            return Some("blocked: the last brick was put here".to_owned());
        }
        self.check_move(state, Move { from: Some(from), to }).err().map(|error| error.message)
    }

    /// A stash is written `s`.
    fn text_of_steps(&self, steps: &[String]) -> String {
        match steps {
            [from, to] if TRAYS.contains(&from.as_str()) => format!("s{to}"),
            _ => steps.join("-"),
        }
    }

    fn count_modes(&self) -> &[&str] {
        &["located", "canonical"]
    }

    fn with_count_mode(&self, mode: &str) -> Option<Self> {
        let counting = match mode {
            "located" => Counting::Located,
            "canonical" => Counting::Canonical,
            _ => return None,
        };
        Some(FiveVisible { counting, ..*self })
    }

    fn code_fields(&self, state: &State) -> Vec<CodeField> {
        let standing = Place::ALL.into_iter().filter(|place| state.stack(*place).height() > 0);
        let mut fields: Vec<CodeField> = standing.map(|place| stack_field(self, state, place)).collect();
        if let Ok(board) = hashcode::board(self, state) {
            let byte = |i: u32| {
                let code = board >> (8 * i) & 0xFF;
                let says = if code == 0 { "no stack".to_owned() } else { format!("a stack {code:#04x}") };
                BitRun::new(code, 8, says)
            };
            fields.push(CodeField::new("board", board, 64, (0..8).rev().map(byte).collect()));
        }
        fields.push(CodeField::hash("key", self.key(state).0));
        fields
    }
}

/// The stack hashcode, taken apart.
fn stack_field(rules: &FiveVisible, state: &State, place: Place) -> CodeField {
    let code = u64::from(hashcode::of_stack(rules, state, place));
    let bricks = state.stack(place).bricks().map(|side| side.to_string()).collect::<Vec<_>>();
    let drawable = if code >> 5 & 1 == 1 { "may be drawn from" } else { "may not be drawn from" };
    let shown = format!("bricks, the top one last: {}", bricks.join(" "));
    let runs = vec![
        BitRun::new(code >> 6, 2, "unused"),
        BitRun::new(code >> 5, 1, drawable),
        BitRun::new(code >> 2, 3, shown),
        BitRun::new(code, 2, format!("{} high", bricks.len())),
    ];
    let runs = runs.into_iter().map(|run| run.on(place.to_string())).collect();
    CodeField::new(format!("stack on {place}"), code, 8, runs)
}
