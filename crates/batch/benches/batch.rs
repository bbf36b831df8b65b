//! Random play through batches of 1,024, one thread: `cargo bench -p tabia-batch`, with a game's id
//! (`-- chess`) that game alone. `alone` is random play without a batch.

use std::hint::black_box;
use tabia_batch::{AnyBatch, Batch};
use tabia_core::actions::mask_bytes;
use tabia_core::playout::playouts;
use tabia_core::{Actions, Observe};
use tabia_figures::{Figure, Figures, Unit};

const ROWS: usize = 1024;

/// What a game is to reach, in millions of rows a second.
#[derive(Default)]
struct Goals {
    masks: f64,
    planes: f64,
    pack: Option<f64>,
    unpack: Option<f64>,
}

fn measure<G: Observe + Actions>(figures: &mut Figures, rules: G, goals: &Goals) {
    let id = rules.id().to_owned();
    if !figures.wanted(&id) {
        return;
    }
    let figure = |what: &str, goal: Option<f64>| {
        let figure = Figure::new(id.as_str(), format!("{id}, {what}"), Unit::Millions("rows"));
        goal.map_or(figure.clone(), |goal| figure.goal(goal))
    };
    let (games, start) = (ROWS as u64, rules.start());
    figures.measure(figure("alone", None), || {
        playouts(&rules, &start, 1, |report| report.playouts >= games).plies
    });
    let mut batch = Batch::new(rules, ROWS, 1, 1);
    let mut masks = vec![0; ROWS * mask_bytes(batch.action_count())];
    let mut planes = vec![0; ROWS * batch.planes().bytes()];
    figures.measure(figure("a random ply", None), || {
        random(&mut batch);
        ROWS as u64
    });
    figures.measure(figure("a random ply and bit masks", Some(goals.masks)), || {
        batch.mask_bits(&mut masks).expect("room");
        random(&mut batch);
        ROWS as u64
    });
    figures.measure(figure("a random ply, bit masks and planes", Some(goals.planes)), || {
        batch.mask_bits(&mut masks).expect("room");
        batch.observe(&mut planes).expect("room");
        random(&mut batch);
        ROWS as u64
    });
    let mut first = Vec::new();
    figures.measure(figure("actions listed, one stepped", None), || {
        let legal = batch.legal().expect("a list");
        first.clear();
        // Somewhere in the middle of each list.
        first.extend(legal.offsets.windows(2).map(|at| legal.actions[(at[0] + at[1]) as usize / 2]));
        batch.step(&first).and(batch.reset_finished()).expect("legal actions");
        ROWS as u64
    });
    let (size, _) = batch.packed_size();
    let (mut bytes, mut lengths) = (vec![0; ROWS * size], vec![0; ROWS]);
    figures.measure(figure("pack", goals.pack), || {
        batch.packed(black_box(&mut bytes), &mut lengths).expect("room");
        ROWS as u64
    });
    figures.measure(figure("unpack", goals.unpack), || {
        batch.set_packed(&bytes, Some(&lengths)).expect("packed positions");
        ROWS as u64
    });
    black_box((&masks, &planes));
}

/// A ply of every game, and new games for those that are over.
fn random<G: Observe + Actions>(batch: &mut Batch<G>) {
    batch.random().and(batch.reset_finished()).expect("legal actions");
}

fn main() {
    let mut figures = Figures::new("tabia-batch");
    let all = &mut figures;
    let goals = |masks, planes| Goals { masks, planes, ..Goals::default() };
    let draughts = Goals { pack: Some(500.0), unpack: Some(50.0), ..goals(14.0, 11.0) };
    measure(all, tabia_draughts::Draughts::default(), &draughts);
    let chess = Goals { pack: Some(20.0), unpack: Some(10.0), ..goals(3.0, 2.8) };
    measure(all, tabia_chess::Chess, &chess);
    measure(all, tabia_arx::Arx, &goals(2.5, 2.0));
    measure(all, tabia_five_visible::FiveVisible::default(), &goals(8.0, 6.0));
    measure(all, tabia_solitaire::Solitaire::default(), &goals(7.0, 6.0));
}
