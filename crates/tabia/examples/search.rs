//! Search: the best move, through the facade and with types.

use tabia::games::draughts::Draughts;
use tabia::prelude::*;
use tabia::search::{AlphaBeta, Limits, SearchOptions, SearchRequest, Stop};

pub(crate) fn main() {
    let registry = Registry::standard();
    let position = registry.find("chess").and_then(|chess| chess.parse("kiwipete")).expect("a position");
    let request = SearchRequest { depth: Some(5), ..SearchRequest::default() };
    let answer = position.search().and_then(|search| search.search(&request, &Stop::new(), &mut |_| ()));
    let answer = answer.expect("chess can be searched");
    println!(
        "chess: {} ({}), expecting {}",
        answer.best.unwrap_or_default(),
        answer.score,
        answer.pv.join(" ")
    );

    // With types: the engine keeps its table from move to move.
    let rules = Draughts::default();
    let mut record = Record::new(Position { state: rules.start(), rules });
    let mut engine = AlphaBeta::new(SearchOptions::default()).expect("a table of the usual size");
    for _ in 0..6 {
        let report = engine.search(&record, &Limits::depth(7), &Stop::new(), |_| ());
        let Some(mv) = report.best() else { break };
        print!("{} ", rules.format_move(record.state(), mv));
        record.play_unchecked(mv);
    }
    println!();
}
