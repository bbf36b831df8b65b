//! Positions and moves: texts, codes, packed bytes.

use crate::{chosen, game};
use tabia_app::{AnyGame, AnyPosition};

/// A position as anything that a game reads. Its text and its bytes give it back.
pub fn notation(data: &[u8]) {
    let Some((number, text)) = chosen(data) else { return };
    let game = game(number);
    if let Ok(position) = game.parse(text) {
        comes_back(game, &*position);
    }
}

/// A position as a code of one format, the first byte also says which.
pub fn codes(data: &[u8]) {
    let Some((number, text)) = chosen(data) else { return };
    let game = game(number);
    let formats = game.view().formats;
    let readable: Vec<_> = formats.into_iter().filter(|format| format.reversible).collect();
    let format = &readable[number / 8 % readable.len()];
    if let Ok(position) = game.decode(text, &format.id) {
        comes_back(game, &*position);
        let again = position.encode(&format.id).and_then(|code| game.decode(&code, &format.id));
        assert!(again.is_ok_and(|again| again.packed() == position.packed()), "{}: {text}", format.id);
    }
}

/// Bytes as a packed form: whatever is accepted is packed into the same bytes.
pub fn packed(data: &[u8]) {
    let Some((number, bytes)) = data.split_first() else { return };
    let game = game(usize::from(*number));
    let code = bytes.iter().fold("0x".to_owned(), |code, byte| code + &format!("{byte:02x}"));
    if let Ok(position) = game.decode(&code, "packed") {
        assert_eq!(position.packed(), bytes, "{}", position.text());
        comes_back(game, &*position);
    }
}

/// Moves as texts, separated by commas: each is refused, or among those that are listed.
pub fn moves(data: &[u8]) {
    let Some((number, text)) = chosen(data) else { return };
    let mut position = game(number).start();
    for word in text.split(',').take(60) {
        // A number picks a legal move, so that games go on.
        let played = match word.parse::<usize>() {
            Ok(nth) if position.move_count() > 0 => position.play_nth(nth % position.move_count() as usize),
            _ => position.play(word),
        };
        if played.is_ok() {
            comes_back(game(number), &*position);
            assert_eq!(position.moves().len() as u64, position.move_count(), "{}", position.text());
        }
    }
}

/// A position that was accepted has a text and bytes that are accepted, and mean the same.
fn comes_back(game: &dyn AnyGame, position: &dyn AnyPosition) {
    let again = game.parse(&position.text());
    assert!(again.is_ok_and(|again| again.packed() == position.packed()), "{}", position.text());
    let code = position.encode("packed").and_then(|code| game.decode(&code, "packed"));
    assert!(code.is_ok_and(|again| again.packed() == position.packed()), "{}", position.text());
    let (canonical, _) = position.canonical();
    assert_eq!(canonical.canonical().0.packed(), canonical.packed(), "{}", position.text());
}
