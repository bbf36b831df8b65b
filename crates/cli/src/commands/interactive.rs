//! `tabia play` with a person: the rules, the board and the opponent are Tabia's.

use super::show;
use crate::output;
use std::io::{BufRead, IsTerminal, Write};
use std::time::Duration;
use tabia_app::AnyPosition;
use tabia_app::draw::TextStyle;
use tabia_app::search::{Player, SearchRequest, Stop};

const HELP: &str = "type a move, or: moves, hint, undo, swap (change sides), board, help, quit";

/// A game between a person and a player of Tabia's.
pub(crate) struct Table {
    position: Box<dyn AnyPosition>,
    opponent: Player,
    /// Whom the person plays: 0 or 1.
    person: usize,
    style: TextStyle,
}

impl Table {
    pub(crate) fn new(
        position: Box<dyn AnyPosition>,
        opponent: Player,
        person: usize,
        style: TextStyle,
    ) -> Self {
        Table { position, opponent, person, style }
    }

    /// Plays until the game is over or the person leaves.
    pub(crate) fn run(&mut self) -> anyhow::Result<()> {
        let prompt = std::io::stdin().is_terminal();
        let mut lines = std::io::stdin().lock().lines();
        output::message(HELP);
        self.show()?;
        loop {
            if self.answer()? {
                return Ok(());
            }
            if prompt {
                write!(anstream::stderr(), "> ")?;
            }
            let Some(line) = lines.next().transpose()? else { return Ok(()) };
            match line.trim() {
                "" => {}
                "quit" | "exit" => return Ok(()),
                command => self.obey(command)?,
            }
        }
    }

    fn show(&self) -> anyhow::Result<()> {
        output::data(&show::text(self.position.as_ref(), &self.position.view(), self.style))
    }

    /// Lets the opponent move where it is its turn; whether the game is over.
    fn answer(&mut self) -> anyhow::Result<bool> {
        loop {
            let view = self.position.view();
            if let Some(outcome) = view.outcome {
                output::data(&format!("the game is over: {outcome}"))?;
                return Ok(true);
            }
            if view.side == self.person {
                return Ok(false);
            }
            let search = self.position.search()?;
            let Some(mv) = search.choose(&mut self.opponent, &Stop::new())? else { return Ok(true) };
            self.position.play(&mv)?;
            output::data(&format!("{} plays {mv}", view.side_name))?;
            self.show()?;
        }
    }

    fn obey(&mut self, command: &str) -> anyhow::Result<()> {
        match command {
            "help" | "?" => output::data(HELP)?,
            "board" => self.show()?,
            "moves" => {
                let moves: Vec<String> = self.position.moves().into_iter().map(|mv| mv.text).collect();
                output::data(&moves.join(" "))?;
            }
            "hint" => {
                let request =
                    SearchRequest { time: Some(Duration::from_millis(500)), ..SearchRequest::default() };
                let view = self.position.search()?.search(&request, &Stop::new(), &mut |_| ())?;
                output::data(&format!("{} ({})", view.best.unwrap_or_default(), view.score))?;
            }
            "undo" => self.undo()?,
            "swap" => self.person = 1 - self.person,
            text => match self.position.play(text) {
                Ok(()) => self.show()?,
                Err(error) => output::error(&error.into()),
            },
        }
        Ok(())
    }

    /// Takes back the person's last move and what the opponent answered.
    fn undo(&mut self) -> anyhow::Result<()> {
        let mut undone = self.position.undo();
        while undone && self.position.view().side != self.person {
            undone = self.position.undo();
        }
        if !undone {
            output::message("there is nothing to take back");
        }
        self.show()
    }
}
