//! What a batch refuses, and what it leaves alone.

use tabia_arx::Arx;
use tabia_batch::{AnyBatch, Batch, BatchError, DRAWN, GOING_ON};
use tabia_chess::Chess;
use tabia_core::{Actions, Evaluate, Game, Notation, Packed, Stop};
use tabia_draughts::Draughts;
use tabia_five_visible::FiveVisible;
use tabia_solitaire::Solitaire;

#[test]
fn illegal_actions_are_refused_by_row_and_nothing_is_played() {
    let mut batch = Batch::new(Draughts::default(), 5, 1, 2);
    let legal = batch.legal().unwrap().actions[0];
    let before = batch.keys().unwrap();
    let error = batch.step(&[legal, 1_000_000, legal, 1425, legal]).unwrap_err();
    assert_eq!(error, BatchError::Illegal { rows: vec![1, 3] });
    assert_eq!(error.to_string(), "no legal action in rows 1, 3");
    assert_eq!(batch.keys().unwrap(), before);
    // A refused step leaves no choice behind.
    batch.step(&[-1, -1, -1, -1, legal]).unwrap();
    let after = batch.keys().unwrap();
    assert_eq!(after[..4], before[..4]);
    assert_ne!(after[4], before[4]);
    let sizes =
        [batch.step(&[legal]).is_err(), batch.mask(&mut [0; 7]).is_err(), batch.observe(&mut []).is_err()];
    assert_eq!(sizes, [true; 3]);
}

#[test]
fn long_lists_of_refused_rows_are_cut_in_the_message() {
    let error = Batch::new(Chess, 20, 1, 1).step(&[7; 20]).unwrap_err();
    assert_eq!(error.to_string(), "no legal action in rows 0, 1, 2, 3, 4, 5, 6, 7 and 12 more");
    let error = Batch::new(Chess, 1, 1, 1).step(&[7]).unwrap_err();
    assert_eq!(error.to_string(), "no legal action in row 0");
}

/// Positions from random play go out and come back; damage is refused, and then nothing changes.
fn round_trip<G: tabia_core::Observe + Actions>(rules: G) {
    let mut batch = Batch::new(rules.clone(), 33, 5, 2);
    for _ in 0..25 {
        batch.random().unwrap();
    }
    let (size, one_length) = batch.packed_size();
    let (mut bytes, mut lengths) = (vec![0; 33 * size], vec![0; 33]);
    batch.packed(&mut bytes, &mut lengths).unwrap();
    let mut other = Batch::new(rules.clone(), 33, 6, 1);
    other.set_packed(&bytes, Some(&lengths).filter(|_| !one_length).map(Vec::as_slice)).unwrap();
    let same = |batch: &mut Batch<G>| {
        let (mut again, mut lengths) = (vec![0; 33 * size], vec![0; 33]);
        batch.packed(&mut again, &mut lengths).unwrap();
        again == bytes
    };
    assert!(same(&mut other), "{}", rules.id());
    let mut damaged = bytes.clone();
    damaged[20 * size..21 * size].fill(0xFF);
    let error = other.set_packed(&damaged, Some(&lengths)).unwrap_err();
    assert!(matches!(error, BatchError::Position { row: 20, .. }), "{error}");
    assert!(same(&mut other), "{}", rules.id());
    lengths[2] = 200;
    assert!(matches!(other.set_packed(&bytes, Some(&lengths)), Err(BatchError::Position { row: 2, .. })));
    assert!(other.set_packed(&bytes[1..], None).is_err() && other.set_packed(&bytes, Some(&[])).is_err());
    assert!(same(&mut other));
}

#[test]
fn positions_go_out_and_come_back() {
    round_trip(Draughts::default());
    round_trip(Chess);
    round_trip(Arx);
    round_trip(FiveVisible::default());
    round_trip(Solitaire::default());
}

#[test]
fn canonical_forms_are_those_of_the_game() {
    let mut batch = Batch::new(Arx, 10, 3, 1);
    for _ in 0..30 {
        batch.random().unwrap();
    }
    let (size, _) = batch.packed_size();
    let (mut bytes, mut lengths) = (vec![0; 10 * size], vec![0; 10]);
    batch.canonical(&mut bytes, &mut lengths).unwrap();
    for (row, state) in batch.states().iter().enumerate() {
        let expected = Arx.pack_canonical(state);
        assert_eq!(bytes[row * size..][..lengths[row].into()], *expected.as_bytes());
    }
}

#[test]
fn finished_games_stay_finished_until_they_are_reset() {
    let mut batch = Batch::new(FiveVisible::default(), 8, 2, 1);
    while batch.outcome().unwrap().contains(&GOING_ON) {
        batch.random().unwrap();
    }
    let (keys, outcome) = (batch.keys().unwrap(), batch.outcome().unwrap());
    batch.random().unwrap();
    assert_eq!((batch.keys().unwrap(), batch.outcome().unwrap()), (keys, outcome.clone()));
    assert!(batch.step(&[0; 8]).is_err() && batch.step(&[-1; 8]).is_ok());
    let playouts = batch.playouts(10, &Stop::new()).unwrap();
    for (counts, outcome) in playouts.iter().zip(&outcome) {
        assert_eq!(counts[*outcome as usize], 10);
    }
    batch.reset_rows(&[3, 5]).unwrap();
    let open: Vec<usize> = (0..8).filter(|&row| batch.outcome().unwrap()[row] == GOING_ON).collect();
    assert_eq!(open, [3, 5]);
    assert_eq!(batch.reset_rows(&[8]), Err(BatchError::NoSuchRow { row: 8, rows: 8 }));
    assert_eq!(batch.reset_finished(), Ok(6));
    assert_eq!(batch.outcome().unwrap(), [GOING_ON; 8]);
}

#[test]
fn puzzles_are_solved_or_stuck() {
    let rules = Solitaire::default().parse("oo.").unwrap();
    let mut batch = Batch::new(rules.rules.clone(), 4, 1, 1);
    let mut packed = rules.rules.pack(&rules.state).repeat(2);
    packed.extend(rules.rules.pack(&rules.rules.parse("o.o").unwrap().state).repeat(2));
    batch.set_packed(&packed, None).unwrap();
    batch.random().unwrap();
    assert_eq!(batch.outcome().unwrap(), [0, 0, DRAWN, DRAWN]);
    assert_eq!(batch.playouts(2, &Stop::new()).unwrap(), [[2, 0, 0], [2, 0, 0], [0, 2, 0], [0, 2, 0]]);
}

#[test]
fn playouts_change_nothing_but_the_randomness_to_come() {
    let mut batch = Batch::new(Draughts::default(), 6, 4, 1);
    batch.random().unwrap();
    let (keys, legal) = (batch.keys().unwrap(), batch.legal().unwrap());
    let counts = batch.playouts(50, &Stop::new()).unwrap();
    assert!(counts.iter().all(|row| row.iter().sum::<u32>() == 50));
    assert_eq!((batch.keys().unwrap(), batch.legal().unwrap()), (keys, legal));
    assert_ne!(batch.playouts(50, &Stop::new()).unwrap(), counts);
}

#[test]
fn seeds_decide_everything() {
    let walk = |batch: &mut Batch<Chess>| {
        batch.reset().unwrap();
        for _ in 0..40 {
            batch.random().unwrap();
        }
        batch.keys().unwrap()
    };
    let mut batch = Batch::new(Chess, 9, 77, 1);
    let first = walk(&mut batch);
    let second = walk(&mut batch);
    batch.reseed(77);
    assert_eq!(walk(&mut batch), first);
    assert_ne!(second, first);
    // A row does not depend on how many others there are.
    assert_eq!(walk(&mut Batch::new(Chess, 3, 77, 1)), first[..3]);
    assert!(first.iter().enumerate().all(|(i, key)| !first[..i].contains(key)));
}

#[test]
fn evaluation_is_there_where_the_game_has_one() {
    let mut boxed: Box<dyn AnyBatch> = Box::new(Batch::new(Solitaire::default(), 2, 1, 1));
    assert_eq!(boxed.evaluate().unwrap_err().to_string(), "solitaire has no evaluation");
    boxed = Box::new(Batch::new(Chess, 2, 1, 1).with_evaluation());
    assert_eq!(boxed.evaluate().unwrap(), [Chess.evaluate(&Chess.start()); 2]);
}

#[test]
fn a_batch_without_rows_is_a_batch() {
    let mut batch = Batch::new(Arx, 0, 1, 3);
    batch.random().unwrap();
    assert_eq!(batch.legal().unwrap().offsets, [0]);
    assert_eq!((batch.mask(&mut []), batch.set_packed(&[], None)), (Ok(()), Ok(())));
}
