//! The colours of a board in a terminal: by what they are for, in as many colours as the terminal has.
//!
//! A terminal draws a piece in one flat ink, without an outline. Both inks of the players must therefore be readable on
//! every ground of the board, and the whole board is painted, so that it does not matter whether the terminal itself is
//! light or dark. A test holds every pair of them to a contrast.

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// The sixteen that every terminal has.
    Basic,
    /// A palette of 256.
    Indexed,
    /// All of them.
    True,
}

/// A colour as terminals are told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Its number in the palette of 16 or 256.
    Index(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

/// What a colour is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paint {
    /// The terminal's own colour.
    #[default]
    Own,
    /// Ground: the lighter cells.
    LightCell,
    /// Ground: the darker cells, and plates with holes.
    DarkCell,
    /// Ground: places beside the board.
    Tray,
    /// Ground: what the last move touched.
    Last,
    /// Ground: where something was captured.
    Captured,
    /// Ground: what has been touched for the next move.
    Chosen,
    /// Ground: where that can go.
    Target,
    /// Ground: where the cursor is.
    Cursor,
    /// Ink: pieces of the player whose pieces are light.
    LightPiece,
    /// Ink: pieces of the player whose pieces are dark.
    DarkPiece,
    /// Ink: pieces that belong to nobody.
    NobodysPiece,
    /// Ink: names of cells, marks and holes on dark grounds.
    Faint,
    /// Ink: the same on the lighter cells.
    FaintOnLight,
}

impl Paint {
    /// The colour, in as many as there are; `None` for the terminal's own.
    pub fn colour(self, colours: Colours) -> Option<Colour> {
        let ([red, green, blue], indexed, basic) = self.table()?;
        Some(match colours {
            Colours::Basic => Colour::Index(basic),
            Colours::Indexed => Colour::Index(indexed),
            Colours::True => Colour::Rgb(red, green, blue),
        })
    }

    /// Red, green and blue; the number among 256; the number among 16.
    const fn table(self) -> Option<([u8; 3], u8, u8)> {
        Some(match self {
            Paint::Own => return None,
            Paint::LightCell => ([0xb3, 0x8d, 0x60], 137, 4),
            Paint::DarkCell => ([0x7d, 0x5f, 0x43], 94, 0),
            Paint::Tray => ([0x6e, 0x66, 0x58], 241, 0),
            Paint::Last => ([0x86, 0x86, 0x2c], 100, 5),
            Paint::Captured => ([0xa8, 0x41, 0x3a], 124, 1),
            Paint::Chosen => ([0x3f, 0x80, 0x5a], 29, 2),
            Paint::Target => ([0x46, 0x7c, 0x90], 24, 6),
            Paint::Cursor => ([0x80, 0x58, 0xa4], 97, 8),
            Paint::LightPiece => ([0xff, 0xff, 0xff], 231, 15),
            Paint::DarkPiece => ([0x0c, 0x0a, 0x08], 16, 11),
            Paint::NobodysPiece => ([0xd2, 0xff, 0xec], 195, 10),
            Paint::Faint => ([0xdc, 0xc8, 0xa6], 187, 7),
            Paint::FaintOnLight => ([0x3a, 0x2a, 0x18], 235, 7),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUNDS: [Paint; 8] = [
        Paint::LightCell,
        Paint::DarkCell,
        Paint::Tray,
        Paint::Last,
        Paint::Captured,
        Paint::Chosen,
        Paint::Target,
        Paint::Cursor,
    ];

    /// The sixteen colours as a PC of 1987 (VGA) showed them: most terminals are near that.
    const VGA: [[u8; 3]; 16] = [
        [0, 0, 0],
        [170, 0, 0],
        [0, 170, 0],
        [170, 85, 0],
        [0, 0, 170],
        [170, 0, 170],
        [0, 170, 170],
        [170, 170, 170],
        [85, 85, 85],
        [255, 85, 85],
        [85, 255, 85],
        [255, 255, 85],
        [85, 85, 255],
        [255, 85, 255],
        [85, 255, 255],
        [255, 255, 255],
    ];

    fn rgb(paint: Paint, colours: Colours) -> [u8; 3] {
        match paint.colour(colours).unwrap() {
            Colour::Rgb(red, green, blue) => [red, green, blue],
            Colour::Index(index @ 0..=15) => VGA[usize::from(index)],
            Colour::Index(index @ 232..) => [8 + 10 * (index - 232); 3],
            // The cube of xterm: six steps of each.
            Colour::Index(index) => {
                let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
                let n = index - 16;
                [step(n / 36), step(n / 6 % 6), step(n % 6)]
            }
        }
    }

    /// How bright a colour is, as WCAG 2 computes it.
    fn luminance(rgb: [u8; 3]) -> f64 {
        let linear = rgb.map(|byte| {
            let part = f64::from(byte) / 255.0;
            if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    fn contrast(a: Paint, b: Paint, colours: Colours) -> f64 {
        let (a, b) = (luminance(rgb(a, colours)), luminance(rgb(b, colours)));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn pieces_of_both_players_are_readable_on_every_ground() {
        for colours in [Colours::Basic, Colours::Indexed, Colours::True] {
            for ground in GROUNDS {
                for piece in [Paint::LightPiece, Paint::DarkPiece] {
                    let contrast = contrast(piece, ground, colours);
                    assert!(contrast >= 2.5, "{piece:?} on {ground:?} in {colours:?}: {contrast:.2}");
                }
            }
            let names = [(Paint::Faint, Paint::DarkCell), (Paint::FaintOnLight, Paint::LightCell)];
            for (ink, ground) in names.into_iter().chain([(Paint::NobodysPiece, Paint::DarkCell)]) {
                let contrast = contrast(ink, ground, colours);
                assert!(contrast >= 3.0, "{ink:?} on {ground:?} in {colours:?}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn players_and_grounds_are_told_apart() {
        for colours in [Colours::Basic, Colours::Indexed, Colours::True] {
            for (n, a) in GROUNDS.into_iter().enumerate().filter(|(_, ground)| *ground != Paint::Tray) {
                for b in GROUNDS.into_iter().skip(n + 1).filter(|ground| *ground != Paint::Tray) {
                    assert_ne!(a.colour(colours), b.colour(colours), "{a:?} and {b:?} in {colours:?}");
                }
            }
            assert_ne!(Paint::LightPiece.colour(colours), Paint::DarkPiece.colour(colours));
        }
        assert_eq!(Paint::Own.colour(Colours::True), None);
    }
}
