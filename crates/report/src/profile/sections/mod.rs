//! The report itself: pieces of work become figures, tables, charts and maps.

mod counting;
mod games;
mod skill;

use super::effort::Effort;
use super::figures::{Figure, Profile, Section};
use super::partial::Parts;
use super::tally::Tally;
use super::{Request, Subject};
use tabia_core::Present;

/// What the sections are written from.
struct Source<'a, G: Present> {
    subject: &'a Subject<'a, G>,
    request: &'a Request,
    parts: &'a Parts,
    /// The games by the strength of the players: a name, its nodes, the games.
    strengths: Vec<(&'static str, Tally)>,
}

/// Writes everything that is known.
pub(super) fn write<G: Present>(
    subject: &Subject<'_, G>,
    request: &Request,
    parts: &Parts,
    done: Effort,
    measured: Vec<Figure>,
) -> Profile {
    let strengths = [("random", &parts.random), ("weak", &parts.weak), ("strong", &parts.strong)];
    let strengths = strengths.map(|(name, tallies)| (name, Tally::sum(tallies)));
    let strengths = strengths.into_iter().filter(|(_, tally)| tally.games > 0).collect();
    let source = Source { subject, request, parts, strengths };
    let sections = [
        Some(source.outcomes()),
        source.openings(),
        source.lengths(),
        Some(source.branching()),
        Some(source.exact()),
        source.positions(),
        source.tree(),
        source.ladder(),
        Some(source.tension()),
        Some(source.mirror()),
        Some(source.maps()),
        Some(source.used()),
    ];
    let info = subject.rules.info();
    Profile {
        game: subject.rules.id().to_owned(),
        name: info.name.to_string(),
        variant: subject.rules.variant(),
        start: subject.rules.format(&subject.start),
        sides: info.sides.iter().map(ToString::to_string).collect(),
        seed: request.seed,
        budgets: [request.budgets.weak, request.budgets.strong],
        effort: done.to_string(),
        sections: sections.into_iter().flatten().filter(says_something).collect(),
        measured,
        board: subject.rules.geometry(),
    }
}

fn says_something(section: &Section) -> bool {
    let Section { figures, facts, tables, maps, .. } = section;
    !(figures.is_empty() && facts.is_empty() && tables.is_empty() && maps.is_empty())
}

impl<G: Present> Source<'_, G> {
    /// Whether two play.
    fn for_two(&self) -> bool {
        self.subject.rules.players() == 2
    }

    /// What a player is called.
    fn side(&self, index: usize) -> String {
        self.subject.sides.get(index).map_or_else(|| format!("player {index}"), ToString::to_string)
    }

    /// The players of the games, in words.
    fn players(&self) -> String {
        let super::Budgets { weak, strong } = self.request.budgets;
        format!(
            "random players choose any move, weak ones search about {weak} nodes for each move and strong ones \
             about {strong}, after two random plies"
        )
    }
}
