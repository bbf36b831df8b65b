//! Writes networks anew, in the newest version of their file: `recode [FIRST OTHERS] FILE...`. What they say stays as it is, but
//! for the weights of inputs: they become multiples of FIRST (1), and what folds know by themselves multiples of OTHERS (2, as
//! training makes it).

use std::path::Path;
use tabia_nnue::{Net, NetError};

fn main() -> Result<(), NetError> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let steps: Vec<u16> = words.iter().map_while(|word| word.parse().ok()).take(2).collect();
    let (first, others) = (steps.first().copied().unwrap_or(1), steps.get(1).copied().unwrap_or(2));
    for name in &words[steps.len()..] {
        let net = Net::read(Path::new(name))?.coarser(first, others);
        net.write(Path::new(name))?;
        println!("{name}: {} bytes", net.to_bytes().len());
    }
    Ok(())
}
