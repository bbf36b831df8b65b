//! `tabia-bindgen PROGRAM.wasm FOLDER`: writes the JavaScript around a program for browsers, and the program without what only that needed.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder] = &words[..] else {
        eprintln!("usage: tabia-bindgen PROGRAM.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(program)
        .web(true)
        .and_then(|bindgen| bindgen.typescript(true).out_name("tabia").generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
