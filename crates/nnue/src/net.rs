//! The network in whole numbers, and its file.
//!
//! ```text
//!   inputs of the side to move  --first-->  sums (hidden)  --clip, square--\
//!                                                                          second[bucket] --> value
//!   inputs of the other side    --first-->  sums (hidden)  --clip, square--/
//! ```
//!
//! Both sides use the same first layer. A sum is clipped to 0..=255 (that is 0 to 1) and squared; the second layer is
//! one of a few, by how full the board is. Its output times `scale` is the value in hundredths. A network may have a second
//! [head](crate::head) that says which moves look good. Files are written as the fourth version; earlier ones are read.

use crate::coding;
use crate::folds::{self, put_together, tell_apart};
use crate::head::{Head, WIDTH};
use crate::layout::{Input, put_text, seal, unsealed};
use crate::wiring::Wiring;
use flate2::read::DeflateDecoder;
use std::io::Read;
use std::path::Path;
use tabia_core::Features;
use thiserror::Error;
use wide::{i16x16, i32x8};

/// 1 in the first layer and in sums.
pub const FIRST_ONE: i32 = 255;
/// 1 in the second layer.
pub const SECOND_ONE: i32 = 64;
/// The largest weight, so that one of the second layer fits into eight bits.
pub const MOST_WEIGHT: f32 = 127.0 / SECOND_ONE as f32;
/// Hidden sums come in groups of so many.
pub const GROUP: usize = 16;
/// The most hidden sums: more could leave 32 bits in the second layer.
pub const MOST_HIDDEN: usize = 256;

const MAGIC: &[u8; 8] = b"TABIANET";
/// The version of a file without a head, and with one.
const VERSION: u16 = 1;
const VERSION_WITH_HEAD: u16 = 2;
/// The version of a file whose inputs come in several folds, with a head or without.
const VERSION_WITH_FOLDS: u16 = 3;
/// The version of a file whose weights are coded by how large their neighbours are, with folds and a head or without.
const VERSION_CODED: u16 = 4;

/// Why a file is not the network that was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("this is no {0} of Tabia: it begins with other bytes")]
    Foreign(&'static str),
    /// It was written by a newer program.
    #[error("this file has version {0}, which this program cannot read")]
    Version(u16),
    /// It ends too early.
    #[error("the file ends too early")]
    Short,
    /// It is not as it was written.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
    /// It belongs to another game.
    #[error("it was made for {found}, not for {wanted}")]
    Game {
        /// The variant it is for.
        found: String,
        /// The variant that was wanted.
        wanted: String,
    },
    /// The features of the game have changed since.
    #[error("it was made for other features of {0}: train it anew")]
    Features(String),
    /// The training was stopped, or there is nothing to learn from.
    #[error("{0}")]
    Nothing(&'static str),
}

/// The shape of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The rules it judges, as [`tabia_core::Game::variant`] writes them.
    pub variant: String,
    /// [`crate::Wiring::fingerprint`] of the game.
    pub fingerprint: u64,
    /// Inputs of a side.
    pub inputs: usize,
    /// Sums of a side; a multiple of [`GROUP`].
    pub hidden: usize,
    /// Second layers.
    pub buckets: usize,
    /// Features of a full board, which divide positions among the buckets.
    pub full: usize,
}

impl Shape {
    /// The shape of a network for a game.
    pub fn of<G: Features>(game: &G, hidden: usize, buckets: usize) -> Self {
        let wiring = Wiring::of(game);
        let mut set = vec![0; wiring.words()];
        game.feature_set(&game.start(), &mut set);
        let start: u32 = set.iter().map(|word| word.count_ones()).sum();
        let hidden = hidden.clamp(1, MOST_HIDDEN).next_multiple_of(GROUP);
        Shape {
            variant: game.variant(),
            fingerprint: wiring.fingerprint(game),
            inputs: wiring.inputs(),
            hidden,
            buckets: buckets.clamp(1, 64),
            // Boards that fill up begin with nothing on them.
            full: if start == 0 { game.geometry().cells.len() } else { start as usize },
        }
    }

    /// Which second layer judges a position with so many features.
    #[inline]
    pub fn bucket(&self, features: usize) -> usize {
        (features * self.buckets / (self.full + 1)).min(self.buckets - 1)
    }
}

/// A network ready to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    pub(crate) shape: Shape,
    /// Hundredths for an output of 1.
    pub(crate) scale: i32,
    /// Rows of `hidden` weights, one for each input.
    pub(crate) first: Vec<i16>,
    pub(crate) first_bias: Vec<i16>,
    /// For each bucket `hidden` weights for the side to move, then for the other.
    pub(crate) second: Vec<i16>,
    /// In units of both layers together.
    pub(crate) second_bias: Vec<i32>,
    pub(crate) head: Option<Head>,
    /// In how many folds the inputs come, which makes the file smaller and changes no value.
    pub(crate) folds: usize,
}

impl Net {
    /// What it is made for.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The head that says which moves look good, where it has one.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// The same network with another head, or with none.
    #[must_use]
    pub fn with_head(self, head: Option<Head>) -> Net {
        Net { head, ..self }
    }

    /// The same network with folds that differ from the first by even numbers: half as fine is fine enough for what they
    /// know by themselves, and the file is a seventh smaller.
    #[must_use]
    pub fn with_even_folds(self) -> Net {
        self.coarser(1, 2)
    }

    /// The same network with weights of inputs that are multiples of `first`, in the first fold, and differ from those by multiples
    /// of `others`, in the others: a smaller file.
    #[must_use]
    pub fn coarser(mut self, first: u16, others: u16) -> Net {
        folds::coarsen(&mut self.first, self.folds, first, others);
        self
    }

    /// The weights of one input.
    #[inline]
    pub(crate) fn row(&self, input: usize) -> &[i16] {
        let hidden = self.shape.hidden;
        &self.first[input * hidden..(input + 1) * hidden]
    }

    /// The value for the side to move, from the sums of both sides.
    #[inline]
    pub(crate) fn value(&self, own: &[i16], other: &[i16], bucket: usize) -> i32 {
        let hidden = self.shape.hidden;
        let second = &self.second[2 * hidden * bucket..2 * hidden * (bucket + 1)];
        let (for_own, for_other) = second.split_at(hidden);
        let sum = i64::from(squared(own, for_own)) + i64::from(squared(other, for_other));
        let output = sum / i64::from(FIRST_ONE) + i64::from(self.second_bias[bucket]);
        (output * i64::from(self.scale) / i64::from(FIRST_ONE * SECOND_ONE)).clamp(-20_000, 20_000) as i32
    }

    /// The bytes of its file: everything is sealed by a checksum, and the weights are coded in few bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION_CODED.to_le_bytes());
        put_text(&mut out, &self.shape.variant);
        out.extend_from_slice(&self.shape.fingerprint.to_le_bytes());
        for number in [self.shape.inputs, self.shape.hidden, self.shape.buckets, self.shape.full] {
            out.extend_from_slice(&(number as u32).to_le_bytes());
        }
        out.extend_from_slice(&(self.scale as u32).to_le_bytes());
        let width = if self.head.is_some() { WIDTH } else { 0 };
        for number in [self.folds, width] {
            out.extend_from_slice(&(number as u32).to_le_bytes());
        }
        out.extend(self.second_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let (mut first, mut first_bias, mut second) =
            (self.first.clone(), self.first_bias.clone(), self.second.clone());
        tell_apart(&mut first, self.folds);
        let mut head: Vec<i16> = self.head.iter().flat_map(Head::weights).map(i16::from).collect();
        let hidden = self.shape.hidden;
        let parts = [&mut first, &mut first_bias, &mut second, &mut head];
        coding::put(&mut out, &mut parts.map(|part| (&mut part[..], hidden)));
        seal(out)
    }

    /// The network that a file holds.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetError::Foreign("network"));
        }
        let mut input = Input(unsealed(bytes)?);
        input.take(MAGIC.len())?;
        let version = input.u16()?;
        if !(VERSION..=VERSION_CODED).contains(&version) {
            return Err(NetError::Version(version));
        }
        let (variant, fingerprint) = (input.text()?, input.u64()?);
        let mut number = || input.u32().map(|number| number as usize);
        let (inputs, hidden, buckets, full, scale) = (number()?, number()?, number()?, number()?, number()?);
        let shape = Shape { variant, fingerprint, inputs, hidden, buckets, full };
        let sound = hidden > 0 && hidden % GROUP == 0 && hidden <= MOST_HIDDEN;
        if !sound || !(1..=64).contains(&buckets) || inputs >= 1 << 16 || scale >= 1 << 16 || full >= 1 << 16
        {
            return Err(NetError::Damaged("no network has such a shape"));
        }
        let folds = if version >= VERSION_WITH_FOLDS { input.u32()? as usize } else { 1 };
        if folds == 0 || version == VERSION_WITH_FOLDS && folds == 1 || !shape.inputs.is_multiple_of(folds) {
            return Err(NetError::Damaged("no network has so many folds"));
        }
        let width = if version == VERSION { 0 } else { input.u32()? as usize };
        if width != WIDTH && (width != 0 || version == VERSION_WITH_HEAD) {
            return Err(NetError::Damaged("no head has such a shape"));
        }
        let mut weights = Weights::empty(&shape, width);
        if version == VERSION_CODED {
            weights.take_coded(&mut input, &shape, folds)?;
        } else {
            weights.take_packed(input.0, folds)?;
        }
        weights.net(shape, scale as i32, folds, width > 0)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Net, NetError> {
        Net::from_bytes(&read_file(path)?)
    }

    /// Writes a file: beside its place first, so that there is never half of one.
    pub fn write(&self, path: &Path) -> Result<(), NetError> {
        write_file(path, &self.to_bytes())
    }
}

/// The weights of a file.
struct Weights {
    first: Vec<i16>,
    first_bias: Vec<i16>,
    second: Vec<i16>,
    second_bias: Vec<i32>,
    head: Vec<i16>,
}

impl Weights {
    fn empty(shape: &Shape, width: usize) -> Self {
        let &Shape { inputs, hidden, buckets, .. } = shape;
        Weights {
            first: vec![0; inputs * hidden],
            first_bias: vec![0; hidden],
            second: vec![0; 2 * hidden * buckets],
            second_bias: vec![0; buckets],
            head: vec![0; width * Head::len(inputs, hidden)],
        }
    }

    /// Reads the weights of the fourth version.
    fn take_coded(&mut self, input: &mut Input<'_>, shape: &Shape, folds: usize) -> Result<(), NetError> {
        for bias in &mut self.second_bias {
            *bias = input.u32()? as i32;
        }
        let parts = [&mut self.first, &mut self.first_bias, &mut self.second, &mut self.head];
        coding::take(input.0, &mut parts.map(|part| (&mut part[..], shape.hidden)))?;
        put_together(&mut self.first, folds);
        Ok(())
    }

    /// Reads the weights of the versions before: low bytes and high bytes apart, compressed.
    fn take_packed(&mut self, packed: &[u8], folds: usize) -> Result<(), NetError> {
        let small = self.first.len() + self.first_bias.len() + self.second.len();
        let most = 2 * small + 4 * self.second_bias.len() + self.head.len();
        let mut bytes = Vec::new();
        let read = DeflateDecoder::new(packed).take(most as u64 + 1).read_to_end(&mut bytes);
        if read.is_err() || bytes.len() != most {
            return Err(NetError::Damaged("its weights are too few or too many"));
        }
        let (low, rest) = bytes.split_at(small);
        let (high, rest) = rest.split_at(small);
        let (biases, head) = rest.split_at(4 * self.second_bias.len());
        let places = self.first.iter_mut().chain(&mut self.first_bias).chain(&mut self.second);
        for (place, (&low, &high)) in places.zip(low.iter().zip(high)) {
            *place = i16::from_le_bytes([low, high]);
        }
        for (place, bias) in self.second_bias.iter_mut().zip(biases.as_chunks().0) {
            *place = i32::from_le_bytes(*bias);
        }
        self.head.iter_mut().zip(head).for_each(|(place, &weight)| *place = i16::from(weight as i8));
        if folds > 1 {
            // Small numbers of either sign were written as small numbers: 0, -1, 1, -2 as 0, 1, 2, 3.
            let signed = |weight: i16| (weight as u16 >> 1) as i16 ^ -(weight & 1);
            self.first.iter_mut().for_each(|weight| *weight = signed(*weight));
            put_together(&mut self.first, folds);
        }
        Ok(())
    }

    /// The network with these weights.
    fn net(self, shape: Shape, scale: i32, folds: usize, has_head: bool) -> Result<Net, NetError> {
        let Weights { first, first_bias, second, second_bias, head } = self;
        let head: Result<Vec<i8>, _> = head.into_iter().map(i8::try_from).collect();
        let head = head.ok().filter(|_| second.iter().all(|weight| weight.unsigned_abs() <= 127));
        let head = head.ok_or(NetError::Damaged("a weight is too large"))?;
        let head = has_head.then(|| Head::of(&head, shape.hidden));
        Ok(Net { shape, scale, first, first_bias, second, second_bias, head, folds })
    }
}

/// The sum of clipped, squared and weighted sums. (Left to itself the compiler takes one number of each of eight groups at a time,
/// which took five times as long.)
#[inline]
fn squared(sums: &[i16], weights: &[i16]) -> i32 {
    let (sums, weights) = (sums.as_chunks::<GROUP>().0, weights.as_chunks::<GROUP>().0);
    let (zero, one) = (i16x16::ZERO, i16x16::splat(FIRST_ONE as i16));
    let mut total = i32x8::ZERO;
    for (&sums, &weights) in sums.iter().zip(weights) {
        let clipped = i16x16::new(sums).max(zero).min(one);
        // At most 255 * 127: it fits.
        total += (clipped * i16x16::new(weights)).dot(clipped);
    }
    total.reduce_add()
}

pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, NetError> {
    tabia_disk::read(path).map_err(|source| NetError::File { path: path.display().to_string(), source })
}

pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), NetError> {
    let wrap = |source| NetError::File { path: path.display().to_string(), source };
    let beside = path.with_extension("part");
    std::fs::write(&beside, bytes).map_err(wrap)?;
    tabia_disk::rename(&beside, path).map_err(wrap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use std::io::Write;
    use tabia_core::SplitMix64;

    /// A file of one of the first three versions, as they were written.
    fn earlier(net: &Net, version: u16) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&version.to_le_bytes());
        put_text(&mut out, &net.shape.variant);
        out.extend_from_slice(&net.shape.fingerprint.to_le_bytes());
        let Shape { inputs, hidden, buckets, full, .. } = net.shape;
        let width = if net.head.is_some() { WIDTH } else { 0 };
        let numbers = [inputs, hidden, buckets, full, net.scale as usize];
        let more = [net.folds, width];
        let more = &more[match version {
            1 => 2,
            2 => 1,
            _ => 0,
        }..];
        numbers.iter().chain(more).for_each(|number| out.extend_from_slice(&(*number as u32).to_le_bytes()));
        let mut first = net.first.clone();
        tell_apart(&mut first, net.folds);
        if net.folds > 1 {
            first.iter_mut().for_each(|weight| *weight = *weight << 1 ^ *weight >> 15);
        }
        let small = || first.iter().chain(&net.first_bias).chain(&net.second);
        let mut weights: Vec<u8> = small().map(|weight| weight.to_le_bytes()[0]).collect();
        weights.extend(small().map(|weight| weight.to_le_bytes()[1]));
        weights.extend(net.second_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        weights.extend(net.head.iter().flat_map(|head| head.weights().map(|weight| weight as u8)));
        let mut packer = DeflateEncoder::new(&mut out, Compression::best());
        packer.write_all(&weights).unwrap();
        packer.finish().unwrap();
        seal(out)
    }

    fn random_net(rng: &mut SplitMix64, folds: usize, has_head: bool) -> Net {
        let (inputs, hidden, buckets) = (12 * folds, 2 * GROUP, 3);
        let shape = Shape { variant: "game".to_owned(), fingerprint: 5, inputs, hidden, buckets, full: 9 };
        let mut small = |many: usize, bits: u32| -> Vec<i16> {
            (0..many).map(|_| (rng.next() as i16) >> (16 - bits)).collect()
        };
        let head: Vec<i8> =
            small(WIDTH * Head::len(inputs, hidden), 8).into_iter().map(|weight| weight as i8).collect();
        Net {
            first: small(inputs * hidden, 16),
            first_bias: small(hidden, 16),
            second: small(2 * hidden * buckets, 7),
            second_bias: vec![i32::MIN, -1, i32::MAX],
            head: has_head.then(|| Head::of(&head, hidden)),
            scale: 100,
            folds,
            shape,
        }
    }

    #[test]
    fn files_of_all_versions_are_read() {
        let mut rng = SplitMix64::new(6);
        for (folds, has_head, version) in [(1, false, 1), (1, true, 2), (3, false, 3), (3, true, 3)] {
            let net = random_net(&mut rng, folds, has_head);
            assert_eq!(Net::from_bytes(&earlier(&net, version)).unwrap(), net, "version {version}");
            assert_eq!(Net::from_bytes(&net.to_bytes()).unwrap(), net);
        }
    }
}
