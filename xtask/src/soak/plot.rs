//! The table of a soak as a picture: one small chart for each thing that is watched.

use super::rows::{Row, WATCHED};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 60.0;

/// All charts below each other, as SVG.
pub(crate) fn svg(rows: &[Row]) -> String {
    let height = HEIGHT * WATCHED.len() as f64 + 30.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (place, (name, value, ..)) in WATCHED.into_iter().enumerate() {
        let values: Vec<f64> = rows.iter().map(value).collect();
        chart(&mut out, place as f64 * HEIGHT + 10.0, name, &values);
    }
    let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"{}\">{} minutes</text>\n</svg>", height - 8.0, rows.len());
    out
}

fn chart(out: &mut String, top: f64, name: &str, values: &[f64]) {
    let (bottom, most) = (top + HEIGHT - 20.0, values.iter().copied().fold(1.0, f64::max));
    let across = (WIDTH - LEFT - 10.0) / values.len().max(2) as f64;
    let points: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let down = bottom - value / most * (HEIGHT - 40.0);
            format!("{:.1},{down:.1}", LEFT + at as f64 * across)
        })
        .collect();
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{:.1}\">{name}</text>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{most:.0}</text>\n\
         <text x=\"{:.1}\" y=\"{bottom:.1}\" text-anchor=\"end\">0</text>\n\
         <path d=\"M{LEFT} {bottom:.1}H{:.1}\" stroke=\"#999\"/>\n\
         <polyline fill=\"none\" stroke=\"#0b5cad\" stroke-width=\"1.5\" points=\"{}\"/>",
        top + 12.0,
        LEFT - 6.0,
        top + 24.0,
        LEFT - 6.0,
        WIDTH - 10.0,
        points.join(" ")
    );
}
