//! Setting up a position: a FEN out of pieces on squares.

use crate::{Chess, State};
use std::collections::BTreeMap;
use tabia_core::{Arrange, Arrangement, Extra, Notation, RuleError, Side};

/// The extras, in the order of a FEN, with what they usually are.
const FIELDS: [(&str, &str); 4] = [("castling", "-"), ("en-passant", "-"), ("clock", "0"), ("number", "1")];

impl Arrange for Chess {
    fn extras(&self) -> Vec<Extra> {
        let rights = (0..16).map(|bits| {
            let letters: String =
                "KQkq".chars().zip(0..).filter(|(_, bit)| bits >> bit & 1 == 0).map(|(c, _)| c).collect();
            if letters.is_empty() { "-".to_owned() } else { letters }
        });
        vec![
            Extra::new("castling", "castling rights", rights),
            Extra::new("en-passant", "en-passant square", Vec::<String>::new()),
            Extra::new("clock", "half-moves without progress", Vec::<String>::new()),
            Extra::new("number", "number of the move", Vec::<String>::new()),
        ]
    }

    fn extras_of(&self, state: &State) -> BTreeMap<String, String> {
        let text = self.format(state);
        let fields = text.split(' ').skip(2);
        FIELDS.iter().zip(fields).map(|((name, _), field)| ((*name).to_owned(), field.to_owned())).collect()
    }

    fn arranged(&self, arrangement: &Arrangement) -> Result<String, RuleError> {
        let rank = |rank: char| {
            let (mut text, mut gap) = (String::new(), 0);
            for file in 'a'..='h' {
                let piece = arrangement.on(&format!("{file}{rank}"));
                if piece.is_empty() {
                    gap += 1;
                    continue;
                }
                push_gap(&mut text, &mut gap);
                text.push_str(piece);
            }
            push_gap(&mut text, &mut gap);
            text
        };
        let ranks: Vec<String> = ('1'..='8').rev().map(rank).collect();
        let side = if arrangement.side()? == Side::First { "w" } else { "b" };
        let extras = FIELDS.map(|(name, usual)| arrangement.extra(name, usual).to_owned());
        Ok(format!("{} {side} {}", ranks.join("/"), extras.join(" ")))
    }
}

fn push_gap(text: &mut String, gap: &mut u8) {
    if *gap > 0 {
        text.push_str(&gap.to_string());
    }
    *gap = 0;
}
