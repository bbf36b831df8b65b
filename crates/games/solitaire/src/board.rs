//! A board: its holes, the jumps between them, and the symmetries it was found to have.

use crate::art::{Art, Place};
use crate::movegen::Patterns;
use crate::solver::layout::Layout;
use crate::symmetry::{BoardSymmetry, Group};
use crate::{Hole, Jump, MOST_HOLES, catalogue, pack};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Boards are at most this wide and high: columns are named by one letter.
const MOST_COLUMNS: usize = 26;

/// How holes neighbour each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lattice {
    /// A square grid: four directions.
    Square,
    /// Rows of growing length: six directions.
    Triangle,
}

impl Lattice {
    /// Steps to half of the neighbours; the other half are their opposites.
    const fn directions(self) -> &'static [(usize, usize)] {
        match self {
            Lattice::Square => &[(1, 0), (0, 1)],
            Lattice::Triangle => &[(1, 0), (0, 1), (1, 1)],
        }
    }
}

/// Why a drawing is not a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Too many holes for one word.
    #[error("the board has {0} holes; at most {MOST_HOLES} are supported")]
    TooManyHoles(usize),
    /// Too wide or too high to name the holes.
    #[error("the board is {0} by {1}; at most {MOST_COLUMNS} columns and rows are supported")]
    TooLarge(usize, usize),
    /// Nothing can ever move.
    #[error("the board has no three holes in a row, so no peg can ever jump")]
    NoJump,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    name: Option<&'static str>,
    lattice: Lattice,
    width: usize,
    height: usize,
    cells: Vec<(usize, usize)>,
    grid: Vec<Option<Hole>>,
    jumps: Vec<Jump>,
    /// The number of the jump from one hole to another, by `from * MOST_HOLES + to`; 0 where there is none.
    jump_numbers: Vec<u16>,
    /// What each jump needs, for asking of all jumps at once.
    patterns: Patterns,
    group: Arc<Group>,
    vacancy: Hole,
    key_constant: u64,
    layout: OnceLock<Option<Layout>>,
}

impl Board {
    /// The board of a drawing, and the pegs drawn on it. A known shape becomes the named board.
    pub(crate) fn from_art(art: &Art) -> Result<(Arc<Board>, u64), BoardError> {
        let board = Board::build(art)?;
        let drawn = board.cells.iter().enumerate();
        let pegs =
            drawn.filter(|&(_, &(x, y))| art.rows[y][x] == Place::Peg).fold(0, |sum, (i, _)| sum | 1 << i);
        let known = catalogue::all().iter().find(|known| known.board.same_shape(&board));
        Ok((known.map_or_else(|| Arc::new(board), |known| Arc::clone(&known.board)), pegs))
    }

    /// The same without looking among the named boards.
    pub(crate) fn build(art: &Art) -> Result<Board, BoardError> {
        let (width, height) = (art.rows.iter().map(Vec::len).max().unwrap_or(0), art.rows.len());
        let mut cells = Vec::new();
        let mut grid = vec![None; width * height];
        for (y, row) in art.rows.iter().enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, place)| **place != Place::Nothing) {
                grid[y * width + x] = Hole::new(cells.len());
                cells.push((x, y));
            }
        }
        if cells.len() > MOST_HOLES {
            return Err(BoardError::TooManyHoles(cells.len()));
        }
        if width > MOST_COLUMNS || height > MOST_COLUMNS {
            return Err(BoardError::TooLarge(width, height));
        }
        let identity = Arc::new(Group::new(Vec::new(), vec![Vec::new()]));
        let vacancy = Hole::new(0).ok_or(BoardError::NoJump)?;
        let lattice = art.lattice;
        let jumps = Vec::new();
        let mut board = Board {
            name: None,
            lattice,
            width,
            height,
            cells,
            grid,
            jumps,
            jump_numbers: vec![0; MOST_HOLES * MOST_HOLES],
            patterns: Patterns::default(),
            group: identity,
            vacancy,
            key_constant: 0,
            layout: OnceLock::new(),
        };
        board.jumps = board.find_jumps();
        board.patterns = Patterns::new(&board.jumps, |jump| jump.before());
        for (number, jump) in board.jumps.iter().enumerate() {
            board.jump_numbers[jump.from.index() * MOST_HOLES + jump.to.index()] = number as u16;
        }
        if board.jumps.is_empty() {
            return Err(BoardError::NoJump);
        }
        board.group = Arc::new(board.find_group());
        board.vacancy = board.middle();
        board.key_constant = pack::shape_constant(&board.draw(0));
        Ok(board)
    }

    /// The same board with a name and its usual vacancy.
    pub(crate) fn named(mut self, name: &'static str, vacancy: (usize, usize)) -> Board {
        self.name = Some(name);
        self.vacancy = self.at(vacancy.0, vacancy.1).unwrap_or(self.vacancy);
        self
    }

    fn find_jumps(&self) -> Vec<Jump> {
        let mut jumps = Vec::new();
        for &(x, y) in &self.cells {
            for &(dx, dy) in self.lattice.directions() {
                let line = [0, 1, 2].map(|step| self.at(x + step * dx, y + step * dy));
                if let [Some(from), Some(over), Some(to)] = line {
                    jumps.push(Jump { from, over, to });
                    jumps.push(Jump { from: to, over, to: from });
                }
            }
        }
        jumps.sort_unstable();
        jumps
    }

    /// The symmetries of the lattice that send every hole to a hole.
    fn find_group(&self) -> Group {
        let permutation = |symmetry: &BoardSymmetry| {
            let image = |&cell: &(usize, usize)| {
                let (x, y) = symmetry.apply(cell, self.width, self.height)?;
                Some(self.at(x, y)?.index() as u8)
            };
            self.cells.iter().map(image).collect::<Option<Vec<u8>>>()
        };
        let all = BoardSymmetry::all(self.lattice);
        let found = all.iter().filter_map(|symmetry| Some((*symmetry, permutation(symmetry)?)));
        let (elements, permutations) = found.unzip();
        Group::new(elements, permutations)
    }

    /// The hole nearest to the middle, the first of several.
    fn middle(&self) -> Hole {
        let far = |&(x, y): &(usize, usize)| {
            let (dx, dy) = ((2 * x + 1).abs_diff(self.width), (2 * y + 1).abs_diff(self.height));
            dx * dx + dy * dy
        };
        let nearest = self.cells.iter().enumerate().min_by_key(|(_, cell)| far(cell));
        nearest.and_then(|(i, _)| Hole::new(i)).unwrap_or(self.vacancy)
    }

    /// The name, for boards that have one.
    pub fn name(&self) -> Option<&'static str> {
        self.name
    }

    /// How its holes neighbour each other.
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The number of holes.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// A word with the bits of all holes set.
    pub fn full(&self) -> u64 {
        u64::MAX >> (64 - self.cells.len())
    }

    /// All holes.
    pub fn holes(&self) -> impl Iterator<Item = Hole> {
        crate::types::holes_of(self.full())
    }

    /// Column and row of a hole, from 0.
    pub fn cell(&self, hole: Hole) -> (usize, usize) {
        self.cells.get(hole.index()).copied().unwrap_or_default()
    }

    /// The hole in a column and row, from 0.
    pub fn at(&self, x: usize, y: usize) -> Option<Hole> {
        let inside = x < self.width && y < self.height;
        if inside { self.grid.get(y * self.width + x).copied().flatten() } else { None }
    }

    /// All jumps that some position allows, in a fixed order.
    pub fn jumps(&self) -> &[Jump] {
        &self.jumps
    }

    /// What each jump needs.
    #[inline]
    pub(crate) fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The place of a jump in [`Board::jumps`].
    #[inline]
    pub(crate) fn jump_number(&self, jump: Jump) -> usize {
        self.jump_numbers[jump.from.index() * MOST_HOLES + jump.to.index()].into()
    }

    /// The symmetries.
    pub fn group(&self) -> &Arc<Group> {
        &self.group
    }

    /// The hole that is usually left empty at the start.
    pub fn vacancy(&self) -> Hole {
        self.vacancy
    }

    /// What keys of this shape are mixed with.
    pub(crate) fn key_constant(&self) -> u64 {
        self.key_constant
    }

    /// The index of its positions, made when first asked for; `None` when it has too many holes.
    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.layout.get_or_init(|| Layout::new(self)).as_ref()
    }

    /// A hole's name: column letter, and row number from the top.
    pub fn hole_name(&self, hole: Hole) -> String {
        let (x, y) = self.cell(hole);
        format!("{}{}", char::from(b'a' + x as u8), y + 1)
    }

    /// The hole with this name.
    pub fn hole(&self, name: &str) -> Option<Hole> {
        let letter = name.chars().next()?.to_ascii_lowercase();
        let row = name.get(1..)?;
        if !letter.is_ascii_lowercase() || row.is_empty() || !row.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let row: usize = row.parse().ok()?;
        self.at((letter as u8 - b'a') as usize, row.checked_sub(1)?)
    }

    /// Whether two boards have the same holes.
    pub fn same_shape(&self, other: &Board) -> bool {
        (self.lattice, self.width, self.height) == (other.lattice, other.width, other.height)
            && self.cells == other.cells
    }

    /// The drawing of a position, rows separated by `/`.
    pub fn draw(&self, pegs: u64) -> String {
        let mut text = String::with_capacity((self.width + 1) * self.height);
        for y in 0..self.height {
            if y > 0 {
                text.push('/');
            }
            let columns = if self.lattice == Lattice::Triangle { y + 1 } else { self.width };
            text.extend((0..columns).map(|x| match self.at(x, y) {
                None => '-',
                Some(hole) if pegs & hole.bit() == 0 => '.',
                Some(_) => 'o',
            }));
        }
        text
    }
}
