//! `cargo run --release -p tabia-arx --example king_endings -- C`: King and one piece against King, solved a second time.
//!
//! Nothing of the crate is used: the few rules that such an ending needs stand here once more, and values are found by passes
//! over all placements. White has the piece; distances are in plies to the end; a placement and its mirror image count once.

use std::collections::BTreeMap;

const KING: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const STRAIGHT: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const SLANTED: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const LEAPS: [(i32, i32); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];
const FORWARD: [(i32, i32); 3] = [(-1, 0), (-1, -1), (-1, 1)];

/// White King, Black King, the piece (81 squares each, the top row first), and whether White is to move.
type Placement = (usize, usize, usize, bool);

/// The value for the side to move: won in `n` plies, or lost in `n`; undecided is a draw in the end.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Open,
    Win(u16),
    Loss(u16),
}

fn step(square: usize, (down, right): (i32, i32)) -> Option<usize> {
    let (row, column) = ((square / 9) as i32 + down, (square % 9) as i32 + right);
    ((0..9).contains(&row) && (0..9).contains(&column)).then_some((row * 9 + column) as usize)
}

/// Directions and the longest way of a piece.
fn ways(piece: &str) -> Option<(&'static [(i32, i32)], usize)> {
    Some(match piece {
        "C" => (&STRAIGHT, 8),
        "J" => (&SLANTED, 8),
        "P" => (&STRAIGHT, 2),
        "G" => (&SLANTED, 2),
        "D" => (&LEAPS, 1),
        "B" => (&FORWARD[..1], 8),
        "S" => (&FORWARD[1..], 1),
        _ => return None,
    })
}

/// What a move leads to: the end of the game, a draw because the piece is gone, or a placement.
enum After {
    KingTaken,
    PieceTaken,
    Placement(Placement),
}

fn moves(piece: &str, (white, black, at, first): Placement) -> Vec<After> {
    let mut all = Vec::new();
    if !first {
        for target in KING.iter().filter_map(|&way| step(black, way)) {
            all.push(match target {
                _ if target == white => After::KingTaken,
                _ if target == at => After::PieceTaken,
                _ => After::Placement((white, target, at, true)),
            });
        }
        return all;
    }
    for target in KING.iter().filter_map(|&way| step(white, way)).filter(|&target| target != at) {
        let taken = target == black;
        all.push(if taken { After::KingTaken } else { After::Placement((target, black, at, false)) });
    }
    let (directions, longest) = ways(piece).unwrap_or((&[], 0));
    for &way in directions {
        let mut square = at;
        for _ in 0..longest {
            let Some(target) = step(square, way).filter(|&target| target != white) else { break };
            if target == black {
                all.push(After::KingTaken);
                break;
            }
            all.push(After::Placement((white, black, target, false)));
            square = target;
        }
    }
    all
}

fn index((white, black, at, first): Placement) -> usize {
    ((white * 81 + black) * 81 + at) * 2 + usize::from(first)
}

fn placements() -> impl Iterator<Item = Placement> {
    let all = (0..81 * 81 * 81 * 2).map(|i| (i / 2 / 81 / 81, i / 2 / 81 % 81, i / 2 % 81, i % 2 == 1));
    all.filter(|&(white, black, at, _)| white != black && white != at && black != at)
}

/// Passes until one changes nothing, beyond the short captures.
fn solve(piece: &str) -> Vec<Value> {
    let mut values = vec![Value::Open; 81 * 81 * 81 * 2];
    for ply in 1.. {
        let mut decided = Vec::new();
        for placement in placements().filter(|&placement| values[index(placement)] == Value::Open) {
            let (mut win, mut lost) = (false, true);
            for after in moves(piece, placement) {
                let value = match after {
                    After::KingTaken => Value::Loss(0),
                    After::PieceTaken => Value::Open,
                    After::Placement(next) => values[index(next)],
                };
                win |= matches!(value, Value::Loss(plies) if plies + 1 == ply);
                lost &= matches!(value, Value::Win(_));
            }
            if win || lost {
                decided.push((index(placement), if win { Value::Win(ply) } else { Value::Loss(ply) }));
            }
        }
        if decided.is_empty() {
            return values;
        }
        decided.into_iter().for_each(|(at, value)| values[at] = value);
    }
    values
}

fn main() {
    let mirror = |square: usize| square / 9 * 9 + 8 - square % 9;
    for piece in std::env::args().skip(1).filter(|piece| ways(piece).is_some()) {
        let values = solve(&piece);
        let mut counts = BTreeMap::<(bool, &str), u32>::new();
        let mut wins = BTreeMap::<u16, u32>::new();
        for (white, black, at, first) in placements() {
            // One of each pair of mirror images.
            if (mirror(white), mirror(black), mirror(at)) < (white, black, at) {
                continue;
            }
            let name = match values[index((white, black, at, first))] {
                Value::Open => "draws",
                Value::Loss(_) => "losses",
                Value::Win(plies) => {
                    *wins.entry(plies).or_default() += 1;
                    "wins"
                }
            };
            *counts.entry((first, name)).or_default() += 1;
        }
        println!("{piece}: wins by plies {wins:?}");
        println!("{piece}: (White to move, value) {counts:?}");
    }
}
