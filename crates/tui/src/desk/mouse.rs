//! The mouse: clicks on board, moves, tabs and rows; the wheel goes through the game, or through the rows of the tab.

use super::{Desk, Panel, Popup};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

impl Desk {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(at),
            MouseEventKind::ScrollDown => self.wheel(at, 1),
            MouseEventKind::ScrollUp => self.wheel(at, -1),
            _ => {}
        }
    }

    fn wheel(&mut self, at: Position, by: isize) {
        if let Some(Popup::Found(found, chosen)) = &mut self.popup {
            *chosen = chosen.saturating_add_signed(by).min(found.len().saturating_sub(1));
        } else if self.areas.panel.contains(at) {
            self.select(by);
        } else if by > 0 {
            self.walk(self.tree.here().children.first().copied());
        } else {
            self.walk(self.tree.here().parent);
        }
    }

    fn click(&mut self, at: Position) {
        self.message.clear();
        let hit = |areas: &[(ratatui::layout::Rect, usize)]| {
            areas.iter().find(|(area, _)| area.contains(at)).map(|(_, number)| *number)
        };
        if let Some(popup) = self.popup.take() {
            let Some(number) = hit(&self.areas.items) else { return };
            return match popup {
                Popup::Choose(moves, _) => {
                    moves.get(number).into_iter().for_each(|(_, text)| self.play(text));
                }
                Popup::Found(found, _) => found.get(number).into_iter().for_each(|found| self.open(found)),
                Popup::Games(_) => {
                    let id = self.registry.games().nth(number).map(|game| game.id().to_owned());
                    id.into_iter().for_each(|id| self.open_game(&id));
                }
                Popup::Help | Popup::TypeMove(_) | Popup::TypeText(_) => {}
            };
        }
        let (board, canvas) = &self.areas.board;
        if board.contains(at) {
            let (x, y) = (usize::from(at.x - board.x), usize::from(at.y - board.y));
            if let Some(cell) = canvas.cell_at(x, y).map(str::to_owned) {
                self.cursor = None;
                self.touch(&cell);
            }
        } else if let Some((_, panel)) = self.areas.tabs.iter().find(|(area, _)| area.contains(at)) {
            self.show(*panel);
        } else if let Some(node) = hit(&self.areas.moves) {
            self.walk(Some(node));
        } else if let Some(number) = hit(&self.areas.items) {
            self.selected = number;
            if self.panel != Panel::Codes {
                self.play_item(number);
            }
        }
    }
}
