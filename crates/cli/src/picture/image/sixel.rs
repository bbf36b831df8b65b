//! Pixels as sixels: bands of six rows, a character for six pixels of one colour.
//!
//! ```text
//! ESC P 0;1 q  "1;1;WIDTH;HEIGHT  #N;2;R;G;B ...     the colours, in hundredths
//!   #N !12~ ?@ $  #M ...  -                          a band: each colour over the others, then the next band
//! ESC \
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The most colours: as many as every terminal with sixels has.
const MOST: usize = 255;
/// Pixels more transparent than this are left out.
const SEEN: u8 = 128;

/// Red, green and blue.
type Rgb = [u8; 3];

/// Rows of pixels, four bytes each (red, green, blue, opacity).
pub(super) fn encode(width: usize, rgba: &[u8]) -> String {
    let pixels: Vec<Option<Rgb>> = rgba.chunks_exact(4).map(colour).collect();
    let palette = palette(pixels.iter().flatten());
    let numbers: HashMap<Rgb, u8> = numbered(&palette, pixels.iter().flatten());
    let indexed: Vec<Option<u8>> = pixels.iter().map(|pixel| numbers.get(pixel.as_ref()?).copied()).collect();
    let rows: Vec<&[Option<u8>]> = indexed.chunks(width.max(1)).collect();
    let mut out = format!("\x1bP0;1q\"1;1;{width};{}", rows.len());
    for (number, colour) in palette.iter().enumerate() {
        let [red, green, blue] = colour.map(|byte| (u16::from(byte) * 100 + 127) / 255);
        let _ = write!(out, "#{number};2;{red};{green};{blue}");
    }
    for band in rows.chunks(6) {
        write_band(band, &mut out);
    }
    out.push_str("\x1b\\");
    out
}

/// A pixel in steps of eight: neighbours that nobody tells apart become one.
fn colour(pixel: &[u8]) -> Option<Rgb> {
    let &[red, green, blue, opacity] = pixel else { return None };
    (opacity >= SEEN).then(|| [red, green, blue].map(|byte| byte & 0xf8 | byte >> 5))
}

/// The colours that are seen most.
fn palette<'a>(pixels: impl Iterator<Item = &'a Rgb>) -> Vec<Rgb> {
    let mut seen: BTreeMap<Rgb, usize> = BTreeMap::new();
    pixels.for_each(|pixel| *seen.entry(*pixel).or_default() += 1);
    let mut colours: Vec<(Rgb, usize)> = seen.into_iter().collect();
    colours.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    colours.into_iter().take(MOST).map(|(colour, _)| colour).collect()
}

/// Every colour with the number of the nearest one of the palette.
fn numbered<'a>(palette: &[Rgb], pixels: impl Iterator<Item = &'a Rgb>) -> HashMap<Rgb, u8> {
    let far = |a: &Rgb, b: &Rgb| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum::<u32>();
    let mut numbers = HashMap::new();
    for pixel in pixels {
        numbers.entry(*pixel).or_insert_with(|| {
            let nearest = palette.iter().enumerate().min_by_key(|(_, colour)| far(colour, pixel));
            nearest.map_or(0, |(number, _)| number as u8)
        });
    }
    numbers
}

fn write_band(band: &[&[Option<u8>]], out: &mut String) {
    let width = band.first().map_or(0, |row| row.len());
    let mut layers: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
    for (bit, row) in band.iter().enumerate() {
        for (x, colour) in row.iter().enumerate().filter_map(|(x, colour)| Some((x, (*colour)?))) {
            let layer = layers.entry(colour).or_insert_with(|| vec![0; width]);
            layer.iter_mut().skip(x).take(1).for_each(|sixel| *sixel |= 1 << bit);
        }
    }
    for (colour, layer) in layers {
        let _ = write!(out, "#{colour}");
        for run in layer.chunk_by(|a, b| a == b) {
            let letter = run.first().map_or('?', |bits| char::from(b'?' + bits));
            let _ = match run.len() {
                count @ 1..=3 => (0..count).try_for_each(|_| write!(out, "{letter}")),
                count => write!(out, "!{count}{letter}"),
            };
        }
        out.push('$');
    }
    out.push('-');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_picture_is_written_as_the_manual_says() {
        let (red, blue, nothing) = ([255, 0, 0, 255], [0, 0, 255, 255], [9, 9, 9, 0]);
        let pixels = [red, red, red, red, blue, nothing, red, blue].concat();
        let sixels = encode(4, &pixels);
        assert_eq!(sixels, "\x1bP0;1q\"1;1;4;2#0;2;100;0;0#1;2;0;0;100#0@@B@$#1A??A$-\x1b\\");
    }

    #[test]
    fn long_runs_are_counted() {
        let row = [255, 255, 255, 255].repeat(100);
        assert!(encode(100, &row).contains("#0!100@$-"));
    }

    #[test]
    fn many_colours_are_brought_down_to_the_nearest_that_are_seen_most() {
        let shades = (0..=255).flat_map(|red| (0..8).flat_map(move |green| [red, green * 32, 0, 255]));
        let pixels: Vec<u8> = shades.collect();
        let sixels = encode(64, &pixels);
        assert!(sixels.contains("#254;2;") && !sixels.contains("#255;2;"));
    }
}
