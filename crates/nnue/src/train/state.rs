//! A training as a file, to be continued.
//!
//! ```text
//!   magic "TABIATRN", version u16, variant, fingerprint u64, inputs, hidden, buckets u32, epochs u32, steps u32,
//!   scale f32; weights, means, squares: f32 each; seen: a byte for each input; checksum u32
//! ```

use super::adam::Adam;
use super::model::Model;
use super::{Trainer, TrainingOptions};
use crate::layout::{Input, put_text, seal, unsealed};
use crate::net::{NetError, Shape, read_file, write_file};
use std::path::Path;

const MAGIC: &[u8; 8] = b"TABIATRN";
const VERSION: u16 = 1;

fn head(shape: &Shape) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    put_text(&mut out, &shape.variant);
    out.extend_from_slice(&shape.fingerprint.to_le_bytes());
    for number in [shape.inputs, shape.hidden, shape.buckets] {
        out.extend_from_slice(&(number as u32).to_le_bytes());
    }
    out
}

pub(super) fn write(trainer: &Trainer, path: &Path) -> Result<(), NetError> {
    let mut out = head(&trainer.model.shape);
    out.extend_from_slice(&trainer.epochs.to_le_bytes());
    out.extend_from_slice(&trainer.adam.steps.to_le_bytes());
    out.extend_from_slice(&trainer.scale.to_le_bytes());
    for numbers in [&trainer.model.weights, &trainer.adam.means, &trainer.adam.squares] {
        out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    out.extend(trainer.model.seen.iter().map(|&seen| u8::from(seen)));
    write_file(path, &seal(out))
}

pub(super) fn read(path: &Path, shape: Shape, options: TrainingOptions) -> Result<Trainer, NetError> {
    let bytes = read_file(path)?;
    if !bytes.starts_with(MAGIC) {
        return Err(NetError::Foreign("training"));
    }
    let (body, head) = (unsealed(&bytes)?, head(&shape));
    let mut input =
        Input(body.strip_prefix(&head[..]).ok_or_else(|| NetError::Features(shape.variant.clone()))?);
    let (epochs, steps, scale) = (input.u32()?, input.u32()?, f32::from_bits(input.u32()?));
    let mut model = Model::new(shape, options.folds, options.seed);
    let mut adam = Adam::new(model.weights.len());
    for numbers in [&mut model.weights, &mut adam.means, &mut adam.squares] {
        for number in numbers.iter_mut() {
            *number = f32::from_bits(input.u32()?);
        }
    }
    for seen in &mut model.seen {
        *seen = input.u8()? != 0;
    }
    adam.steps = steps;
    Ok(Trainer { model, adam, scale, epochs, options })
}
