//! Games played for a report, and what is noted about each.

use super::Subject;
use super::players::{Play, about};
use super::tally::{PLIES, Tally, Tension};
use std::collections::BTreeMap;
use tabia_core::rng::mix;
use tabia_core::{DrawReason, Name, Outcome, Position, Present, Record, Side, SplitMix64};

/// Games that no rule ends are cut off here, and are draws.
pub(super) const LONGEST: usize = 1000;
/// A lead counts when the expected result is at least this far from even.
const LEAD: f64 = 0.1;
/// A game is decided when the winner expects at least this from then on.
const DECIDED: f64 = 0.5;

/// How the games of a section are played.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    /// Nodes for a move of each player.
    pub(super) nodes: [u64; 2],
    /// Plies at random before the players take over.
    pub(super) opening: usize,
    /// A weak player with so many nodes is asked about some positions, too.
    pub(super) also: Option<u64>,
    /// Whether cells and pieces are noted.
    pub(super) detail: bool,
}

/// Plays a game; the seats may be taken by one player. The values are those of the players, for player 0.
pub(super) fn play<G: Present>(
    subject: &Subject<'_, G>,
    seats: [usize; 2],
    players: &mut [&mut dyn Play<G>],
    terms: &Terms,
    rng: &mut SplitMix64,
    agreement: &mut Tension,
) -> (Record<G>, Vec<f64>) {
    let mut record = Record::new(Position { rules: subject.rules.clone(), state: subject.start.clone() });
    let mut values = Vec::new();
    while record.outcome().is_none() && record.moves().len() < LONGEST {
        let ply = record.moves().len();
        let side = record.rules().side(record.state());
        if ply < terms.opening {
            let Some(mv) = record.rules().random_move(record.state(), rng, &mut Vec::new()) else { break };
            record.play_unchecked(mv);
            continue;
        }
        let nodes = about(terms.nodes[side.index()], rng);
        let player = &mut players[seats[side.index()]];
        let Some(choice) = player.choose(&record, nodes, rng) else { break };
        if let Some(weak) = terms.also.filter(|_| ply % 4 == terms.opening % 4)
            && subject.rules.count_moves(record.state()) > 1
            && let Some(last) = players.last_mut()
            && let Some(other) = last.choose(&record, weak, rng)
        {
            agreement.asked += 1;
            agreement.agreed += u64::from(other.mv == choice.mv);
        }
        values.extend(choice.value.map(|value| if side == Side::First { value } else { -value }));
        record.play_unchecked(choice.mv);
    }
    (record, values)
}

/// How a game ended, in words.
pub(super) fn ending<G: Present>(record: &Record<G>, sides: &[Name]) -> String {
    match record.rules().outcome(record.state()) {
        Some(Outcome::Win(side)) if record.rules().players() == 1 => {
            if side == Side::First { "solved" } else { "stuck" }.to_owned()
        }
        Some(Outcome::Win(side)) => {
            format!("{} wins", sides.get(side.index()).map_or("nobody", |name| name.as_ref()))
        }
        Some(Outcome::Draw) => "draw on the board".to_owned(),
        None => record.draw_reason().map_or("cut off".to_owned(), draw_words),
    }
}

pub(super) fn draw_words(reason: DrawReason) -> String {
    format!("draw: {}", reason.name())
}

impl Tally {
    /// Notes a game.
    pub(super) fn note<G: Present>(
        &mut self,
        subject: &Subject<'_, G>,
        record: &Record<G>,
        values: &[f64],
        terms: &Terms,
    ) {
        let outcome = record.outcome().unwrap_or(Outcome::Draw);
        self.games += 1;
        match outcome {
            Outcome::Win(side) => self.wins[side.index()] += 1,
            Outcome::Draw => self.draws += 1,
        }
        *self.ends.entry(ending(record, &subject.sides)).or_default() += 1;
        *self.lengths.entry(record.moves().len() as u32).or_default() += 1;
        self.note_choices(subject, record);
        self.note_first(subject, record, outcome);
        if terms.detail {
            let hash = record.states().iter().fold(0, |hash, state| mix(hash ^ subject.rules.key(state).0));
            self.distinct.insert(hash);
            self.note_moves(subject, record, outcome);
        }
        self.tension.note(values, outcome);
    }

    fn note_choices<G: Present>(&mut self, subject: &Subject<'_, G>, record: &Record<G>) {
        let plies = record.moves().len();
        let (mut all, mut forced) = (0, 0u32);
        for (ply, state) in record.states().iter().take(plies).enumerate() {
            let choices = subject.rules.count_moves(state);
            all += choices;
            forced += u32::from(choices == 1);
            if ply < PLIES {
                if self.by_ply.len() <= ply {
                    self.by_ply.push(Default::default());
                }
                self.by_ply[ply].add(choices);
            }
        }
        if plies > 0 {
            self.choices.add_fine(all as f64 / plies as f64);
            self.forced.add_fine(f64::from(forced) / plies as f64);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let again = record.states().iter().any(|state| !seen.insert(subject.rules.key(state)));
        self.repeated += u64::from(again);
    }

    fn note_first<G: Present>(&mut self, subject: &Subject<'_, G>, record: &Record<G>, outcome: Outcome) {
        let Some(&first) = record.moves().first() else { return };
        let Some(class) = subject.first_moves.iter().find(|class| class.moves.contains(&first)) else {
            return;
        };
        let place = match outcome {
            Outcome::Win(Side::First) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 2,
        };
        self.first.entry(class.text.clone()).or_default()[place] += 1;
    }

    fn note_moves<G: Present>(&mut self, subject: &Subject<'_, G>, record: &Record<G>, outcome: Outcome) {
        let rules = &subject.rules;
        for (state, (next, &mv)) in
            record.states().iter().zip(record.states()[1..].iter().zip(record.moves()))
        {
            let steps = rules.steps(state, mv);
            if let Some(cell) = steps.last() {
                let won = outcome == Outcome::Win(rules.side(state));
                let counts = self.cells.entry(cell.clone()).or_default();
                counts[0] += 1;
                counts[1] += u64::from(won);
            }
            *self.pieces.entry(mover(rules, state, next, &steps)).or_default() += 1;
            *self.kinds.entry(kind(rules, state, mv, &steps)).or_default() += 1;
        }
    }
}

/// The piece that moves: what stands on the first cell, or else what then stands on the last.
fn mover<G: Present>(rules: &G, state: &G::State, next: &G::State, steps: &[String]) -> String {
    let on = |state: &G::State, cell: Option<&String>| {
        let pieces = rules.picture(state).pieces;
        pieces.into_iter().rfind(|piece| Some(&piece.cell) == cell).map(|piece| piece.name.to_string())
    };
    let moved = if steps.len() > 1 { on(state, steps.first()) } else { None };
    moved.or_else(|| on(next, steps.last())).unwrap_or_else(|| "none".to_owned())
}

/// What a move is like: the cells it touches, what is chosen, whether it can be taken back by later moves.
fn kind<G: Present>(rules: &G, state: &G::State, mv: G::Move, steps: &[String]) -> String {
    let cells = match steps.len() {
        1 => "one cell".to_owned(),
        2 => "from cell to cell".to_owned(),
        more => format!("over {more} cells"),
    };
    let choice = rules.choice(state, mv).map_or(String::new(), |choice| format!(", {choice}"));
    let progress = if rules.is_progress(state, mv) { ", final" } else { "" };
    format!("{cells}{choice}{progress}")
}

impl Tension {
    /// Notes what the players thought of a game, ply by ply, for player 0.
    fn note(&mut self, values: &[f64], outcome: Outcome) {
        if values.len() < 2 {
            return;
        }
        let leads: Vec<bool> =
            values.iter().filter(|value| value.abs() >= LEAD).map(|&value| value > 0.0).collect();
        let changes = leads.windows(2).filter(|pair| pair[0] != pair[1]).count();
        self.lead_changes.add_fine(changes as f64 / (values.len() - 1) as f64);
        let Outcome::Win(winner) = outcome else { return };
        let for_winner = |value: &f64| if winner == Side::First { *value } else { -*value };
        let behind: Vec<f64> = values.iter().map(for_winner).filter(|&value| value < 0.0).collect();
        let drama = behind.iter().map(|value| (-value).sqrt()).sum::<f64>() / behind.len().max(1) as f64;
        self.drama.add_fine(drama);
        let decided = values.iter().rposition(|value| for_winner(value) < DECIDED).map_or(0, |last| last + 1);
        self.left_when_decided.add_fine((values.len() - decided) as f64 / values.len() as f64);
    }
}

/// First moves that are one up to symmetry.
#[derive(Clone, Debug)]
pub(super) struct FirstMoves<M> {
    /// The first of them, written.
    pub(super) text: String,
    pub(super) moves: Vec<M>,
}

/// The classes of first moves, in the order of the moves.
pub(super) fn first_moves<G: Present>(rules: &G, start: &G::State) -> Vec<FirstMoves<G::Move>> {
    let mut moves = Vec::new();
    rules.moves(start, &mut moves);
    let mut place = BTreeMap::new();
    let mut classes: Vec<FirstMoves<G::Move>> = Vec::new();
    for mv in moves {
        let mut next = start.clone();
        rules.play(&mut next, mv);
        let at = *place.entry(rules.pack_canonical(&next)).or_insert(classes.len());
        match classes.get_mut(at) {
            Some(class) => class.moves.push(mv),
            None => classes.push(FirstMoves { text: rules.format_move(start, mv), moves: vec![mv] }),
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tension_is_as_defined() {
        let mut tension = Tension::default();
        // Ahead, behind, ahead, won: two changes in four steps; behind once by 0.25; decided for the last two of five.
        tension.note(&[0.2, -0.25, 0.3, 0.6, 1.0], Outcome::Win(Side::First));
        let near = |moments: &super::super::intervals::Moments, value: f64| {
            assert!((moments.fine(super::super::figures::Unit::Number).value - value).abs() < 1e-9);
        };
        near(&tension.lead_changes, 0.5);
        near(&tension.drama, 0.5);
        near(&tension.left_when_decided, 0.4);
        // The same seen by the other player.
        let mut other = Tension::default();
        other.note(&[-0.2, 0.25, -0.3, -0.6, -1.0], Outcome::Win(Side::Second));
        assert_eq!(tension, other);
    }
}
