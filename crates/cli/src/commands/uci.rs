//! `tabia uci`: the chess engine, for chess programs.

use crate::args::Common;

/// Speaks UCI on standard input and output until `quit`.
pub(crate) fn run(common: &Common) -> anyhow::Result<()> {
    let input = std::io::BufReader::new(std::io::stdin());
    let settings = common.registry.settings();
    let tables = settings.tables.clone();
    tabia_app::protocol::uci::run(input, std::io::stdout(), common.threads(), tables, &settings.evaluation)?;
    Ok(())
}
