//! Files of nets, games and trainings: what was written is read, anything else is refused.

use tabia_chess::Chess;
use tabia_core::{Game, Judges, Work};
use tabia_draughts::Draughts;
use tabia_nnue::selfplay::Players;
use tabia_nnue::{
    Choices, GamesReader, GamesWriter, Learned, Lesson, Net, NetError, Samples, SelfPlay, Trainer,
    TrainingOptions, generate, net::Shape, teach,
};

const OPTIONS: TrainingOptions =
    TrainingOptions { epochs: 4, batch: 256, rate: 0.002, trust: 0.75, folds: 1, seed: 3 };

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// A file with some quick games of draughts.
fn games(folder: &std::path::Path, count: u64, threads: usize) -> std::path::PathBuf {
    let (path, game) = (folder.join("games"), Draughts::default());
    let mut writer = GamesWriter::open(&path, &game).expect("a file can be made");
    let plan = SelfPlay { games: count, nodes: 60, opening_plies: 3, seed: 5 };
    let players = Players {
        ask: |engine, record, question, limits, stop, progress| {
            engine.ask(record, question, limits, stop, progress)
        },
        judges: None,
        known: None,
    };
    generate(&game, &players, &plan, &mut writer, &Work::unwatched(threads)).expect("games are written");
    assert_eq!(writer.games(), count);
    path
}

fn samples(path: &std::path::Path) -> (Shape, Samples, Samples) {
    let shape = Shape::of(&Draughts::default(), 16, 2);
    let games = GamesReader::open(path, &Draughts::default()).expect("the file is whole").games;
    let (kept, held) = Samples::of(&Draughts::default(), &shape, games);
    (shape, kept, held)
}

#[test]
fn games_are_the_same_for_any_threads_and_can_be_continued() {
    let (one, other) = (folder(), folder());
    let path = games(one.path(), 12, 1);
    games(other.path(), 5, 2);
    let continued = games(other.path(), 12, 2);
    let read = |path| GamesReader::open(path, &Draughts::default()).expect("the file is whole").games;
    assert_eq!(read(&path), read(&continued));
    let (_, kept, held) = samples(&path);
    assert!(kept.len() + held.len() > 100, "{} {}", kept.len(), held.len());
    let bytes = std::fs::read(&path).expect("the file is there").len();
    assert!(bytes < 24 * (kept.len() + held.len()), "{bytes} bytes");
}

#[test]
fn what_was_cut_off_is_made_again_and_what_was_changed_is_refused() {
    let folder = folder();
    let path = games(folder.path(), 6, 1);
    let whole = std::fs::read(&path).expect("the file is there");
    std::fs::write(&path, &whole[..whole.len() - 3]).expect("it can be written");
    assert_eq!(GamesReader::open(&path, &Draughts::default()).expect("nothing is damaged").games.len(), 0);
    games(folder.path(), 6, 1);
    assert_eq!(std::fs::read(&path).expect("the file is there"), whole);
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    std::fs::write(&path, &changed).expect("it can be written");
    assert!(matches!(GamesReader::open(&path, &Draughts::default()), Err(NetError::Damaged(_))));
    std::fs::write(&path, &whole).expect("it can be written");
    assert!(matches!(GamesReader::open(&path, &Chess), Err(NetError::Game { .. })));
}

#[test]
fn a_training_is_the_same_for_any_threads_and_can_be_continued() {
    let folder = folder();
    let (shape, kept, held) = samples(&games(folder.path(), 30, 2));
    let train = |threads, interrupted| {
        let path = folder.path().join("training");
        let mut trainer = Trainer::new(shape.clone(), &kept, OPTIONS);
        let before = trainer.loss(&held, 1);
        while !trainer.is_done() {
            trainer.epoch(&kept, &held, &Work::unwatched(threads)).expect("nobody stops it");
            if interrupted {
                trainer.save(&path).expect("it can be written");
                trainer = Trainer::resume(&path, shape.clone(), OPTIONS).expect("it is whole");
            }
        }
        assert!(trainer.loss(&held, 1) < before);
        trainer.net()
    };
    let net = train(1, false);
    assert_eq!(net, train(3, false));
    assert_eq!(net, train(1, true));
    let other = Shape { hidden: 32, ..shape.clone() };
    assert!(matches!(
        Trainer::resume(&folder.path().join("training"), other, OPTIONS),
        Err(NetError::Features(_))
    ));
}

#[test]
fn a_net_comes_back_and_others_are_refused() {
    let game = Draughts::default();
    let mut trainer = Trainer::new(Shape::of(&game, 16, 2), &Samples::new(), OPTIONS);
    trainer.see_all();
    let (net, bytes) = (trainer.net(), trainer.net().to_bytes());
    assert_eq!(Net::from_bytes(&bytes).expect("it is whole"), net);
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert!(Net::from_bytes(&changed).is_err(), "byte {at}");
        assert!(Net::from_bytes(&bytes[..at]).is_err(), "{at} bytes");
    }
    assert!(matches!(Learned::new(Chess, net.clone()), Err(NetError::Game { .. })));
    let strange = Shape { fingerprint: 1, ..Shape::of(&game, 16, 2) };
    let strange = Trainer::new(strange, &Samples::new(), OPTIONS).net();
    assert!(matches!(Learned::new(game, strange), Err(NetError::Features(_))));
    assert!(Learned::new(game, net).is_ok());
}

#[test]
fn a_head_is_the_same_for_any_threads_and_changes_nothing_else() {
    let (folder, game) = (folder(), Draughts::default());
    let path = games(folder.path(), 60, 2);
    let net = {
        let mut trainer = Trainer::new(Shape::of(&game, 16, 2), &Samples::new(), OPTIONS);
        trainer.see_all();
        trainer.net()
    };
    let read = GamesReader::open(&path, &game).expect("the file is whole").games;
    let (kept, held) = Choices::of(&game, net.shape(), read).expect("draughts has few inputs");
    assert!(kept.len() > 1000 && !held.is_empty(), "{} {}", kept.len(), held.len());
    let taught = |threads| {
        let mut lessons = Vec::new();
        let mut hear = |lesson: &Lesson| lessons.push(*lesson);
        let head = teach(&net, &kept, &held, &OPTIONS, &Work::unwatched(threads), &mut hear);
        (head.expect("nobody stops it"), lessons)
    };
    let (head, lessons) = taught(1);
    assert_eq!(head, taught(3).0);
    assert!(lessons[3].loss < lessons[0].loss - 0.1, "{lessons:?}");
    let with_head = net.clone().with_head(Some(head));
    let bytes = with_head.to_bytes();
    assert_eq!(Net::from_bytes(&bytes).expect("it is whole"), with_head);
    assert_eq!(Net::from_bytes(&bytes).expect("it is whole").with_head(None).to_bytes(), net.to_bytes());
    let (plain, learned) =
        (Learned::new(game, net).expect("it fits"), Learned::new(game, with_head).expect("it fits"));
    let (state, mut moves) = (game.start(), Vec::new());
    game.moves(&state, &mut moves);
    assert_eq!(plain.value(&state), learned.value(&state));
    assert_eq!(plain.judge().prefer(&state, &moves), None);
    assert_eq!(learned.judge().prefer(&state, &moves).map(|worth| worth.len()), Some(moves.len()));
}

/// Found by random input: the least number has no absolute value of its kind.
#[test]
fn a_weight_that_is_too_large_is_refused() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/network/2");
    let found = std::fs::read(path).expect("the input is stored");
    let sealed = [&found[..], &crc32fast::hash(&found).to_le_bytes()].concat();
    assert!(matches!(Net::from_bytes(&sealed), Err(NetError::Damaged("a weight is too large"))));
}
