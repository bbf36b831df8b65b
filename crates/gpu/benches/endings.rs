//! `cargo bench -p tabia-gpu -- PIECES [distances] [digests] [check] [side=N] [ask=POS]`: builds in the GPU's
//! memory and checks there, timed; `side` is the most pieces of one side, `ask` says the value of a position.

use std::collections::BTreeMap;
use std::time::Instant;
use tabia_core::{Index, Notation, Slice, Spot, Work};
use tabia_draughts::Draughts;
use tabia_gpu::{Device, Endings, Finished, GpuError, Plan, Shelf, Values, name};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let pieces = words.first().and_then(|word| word.parse().ok()).unwrap_or(5);
    let has = |word: &str| words.iter().any(|given| given == word);
    let began = Instant::now();
    let device = match Device::open(0) {
        Ok(device) => device,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    let free = device.free_memory()?;
    println!(
        "{}, {} MB free, kernels loaded in {:.2} s",
        device.name(),
        free >> 20,
        began.elapsed().as_secs_f64()
    );
    let given = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
    let side = given("side=").and_then(|side| side.parse().ok()).unwrap_or(pieces);
    let all = Plan::new(pieces, side, has("distances"), true)?;
    let plan = if all.bytes <= free { all } else { Plan::new(pieces, side, has("distances"), false)? };
    let plan = Plan { check: has("check"), ..plan };
    let mut asked = Asked { spot: given("ask=").map(place).transpose()?, value: None };
    println!("{} positions, {} MB", plan.positions, plan.bytes >> 20);
    let mut sums: BTreeMap<u32, (u64, u64, u64, u16, f64)> = BTreeMap::new();
    let (mut last, mut all_wrong) = (Instant::now(), 0);
    let mut each = |finished: &Finished| {
        let sum = sums.entry(name(finished.slice).chars().filter_map(|c| c.to_digit(10)).sum()).or_default();
        let (positions, wins, losses, longest, seconds) = *sum;
        let spent = std::mem::replace(&mut last, Instant::now()).elapsed().as_secs_f64();
        *sum = (
            positions + finished.positions,
            wins + finished.wins,
            losses + finished.losses,
            longest.max(finished.longest),
            seconds + spent,
        );
        all_wrong += finished.wrong;
        if has("digests") {
            let Finished { positions, wins, losses, digest, longest, .. } = *finished;
            println!(
                "{} {positions} {wins} {} {losses} {longest} {digest:016x}",
                name(finished.slice),
                positions - wins - losses
            );
        }
    };
    let endings = Endings::build(device, plan, &Work::unwatched(1), &mut asked, &mut each)?;
    for (pieces, (positions, wins, losses, longest, seconds)) in &sums {
        println!(
            "{pieces} pieces: {positions} positions, {wins} won, {losses} lost, longest {longest}: {seconds:.3} s"
        );
    }
    if let Some((verdict, plies)) = asked.value {
        println!("asked for: {} in {plies} plies", ["draw", "loss", "win", ""][usize::from(verdict & 3)]);
    }
    if plan.check {
        println!("checked slice by slice, in the time above: {all_wrong} wrong");
    } else if plan.keep {
        let began = Instant::now();
        let mut wrong = 0;
        for slice in endings.slices() {
            wrong += endings.wrong_in(slice)?;
        }
        println!("checked: {wrong} wrong, {:.3} s", began.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Keeps the value of one position: its slice may be gone at the end.
struct Asked {
    spot: Option<Spot>,
    value: Option<(u8, u32)>,
}

impl Shelf for Asked {
    fn load(&mut self, _: Slice) -> Result<Option<Values>, GpuError> {
        Ok(None)
    }

    fn store(
        &mut self,
        finished: &Finished,
        values: &dyn Fn() -> Result<Values, GpuError>,
    ) -> Result<(), GpuError> {
        let Some(spot) = self.spot.filter(|spot| spot.slice == finished.slice) else { return Ok(()) };
        let (values, at) = (values()?, spot.index as usize);
        let verdict = values.verdicts[at / 4] >> (2 * (at % 4)) & 3;
        let plies = values.plies.get(at).map_or(0, |half| 2 * u32::from(*half) + u32::from(verdict == 2));
        self.value = Some((verdict, plies));
        Ok(())
    }
}

fn place(text: &str) -> Result<Spot, Box<dyn std::error::Error>> {
    let rules = Draughts::default();
    let state = rules.parse(text)?.state;
    Ok(rules.locate(&state).ok_or("not an ending")?)
}
