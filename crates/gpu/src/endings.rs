//! Ending tables in the memory of a GPU: built group by group and level by level, checked, copied, asked.

use crate::device::Device;
use crate::error::GpuError;
use crate::material::{Material, choices, sets};
use crate::plan::{Plan, blocks_in_batch};
use crate::shared::{Check, Half, LEVELS, Listing, SLICES, Sets, Slice, Sums, Tables};
use crate::workshop::{Workshop, address, address_of, room};
use cudarc::driver::{CudaSlice, PushKernelArg};
use std::collections::BTreeMap;
use tabia_core::{Index, Progress, Slice as Name, Spot, Value, Work};
use tabia_draughts::Draughts;

/// So many positions are worked on before anybody is told or may stop it.
const STRETCH: u64 = 1 << 30;

/// What a finished slice has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Which.
    pub slice: Name,
    /// Positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that it loses.
    pub losses: u64,
    /// The same number for the same table, whoever built it ([`tabia_solve::slices::digests`]).
    pub digest: u64,
    /// Plies of the longest win or loss, 0 without distances.
    pub longest: u16,
    /// How many were wrong when they were worked out again, where that was asked for.
    pub wrong: u64,
}

/// The values of a slice in the processor's memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Two bits a position: 0 draw, 1 loss, 2 win.
    pub verdicts: Vec<u8>,
    /// Half the plies of each position, with distances.
    pub plies: Vec<u8>,
}

/// Where finished slices go, and where some may be already.
pub trait Shelf {
    /// The values of a slice that was built before.
    fn load(&mut self, slice: Name) -> Result<Option<Values>, GpuError>;
    /// Keeps the values of a slice.
    fn store(
        &mut self,
        finished: &Finished,
        values: &dyn Fn() -> Result<Values, GpuError>,
    ) -> Result<(), GpuError>;
}

/// Nothing is kept but in the GPU's memory.
pub struct NoShelf;

impl Shelf for NoShelf {
    fn load(&mut self, _: Name) -> Result<Option<Values>, GpuError> {
        Ok(None)
    }

    fn store(&mut self, _: &Finished, _: &dyn Fn() -> Result<Values, GpuError>) -> Result<(), GpuError> {
        Ok(())
    }
}

/// The values of a slice in the GPU's memory.
struct Stored {
    name: Name,
    verdicts: CudaSlice<u32>,
    plies: Option<CudaSlice<u8>>,
}

/// Tables in the memory of a GPU.
pub struct Endings {
    device: Device,
    plan: Plan,
    stored: BTreeMap<u32, Stored>,
    described: Vec<Slice>,
    slices: CudaSlice<Slice>,
    choose: CudaSlice<u32>,
    sets: Vec<CudaSlice<u32>>,
}

impl Endings {
    /// Builds all slices of a plan. Those that the shelf has are taken from there, the others are put there.
    pub fn build(
        device: Device,
        plan: Plan,
        work: &Work<'_>,
        shelf: &mut dyn Shelf,
        each: &mut dyn FnMut(&Finished),
    ) -> Result<Endings, GpuError> {
        plan.check(device.free_memory()?)?;
        let mut endings = Endings::empty(device, plan)?;
        let mut workshop = Workshop::new(&endings.device, plan)?;
        let mut done = 0;
        let mut layer = (0, 0);
        for group in plan.groups() {
            let Some(material) = group.first().copied().map(Material::of) else { continue };
            if layer != (material.pieces(), material.all_men()) {
                layer = (material.pieces(), material.all_men());
                endings.drop_before(material);
            }
            for slice in &group {
                endings.begin(*slice)?;
            }
            let known = endings.load(&group, shelf)?;
            if !known {
                endings.solve(&mut workshop, &group, work, &mut done)?;
            }
            for slice in &group {
                let wrong = if plan.check { endings.wrong_in(*slice)? } else { 0 };
                let finished = Finished { wrong, ..endings.sum_up(&mut workshop, *slice)? };
                if !known {
                    shelf.store(&finished, &|| endings.values(*slice))?;
                }
                each(&finished);
            }
        }
        Ok(endings)
    }

    fn empty(device: Device, plan: Plan) -> Result<Endings, GpuError> {
        let mut described = vec![Slice::default(); SLICES];
        for slice in plan.groups().flatten() {
            let material = Material::of(slice);
            described[material.place() as usize] = material.described();
        }
        let stream = &device.stream;
        let slices = stream.clone_htod(&described)?;
        let choose = stream.clone_htod(&choices())?;
        let sets = (0..plan.pieces).map(|size| stream.clone_htod(&sets(size))).collect::<Result<_, _>>()?;
        Ok(Endings { device, plan, stored: BTreeMap::new(), described, slices, choose, sets })
    }

    /// Makes room for a slice.
    fn begin(&mut self, slice: Name) -> Result<(), GpuError> {
        let material = Material::of(slice);
        let words = material.positions().div_ceil(16);
        let verdicts = self.device.stream.alloc_zeros::<u32>(words as usize)?;
        let plies = if self.plan.distances { Some(room::<u8>(&self.device, 16 * words)?) } else { None };
        let described = &mut self.described[material.place() as usize];
        described.verdicts = address(&verdicts, &self.device.stream);
        described.plies = address_of(plies.as_ref(), &self.device.stream);
        self.stored.insert(material.place(), Stored { name: slice, verdicts, plies });
        self.device.stream.memcpy_htod(&self.described, &mut self.slices)?;
        Ok(())
    }

    /// Lets go of slices that nothing leads to any more: a crowning leads to one man fewer.
    fn drop_before(&mut self, material: Material) {
        if self.plan.keep || material.pieces() < self.plan.pieces {
            return;
        }
        self.stored.retain(|_, stored| {
            let old = Material::of(stored.name);
            old.pieces() < material.pieces() || old.all_men() + 1 >= material.all_men()
        });
    }

    fn load(&mut self, group: &[Name], shelf: &mut dyn Shelf) -> Result<bool, GpuError> {
        let mut all = Vec::new();
        for slice in group {
            let Some(values) = shelf.load(*slice)? else { return Ok(false) };
            all.push(values);
        }
        for (slice, values) in group.iter().zip(all) {
            let Some(place) = self.stored.get_mut(&Material::of(*slice).place()) else { continue };
            let mut words: Vec<u32> = values
                .verdicts
                .chunks(4)
                .map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)))
                .collect();
            words.resize(place.verdicts.len(), 0);
            self.device.stream.memcpy_htod(&words, &mut place.verdicts)?;
            if let Some(plies) = &mut place.plies {
                let mut bytes = values.plies;
                bytes.resize(plies.len(), 0);
                self.device.stream.memcpy_htod(&bytes, plies)?;
            }
        }
        Ok(true)
    }

    fn tables(&self) -> Tables {
        let stream = &self.device.stream;
        Tables { choose: address(&self.choose, stream), slices: address(&self.slices, stream) }
    }

    fn all_sets(&self) -> Sets {
        let mut sets = Sets::default();
        for (size, list) in self.sets.iter().enumerate() {
            sets.by_size[size] = address(list, &self.device.stream);
        }
        sets
    }

    /// Solves a group whose every move out of it is known.
    fn solve(
        &self,
        workshop: &mut Workshop,
        group: &[Name],
        work: &Work<'_>,
        done: &mut u64,
    ) -> Result<(), GpuError> {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return Ok(()) };
        let (material, turned, same) = (Material::of(*first), Material::of(*last), group.len() == 1);
        let (placements, levels) = self.list_levels(workshop, material, turned, same)?;
        let king_ways = material.king_ways();
        let mut batch = workshop.batch(&self.device);
        batch.placements = address(&placements, &self.device.stream);
        batch.half = [self.half(material), self.half(turned)];
        batch.king_ways = king_ways as u32;
        batch.same = u32::from(same);
        let (mut at, mut stretch) = (0, 0);
        for level in levels {
            let mut left = level;
            while left > 0 {
                batch.first = at;
                batch.count = left.min(blocks_in_batch(king_ways));
                batch.positions = batch.count * 2 * batch.king_ways;
                left -= batch.count;
                at += batch.count;
                workshop.run(&self.device, &batch, self.tables(), material)?;
                stretch += u64::from(batch.positions);
                if stretch >= STRETCH {
                    self.device.stream.synchronize()?;
                    *done += std::mem::take(&mut stretch);
                    tell(work, *done, self.plan)?;
                }
            }
        }
        self.device.stream.synchronize()?;
        *done += stretch;
        tell(work, *done, self.plan)
    }

    fn half(&self, material: Material) -> Half {
        let set =
            |size: u32| self.sets.get(size as usize).map_or(0, |list| address(list, &self.device.stream));
        Half {
            sets: set(material.kings),
            other_sets: set(material.other_kings),
            men: material.men,
            kings: material.kings,
            other_men: material.other_men,
            other_kings: material.other_kings,
            other_ways: material.other_ways() as u32,
            slice: material.place(),
        }
    }

    /// The men's placements of a group, the most advanced first, and how many each level has.
    fn list_levels(
        &self,
        workshop: &mut Workshop,
        material: Material,
        turned: Material,
        same: bool,
    ) -> Result<(CudaSlice<[u32; 4]>, Vec<u32>), GpuError> {
        let (device, all) = (&self.device, material.placements());
        let placements = room::<[u32; 4]>(device, all)?;
        let listing = Listing {
            sets: self.all_sets(),
            out: address(&placements, &device.stream),
            before: [material.described().before, turned.described().before],
            men: material.men,
            other_men: material.other_men,
            placements: all as u32,
            same: u32::from(same),
        };
        let mut levels = device.stream.alloc_zeros::<u32>(LEVELS)?;
        let grid = device.grid(all);
        // SAFETY: the arguments are those of the kernel, the room is as large as it says.
        unsafe {
            let mut launch = device.stream.launch_builder(&workshop.count_levels);
            launch.arg(&listing).arg(&self.choose).arg(&mut levels).launch(grid)?;
        }
        let counts = device.stream.clone_dtoh(&levels)?;
        let mut starts = vec![0; LEVELS];
        for level in (0..LEVELS - 1).rev() {
            starts[level] = starts[level + 1] + counts[level + 1];
        }
        device.stream.memcpy_htod(&starts, &mut levels)?;
        // SAFETY: as above.
        unsafe {
            let mut launch = device.stream.launch_builder(&workshop.list_levels);
            launch.arg(&listing).arg(&self.choose).arg(&mut levels).launch(grid)?;
        }
        Ok((placements, counts.into_iter().rev().collect()))
    }

    fn sum_up(&self, workshop: &mut Workshop, slice: Name) -> Result<Finished, GpuError> {
        let (device, positions) = (&self.device, Material::of(slice).positions());
        let stored = self.stored(slice);
        let mut sums = device.stream.alloc_zeros::<Sums>(1)?;
        let verdicts = stored.map_or(0, |stored| address(&stored.verdicts, &device.stream));
        let plies = address_of(stored.and_then(|stored| stored.plies.as_ref()), &device.stream);
        // SAFETY: the arguments are those of the kernel; the slice is as long as its positions.
        unsafe {
            let mut launch = device.stream.launch_builder(&workshop.sum_up);
            launch.arg(&verdicts).arg(&plies).arg(&positions).arg(&mut sums);
            launch.launch(device.grid(positions / 16))?;
        }
        let sums = device.stream.clone_dtoh(&sums)?.first().copied().unwrap_or_default();
        let Sums { wins, losses, digest, longest } = sums;
        Ok(Finished { slice, positions, wins, losses, digest, longest: longest as u16, wrong: 0 })
    }

    fn stored(&self, slice: Name) -> Option<&Stored> {
        self.stored.get(&Material::of(slice).place())
    }

    /// The plan they were built by.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// The slices that are still there, in the order of building.
    pub fn slices(&self) -> Vec<Name> {
        self.plan.groups().flatten().filter(|slice| self.stored(*slice).is_some()).collect()
    }

    /// A copy of the values of a slice.
    pub fn values(&self, slice: Name) -> Result<Values, GpuError> {
        let Some(stored) = self.stored(slice) else { return Ok(Values::default()) };
        let positions = Material::of(slice).positions() as usize;
        let words = self.device.stream.clone_dtoh(&stored.verdicts)?;
        let mut verdicts: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        verdicts.truncate(positions.div_ceil(4));
        let mut plies = match &stored.plies {
            Some(plies) => self.device.stream.clone_dtoh(plies)?,
            None => Vec::new(),
        };
        plies.truncate(positions);
        Ok(Values { verdicts, plies })
    }

    /// Works every value of a slice out again from all its moves; how many are wrong.
    pub fn wrong_in(&self, slice: Name) -> Result<u64, GpuError> {
        let material = Material::of(slice);
        let check = Check {
            sets: self.all_sets(),
            positions: material.positions(),
            men: material.men,
            kings: material.kings,
            other_men: material.other_men,
            other_kings: material.other_kings,
            slice: material.place(),
            unused: 0,
        };
        let kernel =
            self.device.kernel(if self.plan.distances { "check_distances" } else { "check_slice" })?;
        let mut wrong = self.device.stream.alloc_zeros::<u64>(1)?;
        let tables = self.tables();
        // SAFETY: the arguments are those of the kernel; all slices that moves lead to are there.
        unsafe {
            let mut launch = self.device.stream.launch_builder(&kernel);
            launch.arg(&check).arg(&tables).arg(&mut wrong).launch(self.device.grid(material.positions()))?;
        }
        Ok(self.device.stream.clone_dtoh(&wrong)?.first().copied().unwrap_or(0))
    }

    /// The values of places, all asked at once; `None` where the slice is not there.
    pub fn ask(&self, spots: &[Spot]) -> Result<Vec<Option<Value>>, GpuError> {
        let there = |spot: &Spot| {
            self.stored(spot.slice).is_some() && spot.index < Material::of(spot.slice).positions()
        };
        let question = |spot: &Spot| u64::from(Material::of(spot.slice).place()) << 48 | spot.index;
        let questions: Vec<u64> = spots.iter().filter(|spot| there(spot)).map(question).collect();
        if questions.is_empty() {
            return Ok(vec![None; spots.len()]);
        }
        let stream = &self.device.stream;
        let (asked, number) = (stream.clone_htod(&questions)?, questions.len() as u32);
        let mut answers = stream.alloc_zeros::<u32>(questions.len())?;
        let distances = u32::from(self.plan.distances);
        let kernel = self.device.kernel("ask")?;
        // SAFETY: the arguments are those of the kernel; every place asked for is in a slice that is there.
        unsafe {
            let mut launch = stream.launch_builder(&kernel);
            launch.arg(&self.slices).arg(&asked).arg(&number).arg(&distances).arg(&mut answers);
            launch.launch(self.device.grid(number.into()))?;
        }
        let mut answers = stream.clone_dtoh(&answers)?.into_iter();
        Ok(spots
            .iter()
            .map(|spot| {
                if there(spot) {
                    answers.next().map(|answer| value(answer, self.plan.distances))
                } else {
                    None
                }
            })
            .collect())
    }
}

/// As [`Probe`](tabia_core::Probe) has it: without distances, wins and losses are in 0.
fn value(answer: u32, distances: bool) -> Value {
    let plies = (answer >> 2) as u16 * 2;
    match answer & 3 {
        0 => Value::Draw,
        1 => Value::Loss(plies),
        _ => Value::Win(plies + u16::from(distances)),
    }
}

fn tell(work: &Work<'_>, done: u64, plan: Plan) -> Result<(), GpuError> {
    (work.progress)(&Progress::positions("all slices", done, Some(plan.positions)));
    if work.is_stopped() { Err(GpuError::Stopped) } else { Ok(()) }
}

/// The name of a slice, as files and people have it.
pub fn name(slice: Name) -> String {
    Draughts::default().slice_name(slice)
}
