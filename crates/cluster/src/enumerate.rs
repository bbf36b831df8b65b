//! Counting the positions that can be reached.

use crate::error::ClusterError;
use crate::explore::Explorer;
use crate::folder::Folder;
use crate::hello::Task;
use crate::holding::Counting;
use crate::levels::explore;
use crate::run::Cluster;
use crate::status::Gauges;
use std::path::PathBuf;
use tabia_core::enumerate::Level;
use tabia_core::{Game, Packed, SplitMix64, Stop, sort_many};

/// What to count.
#[derive(Clone, Debug, Default)]
pub struct EnumerateOptions {
    /// Count every image of a position under the game's symmetries, not only one.
    pub all_images: bool,
    /// Stop after this many plies.
    pub depth: Option<u32>,
    /// Where complete levels are kept; work that was killed goes on from there.
    pub folder: Option<PathBuf>,
    /// Bytes of memory for each worker; what does not fit goes to the folder.
    pub memory: Option<u64>,
}

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// The levels.
    pub levels: Vec<Level>,
    /// Whether nothing lies beyond them.
    pub complete: bool,
    /// The level from which an earlier run was gone on with.
    pub resumed: Option<u32>,
}

/// Counts the positions that can be reached from `start`, together with the other processes; all get the answer.
pub fn enumerate<G: Game>(
    cluster: &Cluster,
    game: &G,
    start: &G::State,
    options: &EnumerateOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&[Gauges]),
) -> Result<Enumeration, ClusterError> {
    if options.all_images && game.packs_canonically() {
        let what =
            format!("codes of {} stand for all images of a position: only --symmetry on works", game.id());
        return Err(ClusterError::Unsupported(what));
    }
    let task = task_of("enumerate", game, std::slice::from_ref(start))
        .with("symmetry", if options.all_images { "off" } else { "on" })
        .with("depth", options.depth.map_or("all".to_owned(), |depth| depth.to_string()))
        .with("memory", if options.memory.is_some() { "limited" } else { "free" });
    let (game, start, options) = (game.clone(), start.clone(), options.clone());
    // Deeper levels are the same work.
    let fingerprint = task_of("enumerate", &game, std::slice::from_ref(&start))
        .with("symmetry", if options.all_images { "off" } else { "on" })
        .fingerprint();
    let all = cluster.run(&task, stop, watch, move |net| {
        let mut folder = match &options.folder {
            Some(path) => Some(Folder::open(net, path, fingerprint, options.memory.is_some())?),
            None => None,
        };
        let mut explorer = Explorer::<G, Counting>::new(
            game.clone(),
            vec![start.clone()],
            !options.all_images,
            (net.me(), net.workers()),
        );
        if let (Some(memory), Some(folder)) = (options.memory, &options.folder) {
            explorer.limit(memory, folder, net.me())?;
        }
        let found = explore(net, &mut explorer, options.depth, folder.as_mut())?;
        if found.complete
            && let Some(folder) = folder
        {
            folder.clear()?;
        }
        Ok(Enumeration { levels: found.levels, complete: found.complete, resumed: found.resumed })
    })?;
    all.into_iter().next().ok_or(ClusterError::Stopped)
}

/// A task with a game and where it begins: processes whose rules differ do not work together.
pub(crate) fn task_of<G: Game>(job: &str, game: &G, starts: &[G::State]) -> Task {
    let mut keys: Vec<G::Packed> = starts.iter().map(|state| game.pack_canonical(state)).collect();
    sort_many(&mut keys, Ord::cmp);
    let mut crc = crc32fast::Hasher::new();
    keys.iter().for_each(|key| crc.update(key.as_bytes()));
    Task::new(job)
        .with("game", game.variant())
        .with("start", format!("{:08x}", crc.finalize()))
        .with("fingerprint", format!("{:08x}", fingerprint(game)))
}

/// A number for the rules as they are: what a long random game comes by.
fn fingerprint<G: Game>(game: &G) -> u32 {
    let (mut rng, mut crc) = (SplitMix64::new(22), crc32fast::Hasher::new());
    let (mut moves, mut buffer) = (Vec::new(), Vec::new());
    let mut state = game.start();
    for _ in 0..1000 {
        moves.clear();
        game.moves(&state, &mut moves);
        crc.update(&(moves.len() as u64).to_le_bytes());
        crc.update(game.pack(&state).as_bytes());
        crc.update(game.pack_canonical(&state).as_bytes());
        match game.random_move(&state, &mut rng, &mut buffer) {
            Some(mv) => game.play(&mut state, mv),
            None => state = game.start(),
        }
    }
    crc.finalize()
}
