//! A board as one SVG image that needs nothing else, in the colours of the page.

use crate::views::BoardView;
use std::fmt::Write;
use tabia_core::{Cell, Geometry, Picture, Piece, Shade, Shape, Side};

/// Pixels per cell.
pub(super) const UNIT: f32 = 60.0;
/// The frame around everything.
const FRAME: f32 = 8.0;

/// Paints by name: from top to bottom, or from the light to the shade of a ball.
const PAINTS: &str = "<defs>\n\
    <linearGradient id=\"plate\" x2=\"1\" y2=\"1\"><stop stop-color=\"#8a6441\"/><stop offset=\"1\" stop-color=\"#5f4024\"/></linearGradient>\n\
    <linearGradient id=\"light\" x2=\".25\" y2=\"1\"><stop stop-color=\"#fffefa\"/><stop offset=\"1\" stop-color=\"#e2d4ba\"/></linearGradient>\n\
    <linearGradient id=\"dark\" x2=\".25\" y2=\"1\"><stop stop-color=\"#5a5048\"/><stop offset=\"1\" stop-color=\"#241e1a\"/></linearGradient>\n\
    <radialGradient id=\"own\" cx=\".36\" cy=\".3\" r=\".75\"><stop stop-color=\"#eafff8\"/><stop offset=\".45\" stop-color=\"#3f9c86\"/><stop offset=\"1\" stop-color=\"#15483c\"/></radialGradient>\n\
    </defs>\n";

/// The board with its pieces as an SVG document.
pub fn svg(board: &BoardView) -> String {
    let mut out = open(bounds(board));
    contents(board, &mut out);
    out.push_str("</svg>\n");
    out
}

/// One piece alone as an SVG document; `dark_side` is the player whose pieces are dark.
pub fn piece(piece: &Piece, dark_side: usize) -> String {
    let cell = Cell {
        id: piece.cell.clone(),
        name: None,
        x: 0.5,
        y: 0.5,
        size: [1.0, 1.0],
        shape: Shape::Square,
        shade: Shade::Light,
        text_at: [0, 0],
    };
    let geometry = Geometry { width: 1.0, height: 1.0, cells: vec![cell.clone()], labels: Vec::new() };
    let board = BoardView { geometry, picture: Picture::default(), dark_side };
    let mut out = open([0.0, 0.0, UNIT, UNIT]);
    draw_piece(&board, &cell, piece, &mut out);
    out.push_str("</svg>\n");
    out
}

/// The beginning of a document that shows what lies between left, top, right and bottom.
pub(super) fn open([left, top, right, bottom]: [f32; 4]) -> String {
    let (width, height) = (right - left, bottom - top);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\">\n{PAINTS}"
    )
}

/// The board in its frame, with its pieces.
pub(super) fn contents(board: &BoardView, out: &mut String) {
    empty_board(board, out);
    standing(board, out);
}

/// The board in its frame, without its pieces.
pub(super) fn empty_board(board: &BoardView, out: &mut String) {
    let [left, top, right, bottom] = bounds(board);
    let (width, height) = (right - left, bottom - top);
    let _ = writeln!(
        out,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"url(#plate)\"/>"
    );
    for cell in &board.geometry.cells {
        draw_cell(board, cell, out);
    }
    draw_labels(board, out);
}

/// What stands on the board: marks and pieces.
pub(super) fn standing(board: &BoardView, out: &mut String) {
    let find = |id: &str| board.geometry.cells.iter().find(|cell| cell.id == id);
    for mark in &board.picture.marks {
        if let Some(cell) = find(&mark.cell) {
            draw_mark(cell, &mark.name, out);
        }
    }
    for piece in &board.picture.pieces {
        if let Some(cell) = find(&piece.cell) {
            draw_piece(board, cell, piece, out);
        }
    }
}

fn draw_labels(board: &BoardView, out: &mut String) {
    for label in &board.geometry.labels {
        let (x, y, text) = (label.x * UNIT, label.y * UNIT, escape(&label.text));
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" fill=\"#f0dfc2\" text-anchor=\"middle\" \
             dominant-baseline=\"central\">{text}</text>"
        );
    }
}

/// Left, top, right and bottom of everything there is, with the frame.
pub(super) fn bounds(board: &BoardView) -> [f32; 4] {
    let cells =
        board.geometry.cells.iter().map(|cell| (cell.x, cell.y, cell.size[0] / 2.0, cell.size[1] / 2.0));
    let labels = board.geometry.labels.iter().map(|label| (label.x, label.y, 0.2, 0.2));
    let nothing = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    let all = cells.chain(labels).fold(nothing, |[left, top, right, bottom], (x, y, w, h)| {
        [left.min(x - w), top.min(y - h), right.max(x + w), bottom.max(y + h)]
    });
    let [left, top, right, bottom] = all.map(|edge| edge * UNIT);
    [left - FRAME, top - FRAME, right + FRAME, bottom + FRAME]
}

fn draw_cell(board: &BoardView, cell: &Cell, out: &mut String) {
    let [w, h] = cell.size.map(|size| size * UNIT);
    let (x, y) = (cell.x * UNIT, cell.y * UNIT);
    let (left, top) = (x - w / 2.0, y - h / 2.0);
    let fill = match (cell.shape, cell.shade) {
        (Shape::Circle, _) => "#4a3119",
        (Shape::Tray, _) => "#cdae83",
        (Shape::Square, Shade::Dark) => "#ba9062",
        (Shape::Square, Shade::Light | Shade::Faint) => "#f1e4cb",
    };
    if cell.shape == Shape::Circle {
        let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\"/>", w * 0.37);
        return;
    }
    let round = if cell.shape == Shape::Tray { 8 } else { 0 };
    let _ = writeln!(
        out,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" fill=\"{fill}\" \
         stroke=\"#8a6841\" stroke-width=\"0.5\"/>"
    );
    // Boards without words around them have the names of the cells on them.
    if board.geometry.labels.is_empty() && cell.shape == Shape::Square && cell.shade != Shade::Faint {
        let (x, y, id) = (left + 4.0, top + 11.0, escape(&cell.id));
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"9\" fill=\"#2a1c0e\" fill-opacity=\".62\">{id}</text>"
        );
    }
}

fn draw_mark(cell: &Cell, name: &str, out: &mut String) {
    let (x, y, r) = (cell.x * UNIT, cell.y * UNIT, 0.46 * UNIT);
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"#a23b2c\" fill-opacity=\".18\" \
         stroke=\"#a23b2c\" stroke-width=\"2.5\" stroke-dasharray=\"6 4\"><title>{}</title></rect>",
        x - r,
        y - r,
        2.0 * r,
        2.0 * r,
        escape(name)
    );
}

/// The middle of a piece in cells, and its size: alone in the middle of its cell, one of two in opposite
/// corners, or a brick of a stack that stands on the bottom of the cell and rises by a share of its height.
fn place(board: &BoardView, cell: &Cell, piece: &Piece) -> (f32, f32, f32) {
    let neighbours = board.picture.pieces.iter().filter(|other| other.cell == piece.cell).count();
    if neighbours < 2 {
        return (cell.x, cell.y, 0.86);
    }
    if !board.geometry.cells.iter().any(|cell| cell.shape == Shape::Tray) {
        let aside = if piece.level == 0 { 0.13 } else { -0.13 };
        return (cell.x + aside, cell.y + aside, 0.64);
    }
    let tall = cell.size[1].max(1.0);
    let rise = ((tall - 0.45) / (neighbours as f32 - 1.0).max(2.0)).min(0.28);
    (cell.x, cell.y + tall / 2.0 - 0.25 - rise * f32::from(piece.level), 0.86)
}

fn draw_piece(board: &BoardView, cell: &Cell, piece: &Piece, out: &mut String) {
    let (x, y, scale) = place(board, cell, piece);
    let size = UNIT * scale * cell.size[0].min(1.0) / 100.0;
    let (fill, stroke, rim) = match piece.side {
        None => ("own", "#0f352c", "none"),
        side if side == Side::from_index(board.dark_side) => ("dark", "#efe2c9", "#7d7064"),
        _ => ("light", "#4d4135", "#cbb994"),
    };
    let (x, y, name) = (x * UNIT - 50.0 * size, y * UNIT - 50.0 * size, escape(&piece.name));
    let _ = writeln!(
        out,
        "<g transform=\"translate({x} {y}) scale({size})\" stroke=\"{stroke}\" stroke-width=\"2.4\" \
         fill=\"url(#{fill})\" fill-rule=\"evenodd\"><title>{name}</title>"
    );
    let _ = match &piece.art {
        Some(path) => writeln!(out, "<path d=\"{path}\"/></g>"),
        None => writeln!(
            out,
            "<circle cx=\"50\" cy=\"50\" r=\"43\"/><circle cx=\"50\" cy=\"50\" r=\"30\" fill=\"none\" stroke=\"{rim}\"/></g>"
        ),
    };
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
