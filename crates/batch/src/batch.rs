//! The batch: positions in one buffer, everything else about a game beside it.

use crate::error::check_size;
use crate::row::{Referee, Row};
use crate::{AnyBatch, BatchError, DRAWN, GOING_ON, Legal};
use std::sync::{Mutex, PoisonError};
use tabia_core::actions::mask_bytes;
use tabia_core::{
    Actions, Evaluate, Game, LegalMoves, Notation, Observe, Outcome, Packed, Planes, Position, PositionError,
    Side, Stop, threads,
};

/// More than any machine has use for; fewer than any refuses.
const MOST_THREADS: usize = 256;

/// `n` games of one kind.
#[derive(Clone, Debug)]
pub struct Batch<G: Actions> {
    referee: Referee<G>,
    start: G::State,
    states: Vec<G::State>,
    rows: Vec<Row<G>>,
    /// Room for positions that may still be refused.
    spare: Vec<G::State>,
    threads: usize,
    evaluation: Option<fn(&G, &G::State) -> i32>,
    format: Option<fn(&G, &G::State) -> String>,
}

impl<G: Actions> Batch<G> {
    /// `rows` games at the start of the game; `threads` (1 to 256) share the work.
    pub fn new(rules: G, rows: usize, seed: u64, threads: usize) -> Self {
        let state = rules.start();
        Self::starting(Position { rules, state }, rows, seed, threads)
    }

    /// The same, where every game starts at another position.
    pub fn starting(start: Position<G>, rows: usize, seed: u64, threads: usize) -> Self {
        let Position { rules, state: start } = start;
        let referee = Referee::new(rules);
        let mut all: Vec<Row<G>> = (0..rows).map(|number| Row::new(seed, number)).collect();
        all.iter_mut().for_each(|row| row.begin(&referee, &start));
        Batch {
            states: vec![start.clone(); rows],
            spare: Vec::new(),
            rows: all,
            threads: threads.clamp(1, MOST_THREADS),
            evaluation: None,
            format: None,
            start,
            referee,
        }
    }

    /// The same batch with the evaluation that its game has.
    #[must_use]
    pub fn with_evaluation(self) -> Self
    where
        G: Evaluate,
    {
        self.evaluated_by(G::evaluate)
    }

    /// The same batch with an evaluation.
    #[must_use]
    pub fn evaluated_by(mut self, evaluation: fn(&G, &G::State) -> i32) -> Self {
        self.evaluation = Some(evaluation);
        self
    }

    /// The same batch with the texts of positions.
    #[must_use]
    pub fn with_texts(mut self) -> Self
    where
        G: Notation,
    {
        self.format = Some(G::format);
        self
    }

    /// The rules.
    pub fn rules(&self) -> &G {
        &self.referee.rules
    }

    /// The positions, row by row.
    pub fn states(&self) -> &[G::State] {
        &self.states
    }

    /// Does a job in every row, shared among the threads. `out` has `width` items for each row.
    fn each<T: Send>(
        &mut self,
        out: &mut [T],
        width: usize,
        job: impl Fn(&Referee<G>, usize, &mut G::State, &mut Row<G>, &mut [T]) + Sync,
    ) -> Result<(), BatchError> {
        let referee = &self.referee;
        let work = |first: usize, states: &mut [G::State], rows: &mut [Row<G>], out: &mut [T]| {
            let games = states.iter_mut().zip(rows).zip(out.chunks_exact_mut(width));
            games.enumerate().for_each(|(i, ((state, row), out))| job(referee, first + i, state, row, out));
        };
        // A game without actions has masks of no width.
        if width > 0 {
            share(self.threads, width, (&mut self.states, &mut self.rows, out), &work);
        }
        self.trusted()
    }

    /// Whether the rules have not failed meanwhile.
    fn trusted(&self) -> Result<(), BatchError> {
        self.rules().fault().map_or(Ok(()), |fault| Err(BatchError::Fault(fault)))
    }

    /// Does a job in every row that has one answer.
    fn answers<T: Send + Clone + Default>(
        &mut self,
        job: impl Fn(&Referee<G>, &mut G::State, &mut Row<G>) -> T + Sync,
    ) -> Result<Vec<T>, BatchError> {
        let mut out = vec![T::default(); self.rows.len()];
        self.each(&mut out, 1, |referee, _, state, row, out| out[0] = job(referee, state, row))?;
        Ok(out)
    }

    /// Writes the encodings that `pack` makes.
    fn write_packed(
        &mut self,
        out: &mut [u8],
        lengths: &mut [u8],
        pack: impl Fn(&G, &G::State) -> G::Packed + Sync,
    ) -> Result<(), BatchError> {
        let size = G::Packed::MOST_BYTES;
        check_size("packed bytes", out.len(), self.rows.len() * size)?;
        check_size("packed lengths", lengths.len(), self.rows.len())?;
        if G::Packed::ONE_LENGTH {
            lengths.fill(size as u8);
            if self.threads == 1 {
                // The quickest work of all: here the compiler knows how many bytes it copies.
                for (state, out) in self.states.iter().zip(out.chunks_exact_mut(size)) {
                    out.copy_from_slice(pack(self.rules(), state).as_bytes());
                }
                return self.trusted();
            }
            return self.each(out, size, |referee, _, state, _, out| {
                out.copy_from_slice(pack(&referee.rules, state).as_bytes());
            });
        }
        let mut rows: Vec<_> = out.chunks_exact_mut(size).zip(lengths).collect();
        self.each(&mut rows, 1, |referee, _, state, _, row| {
            let (out, length) = &mut row[0];
            let packed = pack(&referee.rules, state);
            let (used, rest) = out.split_at_mut(packed.as_bytes().len());
            used.copy_from_slice(packed.as_bytes());
            rest.fill(0);
            **length = used.len() as u8;
        })
    }
}

/// What a thread does with its share: the number of its first row, positions, rows, and room for answers.
type Work<'a, S, R, T> = dyn Fn(usize, &mut [S], &mut [R], &mut [T]) + Sync + 'a;

/// Shares rows among threads. A job is called in two places here: inlined, each would be in the program twice.
#[inline(never)]
fn share<S: Send, R: Send, T: Send>(
    threads: usize,
    width: usize,
    (states, rows, out): (&mut [S], &mut [R], &mut [T]),
    work: &Work<'_, S, R, T>,
) {
    let share = rows.len().div_ceil(threads).max(1);
    if share >= rows.len() {
        return work(0, states, rows, out);
    }
    let shares = states.chunks_mut(share).zip(rows.chunks_mut(share)).zip(out.chunks_mut(share * width));
    let shares: Vec<_> = shares.map(|share| Mutex::new(Some(share))).collect();
    threads::run(shares.len(), |i| {
        let mine = shares[i].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(((states, rows), out)) = mine {
            work(i * share, states, rows, out);
        }
    });
}

/// The position of a row of bytes.
fn unpack<G: Game>(rules: &G, bytes: &[u8], length: usize) -> Result<G::State, PositionError> {
    let (used, rest) = bytes.split_at_checked(length).unwrap_or((&[], bytes));
    match G::Packed::from_bytes(used) {
        Some(packed) if rest.iter().all(|&byte| byte == 0) => rules.unpack(&packed),
        _ => Err(PositionError::rule(format!("{length} of {} bytes are no encoding", bytes.len()))),
    }
}

impl<G: Observe + Actions> AnyBatch for Batch<G> {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn action_count(&self) -> usize {
        self.rules().action_count()
    }

    fn planes(&self) -> Planes {
        self.rules().planes()
    }

    fn packed_size(&self) -> (usize, bool) {
        (G::Packed::MOST_BYTES, G::Packed::ONE_LENGTH)
    }

    fn text(&self, row: usize) -> Option<String> {
        Some(self.format?(self.rules(), self.states.get(row)?))
    }

    fn legal(&mut self) -> Result<Legal, BatchError> {
        let mut offsets = vec![0; self.rows.len() + 1];
        self.each(&mut offsets[1..], 1, |referee, _, state, row, count| {
            count[0] = row.legal(referee, state).map_or(0, LegalMoves::count) as i64;
        })?;
        for row in 1..offsets.len() {
            offsets[row] += offsets[row - 1];
        }
        let mut actions = Vec::with_capacity(offsets.last().map_or(0, |&all| all as usize));
        for (state, row) in self.states.iter().zip(&mut self.rows) {
            let Some(legal) = row.legal(&self.referee, state) else { continue };
            let rules = &self.referee.rules;
            legal.each(rules, state, |mv| actions.push(rules.action_of(state, mv) as i32));
        }
        Ok(Legal { offsets, actions })
    }

    fn mask(&mut self, out: &mut [u8]) -> Result<(), BatchError> {
        let width = self.action_count();
        check_size("mask bytes", out.len(), self.rows.len() * width)?;
        self.each(out, width, |referee, _, state, row, out| {
            out.fill(0);
            let Some(legal) = row.legal(referee, state) else { return };
            legal.each(&referee.rules, state, |mv| {
                if let Some(byte) = out.get_mut(referee.rules.action_of(state, mv)) {
                    *byte = 1;
                }
            });
        })
    }

    fn mask_bits(&mut self, out: &mut [u8]) -> Result<(), BatchError> {
        let width = mask_bytes(self.action_count());
        check_size("mask bytes", out.len(), self.rows.len() * width)?;
        self.each(out, width, |referee, _, state, row, out| row.mask(referee, state, out))
    }

    fn step(&mut self, actions: &[i32]) -> Result<(), BatchError> {
        check_size("actions", actions.len(), self.rows.len())?;
        let mut refused = vec![false; actions.len()];
        self.each(&mut refused, 1, |referee, number, state, row, refused| {
            let Ok(action) = usize::try_from(actions[number]) else { return row.choose(None) };
            let mv = row.legal(referee, state).and_then(|legal| legal.find(&referee.rules, state, action));
            row.choose(mv);
            refused[0] = mv.is_none();
        })?;
        let rows: Vec<usize> = (0..refused.len()).filter(|&row| refused[row]).collect();
        if !rows.is_empty() {
            return Err(BatchError::Illegal { rows });
        }
        self.answers(|referee, state, row| row.play_chosen(referee, state)).map(drop)
    }

    fn random(&mut self) -> Result<(), BatchError> {
        self.answers(|referee, state, row| row.play_any(referee, state)).map(drop)
    }

    fn observe(&mut self, out: &mut [u8]) -> Result<(), BatchError> {
        let width = self.planes().bytes();
        check_size("planes", out.len(), self.rows.len() * width)?;
        self.each(out, width, |referee, _, state, row, out| referee.rules.observe(state, row.quiet(), out))
    }

    fn outcome(&mut self) -> Result<Vec<i8>, BatchError> {
        let puzzle = self.rules().players() == 1;
        self.answers(|referee, state, row| match row.outcome(referee, state) {
            None => GOING_ON,
            Some(Outcome::Draw) => DRAWN,
            Some(Outcome::Win(Side::Second)) if puzzle => DRAWN,
            Some(Outcome::Win(side)) => side.index() as i8,
        })
    }

    fn side(&mut self) -> Result<Vec<u8>, BatchError> {
        self.answers(|referee, state, _| referee.rules.side(state).index() as u8)
    }

    fn keys(&mut self) -> Result<Vec<u64>, BatchError> {
        self.answers(|referee, state, _| referee.rules.key(state).0)
    }

    fn packed(&mut self, out: &mut [u8], lengths: &mut [u8]) -> Result<(), BatchError> {
        self.write_packed(out, lengths, G::pack)
    }

    fn canonical(&mut self, out: &mut [u8], lengths: &mut [u8]) -> Result<(), BatchError> {
        self.write_packed(out, lengths, G::pack_canonical)
    }

    fn set_packed(&mut self, bytes: &[u8], lengths: Option<&[u8]>) -> Result<(), BatchError> {
        let size = G::Packed::MOST_BYTES;
        check_size("packed bytes", bytes.len(), self.rows.len() * size)?;
        check_size("packed lengths", lengths.map_or(self.rows.len(), <[u8]>::len), self.rows.len())?;
        let position = |rules: &G, row: usize| {
            let length = lengths.map_or(size, |lengths| lengths[row].into());
            unpack(rules, &bytes[row * size..(row + 1) * size], length)
        };
        self.spare.resize(self.rows.len(), self.start.clone());
        std::mem::swap(&mut self.states, &mut self.spare);
        let mut refused = vec![false; self.rows.len()];
        let done = self.each(&mut refused, 1, |referee, row, state, _, refused| {
            match position(&referee.rules, row) {
                Ok(read) => *state = read,
                Err(_) => refused[0] = true,
            }
        });
        let first = refused.iter().position(|&refused| refused);
        let reason = first.and_then(|row| Some((row, position(self.rules(), row).err()?)));
        let done = done.and(reason.map_or(Ok(()), |(row, reason)| Err(BatchError::Position { row, reason })));
        if done.is_err() {
            std::mem::swap(&mut self.states, &mut self.spare);
            return done;
        }
        self.answers(|referee, state, row| row.begin(referee, state)).map(drop)
    }

    fn reset(&mut self) -> Result<(), BatchError> {
        let start = self.start.clone();
        self.answers(|referee, state, row| {
            state.clone_from(&start);
            row.begin(referee, state);
        })
        .map(drop)
    }

    fn reset_rows(&mut self, rows: &[usize]) -> Result<(), BatchError> {
        if let Some(&row) = rows.iter().find(|&&row| row >= self.rows.len()) {
            return Err(BatchError::NoSuchRow { row, rows: self.rows.len() });
        }
        for &row in rows {
            self.states[row].clone_from(&self.start);
            self.rows[row].begin(&self.referee, &self.start);
        }
        Ok(())
    }

    fn reset_finished(&mut self) -> Result<usize, BatchError> {
        let start = self.start.clone();
        let finished = self.answers(|referee, state, row| {
            let over = row.outcome(referee, state).is_some();
            if over {
                state.clone_from(&start);
                row.begin(referee, state);
            }
            over
        })?;
        Ok(finished.into_iter().filter(|&over| over).count())
    }

    fn reseed(&mut self, seed: u64) {
        self.rows.iter_mut().enumerate().for_each(|(number, row)| row.reseed(seed, number));
    }

    fn playouts(&mut self, games: u32, stop: &Stop) -> Result<Vec<[u32; 3]>, BatchError> {
        let counts = self.answers(|referee, state, row| row.playouts(referee, state, games, stop))?;
        if stop.is_stopped() { Err(BatchError::Stopped) } else { Ok(counts) }
    }

    fn evaluate(&mut self) -> Result<Vec<i32>, BatchError> {
        let Some(evaluate) = self.evaluation else {
            return Err(BatchError::NoEvaluation { game: self.rules().id().to_owned() });
        };
        self.answers(|referee, state, row| match row.outcome(referee, state) {
            None => evaluate(&referee.rules, state),
            Some(_) => 0,
        })
    }
}
