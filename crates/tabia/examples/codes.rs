//! Codes: a position as text, as exact bytes and as a hash, and back.

use tabia::prelude::*;

pub(crate) fn main() {
    let registry = Registry::standard();
    for (game, text) in
        [("chess", "kiwipete"), ("draughts", "B:W18,24,K30:B5,12"), ("solitaire", "triangle5")]
    {
        let game = registry.find(game).expect("a game that comes with Tabia");
        let position = game.parse(text).expect("a position");
        println!("{}: {}", game.id(), position.text());
        let packed = position.encode("packed").expect("every position has its bytes");
        println!("  packed {packed}, key {}", position.key());
        // The code names its rules, and any code can be read where a text can.
        let again = game.parse(&packed).expect("the same position");
        assert_eq!(again.text(), position.text());
    }
    // The same with types.
    use tabia::games::chess::Chess;
    let packed = Chess.pack(&Chess.start());
    assert_eq!(Chess.unpack(&packed), Ok(Chess.start()));
    println!("chess starts from {} bytes", packed.as_bytes().len());
}
