//! One group of slices that lead to each other, solved by all workers together.
//!
//! It is the method of one machine (`tabia_solve::slices`), with messages where that one looks into memory: a first look
//! at every position asks the owners of earlier slices what moves out of the group are worth; then, ply by ply, decided
//! positions tell their predecessors.

use crate::codec::{put_number, take_number};
use crate::error::ClusterError;
use crate::net::{Net, Outbox, Phase};
use crate::owned::{home, part};
use std::collections::{BTreeMap, HashMap};
use tabia_core::{Index, Slice, Spot, Successor, trust};
use tabia_solve::{SolveError, code};

/// A position that cannot be lost: it has a win or a draw elsewhere.
const SAFE: u8 = u8::MAX;
/// Positions that are looked at before answers are waited for.
const ROUND: usize = 1 << 16;
/// Positions looked at, or told about, before the worker looks at what has come.
const PIECE: usize = 1 << 11;

/// The codes of a worker's part of every slice that is done.
pub(crate) type Done = HashMap<Slice, Vec<u16>>;

/// What the moves of a position out of its group are worth.
#[derive(Clone, Copy, Default)]
struct Elsewhere {
    inside: u32,
    win: Option<u16>,
    draw: bool,
    /// The longest resistance among moves that lose, in plies from here.
    loss: u16,
}

/// A position of this worker's part: of the group's slice with this number.
#[derive(Clone, Copy)]
struct Place {
    slice: u32,
    local: u32,
}

/// This worker's part of a slice that is being solved.
struct Part {
    slice: Slice,
    indices: Vec<u64>,
    codes: Vec<u16>,
    /// Moves inside the group not yet known to lose.
    open: Vec<u8>,
    /// How long moves out of the group hold out.
    resist: Vec<u16>,
}

/// A group being solved.
pub(crate) struct Group<'a, G> {
    game: &'a G,
    done: &'a Done,
    workers: usize,
    parts: Vec<Part>,
    /// Positions to tell of when the plies have come so far.
    todo: BTreeMap<u16, Vec<Place>>,
    plies: u16,
    successors: Vec<Successor>,
    predecessors: Vec<Spot>,
}

impl<'a, G: Index> Group<'a, G> {
    pub(crate) fn new(game: &'a G, done: &'a Done, slices: &[Slice], net: &Net<'_>) -> Self {
        let one = |slice: &Slice| {
            let indices: Vec<u64> = part(game, *slice, net.me(), net.workers()).collect();
            let len = indices.len();
            Part { slice: *slice, indices, codes: vec![0; len], open: vec![SAFE; len], resist: vec![0; len] }
        };
        let parts = slices.iter().map(one).collect();
        let (successors, predecessors) = (Vec::new(), Vec::new());
        let (workers, todo) = (net.workers(), BTreeMap::new());
        Group { game, done, workers, parts, todo, plies: 0, successors, predecessors }
    }

    /// Solves the group; the codes of this worker's parts.
    pub(crate) fn solve(mut self, net: &mut Net<'_>) -> Result<Vec<(Slice, Vec<u16>)>, ClusterError> {
        let places: Vec<Place> = (0..)
            .zip(&self.parts)
            .flat_map(|(slice, part)| (0..part.codes.len() as u32).map(move |local| Place { slice, local }))
            .collect();
        let [rounds] = net.max([places.len().div_ceil(ROUND) as u64])?;
        for round in 0..rounds as usize {
            let end = places.len().min((round + 1) * ROUND);
            let round = places.get(round * ROUND..end).unwrap_or_default();
            let mut look = FirstLook { group: &mut self, round, at: 0, sums: Vec::new(), asked: Vec::new() };
            net.step(&mut look)?;
            let FirstLook { sums, asked, .. } = look;
            let mut answers = Answers { group: &mut self, asked, sums };
            net.step(&mut answers)?;
            let sums = answers.sums;
            for (place, sum) in round.iter().zip(sums) {
                self.decide(*place, sum)?;
            }
            trust::check(self.game)?;
        }
        loop {
            let next = self.todo.keys().next().map_or(u64::MAX, |plies| u64::from(*plies));
            let [not_next] = net.max([!next])?;
            let Ok(plies) = u16::try_from(!not_next) else { break };
            self.plies = plies;
            let list = self.todo.remove(&plies).unwrap_or_default();
            let mut telling = Telling { group: &mut self, list };
            net.step(&mut telling)?;
        }
        Ok(self.parts.into_iter().map(|part| (part.slice, part.codes)).collect())
    }

    fn spot(&self, place: Place) -> Spot {
        let part = &self.parts[place.slice as usize];
        Spot { slice: part.slice, index: part.indices[place.local as usize] }
    }

    /// The number of a slice in the group.
    fn inside(&self, slice: Slice) -> Option<usize> {
        self.parts.iter().position(|part| part.slice == slice)
    }

    fn name(&self, spot: Spot) -> String {
        format!("number {} of {}", spot.index, self.game.slice_name(spot.slice))
    }

    fn contradiction(&self, what: String) -> ClusterError {
        trust::contradiction(self.game, what).into()
    }

    fn set(&mut self, place: Place, code: u16) {
        if let Some(known) = self.parts[place.slice as usize].codes.get_mut(place.local as usize) {
            *known = code;
            self.todo.entry(code::distance(code)).or_default().push(place);
        }
    }

    /// Settles a position after the first look.
    fn decide(&mut self, place: Place, sum: Option<Elsewhere>) -> Result<(), ClusterError> {
        let spot = self.spot(place);
        let Some(sum) = sum else {
            if self.game.is_gap(spot) {
                self.parts[place.slice as usize].codes[place.local as usize] = code::UNKNOWN;
                return Ok(());
            }
            let code = self.finished(spot)?;
            if code != code::DRAW {
                self.set(place, code);
            }
            return Ok(());
        };
        if let Some(plies) = sum.win {
            self.set(place, code::win(plies));
        } else if sum.inside == 0 && !sum.draw {
            self.set(place, code::loss(sum.loss));
        } else if !sum.draw {
            let open = u8::try_from(sum.inside).ok().filter(|open| *open < SAFE);
            let too_many =
                || format!("{} has {} moves, too many for the tables", self.name(spot), sum.inside);
            let open = open.ok_or_else(|| self.contradiction(too_many()))?;
            let part = &mut self.parts[place.slice as usize];
            (part.open[place.local as usize], part.resist[place.local as usize]) = (open, sum.loss);
        }
        Ok(())
    }

    fn finished(&self, spot: Spot) -> Result<u16, ClusterError> {
        let wrong = |what: &str| self.contradiction(format!("{} {what}", self.name(spot)));
        let state = self.game.position(spot).ok_or_else(|| wrong("is no position"))?;
        let outcome = self.game.outcome(&state).ok_or_else(|| wrong("has no moves but is not over"))?;
        Ok(code::encode(outcome.value_for(self.game.side(&state))))
    }

    /// A child of a position was decided.
    fn told(&mut self, place: Place, lost: bool) -> Result<(), ClusterError> {
        let plies = self.plies + 1;
        let at = place.local as usize;
        let part = self.parts.get_mut(place.slice as usize).filter(|part| at < part.codes.len());
        let Some(part) = part else { return Err(garbled(0)) };
        if lost {
            let (known, decided) = (part.codes[at], code::win(plies));
            if known == code::DRAW || code::is_win(known) && known > decided {
                self.set(place, decided);
            }
        } else if part.open[at] != SAFE {
            let resist = part.resist[at];
            let Some(open) = part.open[at].checked_sub(1) else {
                let name = self.name(self.spot(place));
                return Err(
                    self.contradiction(format!("{name} is a predecessor more often than it has moves"))
                );
            };
            part.open[at] = open;
            if open == 0 {
                // The last hope inside is gone; a move elsewhere may hold out longer.
                self.set(place, code::loss(plies.max(resist)));
            }
        }
        Ok(())
    }
}

fn garbled(worker: usize) -> ClusterError {
    ClusterError::Garbled { worker, message: "a place of a table that is not there".to_owned() }
}

impl Elsewhere {
    /// Counts a move to a position with this code.
    fn add(&mut self, code: u16) -> Result<(), ClusterError> {
        let here = code::one_ply_earlier(code, false).ok_or(SolveError::TooLong)?;
        let plies = code::distance(here);
        if here == code::DRAW {
            self.draw = true;
        } else if code::is_win(here) {
            self.win = Some(self.win.map_or(plies, |known| known.min(plies)));
        } else {
            self.loss = self.loss.max(plies);
        }
        Ok(())
    }
}

/// Somebody's question: who, for which of his positions, and the answer.
struct Asked {
    from: usize,
    number: u64,
    code: u16,
}

/// Looks at positions, and asks for what is elsewhere.
struct FirstLook<'g, 'a, G> {
    group: &'g mut Group<'a, G>,
    round: &'g [Place],
    at: usize,
    sums: Vec<Option<Elsewhere>>,
    asked: Vec<Asked>,
}

impl<G: Index> FirstLook<'_, '_, G> {
    fn look(&mut self, place: Place, out: &mut Outbox) -> Result<Option<Elsewhere>, ClusterError> {
        let spot = self.group.spot(place);
        let mut successors = std::mem::take(&mut self.group.successors);
        successors.clear();
        self.group.game.successors(spot, &mut successors);
        let mut sum = Elsewhere::default();
        for successor in &successors {
            match *successor {
                Successor::At(next) if self.group.inside(next.slice).is_some() => sum.inside += 1,
                Successor::At(next) => {
                    let (owner, local) = home(next, self.group.workers);
                    let number = self.sums.len() as u64;
                    out.record(owner, |buffer| {
                        put_number(buffer, next.slice.0.into());
                        put_number(buffer, local as u64);
                        put_number(buffer, number);
                    });
                }
                Successor::Over(value) => sum.add(code::encode(value))?,
                Successor::Outside => {
                    let what = format!("{} leads out of the tables", self.group.name(spot));
                    return Err(self.group.contradiction(what));
                }
            }
        }
        let over = successors.is_empty();
        self.group.successors = successors;
        Ok((!over).then_some(sum))
    }

    fn question(&self, from: usize, records: &mut &[u8]) -> Option<Asked> {
        let slice = Slice(u32::try_from(take_number(records)?).ok()?);
        let local = take_number(records)? as usize;
        let number = take_number(records)?;
        let code = *self.group.done.get(&slice)?.get(local)?;
        Some(Asked { from, number, code })
    }
}

impl<G: Index> Phase for FirstLook<'_, '_, G> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let end = self.round.len().min(self.at + PIECE);
        for at in self.at..end {
            let sum = self.look(self.round[at], out)?;
            self.sums.push(sum);
        }
        self.at = end;
        Ok(end < self.round.len())
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        while !records.is_empty() {
            let question = self.question(from, &mut records);
            let question = question.ok_or_else(|| {
                let what = "somebody asks for a slice that is not built yet".to_owned();
                self.group.contradiction(what)
            })?;
            self.asked.push(question);
        }
        Ok(())
    }
}

/// Answers what was asked.
struct Answers<'g, 'a, G> {
    group: &'g mut Group<'a, G>,
    asked: Vec<Asked>,
    sums: Vec<Option<Elsewhere>>,
}

impl<G: Index> Phase for Answers<'_, '_, G> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let from = self.asked.len().saturating_sub(8 * PIECE);
        for Asked { from, number, code } in self.asked.drain(from..) {
            out.record(from, |buffer| {
                put_number(buffer, number);
                put_number(buffer, code.into());
            });
        }
        Ok(!self.asked.is_empty())
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        while !records.is_empty() {
            let number = take_number(&mut records).ok_or_else(|| garbled(from))?;
            let code = take_number(&mut records).ok_or_else(|| garbled(from))?;
            let sum = self.sums.get_mut(number as usize).and_then(Option::as_mut);
            if code == u64::from(code::UNKNOWN) {
                return Err(self.group.contradiction("a move leads to a gap of the numbering".to_owned()));
            }
            sum.ok_or_else(|| garbled(from))?.add(code as u16)?;
        }
        Ok(())
    }
}

/// Tells the predecessors of positions that were decided.
struct Telling<'g, 'a, G> {
    group: &'g mut Group<'a, G>,
    list: Vec<Place>,
}

impl<G: Index> Phase for Telling<'_, '_, G> {
    fn produce(&mut self, out: &mut Outbox) -> Result<bool, ClusterError> {
        let from = self.list.len().saturating_sub(PIECE);
        let group = &mut *self.group;
        for place in self.list.drain(from..) {
            let code = group.parts[place.slice as usize].codes[place.local as usize];
            if code::distance(code) != group.plies {
                // A quicker win was found meanwhile, and told of.
                continue;
            }
            let mut predecessors = std::mem::take(&mut group.predecessors);
            predecessors.clear();
            group.game.predecessors(group.spot(place), &mut predecessors);
            for before in &predecessors {
                let Some(slice) = group.inside(before.slice) else { continue };
                let (owner, local) = home(*before, group.workers);
                out.record(owner, |buffer| {
                    put_number(buffer, (local as u64) << 1 | u64::from(code::is_loss(code)));
                    put_number(buffer, slice as u64);
                });
            }
            group.predecessors = predecessors;
        }
        Ok(!self.list.is_empty())
    }

    fn consume(&mut self, from: usize, mut records: &[u8]) -> Result<(), ClusterError> {
        while !records.is_empty() {
            let word = take_number(&mut records).ok_or_else(|| garbled(from))?;
            let slice = take_number(&mut records).ok_or_else(|| garbled(from))?;
            let place = Place { slice: slice as u32, local: (word >> 1) as u32 };
            self.group.told(place, word & 1 != 0)?;
        }
        Ok(())
    }
}
