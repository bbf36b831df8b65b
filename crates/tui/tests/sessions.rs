//! What a person does: touches, keys, the wheel, pasted texts, variations, puzzles.

mod support;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseEventKind};
use support::Session;
use tabia_app::Registry;
use tabia_tui::{Options, Tui};

const WINDOW: (u16, u16) = (100, 30);

fn shows(session: &mut Session, text: &str) {
    let screen = session.screen();
    assert!(screen.contains(text), "{text} is not on the screen:\n{screen}");
}

fn hides(session: &mut Session, text: &str) {
    let screen = session.screen();
    assert!(!screen.contains(text), "{text} is on the screen:\n{screen}");
}

#[test]
fn moves_are_played_by_touching_cells() {
    let mut session = Session::new("draughts", None, WINDOW);
    session.click_on("11");
    session.click_on("15");
    shows(&mut session, "1. 11-15");
    shows(&mut session, "White to move");
    session.click_on("17");
    shows(&mut session, "nothing can move from 17 now");
}

#[test]
fn the_keyboard_walks_over_the_board() {
    let mut session = Session::new("chess", None, WINDOW);
    session.press(KeyCode::Tab);
    // The last cell that a move begins from is g1: up, and two to the left.
    session.press(KeyCode::Up);
    (0..2).for_each(|_| session.press(KeyCode::Left));
    session.press(KeyCode::Enter);
    session.press(KeyCode::Up);
    session.press(KeyCode::Up);
    session.press(KeyCode::Enter);
    shows(&mut session, "1. e4");
    session.press(KeyCode::Esc);
    session.press(KeyCode::Left);
    shows(&mut session, "White to move");
}

#[test]
fn the_arrows_and_the_wheel_go_through_the_game() {
    let mut session = Session::new("chess", None, WINDOW);
    session.paste("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
    shows(&mut session, "1. e4 e5 (1... c5 2. Nf3 ) 2. Nc3");
    shows(&mut session, "White to move");
    session.press(KeyCode::Down);
    shows(&mut session, "after Nc3");
    session.press(KeyCode::Up);
    session.mouse(MouseEventKind::ScrollDown, 5, 5);
    session.mouse(MouseEventKind::ScrollDown, 5, 5);
    shows(&mut session, "after e5");
    session.key(']');
    shows(&mut session, "after c5");
    session.mouse(MouseEventKind::ScrollUp, 5, 5);
    shows(&mut session, "after e4");
    session.click_on("Nf3");
    shows(&mut session, "after Nf3");
    session.key('p');
    session.press(KeyCode::Up);
    session.press(KeyCode::Down);
    shows(&mut session, "after Nf3");
    session.press(KeyCode::Delete);
    hides(&mut session, "2. Nf3");
}

#[test]
fn anything_can_be_pasted() {
    let mut session = Session::new("chess", None, WINDOW);
    session.paste("B:W18,25:B14");
    shows(&mut session, "English draughts");
    session.paste("nonsense");
    shows(&mut session, "this is no position");
    session.paste("[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n\n[White \"C\"]\n[Black \"D\"]\n\n1. d4 *\n");
    shows(&mut session, "2 found");
    session.press(KeyCode::Down);
    session.press(KeyCode::Enter);
    shows(&mut session, "C - D");
    session.key('o');
    session.keys("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    session.press(KeyCode::Enter);
    session.click_on("7 ");
    session.type_move("a8");
    shows(&mut session, "a8 may be");
}

#[test]
fn a_choice_is_offered_where_steps_are_shared() {
    let mut session = Session::new("chess", Some("8/P6k/8/8/8/8/8/K7 w - - 0 1"), WINDOW);
    session.press(KeyCode::Tab);
    // a1 is the last cell that a move begins from; a7 is six rows above.
    (0..6).for_each(|_| session.press(KeyCode::Up));
    session.press(KeyCode::Enter);
    session.press(KeyCode::Up);
    session.press(KeyCode::Enter);
    shows(&mut session, "Which move?");
    session.press(KeyCode::Down);
    session.press(KeyCode::Enter);
    shows(&mut session, "1. a8=");
    hides(&mut session, "a8=Q");
}

#[test]
fn the_analysis_of_a_game_draws_its_graph() {
    let mut session = Session::new("chess", None, (120, 40));
    session.paste("1. f3 e5 2. g4 Qh4# 0-1");
    shows(&mut session, "a analyses the game");
    session.key('a');
    session.settle();
    let screen = session.screen();
    assert!(screen.chars().any(|letter| ('\u{2801}'..='\u{28ff}').contains(&letter)), "braille: {screen}");
    assert!(screen.contains("g4??"), "the blunder is marked: {screen}");
}

#[test]
fn the_best_move_is_played() {
    let mut chess = Session::new("chess", Some("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1"), WINDOW);
    chess.key(' ');
    chess.settle();
    shows(&mut chess, "Re8#");
    shows(&mut chess, "White has won.");
    let mut solitaire = Session::new("solitaire", Some("triangle5"), WINDOW);
    solitaire.key(' ');
    solitaire.settle();
    shows(&mut solitaire, "1. ");
    solitaire.key('2');
    solitaire.settle();
    shows(&mut solitaire, "It can be solved");
    shows(&mut solitaire, "✓");
}

#[test]
fn puzzles_of_every_game_are_solved() {
    for game in Registry::standard().games() {
        let right = game.puzzles().shipped().all()[0].mv.clone();
        let mut session = Session::new(game.id(), None, WINDOW);
        session.key('n');
        shows(&mut session, "Find it on the board.");
        session.key('2');
        shows(&mut session, "Not while a puzzle is being solved");
        session.key('6');
        let position = game.parse(&game.puzzles().shipped().all()[0].position).expect("a position");
        if let Some(wrong) = position.move_texts().into_iter().find(|mv| *mv != right) {
            session.type_move(&wrong);
            shows(&mut session, "is not it. Try again.");
        }
        session.type_move(&right);
        shows(&mut session, "Right!");
        session.key('n');
        session.key('s');
        shows(&mut session, "The move was");
    }
}

#[test]
fn statistics_have_bars() {
    let folder = std::env::temp_dir().join(format!("tabia-tui-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("book.redb").display().to_string();
    let registry = Registry::standard();
    let game = registry.find("chess").expect("chess");
    {
        let store = tabia_app::book::open_store(&path).expect("a book");
        let games = [("one", "e4", "0"), ("two", "e4", "1"), ("three", "d4", "\"draw\"")];
        for (id, mv, winner) in games {
            let json = format!(r#"{{"id": "{id}", "moves": ["{mv}"], "winner": {winner}}}"#);
            game.book().expect("books").record(store.as_ref(), &json).expect("counted");
        }
    }
    let options = Options { book: Some(path), threads: 1, ..Options::default() };
    let mut session = Session::with(Some("chess"), None, WINDOW, options);
    shows(&mut session, "3 games met this position");
    shows(&mut session, "█");
    shows(&mut session, "▒");
    session.press(KeyCode::Enter);
    shows(&mut session, "1. e4");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_bits_of_the_codes_say_what_they_mean() {
    let mut session = Session::new("draughts", None, WINDOW);
    session.key('4');
    shows(&mut session, "bit 31, 32");
    session.key('j');
    shows(&mut session, "bit 30, 31");
    session.click_on("1111");
}

#[test]
fn games_are_chosen_and_left() {
    let mut session = Session::new("chess", None, WINDOW);
    session.key('g');
    session.press(KeyCode::Home);
    session.press(KeyCode::Enter);
    shows(&mut session, "5-Visible");
    session.key('f');
    session.screen();
    session.key('q');
    assert!(session.tui.is_left());
    let mut tui = Tui::new(&Registry::standard(), None, None, Options::default()).expect("the first game");
    tui.event(&Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert!(tui.is_left());
}

#[test]
fn what_cannot_be_opened_is_told() {
    let wrong = |game: &str, what: Option<&str>| {
        Tui::new(&Registry::standard(), Some(game), what, Options::default()).err().expect("refused").message
    };
    assert!(
        wrong("ches", Some("nowhere")).contains("nowhere")
            || wrong("chess", Some("nowhere")).contains("expected")
    );
    assert!(wrong("no-game", None).contains("no game is called"));
}

#[test]
fn without_colours_everything_is_still_there() {
    let options = Options { colours: None, threads: 1, ..Options::default() };
    let mut session = Session::with(Some("chess"), None, WINDOW, options);
    shows(&mut session, "♖");
    shows(&mut session, "♜");
}
