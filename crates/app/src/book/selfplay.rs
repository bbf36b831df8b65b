//! Filling a book with games of an engine against itself.
//!
//! Game `n` depends on the seed, `n`, the player and the opening alone (a player limited by time
//! depends on the machine, too). Its id is made of the same, so a run that was stopped goes on where
//! it was: games that are in the book are not played again.

use super::{BookError, BookFailure, Store};
use crate::search::{Means, Player, PlayerSpec};
use crate::{Adapter, ErrorKind, InputError, Progress, Stop, Watch};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tabia_book::import::record_keeping;
use tabia_book::jsonl::ID_TAG;
use tabia_book::{GameId, Keep, SELFPLAY};
use tabia_core::channel::{Receiver, RecvTimeoutError, bounded};
use tabia_core::clock::Instant;
use tabia_core::threads::{self, OnPanic};
use tabia_core::{Outcome, Position, Present, Record, RecordedGame, SplitMix64, rng::mix};

/// Where no rule ends a game, it is a draw after this many plies.
const LONGEST: usize = 1000;

/// Finished games are committed after this time, or when there are so many.
const COMMIT_EVERY: Duration = Duration::from_secs(1);
const COMMIT_GAMES: usize = 4096;

/// What to play.
#[derive(Clone, Debug)]
pub struct SelfplayRequest {
    /// Where the games start, if not at the usual start.
    pub pos: Option<String>,
    /// The number of games.
    pub games: u64,
    /// Who plays both sides.
    pub player: PlayerSpec,
    /// Random plies at the beginning of each game.
    pub opening_plies: u32,
    /// Where the randomness starts.
    pub seed: u64,
    /// Games at a time.
    pub threads: usize,
    /// Whether to keep who played, how, and the moves: the games can be listed and shown then.
    pub keep: bool,
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SelfplayView {
    /// Games played and counted now.
    pub games: u64,
    /// Games that were in the book.
    pub known: u64,
    /// Plies played.
    pub plies: u64,
    /// Won by player 0.
    pub wins0: u64,
    /// Won by player 1.
    pub wins1: u64,
    /// Drawn.
    pub draws: u64,
    /// Whether it was stopped before the end.
    pub stopped: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// All that a thread needs to play.
struct Job<'a, G: Present> {
    adapter: &'a Adapter<G>,
    request: &'a SelfplayRequest,
    start: Position<G>,
    /// The games that are not in the book.
    numbers: Vec<u64>,
    next: AtomicUsize,
    /// Thrown when it is to end: players do not think to the end of their move then.
    stop: &'a Stop,
    /// Set when a player has panicked: the games of the others are in vain.
    over: AtomicBool,
}

pub(super) fn run<G: Present>(
    adapter: &Adapter<G>,
    store: &dyn Store,
    request: &SelfplayRequest,
    watch: &Watch<'_>,
) -> Result<SelfplayView, BookFailure> {
    if request.keep && !store.keeps_games() {
        return Err(BookError::NoTags(store.info()?.place).into());
    }
    let start = start(adapter, request.pos.as_deref())?;
    let held = adapter.hold(start.clone());
    held.player(&request.player)?;
    let variant = start.rules.variant();
    let all: Vec<GameId> =
        (0..request.games).map(|n| GameId::given(&variant, &game_id(&start, request, n))).collect();
    let known = store.known(&all)?;
    let numbers: Vec<u64> =
        (0..request.games).zip(&known).filter(|(_, known)| !**known).map(|(n, _)| n).collect();
    let mut view = SelfplayView { known: request.games - numbers.len() as u64, ..SelfplayView::default() };
    let total = numbers.len() as u64;
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let job = Job { adapter, request, start, numbers, next, stop: watch.stop, over };
    let told = |games: u64| {
        let (stage, total) = ("selfplay".into(), Some(total));
        (watch.progress)(&Progress { lane: 0, stage, done: games, total, unit: "games" });
    };
    let mut clerk = Clerk::new(store, keep(request), &mut view, &told);
    if threads::AVAILABLE {
        play_beside(&job, clerk)?;
    } else {
        let mut taken = Ok(());
        job.play_games(&mut |game| {
            taken = clerk.take(Some(game));
            taken.is_ok()
        })?;
        taken?;
        clerk.commit()?;
    }
    view.stopped = watch.stop.is_stopped();
    Ok(view)
}

/// Players on threads of their own, while this one writes to the book.
fn play_beside<G: Present>(job: &Job<'_, G>, clerk: Clerk<'_, G>) -> Result<(), BookFailure> {
    let (sender, games) = bounded(64);
    let threads = job.request.threads.max(1);
    // Each player has an end of its own, and when the last one is gone all games are in.
    let senders = Mutex::new(vec![sender; threads]);
    let play = |_| {
        let sender = senders.lock().unwrap_or_else(PoisonError::into_inner).pop();
        sender.map_or(Ok(()), |sender| job.play_games(&mut |game| sender.send(game).is_ok()))
    };
    let (collected, played) = threads::beside(threads, play, || collect(clerk, games));
    collected?;
    Ok(played.into_iter().collect::<Result<(), InputError>>()?)
}

fn start<G: Present>(adapter: &Adapter<G>, pos: Option<&str>) -> Result<Position<G>, InputError> {
    let position = super::position_of(adapter, pos)?;
    if Record::new(position.clone()).outcome().is_some() {
        let text = position.rules.format(&position.state);
        return Err(InputError::new(ErrorKind::Invalid, text, "the game is over in this position"));
    }
    Ok(position)
}

/// What a game is known by: everything that decides how it goes.
fn game_id<G: Present>(start: &Position<G>, request: &SelfplayRequest, number: u64) -> String {
    let from = start.rules.format(&start.state);
    let SelfplayRequest { player, opening_plies, seed, .. } = request;
    format!("selfplay {player} opening={opening_plies} seed={seed} game={number} from {from}")
}

/// What is known of a game, beside its moves.
fn tags(request: &SelfplayRequest, id: String) -> Vec<(String, String)> {
    let player = request.player.to_string();
    let tags = [(ID_TAG, id), ("White", player.clone()), ("Black", player), ("Event", SELFPLAY.to_owned())];
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What of that is kept.
fn keep(request: &SelfplayRequest) -> Keep {
    let tags = if request.keep { &["White", "Black", "Event"][..] } else { &[] };
    Keep { tags: tags.iter().map(|&tag| tag.to_owned()).collect(), moves: request.keep }
}

/// Commits finished games until all players are done. The receiver is taken: when this fails, its end
/// tells the players to stop.
#[allow(clippy::needless_pass_by_value)]
fn collect<G: Present>(mut clerk: Clerk<'_, G>, games: Receiver<RecordedGame<G>>) -> Result<(), BookFailure> {
    loop {
        match games.recv_timeout(COMMIT_EVERY.saturating_sub(clerk.last.elapsed())) {
            Ok(game) => clerk.take(Some(game))?,
            Err(RecvTimeoutError::Timeout) => clerk.take(None)?,
            Err(RecvTimeoutError::Disconnected) => return clerk.commit(),
        }
    }
}

/// Writes finished games to the book, many at a time.
struct Clerk<'a, G: Present> {
    store: &'a dyn Store,
    keep: Keep,
    waiting: Vec<RecordedGame<G>>,
    began: Instant,
    last: Instant,
    view: &'a mut SelfplayView,
    told: &'a dyn Fn(u64),
}

impl<'a, G: Present> Clerk<'a, G> {
    fn new(store: &'a dyn Store, keep: Keep, view: &'a mut SelfplayView, told: &'a dyn Fn(u64)) -> Self {
        let began = Instant::now();
        Clerk { store, keep, waiting: Vec::new(), began, last: began, view, told }
    }

    /// A game, if there is one; commits when enough of them or enough time has come together.
    fn take(&mut self, game: Option<RecordedGame<G>>) -> Result<(), BookFailure> {
        self.waiting.extend(game);
        let due = self.waiting.len() >= COMMIT_GAMES || self.last.elapsed() >= COMMIT_EVERY;
        if due { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> Result<(), BookFailure> {
        let counted = record_keeping(self.store, &self.waiting, &self.keep)?;
        self.view.games += counted.games.total();
        self.view.plies += counted.played;
        self.view.wins0 += counted.games.wins0;
        self.view.wins1 += counted.games.wins1;
        self.view.draws += counted.games.draws;
        self.view.seconds = self.began.elapsed().as_secs_f64();
        (self.told)(self.view.games);
        self.waiting.clear();
        self.last = Instant::now();
        Ok(())
    }
}

impl<G: Present> Job<'_, G> {
    /// Plays until all games are played, or nobody takes them.
    fn play_games(&self, hand_on: &mut dyn FnMut(RecordedGame<G>) -> bool) -> Result<(), InputError> {
        let held = self.adapter.hold(self.start.clone());
        let mut player = held.player(&self.request.player)?;
        let _all = OnPanic(&self.over);
        // Games are found again by the name of the player: without one for its evaluation it is the game's own.
        let means = match &self.request.player {
            PlayerSpec::Search(_, _, Some(evaluation)) => held.means_by(evaluation, self.stop)?,
            _ => held.means(self.stop),
        };
        while let Some(&number) = self.numbers.get(self.next.fetch_add(1, Relaxed)) {
            let Some(game) = self.play(number, &mut player, &means)? else { break };
            if self.over.load(Relaxed) || !hand_on(game) {
                break;
            }
        }
        Ok(())
    }

    /// One game; `None` when it was stopped.
    fn play(
        &self,
        number: u64,
        player: &mut Player,
        means: &Means<'_, G>,
    ) -> Result<Option<RecordedGame<G>>, InputError> {
        let seed = mix(self.request.seed ^ mix(number));
        let mut rng = SplitMix64::new(seed);
        player.new_game(seed)?;
        let mut record = Record::new(self.start.clone());
        let mut buffer = Vec::new();
        while record.outcome().is_none() && record.moves().len() < LONGEST {
            let mv = if record.moves().len() < self.request.opening_plies as usize {
                record.rules().random_move(record.state(), &mut rng, &mut buffer)
            } else {
                player.choose(&record, means)?
            };
            // A move chosen in a hurry would count as played, and so would one of rules that have failed.
            if self.stop.is_stopped() || record.rules().fault().is_some() {
                return Ok(None);
            }
            let Some(mv) = mv else { break };
            record.play_unchecked(mv);
        }
        let tags = tags(self.request, game_id(&self.start, self.request, number));
        let outcome = Some(record.outcome().unwrap_or(Outcome::Draw));
        if record.rules().fault().is_some() {
            return Ok(None);
        }
        let moves = record.moves().to_vec();
        let game = RecordedGame::new(self.start.clone(), moves, outcome);
        Ok(Some(RecordedGame { number, line: 0, tags, ..game }))
    }
}
