//! Moves as people type them.

use tabia_app::{Registry, Typed, typed};

fn ask(game: &str, position: &str, text: &str) -> Typed {
    typed(Registry::standard().find(game).unwrap().parse(position).unwrap().as_ref(), text)
}

fn mv(text: &str) -> Typed {
    Typed::Move(text.to_owned())
}

#[test]
fn whole_moves_come_before_beginnings() {
    assert_eq!(ask("chess", "start", "e4"), mv("e4"));
    assert_eq!(ask("chess", "start", "g1f3"), mv("g1f3"), "any notation of the game");
}

#[test]
fn the_only_move_that_begins_so_is_meant() {
    assert_eq!(ask("solitaire", "english", "d2"), mv("d2-d4"));
    assert_eq!(ask("draughts", "start", "11-1"), Typed::Several(vec!["11-15".into(), "11-16".into()], 2));
    assert_eq!(ask("chess", "start", "nf"), mv("Nf3"), "without capital letters where that is clear");
    let Typed::Several(some, all) = ask("chess", "start", "N") else { panic!("four moves") };
    assert_eq!((some.len(), all), (4, 4));
    let Typed::Several(some, all) = ask("arx", "start", "") else { panic!("every move begins so") };
    assert!(some.len() < all);
}

#[test]
fn mistakes_are_answered_with_what_is_like_them() {
    let Typed::Nothing(error, nearest) = ask("draughts", "start", "11-17") else { panic!("not legal") };
    assert!(error.message.contains("17"), "{error}");
    assert!(nearest.contains(&"11-15".to_owned()) && nearest.contains(&"11-16".to_owned()), "{nearest:?}");
    let Typed::Nothing(_, nearest) = ask("chess", "start", "zzz") else { panic!("not legal") };
    assert!(nearest.is_empty(), "{nearest:?}");
}
