//! Links to the page: `https://host/chess?pos=...&play=e4,e5`, also without the host, also behind a `#`.

use super::Found;
use crate::{AnyGame, InputError, Registry};
use percent_encoding::percent_decode_str;

/// What a link leads to; `None` when the text is no link to one of the games.
pub(super) fn read(registry: &Registry, text: &str) -> Option<Result<Found, InputError>> {
    let is_link = ["http://", "https://", "/", "#"].iter().any(|begin| text.starts_with(begin));
    if !is_link || text.contains(char::is_whitespace) {
        return None;
    }
    let (path, query) = text.split_once(['?', '&']).unwrap_or((text, ""));
    let named = |part: &str| registry.games().find(|game| game.id() == part);
    let game = path.split(['/', '#']).rev().find_map(named)?;
    let (mut pos, mut play) = (None, Vec::new());
    for (name, value) in query.split(['&', '#']).filter_map(|pair| pair.split_once('=')) {
        let value = percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned();
        match name {
            "pos" if !value.is_empty() => pos = Some(value),
            "play" => {
                play = value.split(',').map(str::trim).filter(|mv| !mv.is_empty()).map(Into::into).collect()
            }
            _ => {}
        }
    }
    Some(found(game, pos.as_deref(), &play))
}

fn found(game: &dyn AnyGame, pos: Option<&str>, play: &[String]) -> Result<Found, InputError> {
    let start = pos.map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
    if play.is_empty() {
        return Ok(Found::position(game, start.as_ref()));
    }
    Ok(Found::game(game, game.whole_games().of_moves(Some(&start.text()), play)?))
}
