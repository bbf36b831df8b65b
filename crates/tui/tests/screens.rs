//! The screen for every game and tab, in the smallest window and in a large one: `tests/screens/`.
//! `TABIA_BLESS=1` writes the files anew after a deliberate change.

mod support;

use ratatui::crossterm::event::KeyCode;
use std::path::PathBuf;
use support::Session;
use tabia_app::Registry;

const SIZES: [(u16, u16); 2] = [(60, 20), (200, 60)];
/// Moves to look at, and a position whose exact value is soon known.
const GAMES: [(&str, &[&str], &str); 5] = [
    ("five-visible", &["6-5", "3-4", "s4"], "0/0/0/0/1/1/1/-/- 0 -"),
    ("arx", &["c2+b3", "f7-g6", "^b3xg8"], "4k4/9/9/9/4C4/9/9/9/4K4 w"),
    ("solitaire", &["d2-d4", "b3-d3"], "triangle5"),
    ("draughts", &["11-16", "23-19", "16x23"], "B:W18,25:B14"),
    ("chess", &["e4", "e5", "Nf3", "d6"], "6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1"),
];

/// Compares a screen with its file.
fn same(name: &str, shown: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(format!("{name}.txt"));
    if std::env::var_os("TABIA_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, shown).expect("written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == shown, "{name} is not as it was:\n{shown}");
}

#[test]
fn every_game_and_tab_is_shown_in_windows_of_every_size() {
    for (width, height) in SIZES {
        for (game, moves, exact) in GAMES {
            let mut session = Session::new(game, None, (width, height));
            for mv in moves {
                session.type_move(mv);
            }
            let mut shown = String::new();
            for tab in ['1', '4', '5', '6'] {
                session.key(tab);
                shown += &session.screen();
            }
            // The engine, where there is one, looks four plies ahead.
            session.key('3');
            session.key('e');
            session.settle();
            shown += &session.screen();
            let mut solved = Session::new(game, Some(exact), (width, height));
            solved.key('2');
            solved.settle();
            solved.key('v');
            shown += &solved.screen();
            same(&format!("{game}-{width}x{height}"), &shown);
        }
    }
}

#[test]
fn help_and_lists_fit_into_the_smallest_window() {
    let mut session = Session::new("chess", None, SIZES[0]);
    session.key('?');
    let mut shown = session.screen();
    for does in ["leave", "hint", "flip the board", "start and end of the line"] {
        assert!(shown.contains(does), "{does}: {shown}");
    }
    session.press(KeyCode::Esc);
    session.key('g');
    shown += &session.screen();
    session.press(KeyCode::Esc);
    session.key('m');
    session.keys("Nf");
    shown += &session.screen();
    same("popups-60x20", &shown);
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let mut session = Session::new("chess", None, (59, 20));
    assert!(session.screen().contains("needs 60 columns and 20 rows"));
    let mut tiny = Session::new("chess", None, (3, 1));
    tiny.screen();
}

#[test]
fn no_size_of_window_breaks_the_screen() {
    for game in Registry::standard().games() {
        for size in [(60, 20), (61, 33), (80, 24), (100, 30), (120, 40), (132, 43), (300, 20), (60, 200)] {
            let mut session = Session::new(game.id(), None, size);
            for tab in '1'..='6' {
                session.key(tab);
                assert!(session.screen().contains("Moves"), "{} in {size:?}", game.id());
            }
        }
    }
}
