//! Batches agree with slow play through records, whatever the game and however many threads share the work.

use tabia_batch::{AnyBatch, Batch, BatchError, DRAWN, GOING_ON};
use tabia_core::actions::mask_bytes;
use tabia_core::{
    Actions, DrawReason, Game, Notation, Observe, Outcome, Packed, Position, Record, Side, SplitMix64, Stop,
};

const ROWS: usize = 24;

fn code<G: Game>(record: &Record<G>) -> i8 {
    match record.outcome() {
        None => GOING_ON,
        Some(Outcome::Win(Side::Second)) if record.rules().players() == 1 => DRAWN,
        Some(Outcome::Win(side)) => side.index() as i8,
        Some(Outcome::Draw) => DRAWN,
    }
}

/// The legal actions of a recorded game, none when it is over.
fn actions<G: Actions>(record: &Record<G>) -> Vec<i32> {
    let mut moves = Vec::new();
    if record.outcome().is_none() {
        record.rules().moves(record.state(), &mut moves);
    }
    moves.iter().map(|&mv| record.rules().action_of(record.state(), mv) as i32).collect()
}

/// Everything a batch says of its rows, against records of the same games.
fn compare<G: Observe + Actions>(batch: &mut Batch<G>, records: &[Record<G>]) {
    let (rules, legal) = (batch.rules().clone(), batch.legal().unwrap());
    let (outcome, side, keys) = (batch.outcome().unwrap(), batch.side().unwrap(), batch.keys().unwrap());
    let (size, width, bytes) = (batch.action_count(), batch.planes().bytes(), batch.packed_size().0);
    let (mut mask, mut bits) = (vec![9; ROWS * size], vec![9; ROWS * mask_bytes(size)]);
    batch.mask(&mut mask).unwrap();
    batch.mask_bits(&mut bits).unwrap();
    let mut planes = vec![9; ROWS * width];
    batch.observe(&mut planes).unwrap();
    let (mut packed, mut lengths) = (vec![9; ROWS * bytes], vec![9; ROWS]);
    batch.packed(&mut packed, &mut lengths).unwrap();
    for (row, record) in records.iter().enumerate() {
        let (state, listed) = (record.state(), actions(record));
        assert_eq!(outcome[row], code(record), "row {row}: {state:?}");
        assert_eq!(legal.actions[legal.offsets[row] as usize..legal.offsets[row + 1] as usize], listed);
        assert_eq!((side[row], keys[row]), (rules.side(state).index() as u8, rules.key(state).0));
        let row_bits = &bits[row * mask_bytes(size)..][..mask_bytes(size)];
        for action in 0..size {
            let expected = u8::from(listed.contains(&(action as i32)));
            assert_eq!(mask[row * size + action], expected);
            assert_eq!(row_bits[action / 8] >> (action % 8) & 1, expected);
        }
        let mut expected = vec![0; width];
        rules.observe(state, record.quiet_plies(), &mut expected);
        assert_eq!(planes[row * width..][..width], expected);
        let exact = rules.pack(state);
        assert_eq!(packed[row * bytes..][..lengths[row].into()], *exact.as_bytes());
    }
}

/// Plays `plies` in every row from the start.
fn play<G: Observe + Actions>(rules: G, plies: usize, seed: u64) {
    play_on(Batch::new(rules, ROWS, seed, 2), plies, seed);
}

/// Plays `plies` in every row from a position of few moves; the reasons of draws by history.
fn play_ending<G: Observe + Actions + Notation>(rules: G, text: &str, plies: usize) -> Vec<DrawReason> {
    let mut batch = Batch::new(rules.clone(), ROWS, 1, 2);
    let packed = rules.pack(&rules.parse(text).unwrap().state);
    batch.set_packed(&packed.as_bytes().repeat(ROWS), None).unwrap();
    play_on(batch, plies, 8)
}

/// Plays `plies` in every row, new games where one is over; the reasons of draws by history.
fn play_on<G: Observe + Actions>(mut batch: Batch<G>, plies: usize, seed: u64) -> Vec<DrawReason> {
    let rules = batch.rules().clone();
    let from = |state: &G::State| Record::new(Position { rules: rules.clone(), state: state.clone() });
    let mut records: Vec<Record<G>> = batch.states().iter().map(from).collect();
    let (mut rng, mut reasons) = (SplitMix64::new(seed), Vec::new());
    for _ in 0..plies {
        compare(&mut batch, &records);
        let choose = |record: &Record<G>| {
            let legal = actions(record);
            legal.get(rng.below(legal.len() as u64) as usize).copied().unwrap_or(-1)
        };
        let chosen: Vec<i32> = records.iter().map(choose).collect();
        batch.step(&chosen).unwrap();
        let mut finished = Vec::new();
        for (row, (record_of_row, &action)) in records.iter_mut().zip(&chosen).enumerate() {
            if action < 0 {
                reasons.extend(record_of_row.draw_reason());
                finished.push(row);
                *record_of_row = from(&rules.start());
            } else {
                let state = record_of_row.state().clone();
                let mv = rules.move_of(&state, action as usize).unwrap();
                record_of_row.play(mv).unwrap();
            }
        }
        batch.reset_rows(&finished).unwrap();
    }
    reasons
}

#[test]
fn draughts_goes_as_recorded() {
    play(tabia_draughts::Draughts::default(), 150, 1);
    let reasons = play_ending(tabia_draughts::Draughts::default(), "B:WK1:BK4,K29", 300);
    assert!(reasons.contains(&DrawReason::Repetition), "{reasons:?}");
}

#[test]
fn chess_goes_as_recorded() {
    play(tabia_chess::Chess, 300, 2);
    let reasons = play_ending(tabia_chess::Chess, "7k/8/8/8/8/p7/P7/KB6 w - - 0 1", 150);
    assert!(reasons.contains(&DrawReason::Repetition) && reasons.contains(&DrawReason::QuietPlies));
}

#[test]
fn arx_goes_as_recorded() {
    play(tabia_arx::Arx, 300, 3);
}

#[test]
fn five_visible_goes_as_recorded() {
    play(tabia_five_visible::FiveVisible::default(), 300, 4);
}

#[test]
fn solitaire_goes_as_recorded() {
    play(tabia_solitaire::Solitaire::default(), 100, 5);
    play(tabia_solitaire::Solitaire::named("triangle5").unwrap(), 60, 6);
}

/// Everything that randomness and threads could change.
fn digest<G: Observe + Actions>(rules: &G, threads: usize) -> Result<impl PartialEq + use<G>, BatchError> {
    let mut batch = Batch::new(rules.clone(), 37, 99, threads);
    let mut ended = 0;
    for _ in 0..150 {
        batch.random()?;
        ended += batch.reset_finished()?;
    }
    let playouts = batch.playouts(3, &Stop::new())?;
    let mut planes = vec![0; 37 * batch.planes().bytes()];
    batch.observe(&mut planes)?;
    let (mut canonical, mut lengths) = (vec![0; 37 * batch.packed_size().0], vec![0; 37]);
    batch.canonical(&mut canonical, &mut lengths)?;
    batch.random()?;
    Ok((ended, playouts, planes, canonical, lengths, batch.keys()?, batch.legal()?, batch.outcome()?))
}

fn threads_agree<G: Observe + Actions>(rules: G) {
    let one = digest(&rules, 1).unwrap();
    for threads in [2, 5, 64] {
        assert!(digest(&rules, threads).unwrap() == one, "{}: {threads} threads", rules.id());
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    threads_agree(tabia_draughts::Draughts::default());
    threads_agree(tabia_chess::Chess);
    threads_agree(tabia_arx::Arx);
    threads_agree(tabia_five_visible::FiveVisible::default());
    threads_agree(tabia_solitaire::Solitaire::default());
}
