//! Pictures of a histogram: bars by distance, wins upwards and losses downwards.

use crate::stats::Histogram;
use std::fmt::Write;
use tabia_core::Value;

/// Wins and losses at one distance.
fn by_distance(histogram: &Histogram) -> Vec<[u64; 2]> {
    let mut columns = Vec::new();
    for bar in histogram.bars() {
        let (distance, kind) = match bar.value {
            Value::Win(n) => (usize::from(n), 0),
            Value::Loss(n) => (usize::from(n), 1),
            _ => continue,
        };
        if columns.len() <= distance {
            columns.resize(distance + 1, [0; 2]);
        }
        columns[distance][kind] += bar.positions;
    }
    columns
}

/// A bar's length: logarithmic, so that one position can still be seen beside a million.
fn length(count: u64, largest: u64, full: f64) -> f64 {
    if count == 0 { 0.0 } else { ((count as f64).ln_1p() / (largest as f64).ln_1p() * full).max(1.0) }
}

/// The histogram as lines of text, one per distance, in at most `width` columns.
pub fn terminal(histogram: &Histogram, width: usize, ascii: bool) -> String {
    let columns = by_distance(histogram);
    let largest = columns.iter().flatten().copied().max().unwrap_or(0).max(1);
    let room = width.saturating_sub(34).max(10) as f64;
    let (win, loss) = if ascii { ("#", "-") } else { ("█", "░") };
    let mut out = String::new();
    for (distance, counts) in columns.iter().enumerate() {
        for (count, name, sign) in [(counts[0], "win", win), (counts[1], "loss", loss)] {
            if count > 0 {
                let bar = sign.repeat(length(count, largest, room) as usize);
                let _ = writeln!(out, "{name:>4} in {distance:>4} {count:>13}  {bar}");
            }
        }
    }
    let draws = histogram.count(Value::Draw);
    let _ = writeln!(out, "draw         {draws:>13}  (bars are logarithmic)");
    out
}

/// The histogram as an SVG picture.
pub fn svg(histogram: &Histogram, title: &str) -> String {
    let columns = by_distance(histogram);
    let largest = columns.iter().flatten().copied().max().unwrap_or(0).max(1);
    let step = (880.0 / columns.len().max(1) as f64).min(40.0);
    let (width, middle, tall) = (60.0 + step * columns.len() as f64 + 20.0, 220.0, 170.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} 440\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"14\">{0}</text>\n\
         <text x=\"10\" y=\"40\">wins above, losses below, by plies to the end (logarithmic)</text>\n",
        escape(title)
    );
    for (distance, counts) in columns.iter().enumerate() {
        let x = 60.0 + step * distance as f64;
        let (up, down) = (length(counts[0], largest, tall), length(counts[1], largest, tall));
        let wide = (step - 1.0).max(0.5);
        for (count, name, y, height, fill) in
            [(counts[0], "win", middle - up, up, "#2a6f97"), (counts[1], "loss", middle, down, "#c8553d")]
        {
            if count > 0 {
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{height:.1}\" fill=\"{fill}\">\
                     <title>{name} in {distance}: {count}</title></rect>"
                );
            }
        }
        if distance.is_multiple_of((columns.len() / 20).max(1)) {
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{distance}</text>",
                middle + tall + 20.0
            );
        }
    }
    let draws = histogram.count(Value::Draw);
    let _ = writeln!(out, "<text x=\"10\" y=\"430\">draws: {draws}; largest bar: {largest}</text>\n</svg>");
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
