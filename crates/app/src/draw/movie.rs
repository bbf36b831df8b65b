//! A line of moves as one SVG image that plays by itself, again and again.
//!
//! The board is drawn once; every frame has its own pieces, and is seen while its turn lasts:
//!
//! ```text
//! <g> board </g>
//! <g visibility="hidden"> <animate values="hidden;visible;hidden" keyTimes="0;a;b"/> pieces </g>  one per frame
//! ```

use super::sheet::{caption, draw_path};
use super::svg::{bounds, empty_board, escape, open, standing};
use crate::film::Frame;
use std::fmt::Write;

/// Room below the board for the move.
const CAPTION: f32 = 30.0;
/// The last frame stays this many times as long as the others.
const LAST: usize = 3;

/// All frames as one SVG document; each is seen for some seconds.
pub fn movie(frames: &[Frame], seconds: f32) -> String {
    let Some(first) = frames.first() else { return String::new() };
    let [left, top, right, bottom] = bounds(&first.board);
    let mut out = open([left, top, right, bottom + CAPTION]);
    empty_board(&first.board, &mut out);
    let turns = frames.len() - 1 + LAST;
    let length = seconds * turns as f32;
    for (number, frame) in frames.iter().enumerate() {
        let until = if number + 1 == frames.len() { turns } else { number + 1 };
        let [from, to] = [number, until].map(|turn| turn as f32 / turns as f32);
        let (values, times) = match (number, until == turns) {
            (0, true) => ("visible".to_owned(), "0".to_owned()),
            (0, false) => ("visible;hidden".to_owned(), format!("0;{to}")),
            (_, true) => ("hidden;visible".to_owned(), format!("0;{from}")),
            (_, false) => ("hidden;visible;hidden".to_owned(), format!("0;{from};{to}")),
        };
        // Where nothing moves, the last frame is what is seen.
        let seen = if until == turns { "visible" } else { "hidden" };
        let _ = writeln!(
            out,
            "<g visibility=\"{seen}\"><animate attributeName=\"visibility\" values=\"{values}\" \
             keyTimes=\"{times}\" dur=\"{length}s\" calcMode=\"discrete\" repeatCount=\"indefinite\"/>"
        );
        draw_path(frame, &mut out);
        standing(&frame.board, &mut out);
        let (x, y, text) = (left + 10.0, bottom + CAPTION * 0.68, escape(&caption(number, frame)));
        let _ =
            writeln!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"17\" fill=\"#7a6a56\">{text}</text></g>");
    }
    out.push_str("</svg>\n");
    out
}
