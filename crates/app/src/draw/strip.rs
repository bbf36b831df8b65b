//! A line of moves as boards beside each other, for terminals.

use super::sheet::caption;
use super::{TextStyle, text};
use crate::film::Frame;

/// Columns between two boards.
const GAP: usize = 3;

/// All frames, as many beside each other as `width` columns hold, each under its move.
pub fn strip(frames: &[Frame], style: TextStyle, width: usize) -> String {
    let blocks: Vec<Vec<String>> =
        frames.iter().enumerate().map(|(n, frame)| block(n, frame, style)).collect();
    let widest = blocks.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
    let beside = ((width + GAP) / (widest + GAP)).max(1);
    let rows: Vec<String> = blocks.chunks(beside).map(|row| side_by_side(row, widest)).collect();
    rows.join("\n")
}

fn block(number: usize, frame: &Frame, style: TextStyle) -> Vec<String> {
    let board = text(&frame.board, style);
    std::iter::once(caption(number, frame)).chain(board.lines().map(str::to_owned)).collect()
}

fn side_by_side(blocks: &[Vec<String>], widest: usize) -> String {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for line in 0..height {
        let parts = blocks.iter().map(|block| block.get(line).map_or("", String::as_str));
        let padded: Vec<String> = parts.map(|part| format!("{part:<width$}", width = widest + GAP)).collect();
        out.push_str(padded.concat().trim_end());
        out.push('\n');
    }
    out
}
