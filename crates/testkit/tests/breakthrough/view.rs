//! What a picture of Breakthrough needs.

use super::{Breakthrough, Bug, Move, State};
use tabia_core::{Geometry, Info, Picture, Piece, Present, Shade, Shape, Side, view};

impl Present for Breakthrough {
    fn info(&self) -> Info {
        let [name, rules, notation] =
            ["Breakthrough", "First across wins.", "x, o and . row by row; a2-b3"].map(Into::into);
        Info { name, rules, notation, sides: vec!["x".into(), "o".into()] }
    }
    fn geometry(&self) -> Geometry {
        let name = |column, row| Some((self.name((row * self.size + column) as u8), Shade::Light));
        let letter = |column| char::from(b'a' + column as u8).to_string();
        view::grid(self.size, self.size, Shape::Square, name, letter, |row| (row + 1).to_string())
    }
    fn picture(&self, state: &State) -> Picture {
        let man = |i: usize| {
            let (side, cell) = (Side::ALL[i / 36], i % 36);
            let there = state.men[i / 36] >> cell & 1 == 1;
            there.then(|| Piece::plain(self.name(cell as u8), side, ["x", "o"][i / 36]))
        };
        let shown = if self.has(Bug::HalfThePicture) { 36 } else { 72 };
        Picture { pieces: (0..shown).filter_map(man).collect(), marks: Vec::new() }
    }
    fn steps(&self, _: &State, (from, to): Move) -> Vec<String> {
        let cells = if self.has(Bug::StepsReversed) { [to, from] } else { [from, to] };
        cells.map(|cell| self.name(cell)).to_vec()
    }
}
