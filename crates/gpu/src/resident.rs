//! Tables that answer: from the processor's memory where they fit into it, from the GPU's where they do not.

use crate::device::Device;
use crate::endings::{Endings, NoShelf, Values};
use crate::error::GpuError;
use crate::plan::Plan;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tabia_core::{Index, Probe, ProbeError, Slice, Spot, Value, Work};
use tabia_draughts::{Draughts, State};

/// Tables in memory. A look into the processor's takes a tenth of a microsecond, a question to the GPU many: a search
/// looks into the first alone.
pub struct Resident {
    rules: Draughts,
    near: HashMap<Slice, Values>,
    far: Mutex<Endings>,
    distances: bool,
}

impl Resident {
    /// Builds the tables of a plan; slices are copied until so many bytes of the processor's memory are taken, those
    /// of few pieces first.
    pub fn build(
        device: Device,
        rules: Draughts,
        plan: Plan,
        memory: u64,
        work: &Work<'_>,
    ) -> Result<Self, GpuError> {
        let plan = Plan::new(plan.pieces, plan.side, plan.distances, true)?;
        let endings = Endings::build(device, plan, work, &mut NoShelf, &mut |_| ())?;
        let (mut near, mut taken) = (HashMap::new(), 0);
        for slice in endings.slices() {
            let len = rules.slice_len(slice);
            taken += len.div_ceil(4) + if plan.distances { len } else { 0 };
            if taken > memory {
                break;
            }
            near.insert(slice, endings.values(slice)?);
        }
        Ok(Resident { rules, near, far: Mutex::new(endings), distances: plan.distances })
    }

    /// The slices that a search looks into.
    pub fn near(&self) -> usize {
        self.near.len()
    }

    fn near_value(&self, spot: Spot) -> Option<Value> {
        let (values, at) = (self.near.get(&spot.slice)?, spot.index as usize);
        let plies = 2 * values.plies.get(at).copied().map_or(0, u16::from);
        Some(match values.verdicts.get(at / 4)? >> (2 * (at % 4)) & 3 {
            0 => Value::Draw,
            1 => Value::Loss(plies),
            _ => Value::Win(plies + u16::from(self.distances)),
        })
    }

    fn ended(&self, state: &State) -> Option<Value> {
        let outcome = tabia_core::Game::settled(&self.rules, state)?;
        Some(outcome.value_for(tabia_core::Game::side(&self.rules, state)))
    }
}

impl Probe<Draughts> for Resident {
    fn probe(&self, state: &State) -> Option<Value> {
        match self.rules.locate(state) {
            Some(spot) => self.near_value(spot),
            None => self.ended(state),
        }
    }

    fn try_probe(&self, state: &State) -> Result<Option<Value>, ProbeError> {
        let Some(spot) = self.rules.locate(state) else { return Ok(self.ended(state)) };
        if let Some(value) = self.near_value(spot) {
            return Ok(Some(value));
        }
        let far = self.far.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(far.ask(&[spot])?.pop().flatten())
    }

    fn has_distances(&self) -> bool {
        self.distances
    }
}
