//! Chess as UCI writes it: positions and moves in, lines and scores out.

use tabia_chess::{Chess, types::Move, uci};
use tabia_core::{Game, Notation, Position, Record};
use tabia_search::{Line, Report, Score};

/// The game before its first move.
pub(super) fn start() -> Record<Chess> {
    Record::new(Position { rules: Chess, state: Chess.start() })
}

/// The position and moves of a `position` command; an error says what is wrong with it.
pub(super) fn placed(line: &str) -> Result<Record<Chess>, String> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut record = match words[..end].split_first() {
        Some((&"startpos", [])) => start(),
        Some((&"fen", fen)) => {
            let fen = fen.join(" ");
            Record::new(Chess.parse(&fen).map_err(|error| format!("{fen}: {error}"))?)
        }
        _ => return Err("expected: position startpos|fen FEN [moves MOVE...]".to_owned()),
    };
    for text in words.iter().skip(end + 1) {
        let mv = Chess.parse_move(record.state(), text).map_err(|error| format!("{text}: {error}"))?;
        record.play_unchecked(mv);
    }
    Ok(record)
}

/// How moves are written: castling as king takes rook (`e1h1`), or as the king's two steps (`e1g1`) where
/// king and rook stand as in ordinary chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Castling {
    TwoSteps,
    TakesRook,
}

/// The moves of a line.
fn line_texts(record: &Record<Chess>, moves: &[Move], castling: Castling) -> Vec<String> {
    let mut state = *record.state();
    let text = |&mv: &Move| {
        let text = match castling {
            Castling::TwoSteps => uci::format(state.board(), mv),
            Castling::TakesRook => mv.to_string(),
        };
        Chess.play(&mut state, mv);
        text
    };
    moves.iter().map(text).collect()
}

/// The line that ends a search: the first move of a line, with the reply expected.
pub(super) fn best(record: &Record<Chess>, line: Option<&Line<Move>>, castling: Castling) -> String {
    let moves = line.map_or(&[][..], |line| &line.moves);
    let mut texts = line_texts(record, moves, castling).into_iter();
    let best = texts.next().unwrap_or_else(|| "0000".to_owned());
    match texts.next() {
        Some(reply) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {best}"),
    }
}

/// One `info` line for each of the best lines, `most` of them.
pub(super) fn info(record: &Record<Chess>, report: &Report<Move>, most: usize, castling: Castling) -> String {
    let line = |(number, line): (usize, &Line<_>)| {
        let score = match line.score {
            Score::Win(plies) => format!("mate {}", plies.div_ceil(2)),
            Score::Loss(plies) => format!("mate -{}", plies / 2),
            Score::Draw => "cp 0".to_owned(),
            Score::Estimate(value) => format!("cp {value}"),
        };
        format!(
            "info depth {} multipv {} score {score} nodes {} nps {:.0} time {:.0} pv {}",
            report.depth,
            number + 1,
            report.nodes,
            report.nodes_per_second(),
            report.seconds * 1000.0,
            line_texts(record, &line.moves, castling).join(" ")
        )
    };
    report.lines.iter().take(most).enumerate().map(line).collect::<Vec<_>>().join("\n")
}
