//! The laws of planes and of action numbers find bugs: a small game with one planted at a time.
//!
//! Corridors: two lanes of five cells. First moves its men down the lanes, Second up; a man steps onto the next
//! cell unless an own man stands there, and takes what it finds. Who cannot move has lost. Lanes can be
//! exchanged, and so can the sides with the board upside down: a group of four.

use tabia_core::{
    Actions, Game, Key, LegalMoves, MoveError, Notation, Observe, Outcome, Planes, Position, PositionError,
    RuleError, Side, Symmetry,
};
use tabia_testkit::laws::{Effort, actions_verdict, observe_verdict};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    None,
    NumberTooLarge,
    NumberTwice,
    NumbersOfOneSide,
    AnyNumberIsAMove,
    OtherMove,
    MaskForgets,
    MaskAdds,
    DrawnTwice,
    DrawnBeyond,
    NotVisited,
    ByteLeft,
    PieceNotShown,
    SidesAsTheyAre,
    MirrorNotSeen,
    CellsCollide,
    BoardNotTurned,
}

const LANES: usize = 2;
const CELLS: usize = 10;

#[derive(Clone, Copy, Debug)]
struct Corridors(Bug);

/// Men of First and of Second, bit `row * 2 + lane`; who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    men: [u16; 2],
    side: Side,
}

/// The cell a man comes from.
type Move = u8;

/// A sum: 1 exchanges the lanes, 2 the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum(u8);

impl Symmetry for Sum {
    const IDENTITY: Self = Sum(0);
    fn then(self, next: Self) -> Self {
        Sum(self.0 ^ next.0)
    }
    fn inverse(self) -> Self {
        self
    }
    fn swaps_sides(self) -> bool {
        self.0 & 2 != 0
    }
}

/// Where a cell goes.
fn image(cell: usize, symmetry: Sum) -> usize {
    let upside_down =
        if symmetry.0 & 2 != 0 { CELLS - LANES - cell / LANES * LANES + cell % LANES } else { cell };
    upside_down ^ usize::from(symmetry.0 & 1)
}

fn images(set: u16, symmetry: Sum) -> u16 {
    (0..CELLS).filter(|cell| set >> cell & 1 != 0).fold(0, |sum, cell| sum | 1 << image(cell, symmetry))
}

/// The cell as the side to move sees it.
fn seen(state: &State, cell: usize) -> usize {
    if state.side == Side::First { cell } else { image(cell, Sum(2)) }
}

impl Game for Corridors {
    type State = State;
    type Move = Move;
    type Symmetry = Sum;
    type Packed = [u8; 5];

    fn id(&self) -> &'static str {
        "corridors"
    }
    fn start(&self) -> State {
        State { men: [0b00_0111, 0b11_0100_0000], side: Side::First }
    }
    fn side(&self, state: &State) -> Side {
        state.side
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (self.count_moves(state) == 0).then_some(Outcome::Win(state.side.other()))
    }
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        let own = state.men[state.side.index()];
        let free = |cell: usize| target(state.side, cell).is_some_and(|to| own >> to & 1 == 0);
        out.extend((0..CELLS).filter(|&cell| own >> cell & 1 != 0 && free(cell)).map(|cell| cell as Move));
    }
    fn play(&self, state: &mut State, mv: Move) {
        let Some(to) = target(state.side, mv.into()) else { return };
        let (own, other) = (state.side.index(), state.side.other().index());
        state.men[own] = state.men[own] & !(1 << mv) | 1 << to;
        state.men[other] &= !(1 << to);
        state.side = state.side.other();
    }
    fn key(&self, state: &State) -> Key {
        let [a, b, c, d, e] = self.pack(state);
        Key(u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]))
    }
    fn pack(&self, state: &State) -> [u8; 5] {
        let [[a, b], [c, d]] = state.men.map(u16::to_le_bytes);
        [a, b, c, d, state.side as u8]
    }
    fn unpack(&self, _: &[u8; 5]) -> Result<State, PositionError> {
        Err(PositionError::rule("not needed here"))
    }
    fn symmetries(&self, _: &State) -> &[Sum] {
        &[Sum(0), Sum(1), Sum(2), Sum(3)]
    }
    fn map_state(&self, state: &State, symmetry: Sum) -> State {
        let [first, second] = state.men.map(|men| images(men, symmetry));
        if symmetry.swaps_sides() {
            State { men: [second, first], side: state.side.other() }
        } else {
            State { men: [first, second], side: state.side }
        }
    }
    fn map_move(&self, mv: Move, symmetry: Sum) -> Move {
        image(mv.into(), symmetry) as Move
    }
}

/// The next cell down or up the lane.
fn target(side: Side, cell: usize) -> Option<usize> {
    match side {
        Side::First => Some(cell + LANES).filter(|&to| to < CELLS),
        Side::Second => cell.checked_sub(LANES),
    }
}

impl Notation for Corridors {
    fn parse(&self, _: &str) -> Result<Position<Self>, PositionError> {
        Err(PositionError::rule("not needed here"))
    }
    fn format(&self, state: &State) -> String {
        format!("{state:?}")
    }
    fn parse_move(&self, _: &State, _: &str) -> Result<Move, MoveError> {
        Err(MoveError::Illegal(RuleError::new("not needed here")))
    }
    fn format_move(&self, _: &State, mv: Move) -> String {
        mv.to_string()
    }
}

impl Actions for Corridors {
    type Legal = Legal;

    fn action_count(&self) -> usize {
        CELLS - LANES
    }
    fn action_of(&self, state: &State, mv: Move) -> usize {
        let cell = seen(state, mv.into());
        match self.0 {
            Bug::NumberTooLarge if cell == 6 => CELLS,
            Bug::NumberTwice if cell == 5 => 4,
            Bug::NumbersOfOneSide => usize::from(mv) % (CELLS - LANES),
            _ => cell,
        }
    }
}

/// The list, with what is wrong with it.
#[derive(Clone, Debug, Default)]
struct Legal(Vec<Move>);

impl LegalMoves<Corridors> for Legal {
    fn fill(&mut self, rules: &Corridors, state: &State) {
        self.0.clear();
        rules.moves(state, &mut self.0);
    }
    fn count(&self) -> usize {
        self.0.len()
    }
    fn nth(&self, rules: &Corridors, _: &State, n: usize) -> Option<Move> {
        match rules.0 {
            Bug::DrawnTwice => self.0.get(n & !1).copied(),
            Bug::DrawnBeyond => self.0.get(n).or(self.0.last()).copied(),
            _ => self.0.get(n).copied(),
        }
    }
    fn each(&self, rules: &Corridors, _: &State, visit: impl FnMut(Move)) {
        let skipped = usize::from(rules.0 == Bug::NotVisited);
        self.0.iter().copied().skip(skipped).for_each(visit);
    }
    fn find(&self, rules: &Corridors, state: &State, action: usize) -> Option<Move> {
        let found = self.0.iter().copied().find(|&mv| rules.action_of(state, mv) == action);
        match rules.0 {
            Bug::AnyNumberIsAMove => found.or(self.0.first().copied()),
            Bug::OtherMove => found.and(self.0.first().copied()),
            _ => found,
        }
    }
    fn mask(&self, rules: &Corridors, state: &State, bits: &mut [u8]) {
        bits.fill(0);
        for &mv in &self.0 {
            bits[rules.action_of(state, mv) / 8] |= 1 << (rules.action_of(state, mv) % 8);
        }
        match rules.0 {
            Bug::MaskForgets => bits[0] &= !4,
            Bug::MaskAdds => bits[0] |= 4,
            _ => {}
        }
    }
}

impl Observe for Corridors {
    fn planes(&self) -> Planes {
        Planes { channels: 2, height: CELLS / LANES, width: LANES }
    }
    fn observe(&self, state: &State, _quiet: u32, out: &mut [u8]) {
        let own = if self.0 == Bug::SidesAsTheyAre { Side::First } else { state.side };
        for (plane, side) in out.chunks_exact_mut(CELLS).zip([own, own.other()]) {
            for cell in 0..CELLS {
                if self.0 == Bug::ByteLeft && cell == 9 {
                    continue;
                }
                let hidden = self.0 == Bug::PieceNotShown && side != own;
                let at = if self.0 == Bug::BoardNotTurned { cell } else { seen(state, cell) };
                plane[at] = (state.men[side.index()] >> cell & 1) as u8 * u8::from(!hidden);
            }
        }
    }
    fn map_cell(&self, cell: usize, symmetry: Sum) -> usize {
        match self.0 {
            Bug::MirrorNotSeen => cell,
            Bug::CellsCollide => cell & !1,
            Bug::BoardNotTurned => image(cell, symmetry),
            _ => cell ^ usize::from(symmetry.0 & 1),
        }
    }
}

const EFFORT: Effort = Effort { games: 100, plies: 40, seed: 3 };

#[test]
fn bugs_in_action_numbers_are_found() {
    let broken = |bug| actions_verdict(&Corridors(bug), EFFORT).err().map(|v| v.law);
    assert_eq!(broken(Bug::None), None);
    for (bug, law) in [
        (Bug::NumberTooLarge, "an action is below the number of actions"),
        (Bug::NumberTwice, "different moves are different actions"),
        (Bug::NumbersOfOneSide, "both sides number their moves alike"),
        (Bug::AnyNumberIsAMove, "an action of no legal move gives none"),
        (Bug::OtherMove, "an action gives its move back"),
        (Bug::DrawnTwice, "every legal move can be drawn, and nothing else"),
        (Bug::DrawnBeyond, "there is no legal move beyond the last"),
        (Bug::NotVisited, "legal moves are visited in the order of their list"),
        (Bug::MaskForgets, "the mask has the legal moves and nothing else"),
        (Bug::MaskAdds, "the mask has the legal moves and nothing else"),
    ] {
        assert_eq!(broken(bug), Some(law), "{bug:?}");
    }
}

#[test]
fn bugs_in_planes_are_found() {
    let broken = |bug| observe_verdict(&Corridors(bug), EFFORT, |_| Vec::new()).err().map(|v| v.law);
    assert_eq!(broken(Bug::None), None);
    for (bug, law) in [
        (Bug::ByteLeft, "every byte of the planes is written"),
        (Bug::PieceNotShown, "different positions look different"),
        (Bug::SidesAsTheyAre, "the planes of symmetric positions agree"),
        (Bug::MirrorNotSeen, "the planes of symmetric positions agree"),
        (Bug::CellsCollide, "a symmetry permutes the cells"),
        (Bug::BoardNotTurned, "both sides see the board alike"),
    ] {
        assert_eq!(broken(bug), Some(law), "{bug:?}");
    }
}
