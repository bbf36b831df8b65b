//! `tabia book query`, `top` and `info`.

use super::{Place, told};
use crate::args::Common;
use crate::output::Negative;
use crate::{input, output};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt::Write;
use tabia_app::book::{
    BookGameView, BookView, GameFilter, QueryOptions, Reader, Side, Sort, StoreInfo, TopBy, TopOptions,
    TopView, Variant,
};
use tabia_app::{AnyPosition, Outcome};

/// The order of the moves.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Order {
    /// Most games first
    Games,
    /// Most points per game for the player to move first
    Score,
    /// Most wins of player 0 first
    Wins0,
    /// Most wins of player 1 first
    Wins1,
}

/// Asks about positions.
#[derive(Args, Debug)]
pub(crate) struct Query {
    #[command(flatten)]
    position: crate::args::Position,
    /// More positions; one that begins with a hyphen stands after --
    #[arg(value_name = "POS")]
    more: Vec<String>,
    /// The order of the moves
    #[arg(long, default_value = "games")]
    sort: Order,
    /// Leave out moves that fewer games played; 0 lists every legal move
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// List so many of the games, where the book keeps tags
    #[arg(long, value_name = "N", default_value_t = 0)]
    samples: usize,
    /// Count only games of a player whose name contains this
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Count only games that ended like this: 1-0 (player 0 won), 0-1 or 1/2-1/2
    #[arg(long, value_name = "RESULT", value_parser = outcome)]
    result: Option<Outcome>,
    /// Count only games of this year or later
    #[arg(long, value_name = "YEAR")]
    from: Option<u16>,
    /// Count only games of this year or earlier
    #[arg(long, value_name = "YEAR")]
    to: Option<u16>,
    /// Count only games that people played, of those whose tags are kept
    #[arg(long)]
    without_selfplay: bool,
}

/// The outcome that a word states.
fn outcome(word: &str) -> Result<Outcome, String> {
    match word {
        "1-0" => Ok(Outcome::Win(Side::First)),
        "0-1" => Ok(Outcome::Win(Side::Second)),
        "1/2-1/2" => Ok(Outcome::Draw),
        _ => Err("a result is 1-0, 0-1 or 1/2-1/2".to_owned()),
    }
}

impl Query {
    /// Which kept games count; `None` for all games.
    fn filter(&self) -> Option<GameFilter> {
        let (outcome, player, from, to) = (self.result, self.player.clone(), self.from, self.to);
        let filter = GameFilter { outcome, player, from, to, without_selfplay: self.without_selfplay };
        (filter != GameFilter::default()).then_some(filter)
    }

    pub(crate) fn run(&self, common: &Common, place: &Place) -> anyhow::Result<()> {
        let game = common.game(&self.position.game)?;
        let reader = place.reader(common)?;
        let mut found = false;
        let mut answer = |position: Box<dyn AnyPosition>| {
            found |= self.answer(common, &*reader, &*position)?;
            Ok(())
        };
        if let Some(first) = &self.position.pos {
            let positions: Vec<&str> = std::iter::once(first).chain(&self.more).map(String::as_str).collect();
            input::each_argument(&positions, |text| answer(game.parse(text)?))?;
        } else {
            answer(game.start())?;
        }
        // The answer itself is printed: no games.
        if found { Ok(()) } else { Err(Negative { message: String::new() }.into()) }
    }

    /// Prints what is known about a position; whether anything is.
    fn answer(
        &self,
        common: &Common,
        reader: &dyn Reader,
        position: &dyn AnyPosition,
    ) -> anyhow::Result<bool> {
        let sort = match self.sort {
            Order::Games => Sort::Games,
            Order::Score => Sort::Score,
            Order::Wins0 => Sort::Wins(Side::First),
            Order::Wins1 => Sort::Wins(Side::Second),
        };
        let options = QueryOptions { sort, min_games: self.min_games };
        let filter = self.filter();
        let view = told(position.book()?.query_games(reader, options, filter.as_ref(), self.samples))?;
        output::answer(common.json, &view, text)?;
        Ok(view.counts.total.0 > 0)
    }
}

fn percent(share: f64) -> f64 {
    100.0 * share
}

fn text(view: &BookView) -> String {
    let counts = view.counts;
    let mut out = format!(
        "{}\n{} games: player 0 won {}, player 1 won {}, {} draws; {:.1} % for the player to move ({})\n",
        view.position,
        output::grouped(counts.total),
        output::grouped(counts.wins0),
        output::grouped(counts.wins1),
        output::grouped(counts.draws),
        percent(view.score),
        view.side
    );
    if !view.moves.is_empty() {
        let _ = writeln!(
            out,
            "{:<12} {:>9} {:>6}  {:>8} {:>8} {:>8}  {:>6}  {:>6} {:>15}  {:>9}",
            "move", "games", "share", "wins0", "wins1", "draws", "score", "wins", "(95 %)", "reached"
        );
    }
    for mv in &view.moves {
        let [low, high] = mv.win_rate_interval;
        let _ = write!(
            out,
            "{:<12} {:>9} {:>5.1}%  {:>8} {:>8} {:>8}  {:>5.1}%  {:>5.1}% {:>5.1}% - {:>5.1}%  {:>9}",
            mv.text,
            output::grouped(mv.counts.total),
            percent(mv.share),
            output::grouped(mv.counts.wins0),
            output::grouped(mv.counts.wins1),
            output::grouped(mv.counts.draws),
            percent(mv.score),
            percent(mv.win_rate),
            percent(low),
            percent(high),
            output::grouped(mv.reached.total)
        );
        let same = if mv.same.is_empty() { String::new() } else { format!("  also {}", mv.same.join(" ")) };
        let code = mv.code.as_ref().map_or_else(String::new, |code| format!("  {code}"));
        let _ = writeln!(out, "{code}{same}");
    }
    if view.hidden > 0 {
        let _ = writeln!(out, "{} moves with fewer games are not listed", view.hidden);
    }
    for game in &view.games {
        let _ = writeln!(out, "{}", sample(game));
    }
    out
}

/// A game in one line: what is known of it.
fn sample(game: &BookGameView) -> String {
    let players = game.white.as_ref().zip(game.black.as_ref());
    let players = players.map(|(white, black)| format!("{white} - {black}"));
    let known = [players, game.event.clone(), game.date.clone(), Some(game.result.to_owned())];
    output::harmless(&known.into_iter().flatten().collect::<Vec<_>>().join(", ")).into_owned()
}

/// What makes a position stand out.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Rank {
    /// Met by most games
    Games,
    /// Nearly always won by the same player
    OneSided,
}

/// Lists positions that stand out.
#[derive(Args, Debug)]
pub(crate) struct Top {
    #[command(flatten)]
    position: crate::args::Position,
    /// What counts
    #[arg(long, default_value = "games")]
    by: Rank,
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Leave out positions met by fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
}

impl Top {
    pub(crate) fn run(&self, common: &Common, place: &Place) -> anyhow::Result<()> {
        let game = common.game(&self.position.game)?;
        let by = match self.by {
            Rank::Games => TopBy::Games,
            Rank::OneSided => TopBy::OneSided,
        };
        let options = TopOptions { by, limit: self.limit, min_games: self.min_games };
        let view = told(game.book()?.top(&*place.reader(common)?, self.position.pos.as_deref(), options))?;
        output::answer(common.json, &view, top_text)
    }
}

fn top_text(view: &TopView) -> String {
    let mut out = String::new();
    for top in &view.positions {
        let counts = top.counts;
        let _ = writeln!(
            out,
            "{:>9} games  {:>8} {:>8} {:>8}  {:>5.1}%  {}",
            output::grouped(counts.total),
            output::grouped(counts.wins0),
            output::grouped(counts.wins1),
            output::grouped(counts.draws),
            percent(top.score),
            top.position
        );
    }
    let _ = writeln!(out, "{} of {} positions", view.positions.len(), output::grouped(view.eligible));
    out
}

#[derive(Serialize)]
struct InfoView {
    #[serde(flatten)]
    store: StoreInfo,
    variants: Vec<Variant>,
}

/// Tells what a book contains.
pub(super) fn info(common: &Common, place: &Place) -> anyhow::Result<()> {
    let reader = place.reader(common)?;
    let view = InfoView { store: reader.info()?, variants: reader.variants()? };
    output::answer(common.json, &view, |view| {
        let store = &view.store;
        let mut out = format!(
            "{} ({}, format {})\n{} games, {} positions, {} bytes\n",
            store.place,
            store.kind,
            store.format,
            output::grouped(store.games),
            output::grouped(store.rows),
            output::grouped(store.bytes)
        );
        for variant in &view.variants {
            let ledger = variant.ledger;
            let _ = writeln!(
                out,
                "{}: {} games ({} won by player 0, {} by player 1, {} drawn), {} plies",
                variant.name,
                output::grouped(ledger.games.total()),
                output::grouped(ledger.games.wins0),
                output::grouped(ledger.games.wins1),
                output::grouped(ledger.games.draws),
                output::grouped(ledger.played)
            );
        }
        out
    })
}
