//! `tabia encode` and `tabia decode`.

use crate::args::{Common, Position};
use crate::{input, output};
use clap::Args;
use serde::Serialize;

/// Writes a position as a code.
#[derive(Args, Debug)]
pub(crate) struct Encode {
    #[command(flatten)]
    position: Position,
    /// The format (`tabia games` lists them)
    #[arg(long, value_name = "FORMAT")]
    to: String,
}

/// Reads a position from a code.
#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// The game, or the beginning of its name
    game: String,
    /// The code; - for one per line from standard input
    #[arg(allow_hyphen_values = true)]
    code: String,
    /// The format (`tabia games` lists them)
    #[arg(long, value_name = "FORMAT")]
    from: String,
}

#[derive(Serialize)]
struct CodeView {
    position: String,
    code: String,
}

impl Encode {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.position.game)?;
        let one = |text: &str| {
            let code = game.encode_text(text, &self.to)?;
            let position =
                || game.parse(text).map_or_else(|_| text.to_owned(), |position| position.view().position);
            let view = CodeView { position: if common.json { position() } else { String::new() }, code };
            output::answer(common.json, &view, |view| view.code.clone())
        };
        match self.position.pos.as_deref() {
            Some("-") => input::each_line(one),
            Some(text) => one(text),
            None => one(&game.start().view().position),
        }
    }
}

impl Decode {
    pub(crate) fn run(&self, common: &Common) -> anyhow::Result<()> {
        let game = common.game(&self.game)?;
        let one = |code: &str| {
            let position = game.decode(code, &self.from)?.view().position;
            let view = CodeView { position, code: code.to_owned() };
            output::answer(common.json, &view, |view| view.position.clone())
        };
        if self.code == "-" { input::each_line(one) } else { one(&self.code) }
    }
}
