//! The terminal: taken over at the start, and given back whatever happens.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io::{Result, Stdout, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the terminal is taken over.
static OURS: AtomicBool = AtomicBool::new(false);

/// A terminal that is all ours.
type Whole = Terminal<CrosstermBackend<Stdout>>;

/// Shows something on the whole terminal, and gives the terminal back when that is over, also after a panic.
pub fn on_screen<T>(show: impl FnOnce(&mut Whole) -> T) -> Result<T> {
    restore_on_panic();
    enable_raw_mode()?;
    OURS.store(true, Relaxed);
    let _given_back = GiveBack;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)?;
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    Ok(show(&mut terminal))
}

/// Gives the terminal back when it is dropped.
struct GiveBack;

impl Drop for GiveBack {
    fn drop(&mut self) {
        give_back();
    }
}

/// Leaves the terminal as it was, once: what was written since must not be written over. What fails here cannot be told
/// anybody.
fn give_back() {
    if !OURS.swap(false, Relaxed) {
        return;
    }
    let _ = execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
    let _ = execute!(stdout(), ratatui::crossterm::cursor::Show);
    let _ = disable_raw_mode();
}

/// A panic is told on a terminal that can be read.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            before(panic);
        }));
    });
}
