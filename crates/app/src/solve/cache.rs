//! The user's cache folder: tables that can be built again at any time.

use std::path::PathBuf;

/// `TABIA_CACHE`, or where the system keeps caches; `None` when there is no such place.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("TABIA_CACHE")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("tabia")))
        .or_else(|| Some(set("LOCALAPPDATA")?.join("tabia")))
        .or_else(|| Some(set("HOME")?.join(".cache").join("tabia")))
}
