//! Goes through the rows of a source side by side, and keeps what the question asks for.
//!
//! A source hands over pieces of work; a *round* of them is looked at in parallel, and what was found is told in the
//! order of the source. So the answer does not depend on the number of threads, and memory is bounded: by a round
//! without sorting, by the limit with it.

use super::datum::{Datum, Owned};
use super::expression::{Expression, Fields};
use super::row::{Row, Scope};
use super::vocabulary::Field;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tabia_core::threads::{self, OnPanic};
use tabia_core::work::{Pace, Work};
use tabia_core::{GameError, Present, Progress, sort_many, trust};

/// Pieces of work for each thread in a round.
const ROUND: usize = 16;

/// A position that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The position.
    pub position: String,
    /// The fields that are told, in the order asked for.
    pub fields: Vec<Owned>,
    /// What it is sorted by.
    key: Option<Owned>,
}

/// What to do with the rows that fit.
#[derive(Clone, Debug)]
pub struct Question {
    /// What must be true of a row.
    pub condition: Expression<Field>,
    /// What the rows are sorted by.
    pub sort: Option<Expression<Field>>,
    /// The largest first.
    pub descending: bool,
    /// The most rows to tell.
    pub limit: usize,
    /// Count all rows that fit, also beyond the limit.
    pub count: bool,
    /// The fields to tell of each.
    pub told: Vec<Field>,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Positions looked at.
    pub looked_at: u64,
    /// Those that fit; all of them only where `complete`.
    pub matched: u64,
    /// Those of which the question cannot be answered: it compares something that they do not have.
    pub undecided: u64,
    /// Whether the whole source was looked at.
    pub complete: bool,
}

/// Why a question was not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// A row could not be read.
    #[error("{0}")]
    Row(String),
    /// The rules failed.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A table could not be read.
    #[error(transparent)]
    File(#[from] tabia_solve::FileError),
}

/// Somebody who hears of each position found.
pub type Sink<'a> = dyn FnMut(&Match) -> ControlFlow<()> + 'a;

/// What the threads of a round go by.
struct Lens<'a, G: Present> {
    scope: &'a Scope<'a, G>,
    question: &'a Question,
    work: &'a Work<'a>,
}

/// A question being answered.
pub struct Finder<'a, G: Present> {
    lens: Lens<'a, G>,
    sink: &'a mut Sink<'a>,
    /// The best rows so far, where they are sorted.
    kept: Vec<Match>,
    told: usize,
    found: Found,
    pace: Pace,
    /// Positions of the source, where known.
    total: Option<u64>,
}

/// What one piece of work came to.
#[derive(Default)]
struct Part {
    matches: Vec<Match>,
    looked_at: u64,
    matched: u64,
    undecided: u64,
}

/// How a source hands over the rows of one piece of work.
pub(super) type Rows<'a, G> = dyn Fn(usize, &mut dyn FnMut(&Row<'_, G>)) -> Result<(), FindError> + Sync + 'a;

impl<'a, G: Present> Finder<'a, G> {
    /// Nothing looked at yet.
    pub fn new(
        scope: &'a Scope<'a, G>,
        question: &'a Question,
        work: &'a Work<'a>,
        total: Option<u64>,
        sink: &'a mut Sink<'a>,
    ) -> Self {
        let found = Found { complete: true, ..Found::default() };
        let lens = Lens { scope, question, work };
        Finder { lens, sink, kept: Vec::new(), told: 0, found, pace: Pace::new(), total }
    }

    /// What all rows share.
    pub fn scope(&self) -> &'a Scope<'a, G> {
        self.lens.scope
    }

    /// Looks at so many pieces of work, round by round; whether to go on.
    pub(super) fn feed(&mut self, pieces: usize, rows: &Rows<'_, G>) -> Result<ControlFlow<()>, FindError> {
        let round = ROUND * self.lens.work.threads.max(1);
        let mut from = 0;
        while from < pieces {
            let many = round.min(pieces - from);
            for part in self.lens.round(from, many, self.worst(), rows)? {
                if self.take(part).is_break() {
                    self.found.complete = false;
                    return Ok(ControlFlow::Break(()));
                }
            }
            from += many;
            if self.lens.work.is_stopped() {
                self.found.complete = false;
                return Ok(ControlFlow::Break(()));
            }
            let (done, total) = (self.found.looked_at, self.total);
            self.pace.tell(self.lens.work, || Progress::positions("find", done, total));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What a row must beat to be kept, once as many as asked for are.
    fn worst(&self) -> Option<&Match> {
        let full = self.lens.question.sort.is_some() && self.kept.len() >= self.lens.question.limit;
        self.kept.last().filter(|_| full)
    }

    fn take(&mut self, part: Part) -> ControlFlow<()> {
        self.found.looked_at += part.looked_at;
        self.found.matched += part.matched;
        self.found.undecided += part.undecided;
        if self.lens.question.sort.is_some() {
            self.kept.extend(part.matches);
            let mut kept = std::mem::take(&mut self.kept);
            self.lens.prune(&mut kept);
            self.kept = kept;
            return ControlFlow::Continue(());
        }
        for found in part.matches {
            if self.told < self.lens.question.limit {
                self.told += 1;
                (self.sink)(&found)?;
            }
        }
        let enough = self.told >= self.lens.question.limit && !self.lens.question.count;
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Tells what was sorted, and what it all came to.
    pub fn finish(self) -> Found {
        for found in &self.kept {
            if (self.sink)(found).is_break() {
                break;
            }
        }
        self.found
    }
}

impl<G: Present> Lens<'_, G> {
    fn round(
        &self,
        from: usize,
        many: usize,
        worst: Option<&Match>,
        rows: &Rows<'_, G>,
    ) -> Result<Vec<Part>, FindError> {
        let parts: Vec<Mutex<Part>> = (0..many).map(|_| Mutex::default()).collect();
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let workers = self.work.threads.clamp(1, many.max(1));
        let ends = threads::run(workers, |_| {
            let _alarm = OnPanic(&over);
            while !over.load(Relaxed) && !self.work.is_stopped() {
                let piece = next.fetch_add(1, Relaxed);
                let Some(slot) = parts.get(piece) else { break };
                let mut part = Part::default();
                rows(from + piece, &mut |row| self.look(row, worst, &mut part))
                    .inspect_err(|_| over.store(true, Relaxed))?;
                *slot.lock().unwrap_or_else(PoisonError::into_inner) = part;
            }
            Ok::<(), FindError>(())
        });
        ends.into_iter().collect::<Result<(), _>>()?;
        trust::check(self.scope.rules)?;
        if let Some(fault) = self.scope.fault.get() {
            return Err(FindError::Row(fault.clone()));
        }
        Ok(parts.into_iter().map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
    }

    fn look(&self, row: &Row<'_, G>, worst: Option<&Match>, part: &mut Part) {
        part.looked_at += 1;
        match self.question.condition.is_true(row) {
            Some(true) => part.matched += 1,
            Some(false) => return,
            None => {
                part.undecided += 1;
                return;
            }
        }
        if self.question.limit == 0 {
            return;
        }
        let key = self.question.sort.as_ref().map(|sort| sort.value(row).unwrap_or(Datum::Null));
        if let (Some(key), Some(worst)) = (key, worst)
            && self.order(Some(key), worst.key.as_ref().map(Owned::datum)) != Ordering::Less
        {
            return;
        }
        // Without sorting the first ones of each piece are enough.
        if key.is_none() && part.matches.len() >= self.question.limit {
            return;
        }
        let fields = self.question.told.iter().map(|field| row.field(*field).owned()).collect();
        part.matches.push(Match { position: row.text().to_owned(), fields, key: key.map(Datum::owned) });
        if key.is_some() && part.matches.len() >= 2 * self.question.limit.max(512) {
            self.prune(&mut part.matches);
        }
    }

    fn prune(&self, matches: &mut Vec<Match>) {
        // Sorting is stable: what is equal stays in the order of the source.
        sort_many(matches, |a, b| {
            self.order(a.key.as_ref().map(Owned::datum), b.key.as_ref().map(Owned::datum))
        });
        matches.truncate(self.question.limit);
    }

    /// The order of two keys; what has no value comes last.
    fn order(&self, a: Option<Datum<'_>>, b: Option<Datum<'_>>) -> Ordering {
        let (a, b) = (a.unwrap_or(Datum::Null), b.unwrap_or(Datum::Null));
        match (a, b) {
            (Datum::Null, Datum::Null) => Ordering::Equal,
            (Datum::Null, _) => Ordering::Greater,
            (_, Datum::Null) => Ordering::Less,
            _ => {
                let order = a.order(b).unwrap_or(Ordering::Equal);
                if self.question.descending { order.reverse() } else { order }
            }
        }
    }
}
