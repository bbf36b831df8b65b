//! `tabia games`.

use crate::args::Common;
use crate::output;
use std::fmt::Write;
use tabia_app::AnyGame;
use tabia_app::views::GameView;

pub(crate) fn run(common: &Common) -> anyhow::Result<()> {
    let games: Vec<GameView> = common.registry.games().map(AnyGame::view).collect();
    for game in &games {
        output::answer(common.json, game, text)?;
    }
    Ok(())
}

fn text(game: &GameView) -> String {
    let players = if game.players == 1 { "one player" } else { "two players" };
    let mut out = format!("{} ({}, {players})\n", game.id, game.name);
    let starts: Vec<_> = game.starts.iter().map(|start| &*start.id).collect();
    let formats: Vec<_> = game.formats.iter().map(|format| &*format.id).collect();
    let _ = writeln!(out, "  start    {}", game.start);
    let _ = writeln!(out, "  starts   {}", starts.join(", "));
    let _ = writeln!(out, "  formats  {}", formats.join(", "));
    if !game.files.is_empty() {
        let _ = writeln!(out, "  files    {}", game.files.join(", "));
    }
    let _ = writeln!(out, "  can      {}", game.capabilities.join(", "));
    out
}
