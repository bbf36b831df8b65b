//! Exact answers through the facade: which way is chosen, what is a bound, and what a damaged table says.

use std::path::{Path, PathBuf};
use std::time::Duration;
use tabia_app::search::SearchRequest;
use tabia_app::solve::{SolveRequest, SolveView, WorkError};
use tabia_app::tablebase::{self, BuildRequest};
use tabia_app::{ErrorKind, Registry, Settings, Stop, Watch};
use tabia_core::{Game, Index, Notation, Spot};
use tabia_draughts::Draughts;
use tabia_solve::file::{Info, Layout, Writer};

fn solve(game: &str, position: &str, request: &SolveRequest) -> SolveView {
    let position = Registry::standard().find(game).unwrap().parse(position).unwrap();
    position.as_solve().unwrap().solve(request, &Watch::nobody()).unwrap()
}

/// Enough time that no machine is too slow for what must be found.
fn patient(method: Option<&str>) -> SolveRequest {
    SolveRequest {
        method: method.map(str::to_owned),
        time: Duration::from_secs(600),
        ..SolveRequest::default()
    }
}

/// A pawn that cannot be caught: with all it may become, too much for 32 MiB and little enough for what `solve`
/// is given.
#[test]
fn a_game_that_fits_into_the_memory_is_solved_with_distances() {
    let view = solve("chess", "8/8/8/8/7k/8/P7/K7 w - - 0 1", &patient(None));
    assert_eq!((view.value, view.method.as_str(), view.distance_exact), ("win", "strong", true));
    let cost = (view.positions.0, view.peak_bytes.unwrap());
    assert!(cost.1 > 32 << 20 && cost.1 < 256 << 20, "{cost:?}");
    // No win with king and pawn takes more than 28 moves.
    assert!(view.distance.is_some_and(|plies| plies <= 55), "{view:?}");
    assert_eq!(view.line.len() as u64, view.distance.unwrap());
}

#[test]
fn a_proof_is_a_bound_until_a_full_width_search_makes_it_exact() {
    let mate_in_two = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let proved = solve("chess", mate_in_two, &patient(Some("proof")));
    assert_eq!((proved.value, proved.distance_exact), ("win", false));
    assert!(proved.distance.is_some_and(|plies| plies >= 3));
    let searched = solve("chess", mate_in_two, &patient(Some("alphabeta")));
    assert_eq!((searched.value, searched.distance, searched.distance_exact), ("win", Some(3), true));
    let little = SolveRequest { memory: 1 << 20, ..patient(None) };
    let chosen = solve("chess", mate_in_two, &little);
    assert_eq!((chosen.distance, chosen.method.as_str()), (Some(3), "alphabeta"));
    assert!(chosen.distance_exact);
}

fn build(game: &str, request: BuildRequest) {
    Registry::standard().find(game).unwrap().as_tables().unwrap().build(&request, &Watch::nobody()).unwrap();
}

fn request(out: PathBuf) -> BuildRequest {
    BuildRequest {
        out,
        position: None,
        goal: None,
        pieces: None,
        slice: None,
        distances: true,
        threads: 1,
        memory: 1 << 30,
    }
}

/// Every place of the two-piece endings, as text.
fn endings() -> Vec<String> {
    let rules = Draughts::default();
    let slices = rules.slice_groups(2).concat();
    let spots = slices
        .into_iter()
        .flat_map(|slice| (0..rules.slice_len(slice)).step_by(7).map(move |index| Spot { slice, index }));
    spots.map(|spot| rules.format(&rules.position(spot).unwrap())).collect()
}

/// Changes a byte in the first block of a file.
fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let header = 72
        + usize::from(u16::from_le_bytes([bytes[68], bytes[69]]))
        + usize::from(u16::from_le_bytes([bytes[70], bytes[71]]))
        + 4;
    bytes[header + 20] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

/// One bad block: every answer is whole, or says that the file is damaged and which one.
#[test]
fn a_damaged_block_is_said_wherever_it_is_met() {
    let folder = tempfile::tempdir().unwrap();
    build("draughts", BuildRequest { pieces: Some(2), ..request(folder.path().to_owned()) });
    damage(&folder.path().join("draughts-01v01.tbl"));
    let table = tablebase::open(&Registry::standard(), folder.path()).unwrap();
    let (mut whole, mut damaged) = (0, 0);
    for text in endings() {
        let asked = SolveRequest { tables: Some(folder.path().to_owned()), ..SolveRequest::default() };
        let position = Registry::standard().find("draughts").unwrap().parse(&text).unwrap();
        let answers = [
            table.probe(&text).map(|view| view.unwrap()),
            position.as_solve().unwrap().solve(&asked, &Watch::nobody()),
        ];
        for answer in answers {
            match answer {
                Ok(view) => {
                    whole += 1;
                    assert!(view.moves.iter().all(|mv| mv.value != "unknown"), "{text}: {view:?}");
                    assert_eq!(view.line.len() as u64, view.distance.unwrap_or(0), "{text}");
                }
                Err(error) => {
                    damaged += 1;
                    assert!(error.is_damage(), "{text}: {error}");
                    assert!(error.to_string().contains("01v01"), "{text}: {error}");
                }
            }
        }
    }
    assert!(whole > 100 && damaged > 100, "{whole} whole, {damaged} damaged");
    assert!(table.verify(1, &Watch::nobody()).is_err_and(|error| error.is_damage()));
    assert!(table.stats(&Stop::new()).is_err_and(|error| error.is_damage()));
}

#[test]
fn tables_have_the_rules_that_their_header_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.tbl");
    let board = BuildRequest {
        position: Some("triangle4".to_owned()),
        goal: Some("a1".to_owned()),
        ..request(path.clone())
    };
    build("solitaire", board);
    let table = tablebase::open(&Registry::standard(), &path).unwrap();
    assert!(table.info().variant.contains("triangle4"), "{}", table.info().variant);
    assert!(table.verify(1, &Watch::nobody()).unwrap().right);
    assert!(table.probe("english").is_err(), "a position of another board is refused");
}

#[test]
fn tables_of_unknown_rules_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, layout) in [
        ("five-visible+no-such-option", Layout::Keyed),
        ("solitaire+no-such-board", Layout::Keyed),
        ("draughts+flying-kings", Layout::Indexed),
        ("draughts+flying-kings", Layout::Keyed),
    ] {
        let path = folder.path().join("table.tbl");
        // The slice names a position that these rules would read.
        let about = Registry::standard().find(variant.split('+').next().unwrap()).unwrap().view().start;
        Writer::create(&path, Info::new(variant, &about, layout)).unwrap().finish().unwrap();
        let refused = tablebase::open(&Registry::standard(), &path).err().unwrap();
        assert!(matches!(refused, WorkError::Input(_)), "{variant}: {refused}");
        assert!(refused.to_string().contains(&format!("no variant called {variant:?}")), "{refused}");
    }
    assert_eq!(Draughts::default().variant(), "draughts", "the default rules need no options");
}

/// A search that meets a bad block does not pretend to have looked there.
#[test]
fn a_search_says_that_its_tables_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    build("draughts", BuildRequest { pieces: Some(3), ..request(folder.path().to_owned()) });
    let search = |text: &str| {
        let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
        let registry = Registry::standard().with_settings(settings);
        let position = registry.find("draughts").unwrap().parse(text).unwrap();
        let request = SearchRequest { nodes: Some(20_000), hash_bytes: 1 << 20, ..SearchRequest::default() };
        position.as_search().unwrap().search(&request, &Stop::new(), &mut |_| ())
    };
    // One position in the tables, and one whose captures lead there.
    let positions = ["W:WK1:BK32", "W:WK1,K5:BK32,K28"];
    positions.iter().for_each(|text| assert!(search(text).is_ok(), "{text}"));
    for file in ["draughts-01v01.tbl", "draughts-02v01.tbl", "draughts-01v02.tbl"] {
        let path = folder.path().join(file);
        if path.exists() {
            damage(&path);
        }
    }
    for text in positions {
        let refused = search(text).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Damaged, "{text}: {refused}");
        assert!(refused.to_string().contains("draughts-"), "{refused}");
    }
}
