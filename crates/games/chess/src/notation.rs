//! Text of positions (FEN) and moves (SAN, UCI), and the codes of a position.

use crate::types::Move;
use crate::{Chess, State, fen, polyglot, san, seed, uci};
use tabia_core::{Format, Game, MoveError, NamedStart, Notation, Position, PositionError, RuleError};

const FORMATS: &[Format] = &[
    Format {
        id: "fen",
        about: "Forsyth-Edwards Notation, Chess960 as X-FEN; the same as text",
        reversible: true,
    },
    Format { id: "polyglot", about: "the key of Polyglot opening books, hexadecimal", reversible: false },
    Format {
        id: "seed-zobrist",
        about: "Zobrist hash of the pieces alone with the mt19937 table of the classic example, decimal",
        reversible: false,
    },
];

impl Notation for Chess {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        Ok(Position { rules: *self, state: fen::parse(text)? })
    }

    fn format(&self, state: &State) -> String {
        fen::format(state)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        let mv = match uci::read(state.board(), text.as_bytes()) {
            Some(mv) => mv,
            None => san::parse(state.board(), text)?,
        };
        self.check_move(state, mv)?;
        Ok(mv)
    }

    fn format_move(&self, state: &State, mv: Move) -> String {
        san::format(state.board(), mv)
    }

    fn starts(&self) -> Vec<NamedStart<Self>> {
        let start = Position { rules: *self, state: self.start() };
        vec![NamedStart { id: "start", about: "the usual start position", position: start }]
    }

    fn formats(&self) -> &'static [Format] {
        FORMATS
    }

    fn encode(&self, state: &State, format: &str) -> Result<String, RuleError> {
        match format {
            "fen" => Ok(fen::format(state)),
            "polyglot" => Ok(format!("{:016x}", polyglot::key(state))),
            "seed-zobrist" => Ok(seed::hash_state(state).to_string()),
            _ => Err(RuleError::new(format!("no format {format:?}"))),
        }
    }

    fn decode(&self, code: &str, format: &str) -> Result<Position<Self>, PositionError> {
        match format {
            "fen" => self.parse(code),
            "polyglot" | "seed-zobrist" => Err(PositionError::Unsupported(format!(
                "a {format} code is a hash: the position cannot be read from it"
            ))),
            _ => Err(PositionError::Unsupported(format!("no format {format:?}"))),
        }
    }

    /// The classic Zobrist table hashes any pieces on any squares, also where chess would not.
    fn encode_text(&self, text: &str, format: &str) -> Option<Result<String, PositionError>> {
        (format == "seed-zobrist").then(|| {
            let cells = fen::parse_placement(text)?;
            Ok(seed::hash(&cells).0.to_string())
        })
    }
}
