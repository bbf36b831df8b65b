//! What is worked out beside the screen: each answer comes with the number of its question, so that late ones are known.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use tabia_app::annotate::{AnnotateRequest, AnnotationView};
use tabia_app::search::{SearchRequest, SearchView};
use tabia_app::solve::{SolveRequest, SolveView};
use tabia_app::{AnyGame, AnyPosition, GameText, Stop, Watch};

/// How long the engine looks at a position that nobody leaves.
const LONGEST: Duration = Duration::from_secs(600);
/// How long a solver tries.
const SOLVING: Duration = Duration::from_secs(10);

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// The engine's lines.
    Engine,
    /// The exact value.
    Solver,
    /// The values of a whole game.
    Review,
}

/// What comes back.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// The best lines so far.
    Lines(SearchView),
    /// The exact value.
    Solved(Box<SolveView>),
    /// The values of a game so far.
    Judged(AnnotationView),
    /// Why there is none.
    Failed(Task, String),
    /// Nothing more comes.
    Ended(Task),
}

/// Questions under way.
pub(crate) struct Work {
    sender: Sender<(u64, Answer)>,
    receiver: Receiver<(u64, Answer)>,
    running: [Option<(u64, Stop)>; 3],
    asked: u64,
    threads: usize,
    depth: Option<u32>,
}

impl Work {
    /// With so many threads, and an engine that looks ahead so many plies at most.
    pub(crate) fn new(threads: usize, depth: Option<u32>) -> Self {
        let (sender, receiver) = channel();
        Work { sender, receiver, running: [None, None, None], asked: 0, threads, depth }
    }

    /// Whether something is being worked out.
    pub(crate) fn is_busy(&self, task: Task) -> bool {
        self.running[task as usize].is_some()
    }

    /// Whether anything is being worked out.
    pub(crate) fn is_any_busy(&self) -> bool {
        self.running.iter().any(Option::is_some)
    }

    /// Answers that have come, without those that nobody waits for any more.
    pub(crate) fn answers(&mut self) -> Vec<Answer> {
        let mut answers = Vec::new();
        while let Ok((number, answer)) = self.receiver.try_recv() {
            let Some(task) =
                self.running.iter().position(|run| run.as_ref().is_some_and(|(n, _)| *n == number))
            else {
                continue;
            };
            if matches!(answer, Answer::Ended(_) | Answer::Failed(..)) {
                self.running[task] = None;
            }
            answers.push(answer);
        }
        answers
    }

    /// Stops what is being worked out.
    pub(crate) fn stop(&mut self, task: Task) {
        if let Some((_, stop)) = self.running[task as usize].take() {
            stop.stop();
        }
    }

    /// Begins something in place of what was asked before.
    fn begin(
        &mut self,
        task: Task,
        work: impl FnOnce(&Stop, &dyn Fn(Answer)) -> Result<(), String> + Send + 'static,
    ) {
        self.stop(task);
        self.asked += 1;
        let (number, stop, sender) = (self.asked, Stop::new(), self.sender.clone());
        self.running[task as usize] = Some((number, stop.clone()));
        std::thread::spawn(move || {
            // Nobody listens when the screen has been left.
            let tell = |answer: Answer| drop(sender.send((number, answer)));
            let answer = match work(&stop, &tell) {
                Ok(()) => Answer::Ended(task),
                Err(reason) => Answer::Failed(task, reason),
            };
            tell(answer);
        });
    }

    /// Lets the engine look at a position.
    pub(crate) fn search(&mut self, position: Box<dyn AnyPosition>, lines: usize, time: Option<Duration>) {
        let request = SearchRequest {
            time: Some(time.unwrap_or(LONGEST)),
            depth: self.depth,
            lines,
            threads: self.threads,
            ..SearchRequest::default()
        };
        self.begin(Task::Engine, move |stop, tell| {
            let search = position.search().map_err(|error| error.message)?;
            let view = search.search(&request, stop, &mut |view| tell(Answer::Lines(view.clone())));
            tell(Answer::Lines(view.map_err(|error| error.message)?));
            Ok(())
        });
    }

    /// Asks for the exact value of a position, and which moves keep a puzzle solvable.
    pub(crate) fn solve(&mut self, position: Box<dyn AnyPosition>, hints: bool) {
        let request = SolveRequest { time: SOLVING, threads: self.threads, hints, ..SolveRequest::default() };
        self.begin(Task::Solver, move |stop, tell| {
            let solve = position.solve().map_err(|error| error.message)?;
            let nobody = |_: &tabia_app::Progress| ();
            let view = solve
                .solve(&request, &Watch { stop, progress: &nobody })
                .map_err(|error| error.to_string())?;
            tell(Answer::Solved(Box::new(view)));
            Ok(())
        });
    }

    /// Looks at every position of a game.
    pub(crate) fn review(&mut self, game: Arc<dyn AnyGame>, text: GameText) {
        let request = AnnotateRequest { threads: self.threads, ..AnnotateRequest::default() };
        self.begin(Task::Review, move |stop, tell| {
            let annotate = game.annotate().map_err(|error| error.message)?;
            let mut told = |view: &AnnotationView| tell(Answer::Judged(view.clone()));
            let view =
                annotate.annotate(&text, &request, stop, &mut told).map_err(|error| error.to_string())?;
            tell(Answer::Judged(view));
            Ok(())
        });
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        for (_, stop) in self.running.iter().flatten() {
            stop.stop();
        }
    }
}
