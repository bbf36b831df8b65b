//! Boards in the terminal, for every game: from their geometry alone.

use tabia_app::Registry;
use tabia_app::draw::{BoardStyle, Canvas, Lights, Paint, Size, board};
use tabia_app::views::BoardView;

const BOTH: [Size; 2] = [Size::Small, Size::Large];

fn boards() -> Vec<BoardView> {
    let registry = Registry::standard();
    let starts = registry.games().flat_map(|game| {
        let view = game.view();
        let examples = view.examples.into_iter().map(|example| example.position.into_owned());
        let texts = view.starts.into_iter().map(|start| start.position).chain(examples);
        texts.map(|text| game.parse(&text).unwrap().board()).collect::<Vec<_>>()
    });
    starts.collect()
}

fn drawn(game: &str, position: &str, style: BoardStyle) -> Canvas {
    let position = Registry::standard().find(game).unwrap().parse(position).unwrap();
    board(&position.board(), style, &Lights::default())
}

#[test]
fn every_cell_has_a_place_of_its_own() {
    for view in boards() {
        for size in BOTH {
            let canvas = board(&view, BoardStyle { size, ..BoardStyle::default() }, &Lights::default());
            assert_eq!(canvas.places.len(), view.geometry.cells.len());
            for place in &canvas.places {
                assert!(place.width > 0 && place.height > 0, "{place:?}");
                assert!(place.x + place.width <= canvas.width(), "{place:?}");
                assert!(place.y + place.height <= canvas.height(), "{place:?}");
                let corners = [(0, 0), (place.width - 1, place.height - 1)];
                for (x, y) in corners {
                    assert_eq!(canvas.cell_at(place.x + x, place.y + y), Some(place.cell.as_str()));
                }
            }
        }
    }
}

#[test]
fn every_piece_is_to_be_seen() {
    for view in boards() {
        let pieces = view.picture.pieces.len();
        for size in BOTH {
            let style = BoardStyle { size, ..BoardStyle::default() };
            let canvas = board(&view, style, &Lights::default());
            let inks = [Paint::LightPiece, Paint::DarkPiece, Paint::NobodysPiece];
            let seen = canvas.rows().flatten().filter(|spot| inks.contains(&spot.ink)).count();
            assert_eq!(seen, pieces, "{}", canvas.plain());
        }
    }
}

#[test]
fn a_board_seen_from_the_other_side_has_everything_turned() {
    let style = BoardStyle { flipped: true, ..BoardStyle::default() };
    let turned = drawn("chess", "start", style).plain();
    assert_eq!(turned.lines().next(), Some("1  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜"));
    assert_eq!(turned.lines().last(), Some("   h  g  f  e  d  c  b  a"));
}

#[test]
fn squares_have_the_names_of_the_notation() {
    let draughts = drawn("draughts", "start", BoardStyle::default()).plain();
    assert_eq!(draughts.lines().next(), Some("    1  ●    2  ●    3  ●    4  ●"));
    assert!(draughts.contains("17"), "empty squares, too: {draughts}");
    let triangle = drawn("solitaire", "triangle5", BoardStyle::default()).plain();
    assert!(triangle.ends_with("5  ●  ●  ●  ●  ●\n   a  b  c  d  e\n"), "{triangle}");
}

#[test]
fn what_happened_is_marked() {
    let start = Registry::standard().find("draughts").unwrap().parse("B:W18,25:B14").unwrap();
    let frames = start.film(&["14x23".to_owned()]).unwrap();
    let lights = Lights::of_move(&frames[0].board, &frames[1].board, &frames[1].path, start.side());
    let canvas = board(&frames[1].board, BoardStyle::default(), &lights);
    let ground = |cell: &str| {
        let place = canvas.places.iter().find(|place| place.cell == cell).unwrap();
        canvas.rows().nth(place.y).unwrap()[place.x].ground
    };
    let grounds = ["14", "18", "23", "22"].map(ground);
    assert_eq!(grounds, [Paint::Last, Paint::Captured, Paint::Last, Paint::DarkCell]);
    assert!(canvas.plain().contains("18 ×"));
    assert!(drawn("five", "-/-/-/-/0/-/-/-/- 1 5", BoardStyle::default()).plain().contains('░'), "blocked");
}

/// What the first of some moves captures.
fn captured(game: &str, position: &str, mv: &str) -> Vec<String> {
    let registry = Registry::standard();
    let before = registry.find(game).unwrap().parse(position).unwrap();
    let frames = before.film(&[mv.to_owned()]).unwrap();
    Lights::of_move(&frames[0].board, &frames[1].board, &frames[1].path, before.side()).captured
}

#[test]
fn captured_pieces_are_found_by_looking_at_both_boards() {
    assert_eq!(captured("draughts", "B:W18,25:B14", "14x23"), ["18"]);
    assert_eq!(captured("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5"), ["d5"]);
    assert_eq!(captured("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6"), ["d5"], "in passing");
    assert!(captured("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O").is_empty(), "the rook only moves");
    assert_eq!(captured("solitaire", "english", "d2-d4"), ["d3"]);
    assert!(captured("five", "four", "5-6").is_empty());
    assert!(captured("five", "empty", "s5").is_empty());
}
