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
    let cache = folder("TABIA_CACHE").or_else(|| Some(cache(std::env::consts::OS, folder)?.join("tabia")));
    let book = data(std::env::consts::OS, folder).map(|data| data.join("tabia").join("book.redb"));
    Settings { cache, tables: folder("TABIA_TABLES"), book, ..Settings::default() }
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
    data(std::env::consts::OS, folder).map(|data| data.join("tabia").join("typed.txt"))
}

fn folder(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where a system keeps what can be made again.
fn cache(system: &str, folder: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let home = |inside: &str| Some(folder("HOME")?.join(inside));
    match system {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("XDG_CACHE_HOME").or_else(|| home("Library/Caches")),
        _ => folder("XDG_CACHE_HOME").or_else(|| home(".cache")),
    }
}

/// Where a system keeps what belongs to a user.
fn data(system: &str, folder: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let home = |inside: &str| Some(folder("HOME")?.join(inside));
    match system {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("XDG_DATA_HOME").or_else(|| home("Library/Application Support")),
        _ => folder("XDG_DATA_HOME").or_else(|| home(".local/share")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_has_its_places() {
        let named = |names: &'static [(&str, &str)]| {
            move |name: &str| {
                names.iter().find(|(known, _)| *known == name).map(|(_, path)| PathBuf::from(path))
            }
        };
        let home = named(&[("HOME", "/h")]);
        let xdg = named(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/c"), ("XDG_DATA_HOME", "/d")]);
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!((cache("linux", home), data("linux", home)), (path("/h/.cache"), path("/h/.local/share")));
        assert_eq!(cache("macos", home), path("/h/Library/Caches"));
        assert_eq!(data("macos", home), path("/h/Library/Application Support"));
        assert_eq!((cache("macos", xdg), data("linux", xdg)), (path("/c"), path("/d")));
        let windows = named(&[("LOCALAPPDATA", "/l")]);
        assert_eq!((cache("windows", windows), data("windows", windows)), (path("/l"), path("/l")));
        assert_eq!((cache("linux", windows), data("macos", windows)), (None, None));
    }
}
