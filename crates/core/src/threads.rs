//! Threads that work side by side. Whoever waits for them gets their results, their panics and their bill.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
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
    let results = Results::new(threads.max(1));
    // `work` is called in one place: what it does is in the program once.
    share(threads.max(1), &|number| results.put(number, work(number)));
    results.all()
}

fn share(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    spread(threads - 1, &|helper| work(helper + 1), &mut || work(0));
}

/// The same where this thread does something of its own: `own` here, `work` on so many helpers.
pub fn beside<T: Send, R>(
    helpers: usize,
    work: impl Fn(usize) -> T + Sync,
    own: impl FnOnce() -> R,
) -> (R, Vec<T>) {
    let results = Results::new(helpers);
    let (mut owned, mut own) = (None, Some(own));
    spread(helpers, &|number| results.put(number, work(number)), &mut || owned = own.take().map(|own| own()));
    (owned.expect("`spread` has called it"), results.all())
}

/// A place for the result of each thread.
struct Results<T>(Vec<Mutex<Option<T>>>);

impl<T> Results<T> {
    fn new(threads: usize) -> Self {
        Results((0..threads).map(|_| Mutex::new(None)).collect())
    }

    fn put(&self, number: usize, result: T) {
        *self.0[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    fn all(self) -> Vec<T> {
        let result = |place: Mutex<Option<T>>| place.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.0.into_iter().filter_map(result).collect()
    }
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
