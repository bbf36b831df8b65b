//! The keyboard: the keys of the page, and some that a page has buttons for.

use super::{Desk, Panel, Popup};
use crate::work::Task;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tabia_app::{Typed, typed};

/// What the keys do, as the help lists them.
pub(crate) const HELP: [(&str, &str); 16] = [
    ("← → ↑ ↓", "back, forward, start and end of the line"),
    ("[ ]", "other moves from the same position"),
    ("p del", "make it the main line; delete from here"),
    ("space", "play the best known move"),
    ("m", "type a move, or its beginning"),
    ("tab", "into the board: arrows walk, enter touches"),
    ("esc", "let go of a piece"),
    ("1 … 6, j k", "tabs; their rows, enter plays one"),
    ("e + -", "engine on or off; how many lines"),
    ("v", "values on the board on or off"),
    ("a", "analyse the game: the value of every move"),
    ("f", "flip the board"),
    ("o g", "open a position, game or file; choose a game"),
    ("n N h s", "puzzles: next, before, hint, solution"),
    ("mouse", "board, moves, tabs; the wheel; paste anything"),
    ("q", "leave"),
];

impl Desk {
    /// Takes a key, a click or a pasted text.
    pub(crate) fn event(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Paste(text) => self.paste(text),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            if matches!(key.code, KeyCode::Char('c' | 'd' | 'q')) {
                self.left = true;
            }
            return;
        }
        self.message.clear();
        if let Some(popup) = self.popup.take() {
            return self.popup_key(popup, key.code);
        }
        if self.cursor.is_some() && self.board_key(key.code) {
            return;
        }
        self.plain_key(key.code);
    }

    fn paste(&mut self, text: &str) {
        if let Some(Popup::TypeMove(typed)) = &mut self.popup {
            typed.push_str(text.trim());
        } else {
            self.popup = None;
            self.open_text(text);
        }
    }

    fn plain_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('q') => self.left = true,
            KeyCode::Char('?') => self.popup = Some(Popup::Help),
            KeyCode::Char('m') => self.popup = Some(Popup::TypeMove(String::new())),
            KeyCode::Char('o') => self.popup = Some(Popup::TypeText(String::new())),
            KeyCode::Char('g') => self.popup = Some(Popup::Games(self.own_number())),
            KeyCode::Char('f') => self.flipped = !self.flipped,
            KeyCode::Char('e') => self.toggle_engine(),
            KeyCode::Char('+' | '=') => self.ask_lines(self.lines + 1),
            KeyCode::Char('-') => self.ask_lines(self.lines - 1),
            KeyCode::Char('v') => {
                self.values = !self.values;
                self.ask();
            }
            KeyCode::Char('a') => self.analyse(),
            KeyCode::Char(' ') => self.play_best(),
            KeyCode::Char('n') => self.next_puzzle(1),
            KeyCode::Char('N') => self.next_puzzle(-1),
            KeyCode::Char('h') => self.hint(),
            KeyCode::Char('s') => self.solution(),
            KeyCode::Char('j') => self.select(1),
            KeyCode::Char('k') => self.select(-1),
            KeyCode::PageDown => self.select(10),
            KeyCode::PageUp => self.select(-10),
            KeyCode::Enter => self.play_item(self.selected),
            KeyCode::Char('p') => {
                let here = self.tree.current;
                self.tree.promote(here);
            }
            KeyCode::Char('[') => self.walk(self.tree.sibling(-1)),
            KeyCode::Char(']') => self.walk(self.tree.sibling(1)),
            KeyCode::Char(digit @ '1'..='6') => {
                let number = digit.to_digit(10).map_or(0, |digit| digit as usize - 1);
                Panel::ALL.get(number).into_iter().for_each(|panel| self.show(*panel));
            }
            KeyCode::Left => self.walk(self.tree.here().parent),
            KeyCode::Right => self.walk(self.tree.here().children.first().copied()),
            KeyCode::Up => self.walk(Some(0)),
            KeyCode::Down => self.walk(self.tree.line().last().copied()),
            KeyCode::Delete | KeyCode::Backspace => self.delete(),
            KeyCode::Tab => self.enter_board(),
            KeyCode::Esc => self.touched.clear(),
            _ => {}
        }
    }

    /// Goes somewhere, where there is something.
    pub(crate) fn walk(&mut self, to: Option<usize>) {
        if let Some(to) = to.filter(|to| *to != self.tree.current) {
            self.go(to);
        }
    }

    fn delete(&mut self) {
        let here = self.tree.current;
        if let Some(parent) = self.tree.here().parent {
            self.go(parent);
            self.tree.delete(here);
        }
    }

    fn toggle_engine(&mut self) {
        if self.position.as_search().is_none() {
            self.message = "this game has no engine: the solver knows".to_owned();
            return;
        }
        self.engine_on = !self.engine_on;
        if self.engine_on {
            self.search = None;
            self.ask();
        } else {
            self.work.stop(Task::Engine);
        }
    }

    fn ask_lines(&mut self, lines: usize) {
        self.lines = lines.clamp(1, 8);
        if self.engine_on {
            self.work.stop(Task::Engine);
            self.search = None;
            self.ask();
        }
    }

    fn analyse(&mut self) {
        let line = self.tree.line();
        let start = self.position.history().positions().first().map(|start| start.text());
        match self.game.whole_games().of_moves(start.as_deref(), &self.tree.texts(&line)) {
            Ok(text) if !line.is_empty() => {
                self.message = "looking at every position …".to_owned();
                self.reviewed = std::iter::once(0).chain(line).collect();
                self.work.review(self.game.clone(), text);
            }
            Ok(_) => self.message = "no moves yet".to_owned(),
            Err(error) => self.message = error.message,
        }
    }

    /// Chooses another row of the panel.
    pub(crate) fn select(&mut self, by: isize) {
        let last = match self.panel {
            Panel::Codes => self.seen.fields.iter().map(|field| field.runs.len()).sum::<usize>(),
            Panel::Rules => 400,
            _ => self.items().len(),
        };
        self.selected = self.selected.saturating_add_signed(by).min(last.saturating_sub(1));
    }

    pub(crate) fn play_item(&mut self, number: usize) {
        if let Some(mv) = self.items().get(number).cloned() {
            self.play(&mv);
        }
    }

    fn own_number(&self) -> usize {
        self.registry.games().position(|game| game.id() == self.game.id()).unwrap_or(0)
    }

    fn enter_board(&mut self) {
        let cells = &self.seen.board.geometry.cells;
        let begins =
            |id: &str| self.seen.moves.iter().any(|mv| mv.steps.first().is_some_and(|step| step == id));
        let first = cells.iter().rev().find(|cell| begins(&cell.id)).or(cells.last());
        self.cursor = first.map(|cell| cell.id.clone());
    }

    /// A key while the arrows walk over the board; whether it meant something there.
    fn board_key(&mut self, code: KeyCode) -> bool {
        match code {
            KeyCode::Left => self.step(-1.0, 0.0),
            KeyCode::Right => self.step(1.0, 0.0),
            KeyCode::Up => self.step(0.0, -1.0),
            KeyCode::Down => self.step(0.0, 1.0),
            KeyCode::Enter => {
                if let Some(cell) = self.cursor.clone() {
                    self.touch(&cell);
                }
            }
            KeyCode::Tab => self.cursor = None,
            KeyCode::Esc if self.touched.is_empty() => self.cursor = None,
            KeyCode::Esc => self.touched.clear(),
            _ => return false,
        }
        true
    }

    /// Walks to the nearest cell in a direction.
    fn step(&mut self, dx: f32, dy: f32) {
        let cells = &self.seen.board.geometry.cells;
        let Some(here) = cells.iter().find(|cell| Some(&cell.id) == self.cursor.as_ref()) else { return };
        let turn = if self.flipped { -1.0 } else { 1.0 };
        let (dx, dy) = (dx * turn, dy * turn);
        // How far along the way, and how far aside: aside counts more.
        let far = |cell: &tabia_app::draw::Cell| {
            let (x, y) = (cell.x - here.x, cell.y - here.y);
            let (along, aside) = (x * dx + y * dy, (x * dy - y * dx).abs());
            (along > 0.1 && aside <= along + 0.1).then_some(along + 2.0 * aside)
        };
        let reached = cells.iter().filter_map(|cell| Some((far(cell)?, cell)));
        let nearest = reached.min_by(|(a, _), (b, _)| a.total_cmp(b));
        if let Some((_, cell)) = nearest {
            self.cursor = Some(cell.id.clone());
        }
    }

    fn popup_key(&mut self, popup: Popup, code: KeyCode) {
        if code == KeyCode::Esc {
            self.touched.clear();
            return;
        }
        match popup {
            Popup::Help => {}
            Popup::TypeMove(text) => self.typing(text, code, Popup::TypeMove, Desk::type_move),
            Popup::TypeText(text) => self.typing(text, code, Popup::TypeText, Desk::open_text),
            Popup::Choose(moves, at) => match listed(at, moves.len(), code) {
                Listed::At(at) => self.popup = Some(Popup::Choose(moves, at)),
                Listed::Taken(at) => moves.get(at).into_iter().for_each(|(_, text)| self.play(text)),
            },
            Popup::Found(found, at) => match listed(at, found.len(), code) {
                Listed::At(at) => self.popup = Some(Popup::Found(found, at)),
                Listed::Taken(at) => found.get(at).into_iter().for_each(|found| self.open(found)),
            },
            Popup::Games(at) => match listed(at, self.registry.games().count(), code) {
                Listed::At(at) => self.popup = Some(Popup::Games(at)),
                Listed::Taken(at) => {
                    let id = self.registry.games().nth(at).map(|game| game.id().to_owned());
                    id.into_iter().for_each(|id| self.open_game(&id));
                }
            },
        }
    }

    fn typing(
        &mut self,
        mut text: String,
        code: KeyCode,
        again: impl Fn(String) -> Popup,
        done: impl Fn(&mut Desk, &str),
    ) {
        match code {
            KeyCode::Enter if text.trim().is_empty() => return,
            KeyCode::Enter => return done(self, &text),
            KeyCode::Char(letter) => text.push(letter),
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Tab => {
                if let Typed::Move(mv) = typed(self.position.as_ref(), text.trim()) {
                    text = mv;
                }
            }
            _ => {}
        }
        self.popup = Some(again(text));
    }

    /// Plays a move that was typed, or says what it may be.
    fn type_move(&mut self, text: &str) {
        match typed(self.position.as_ref(), text.trim()) {
            Typed::Move(mv) => self.play(&mv),
            Typed::Several(some, _) => self.message = format!("{} may be {}", text.trim(), some.join(", ")),
            Typed::Nothing(error, nearest) if nearest.is_empty() => self.message = error.message,
            Typed::Nothing(error, nearest) => {
                self.message = format!("{}; legal is {}", error.message, nearest.join(", "));
            }
        }
    }
}

/// What a key does in a list.
enum Listed {
    At(usize),
    Taken(usize),
}

fn listed(at: usize, count: usize, code: KeyCode) -> Listed {
    let last = count.saturating_sub(1);
    match code {
        KeyCode::Enter | KeyCode::Char(' ') => Listed::Taken(at),
        KeyCode::Up | KeyCode::Char('k') => Listed::At(at.saturating_sub(1)),
        KeyCode::Down | KeyCode::Char('j') => Listed::At((at + 1).min(last)),
        KeyCode::PageUp => Listed::At(at.saturating_sub(10)),
        KeyCode::PageDown => Listed::At((at + 10).min(last)),
        KeyCode::Home => Listed::At(0),
        KeyCode::End => Listed::At(last),
        _ => Listed::At(at),
    }
}
