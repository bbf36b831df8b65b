//! Which pictures a terminal shows: as its environment tells, or as it answers when it is asked.

use super::How;
use std::io::IsTerminal;

/// The protocol to use; `None` where the terminal says nothing.
pub(super) fn protocol() -> Option<How> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    // What tmux runs in says nothing about what tmux passes on.
    let inside = std::env::var_os("TMUX").is_some();
    let told = if inside { None } else { by_name(|name| std::env::var(name).unwrap_or_default()) };
    told.or_else(answered)
}

fn by_name(of: impl Fn(&str) -> String) -> Option<How> {
    let (term, program) = (of("TERM"), of("TERM_PROGRAM"));
    if term.contains("kitty") || term.contains("ghostty") || program == "ghostty" {
        return Some(How::Kitty);
    }
    if ["iTerm.app", "WezTerm", "mintty"].contains(&program.as_str()) || of("LC_TERMINAL") == "iTerm2" {
        return Some(How::Iterm);
    }
    (term.starts_with("foot") || term.starts_with("mlterm")).then_some(How::Sixel)
}

/// What an answer says: kitty's own, or the fourth of the things that terminals list about themselves (DA1).
#[cfg_attr(not(unix), allow(dead_code, reason = "only Unix asks"))]
fn read(answer: &str) -> Option<How> {
    if answer.contains("_Gi=31;OK") {
        return Some(How::Kitty);
    }
    let listed = answer.split("\x1b[?").nth(1)?.split('c').next()?;
    listed.split(';').skip(1).any(|item| item == "4").then_some(How::Sixel)
}

/// Asks the terminal, and waits for a moment.
#[cfg(unix)]
fn answered() -> Option<How> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    use std::io::Write;
    const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 300_000_000 };

    let (stdin, mut stdout) = (std::io::stdin(), std::io::stdout());
    if !stdin.is_terminal() {
        return None;
    }
    let before = tcgetattr(&stdin).ok()?;
    let mut raw = before.clone();
    raw.make_raw();
    tcsetattr(&stdin, OptionalActions::Now, &raw).ok()?;
    let mut answer = Vec::new();
    // A pixel that kitty is only asked about, and the question that every terminal answers.
    let asked =
        stdout.write_all(b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c").and_then(|()| stdout.flush());
    while asked.is_ok() && !answer.ends_with(b"c") {
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        let mut bytes = [0; 256];
        if !poll(&mut ready, Some(&MOMENT)).is_ok_and(|ready| ready > 0) {
            break;
        }
        match rustix::io::read(&stdin, &mut bytes) {
            Ok(count) if count > 0 => answer.extend(bytes.iter().take(count)),
            _ => break,
        }
    }
    let _ = tcsetattr(&stdin, OptionalActions::Now, &before);
    read(&String::from_utf8_lossy(&answer))
}

#[cfg(not(unix))]
fn answered() -> Option<How> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_their_names() {
        let named = |pairs: &[(&str, &str)]| {
            by_name(|name| {
                pairs.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value).to_owned()
            })
        };
        assert_eq!(named(&[("TERM", "xterm-kitty")]), Some(How::Kitty));
        assert_eq!(named(&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")]), Some(How::Iterm));
        assert_eq!(named(&[("TERM", "foot")]), Some(How::Sixel));
        assert_eq!(named(&[("TERM", "xterm-256color")]), None);
    }

    #[test]
    fn answers_are_understood() {
        assert_eq!(read("\x1b_Gi=31;OK\x1b\\\x1b[?62;c"), Some(How::Kitty));
        assert_eq!(read("\x1b[?62;4;22c"), Some(How::Sixel));
        assert_eq!(read("\x1b[?1;2c"), None, "an old one");
        assert_eq!(read("\x1b[?64;1;2;6;9;15;18;21;22c"), None);
        assert_eq!(read("\x1b[?4c"), None, "the first number is the kind of terminal");
        assert_eq!(read(""), None);
    }
}
