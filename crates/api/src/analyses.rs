//! Analyses under way: a search beside the request that asked for it writes what it finds to a list, and any
//! number of listeners read that list at their own pace. A slow listener holds nothing up, and an analysis
//! that nobody listens to ends.

use crate::answer::Event;
use crate::api::Limits;
use crate::host::Host;
use crate::problem::Problem;
use serde::Serialize;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tabia_app::search::Stop;
use tabia_app::{AnyGame, Instant};

/// How long the events of a finished analysis can still be read.
const KEPT: Duration = Duration::from_secs(60);

/// Called when a listener may find something new.
type Bell = Arc<dyn Fn() + Send + Sync>;

/// One analysis.
pub(crate) struct Analysis {
    pub(crate) id: u64,
    /// Thrown to end it.
    pub(crate) stop: Stop,
    said: Mutex<Said>,
}

/// What it has said, and who listens.
#[derive(Default)]
struct Said {
    events: Vec<Event>,
    over: bool,
    last_listener: u64,
    listeners: BTreeMap<u64, Option<Bell>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Analysis {
    /// Says something to all listeners.
    pub(crate) fn say(&self, event: Event) {
        self.change(|said| said.events.push(event));
    }

    /// Does work that tells what it has found so far, and says how it ended. Reports come at a pace, the last one
    /// always; rules that have failed say something harmless, not the truth, so nothing they said is told.
    pub(crate) fn tell<V: Serialize>(
        &self,
        game: &dyn AnyGame,
        pace: Duration,
        work: impl FnOnce(&mut dyn FnMut(&V)) -> Result<V, Problem>,
    ) {
        let report = |view: &V| {
            if game.fault().is_some() {
                self.stop.stop();
                return;
            }
            self.say(Event { name: "report", data: serde_json::to_string(view).unwrap_or_default() });
        };
        let mut last = None::<Instant>;
        let ended = work(&mut |view| {
            if last.is_none_or(|last| last.elapsed() >= pace) {
                last = Some(Instant::now());
                report(view);
            }
        });
        match game.fault().map_or(ended, |fault| Err(Problem::new(500, fault))) {
            Ok(view) => {
                report(&view);
                self.say(Event { name: "done", data: "{}".to_owned() });
            }
            Err(problem) => {
                let data = serde_json::to_string(&problem).unwrap_or_default();
                self.say(Event { name: "failed", data });
            }
        }
    }

    fn close(&self) {
        self.change(|said| said.over = true);
    }

    /// Changes something and rings; whoever hears the bell may look at once.
    fn change(&self, change: impl FnOnce(&mut Said)) {
        let bells: Vec<Bell> = {
            let mut said = lock(&self.said);
            change(&mut said);
            said.listeners.values().flatten().cloned().collect()
        };
        bells.iter().for_each(|bell| bell());
    }

    fn is_over(&self) -> bool {
        lock(&self.said).over
    }

    fn is_heard(&self) -> bool {
        !lock(&self.said).listeners.is_empty()
    }
}

/// What a listener finds when it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The next event.
    Event(Event),
    /// Nothing yet.
    Nothing,
    /// There will be no more.
    Over,
}

/// Everything an analysis says, from its beginning, one event at a time. Whoever carries the answer takes
/// events when it likes, and may ask to be told when there is something new. The analysis ends when its last
/// listener is dropped.
pub struct Events {
    analysis: Arc<Analysis>,
    host: Arc<dyn Host>,
    grace: Duration,
    listener: u64,
    next: usize,
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Events of analysis {}", self.analysis.id)
    }
}

impl Events {
    fn new(analysis: Arc<Analysis>, host: Arc<dyn Host>, grace: Duration) -> Self {
        let listener = {
            let mut said = lock(&analysis.said);
            said.last_listener += 1;
            let listener = said.last_listener;
            said.listeners.insert(listener, None);
            listener
        };
        Events { analysis, host, grace, listener, next: 0 }
    }

    /// The next event, if there is one.
    pub fn take(&mut self) -> Next {
        let said = lock(&self.analysis.said);
        match said.events.get(self.next) {
            Some(event) => {
                self.next += 1;
                Next::Event(event.clone())
            }
            None if said.over => Next::Over,
            None => Next::Nothing,
        }
    }

    /// Has `bell` called, from whichever thread, whenever there may be something new to take.
    pub fn on_change(&mut self, bell: impl Fn() + Send + Sync + 'static) {
        lock(&self.analysis.said).listeners.insert(self.listener, Some(Arc::new(bell)));
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        lock(&self.analysis.said).listeners.remove(&self.listener);
        if !self.analysis.is_heard() && !self.analysis.is_over() {
            end_unless_heard(&self.analysis, self.host.as_ref(), self.grace);
        }
    }
}

/// Ends an analysis after a while, unless somebody listens by then.
fn end_unless_heard(analysis: &Arc<Analysis>, host: &dyn Host, grace: Duration) {
    let analysis = Arc::clone(analysis);
    host.later(
        grace,
        Box::new(move || {
            if !analysis.is_heard() {
                analysis.stop.stop();
            }
        }),
    );
}

#[derive(Default)]
struct Known {
    last: u64,
    all: BTreeMap<u64, Arc<Analysis>>,
}

/// All analyses.
#[derive(Clone)]
pub(crate) struct Analyses {
    known: Arc<Mutex<Known>>,
    limits: Limits,
    host: Arc<dyn Host>,
}

impl Analyses {
    pub(crate) fn new(limits: Limits, host: Arc<dyn Host>) -> Self {
        Analyses { known: Arc::default(), limits, host }
    }

    /// How many are at work.
    pub(crate) fn running(&self) -> usize {
        lock(&self.known).all.values().filter(|analysis| !analysis.is_over()).count()
    }

    /// Sets `work` going beside the request; refused when enough are at work.
    pub(crate) fn begin(
        &self,
        work: impl FnOnce(&Analysis) + Send + 'static,
    ) -> Result<Arc<Analysis>, Problem> {
        let analysis = self.enter()?;
        end_unless_heard(&analysis, self.host.as_ref(), self.limits.unheard);
        let (mine, all) = (Arc::clone(&analysis), self.clone());
        self.host.spawn(Box::new(move || {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(&mine))) {
                let data = serde_json::to_string(&Problem::broken_off(payload.as_ref()));
                mine.say(Event { name: "failed", data: data.unwrap_or_default() });
            }
            mine.close();
            all.forget_later(mine.id);
        }));
        Ok(analysis)
    }

    /// A new analysis, when there is room for one.
    fn enter(&self) -> Result<Arc<Analysis>, Problem> {
        let mut known = lock(&self.known);
        let running = known.all.values().filter(|analysis| !analysis.is_over()).count();
        if running >= self.limits.analyses {
            return Err(Problem::busy(format!("{running} analyses are at work already")));
        }
        known.last += 1;
        let analysis = Arc::new(Analysis { id: known.last, stop: Stop::new(), said: Mutex::default() });
        known.all.insert(analysis.id, Arc::clone(&analysis));
        Ok(analysis)
    }

    fn forget_later(&self, id: u64) {
        let known = Arc::clone(&self.known);
        let forget = move || {
            lock(&known).all.remove(&id);
        };
        self.host.later(KEPT, Box::new(forget));
    }

    fn find(&self, id: u64) -> Result<Arc<Analysis>, Problem> {
        let known = lock(&self.known);
        known.all.get(&id).cloned().ok_or_else(|| Problem::unknown(format!("there is no analysis {id}")))
    }

    /// Everything an analysis says, from its beginning.
    pub(crate) fn listen(&self, id: u64) -> Result<Events, Problem> {
        Ok(Events::new(self.find(id)?, Arc::clone(&self.host), self.limits.unheard))
    }

    /// Ends an analysis.
    pub(crate) fn stop(&self, id: u64) -> Result<(), Problem> {
        self.find(id).map(|analysis| analysis.stop.stop())
    }

    /// Ends all of them.
    pub(crate) fn stop_all(&self) {
        lock(&self.known).all.values().for_each(|analysis| analysis.stop.stop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::tests::Threads;
    use std::sync::mpsc;

    fn analyses(count: usize) -> (Analyses, Arc<Threads>) {
        let host = Arc::new(Threads::default());
        let limits = Limits {
            position_bytes: 0,
            moves: 0,
            answer_time: Duration::ZERO,
            answer_memory: 0,
            analyses: count,
            analysis_memory: 0,
            analysis_time: Duration::ZERO,
            unheard: Duration::from_millis(20),
        };
        (Analyses::new(limits, Arc::clone(&host) as Arc<dyn Host>), host)
    }

    fn until_stopped(analysis: &Analysis) {
        analysis.say(Event { name: "report", data: "1".to_owned() });
        while !analysis.stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        analysis.say(Event { name: "done", data: "2".to_owned() });
    }

    /// Hears everything until it is over, by the bell.
    fn hear(mut events: Events) -> Vec<String> {
        let (ring, rings) = mpsc::channel();
        events.on_change(move || {
            let _ = ring.send(());
        });
        let mut heard = Vec::new();
        loop {
            match events.take() {
                Next::Event(event) => heard.push(event.data),
                Next::Nothing => rings.recv_timeout(Duration::from_secs(60)).expect("a bell"),
                Next::Over => return heard,
            }
        }
    }

    #[test]
    fn every_listener_hears_everything() {
        let (analyses, _host) = analyses(1);
        let id = analyses.begin(until_stopped).expect("a free place").id;
        let (first, second) = (analyses.listen(id).expect("known"), analyses.listen(id).expect("known"));
        analyses.stop(id).expect("known");
        assert_eq!(hear(first), ["1", "2"]);
        assert_eq!(hear(second), ["1", "2"]);
    }

    #[test]
    fn nobody_listens_and_it_ends() {
        let (analyses, host) = analyses(1);
        analyses.begin(until_stopped).expect("a free place");
        assert_eq!(analyses.begin(until_stopped).map_err(|problem| problem.status).err(), Some(429));
        host.wait();
        assert_eq!(analyses.running(), 0);
    }

    #[test]
    fn the_last_listener_ends_it_by_leaving() {
        let (analyses, host) = analyses(1);
        let analysis = analyses.begin(until_stopped).expect("a free place");
        drop(analyses.listen(analysis.id).expect("known"));
        host.wait();
        assert!(analysis.is_over());
    }

    #[test]
    fn a_panic_is_heard_as_a_failure() {
        let (analyses, _host) = analyses(1);
        let id = analyses.begin(|_| panic!("no such square")).expect("a free place").id;
        let heard = hear(analyses.listen(id).expect("known"));
        assert!(heard.last().is_some_and(|last| last.contains("no such square")), "{heard:?}");
    }
}
