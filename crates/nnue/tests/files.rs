//! Files of nets, games and trainings: what was written is read, anything else is refused.

use tabia_chess::Chess;
use tabia_core::{Evaluate, Game, Judges, Outcome, Side, Work};
use tabia_draughts::Draughts;
use tabia_nnue::selfplay::Players;
use tabia_nnue::{
    Aside, Choices, GamesReader, GamesWriter, Learned, Lesson, Net, NetError, PlayedGame, Samples, SelfPlay,
    Trainer, TrainingOptions, generate, net::Shape, teach,
};

const OPTIONS: TrainingOptions =
    TrainingOptions { epochs: 4, batch: 256, rate: 0.002, trust: 0.75, folds: 1, seed: 3 };

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// A file with some quick games of draughts.
fn games(folder: &std::path::Path, count: u64, threads: usize) -> std::path::PathBuf {
    games_with(0, folder, count, threads)
}

/// The same with so many asides for each position.
fn games_with(asides: u32, folder: &std::path::Path, count: u64, threads: usize) -> std::path::PathBuf {
    let (path, game) = (folder.join("games"), Draughts::default());
    let mut writer = GamesWriter::open(&path, &game).expect("a file can be made");
    let plan = SelfPlay { games: count, nodes: 60, opening_plies: 3, sparse: 1, asides, seed: 5 };
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

/// Asides are positions that their moves lead to, in which nothing is to be resolved, and something to learn from.
#[test]
fn asides_are_the_same_for_any_threads_and_can_be_played() {
    let (one, other, game) = (folder(), folder(), Draughts::default());
    let path = games_with(2, one.path(), 8, 1);
    games_with(2, other.path(), 3, 2);
    let read = |path| GamesReader::open(path, &game).expect("the file is whole").games;
    let played = read(&path);
    assert_eq!(played, read(&games_with(2, other.path(), 8, 2)));
    let (mut asides, mut longest) = (0, 0);
    for played in &played {
        let (mut state, mut moves) = (game.start(), Vec::new());
        let mut play = |state: &mut _, number: u16| {
            moves.clear();
            game.moves(state, &mut moves);
            game.play(state, moves[usize::from(number)]);
        };
        for (at, &(number, _)) in played.plies.iter().enumerate() {
            let here: Vec<_> = played.asides.iter().filter(|aside| usize::from(aside.from) == at).collect();
            assert!(here.len() <= 2, "ply {at}");
            for aside in here {
                let mut there = state;
                aside.moves.iter().for_each(|&number| play(&mut there, number));
                assert_eq!(game.settled(&there), None);
                assert!(!game.must_resolve(&there));
                longest = longest.max(aside.moves.len());
                asides += 1;
            }
            play(&mut state, number);
        }
    }
    assert!(asides > 100 && longest > 3, "{asides} asides of up to {longest} moves");
    let (_, kept, held) = samples(&path);
    let alone = played.into_iter().map(|game| PlayedGame { asides: Vec::new(), ..game });
    let (without, _) = Samples::of(&game, &Shape::of(&game, 16, 2), alone);
    assert!(kept.len() + held.len() > without.len() + asides / 2, "asides are learnt from");
}

/// A file that was begun before there were asides is read, and continued without them.
#[test]
fn a_file_of_version_1_goes_on_as_it_began() {
    let (folder, game) = (folder(), Draughts::default());
    let path = folder.path().join("games");
    let head = [&b"TABIAGMS\x01\0"[..], &[game.variant().len() as u8], game.variant().as_bytes()].concat();
    // A game won by the second player, of one move.
    let block = [0, 1, 0, 3, 7, 0];
    let sum = crc32fast::hash(&block).to_le_bytes();
    std::fs::write(&path, [&head[..], &(block.len() as u32).to_le_bytes(), &sum, &block].concat())
        .expect("it can be written");
    let first = PlayedGame { outcome: Outcome::Win(Side::Second), plies: vec![(3, 7)], asides: Vec::new() };
    let mut writer = GamesWriter::open(&path, &game).expect("it is whole");
    writer.add(&first).expect("it has no asides");
    let aside = Aside { from: 0, moves: vec![1], score: 5 };
    assert!(matches!(
        writer.add(&PlayedGame { asides: vec![aside], ..first.clone() }),
        Err(NetError::Nothing(_))
    ));
    writer.flush().expect("it can be written");
    assert_eq!(GamesReader::open(&path, &game).expect("it is whole").games, [first.clone(), first]);
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

/// What hundredths are worth is fitted to results; whoever goes on from a network keeps what they are worth there.
#[test]
fn a_training_that_goes_on_keeps_the_scale() {
    let folder = folder();
    let (shape, kept, held) = samples(&games(folder.path(), 30, 2));
    let mut first = Trainer::new(shape.clone(), &kept, OPTIONS);
    first.epoch(&kept, &held, &Work::unwatched(2)).expect("nobody stops it");
    let net = first.net();
    let mut next = Trainer::from_net(&net, shape.clone(), OPTIONS).expect("it has the same shape");
    assert!((next.loss(&held, 1) - first.loss(&held, 1)).abs() < 1e-3);
    next.epoch(&kept, &held, &Work::unwatched(2)).expect("nobody stops it");
    let scale = |net: &Net| {
        // Behind the magic, version, variant, fingerprint and four numbers.
        let at = 8 + 2 + 1 + shape.variant.len() + 8 + 16;
        net.to_bytes()[at..at + 4].to_vec()
    };
    assert_eq!(scale(&next.net()), scale(&net));
    let narrow = Shape { hidden: 32, ..shape };
    assert!(Trainer::from_net(&net, narrow, OPTIONS).is_ok(), "sums may be new");
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
