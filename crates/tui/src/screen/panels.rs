//! What the tabs show: statistics, exact values, the engine's lines, rules and puzzles.

use super::rows::Rows;
use super::{codes, tell};
use crate::desk::{Desk, Panel, Trainer, Trial};
use crate::work::Task;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use tabia_app::book::{BookMoveView, BookView, CountsView};
use tabia_app::search::SearchView;
use tabia_app::solve::SolveView;
use unicode_width::UnicodeWidthStr;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
    let mut rows = Rows::new(area.width);
    match desk.panel {
        Panel::Explorer | Panel::Solver | Panel::Engine if desk.is_secret() => {
            rows.quiet("Not while a puzzle is being solved (6).");
        }
        Panel::Explorer => explorer(&mut rows, desk),
        Panel::Solver => solver(&mut rows, desk),
        Panel::Engine => engine(&mut rows, desk),
        Panel::Codes => codes::rows(&mut rows, desk),
        Panel::Rules => rules(&mut rows, desk, area.height),
        Panel::Puzzles => puzzles(&mut rows, desk),
    }
    rows.draw(frame, area, desk);
}

fn explorer(rows: &mut Rows, desk: &Desk) {
    let Some(stats) = &desk.stats else {
        rows.quiet(if desk.has_book() {
            "No recorded game met this position."
        } else {
            "There is no book: `tabia book import` and `tabia book selfplay` make one."
        });
        rows.gap();
        rows.strong(&format!("{} {}", desk.seen.moves.len(), desk.about.move_words[1]));
        let spans = desk.seen.moves.iter().enumerate().flat_map(|(number, mv)| {
            let span = Span::from(mv.text.clone());
            let span = if number == desk.selected { span.reversed() } else { span };
            [(span, Some(number)), (Span::from("  "), None)]
        });
        rows.flow(spans.collect(), Some(desk.selected));
        return;
    };
    let total = stats.counts.total.0;
    let met = if total == 1 { "game met this position" } else { "games met this position" };
    rows.strong(&format!("{} {met}", tell::grouped(total)));
    rows.add(bar(&stats.counts, rows.width()));
    rows.gap();
    let widest = stats.moves.iter().map(|mv| mv.text.width()).max().unwrap_or(0);
    for (number, mv) in stats.moves.iter().enumerate() {
        rows.item(book_move(mv, widest, rows.width()), number, number == desk.selected);
    }
    rows.gap();
    rows.quiet(&legend(desk, stats));
}

/// `e4   41%   54%  ██████▒▒▒░░░░   1,234`: the share, the points of the mover, the results, the games.
fn book_move(mv: &BookMoveView, widest: usize, width: usize) -> Line<'static> {
    let pad = " ".repeat(widest.saturating_sub(mv.text.width()));
    let games = tell::grouped(mv.counts.total);
    let head = format!("{}{pad} {:>3.0}% {:>3.0}% ", mv.text, mv.share * 100.0, mv.score * 100.0);
    let room = width.saturating_sub(head.width() + games.width() + 1);
    let mut line = Line::from(head);
    line.extend(bar(&mv.counts, room).spans);
    line.push_span(Span::from(format!(" {games}")));
    line
}

/// Won, drawn and lost by player 0, in proportion.
fn bar(counts: &CountsView, width: usize) -> Line<'static> {
    let total = counts.total.0.max(1) as f64;
    let until = |count: u128| (count as f64 / total * width as f64).round() as usize;
    let (wins, drawn) = (until(counts.wins0.0), until(counts.wins0.0 + counts.draws.0));
    let rest = width.saturating_sub(drawn);
    Line::from(vec![
        Span::from("█".repeat(wins)),
        Span::from("▒".repeat(drawn.saturating_sub(wins))),
        Span::from("░".repeat(rest)).dim(),
    ])
}

fn legend(desk: &Desk, stats: &BookView) -> String {
    let who = |side: usize| desk.about.sides.get(side).map_or_else(String::new, ToString::to_string);
    let hidden =
        if stats.hidden > 0 { format!(" {} moves are not shown.", stats.hidden) } else { String::new() };
    match desk.about.players {
        1 => format!("How often it was played, and how often it was solved.{hidden}"),
        _ => format!(
            "How often it was played, points of {}; █ {} won, ▒ drawn, ░ {} won.{hidden}",
            who(stats.side),
            who(0),
            who(1)
        ),
    }
}

fn solver(rows: &mut Rows, desk: &Desk) {
    let Some(solved) = &desk.solved else {
        let words = if desk.work.is_busy(Task::Solver) { "Working it out …" } else { "Not worked out." };
        rows.quiet(if desk.trouble.is_empty() { words } else { &desk.trouble });
        return;
    };
    rows.strong(&tell::verdict(desk, solved));
    rows.quiet(&source(solved));
    if !solved.line.is_empty() {
        rows.gap();
        rows.text(&solved.line.join(" "));
    }
    rows.gap();
    for (number, mv) in solved.moves.iter().enumerate() {
        let sign = match mv.value {
            "win" => "W",
            "loss" => "L",
            "draw" => "D",
            "solvable" => "✓",
            "unsolvable" => "✗",
            _ => "?",
        };
        let far = mv.distance.map_or_else(String::new, |distance| distance.to_string());
        let text = format!("{sign} {far:>3}  {}{}", mv.text, if mv.best { " *" } else { "" });
        rows.item(
            if mv.best { Line::from(text).bold() } else { Line::from(text) },
            number,
            number == desk.selected,
        );
    }
}

/// Where an answer comes from.
fn source(solved: &SolveView) -> String {
    let known = match solved.method.as_str() {
        "over" => "The game is over.",
        "table" => "From a table of all positions.",
        "strong" => "Every position that can be reached was worked out.",
        "proof" => "By a search for a proof.",
        _ => "",
    };
    if known.is_empty() { solved.reason.clone() } else { known.to_owned() }
}

fn engine(rows: &mut Rows, desk: &Desk) {
    if desk.position.as_search().is_none() {
        return rows.quiet("This game has no engine. The solver (2) knows what can be solved.");
    }
    if desk.seen.view.outcome.is_some() {
        return rows.quiet("The game is over here.");
    }
    let Some(search) = &desk.search else {
        let words = if desk.engine_on {
            "Thinking …"
        } else {
            "The engine is off: e lets it look at every position."
        };
        return rows.quiet(if desk.trouble.is_empty() { words } else { &desk.trouble });
    };
    rows.strong(&headline(desk, search));
    let who = desk.about.sides.first().map_or_else(String::new, ToString::to_string);
    rows.quiet(&format!("+ is good for {who}"));
    rows.gap();
    for (number, line) in search.lines.iter().enumerate() {
        let text = format!("{}  {}", tell::score(desk, line.score), line.pv.join(" "));
        let wrapped = super::rows::wrap(&text, rows.width());
        for part in wrapped.into_iter().take(3) {
            rows.item(part, number, number == desk.selected);
        }
    }
}

fn headline(desk: &Desk, search: &SearchView) -> String {
    let busy = desk.work.is_busy(Task::Engine);
    let rate = match search.nodes_per_second {
        rate if busy && rate >= 1000.0 => format!(", {} k/s", tell::grouped((rate / 1000.0) as u64)),
        _ => String::new(),
    };
    let exact = if search.exact { ", exact" } else { "" };
    let now = if busy { " …" } else { "" };
    let score = tell::score(desk, search.score);
    format!("{score}  depth {}{exact}, {} nodes{rate}{now}", search.depth, tell::grouped(search.nodes))
}

fn rules(rows: &mut Rows, desk: &Desk, height: u16) {
    let about = &desk.about;
    rows.strong(&about.name);
    rows.text(&about.rules);
    if !about.piece_words.is_empty() {
        rows.gap();
        rows.strong("Pieces");
        about.piece_words.iter().for_each(|piece| rows.text(&format!("{}: {}", piece.name, piece.about)));
    }
    rows.gap();
    rows.strong("Notation");
    rows.text(&about.notation);
    for example in &about.examples {
        rows.gap();
        rows.text(&example.about);
        rows.quiet(&example.position);
    }
    rows.from(desk.selected, height);
}

fn puzzles(rows: &mut Rows, desk: &Desk) {
    let Some(trainer) = &desk.trainer else {
        let count = desk.game.puzzles().shipped().all().len();
        rows.text(&format!("{count} puzzles, from easy to hard: one move is right."));
        rows.gap();
        return rows.quiet("n puts one on the board.");
    };
    rows.strong(&task(desk, trainer));
    rows.gap();
    match &trainer.trial {
        Trial::Open => rows.text("Find it on the board."),
        Trial::Wrong(tried) => rows.text(&format!("{tried} is not it. Try again.")),
        Trial::Solved => rows.strong("Right!"),
        Trial::Shown => rows.text(&format!("The move was {}.", trainer.puzzle.mv)),
    }
    if !trainer.is_open() {
        if !trainer.puzzle.line.is_empty() {
            rows.text(&format!("It goes on {}", trainer.puzzle.line.join(" ")));
        }
        rows.text(&trainer.puzzle.themes.join(", "));
        rows.quiet(match trainer.puzzle.verified.name() {
            "tables" => "Every move was looked up in tables of exact values.",
            "solver" => "Every move was worked out exactly.",
            "proof" => "Every move was tried to the end of the win.",
            _ => "Two searches that share nothing agree.",
        });
    }
    rows.gap();
    rows.quiet(&format!("Rated {}. h hint, s solution, n next.", trainer.puzzle.rating));
}

fn task(desk: &Desk, trainer: &Trainer) -> String {
    let puzzle = &trainer.puzzle;
    let first = desk.position.history().positions().first().map_or(0, |start| start.side().index());
    let who = desk.about.sides.get(first).map_or_else(String::new, ToString::to_string);
    match (puzzle.value.as_str(), puzzle.verified.name()) {
        ("win", "proof") => format!("{who} wins within {} plies, with one move only.", puzzle.plies),
        ("win", _) => format!("{who} wins, with one move only."),
        ("draw", _) => format!("{who} saves the game, with one move only."),
        ("solvable", _) => {
            format!("Exactly one move leaves a way to the goal, {} moves away.", puzzle.plies)
        }
        _ => format!("{who} gains, with one move only."),
    }
}
