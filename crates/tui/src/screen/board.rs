//! The board, who is to move, and the graph below.

use super::graph;
use crate::desk::Desk;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::Line;
use tabia_app::draw::{self, BoardStyle, Canvas, Colour, Colours, Paint, Size};

/// Rows below the board for words.
const WORDS: u16 = 2;

/// The board as large as there is room for.
pub(super) fn canvas(desk: &Desk, room: Rect) -> Canvas {
    let hollow = desk.options.colours.is_none_or(|colours| colours == Colours::Basic);
    let drawn = |size| {
        draw::board(&desk.seen.board, BoardStyle { size, flipped: desk.flipped, hollow }, &desk.lights())
    };
    if let Some(size) = desk.options.size {
        return drawn(size);
    }
    let large = drawn(Size::Large);
    let wide = large.width() + 2 + usize::from(super::ASIDE) + 14 <= usize::from(room.width);
    if wide && large.height() + usize::from(WORDS) <= usize::from(room.height) {
        large
    } else {
        drawn(Size::Small)
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk, canvas: Canvas) {
    let height = (canvas.height() as u16).min(area.height.saturating_sub(WORDS));
    let [board, words, rest] =
        Layout::vertical([Constraint::Length(height), Constraint::Length(WORDS), Constraint::Min(0)])
            .areas(area);
    paint(frame.buffer_mut(), board, &canvas, desk.options.colours);
    frame.render_widget(status(desk), Rect { height: 1, ..words });
    let below = Rect { y: words.y + 1, height: 1, ..words };
    frame.render_widget(Line::from(said(desk)).dim(), below);
    if rest.height >= 3 {
        graph::draw(frame, rest, desk);
    }
    desk.areas.board = (board, canvas);
}

/// Who is to move, or how it ended.
fn status(desk: &Desk) -> Line<'static> {
    let view = &desk.seen.view;
    let name = |side: usize| desk.about.sides.get(side).map_or_else(String::new, ToString::to_string);
    let text = match view.outcome.as_deref() {
        None if desk.about.players == 1 => {
            format!("{} {} can be played", view.move_count, desk.about.move_words[1])
        }
        None => format!("{} to move", view.side_name),
        Some("win0") if desk.about.players == 1 => "Solved.".to_owned(),
        Some(_) if desk.about.players == 1 => "Nothing is left to play.".to_owned(),
        Some("win0") => format!("{} has won.", name(0)),
        Some("win1") => format!("{} has won.", name(1)),
        Some(_) => "Drawn.".to_owned(),
    };
    Line::from(text).bold()
}

/// The last move and the opening.
fn said(desk: &Desk) -> String {
    let here = desk.tree.here();
    let mut words = Vec::new();
    if !here.text.is_empty() {
        words.push(format!("after {}{}", here.text, here.glyphs.join("")));
    }
    words.extend(desk.position.opening().map(str::to_owned));
    words.join(", ")
}

/// Copies a drawing onto the screen.
fn paint(buffer: &mut Buffer, area: Rect, canvas: &Canvas, colours: Option<Colours>) {
    for (row, y) in canvas.rows().zip(area.top()..area.bottom()) {
        for (spot, x) in row.iter().zip(area.left()..area.right()) {
            let Some(cell) = buffer.cell_mut((x, y)) else { continue };
            // Nothing is written behind a symbol of two columns.
            cell.set_symbol(if spot.symbol.is_empty() { " " } else { &spot.symbol });
            cell.set_style(style(spot.ink, spot.ground, colours));
        }
    }
}

fn style(ink: Paint, ground: Paint, colours: Option<Colours>) -> Style {
    let Some(colours) = colours else {
        // Without colours, what is to be seen at once is reversed.
        let seen =
            matches!(ground, Paint::Cursor | Paint::Chosen | Paint::Target | Paint::Last | Paint::Captured);
        return if seen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
    };
    let of = |paint: Paint| match paint.colour(colours) {
        None => Color::Reset,
        Some(Colour::Index(index)) => Color::Indexed(index),
        Some(Colour::Rgb(red, green, blue)) => Color::Rgb(red, green, blue),
    };
    Style::new().fg(of(ink)).bg(of(ground))
}
