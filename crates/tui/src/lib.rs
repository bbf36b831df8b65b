//! Tabia on the whole screen of a terminal: the board, the moves, and the answers of the page's tabs.
//!
//! Everything comes through the facade; no rule of any game is known here. `desk` is what is on the screen, `screen`
//! draws it, `work` asks engine and solver beside it, `terminal` takes the terminal over and gives it back.

mod desk;
mod screen;
mod terminal;
mod touch;
mod tree;
mod work;

pub use desk::Options;
pub use terminal::on_screen;

use desk::{Desk, Start};
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event};
use std::time::Duration;
use tabia_app::{InputError, Registry, Stop};

/// How often it is looked whether an answer has come.
const TICK: Duration = Duration::from_millis(60);

/// Why the screen could not be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuiError {
    /// What was asked for cannot be opened.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The terminal failed.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] std::io::Error),
}

/// All that is on the screen, for any terminal that ratatui can draw on.
pub struct Tui {
    desk: Desk,
}

impl Tui {
    /// A game, and a position of it or the name of a file of games. A file alone will do.
    pub fn new(
        registry: &Registry,
        game: Option<&str>,
        what: Option<&str>,
        options: Options,
    ) -> Result<Self, InputError> {
        let start = Start::new(registry, game, what)?;
        let mut desk = Desk::new(registry, start.game.clone(), options);
        desk.begin(start);
        Ok(Tui { desk })
    }

    /// Takes a key, a click or a pasted text.
    pub fn event(&mut self, event: &Event) {
        self.desk.event(event);
    }

    /// Takes what engine and solver have answered; whether anything changed.
    pub fn tick(&mut self) -> bool {
        self.desk.tick()
    }

    /// Whether engine, solver or analysis are at work.
    pub fn is_busy(&self) -> bool {
        self.desk.work.is_any_busy()
    }

    /// Whether the person has left.
    pub fn is_left(&self) -> bool {
        self.desk.left
    }

    /// Draws everything.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        screen::draw(frame, &mut self.desk);
    }
}

/// Shows a game until the person leaves, or until it is stopped.
pub fn run(
    registry: &Registry,
    game: Option<&str>,
    what: Option<&str>,
    options: Options,
    stop: &Stop,
) -> Result<(), TuiError> {
    let mut tui = Tui::new(registry, game, what, options)?;
    on_screen(|terminal| {
        let mut changed = true;
        while !tui.is_left() && !stop.is_stopped() {
            if changed {
                terminal.draw(|frame| tui.draw(frame))?;
            }
            changed = tui.tick();
            if event::poll(TICK)? {
                tui.event(&event::read()?);
                changed = true;
            }
        }
        Ok::<(), std::io::Error>(())
    })??;
    Ok(())
}
