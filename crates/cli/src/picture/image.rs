//! A board as a picture in the terminal: the SVG of the page, drawn to pixels and sent as the terminal takes them.

mod ask;
mod sixel;

use crate::output;
use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::ValueEnum;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::FaceInfo;
use resvg::usvg::{Options, Tree};
use std::sync::OnceLock;
use tabia_app::draw;
use tabia_app::views::BoardView;

/// Bytes of base64 in one piece of the kitty protocol.
const PIECE: usize = 4096;

/// How a picture is sent.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// As the terminal says it can; as text where it cannot
    Auto,
    /// The protocol of kitty, Ghostty and others
    Kitty,
    /// The protocol of iTerm2, WezTerm and others
    Iterm,
    /// Sixels: foot, xterm, mlterm, Windows Terminal and others
    Sixel,
}

/// The board as a picture; `None` where the terminal shows none.
pub(super) fn draw(how: How, board: &BoardView, zoom: f32) -> anyhow::Result<Option<String>> {
    static ASKED: OnceLock<Option<How>> = OnceLock::new();
    let how = match how {
        How::Auto => *ASKED.get_or_init(|| {
            let able = ask::protocol();
            if able.is_none() {
                output::message("this terminal does not say that it shows pictures: drawn as text");
            }
            able
        }),
        how => Some(how),
    };
    let Some(how) = how else { return Ok(None) };
    let pixels = pixels(&draw::svg(board), zoom)?;
    let sequence = match how {
        How::Sixel => sixel::encode(pixels.width() as usize, pixels.data()),
        How::Iterm => iterm(&png(&pixels)?),
        How::Kitty | How::Auto => kitty(&png(&pixels)?),
    };
    Ok(Some(sequence + "\n"))
}

fn pixels(svg: &str, zoom: f32) -> anyhow::Result<Pixmap> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    // What the picture calls sans-serif is one of the fonts that are here.
    let plain =
        |face: &&FaceInfo| !face.monospaced && face.families.iter().any(|(name, _)| name.contains("Sans"));
    let face = fonts.faces().find(plain).or(fonts.faces().next());
    if let Some((family, _)) = face.and_then(|face| face.families.first()).cloned() {
        fonts.set_sans_serif_family(family);
    }
    let tree = Tree::from_str(svg, &options).context("the picture of the board cannot be read")?;
    let size = tree.size().to_int_size().scale_by(zoom).context("the picture has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).context("the picture has no size")?;
    resvg::render(&tree, Transform::from_scale(zoom, zoom), &mut pixels.as_mut());
    Ok(pixels)
}

fn png(pixels: &Pixmap) -> anyhow::Result<Vec<u8>> {
    pixels.encode_png().context("the picture cannot be written as PNG")
}

fn iterm(png: &[u8]) -> String {
    format!("\x1b]1337;File=inline=1;size={}:{}\x07", png.len(), STANDARD.encode(png))
}

/// Pieces of at most 4096 bytes; `m` says whether more follow.
fn kitty(png: &[u8]) -> String {
    let text = STANDARD.encode(png);
    let mut out = String::new();
    let mut rest = text.as_str();
    let mut control = "a=T,f=100,";
    loop {
        let (piece, after) = rest.split_at(rest.len().min(PIECE));
        let more = u8::from(!after.is_empty());
        out += &format!("\x1b_G{control}m={more};{piece}\x1b\\");
        if after.is_empty() {
            return out;
        }
        (rest, control) = (after, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> BoardView {
        tabia_app::Registry::standard().find("chess").unwrap().start().board()
    }

    #[test]
    fn a_board_is_drawn_to_pixels() {
        let pixels = pixels(&draw::svg(&chess()), 0.5).unwrap();
        assert!(pixels.width() > 200 && pixels.height() > 200);
        let colours: std::collections::HashSet<_> = pixels.data().chunks(4).collect();
        assert!(colours.len() > 50, "gradients and pieces: {}", colours.len());
    }

    #[test]
    fn kitty_gets_all_of_the_picture_in_pieces() {
        let png = png(&pixels(&draw::svg(&chess()), 1.0).unwrap()).unwrap();
        let sent = kitty(&png);
        let pieces: Vec<&str> = sent.split("\x1b\\").filter(|piece| !piece.is_empty()).collect();
        assert!(pieces.len() > 1 && pieces[0].starts_with("\x1b_Ga=T,f=100,m=1;"));
        assert!(pieces.last().unwrap().starts_with("\x1b_Gm=0;"));
        let body: String =
            pieces.iter().filter_map(|piece| piece.split_once(';')).map(|(_, body)| body).collect();
        assert_eq!(STANDARD.decode(body).unwrap(), png);
        assert!(pieces.iter().all(|piece| piece.len() <= PIECE + 40));
    }
}
