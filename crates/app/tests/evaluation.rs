//! Which evaluation a search uses, and networks from training to play.

use tabia_app::search::{
    Evaluation, MatchRequest, Method, PlayerSpec, SearchRequest, SelfPlay, Stop, TrainRequest,
    TrainingOptions,
};
use tabia_app::{Registry, Settings, Watch};

fn registry(evaluation: &str) -> Registry {
    let Ok(evaluation) = evaluation.parse::<Evaluation>();
    Registry::standard().with_settings(Settings { evaluation, ..Settings::default() })
}

/// The score of a position after so many nodes, or why there is none.
fn score(evaluation: &str, game: &str, position: Option<&str>) -> Result<String, String> {
    let registry = registry(evaluation);
    let game = registry.find(game).unwrap();
    let position = position.map_or_else(|| game.start(), |text| game.parse(text).unwrap());
    let request = SearchRequest { nodes: Some(500), hash_bytes: 1 << 20, ..SearchRequest::default() };
    let answer = position.search().unwrap().search(&request, &Stop::new(), &mut |_| ());
    answer.map(|view| format!("{:?} {:?}", view.score, view.pv)).map_err(|error| error.message)
}

#[test]
fn networks_come_with_four_games_and_are_used_unless_told_otherwise() {
    for game in ["chess", "draughts", "arx"] {
        assert_eq!(score("best", game, None), score("net", game, None), "{game}");
        assert_ne!(score("best", game, None), score("classic", game, None), "{game}");
    }
    assert_eq!(score("best", "five-visible", None), score("net", "five-visible", None));
}

#[test]
fn other_rules_are_not_judged_by_a_network_for_the_usual_ones() {
    let other = Some("-/-/-/-/0/-/-/-/- 1 5 +put-back");
    assert!(score("net", "five-visible", other).unwrap_err().contains("put-back"));
    assert_eq!(score("best", "five-visible", other), score("classic", "five-visible", other));
}

#[test]
fn a_file_that_is_no_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.net");
    let name = path.display().to_string();
    assert!(score(&name, "chess", None).unwrap_err().contains("x.net"));
    std::fs::write(&path, b"something else").unwrap();
    assert!(score(&name, "chess", None).unwrap_err().contains("no network"));
    std::fs::write(&path, include_bytes!("../nets/arx.net")).unwrap();
    assert!(score(&name, "chess", None).unwrap_err().contains("made for arx, not for chess"));
    assert!(score(&name, "arx", None).is_ok());
}

#[test]
fn a_small_training_goes_from_games_to_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry("classic");
    let position = registry.find("draughts").unwrap().start();
    let request = TrainRequest {
        folder: folder.path().to_owned(),
        games: SelfPlay { games: 40, nodes: 60, opening_plies: 3, sparse: 1, asides: 0, seed: 1 },
        more_games: Vec::new(),
        from: None,
        games_only: false,
        moves_only: false,
        hidden: 16,
        buckets: 1,
        training: TrainingOptions { epochs: 2, ..TrainingOptions::default() },
        match_games: 4,
        match_nodes: 50,
        threads: 2,
    };
    let mut epochs = Vec::new();
    let mut hear = |number: u32, _: f64, _: f64| epochs.push(number);
    let view = position.search().unwrap().train(&request, &Watch::nobody(), &mut hear).unwrap();
    assert_eq!((view.games, epochs), (40, vec![1, 2]));
    assert_eq!(view.played.as_ref().map(|played| played.games), Some(4));
    // So few games decide nothing, and what has not won is not kept.
    assert_eq!(view.net, None);
    let candidate = folder.path().join("draughts.candidate.net").display().to_string();
    let contest = MatchRequest {
        a: PlayerSpec::of_this_machine(&format!("nodes=50,eval={candidate}")).unwrap(),
        b: "nodes=50,eval=net".parse().unwrap(),
        games: 2,
        opening_plies: 2,
        threads: 1,
        seed: 1,
        sprt: None,
        record: None,
    };
    let played =
        position.search().unwrap().play_match(&contest, &mut std::io::sink(), &Stop::new(), &mut |_| ());
    assert_eq!(played.unwrap().games, 2);
    // A head beside it changes nothing that it says of positions, and Monte-Carlo tells the two apart.
    let training = TrainingOptions { epochs: 10, ..TrainingOptions::default() };
    let moves = TrainRequest { moves_only: true, training, ..request.clone() };
    let position = self::registry(&candidate);
    let position = position.find("draughts").unwrap().start();
    let view = position.search().unwrap().train(&moves, &Watch::nobody(), &mut |_, _, _| ()).unwrap();
    let with_head = view.net.unwrap().display().to_string();
    assert_eq!((view.held_out.len(), view.first_choice.is_some()), (10, true));
    let answer = |eval: &str, method| {
        let request = SearchRequest { method: Some(method), nodes: Some(1000), ..SearchRequest::default() };
        let position = self::registry(eval).find("draughts").unwrap().start();
        let view = position.search().unwrap().search(&request, &Stop::new(), &mut |_| ()).unwrap();
        format!("{:?} {:?}", view.score, view.pv)
    };
    assert_eq!(answer(&with_head, Method::AlphaBeta), answer(&candidate, Method::AlphaBeta));
    assert_ne!(answer(&with_head, Method::Mcts), answer(&candidate, Method::Mcts));
    let refused = registry.find("solitaire").unwrap().start();
    let refused = refused.search().map(|search| search.train(&request, &Watch::nobody(), &mut |_, _, _| ()));
    assert!(
        refused.is_err() || refused.is_ok_and(|answer| answer.unwrap_err().message.contains("no features"))
    );
}
