//! The work behind a report, piece by piece.

use super::effort::{Effort, Task};
use super::figures::Profile;
use super::ladder::{self, Match};
use super::partial::Parts;
use super::pieces::{Piece, Pieces, Workshop};
use super::{Budgets, ProfileError, Request, Subject, sections, speed};
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tabia_core::clock::Instant;
use tabia_core::rng::mix;
use tabia_core::{Present, Work, threads, trust};
use tabia_solve::SolveError;

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
        pieces: &Workshop { subject, request, work },
        about: About {
            engines: subject.rules.players() == 2 && subject.players.is_some(),
            first_moves: subject.first_moves.len() as u64,
            symmetric: subject.rules.symmetries(&subject.start).len() >= 2,
        },
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

/// What the course of the work depends on.
struct About {
    /// Whether two play, and engines do.
    engines: bool,
    first_moves: u64,
    symmetric: bool,
}

struct Maker<'a> {
    pieces: &'a dyn Pieces,
    about: About,
    request: &'a Request,
    work: &'a Work<'a>,
    task: u32,
    parts: Parts,
    /// What was done: with the seed, it repeats the report.
    done: Effort,
    saved: Instant,
}

impl Maker<'_> {
    fn all(&mut self) -> Result<(), ProfileError> {
        let two = self.about.engines;
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
        match task {
            Task::Positions => return self.positions(done, left),
            Task::Ladder => return self.ladder(done),
            Task::Openings => return self.batch(task, done, wanted.min(self.about.first_moves - done)),
            Task::Mirror if !self.about.symmetric => return Ok(false),
            Task::Random | Task::Tree | Task::Weak | Task::Strong | Task::Mirror => {
                self.batch(task, done, wanted)?;
            }
        }
        Ok(true)
    }

    /// A piece of work for each thread; whether there were any.
    fn batch(&mut self, task: Task, done: u64, most: u64) -> Result<bool, ProfileError> {
        let threads = (self.work.threads.max(1) as u64).min(most);
        if threads == 0 {
            return Ok(false);
        }
        let pieces = threads::run(threads as usize, |thread| {
            let number = done + thread as u64;
            self.pieces.piece(task, number, self.seed(task, number))
        });
        self.unless_stopped()?;
        let parts = &mut self.parts;
        for piece in pieces.into_iter().collect::<Result<Vec<_>, _>>()? {
            match (piece, task) {
                (Piece::Games(games), Task::Weak) => parts.weak.push(*games),
                (Piece::Games(games), Task::Strong) => parts.strong.push(*games),
                (Piece::Games(games), _) => parts.random.push(*games),
                (Piece::Tree(descents), _) => parts.tree.push(descents),
                (Piece::Opening(opinion), _) => parts.openings.push(opinion),
                (Piece::Mirror(games), _) => parts.mirror.push(games),
            }
        }
        Ok(true)
    }

    fn seed(&self, task: Task, number: u64) -> u64 {
        mix(mix(self.request.seed ^ mix(task as u64 + 1)) ^ number)
    }

    fn unless_stopped(&self) -> Result<(), ProfileError> {
        if self.work.is_stopped() {
            self.save_now()?;
            return Err(ProfileError::Stopped);
        }
        Ok(self.pieces.check()?)
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
        let counted = self.pieces.count(units)?;
        self.unless_stopped()?;
        if counted.as_ref().is_some_and(|counted| counted.complete) {
            self.parts.solved = match self.pieces.solve() {
                Ok(solved) => Some(solved),
                Err(SolveError::Stopped) => return Err(ProfileError::Stopped),
                Err(error) => return Err(error.into()),
            };
        }
        self.parts.positions = counted;
        Ok(true)
    }

    /// The next match of the ladder, its pairs side by side.
    fn ladder(&mut self, done: u64) -> Result<bool, ProfileError> {
        let Some(budgets) = ladder::next(&self.parts.ladder, 4 * self.request.budgets.strong) else {
            return Ok(false);
        };
        let (next, seed) = (AtomicU64::new(0), self.seed(Task::Ladder, done));
        let worker = |_| self.pieces.pairs(budgets, seed, &next);
        let mut all = Match { low: budgets.0, high: budgets.1, ..Match::default() };
        for part in threads::run(self.work.threads.max(1), worker) {
            all.add(&part?);
        }
        self.unless_stopped()?;
        self.parts.ladder.push(all);
        Ok(true)
    }
}
