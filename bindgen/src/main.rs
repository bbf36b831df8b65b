//! `tabia-bindgen PROGRAM.wasm FOLDER [--nameless]`: writes the JavaScript around a program for browsers, and the program without what only
//! that needed; also without the names of its functions, if so asked.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (program, folder, nameless) = match &words[..] {
        [program, folder] => (program, folder, false),
        [program, folder, word] if word == "--nameless" => (program, folder, true),
        _ => {
            eprintln!("usage: tabia-bindgen PROGRAM.wasm FOLDER [--nameless]");
            return ExitCode::from(2);
        }
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(program)
        .remove_name_section(nameless)
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
