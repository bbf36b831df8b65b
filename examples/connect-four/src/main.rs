//! Tabia's whole command line and page, with one more game.

use connect_four::ConnectFour;
use tabia::{Adapter, Registry, cli};

fn main() -> std::process::ExitCode {
    cli::run(Registry::standard().with(Adapter::new(ConnectFour::default()).with_search()))
}
