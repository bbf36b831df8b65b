//! A board as one SVG image that needs nothing else.

use crate::views::BoardView;
use std::fmt::Write;
use tabia_core::{Cell, Piece, Shade, Shape, Side};

/// Pixels per cell.
const UNIT: f32 = 60.0;

/// The board with its pieces as an SVG document.
pub fn svg(board: &BoardView) -> String {
    let (width, height) = (board.geometry.width * UNIT, board.geometry.height * UNIT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f7f4ee\"/>\n"
    );
    for cell in &board.geometry.cells {
        draw_cell(cell, &mut out);
    }
    for mark in &board.picture.marks {
        if let Some(cell) = board.geometry.cells.iter().find(|cell| cell.id == mark.cell) {
            draw_mark(cell, mark.name, &mut out);
        }
    }
    for piece in &board.picture.pieces {
        if let Some(cell) = board.geometry.cells.iter().find(|cell| cell.id == piece.cell) {
            draw_piece(board, cell, piece, &mut out);
        }
    }
    for label in &board.geometry.labels {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"14\" fill=\"#6b6459\" text-anchor=\"middle\" \
             dominant-baseline=\"central\">{}</text>",
            label.x * UNIT,
            label.y * UNIT,
            escape(&label.text)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn draw_cell(cell: &Cell, out: &mut String) {
    let [w, h] = cell.size.map(|size| size * UNIT);
    let (x, y) = (cell.x * UNIT, cell.y * UNIT);
    let fill = match cell.shade {
        Shade::Light => "#ead9b8",
        Shade::Dark => "#b48a5a",
        Shade::Faint => "#f3e9d5",
    };
    let _ = match cell.shape {
        Shape::Circle => writeln!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\" stroke=\"#8a6d46\"/>",
            w * 0.42
        ),
        Shape::Square | Shape::Tray => {
            let round = if cell.shape == Shape::Tray { 8 } else { 0 };
            writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" fill=\"{fill}\" stroke=\"#8a6d46\" stroke-width=\"0.5\"/>",
                x - w / 2.0,
                y - h / 2.0
            )
        }
    };
}

fn draw_mark(cell: &Cell, name: &str, out: &mut String) {
    let (x, y, r) = (cell.x * UNIT, cell.y * UNIT, 0.46 * UNIT);
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#b3261e\" stroke-width=\"3\" \
         stroke-dasharray=\"6 4\"><title>{}</title></rect>",
        x - r,
        y - r,
        2.0 * r,
        2.0 * r,
        escape(name)
    );
}

fn draw_piece(board: &BoardView, cell: &Cell, piece: &Piece, out: &mut String) {
    let neighbours = board.picture.pieces.iter().filter(|other| other.cell == piece.cell).count();
    let tall = cell.size[1].max(1.0);
    // Stacks lean on the bottom of the cell and rise by a share of its height.
    let rise = if neighbours > 1 { (tall - 0.45) / (neighbours as f32 - 1.0).max(2.0) } else { 0.0 };
    let base = if neighbours > 1 { tall / 2.0 - 0.25 } else { 0.0 };
    let rise = rise.min(0.28);
    let y = (cell.y + base - rise * f32::from(piece.level)) * UNIT;
    let x = cell.x * UNIT;
    let dark = piece.side == Side::from_index(board.dark_side);
    let (fill, stroke) = if dark { ("#2f2a26", "#d9cfc0") } else { ("#fffaf0", "#3b342c") };
    let scale = if neighbours > 1 && piece.art.is_some() && board.picture.pieces.iter().any(|p| p.level > 1) {
        0.9
    } else {
        0.86
    };
    let size = UNIT * scale * cell.size[0].min(1.0) / 100.0;
    let _ = match piece.art {
        Some(path) => writeln!(
            out,
            "<path d=\"{path}\" transform=\"translate({} {}) scale({size})\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"3\" fill-rule=\"evenodd\"><title>{}</title></path>",
            x - 50.0 * size,
            y - 50.0 * size,
            escape(piece.name)
        ),
        None => writeln!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"2\"><title>{}</title></circle>",
            36.0 * size,
            escape(piece.name)
        ),
    };
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
