//! A line of moves as one SVG sheet: a board after every move, row by row.

use super::svg::{UNIT, bounds, contents, escape, open};
use crate::film::Frame;
use std::fmt::Write;

/// Each board is drawn at this share of its full size.
const SCALE: f32 = 0.5;
/// Room above each board for its move, and between boards.
const CAPTION: f32 = 26.0;
const GAP: f32 = 14.0;

/// All frames as one SVG document, about as wide as high; every board shows the way of its move.
pub fn sheet(frames: &[Frame]) -> String {
    let [left, top, right, bottom] =
        frames.first().map_or([0.0; 4], |frame| bounds(&frame.board)).map(|edge| edge * SCALE);
    let (width, height) = (right - left, bottom - top);
    let (cell_width, cell_height) = (width + GAP, height + CAPTION + GAP);
    let columns = columns(frames.len(), cell_width, cell_height);
    let rows = frames.len().div_ceil(columns);
    let (sheet_width, sheet_height) = (columns as f32 * cell_width + GAP, rows as f32 * cell_height + GAP);
    let mut out = open([0.0, 0.0, sheet_width, sheet_height]);
    let _ = writeln!(out, "<rect width=\"{sheet_width}\" height=\"{sheet_height}\" fill=\"#fbf8f2\"/>");
    for (number, frame) in frames.iter().enumerate() {
        let x = GAP + (number % columns) as f32 * cell_width;
        let y = GAP + (number / columns) as f32 * cell_height;
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"14\" fill=\"#2f2a26\">{}</text>",
            y + CAPTION * 0.65,
            escape(&caption(number, frame))
        );
        let (dx, dy) = (x - left, y + CAPTION - top);
        let _ = writeln!(out, "<g transform=\"translate({dx} {dy}) scale({SCALE})\">");
        contents(&frame.board, &mut out);
        draw_path(frame, &mut out);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// What is written over a frame.
pub(super) fn caption(number: usize, frame: &Frame) -> String {
    frame.text.as_ref().map_or_else(|| "start".to_owned(), |text| format!("{number}. {text}"))
}

/// The number of columns that makes the sheet most nearly square.
fn columns(frames: usize, width: f32, height: f32) -> usize {
    let square = (frames as f32 * height / width.max(1.0)).sqrt().round() as usize;
    square.clamp(1, frames.max(1))
}

/// A line through the cells of the move, with a dot where it ends.
pub(super) fn draw_path(frame: &Frame, out: &mut String) {
    let cell = |id: &String| frame.board.geometry.cells.iter().find(|cell| cell.id == *id);
    let points: Vec<[f32; 2]> =
        frame.path.iter().filter_map(cell).map(|cell| [cell.x * UNIT, cell.y * UNIT]).collect();
    let Some([x, y]) = points.last() else { return };
    let through: Vec<String> = points.iter().map(|[x, y]| format!("{x},{y}")).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#ff7a5c\" stroke-width=\"5\" stroke-opacity=\"0.75\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"#ff7a5c\"/>",
        through.join(" ")
    );
}
