//! What lies over everything else: help, lists to choose from, a line to type into.

use crate::desk::{Desk, HELP, Popup};
use ratatui::Frame;
use ratatui::layout::{Constraint, Flex, Layout, Position, Rect};
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};
use unicode_width::UnicodeWidthStr;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
    let Some(popup) = desk.popup.clone() else { return };
    match popup {
        Popup::Help => help(frame, area),
        Popup::TypeMove(text) => line(frame, area, " Type a move ", &text),
        Popup::TypeText(text) => line(frame, area, " A position, game, code, link or file ", &text),
        Popup::Choose(moves, at) => {
            let rows = moves.into_iter().map(|(choice, _)| choice).collect();
            list(frame, area, desk, " Which move? ", rows, at);
        }
        Popup::Found(found, at) => {
            let title = format!(" {} found ", found.len());
            let rows = found.iter().map(|found| summary(found).to_owned()).collect();
            list(frame, area, desk, &title, rows, at);
        }
        Popup::Games(at) => {
            let rows = desk.registry.games().map(|game| game.view().name.to_string()).collect();
            list(frame, area, desk, " Games ", rows, at);
        }
    }
}

fn summary(found: &tabia_app::Found) -> &str {
    match found {
        tabia_app::Found::Position(found) => &found.summary,
        tabia_app::Found::Game(found) => &found.summary,
    }
}

/// A box in the middle with room for so much.
fn opened(frame: &mut Frame<'_>, area: Rect, title: &str, width: usize, height: usize) -> Rect {
    let fit = |size: usize, most: u16| Constraint::Length((size as u16).saturating_add(2).min(most));
    let [row] = Layout::vertical([fit(height, area.height)]).flex(Flex::Center).areas(area);
    let [place] = Layout::horizontal([fit(width, area.width)]).flex(Flex::Center).areas(row);
    let block = Block::bordered().title(title.to_owned().bold());
    let inner = block.inner(place);
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    inner
}

fn help(frame: &mut Frame<'_>, area: Rect) {
    let inner = opened(frame, area, " Keys ", 58, HELP.len());
    for ((keys, does), y) in HELP.iter().zip(inner.top()..inner.bottom()) {
        let pad = " ".repeat(11_usize.saturating_sub(keys.width()));
        let line = Line::from(vec![Span::from(*keys).bold(), Span::from(pad), Span::from(*does)]);
        frame.render_widget(line, Rect { y, height: 1, ..inner });
    }
}

fn line(frame: &mut Frame<'_>, area: Rect, title: &str, text: &str) {
    let inner = opened(frame, area, title, 56, 1);
    let room = usize::from(inner.width).saturating_sub(1);
    // The end of a long text is what is being typed.
    let mut shown: String = text.chars().filter(|letter| !letter.is_control()).collect();
    while shown.width() > room {
        shown.remove(0);
    }
    let column = inner.x + shown.width() as u16;
    frame.render_widget(Line::from(shown), inner);
    frame.set_cursor_position(Position::new(column, inner.y));
}

fn list(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk, title: &str, rows: Vec<String>, at: usize) {
    let widest = rows.iter().map(|row| row.width()).max().unwrap_or(0).max(title.width() + 2);
    let inner = opened(frame, area, title, widest + 1, rows.len());
    let height = usize::from(inner.height);
    let first = at.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
    let mut places = Vec::new();
    let shown = rows.into_iter().enumerate().skip(first).zip(inner.top()..inner.bottom());
    for ((number, row), y) in shown {
        let line = Line::from(row);
        let place = Rect { y, height: 1, ..inner };
        frame.render_widget(if number == at { line.reversed() } else { line }, place);
        places.push((place, number));
    }
    desk.areas.items = places;
}
