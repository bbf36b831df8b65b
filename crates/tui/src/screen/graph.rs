//! The value of the game, move by move, in braille.

use crate::desk::Desk;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style, Stylize};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::canvas::{Canvas, Line as Stroke};
use ratatui::widgets::{Block, Borders};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, desk: &Desk) {
    let line: Vec<usize> = std::iter::once(0).chain(desk.tree.line()).collect();
    let score = |(ply, id): (usize, &usize)| Some((ply as f64, desk.tree.node(*id).score?));
    let points: Vec<(f64, f64)> = line.iter().enumerate().filter_map(score).collect();
    let who = desk.about.sides.first().map_or_else(String::new, ToString::to_string);
    let title = if desk.about.players == 1 { " Value ".to_owned() } else { format!(" Value for {who} ") };
    let area = Rect { width: area.width.saturating_sub(1), height: area.height.min(9), ..area };
    let block = Block::new().borders(Borders::TOP).border_style(Style::new().dim()).title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if points.len() < 2 {
        let hint = if line.len() > 1 { "a analyses the game" } else { "" };
        frame.render_widget(Line::from(hint).dim(), Rect { height: 1, ..inner });
        return;
    }
    let here = line.iter().position(|id| *id == desk.tree.current).unwrap_or(0) as f64;
    let last = (line.len() as f64 - 1.0).max(1.0);
    let coloured = |color: Color| if desk.options.colours.is_some() { color } else { Color::Reset };
    let (strong, faint, now) = (coloured(Color::Green), coloured(Color::DarkGray), coloured(Color::Yellow));
    let canvas =
        Canvas::default().marker(Marker::Braille).x_bounds([0.0, last]).y_bounds([-1.05, 1.05]).paint(
            move |paint| {
                paint.draw(&Stroke { x1: 0.0, y1: 0.0, x2: last, y2: 0.0, color: faint });
                paint.draw(&Stroke { x1: here, y1: -1.0, x2: here, y2: 1.0, color: now });
                for pair in points.windows(2) {
                    if let [(x1, y1), (x2, y2)] = *pair {
                        paint.draw(&Stroke { x1, y1, x2, y2, color: strong });
                    }
                }
            },
        );
    frame.render_widget(canvas, inner);
}
