//! Text of positions (FEN) and moves (SAN, UCI), and the codes of a position.

use crate::types::Move;
use crate::{Chess, State, classic_zobrist, fen, polyglot, san, uci};
use tabia_core::{
    Format, Game, MoveError, Name, NamedStart, Notation, Position, PositionError, RuleError, TextError,
};

static FORMATS: &[Format] = &[
    Format::exact("fen", "Forsyth-Edwards Notation, Chess960 as X-FEN; the same as text"),
    Format::one_way("polyglot", "the key of Polyglot opening books, hexadecimal"),
    Format::one_way(
        "seed-zobrist",
        "Zobrist hash of the pieces alone with the mt19937 table of the classic example, decimal",
    ),
];

/// By Peter McKenzie, as in the Chess Programming Wiki.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

impl Notation for Chess {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        let state = match text.strip_prefix("chess960:") {
            Some(number) => chess960_start(text, number)?,
            None => fen::parse(text)?,
        };
        Ok(Position { rules: *self, state })
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
        let named = |id, about, state| NamedStart {
            id: Name::Borrowed(id),
            about: Name::Borrowed(about),
            position: Position { rules: *self, state },
        };
        let mut starts = vec![named("start", "the usual start position", self.start())];
        starts.extend(State::chess960_start(0).map(|state| {
            named("chess960", "the Chess960 start number 0, BBQNNRKR; any other is chess960:N", state)
        }));
        starts.extend(fen::parse(KIWIPETE).ok().map(|state| {
            named("kiwipete", "a middle game with every kind of move, the classic test of generators", state)
        }));
        starts
    }

    fn formats(&self) -> &[Format] {
        FORMATS
    }

    fn encode(&self, state: &State, format: &str) -> Result<String, RuleError> {
        match format {
            "fen" => Ok(fen::format(state)),
            "polyglot" => Ok(format!("{:016x}", polyglot::key(state))),
            "seed-zobrist" => Ok(classic_zobrist::hash_state(state).to_string()),
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
            Ok(classic_zobrist::hash(&cells).0.to_string())
        })
    }
}

fn chess960_start(text: &str, number: &str) -> Result<State, TextError> {
    let state = number.parse().ok().and_then(State::chess960_start);
    state.ok_or_else(|| TextError::at(text, text.len() - number.len(), "the number of a start, 0 to 959"))
}
