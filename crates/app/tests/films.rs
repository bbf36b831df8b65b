//! Lines of moves as pictures: side by side, one below the other, and moving.

use tabia_app::Registry;
use tabia_app::draw::{TextStyle, movie, sheet, strip};

#[test]
fn boards_stand_beside_each_other_as_the_width_allows() {
    let start = Registry::standard().find("solitaire").unwrap().parse("triangle4").unwrap();
    let frames = start.film(&[start.moves()[0].text.clone()]).unwrap();
    let one = strip(&frames, TextStyle::Ascii, 1);
    let two = strip(&frames, TextStyle::Ascii, 200);
    assert!(two.lines().next().unwrap().contains("1. "), "{two}");
    assert!(one.lines().count() > two.lines().count(), "{one}");
}

#[test]
fn every_game_has_a_sheet_with_a_board_for_each_move() {
    for game in Registry::standard().games() {
        let start = game.start();
        let line: Vec<String> = start.moves().into_iter().take(1).map(|mv| mv.text).collect();
        let frames = start.film(&line).unwrap();
        let sheet = sheet(&frames);
        assert_eq!(sheet.matches("url(#plate)").count(), 2, "{}", game.id());
        assert!(sheet.contains("start</text>") && sheet.ends_with("</svg>\n"), "{}", game.id());
        assert_eq!(frames[1].position, start.moves()[0].position);
    }
}

#[test]
fn a_movie_shows_every_frame_once_and_draws_the_board_once() {
    for game in Registry::standard().games() {
        let line: Vec<String> = game.view().invitation.moves.iter().map(ToString::to_string).collect();
        let frames = game.start().film(&line).unwrap();
        let movie = movie(&frames, 1.0);
        assert_eq!(movie.matches("<animate ").count(), line.len() + 1, "{}", game.id());
        assert_eq!(movie.matches("url(#plate)").count(), 1, "{}", game.id());
        assert_eq!(movie.matches("<g").count(), movie.matches("</g>").count(), "{}", game.id());
    }
    assert!(movie(&[], 1.0).is_empty());
}
