//! `train`: games of the engine against itself, a network that learns from them, and a match that decides whether it stays.

use super::evaluation::Evaluation;
use super::{MatchRequest, MatchView, PlayerSpec, Sprt, SprtVerdict};
use crate::adapter::Held;
use crate::{ErrorKind, InputError, Watch};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tabia_core::{Evaluate, Features, Present};
use tabia_nnue::net::Shape;
use tabia_nnue::selfplay::Players;
use tabia_nnue::{
    Choices, Epoch, GamesReader, GamesWriter, Net, NetError, PlayedGame, Samples, SelfPlay, Trainer,
    TrainingOptions, generate, teach,
};
use tabia_search::Limits;

/// What to train.
#[derive(Clone, Debug)]
pub struct TrainRequest {
    /// Where games, the training and the network are kept; a run that was stopped is continued there.
    pub folder: PathBuf,
    /// How games are played.
    pub games: SelfPlay,
    /// Files of games from elsewhere, to learn from as well.
    pub more_games: Vec<PathBuf>,
    /// A network to begin the training with.
    pub from: Option<PathBuf>,
    /// Whether to play games and no more.
    pub games_only: bool,
    /// Whether to teach the network that the settings name which moves look good, and nothing else.
    pub moves_only: bool,
    /// Sums of the network for each side.
    pub hidden: usize,
    /// Second layers of the network.
    pub buckets: usize,
    /// How it is trained.
    pub training: TrainingOptions,
    /// The most games of the match at the end.
    pub match_games: u64,
    /// Nodes for a move of the match.
    pub match_nodes: u64,
    /// Threads to use.
    pub threads: usize,
}

/// How it went.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TrainView {
    /// The rules.
    pub variant: String,
    /// Games to learn from.
    pub games: u64,
    /// Positions of them that were learnt from, and those held out.
    pub positions: [u64; 2],
    /// The error on the latter, epoch by epoch: the mean square, or for a head the mean of -ln(share of the move played).
    pub held_out: Vec<f64>,
    /// How often the first choice of a head is the move played, on positions held out, in parts of one.
    pub first_choice: Option<f64>,
    /// The match against the evaluation before.
    #[serde(rename = "match")]
    pub played: Option<MatchView>,
    /// The network's file, if it won or was given a head.
    pub net: Option<PathBuf>,
    /// Its size in bytes.
    pub bytes: Option<u64>,
}

/// Trains a game.
pub(crate) type TrainFn<G> =
    fn(&Held<G>, &TrainRequest, &Watch<'_>, &mut dyn FnMut(&Epoch)) -> Result<TrainView, InputError>;

const NO_POSITION: NetError = NetError::Nothing("there is no position to learn from: play more games");

/// A difference in strength that is worth a network.
const WORTH: Sprt = Sprt { elo0: 0.0, elo1: 20.0 };

fn failed(error: NetError) -> InputError {
    let kind = match error {
        NetError::Damaged(_) | NetError::Short => ErrorKind::Damaged,
        _ => ErrorKind::Unsupported,
    };
    InputError::new(kind, "", error.to_string())
}

/// A file of the folder.
fn place(request: &TrainRequest, variant: &str, kind: &str) -> PathBuf {
    request.folder.join(format!("{variant}.{kind}"))
}

pub(crate) fn train<G: Features + Evaluate>(
    held: &Held<G>,
    request: &TrainRequest,
    watch: &Watch<'_>,
    on_epoch: &mut dyn FnMut(&Epoch),
) -> Result<TrainView, InputError> {
    let (rules, variant) = (held.rules(), held.rules().variant());
    let no_folder = |error: std::io::Error| {
        let name = request.folder.display().to_string();
        InputError::new(ErrorKind::Unsupported, name.clone(), format!("{name}: {error}"))
    };
    std::fs::create_dir_all(&request.folder).map_err(no_folder)?;
    let mut view = TrainView { variant: variant.clone(), ..TrainView::default() };
    let games = place(request, &variant, "games");
    view.games = play(held, request, &games, watch)?;
    if request.games_only || watch.stop.is_stopped() {
        return Ok(view);
    }
    let mut played = GamesReader::open(&games, rules).map_err(failed)?.games;
    for path in &request.more_games {
        played.extend(GamesReader::open(path, rules).map_err(failed)?.games);
    }
    view.games = played.len() as u64;
    if request.moves_only {
        add_head(held, request, played, watch, on_epoch, &mut view)?;
        return Ok(view);
    }
    let shape = Shape::of(rules, request.hidden, request.buckets);
    let (kept, out) = Samples::of(rules, &shape, played);
    view.positions = [kept.len() as u64, out.len() as u64];
    if kept.is_empty() {
        return Err(failed(NO_POSITION));
    }
    let training = TrainingOptions { folds: rules.folds(), ..request.training };
    let (trainer, losses) =
        learn(request, training, shape, (&kept, &out), watch, on_epoch).map_err(failed)?;
    view.held_out = losses;
    if !trainer.is_done() {
        return Ok(view);
    }
    let candidate = place(request, &variant, "candidate.net");
    trainer.net().write(&candidate).map_err(failed)?;
    view.bytes = Some(trainer.net().to_bytes().len() as u64);
    compete(held, request, &candidate, watch, &mut view)?;
    Ok(view)
}

/// Gives the network of the settings a head, made anew from games; what it says of positions stays as it is.
fn add_head<G: Features + Evaluate>(
    held: &Held<G>,
    request: &TrainRequest,
    games: Vec<PlayedGame>,
    watch: &Watch<'_>,
    on_epoch: &mut dyn FnMut(&Epoch),
    view: &mut TrainView,
) -> Result<(), InputError> {
    let rules = held.rules();
    let net = held.network(&held.settings.evaluation)?;
    let (kept, out) = Choices::of(rules, net.shape(), games).map_err(failed)?;
    view.positions = [kept.len() as u64, out.len() as u64];
    if kept.is_empty() {
        return Err(failed(NO_POSITION));
    }
    let work = watch.work(request.threads, u64::MAX);
    let head = teach(&net, &kept, &out, &request.training, &work, &mut |lesson| {
        view.held_out.push(lesson.held_out);
        view.first_choice = Some(lesson.first_choice);
        on_epoch(&Epoch { number: lesson.number, loss: lesson.loss, held_out: lesson.held_out });
    });
    let Some(head) = head else { return Ok(()) };
    let (net, name) = (net.with_head(Some(head)), place(request, &view.variant, "moves.net"));
    net.write(&name).map_err(failed)?;
    view.bytes = Some(net.to_bytes().len() as u64);
    view.net = Some(name);
    Ok(())
}

/// Plays games until there are as many as asked for; how many there are.
fn play<G: Features + Evaluate>(
    held: &Held<G>,
    request: &TrainRequest,
    path: &Path,
    watch: &Watch<'_>,
) -> Result<u64, InputError> {
    let judges = held.judges(&held.settings.evaluation)?;
    let tables = held.ending_tables();
    let ask = held.capabilities.evaluated.ok_or_else(|| held.no_evaluation())?.ask;
    let players = Players { ask, judges: judges.as_deref(), known: tables.as_deref() };
    let mut writer = GamesWriter::open(path, held.rules()).map_err(failed)?;
    let work = watch.work(request.threads, u64::MAX);
    generate(held.rules(), &players, &request.games, &mut writer, &work).map_err(failed)?;
    Ok(writer.games())
}

/// Trains to the end, or until stopped; the errors on the positions held out.
fn learn(
    request: &TrainRequest,
    training: TrainingOptions,
    shape: Shape,
    (kept, held): (&Samples, &Samples),
    watch: &Watch<'_>,
    on_epoch: &mut dyn FnMut(&Epoch),
) -> Result<(Trainer, Vec<f64>), NetError> {
    let path = place(request, &shape.variant, "training");
    let mut trainer = match (Trainer::resume(&path, shape.clone(), training), &request.from) {
        (Ok(trainer), _) if !trainer.is_done() => trainer,
        (_, Some(from)) => Trainer::from_net(&Net::read(from)?, shape, training)?,
        _ => Trainer::new(shape, kept, training),
    };
    let (work, mut losses) = (watch.work(request.threads, u64::MAX), Vec::new());
    while !trainer.is_done() {
        let Some(epoch) = trainer.epoch(kept, held, &work) else { break };
        losses.push(epoch.held_out);
        on_epoch(&epoch);
        trainer.save(&path)?;
    }
    Ok((trainer, losses))
}

/// Lets the candidate play against the evaluation before; it gets its name if it wins.
fn compete<G: Present>(
    held: &Held<G>,
    request: &TrainRequest,
    candidate: &Path,
    watch: &Watch<'_>,
    view: &mut TrainView,
) -> Result<(), InputError> {
    let player =
        |evaluation| PlayerSpec::Search(Limits::nodes(request.match_nodes), Vec::new(), Some(evaluation));
    let contest = MatchRequest {
        a: player(Evaluation::File(candidate.to_owned())),
        b: player(held.settings.evaluation.clone()),
        games: request.match_games,
        opening_plies: request.games.opening_plies,
        threads: request.threads,
        seed: request.games.seed,
        sprt: Some(WORTH),
        record: None,
    };
    let played = held.match_view(&contest, &mut std::io::sink(), watch.stop, &mut |_| ())?;
    if played.sprt == Some(SprtVerdict::Accepted) {
        let name = place(request, &view.variant, "net");
        let wrap = |source| failed(NetError::File { path: name.display().to_string(), source });
        tabia_disk::rename(candidate, &name).map_err(wrap)?;
        view.net = Some(name);
    }
    view.played = Some(played);
    Ok(())
}
