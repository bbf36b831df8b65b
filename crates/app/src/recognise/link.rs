//! Links to the page: `https://host/chess?pos=...&play=e4,e5`, also without the host, also behind a `#`.
//!
//! `play` is the main line. `also` has the other lines, separated by `~`, each as the number of plies that it shares
//! with the line before it, a dot, and the moves that follow.

use super::Found;
use crate::{AnyGame, GameText, InputError, LineText, MoveText, Registry};
use percent_encoding::percent_decode_str;

/// Lines beyond this many are left out.
const MOST_LINES: usize = 500;

/// What a link leads to; `None` when the text is no link to one of the games.
pub(super) fn read(registry: &Registry, text: &str) -> Option<Result<Found, InputError>> {
    let is_link = ["http://", "https://", "/", "#"].iter().any(|begin| text.starts_with(begin));
    if !is_link || text.contains(char::is_whitespace) {
        return None;
    }
    let named = |id: &str| registry.games().find(|game| game.id() == id);
    let (mut game, mut given) = (None, Given::default());
    for part in text.split(['?', '&', '#']) {
        match part.split_once('=') {
            Some((name, value)) => given.take(name, value),
            None => game = part.split('/').rev().find_map(named).or(game),
        }
    }
    game.map(|game| given.found(game))
}

/// What stands in a link.
#[derive(Default)]
struct Given {
    pos: Option<String>,
    play: Vec<String>,
    also: String,
}

/// Moves between commas.
fn moves(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|mv| !mv.is_empty()).map(str::to_owned).collect()
}

impl Given {
    fn take(&mut self, name: &str, value: &str) {
        let value = percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned();
        match name {
            "pos" if !value.is_empty() => self.pos = Some(value),
            "play" => self.play = moves(&value),
            "also" => self.also = value,
            _ => {}
        }
    }

    fn found(self, game: &dyn AnyGame) -> Result<Found, InputError> {
        let start = self.pos.map_or_else(|| Ok(game.start()), |text| game.parse(&text))?;
        if self.play.is_empty() {
            return Ok(Found::position(game, start.as_ref()));
        }
        let whole = game.whole_games();
        let mut text = whole.of_moves(Some(&start.text()), &self.play)?;
        let mut before = self.play;
        for line in self.also.split('~').filter(|line| !line.is_empty()).take(MOST_LINES) {
            let (kept, rest) = line.split_once('.').unwrap_or(("0", line));
            before.truncate(kept.parse().unwrap_or(0));
            before.extend(moves(rest));
            add(&mut text, &before);
        }
        Ok(Found::game(game, whole.checked(&text)?))
    }
}

/// Adds a line to a game: where it leaves what is there, a variation begins.
fn add(game: &mut GameText, mut moves: &[String]) {
    let mut line = &mut game.line;
    loop {
        let same = line.moves.iter().zip(moves).take_while(|(known, mv)| known.text == **mv).count();
        moves = &moves[same..];
        if same == line.moves.len() || moves.is_empty() {
            break;
        }
        let branches = &mut line.moves[same].variations;
        let begins = |branch: &LineText| branch.moves.first().is_some_and(|first| first.text == moves[0]);
        let at = branches.iter().position(begins).unwrap_or_else(|| {
            branches.push(LineText::default());
            branches.len() - 1
        });
        line = &mut branches[at];
    }
    line.moves.extend(moves.iter().map(|mv| MoveText { text: mv.clone(), ..MoveText::default() }));
}
