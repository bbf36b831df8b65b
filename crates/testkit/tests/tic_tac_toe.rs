//! The laws of every game find bugs: tic-tac-toe with one planted at a time must break the right law.

use tabia_core::{
    Canonical, Dihedral, Game, Geometry, Info, Key, MoveError, NamedStart, Notation, Outcome, Picture,
    Position, PositionError, Present, Side, SplitMix64, ZobristTable,
};
use tabia_testkit::golden;
use tabia_testkit::laws::{Effort, game_verdict, key_table_verdict};
use tabia_tic_tac_toe::{Move, TicTacToe};

type Inner = <TicTacToe as Game>::State;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    None,
    WrongHashUpdate,
    ZeroKey,
    CanonicalNotInvariant,
    LostMove,
    LostMoveSymmetric,
    MiscountedMoves,
    UnfairRandomMove,
    PackForgets,
    UnpackTakesAnything,
    AcceptsAnyMove,
    OutcomeTooEarly,
    DeadComesAlive,
    DeadAndWon,
    StrataRise,
    StrataDiffer,
}

#[derive(Clone, Copy, Debug)]
struct Broken(Bug);

/// The position and an incremental key, which comparison leaves out so that only laws see it.
#[derive(Clone, Copy, Debug, Eq)]
struct State(Inner, Key);

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.0 == other.0
    }
}

impl std::hash::Hash for State {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.0.hash(hasher);
    }
}

static KEYS: ZobristTable<9, 2> = ZobristTable::from_seed(1);

impl Broken {
    fn piece_key(self, cell: usize, side: Side) -> Key {
        if self.0 == Bug::ZeroKey && cell == 4 && side == Side::First {
            Key(0)
        } else {
            KEYS.key(cell, side.index())
        }
    }

    /// The key from scratch, over the text of the position.
    fn wrap(self, inner: Inner) -> State {
        let cells = TicTacToe.format(&inner).replace('/', "");
        let key = cells.chars().enumerate().fold(Key(0), |key, (cell, c)| match c {
            'x' => key ^ self.piece_key(cell, Side::First),
            'o' => key ^ self.piece_key(cell, Side::Second),
            _ => key,
        });
        State(inner, key)
    }
}

fn cell_of(mv: Move) -> usize {
    let name = TicTacToe.format_move(&TicTacToe.start(), mv);
    let bytes = name.as_bytes();
    usize::from(bytes[1] - b'1') * 3 + usize::from(bytes[0] - b'a')
}

impl Game for Broken {
    type State = State;
    type Move = Move;
    type Symmetry = Dihedral;
    type Packed = [u8; 4];
    fn id(&self) -> &'static str {
        "broken"
    }

    fn start(&self) -> State {
        self.wrap(TicTacToe.start())
    }
    fn side(&self, state: &State) -> Side {
        TicTacToe.side(&state.0)
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let early = self.0 == Bug::OutcomeTooEarly && TicTacToe.count_moves(&state.0) == 2;
        TicTacToe.outcome(&state.0).or(early.then_some(Outcome::Draw))
    }
    fn is_dead(&self, state: &State) -> bool {
        match self.0 {
            Bug::DeadComesAlive => TicTacToe.count_moves(&state.0) == 3,
            Bug::DeadAndWon => TicTacToe.outcome(&state.0).is_some(),
            _ => false,
        }
    }
    fn stratum(&self, state: &State) -> Option<u32> {
        let empty = TicTacToe.format(&state.0).matches('.').count() as u32;
        match self.0 {
            Bug::StrataRise => Some(9 - empty),
            Bug::StrataDiffer => Some(empty * 2 + u32::from(TicTacToe.format(&state.0).starts_with('x'))),
            _ => Some(empty),
        }
    }
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        TicTacToe.moves(&state.0, out);
        match self.0 {
            Bug::LostMove => out.retain(|&mv| cell_of(mv) != 1 || TicTacToe.side(&state.0) == Side::First),
            // The centre is fixed by every symmetry: only the count can tell.
            Bug::LostMoveSymmetric if out.len() == 6 => out.retain(|&mv| cell_of(mv) != 4),
            _ => {}
        }
    }
    fn count_moves(&self, state: &State) -> u64 {
        let count = TicTacToe.count_moves(&state.0);
        if self.0 == Bug::MiscountedMoves && count == 5 { 4 } else { count }
    }
    fn random_move(&self, state: &State, rng: &mut SplitMix64, buffer: &mut Vec<Move>) -> Option<Move> {
        buffer.clear();
        self.moves(state, buffer);
        if self.0 == Bug::UnfairRandomMove {
            buffer.first().copied()
        } else {
            TicTacToe.random_move(&state.0, rng, buffer)
        }
    }
    fn play(&self, state: &mut State, mv: Move) {
        let side = TicTacToe.side(&state.0);
        TicTacToe.play(&mut state.0, mv);
        let wrong = self.0 == Bug::WrongHashUpdate && cell_of(mv) == 7;
        state.1 ^= self.piece_key(if wrong { 6 } else { cell_of(mv) }, side);
    }
    fn check_move(&self, state: &State, mv: Move) -> Result<(), tabia_core::RuleError> {
        if self.0 == Bug::AcceptsAnyMove { Ok(()) } else { TicTacToe.check_move(&state.0, mv) }
    }
    fn key(&self, state: &State) -> Key {
        state.1
    }
    fn pack(&self, state: &State) -> [u8; 4] {
        let mut packed = TicTacToe.pack(&state.0);
        if self.0 == Bug::PackForgets {
            packed[0] &= 0b0111_1111;
        }
        packed
    }
    fn unpack(&self, packed: &[u8; 4]) -> Result<State, PositionError> {
        let mut bytes = *packed;
        if self.0 == Bug::UnpackTakesAnything {
            bytes[1] &= 1;
        }
        TicTacToe.unpack(&bytes).map(|inner| self.wrap(inner))
    }
    fn symmetries(&self, _: &State) -> &[Dihedral] {
        &Dihedral::ALL
    }
    fn map_state(&self, state: &State, symmetry: Dihedral) -> State {
        self.wrap(TicTacToe.map_state(&state.0, symmetry))
    }
    fn map_move(&self, mv: Move, symmetry: Dihedral) -> Move {
        TicTacToe.map_move(mv, symmetry)
    }
    fn canonicalise(&self, state: &State) -> Canonical<State, Dihedral> {
        if self.0 == Bug::CanonicalNotInvariant {
            // As the seed document's peg solitaire hash does: only some of the images are looked at.
            let turned = self.map_state(state, Dihedral::ALL[3]);
            let turn = self.pack(&turned) < self.pack(state);
            let symmetry = Dihedral::ALL[if turn { 3 } else { 0 }];
            return Canonical { state: if turn { turned } else { *state }, symmetry };
        }
        let canonical = TicTacToe.canonicalise(&state.0);
        Canonical { state: self.wrap(canonical.state), symmetry: canonical.symmetry }
    }
}

impl Notation for Broken {
    fn parse(&self, text: &str) -> Result<Position<Self>, PositionError> {
        Ok(Position { rules: *self, state: self.wrap(TicTacToe.parse(text)?.state) })
    }
    fn format(&self, state: &State) -> String {
        TicTacToe.format(&state.0)
    }
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        TicTacToe.parse_move(&state.0, text)
    }
    fn format_move(&self, state: &State, mv: Move) -> String {
        TicTacToe.format_move(&state.0, mv)
    }
    fn starts(&self) -> Vec<NamedStart<Self>> {
        vec![NamedStart {
            id: "empty".into(),
            about: "".into(),
            position: Position { rules: *self, state: self.start() },
        }]
    }
}

impl Present for Broken {
    fn info(&self) -> Info {
        TicTacToe.info()
    }
    fn geometry(&self) -> Geometry {
        TicTacToe.geometry()
    }
    fn picture(&self, state: &State) -> Picture {
        TicTacToe.picture(&state.0)
    }
    fn steps(&self, state: &State, mv: Move) -> Vec<String> {
        TicTacToe.steps(&state.0, mv)
    }
}

#[test]
fn every_planted_bug_is_found() {
    let effort = Effort { games: 100, plies: 9, seed: 5 };
    let broken_law = |bug| game_verdict(&Broken(bug), effort, |_| Vec::new()).err().map(|v| v.law);
    assert_eq!(broken_law(Bug::None), None);
    for (bug, law) in [
        (Bug::WrongHashUpdate, "the key follows every move"),
        (Bug::ZeroKey, "different positions have different keys"),
        (Bug::CanonicalNotInvariant, "the canonical form is the same for all images"),
        (Bug::LostMove, "counting agrees with listing"),
        (Bug::LostMoveSymmetric, "counting agrees with listing"),
        (Bug::MiscountedMoves, "counting agrees with listing"),
        (Bug::UnfairRandomMove, "random moves reach every move"),
        (Bug::PackForgets, "unpacking gives the position"),
        (Bug::UnpackTakesAnything, "an encoding is the only one of its position"),
        (Bug::AcceptsAnyMove, "a move that is not listed is refused"),
        (Bug::OutcomeTooEarly, "a game is over exactly when there is no move"),
        (Bug::DeadComesAlive, "what follows a dead position is dead"),
        (Bug::DeadAndWon, "nobody has won in a dead position"),
        (Bug::StrataRise, "no move leads to a higher stratum"),
        (Bug::StrataDiffer, "symmetric positions are of the same stratum"),
    ] {
        assert_eq!(broken_law(bug), Some(law), "{bug:?}");
    }
}

#[test]
fn bad_key_tables_are_found() {
    let table = |keys: &[u64]| {
        key_table_verdict(&keys.iter().map(|&k| Key(k)).collect::<Vec<_>>()).err().map(|v| v.law)
    };
    assert_eq!(table(&[1, 2, 4, 8]), None);
    assert_eq!(table(&[1, 0, 4]), Some("no key is zero"));
    assert_eq!(table(&[1, 2, 1]), Some("no key stands twice"));
    assert_eq!(table(&[1, 2, 3]), Some("no three keys cancel out"));
    assert_eq!(table(&[1, 2, 4, 7]), Some("no four keys cancel out"));
    assert_eq!(table(&[1, 2, 4, 8, 15]), Some("keys have full rank"));
}

#[test]
fn a_missing_golden_file_says_how_it_is_written() {
    if std::env::var_os("TABIA_BLESS").is_some() {
        return; // The file would be written instead.
    }
    let path = std::path::Path::new("data/no-such-game/golden.txt");
    let panic = std::panic::catch_unwind(|| golden::check_file(&TicTacToe, path, 1, 9)).unwrap_err();
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.contains("data/no-such-game/golden.txt"), "{message}");
    assert!(message.contains("TABIA_BLESS=1 cargo test -p tabia-testkit --test laws"), "{message}");
}
