//! A line of moves as a row of pictures.

use crate::InputError;
use crate::adapter::Held;
use crate::views::BoardView;
use tabia_core::Present;

/// One picture of a line: a position and the move that led to it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The move, as it was given; `None` for the position the line begins with.
    pub text: Option<String>,
    /// The cells the move touched, in order.
    pub path: Vec<String>,
    /// The position.
    pub position: String,
    /// What to draw.
    pub board: BoardView,
}

impl<G: Present> Held<G> {
    pub(crate) fn pictured(&self, state: &G::State) -> BoardView {
        let rules = self.rules();
        BoardView {
            geometry: rules.geometry(),
            picture: rules.picture(state),
            dark_side: rules.dark_side().index(),
        }
    }

    pub(crate) fn filmed(&self, line: &[String]) -> Result<Vec<Frame>, InputError> {
        let frame = |state: &G::State, text: Option<&String>, path: Vec<String>| Frame {
            text: text.cloned(),
            path,
            position: self.rules().format(state),
            board: self.pictured(state),
        };
        let mut frames = vec![frame(self.state(), None, Vec::new())];
        self.follow(line, |state, text, path| frames.push(frame(state, Some(text), path)))?;
        Ok(frames)
    }

    /// The positions after each move of a line.
    pub(crate) fn positions_along(&self, line: &[String]) -> Result<Vec<String>, InputError> {
        let mut positions = Vec::with_capacity(line.len());
        self.follow(line, |state, _, _| positions.push(self.rules().format(state)))?;
        Ok(positions)
    }

    /// Calls back after each move of a line (which may be several in a row, written as one) with the
    /// cells it touched. Counts that end a game early do not matter here: a line is only looked at.
    fn follow(
        &self,
        line: &[String],
        mut see: impl FnMut(&G::State, &String, Vec<String>),
    ) -> Result<(), InputError> {
        let (rules, mut state) = (self.rules(), self.state().clone());
        for text in line {
            let moves = rules.parse_moves(&state, text).map_err(|error| InputError::mv(text, &error))?;
            let mut path = Vec::new();
            for mv in moves {
                path.extend(rules.steps(&state, mv));
                rules.play(&mut state, mv);
            }
            // A chain leaves from where it arrived.
            path.dedup();
            see(&state, text, path);
        }
        Ok(())
    }
}
