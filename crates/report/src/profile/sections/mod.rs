//! The report itself: pieces of work become figures, tables, charts and maps.

mod counting;
mod games;
mod skill;

use super::effort::Effort;
use super::figures::{Fact, Figure, Profile, Section};
use super::partial::Parts;
use super::tally::Tally;
use super::{Request, Subject};
use tabia_core::{DrawRules, Name, Present};

/// What the sections say of the game itself. It has no type of a game: the same code writes the sections of all.
struct About<'a> {
    players: u8,
    sides: &'a [Name],
    first_moves: Vec<FirstMove<'a>>,
    /// What a solver of the game's own says about the start.
    known: &'a [Fact],
    piece_words: &'a [(&'static str, &'static str)],
    draws: DrawRules,
}

/// First moves that are one up to symmetry.
struct FirstMove<'a> {
    text: &'a str,
    alike: usize,
}

/// What the sections are written from.
struct Source<'a> {
    about: About<'a>,
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
    let rules = &subject.rules;
    let first_moves =
        subject.first_moves.iter().map(|first| FirstMove { text: &first.text, alike: first.moves.len() });
    let about = About {
        players: rules.players(),
        sides: &subject.sides,
        first_moves: first_moves.collect(),
        known: &subject.known,
        piece_words: rules.piece_words(),
        draws: rules.draw_rules(),
    };
    let info = rules.info();
    Profile {
        game: rules.id().to_owned(),
        name: info.name.to_string(),
        variant: rules.variant(),
        start: rules.format(&subject.start),
        sides: info.sides.iter().map(ToString::to_string).collect(),
        seed: request.seed,
        budgets: [request.budgets.weak, request.budgets.strong],
        effort: done.to_string(),
        sections: sections(about, request, parts),
        measured,
        board: rules.geometry(),
    }
}

fn sections(about: About<'_>, request: &Request, parts: &Parts) -> Vec<Section> {
    let strengths = [("random", &parts.random), ("weak", &parts.weak), ("strong", &parts.strong)];
    let strengths = strengths.map(|(name, tallies)| (name, Tally::sum(tallies)));
    let strengths = strengths.into_iter().filter(|(_, tally)| tally.games > 0).collect();
    let source = Source { about, request, parts, strengths };
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
    sections.into_iter().flatten().filter(says_something).collect()
}

fn says_something(section: &Section) -> bool {
    let Section { figures, facts, tables, maps, .. } = section;
    !(figures.is_empty() && facts.is_empty() && tables.is_empty() && maps.is_empty())
}

impl Source<'_> {
    /// Whether two play.
    fn for_two(&self) -> bool {
        self.about.players == 2
    }

    /// What a player is called.
    fn side(&self, index: usize) -> String {
        self.about.sides.get(index).map_or_else(|| format!("player {index}"), ToString::to_string)
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
