//! A screen in memory, keys and clicks.
#![allow(dead_code, reason = "each test uses what it needs")]

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::time::{Duration, Instant};
use tabia_app::Registry;
use tabia_app::draw::Colours;
use tabia_tui::{Options, Tui};

pub(crate) struct Session {
    pub tui: Tui,
    pub terminal: Terminal<TestBackend>,
}

impl Session {
    pub(crate) fn new(game: &str, what: Option<&str>, (width, height): (u16, u16)) -> Self {
        let options =
            Options { colours: Some(Colours::True), threads: 1, depth: Some(4), ..Options::default() };
        Self::with(Some(game), what, (width, height), options)
    }

    pub(crate) fn with(
        game: Option<&str>,
        what: Option<&str>,
        (width, height): (u16, u16),
        options: Options,
    ) -> Self {
        let tui = Tui::new(&Registry::standard(), game, what, options).expect("it opens");
        Session { tui, terminal: Terminal::new(TestBackend::new(width, height)).expect("memory") }
    }

    pub(crate) fn press(&mut self, code: KeyCode) {
        self.tui.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    pub(crate) fn key(&mut self, letter: char) {
        self.press(KeyCode::Char(letter));
    }

    pub(crate) fn keys(&mut self, letters: &str) {
        letters.chars().for_each(|letter| self.key(letter));
    }

    pub(crate) fn type_move(&mut self, mv: &str) {
        self.key('m');
        self.keys(mv);
        self.press(KeyCode::Enter);
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.tui.event(&Event::Paste(text.to_owned()));
    }

    pub(crate) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.tui.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    pub(crate) fn click(&mut self, (column, row): (u16, u16)) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    }

    /// Clicks on the first place where a text stands.
    pub(crate) fn click_on(&mut self, text: &str) {
        let screen = self.screen();
        let at = screen.lines().enumerate().find_map(|(row, line)| {
            let before = line.get(..line.find(text)?)?.chars().count();
            Some((before as u16, row as u16))
        });
        self.click(at.unwrap_or_else(|| panic!("{text} is not on the screen:\n{screen}")));
    }

    /// Waits until engine, solver and analysis have answered.
    pub(crate) fn settle(&mut self) {
        let began = Instant::now();
        while self.tui.is_busy() {
            assert!(began.elapsed() < Duration::from_secs(300), "no answer");
            self.tui.tick();
            std::thread::sleep(Duration::from_millis(5));
        }
        self.tui.tick();
    }

    /// The screen as text, a line for each row.
    pub(crate) fn screen(&mut self) -> String {
        self.terminal.draw(|frame| self.tui.draw(frame)).expect("drawn");
        let buffer = self.terminal.backend().buffer().clone();
        let mut text = String::new();
        for row in buffer.content.chunks(usize::from(buffer.area.width).max(1)) {
            let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}
