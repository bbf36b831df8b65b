//! Where this machine and this user keep things: the environment, read once.

use std::path::PathBuf;
use tabia_app::Settings;
use tabia_app::draw::Colours;

/// The folders that the environment names:
///
/// | folder | set by | otherwise |
/// |---|---|---|
/// | cache | `TABIA_CACHE` | where the system keeps caches |
/// | tables | `TABIA_TABLES` | none |
/// | book | | `tabia/book.redb` where the system keeps a user's data |
pub fn from_environment() -> Settings {
    let cache = folder("TABIA_CACHE").or_else(|| Some(system_cache()?.join("tabia")));
    let book = system_data().map(|data| data.join("tabia").join("book.redb"));
    Settings { cache, tables: folder("TABIA_TABLES"), book }
}

/// How many colours the terminal says it has.
pub(crate) fn colours() -> Colours {
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let (term, any) = (of("TERM"), of("COLORTERM"));
    let modern = ["kitty", "alacritty", "ghostty", "foot", "wezterm", "direct"];
    if any == "truecolor" || any == "24bit" || modern.iter().any(|name| term.contains(name)) || cfg!(windows)
    {
        return Colours::True;
    }
    if term.contains("256color") { Colours::Indexed } else { Colours::Basic }
}

/// Where typed moves are remembered from game to game.
#[cfg(feature = "terminal")]
pub(crate) fn history() -> Option<PathBuf> {
    system_data().map(|data| data.join("tabia").join("typed.txt"))
}

fn folder(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn system_cache() -> Option<PathBuf> {
    if cfg!(windows) {
        return folder("LOCALAPPDATA");
    }
    folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))
}

fn system_data() -> Option<PathBuf> {
    if cfg!(windows) {
        return folder("LOCALAPPDATA");
    }
    let home = || {
        let inside = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
        Some(folder("HOME")?.join(inside))
    };
    folder("XDG_DATA_HOME").or_else(home)
}
