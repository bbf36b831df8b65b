//! Values and numbers as people read them.

use crate::desk::Desk;
use tabia_app::search::ScoreView;
use tabia_app::solve::SolveView;

/// 1,234,567.
pub(super) fn grouped(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn side(desk: &Desk, side: usize) -> String {
    desk.about.sides.get(side).map_or_else(String::new, ToString::to_string)
}

/// A score for the side to move, told from the first player's view.
pub(super) fn score(desk: &Desk, score: ScoreView) -> String {
    match crate::desk::absolute(score, desk.seen.view.side) {
        ScoreView::Win(plies) => format!("{} wins in {plies}", side(desk, 0)),
        ScoreView::Loss(plies) => format!("{} wins in {plies}", side(desk, 1)),
        ScoreView::Draw(_) => "draw".to_owned(),
        ScoreView::Estimate(value) => format!("{:+.2}", f64::from(value) / 100.0),
    }
}

/// The exact value of a position in a sentence.
pub(super) fn verdict(desk: &Desk, solved: &SolveView) -> String {
    let now = desk.seen.view.side;
    let count = |distance: u64| {
        let bound = if solved.distance_exact { "" } else { "at most " };
        format!("{bound}{distance}")
    };
    let wins = |who: String| match solved.distance {
        Some(0) => format!("{who} has won."),
        Some(distance) => format!("{who} wins in {}.", count(distance)),
        None => format!("{who} wins."),
    };
    match solved.value {
        "win" => wins(side(desk, now)),
        "loss" => wins(side(desk, 1 - now.min(1))),
        "draw" => "A draw with best play.".to_owned(),
        "solvable" => {
            let far =
                solved.distance.map_or(String::new(), |distance| format!(": {} to go", count(distance)));
            format!("It can be solved{far}.")
        }
        "unsolvable" => "It can no longer be solved.".to_owned(),
        _ => {
            "Too far from the end for an exact answer in a few seconds. The engine has an opinion.".to_owned()
        }
    }
}
