//! What can be typed.

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use tabia_app::draw::Colours;
use tabia_app::search::Evaluation;
use tabia_app::{AnyGame, InputError, Registry};

use crate::{commands, settings};

/// Positions of board games, their codes, and answers about them.
#[derive(Parser, Debug)]
#[command(name = "tabia", version, max_term_width = 110, disable_help_subcommand = true)]
#[command(
    after_help = "POS is any text or code the game knows, or the name of an opening or board; left out it is \
                        the start position, and - reads one position per line from standard input."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What was typed, the name of the program first.
pub(crate) fn read(words: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = negative_numbers(Cli::command());
    let matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// `--limit -1` is a wrong limit, and not an option of its own.
fn negative_numbers(command: clap::Command) -> clap::Command {
    let negative = |arg: clap::Arg| {
        if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(negative).mut_subcommands(negative_numbers)
}

/// The option that was mistyped, where something unexpected was found. Positions may begin with `-`: it was taken for one, and what
/// came after it was one too many.
pub(crate) fn unknown_option(error: &clap::Error, words: &[OsString]) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let mut command = &mut Cli::command();
    command.build();
    for word in words.iter().skip(1) {
        let word = word.to_str()?;
        if let Some(option) = word.strip_prefix("--") {
            let name = option.split('=').next().unwrap_or_default();
            if !command.get_arguments().any(|known| known.get_long() == Some(name)) {
                return (!name.is_empty()).then(|| format!("--{name}"));
            }
        } else if command.find_subcommand(word).is_some() {
            command = command.find_subcommand_mut(word)?;
        }
    }
    None
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Common {
    /// Print JSON: one object, or one per line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Threads to use (default: all)
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where randomness starts
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How searches judge positions: classic (terms written by hand), net (the network that comes with the program), or
    /// the file of a network (default: the network where there is one)
    #[arg(long, global = true, value_name = "WHICH", default_value = "best", hide_default_value = true)]
    pub(crate) eval: Evaluation,
    /// No progress and no remarks
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Colours on the terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// The games.
    #[arg(skip)]
    pub(crate) registry: Registry,
}

impl Common {
    /// The game an argument names.
    pub(crate) fn game(&self, name: &str) -> Result<&dyn AnyGame, InputError> {
        self.registry.find(name)
    }

    /// The number of threads to use.
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
    /// Always, and no others than the sixteen that every terminal has
    #[value(name = "16")]
    Basic,
    /// Always, from a palette of 256
    #[value(name = "256")]
    Indexed,
    /// Always, and any
    #[value(name = "truecolor")]
    True,
}

impl Color {
    /// Makes the choice hold for everything printed from now on.
    pub(crate) fn apply(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Never => anstream::ColorChoice::Never,
            Color::Always | Color::Basic | Color::Indexed | Color::True => anstream::ColorChoice::Always,
        };
        choice.write_global();
    }

    /// How many colours standard output has; `None` for none.
    pub(crate) fn colours(self) -> Option<Colours> {
        let none = anstream::AutoStream::choice(&std::io::stdout()) == anstream::ColorChoice::Never;
        match self {
            Color::Never => None,
            Color::Basic => Some(Colours::Basic),
            Color::Indexed => Some(Colours::Indexed),
            Color::True => Some(Colours::True),
            Color::Auto if none => None,
            Color::Auto | Color::Always => Some(settings::colours()),
        }
    }
}

/// A game and a position of it.
#[derive(Args, Clone, Debug)]
pub(crate) struct Position {
    /// The game, or the beginning of its name
    pub(crate) game: String,
    /// The position: text, code or name; - for one per line from standard input
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    pub(crate) pos: Option<String>,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List the games with their openings, boards and formats
    Games,
    /// Show a position: picture, side to move, status, codes
    Show(commands::show::Show),
    /// List the legal moves
    Moves(commands::moves::Moves),
    /// Play moves and show the position after them; without moves, play against the engine
    Play(commands::play::Play),
    /// Tabia on the whole screen: board, moves, values, statistics, engine, puzzles
    #[cfg(feature = "terminal")]
    Tui(commands::tui::Tui),
    /// Write a position in one of its formats
    Encode(commands::codes::Encode),
    /// Read a position from one of its formats
    Decode(commands::codes::Decode),
    /// Count move sequences of a given length
    Perft(commands::perft::Perft),
    /// Count the positions that can be reached, ply by ply
    Enumerate(commands::enumerate::Enumerate),
    /// Play random games: how fast, and what shape the game has
    Playout(commands::playout::Playout),
    /// Search for the best move
    Search(commands::search::Search),
    /// Let two players play a match
    Match(commands::matches::Match),
    /// Train a network that judges positions, from games of the engine against itself
    Train(commands::train::Train),
    /// Speak UCI: the chess engine, for chess programs
    Uci,
    /// The exact value of a position, and best play
    Solve(commands::solve::Solve),
    /// Exact values of whole families of positions, in files
    Tablebase(commands::tablebase::Tablebase),
    /// Statistics of played games: import, record, query, export
    Book(commands::book::Book),
    /// Enumerate, solve and build tables on many machines, or on many processes of this one
    #[cfg(feature = "cluster")]
    Cluster(commands::cluster::Cluster),
    /// Find positions that fit a condition: in tables, books, files, or all that can be reached
    Find(commands::find::Find),
    /// Puzzles: positions in which exactly one move is right
    Puzzles(commands::puzzles::Puzzles),
    /// Look at every position of played games: values, mistakes, accuracy
    Annotate(commands::annotate::Annotate),
    /// Find out what a game is like: outcomes, lengths, positions, skill, maps, as figures and as a page
    Report(commands::report::Report),
    /// Serve the HTTP API and the page
    Serve(commands::serve::Serve),
    /// Deterministic work for every game: a fingerprint of counts, and rates
    Bench,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}
