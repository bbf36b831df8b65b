//! The kernels of a build, the room they share, and the order in which they solve a batch.

use crate::device::Device;
use crate::error::GpuError;
use crate::material::Material;
use crate::plan::Plan;
use crate::shared::{Batch, PLIES, Tables};
use cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, LaunchConfig, PushKernelArg,
};

/// The last ply at which a position may be due.
const MOST_PLIES: usize = PLIES - 1;

/// The kernels of a build, and the room they share.
pub(crate) struct Workshop {
    pub(crate) count_levels: CudaFunction,
    pub(crate) list_levels: CudaFunction,
    look: CudaFunction,
    tell_fresh: CudaFunction,
    tell_on: CudaFunction,
    list_waiting: CudaFunction,
    tell_by_plies: CudaFunction,
    keep: CudaFunction,
    pub(crate) sum_up: CudaFunction,
    states: CudaSlice<u8>,
    plies: Option<CudaSlice<u8>>,
    queue: CudaSlice<u32>,
    waiting: Option<CudaSlice<u32>>,
    starts: CudaSlice<u32>,
    ends: CudaSlice<u32>,
    tail: CudaSlice<u32>,
    meeting: CudaSlice<u32>,
    /// As many blocks of threads as run at once: those of `tell_on` wait for each other.
    meeting_blocks: u32,
}

/// Where something is in the GPU's memory.
pub(crate) fn address<T>(slice: &CudaSlice<T>, stream: &CudaStream) -> u64 {
    slice.device_ptr(stream).0
}

pub(crate) fn address_of<T>(slice: Option<&CudaSlice<T>>, stream: &CudaStream) -> u64 {
    slice.map_or(0, |slice| address(slice, stream))
}

/// Room whose first use writes it.
pub(crate) fn room<T: DeviceRepr>(device: &Device, len: u64) -> Result<CudaSlice<T>, GpuError> {
    // SAFETY: kernels write every place before any reads it.
    Ok(unsafe { device.stream.alloc::<T>(len.max(1) as usize)? })
}

impl Workshop {
    pub(crate) fn new(device: &Device, plan: Plan) -> Result<Workshop, GpuError> {
        let len = plan.batch_len();
        let (tell_on, tell_by_plies) = (device.kernel("tell_on")?, device.kernel("tell_by_plies")?);
        let meeting_blocks = device.running(if plan.distances { &tell_by_plies } else { &tell_on })?;
        Ok(Workshop {
            count_levels: device.kernel("count_levels")?,
            list_levels: device.kernel("list_levels")?,
            look: device.kernel(if plan.distances { "look_distances" } else { "look" })?,
            tell_fresh: device.kernel("tell_fresh")?,
            tell_on,
            list_waiting: device.kernel("list_waiting")?,
            tell_by_plies,
            keep: device.kernel("keep")?,
            sum_up: device.kernel("sum_up")?,
            states: room(device, len)?,
            plies: if plan.distances { Some(room(device, len)?) } else { None },
            queue: room(device, len)?,
            waiting: if plan.distances { Some(room(device, len)?) } else { None },
            starts: device.stream.alloc_zeros(PLIES + 1)?,
            ends: device.stream.alloc_zeros(PLIES + 1)?,
            tail: device.stream.alloc_zeros(1)?,
            meeting: device.stream.alloc_zeros(4)?,
            meeting_blocks,
        })
    }

    pub(crate) fn batch(&self, device: &Device) -> Batch {
        let stream = &device.stream;
        Batch {
            states: address(&self.states, stream),
            plies: address_of(self.plies.as_ref(), stream),
            queue: address(&self.queue, stream),
            tail: address(&self.tail, stream),
            waiting: address_of(self.waiting.as_ref(), stream),
            starts: address(&self.starts, stream),
            ..Batch::default()
        }
    }

    /// Solves a batch and keeps its values.
    pub(crate) fn run(
        &mut self,
        device: &Device,
        batch: &Batch,
        tables: Tables,
        material: Material,
    ) -> Result<(), GpuError> {
        let grid = device.grid(batch.positions.into());
        let meeting = LaunchConfig { grid_dim: (grid.grid_dim.0.min(self.meeting_blocks), 1, 1), ..grid };
        let stream = &device.stream;
        stream.memset_zeros(&mut self.tail)?;
        if self.waiting.is_some() {
            return self.run_by_plies(device, batch, tables, grid, meeting);
        }
        // SAFETY: the arguments are those of the kernels; the batch fits into the room that was made for the largest.
        unsafe {
            stream.launch_builder(&self.look).arg(batch).arg(&tables).launch(grid)?;
            if material.kings + material.other_kings > 0 {
                stream.launch_builder(&self.tell_fresh).arg(batch).arg(&tables).launch(grid)?;
            }
            if material.kings > 0 && material.other_kings > 0 {
                let mut launch = stream.launch_builder(&self.tell_on);
                launch.arg(batch).arg(&tables).arg(&mut self.meeting).launch_cooperative(meeting)?;
            }
        }
        self.keep(device, batch, tables)
    }

    fn run_by_plies(
        &mut self,
        device: &Device,
        batch: &Batch,
        tables: Tables,
        grid: LaunchConfig,
        meeting: LaunchConfig,
    ) -> Result<(), GpuError> {
        let stream = &device.stream;
        stream.memset_zeros(&mut self.starts)?;
        // SAFETY: as above.
        unsafe { stream.launch_builder(&self.look).arg(batch).arg(&tables).launch(grid)? };
        let counts = stream.clone_dtoh(&self.starts)?;
        let mut starts = vec![0; PLIES + 1];
        for ply in 0..PLIES {
            starts[ply + 1] = starts[ply] + counts[ply];
        }
        let last = counts.iter().rposition(|count| *count > 0).unwrap_or(0).min(MOST_PLIES) as u32;
        stream.memcpy_htod(&starts, &mut self.starts)?;
        stream.memcpy_htod(&starts, &mut self.ends)?;
        // SAFETY: as above.
        unsafe {
            stream.launch_builder(&self.list_waiting).arg(batch).arg(&mut self.ends).launch(grid)?;
            let mut launch = stream.launch_builder(&self.tell_by_plies);
            launch.arg(batch).arg(&tables).arg(&mut self.meeting).arg(&last).launch_cooperative(meeting)?;
        }
        self.keep(device, batch, tables)
    }

    fn keep(&mut self, device: &Device, batch: &Batch, tables: Tables) -> Result<(), GpuError> {
        let words = 2 * u64::from(batch.count) * (u64::from(batch.king_ways) / 16 + 2);
        let distances = u32::from(self.waiting.is_some());
        // SAFETY: as above; the slices of both halves have room.
        unsafe {
            let mut launch = device.stream.launch_builder(&self.keep);
            launch.arg(batch).arg(&tables.slices).arg(&distances).launch(device.grid(words))?;
        }
        Ok(())
    }
}
