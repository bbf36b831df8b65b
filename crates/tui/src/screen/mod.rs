//! Draws the desk: board and graph on the left, tabs and moves on the right.
//!
//! ```text
//! title                                   title
//! board      │ tabs                       board          │ moves      │ tabs
//!            │ panel                                     │            │ panel
//! to move    │ ─ Moves ───                to move        │            │
//! graph      │ 1. e4 e5                   graph          │            │
//! message                                 message
//!      60 columns and more                     130 columns and more
//! ```

mod board;
mod codes;
mod graph;
mod moves;
mod panels;
mod popup;
mod rows;
mod tell;

use crate::desk::{Areas, Desk, Panel};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph, Wrap};
use unicode_width::UnicodeWidthStr;

/// The smallest screen that everything fits into.
const LEAST: (u16, u16) = (60, 20);
/// From here on, moves stand beside the tabs.
const WIDE: u16 = 86;
/// Columns that tabs and moves need at least.
const ASIDE: u16 = 30;

/// Draws everything, and remembers where.
pub(crate) fn draw(frame: &mut Frame<'_>, desk: &mut Desk) {
    let area = frame.area();
    desk.areas = Areas::default();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let (width, height) = LEAST;
        let text = format!(
            "Tabia needs {width} columns and {height} rows; this window has {} and {}.",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    let [title, body, status] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(area);
    draw_title(frame, title, desk);
    let canvas = board::canvas(desk, body);
    let width = (canvas.width() as u16 + 2).clamp(26, area.width.saturating_sub(ASIDE));
    let [left, right] = Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(body);
    board::draw(frame, left, desk, canvas);
    draw_right(frame, right, desk);
    draw_status(frame, status, desk);
    popup::draw(frame, area, desk);
}

fn draw_right(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
    let beside = Block::new().borders(Borders::LEFT).border_style(Style::new().dim());
    let inner = beside.inner(area);
    frame.render_widget(beside, area);
    if area.width >= WIDE {
        let [moves, tabs] =
            Layout::horizontal([Constraint::Percentage(42), Constraint::Percentage(58)]).areas(inner);
        let divider = Block::new().borders(Borders::LEFT).border_style(Style::new().dim());
        let inside = divider.inner(tabs);
        frame.render_widget(divider, tabs);
        moves::draw(frame, moves, desk);
        return draw_tabs(frame, inside, desk);
    }
    let below = (inner.height / 3).clamp(4, 12);
    let [tabs, moves] = Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(inner);
    draw_tabs(frame, tabs, desk);
    moves::draw(frame, moves, desk);
}

/// The row of tabs and what the chosen one shows.
fn draw_tabs(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
    let [names, panel] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    // Where there is little room, only the chosen tab has its name.
    let wide: usize = Panel::ALL.iter().map(|panel| panel.name().width() + 3).sum();
    let is_wide = usize::from(names.width) + 1 >= wide;
    let mut x = names.x;
    for (number, tab) in Panel::ALL.into_iter().enumerate() {
        let (chosen, name) = (tab == desk.panel, tab.name());
        let text =
            if is_wide || chosen { format!("{} {name}", number + 1) } else { format!("{} ", number + 1) };
        let style = if chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        let room = names.right().saturating_sub(x).min(text.width() as u16);
        let place = Rect::new(x, names.y, room, 1);
        frame.render_widget(Span::styled(text, style), place);
        desk.areas.tabs.push((place, tab));
        x = x.saturating_add(room + 1);
    }
    desk.areas.panel = panel;
    panels::draw(frame, panel, desk);
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, desk: &Desk) {
    let named = |name: &str| desk.tags.get(name).filter(|value| !value.is_empty() && *value != "?");
    let mut spans =
        vec![Span::from(" Tabia ").bold().reversed(), Span::from(format!(" {}", desk.about.name)).bold()];
    if let (Some(white), Some(black)) = (named("White"), named("Black")) {
        spans.push(Span::from(format!("  {white} - {black}")));
    }
    for name in ["Event", "Date", "Result"] {
        spans.extend(named(name).map(|value| Span::from(format!("  {value}")).dim()));
    }
    frame.render_widget(Line::from(spans), area);
    let help = Line::from("? help  q leave").dim().right_aligned();
    if area.width > 80 {
        frame.render_widget(help, area);
    }
}

fn draw_status(frame: &mut Frame<'_>, area: Rect, desk: &Desk) {
    let text = if desk.message.is_empty() {
        Line::from("? help  ← → moves  space best move  e engine  o open  q leave").dim()
    } else {
        Line::from(desk.message.clone()).bold()
    };
    frame.render_widget(text, area);
}
