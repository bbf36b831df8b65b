//! The work behind a report: pieces that each depend on their number and the seed alone.

use super::effort::{Effort, Task};
use super::figures::Profile;
use super::ladder::{self, Match};
use super::partial::Parts;
use super::play::{Terms, play};
use super::players::{Anyone, Play};
use super::tally::{Tally, Tension};
use super::{Budgets, ProfileError, Request, Subject, descent, exact, mirror, positions, sections, speed};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tabia_core::clock::Instant;
use tabia_core::rng::mix;
use tabia_core::{Position, Present, Record, SplitMix64, Work, threads, trust};
use tabia_solve::SolveError;

/// Random games in a piece of work, and how many of them are noted in detail.
const RANDOM_GAMES: u64 = 256;
const DETAILED: u64 = 16;
/// Games of an engine in a piece of work.
const WEAK_GAMES: u64 = 8;
const STRONG_GAMES: u64 = 2;
/// Unfinished work is written no more often than this.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// Finds out what a game is like.
pub fn profile<G: Present>(
    subject: &Subject<'_, G>,
    request: &Request,
    work: &Work<'_>,
) -> Result<Profile, ProfileError> {
    if subject.rules.settled(&subject.start).is_some() {
        return Err(ProfileError::Over);
    }
    let task = fingerprint(subject, request);
    let kept = request.partial.as_deref().map_or(Ok(None), |path| Parts::load(path, task))?;
    let mut maker = Maker {
        subject,
        request,
        work,
        task,
        parts: kept.unwrap_or_default(),
        done: Effort::NONE,
        saved: Instant::now(),
    };
    maker.all()?;
    let measured = speed::measure(subject);
    trust::check(&subject.rules)?;
    Ok(sections::write(subject, request, &maker.parts, maker.done, measured))
}

/// Tells the work of one report from that of another.
fn fingerprint<G: Present>(subject: &Subject<'_, G>, request: &Request) -> u32 {
    let Budgets { weak, strong } = request.budgets;
    let start = subject.rules.format(&subject.start);
    let text = format!("{} {start} {} {weak} {strong}", subject.rules.variant(), request.seed);
    crc32fast::hash(text.as_bytes())
}

struct Maker<'a, G: Present> {
    subject: &'a Subject<'a, G>,
    request: &'a Request,
    work: &'a Work<'a>,
    task: u32,
    parts: Parts,
    /// What was done: with the seed, it repeats the report.
    done: Effort,
    saved: Instant,
}

impl<G: Present> Maker<'_, G> {
    fn all(&mut self) -> Result<(), ProfileError> {
        let two = self.subject.rules.players() == 2 && self.subject.players.is_some();
        let tasks: Vec<Task> = Task::ALL.into_iter().filter(|task| two || !task.for_two()).collect();
        for (at, &task) in tasks.iter().enumerate() {
            let left: f64 = tasks[at..].iter().map(|task| task.weight()).sum();
            let before: u64 = tasks[..at].iter().map(|task| self.spent(*task)).sum();
            let share = self.request.time.map(|time| {
                let rest = time.saturating_sub(Duration::from_millis(before));
                rest.mul_f64(task.weight() / left)
            });
            self.section(task, share)?;
        }
        Ok(())
    }

    fn spent(&self, task: Task) -> u64 {
        self.parts.spent.get(task.name()).copied().unwrap_or_default()
    }

    /// Does the work of one section: as much as was asked for, or what its share of the time allows.
    fn section(&mut self, task: Task, share: Option<Duration>) -> Result<(), ProfileError> {
        let (began, earlier) = (Instant::now(), self.spent(task));
        loop {
            let done = self.units(task);
            let spent = Duration::from_millis(earlier) + began.elapsed();
            let enough = match share {
                Some(share) => done > 0 && spent >= share,
                None => done >= self.request.effort.of(task),
            };
            if enough || !self.step(task, done, share.map(|share| share.saturating_sub(spent)))? {
                break;
            }
            self.parts.spent.insert(task.name().to_owned(), earlier + began.elapsed().as_millis() as u64);
            self.tell(task, share, earlier, began);
            self.save(false)?;
        }
        self.done.set(task, self.units(task));
        Ok(())
    }

    fn tell(&self, task: Task, share: Option<Duration>, earlier: u64, began: Instant) {
        let (done, total) = match share {
            Some(share) => (earlier + began.elapsed().as_millis() as u64, share.as_millis() as u64),
            None => (self.units(task), self.request.effort.of(task)),
        };
        self.work.report(task.name(), done.min(total), Some(total));
    }

    /// Units of effort that are done.
    fn units(&self, task: Task) -> u64 {
        let length = match task {
            Task::Random => self.parts.random.len(),
            Task::Tree => self.parts.tree.len(),
            Task::Positions => return self.parts.positions.as_ref().map_or(0, |counted| counted.units),
            Task::Weak => self.parts.weak.len(),
            Task::Strong => self.parts.strong.len(),
            Task::Openings => self.parts.openings.len(),
            Task::Ladder => self.parts.ladder.len(),
            Task::Mirror => self.parts.mirror.len(),
        };
        length as u64
    }

    /// The next pieces of work of a section; whether there were any.
    fn step(&mut self, task: Task, done: u64, left: Option<Duration>) -> Result<bool, ProfileError> {
        let wanted = if left.is_some() { u64::MAX } else { self.request.effort.of(task) - done };
        let Budgets { weak, strong } = self.request.budgets;
        match task {
            Task::Random => {
                let more = self.batch(task, done, wanted, |maker, seed| Ok(maker.random_games(seed)))?;
                self.parts.random.extend(more);
            }
            Task::Tree => {
                let more =
                    self.batch(task, done, wanted, |maker, seed| Ok(descent::descend(maker.subject, seed)))?;
                self.parts.tree.extend(more);
            }
            Task::Positions => return self.positions(done, left),
            Task::Weak => {
                let games = (WEAK_GAMES, weak, None);
                let more = self.batch(task, done, wanted, |maker, seed| maker.engine_games(games, seed))?;
                self.parts.weak.extend(more);
            }
            Task::Strong => {
                let games = (STRONG_GAMES, strong, Some(weak));
                let more = self.batch(task, done, wanted, |maker, seed| maker.engine_games(games, seed))?;
                self.parts.strong.extend(more);
            }
            Task::Openings => {
                let rest = self.subject.first_moves.len() as u64 - done;
                let more = self.numbered(done, wanted.min(rest), Self::opening)?;
                let any = !more.is_empty();
                self.parts.openings.extend(more);
                return Ok(any);
            }
            Task::Ladder => return self.ladder(done),
            Task::Mirror => {
                if self.subject.rules.symmetries(&self.subject.start).len() < 2 {
                    return Ok(false);
                }
                let more = self.batch(task, done, wanted, Self::mirror_games)?;
                self.parts.mirror.extend(more);
            }
        }
        Ok(true)
    }

    /// A piece of work for each thread.
    fn batch<T: Send>(
        &self,
        task: Task,
        done: u64,
        most: u64,
        piece: impl Fn(&Self, u64) -> Result<T, ProfileError> + Sync,
    ) -> Result<Vec<T>, ProfileError> {
        self.numbered(done, most, |maker, number| piece(maker, maker.seed(task, number)))
    }

    fn numbered<T: Send>(
        &self,
        done: u64,
        most: u64,
        piece: impl Fn(&Self, u64) -> Result<T, ProfileError> + Sync,
    ) -> Result<Vec<T>, ProfileError> {
        let threads = (self.work.threads.max(1) as u64).min(most);
        if threads == 0 {
            return Ok(Vec::new());
        }
        let pieces = threads::run(threads as usize, |thread| piece(self, done + thread as u64));
        self.unless_stopped()?;
        pieces.into_iter().collect()
    }

    fn seed(&self, task: Task, number: u64) -> u64 {
        mix(mix(self.request.seed ^ mix(task as u64 + 1)) ^ number)
    }

    fn unless_stopped(&self) -> Result<(), ProfileError> {
        if self.work.is_stopped() {
            self.save_now()?;
            return Err(ProfileError::Stopped);
        }
        Ok(trust::check(&self.subject.rules)?)
    }

    fn save(&mut self, now: bool) -> Result<(), ProfileError> {
        if now || self.saved.elapsed() >= SAVE_EVERY {
            self.save_now()?;
            self.saved = Instant::now();
        }
        Ok(())
    }

    fn save_now(&self) -> Result<(), ProfileError> {
        self.request.partial.as_deref().map_or(Ok(()), |path| self.parts.save(path, self.task))
    }

    fn random_games(&self, seed: u64) -> Tally {
        let (mut tally, mut rng) = (Tally::default(), SplitMix64::new(seed));
        for game in 0..RANDOM_GAMES {
            if self.work.is_stopped() {
                break;
            }
            let terms = Terms { nodes: [1; 2], opening: 0, also: None, detail: game < DETAILED };
            let mut none = Tension::default();
            let (record, values) =
                play(self.subject, [0, 0], &mut [&mut Anyone], &terms, &mut rng, &mut none);
            tally.note(self.subject, &record, &values, &terms);
        }
        tally
    }

    fn player(&self) -> Result<Box<dyn Play<G> + '_>, ProfileError> {
        let players = self.subject.players.ok_or(ProfileError::NoPlayers)?;
        players.player().map_err(ProfileError::Player)
    }

    fn engine_games(
        &self,
        (games, nodes, also): (u64, u64, Option<u64>),
        seed: u64,
    ) -> Result<Tally, ProfileError> {
        let (mut tally, mut rng) = (Tally::default(), SplitMix64::new(seed));
        let mut players = [self.player()?, self.player()?];
        for _ in 0..games {
            if self.work.is_stopped() {
                break;
            }
            players.iter_mut().for_each(|player| player.new_game());
            let terms = Terms { nodes: [nodes; 2], opening: 2, also, detail: true };
            let [one, other] = &mut players;
            let mut tension = Tension::default();
            let (record, values) =
                play(self.subject, [0, 0], &mut [&mut **one, &mut **other], &terms, &mut rng, &mut tension);
            tally.note(self.subject, &record, &values, &terms);
            tally.tension.asked += tension.asked;
            tally.tension.agreed += tension.agreed;
        }
        Ok(tally)
    }

    /// Counts positions, and solves the game where these are all. With a budget of time the effort is doubled for as
    /// long as that seems to fit.
    fn positions(&mut self, done: u64, left: Option<Duration>) -> Result<bool, ProfileError> {
        if self.parts.positions.as_ref().is_some_and(|counted| counted.complete) {
            return Ok(false);
        }
        let spent = self.spent(Task::Positions);
        let units = match left {
            None => self.request.effort.of(Task::Positions),
            Some(_) if done == 0 => 1,
            Some(left) if u128::from(spent) * 2 < left.as_millis() => done * 2,
            Some(_) => return Ok(false),
        };
        let counted = positions::count(self.subject, units, self.request.seed, self.work)?;
        self.unless_stopped()?;
        if counted.as_ref().is_some_and(|counted| counted.complete) {
            self.parts.solved = match exact::solve(self.subject, self.work) {
                Ok(solved) => Some(solved),
                Err(SolveError::Stopped) => return Err(ProfileError::Stopped),
                Err(error) => return Err(error.into()),
            };
        }
        self.parts.positions = counted;
        Ok(true)
    }

    /// What a strong player expects after a first move, for player 0.
    fn opening(&self, number: u64) -> Result<i64, ProfileError> {
        let class = self.subject.first_moves.get(number as usize).ok_or(ProfileError::NoPlayers)?;
        let (rules, state) = (self.subject.rules.clone(), self.subject.start.clone());
        let mut record = Record::new(Position { rules, state });
        class.moves.first().into_iter().for_each(|&mv| record.play_unchecked(mv));
        let mut player = self.player()?;
        player.new_game();
        let mut rng = SplitMix64::new(self.seed(Task::Openings, number));
        let choice = player.choose(&record, 8 * self.request.budgets.strong, &mut rng);
        let value = choice.and_then(|choice| choice.value).unwrap_or_default();
        let first = record.rules().side(record.state()) == tabia_core::Side::First;
        Ok(((if first { value } else { -value }) * 10_000.0).round() as i64)
    }

    /// The next match of the ladder, its pairs side by side.
    fn ladder(&mut self, done: u64) -> Result<bool, ProfileError> {
        let Some(budgets) = ladder::next(&self.parts.ladder, 4 * self.request.budgets.strong) else {
            return Ok(false);
        };
        let (next, seed) = (AtomicU64::new(0), self.seed(Task::Ladder, done));
        let worker = |_| -> Result<Match, ProfileError> {
            let mut players = [self.player()?, self.player()?];
            let mut found = Match::default();
            loop {
                let pair = next.fetch_add(1, Relaxed);
                if pair >= ladder::PAIRS || self.work.is_stopped() {
                    return Ok(found);
                }
                let Match { wins, draws, losses, .. } =
                    ladder::pair(self.subject, budgets, &mut players, mix(seed ^ pair));
                (found.wins, found.draws, found.losses) =
                    (found.wins + wins, found.draws + draws, found.losses + losses);
            }
        };
        let mut all = Match { low: budgets.0, high: budgets.1, ..Match::default() };
        for part in threads::run(self.work.threads.max(1), worker) {
            let Match { wins, draws, losses, .. } = part?;
            (all.wins, all.draws, all.losses) = (all.wins + wins, all.draws + draws, all.losses + losses);
        }
        self.unless_stopped()?;
        self.parts.ladder.push(all);
        Ok(true)
    }

    fn mirror_games(&self, seed: u64) -> Result<mirror::Mirrored, ProfileError> {
        let mut weak = self.player()?;
        let nodes = self.request.budgets.weak;
        let mut opponents: [(&str, u64, &mut dyn Play<G>); 2] =
            [("random", 1, &mut Anyone), ("weak", nodes, &mut *weak)];
        Ok(mirror::games(self.subject, &mut opponents, seed))
    }
}
