//! What holds for every game of the registry, seen from outside.

use proptest::prelude::*;
use tabia_app::{AnyGame, AnyPosition, PlayoutRequest, registry};

/// Some positions of each game: the named starts and what random play finds.
fn positions(game: &dyn AnyGame) -> Vec<Box<dyn AnyPosition>> {
    let mut all = Vec::new();
    for start in game.view().starts {
        let mut position =
            game.parse(&start.id).unwrap_or_else(|error| panic!("{} {}: {error}", game.id(), start.id));
        let mut choice = 7;
        for _ in 0..40 {
            all.push(position.boxed_clone());
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            choice = (choice * 31 + 11) % 1009;
            let mv = &moves[choice % moves.len()];
            if position.play(&mv.text).is_err() {
                break; // a draw by history ends a record
            }
            assert_eq!(position.view().position, mv.position, "{}", game.id());
        }
    }
    all
}

#[test]
fn json_gives_the_position_back() {
    for game in registry().games() {
        for position in positions(game) {
            let view = position.view();
            let json: serde_json::Value =
                serde_json::from_str(&serde_json::to_string(&view).unwrap()).unwrap();
            let text = json["position"].as_str().unwrap();
            let again =
                game.parse(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", game.id())).view();
            assert_eq!((again.position, again.key, again.packed), (view.position, view.key, view.packed));
        }
    }
}

#[test]
fn reversible_formats_reverse() {
    for game in registry().games() {
        for format in game.view().formats.iter().filter(|format| format.reversible) {
            for position in positions(game) {
                // Boards are part of the rules, which packed bytes alone do not carry.
                let Ok(code) = position.encode(&format.id) else { continue };
                let Ok(back) = game.decode(&code, &format.id) else { continue };
                let again = back.encode(&format.id).unwrap();
                assert_eq!(again, code, "{} {}", game.id(), &format.id);
            }
            let code = game.start().encode(&format.id).unwrap();
            let back =
                game.decode(&code, &format.id).unwrap_or_else(|error| panic!("{}: {error}", game.id()));
            assert_eq!(
                back.view().canonical_key,
                game.start().view().canonical_key,
                "{} {}",
                game.id(),
                format.id
            );
        }
    }
}

#[test]
fn prefixes_find_games() {
    for (prefix, id) in
        [("five", "five-visible"), ("five-v", "five-visible"), ("chess", "chess"), ("drau", "draughts")]
    {
        assert_eq!(registry().find(prefix).map(AnyGame::id).ok(), Some(id));
    }
    assert!(registry().find("").is_err());
    assert!(registry().find("draughty").is_err_and(|error| error.message.contains("did you mean draughts?")));
}

#[test]
fn pictures_show_every_game() {
    for game in registry().games() {
        let board = game.start().board();
        let svg = tabia_app::draw::svg(&board);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{}", game.id());
        let ascii = tabia_app::draw::text(&board, tabia_app::draw::TextStyle::Ascii);
        assert!(ascii.is_ascii() && ascii.lines().count() >= 3, "{}: {ascii}", game.id());
    }
}

#[test]
fn random_games_are_the_same_for_the_same_seed() {
    for game in registry().games() {
        let request = PlayoutRequest { time: None, games: Some(50), threads: 2, seed: 3 };
        let count = || {
            let view = game.start().playouts(&request);
            (view.playouts, view.plies, view.wins0, view.wins1, view.draws)
        };
        let (playouts, _, wins0, wins1, draws) = count();
        assert_eq!(count(), count(), "{}", game.id());
        assert_eq!((playouts, wins0 + wins1 + draws), (100, 100));
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_game_panic(text in prop_oneof![any::<String>(), "[ -~]{0,60}", "[-o./0-9a-hKQkqxBW: ,]{0,60}"]) {
        for game in registry().games() {
            let error = game.parse(&text).err().into_iter().chain(game.start().play(&text).err());
            for error in error {
                prop_assert!(error.offset.is_none_or(|offset| offset <= error.input.len()));
                prop_assert!(!error.message.is_empty());
            }
            for format in game.view().formats {
                let _ = game.decode(&text, &format.id);
            }
        }
    }
}
