//! How boards are drawn: in colour where there is some, with plain characters, or as a picture.

#[cfg(feature = "images")]
mod image;

use crate::args::Common;
use clap::{Args, ValueEnum};
use tabia_app::draw::{self, BoardStyle, Colours, Lights, TextStyle};
use tabia_app::views::BoardView;

/// What can be said about the drawing of a board.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Drawing {
    /// Draw with ASCII characters alone
    #[arg(long)]
    ascii: bool,
    /// How large the board is drawn
    #[arg(long, value_name = "SIZE", conflicts_with = "ascii")]
    size: Option<Size>,
    /// Draw a picture, where the terminal can show one: kitty, iterm, sixel, or whatever the terminal says it can
    #[cfg(feature = "images")]
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "auto",
        conflicts_with = "ascii")]
    image: Option<image::How>,
}

/// How large a board is drawn.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Size {
    /// A row of text for a row of cells
    Small,
    /// Three rows of text for a row of cells
    Large,
}

impl From<Size> for draw::Size {
    fn from(size: Size) -> Self {
        match size {
            Size::Small => draw::Size::Small,
            Size::Large => draw::Size::Large,
        }
    }
}

impl Drawing {
    /// The characters of plain drawings.
    pub(crate) fn style(self) -> TextStyle {
        if self.ascii { TextStyle::Ascii } else { TextStyle::Unicode }
    }

    /// How large a picture is, beside the size that the page gives it.
    #[cfg(feature = "images")]
    fn zoom(self) -> f32 {
        match self.size {
            Some(Size::Small) => 0.6,
            None => 1.0,
            Some(Size::Large) => 1.6,
        }
    }

    /// The board as it was asked for, to be printed as it is. Without colours and without a size it is plain text.
    pub(crate) fn board(self, common: &Common, board: &BoardView, lights: &Lights) -> anyhow::Result<String> {
        #[cfg(feature = "images")]
        if let Some(picture) =
            self.image.map(|how| image::draw(how, board, self.zoom())).transpose()?.flatten()
        {
            return Ok(picture);
        }
        let colours = common.color.colours();
        if self.ascii || (colours.is_none() && self.size.is_none()) {
            return Ok(draw::text(board, self.style()));
        }
        let style = BoardStyle {
            size: self.size.map_or(draw::Size::Small, Into::into),
            hollow: colours.is_none_or(|colours| colours == Colours::Basic),
            ..BoardStyle::default()
        };
        let canvas = draw::board(board, style, lights);
        Ok(colours.map_or_else(|| canvas.plain(), |colours| canvas.ansi(colours)))
    }
}
