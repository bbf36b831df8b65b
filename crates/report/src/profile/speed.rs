//! How fast random games are played, beside those of the smallest game there is.

use super::Subject;
use super::figures::{Figure, Reading, Unit};
use tabia_core::clock::Instant;
use tabia_core::playout::playout;
use tabia_core::{Present, SplitMix64, sort_many};

/// Nanoseconds spent on each of several looks.
const LOOK: u128 = 20_000_000;
/// Looks at each game, by turns.
const LOOKS: usize = 5;

/// Plies per second of this game and of noughts and crosses, measured by turns; the middle of the looks counts.
pub(super) fn measure<G: Present>(subject: &Subject<'_, G>) -> Vec<Figure> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for look in 0..LOOKS {
        ours.push(plies_per_second(
            &mut |rng, moves| playout(&subject.rules, subject.start.clone(), rng, moves, |_| ()).1,
            look,
        ));
        theirs.push(noughts_per_second(look));
    }
    let figure = |id: &str, label: &str, value: f64, unit| {
        let (id, label) = (id.to_owned(), label.to_owned());
        Figure { id, label, reading: Reading { n: LOOKS as u64, ..Reading::exact(value, unit) } }
    };
    let (mine, reference) = (middle(ours), middle(theirs));
    vec![
        figure("speed", "plies of random games per second on one thread", mine, Unit::Count),
        figure("speed-relative", "the same, in tic-tac-toes", mine / reference.max(1.0), Unit::Number),
    ]
}

fn middle(mut looks: Vec<f64>) -> f64 {
    sort_many(&mut looks, f64::total_cmp);
    looks.get(looks.len() / 2).copied().unwrap_or_default()
}

fn plies_per_second<M>(game: &mut dyn FnMut(&mut SplitMix64, &mut Vec<M>) -> u32, seed: usize) -> f64 {
    let (mut rng, mut moves, began) = (SplitMix64::new(seed as u64), Vec::new(), Instant::now());
    let mut plies = 0u64;
    while began.elapsed().as_nanos() < LOOK {
        plies += u64::from(game(&mut rng, &mut moves));
    }
    plies as f64 / began.elapsed().as_secs_f64()
}

/// Noughts and crosses, as plainly as any game here: the free cells are listed, one is picked, lines are looked for.
fn noughts_per_second(seed: usize) -> f64 {
    const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];
    let mut game = |rng: &mut SplitMix64, free: &mut Vec<u16>| {
        let (mut marks, mut plies) = ([0u16; 2], 0);
        loop {
            free.clear();
            let taken = marks[0] | marks[1];
            let over = marks.iter().any(|mine| LINES.iter().any(|line| mine & line == *line));
            free.extend((0..9).filter(|cell| !over && taken >> cell & 1 == 0));
            let Some(&cell) = free.get(rng.below(free.len() as u64) as usize) else { return plies };
            marks[plies as usize % 2] |= 1 << cell;
            plies += 1;
        }
    };
    plies_per_second(&mut game, seed)
}
