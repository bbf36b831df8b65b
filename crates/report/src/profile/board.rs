//! Numbers on the board, as SVG: the darker a cell, the larger its number.

use super::figures::HeatMap;
use super::html::escape;
use super::words;
use std::fmt::Write;
use tabia_core::{Geometry, Shape};

/// Pixels per cell.
const UNIT: f32 = 40.0;

/// The map as an SVG element.
pub(super) fn svg(map: &HeatMap, board: &Geometry) -> String {
    let shown: Vec<_> = board.cells.iter().filter(|cell| map.cells.contains_key(&cell.id)).collect();
    let values = || shown.iter().filter_map(|cell| map.cells.get(&cell.id)).map(|reading| reading.value);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    let [width, height] = [board.width, board.height].map(|side| side * UNIT);
    let mut out = format!(
        "<svg class=\"map\" role=\"img\" viewBox=\"0 0 {width} {height}\" style=\"max-width:{width}px\">\n\
         <title>{}</title>\n",
        escape(&map.title)
    );
    for cell in &board.cells {
        let reading = map.cells.get(&cell.id);
        let strength = reading.map_or(0.0, |reading| strength(reading.value, least, most));
        let [w, h] = cell.size.map(|size| size * UNIT);
        let (x, y) = (cell.x * UNIT, cell.y * UNIT);
        let style = format!("class=\"cell\" fill-opacity=\"{strength:.2}\"");
        let about = reading
            .map_or_else(|| cell.id.clone(), |reading| format!("{}: {}", cell.id, words::both(reading)));
        let title = format!("<title>{}</title>", escape(&about));
        let _ = if cell.shape == Shape::Circle {
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" {style}>{title}</circle>", w * 0.42)
        } else {
            let (left, top) = (x - w / 2.0, y - h / 2.0);
            writeln!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" {style}>{title}</rect>"
            )
        };
        if let Some(reading) = reading {
            let number = format!("{:.1}", 100.0 * reading.value);
            let dark = if strength > 0.55 { " class=\"on\"" } else { "" };
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\"{dark}>{number}</text>");
        }
    }
    for label in &board.labels {
        let (x, y, text) = (label.x * UNIT, label.y * UNIT, escape(&label.text));
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" class=\"label\">{text}</text>");
    }
    out.push_str("</svg>");
    out
}

fn strength(value: f64, least: f64, most: f64) -> f64 {
    if most > least { 0.08 + 0.92 * (value - least) / (most - least) } else { 0.5 }
}
