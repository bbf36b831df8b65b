//! Laws of game files: what was written is read, and nothing makes a reader fall over.

use super::walk::{after, listed};
use super::{Effort, Verdict, law};
use std::collections::HashSet;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use tabia_core::{FileError, Outcome, Position, Present, ReadGames, RecordedGame, Side, SplitMix64};

type Read<G> = Vec<Result<RecordedGame<G>, FileError>>;

/// The first law of game files that fails, if one does.
pub fn files_verdict<G: Present + ReadGames>(game: &G, effort: Effort) -> Verdict {
    kinds(game)?;
    let mut rng = SplitMix64::new(effort.seed);
    let games = games(game, effort, &mut rng);
    for kind in game.game_files() {
        let mut bytes = Vec::new();
        let mut written = Vec::new();
        for recorded in &games {
            // Some kinds cannot write some games; then nothing of the game is in the file.
            match game.write_game(kind.id, recorded, &mut bytes) {
                Ok(()) => written.push(recorded),
                Err(error) if error.kind() == ErrorKind::Unsupported => {}
                Err(error) => law("games can be written", false, || format!("{}: {error}", kind.id))?,
            }
        }
        law("some game can be written", !written.is_empty(), || kind.id.to_owned())?;
        come_back(game, kind.id, &written, &bytes)?;
        reading_stops(game, kind.id, &bytes)?;
        for _ in 0..effort.games {
            damaged(game, kind.id, &bytes, &mut rng)?;
        }
    }
    Ok(())
}

fn kinds<G: Present + ReadGames>(game: &G) -> Verdict {
    let (mut ids, mut endings) = (HashSet::new(), HashSet::new());
    for kind in game.game_files() {
        law("kinds of files have different names", ids.insert(kind.id), || kind.id.to_owned())?;
        for ending in kind.extensions {
            let fits = !ending.starts_with('.') && ending.to_lowercase() == *ending;
            law("endings of file names are lower case without a dot", fits, || (*ending).to_owned())?;
            law("an ending is of one kind of file", endings.insert(ending), || (*ending).to_owned())?;
        }
    }
    let refused = game.read_games("no such kind", &mut &b""[..], &mut |_| ControlFlow::Continue(())).is_err();
    law("an unknown kind of file is refused", refused, String::new)
}

/// Random games from every start, with every claim about their result.
fn games<G: Present>(game: &G, effort: Effort, rng: &mut SplitMix64) -> Vec<RecordedGame<G>> {
    let claims =
        [None, Some(Outcome::Draw), Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second))];
    let tags =
        [("White", "O\"Neil, \\ Ann"), ("Round", "1")].map(|(name, value)| (name.into(), value.into()));
    let mut games: Vec<RecordedGame<G>> = Vec::new();
    for start in game.starts() {
        let Position { rules, state } = start.position;
        for n in 0..effort.games {
            let (mut now, mut moves) = (state.clone(), Vec::new());
            for _ in 0..rng.below(u64::from(effort.plies) + 1) {
                let legal = listed(&rules, &now);
                let Some(&mv) = legal.get(rng.below(legal.len() as u64) as usize) else { break };
                now = after(&rules, &now, mv);
                moves.push(mv);
            }
            let outcome = rules.outcome(&now).or(claims[n as usize % claims.len()]);
            let start = Position { rules: rules.clone(), state: state.clone() };
            let number = games.len() as u64 + 1;
            let tags = tags.to_vec();
            games.push(RecordedGame { number, line: 0, tags, ..RecordedGame::new(start, moves, outcome) });
        }
    }
    games
}

fn read<G: Present + ReadGames>(game: &G, kind: &str, mut bytes: &[u8]) -> Result<Read<G>, std::io::Error> {
    let mut games = Vec::new();
    game.read_games(kind, &mut bytes, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    })?;
    Ok(games)
}

fn come_back<G: Present + ReadGames>(
    game: &G,
    kind: &str,
    written: &[&RecordedGame<G>],
    bytes: &[u8],
) -> Verdict {
    let games = match read(game, kind, bytes) {
        Ok(games) => games,
        Err(error) => return law("a written file can be read", false, || format!("{kind}: {error}")),
    };
    law("as many games are read as were written", games.len() == written.len(), || {
        format!("{kind}: {} of {}", games.len(), written.len())
    })?;
    in_order(kind, &games, bytes)?;
    for (recorded, read) in written.iter().zip(games) {
        match read {
            Err(error) => law("a written game can be read", false, || format!("{kind}: {error}"))?,
            Ok(read) => same_game(kind, recorded, &read)?,
        }
    }
    Ok(())
}

fn same_game<G: Present>(kind: &str, written: &RecordedGame<G>, read: &RecordedGame<G>) -> Verdict {
    let at = || format!("{kind}, game {}, line {}", read.number, read.line);
    let rules = read.start.rules.variant() == written.start.rules.variant();
    law("a game is read with its start", rules && read.start.state == written.start.state, at)?;
    // Compared by the positions: several moves may be written alike where they do the same.
    let played = |game: &RecordedGame<G>| {
        let rules = &game.start.rules;
        let next = |state: &mut G::State, &mv: &G::Move| {
            rules.play(state, mv);
            Some(state.clone())
        };
        game.moves.iter().scan(game.start.state.clone(), next).collect::<Vec<_>>()
    };
    law("a game is read with its moves", played(read) == played(written), at)?;
    law("a game is read with its result", read.outcome == written.outcome, || {
        format!("{}: {:?} for {:?}", at(), read.outcome, written.outcome)
    })?;
    let kept = written.tags.iter().all(|tag| read.tags.contains(tag));
    law("a game is read with its tags, where there are tags", kept || read.tags.is_empty(), || {
        format!("{}: {:?}", at(), read.tags)
    })
}

/// Games are numbered from 1, and each begins in the file after the one before.
fn in_order<G: Present>(kind: &str, games: &Read<G>, bytes: &[u8]) -> Verdict {
    let lines = bytes.split(|&byte| byte == b'\n').count() as u64;
    let mut last = 0;
    for (n, game) in games.iter().enumerate() {
        let (number, line) = match game {
            Ok(game) => (game.number, game.line),
            Err(error) => (error.number, error.line),
        };
        law("games are numbered from 1", number == n as u64 + 1, || {
            format!("{kind}: {number} is number {}", n + 1)
        })?;
        let inside = (1..=lines).contains(&line) && (game.is_err() || line >= last);
        law("lines are those of the file", inside, || {
            format!("{kind}: game {number}, line {line} of {lines}")
        })?;
        last = if game.is_ok() { line } else { last };
    }
    Ok(())
}

fn reading_stops<G: Present + ReadGames>(game: &G, kind: &str, mut bytes: &[u8]) -> Verdict {
    let mut heard = 0;
    let result = game.read_games(kind, &mut bytes, &mut |_| {
        heard += 1;
        ControlFlow::Break(())
    });
    law("reading stops when it is told to", result.is_ok() && heard == 1, || format!("{kind}: {heard} games"))
}

/// Some bytes changed: no panic, and what is reported is in the file.
fn damaged<G: Present + ReadGames>(game: &G, kind: &str, bytes: &[u8], rng: &mut SplitMix64) -> Verdict {
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.below(8) {
        let at = rng.below(bytes.len() as u64) as usize;
        bytes[at] = rng.next() as u8;
    }
    read(game, kind, &bytes).map_or(Ok(()), |games| in_order(kind, &games, &bytes))
}
