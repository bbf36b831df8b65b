//! Threads that work side by side. Whoever waits for them gets their results, their panics and their bill.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Whether there can be more than one thread: a browser gives each program one. What needs several at the
/// same time must have another way where there is none.
pub const AVAILABLE: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

thread_local! {
    /// CPU time of the helpers that this thread has waited for.
    static HELPERS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Runs `work` on so many threads, this one included, and waits for all; it is told its number, from 0. The
/// results are in that order. Where there are no threads, one piece of work follows the other. A thread that panics passes its panic on: there is no answer with a part missing.
pub fn run<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (first, others) = beside(threads.saturating_sub(1), |helper| work(helper + 1), || work(0));
    std::iter::once(first).chain(others).collect()
}

/// The same where this thread does something of its own: `own` here, `work` on so many helpers.
pub fn beside<T: Send, R>(
    helpers: usize,
    work: impl Fn(usize) -> T + Sync,
    own: impl FnOnce() -> R,
) -> (R, Vec<T>) {
    let results: Vec<Mutex<Option<T>>> = (0..helpers).map(|_| Mutex::new(None)).collect();
    let mut owned = None;
    let fill = |number: usize| *lock(&results[number]) = Some(work(number));
    let mut own = Some(own);
    spread(helpers, &fill, &mut || owned = own.take().map(|own| own()));
    let done =
        results.into_iter().filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner));
    (owned.expect("`spread` has called it"), done.collect())
}

/// The one place where threads are started: programs with many kinds of work need no copy of it for each.
fn spread(helpers: usize, work: &(dyn Fn(usize) + Sync), own: &mut dyn FnMut()) {
    if !AVAILABLE {
        own();
        return (0..helpers).for_each(work);
    }
    std::thread::scope(|scope| {
        let measured = |number| {
            work(number);
            cpu_time().unwrap_or_default()
        };
        let helpers: Vec<_> = (0..helpers).map(|number| scope.spawn(move || measured(number))).collect();
        own();
        for helper in helpers {
            let cpu = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            HELPERS.set(HELPERS.get() + cpu);
        }
    });
}

fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// CPU time of this thread and of the helpers it has waited for in [`run`], so far; `None` where the system does
/// not tell. Two readings in one thread are the bill of what that thread did between them.
pub fn cpu_time() -> Option<Duration> {
    Some(own_time()? + HELPERS.get())
}

#[cfg(not(target_family = "wasm"))]
fn own_time() -> Option<Duration> {
    Some(cpu_time::ThreadTime::try_now().ok()?.as_duration())
}

#[cfg(target_family = "wasm")]
fn own_time() -> Option<Duration> {
    None
}

/// Sets a flag when the thread that holds it panics, so that the others need not go on.
#[derive(Debug)]
pub struct OnPanic<'a>(pub &'a AtomicBool);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn results_come_in_the_order_of_the_threads() {
        assert_eq!(run(1, |n| n), [0]);
        assert_eq!(run(0, |n| n), [0]);
        assert_eq!(run(5, |n| n * n), [0, 1, 4, 9, 16]);
    }

    #[test]
    fn any_thread_that_panics_is_heard_of_with_its_words() {
        for bad in 0..3 {
            let panic = catch_unwind(|| run(3, |n| assert!(n != bad, "thread {n} failed"))).unwrap_err();
            let words = panic.downcast_ref::<String>().unwrap();
            assert_eq!(words, &format!("thread {bad} failed"));
        }
    }

    #[test]
    #[cfg(not(target_family = "wasm"))]
    fn the_bill_counts_own_helpers_and_nobody_elses() {
        let busy = || {
            let end = own_time().unwrap() + Duration::from_millis(20);
            while own_time().unwrap() < end {}
        };
        let (quit, stranger_began) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                stranger_began.store(true, Relaxed);
                while !quit.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
            while !stranger_began.load(Relaxed) {
                std::hint::spin_loop();
            }
            let before = cpu_time().unwrap();
            run(3, |_| busy());
            let bill = cpu_time().unwrap().saturating_sub(before);
            quit.store(true, Relaxed);
            assert!(bill >= Duration::from_millis(60), "{bill:?}");
        });
        let before = cpu_time().unwrap();
        std::thread::scope(|scope| drop(scope.spawn(busy)));
        // A thread that was not started by `run` is somebody else's.
        assert!(cpu_time().unwrap().saturating_sub(before) < Duration::from_millis(20));
    }
}
