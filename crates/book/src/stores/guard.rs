//! Panics of the embedded database, turned into errors.
//!
//! redb trusts its pages: what a damaged one says can lead it to an index that is not there. For us
//! that is an error like any other, and the words of the panic would only confuse.

use crate::{Error, Result};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::Once;

thread_local! {
    /// How many guards this thread is in: its panics are told as errors.
    static GUARDS: Cell<u32> = const { Cell::new(0) };
}

static HOOK: Once = Once::new();

/// Does something with the database of a file.
pub(super) fn guard<T>(path: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if GUARDS.get() == 0 {
                before(info);
            }
        }));
    });
    GUARDS.set(GUARDS.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDS.set(GUARDS.get() - 1);
    result.unwrap_or_else(|_| {
        Err(Error::damaged(path.display(), "its pages contradict each other (restore it, or import anew)"))
    })
}
