//! `tabia completions` and `tabia man`.

use crate::args::Cli;
use crate::output;
use clap::CommandFactory;

pub(crate) fn completions(shell: clap_complete::Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tabia", &mut text);
    output::data(&String::from_utf8_lossy(&text))
}

pub(crate) fn man() -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut text)?;
    for command in Cli::command().get_subcommands() {
        let name = format!("tabia-{}", command.get_name());
        text.extend_from_slice(format!(".\\\" {name}\n").as_bytes());
        clap_mangen::Man::new(command.clone()).render(&mut text)?;
    }
    output::data(&String::from_utf8_lossy(&text))
}
