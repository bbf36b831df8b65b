//! The moves of the game with their variations, as they are printed: `1. e4 e5 (1... c5) 2. Nf3`.

use super::rows::Rows;
use crate::desk::Desk;
use crate::tree::NodeId;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Style, Stylize};
use ratatui::text::Span;
use ratatui::widgets::{Block, Borders};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
    let block = Block::new().borders(Borders::TOP).border_style(Style::new().dim()).title(" Moves ");
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let mut rows = Rows::new(inner.width.saturating_sub(1));
    let comment = &desk.tree.node(0).comment;
    if !comment.is_empty() {
        rows.quiet(comment);
    }
    if desk.tree.node(0).children.is_empty() {
        rows.quiet("No moves yet. Touch a piece, or type a move (m).");
    }
    let mut spans = Vec::new();
    Writer { desk, spans: &mut spans }.line(0, 0, true);
    rows.flow(spans, Some(desk.tree.current));
    rows.draw_moves(frame, inner, desk);
}

struct Writer<'a> {
    desk: &'a Desk,
    spans: &'a mut Vec<(Span<'static>, Option<NodeId>)>,
}

impl Writer<'_> {
    /// Writes what was played from a node, so many plies after the start.
    fn line(&mut self, from: NodeId, ply: usize, mut numbered: bool) {
        let (mut at, mut ply) = (from, ply);
        while let Some((main, others)) = self.desk.tree.node(at).children.split_first() {
            numbered = self.one(*main, ply, numbered);
            for other in others {
                self.spans.push((Span::from("(").dim(), None));
                let after = self.one(*other, ply, true);
                self.line(*other, ply + 1, after);
                self.spans.push((Span::from(") ").dim(), None));
                numbered = true;
            }
            (at, ply) = (*main, ply + 1);
        }
    }

    /// Writes a move; whether the next one needs its number in any case.
    fn one(&mut self, id: NodeId, ply: usize, numbered: bool) -> bool {
        let node = self.desk.tree.node(id);
        let players = usize::from(self.desk.about.players.max(1));
        let begun = self.desk.position.history().positions().first().map_or(0, |start| start.side().index());
        let turn = ply + if players == 2 { begun } else { 0 };
        let number = turn / players + 1;
        if turn.is_multiple_of(players) {
            self.spans.push((Span::from(format!("{number}. ")).dim(), None));
        } else if numbered {
            self.spans.push((Span::from(format!("{number}... ")).dim(), None));
        }
        let text = format!("{}{}", node.text, self.marks(id, ply));
        let here = id == self.desk.tree.current;
        let span = if here { Span::from(text).bold().reversed() } else { Span::from(text) };
        self.spans.push((span, Some(id)));
        self.spans.push((Span::from(" "), None));
        for word in node.comment.split_whitespace() {
            self.spans.push((Span::from(format!("{word} ")).dim().italic(), None));
        }
        !node.comment.is_empty()
    }

    /// The marks of the file, or those that the analysis gives.
    fn marks(&self, id: NodeId, ply: usize) -> String {
        let node = self.desk.tree.node(id);
        // The mark of a move stands beside the position that it was played from.
        let found = self.desk.review.as_ref().filter(|_| self.desk.reviewed.get(ply + 1) == Some(&id));
        let mark = found.and_then(|review| review.plies.get(ply)).and_then(|ply| ply.mark.clone());
        if node.glyphs.is_empty() { mark.unwrap_or_default() } else { node.glyphs.concat() }
    }
}
