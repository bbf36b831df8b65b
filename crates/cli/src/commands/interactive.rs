//! `tabia play` with a person: the rules, the board and the opponent are Tabia's.

use super::clock::{Clock, Time};
use super::lines::{Lines, Typed};
use super::play::last_move;
use super::show;
use crate::args::Common;
use crate::output::{self, Interrupted};
use crate::picture::Drawing;
use std::time::Duration;
use tabia_app::search::{Player, PlayerSpec, SearchRequest, Stop};
use tabia_app::solve::SolveRequest;
use tabia_app::{AnyPosition, Watch};

const HELP: &str = "type a move or its beginning, or: moves, hint, undo, swap (change sides), board, codes, clock, help, quit";
const COMMANDS: [&str; 9] = ["moves", "hint", "undo", "swap", "board", "codes", "clock", "help", "quit"];

/// How a game against the engine is played.
pub(crate) struct Terms {
    /// Who plays against the person.
    pub(crate) versus: PlayerSpec,
    /// Whom the person plays: 0 or 1.
    pub(crate) person: usize,
    /// The time of each player.
    pub(crate) time: Option<Time>,
    /// Whether the opponent thinks as long as its clock suggests.
    pub(crate) by_clock: bool,
}

/// A game between a person and a player of Tabia's.
pub(crate) struct Table<'a> {
    common: &'a Common,
    drawing: Drawing,
    position: Box<dyn AnyPosition>,
    opponent: Player,
    terms: Terms,
    clock: Option<Clock>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(
        common: &'a Common,
        drawing: Drawing,
        position: Box<dyn AnyPosition>,
        terms: Terms,
    ) -> anyhow::Result<Self> {
        let opponent = Player::new(terms.versus.clone(), common.seed)?;
        let clock = terms.time.map(Clock::new);
        Ok(Table { common, drawing, position, opponent, terms, clock })
    }

    /// Plays until the game is over or the person leaves.
    pub(crate) fn run(&mut self) -> anyhow::Result<()> {
        let mut lines = Lines::open();
        output::message(HELP);
        self.show()?;
        loop {
            if self.answer()? {
                return Ok(());
            }
            let line = lines.next(&self.prompt(), || self.words())?;
            match line {
                Typed::End => return Ok(()),
                Typed::Interrupted => {
                    return Err(Interrupted { message: "the game was left".to_owned() }.into());
                }
                Typed::Line(line) => match line.trim() {
                    "" => {}
                    "quit" | "exit" => return Ok(()),
                    command if self.obey(command)? => return Ok(()),
                    _ => {}
                },
            }
        }
    }

    fn prompt(&self) -> String {
        self.clock.as_ref().map_or("> ".to_owned(), |clock| format!("{} > ", clock.faces(self.terms.person)))
    }

    /// What can be typed.
    fn words(&self) -> Vec<String> {
        let commands = COMMANDS.iter().map(|command| (*command).to_owned());
        self.position.move_texts().into_iter().chain(commands).collect()
    }

    /// The board with the last move, and whose turn it is.
    fn show(&self) -> anyhow::Result<()> {
        let lights = last_move(self.position.as_ref())?;
        output::picture(&self.drawing.board(self.common, &self.position.board(), &lights)?)?;
        let view = self.position.view();
        if view.outcome.is_some() { Ok(()) } else { output::data(&format!("{} to move\n", view.side_name)) }
    }

    /// Lets the opponent move where it is its turn; whether the game is over.
    fn answer(&mut self) -> anyhow::Result<bool> {
        loop {
            let view = self.position.view();
            if let Some(outcome) = view.outcome {
                output::data(&format!("the game is over: {outcome}"))?;
                return Ok(true);
            }
            if view.side == self.terms.person {
                return Ok(false);
            }
            if let Some(clock) = self.clock.as_ref().filter(|_| self.terms.by_clock) {
                let milliseconds = clock.share(view.side).as_millis();
                self.opponent = Player::new(format!("time={milliseconds}ms").parse()?, self.common.seed)?;
            }
            let search = self.position.search()?;
            let Some(mv) = search.choose(&mut self.opponent, &Stop::new())? else { return Ok(true) };
            self.position.play(&mv)?;
            output::data(&format!("{} plays {mv}", view.side_name))?;
            self.show()?;
            if self.flag_fell(view.side, &view.side_name)? {
                return Ok(true);
            }
        }
    }

    /// Presses the clock of a player who has moved; whether the time was over.
    fn flag_fell(&mut self, side: usize, name: &str) -> anyhow::Result<bool> {
        let fell = self.clock.as_mut().is_some_and(|clock| !clock.press(side));
        if fell {
            output::data(&format!("the time of {name} is over"))?;
        }
        Ok(fell)
    }

    /// Does what was typed; whether that was the end.
    fn obey(&mut self, command: &str) -> anyhow::Result<bool> {
        match command {
            "help" | "?" => output::data(HELP)?,
            "board" => self.show()?,
            "codes" => output::data(&show::facts(&self.position.view()))?,
            "moves" => output::data(&self.position.move_texts().join(" "))?,
            "clock" => match &self.clock {
                Some(clock) => output::data(&clock.faces(self.terms.person))?,
                None => output::message("there is no clock: tabia play --clock 5m+3s has one"),
            },
            "hint" => output::data(&self.hint()?)?,
            "undo" => self.undo()?,
            "swap" => self.terms.person = 1 - self.terms.person,
            text => return self.typed(text),
        }
        Ok(false)
    }

    /// A good move: what the engine thinks, or the first move of a solution.
    fn hint(&self) -> anyhow::Result<String> {
        if let Some(search) = self.position.as_search() {
            let request =
                SearchRequest { time: Some(Duration::from_millis(500)), ..SearchRequest::default() };
            let view = search.search(&request, &Stop::new(), &mut |_| ())?;
            return Ok(format!("{} ({})", view.best.unwrap_or_default(), view.score));
        }
        let view = self.position.solve()?.solve(&SolveRequest::default(), &Watch::nobody())?;
        Ok(view.line.first().map_or_else(|| view.value.to_owned(), |mv| format!("{mv} ({})", view.value)))
    }

    /// Plays what a person typed, or says why not; whether the time was over.
    fn typed(&mut self, text: &str) -> anyhow::Result<bool> {
        let (side, name) = (self.position.side().index(), self.position.view().side_name);
        match tabia_app::typed(self.position.as_ref(), text) {
            tabia_app::Typed::Move(mv) => {
                self.position.play(&mv)?;
                if mv != text {
                    output::data(&format!("{name} plays {mv}"))?;
                }
                // The answer of the opponent is shown with the next board.
                let answered =
                    self.position.outcome().is_none() && self.position.side().index() != self.terms.person;
                if !answered {
                    self.show()?;
                }
                return self.flag_fell(side, &name);
            }
            tabia_app::Typed::Several(some, all) => {
                let more = if all > some.len() { ", …" } else { "" };
                output::message(&format!("{text} may be {}{more}", some.join(", ")));
            }
            tabia_app::Typed::Nothing(error, nearest) => {
                output::error(&error.into());
                if !nearest.is_empty() {
                    output::message(&format!("legal is {}", nearest.join(", ")));
                }
            }
        }
        Ok(false)
    }

    /// Takes back the person's last move and what the opponent answered.
    fn undo(&mut self) -> anyhow::Result<()> {
        let mut undone = self.position.undo();
        while undone && self.position.view().side != self.terms.person {
            undone = self.position.undo();
        }
        if !undone {
            output::message("there is nothing to take back");
        }
        self.show()
    }
}
