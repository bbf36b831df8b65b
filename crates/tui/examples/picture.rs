//! Draws the picture of the documentation: `cargo run -p tabia-tui --example picture -- docs/images/terminal.png`.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};
use std::fmt::Write;
use tabia_app::Registry;
use tabia_app::draw::Colours;
use tabia_tui::{Options, Tui};

/// Columns and rows.
const WINDOW: (u16, u16) = (118, 36);
/// Pixels of one column and row.
const CELL: (u32, u32) = (8, 16);
const INK: [u8; 3] = [0xd6, 0xd2, 0xc8];
const GROUND: [u8; 3] = [0x1b, 0x1d, 0x21];
/// A game that Paul Morphy won in the opera of Paris in 1858.
const GAME: &str = "[White \"Paul Morphy\"]\n[Black \"Duke Karl / Count Isouard\"]\n[Date \"1858\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 \
    11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name the file")?;
    let options = Options { colours: Some(Colours::True), threads: 1, depth: Some(9), ..Options::default() };
    let mut tui = Tui::new(&Registry::standard(), Some("chess"), None, options)?;
    tui.event(&Event::Paste(GAME.to_owned()));
    for code in
        [KeyCode::Char('a')].into_iter().chain([KeyCode::Right; 18]).chain(['3', 'e'].map(KeyCode::Char))
    {
        tui.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        while tui.is_busy() {
            tui.tick();
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
    let mut terminal = Terminal::new(TestBackend::new(WINDOW.0, WINDOW.1))?;
    terminal.draw(|frame| tui.draw(frame))?;
    std::fs::write(path, png(&svg(terminal.backend().buffer()))?)?;
    Ok(())
}

fn png(svg: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut options = resvg::usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let tree = resvg::usvg::Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size();
    let mut pixels = resvg::tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("no size")?;
    resvg::render(&tree, resvg::tiny_skia::Transform::default(), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

/// Every cell with its ground and its symbol.
fn svg(buffer: &Buffer) -> String {
    let (width, height) = (u32::from(buffer.area.width) * CELL.0, u32::from(buffer.area.height) * CELL.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans Mono\"><rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        hex(GROUND)
    );
    for (number, cell) in buffer.content.iter().enumerate() {
        let (column, row) =
            (number as u32 % u32::from(buffer.area.width), number as u32 / u32::from(buffer.area.width));
        draw(cell, column * CELL.0, row * CELL.1, &mut out);
    }
    out + "</svg>\n"
}

fn draw(cell: &Cell, x: u32, y: u32, out: &mut String) {
    let (mut ink, mut ground) = (rgb(cell.fg, INK), rgb(cell.bg, GROUND));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut ink, &mut ground);
    }
    let (width, height) = CELL;
    if ground != GROUND {
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
            hex(ground)
        );
    }
    let symbol = cell.symbol().trim();
    if symbol.is_empty() {
        return;
    }
    let bold = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let faint = if cell.modifier.contains(Modifier::DIM) { " fill-opacity=\"0.6\"" } else { "" };
    // Pieces are drawn larger than letters, as terminals do that have a font for them.
    let piece = symbol.starts_with(|letter| ('♔'..='♟').contains(&letter));
    let (size, x, y) = if piece { (22, x as f32 - 2.6, y + 15) } else { (13, x as f32 + 0.1, y + 12) };
    let symbol = symbol.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"{bold}{faint}>{symbol}</text>",
        hex(ink)
    );
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn rgb(color: Color, otherwise: [u8; 3]) -> [u8; 3] {
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Green => [0x8f, 0xc0, 0x6b],
        Color::Yellow => [0xd9, 0xb4, 0x5b],
        Color::DarkGray => [0x60, 0x60, 0x60],
        _ => otherwise,
    }
}
