//! The search, the index and the files of draughts, with bugs.

use super::{Bug, Planted};
use std::io::{self, BufRead, Write};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use tabia_core::files::GameSink;
use tabia_core::{
    Evaluate, Features, Game, GameFile, Halves, Index, Levels, Look, Outcome, Position, ReadGames,
    RecordedGame, Side, Slice, Spot, Successor, Verdict,
};
use tabia_draughts::{Draughts, Move, State};

/// How often a position was evaluated.
static CALLS: AtomicI32 = AtomicI32::new(0);

impl Evaluate for Planted<Draughts> {
    fn evaluate(&self, state: &State) -> i32 {
        let value = self.game.evaluate(state);
        match self.bug {
            Bug::Unbounded => value + 30_000,
            Bug::Moody => value + CALLS.fetch_add(1, Relaxed) % 2,
            _ => value,
        }
    }
    fn evaluate_within(&self, state: &State, low: i32, high: i32) -> i32 {
        match self.bug {
            Bug::Window => self.evaluate(state) + i32::from(high - low < 1000),
            Bug::WholeWindow => low,
            _ => self.game.evaluate_within(state, low, high),
        }
    }
    fn terms(&self) -> &[&str] {
        self.game.terms()
    }
    fn evaluate_weighed(&self, state: &State, percent: &[i32]) -> i32 {
        match self.bug {
            Bug::Weights => self.evaluate(state) + 1,
            Bug::Unbounded => self.evaluate(state),
            _ => self.game.evaluate_weighed(state, percent),
        }
    }
    fn is_noisy(&self, state: &State, mv: Move) -> bool {
        let forgotten = self.has(Bug::QuietCaptures) && state.kings() >> mv.from().index() & 1 == 1;
        self.game.is_noisy(state, mv) && !forgotten
    }
    fn noisy_moves(&self, state: &State, out: &mut Vec<Move>) {
        let before = out.len();
        self.game.moves(state, out);
        let noisy: Vec<Move> =
            out.split_off(before).into_iter().filter(|&mv| self.is_noisy(state, mv)).collect();
        out.extend(noisy.into_iter().skip(usize::from(self.has(Bug::NoisyForgets))));
    }
}

impl Index for Planted<Draughts> {
    fn slice_groups(&self, pieces: u32) -> Vec<Vec<Slice>> {
        let mut groups = self.game.slice_groups(pieces);
        if self.has(Bug::GroupsReversed) {
            groups.reverse();
        }
        groups
    }
    fn slice_name(&self, slice: Slice) -> String {
        if self.has(Bug::OneName) { "slice".to_owned() } else { self.game.slice_name(slice) }
    }
    fn slice_named(&self, name: &str) -> Option<Slice> {
        if self.has(Bug::OneName) {
            self.game.slice_groups(2)[0].first().copied()
        } else {
            self.game.slice_named(name)
        }
    }
    fn slice_pieces(&self, slice: Slice) -> u32 {
        self.game.slice_pieces(slice)
    }
    fn slice_len(&self, slice: Slice) -> u64 {
        let len = self.game.slice_len(slice);
        match self.bug {
            Bug::TooLong => len - 1,
            Bug::TooShort => len + 1,
            _ => len,
        }
    }
    fn is_gap(&self, spot: Spot) -> bool {
        self.has(Bug::GapClaimed) && spot.index == 0
    }
    fn locate(&self, state: &State) -> Option<Spot> {
        let unseen = self.has(Bug::OneSide) && self.game.side(state) == Side::Second;
        if unseen { None } else { self.game.locate(state) }
    }
    fn position(&self, spot: Spot) -> Option<State> {
        let index = if self.has(Bug::Gap) { spot.index & !1 } else { spot.index };
        self.game.position(Spot { index, ..spot })
    }
    fn successors(&self, spot: Spot, out: &mut Vec<Successor>) {
        self.game.successors(spot, out);
        if self.has(Bug::SuccessorForgotten) {
            out.pop();
        }
    }
    fn predecessors(&self, spot: Spot, out: &mut Vec<Spot>) {
        self.game.predecessors(spot, out);
        match self.bug {
            Bug::PredecessorForgotten => out.truncate(out.len().saturating_sub(1)),
            Bug::PredecessorTwice => out.extend_from_within(..out.len().min(1)),
            _ => {}
        }
    }
}

impl Levels for Planted<Draughts> {
    type Block = <Draughts as Levels>::Block;

    fn most_pieces(&self) -> u32 {
        self.game.most_pieces()
    }
    fn layers(&self, pieces: u32) -> Vec<Vec<Vec<Slice>>> {
        let mut layers = self.game.layers(pieces);
        if self.has(Bug::LayersReversed) {
            layers.reverse();
        }
        layers
    }
    fn levels(&self, group: &[Slice]) -> Vec<Vec<u32>> {
        let mut levels = self.game.levels(group);
        match self.bug {
            Bug::LevelsReversed => levels.reverse(),
            Bug::BlockForgotten => drop(levels.last_mut().and_then(Vec::pop)),
            _ => {}
        }
        levels
    }
    fn block(&self, group: &[Slice], number: u32) -> Self::Block {
        self.game.block(group, number)
    }
    fn halves(&self, block: &Self::Block) -> Halves {
        self.game.halves(block)
    }
    fn look(
        &self,
        block: &Self::Block,
        half: usize,
        places: Range<usize>,
        value: impl FnMut(Spot) -> Verdict,
        mut each: impl FnMut(Look),
    ) {
        let uncounted = u8::from(self.has(Bug::MoveUncounted));
        self.game.look(block, half, places, value, |look| {
            each(match look {
                Look::Open { inside, safe } => Look::Open { inside: inside - uncounted, safe },
                decided @ Look::Decided(_) => decided,
            });
        });
    }
    fn tell(&self, block: &Self::Block, half: usize, at: usize, mut each: impl FnMut(usize)) {
        let times = match self.bug {
            Bug::TellsTwice => 2,
            Bug::TellsNobody => 0,
            _ => 1,
        };
        self.game.tell(block, half, at, |place| (0..times).for_each(|_| each(place)));
    }
}

impl ReadGames for Planted<Draughts> {
    fn game_files(&self) -> &'static [GameFile] {
        self.game.game_files()
    }
    fn read_games(
        &self,
        kind: &str,
        input: &mut dyn BufRead,
        sink: &mut GameSink<'_, Self>,
    ) -> io::Result<()> {
        let kind = if self.has(Bug::AnyKind) { "pdn" } else { kind };
        let mut first = true;
        self.game.read_games(kind, input, &mut |game| {
            if std::mem::take(&mut first) && self.has(Bug::GameForgotten) {
                return ControlFlow::Continue(());
            }
            let flow = sink(game.map(|game| self.read(game)));
            if self.has(Bug::ReadsOn) { ControlFlow::Continue(()) } else { flow }
        })
    }
    fn write_game(&self, kind: &str, game: &RecordedGame<Self>, output: &mut dyn Write) -> io::Result<()> {
        let RecordedGame { number, line, tags, start, moves, outcome, warning, notes, variations } =
            game.clone();
        let start = Position { rules: start.rules.game, state: start.state };
        self.game.write_game(
            kind,
            &RecordedGame { number, line, tags, start, moves, outcome, warning, notes, variations },
            output,
        )
    }
}

impl Planted<Draughts> {
    /// A game as this reader understands it.
    fn read(&self, game: RecordedGame<Draughts>) -> RecordedGame<Self> {
        let RecordedGame {
            mut number,
            line,
            mut tags,
            start,
            mut moves,
            mut outcome,
            warning,
            notes,
            variations,
        } = game;
        match self.bug {
            Bug::NumbersFromZero => number -= 1,
            Bug::TagForgotten => tags.retain(|(name, _)| name != "Round"),
            Bug::MoveForgotten => drop(moves.pop()),
            Bug::ResultTurned => outcome = outcome.map(|outcome: Outcome| outcome.swapped(true)),
            _ => {}
        }
        RecordedGame {
            number,
            line,
            tags,
            start: self.position(start),
            moves,
            outcome,
            warning,
            notes,
            variations,
        }
    }
}

impl Features for Planted<Draughts> {
    fn feature_words(&self) -> usize {
        self.game.feature_words()
    }
    fn feature_set(&self, state: &Self::State, out: &mut [u64]) {
        let last = out.last().copied();
        self.game.feature_set(state, out);
        if let (true, Some(word), Some(last)) = (self.has(Bug::WordLeft), out.last_mut(), last) {
            *word = last;
        }
    }
    fn inputs(&self) -> usize {
        self.game.inputs()
    }
    fn folds(&self) -> usize {
        if self.has(Bug::FoldsMixed) { 2 } else { self.game.folds() }
    }
    fn frames(&self) -> usize {
        1 + usize::from(self.has(Bug::StartMirrored))
    }
    fn frame(&self, state: &Self::State, viewer: Side) -> usize {
        let men = state.black() | state.white();
        let mirrored = viewer == Side::Second && men == 0xFFF0_0FFF && state.kings() == 0;
        usize::from(self.has(Bug::NoSuchFrame) || self.has(Bug::StartMirrored) && mirrored)
    }
    fn input(&self, viewer: Side, frame: usize, feature: usize) -> Option<usize> {
        let viewer = if self.has(Bug::BoardNotTurned) { Side::First } else { viewer };
        let feature = if self.has(Bug::TwoAsOne) { feature & !1 } else { feature };
        // The rows of the start are full: mirrored they look the same, and only moves tell.
        let feature = if self.has(Bug::StartMirrored) && frame == 1 { feature ^ 3 } else { feature };
        self.game.input(viewer, frame, feature)
    }
}
