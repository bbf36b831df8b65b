//! Writes networks anew, in the newest version of their file: `recode FILE...`. What they say stays as it is, but for what
//! folds know by themselves, which becomes even, as training makes it.

use std::path::Path;
use tabia_nnue::{Net, NetError};

fn main() -> Result<(), NetError> {
    for name in std::env::args().skip(1) {
        let net = Net::read(Path::new(&name))?.with_even_folds();
        net.write(Path::new(&name))?;
        println!("{name}: {} bytes", net.to_bytes().len());
    }
    Ok(())
}
