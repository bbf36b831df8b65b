//! Text: positions as drawings or named starts, moves as holes, goals.

use crate::{Board, Goal, Jump, Solitaire, State, art, catalogue, chain, pack};
use std::sync::Arc;
use tabia_core::{
    Format, Game, MoveError, NamedStart, Notation, Position, PositionError, RuleError, TextError,
};

static FORMATS: [Format; 1] = [Format::exact(
    "bits",
    "one number, decimal or 0x hexadecimal: bit y*width+x (bit of the hole's number on grids of over 64 cells)",
)];

impl Notation for Solitaire {
    /// Reads a drawing (`--ooo--/...`), a board (`english`), a board with its vacancy
    /// (`english:d3`), or a vacancy of this board (`d3`).
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let trimmed = text.trim();
        let start = text.len() - text.trim_start().len();
        if art::looks_drawn(trimmed) {
            // Spaces can be part of a drawing, so it is read as it stands, but for its end.
            return self.parse_drawing(text.trim_end());
        }
        self.parse_name(trimmed).map_err(|error| relocate(error, text, start).into())
    }

    fn format(&self, state: &State) -> String {
        self.board().draw(state.pegs())
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Jump, MoveError> {
        let jumps = chain::parse(self, state, text)?;
        match jumps.as_slice() {
            &[jump] => Ok(jump),
            _ => {
                Err(RuleError::new(format!("{text} is {} jumps; one at a time is played here", jumps.len()))
                    .into())
            }
        }
    }

    fn parse_moves(&self, state: &State, text: &str) -> Result<Vec<Jump>, MoveError> {
        chain::parse(self, state, text)
    }

    fn format_move(&self, _: &State, jump: Jump) -> String {
        chain::format(self.board(), &[jump])
    }

    fn starts(&self) -> Vec<NamedStart<Self>> {
        let own = NamedStart {
            id: self.board().name().unwrap_or("custom").to_owned().into(),
            about: catalogue::find(self.board().name().unwrap_or_default())
                .map_or("a board of one's own", |b| b.about)
                .into(),
            position: Position { rules: self.clone(), state: self.start() },
        };
        let others = catalogue::all().iter().filter(|known| !known.board.same_shape(self.board()));
        let start = |known: &catalogue::NamedBoard| {
            let rules = Solitaire::new(Arc::clone(&known.board));
            let state = rules.start();
            NamedStart {
                id: known.name.into(),
                about: known.about.into(),
                position: Position { rules, state },
            }
        };
        std::iter::once(own).chain(others.map(start)).collect()
    }

    fn formats(&self) -> &[Format] {
        &FORMATS
    }

    fn encode(&self, state: &State, format: &str) -> Result<String, RuleError> {
        match format {
            "bits" => Ok(format!("{:#x}", pack::to_bits(self.board(), *state))),
            _ => Err(RuleError::new(format!("no format {format:?}"))),
        }
    }

    fn decode(&self, code: &str, format: &str) -> Result<Position<Self>, PositionError> {
        if format != "bits" {
            return Err(PositionError::Unsupported(format!("no format {format:?}")));
        }
        let number = parse_number(code)?;
        let state =
            pack::from_bits(self.board(), number).map_err(|error| PositionError::Rules(vec![error]))?;
        Ok(Position { rules: self.clone(), state })
    }
}

impl Solitaire {
    fn parse_drawing(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let drawn = art::read(text)?;
        let (board, pegs) =
            Board::from_art(&drawn).map_err(|error| PositionError::rule(error.to_string()))?;
        Ok(Position { rules: self.on(&board), state: State::new(pegs) })
    }

    /// These rules on another board; the goal stays if the board does.
    fn on(&self, board: &Arc<Board>) -> Solitaire {
        if self.board().same_shape(board) { self.clone() } else { Solitaire::new(Arc::clone(board)) }
    }

    fn parse_name(&self, text: &str) -> Result<Position<Self>, TextError> {
        let (name, vacancy) = text.split_once(':').map_or((text, None), |(name, hole)| (name, Some(hole)));
        if let (None, Some(hole)) = (vacancy, self.board().hole(text)) {
            return Ok(Position { rules: self.clone(), state: self.vacant(hole) });
        }
        let known = catalogue::find(name).ok_or_else(|| {
            let names: Vec<_> = catalogue::all().iter().map(|known| known.name).collect();
            TextError::at(text, 0, format!("a drawing, a hole, or a board ({})", names.join(", ")))
        })?;
        let rules = self.on(&known.board);
        let hole = match vacancy {
            None => known.board.vacancy(),
            Some(hole) => {
                let expected = || {
                    format!(
                        "a hole of the {name} board, like {}",
                        rules.board().hole_name(rules.board().vacancy())
                    )
                };
                known.board.hole(hole).ok_or_else(|| TextError::at(text, name.len() + 1, expected()))?
            }
        };
        let state = rules.vacant(hole);
        Ok(Position { rules, state })
    }
}

/// The same error in the text that the offending part was cut from.
fn relocate(error: TextError, text: &str, start: usize) -> TextError {
    TextError::at(text, error.offset + start, error.expected)
}

fn parse_number(code: &str) -> Result<u64, TextError> {
    let (digits, radix) = match code.strip_prefix("0x").or_else(|| code.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (code, 10),
    };
    let start = code.len() - digits.len();
    if let Some((offset, _)) = digits.char_indices().find(|(_, c)| !c.is_digit(radix)) {
        return Err(TextError::at(code, start + offset, "a digit"));
    }
    u64::from_str_radix(digits, radix).map_err(|_| TextError::at(code, start, "a number of at most 64 bits"))
}

/// Reads a goal: `any`, a hole, or the drawing of a position of this board.
pub fn parse_goal(rules: &Solitaire, text: &str) -> Result<Goal, PositionError> {
    let board = rules.board();
    if text == "any" {
        return Ok(Goal::OnePeg);
    }
    if let Some(hole) = board.hole(text) {
        return Ok(Goal::Hole(hole));
    }
    if !art::looks_drawn(text) {
        return Err(TextError::at(text, 0, "`any`, a hole of the board, or the drawing of a position").into());
    }
    let target = rules.parse(text)?;
    if !target.rules.board().same_shape(board) {
        return Err(PositionError::rule("the goal is drawn on another board than the position"));
    }
    Ok(Goal::Position(target.state))
}

/// Writes a goal so that [`parse_goal`] reads it back.
pub fn goal_text(rules: &Solitaire, goal: Goal) -> String {
    match goal {
        Goal::OnePeg => "any".to_owned(),
        Goal::Hole(hole) => rules.board().hole_name(hole),
        Goal::Position(state) => rules.format(&state),
    }
}
