//! Clocks for a game against the engine.

use std::time::{Duration, Instant};

/// Moves that the engine expects to need time for.
const MOVES_AHEAD: u32 = 40;

/// The time of a game: so much for each player, and so much more with every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time {
    start: Duration,
    more: Duration,
}

/// `5m`, `3m+2s`, `90s`.
pub(crate) fn time(text: &str) -> Result<Time, String> {
    let wrong = || "expected a time for each player such as 5m, or 3m+2s with two seconds a move".to_owned();
    let (start, more) = text.split_once('+').map_or((text, None), |(start, more)| (start, Some(more)));
    let read = |text: &str| tabia_app::search::duration(text).ok_or_else(wrong);
    Ok(Time { start: read(start)?, more: more.map(read).transpose()?.unwrap_or_default() })
}

/// Two clocks, one of which runs.
#[derive(Debug)]
pub(crate) struct Clock {
    left: [Duration; 2],
    more: Duration,
    since: Instant,
}

impl Clock {
    pub(crate) fn new(time: Time) -> Self {
        Clock { left: [time.start; 2], more: time.more, since: Instant::now() }
    }

    /// What a player whose clock runs has left.
    fn left(&self, side: usize) -> Duration {
        self.left.get(side).map_or(Duration::ZERO, |left| left.saturating_sub(self.since.elapsed()))
    }

    /// Ends the turn of a player; whether there was time left.
    pub(crate) fn press(&mut self, side: usize) -> bool {
        let left = self.left(side);
        if let Some(kept) = self.left.get_mut(side) {
            *kept = if left.is_zero() { left } else { left + self.more };
        }
        self.since = Instant::now();
        !left.is_zero()
    }

    /// How long a player shall think about a move.
    pub(crate) fn share(&self, side: usize) -> Duration {
        (self.left(side) / MOVES_AHEAD + self.more / 2).max(Duration::from_millis(10))
    }

    /// Both clocks, that of player 0 first, while the clock of one runs.
    pub(crate) fn faces(&self, running: usize) -> String {
        let face = |side: usize| {
            let left = if side == running { self.left(side) } else { self.left[side] };
            let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
            format!("{minutes}:{seconds:02}")
        };
        format!("{} {}", face(0), face(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let of = |start, more| Time { start: Duration::from_secs(start), more: Duration::from_secs(more) };
        assert_eq!(time("5m"), Ok(of(300, 0)));
        assert_eq!(time("3m+2s"), Ok(of(180, 2)));
        for wrong in ["", "fast", "5m+", "+2s", "0s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_runs_out_and_stays_so() {
        let mut clock = Clock::new(Time { start: Duration::ZERO, more: Duration::from_secs(9) });
        assert!(!clock.press(0));
        assert_eq!(clock.faces(1), "0:00 0:00", "nobody gets time back");
        let mut clock = Clock::new(Time { start: Duration::from_secs(600), more: Duration::from_secs(30) });
        assert!(clock.press(0) && clock.press(1));
        assert!(
            clock.faces(0).ends_with(" 10:29") || clock.faces(0).ends_with(" 10:30"),
            "{}",
            clock.faces(0)
        );
        assert!(clock.share(0) > Duration::from_secs(20) && clock.share(0) < Duration::from_secs(40));
    }
}
