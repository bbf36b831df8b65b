//! What holds for every game of the registry, seen from outside.

use proptest::prelude::*;
use tabia_app::{AnyGame, AnyPosition, PlayoutRequest, Registry};

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
    for game in Registry::standard().games() {
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

/// Every code of every start, board and option names its rules, and comes back to the same position.
#[test]
fn every_code_comes_back_to_the_position_it_was_made_of() {
    for game in Registry::standard().games() {
        let options =
            ["-/-/-/-/0/-/-/-/- 1 5 +put-back", "-/-/-/-/0/-/-/-/- 1 5 +lone-wander+no-three-stacks"];
        let optional = options.iter().filter_map(|text| game.parse(text).ok());
        let mut variants = std::collections::BTreeSet::new();
        for position in positions(game).into_iter().chain(optional) {
            let before = position.view();
            variants.insert(before.variant.clone());
            for format in game.view().formats.iter().filter(|format| format.reversible) {
                let what = format!("{} {} {}", before.variant, format.id, before.position);
                let Ok(code) = position.encode(&format.id) else {
                    // A format may not have every position, but then it says so for all to see.
                    assert!(!before.codes.contains_key(&format.id), "{what}");
                    continue;
                };
                let back =
                    game.decode(&code, &format.id).unwrap_or_else(|error| panic!("{what}: {code}: {error}"));
                assert_eq!(back.encode(&format.id).as_ref(), Ok(&code), "{what}");
                let after = back.view();
                assert_eq!(
                    (&after.variant, &after.canonical),
                    (&before.variant, &before.canonical),
                    "{what}: {code}"
                );
                // What a code says is found out without being told its format, too.
                let read = match game.parse(&code) {
                    Ok(read) => read.view(),
                    Err(error) if error.message.contains("name the format") => continue,
                    Err(error) => panic!("{what}: {code}: {error}"),
                };
                assert_eq!(
                    (read.variant, read.canonical),
                    (after.variant, after.canonical),
                    "{what}: {code}"
                );
            }
        }
        println!("{}: {variants:?}", game.id());
    }
}

#[test]
fn bytes_are_not_read_under_other_rules_than_their_own() {
    let registry = Registry::standard();
    let solitaire = registry.find("solitaire").unwrap();
    let code = solitaire.parse("triangle4").unwrap().encode("packed").unwrap();
    assert!(code.starts_with("triangle4:0x"), "{code}");
    let back = solitaire.decode(&code, "packed").unwrap().view();
    assert_eq!(
        (back.variant.as_str(), back.codes["packed"].as_str()),
        ("solitaire+triangle4", code.as_str())
    );
    // Another board's bytes, and boards that nobody knows, are refused.
    for wrong in
        [code.replace("triangle4", "triangle99"), format!("triangle4:{}", solitaire.start().view().packed)]
    {
        let error = solitaire.decode(&wrong, "packed").err().unwrap_or_else(|| panic!("{wrong}"));
        assert!(!error.message.is_empty());
    }
}

/// It would take hours where each colon were looked at with all that stands before it.
#[test]
fn a_long_text_of_colons_is_refused() {
    let text = "b:".repeat(1 << 20);
    for game in Registry::standard().games() {
        assert!(game.parse(&text).is_err(), "{}", game.id());
    }
}

#[test]
fn prefixes_find_games() {
    for (prefix, id) in
        [("five", "five-visible"), ("five-v", "five-visible"), ("chess", "chess"), ("Drau", "draughts")]
    {
        assert_eq!(Registry::standard().find(prefix).map(AnyGame::id).ok(), Some(id));
    }
    assert!(Registry::standard().find("").is_err());
    assert!(
        Registry::standard()
            .find("draughty")
            .is_err_and(|error| error.message.contains("did you mean draughts?"))
    );
}

#[test]
fn pictures_show_every_game() {
    for game in Registry::standard().games() {
        let board = game.start().board();
        let svg = tabia_app::draw::svg(&board);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{}", game.id());
        let ascii = tabia_app::draw::text(&board, tabia_app::draw::TextStyle::Ascii);
        assert!(ascii.is_ascii() && ascii.lines().count() >= 3, "{}: {ascii}", game.id());
    }
}

#[test]
fn random_games_are_the_same_for_the_same_seed() {
    for game in Registry::standard().games() {
        let request = PlayoutRequest { time: None, games: Some(51), threads: 2, seed: 3 };
        let count = || {
            let view = game.start().counting().playouts(&request, &tabia_app::Watch::nobody()).unwrap();
            (view.playouts, view.plies, view.wins0, view.wins1, view.draws)
        };
        let (playouts, _, wins0, wins1, draws) = count();
        assert_eq!(count(), count(), "{}", game.id());
        assert_eq!((playouts, wins0 + wins1 + draws), (51, 51));
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_game_panic(text in prop_oneof![any::<String>(), "[ -~]{0,60}", "[-o./0-9a-hKQkqxBW: ,]{0,60}"]) {
        for game in Registry::standard().games() {
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

#[test]
fn every_invitation_can_be_accepted() {
    for game in Registry::standard().games() {
        let invitation = game.view().invitation;
        assert!(!invitation.line.is_empty() && !invitation.moves.is_empty(), "{}", game.id());
        let mut position = game.start();
        for mv in &invitation.moves {
            position.play(mv).unwrap_or_else(|error| panic!("{}: {mv}: {error}", game.id()));
            assert_eq!(position.played().last().map(String::as_str), Some(mv.as_ref()), "{}", game.id());
        }
    }
}

#[test]
fn every_example_is_a_position_and_every_named_piece_exists() {
    for game in Registry::standard().games() {
        let view = game.view();
        assert!(!view.examples.is_empty(), "{}", view.id);
        for example in &view.examples {
            let position =
                game.parse(&example.position).unwrap_or_else(|error| panic!("{}: {error:?}", view.id));
            assert_eq!(position.encode("text").unwrap(), example.position, "{}", example.about);
        }
        let start = game.start().board().picture.pieces;
        // What is not there at the start is made of what is: a king of draughts.
        let known = |name: &str| start.iter().any(|piece| piece.name == name) || view.id == "draughts";
        assert!(view.piece_words.iter().all(|words| known(&words.name)), "{}", view.id);
    }
}

#[test]
fn moves_with_the_same_cells_say_what_sets_them_apart() {
    let registry = Registry::standard();
    let choices = |game: &str, text: &str| -> Vec<(String, String)> {
        let moves = registry.find(game).unwrap().parse(text).unwrap().moves();
        moves.into_iter().filter_map(|mv| Some((mv.text, mv.choice?))).collect()
    };
    let promotions = choices("chess", "8/P7/8/8/8/8/k7/2K5 w - - 0 1");
    assert!(promotions.contains(&("a8=Q+".to_owned(), "queen".to_owned())), "{promotions:?}");
    let stack = choices("arx", "4k4/9/9/9/4[JC]4/9/9/9/4K4 w");
    let words = |unstack: bool| stack.iter().filter(move |(text, _)| text.starts_with('^') == unstack);
    assert!(words(true).count() > 0 && words(true).all(|(_, words)| words == "jester alone"), "{stack:?}");
    assert!(words(false).count() > 0 && words(false).all(|(_, words)| words == "whole stack"), "{stack:?}");
}
