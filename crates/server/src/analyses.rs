//! Analyses under way: a search on a thread of its own writes what it finds to a list, and any number of
//! listeners read that list at their own pace. A slow listener holds nothing up, and an analysis that
//! nobody listens to ends.

use crate::config::Limits;
use crate::error::Problem;
use futures_util::stream::{self, Stream};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tabia_app::search::Stop;
use tokio::sync::watch;

/// How long the events of a finished analysis can still be read.
const KEPT: Duration = Duration::from_secs(60);

/// Something an analysis has to say.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// `report`, `done` or `failed`.
    pub(crate) name: &'static str,
    /// JSON.
    pub(crate) data: String,
}

/// One analysis.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) id: u64,
    /// Thrown to end it.
    pub(crate) stop: Stop,
    events: Mutex<Vec<Event>>,
    /// Bumped with every event; closed (`true`) when there will be no more.
    changed: watch::Sender<bool>,
    listeners: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Analysis {
    /// Says something to all listeners.
    pub(crate) fn say(&self, event: Event) {
        lock(&self.events).push(event);
        self.changed.send_modify(|_| ());
    }

    fn close(&self) {
        self.changed.send_replace(true);
    }

    fn is_over(&self) -> bool {
        *self.changed.borrow()
    }

    fn end(&self) {
        self.stop.stop();
    }

    fn event(&self, index: usize) -> Option<Event> {
        lock(&self.events).get(index).cloned()
    }
}

/// Whoever listens; the last one to leave ends the analysis.
struct Listener {
    analysis: Arc<Analysis>,
    grace: Duration,
}

impl Listener {
    fn new(analysis: Arc<Analysis>, grace: Duration) -> Self {
        analysis.listeners.fetch_add(1, Ordering::SeqCst);
        Listener { analysis, grace }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if self.analysis.listeners.fetch_sub(1, Ordering::SeqCst) == 1 && !self.analysis.is_over() {
            end_unless_heard(&self.analysis, self.grace);
        }
    }
}

/// Ends an analysis after a while, unless somebody listens by then.
fn end_unless_heard(analysis: &Arc<Analysis>, grace: Duration) {
    let analysis = Arc::clone(analysis);
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(async move {
            tokio::time::sleep(grace).await;
            if analysis.listeners.load(Ordering::SeqCst) == 0 {
                analysis.end();
            }
        });
    }
}

#[derive(Debug, Default)]
struct Known {
    last: u64,
    all: BTreeMap<u64, Arc<Analysis>>,
}

/// All analyses.
#[derive(Clone, Debug)]
pub(crate) struct Analyses {
    known: Arc<Mutex<Known>>,
    limits: Limits,
}

impl Analyses {
    pub(crate) fn new(limits: Limits) -> Self {
        Analyses { known: Arc::default(), limits }
    }

    /// How many are at work.
    pub(crate) fn running(&self) -> usize {
        lock(&self.known).all.values().filter(|analysis| !analysis.is_over()).count()
    }

    /// Sets `work` going on a thread of its own; refused when enough are at work.
    pub(crate) fn begin(
        &self,
        work: impl FnOnce(&Analysis) + Send + 'static,
    ) -> Result<Arc<Analysis>, Problem> {
        let analysis = {
            let mut known = lock(&self.known);
            let running = known.all.values().filter(|analysis| !analysis.is_over()).count();
            if running >= self.limits.analyses {
                return Err(Problem::busy(format!("{running} analyses are at work already")));
            }
            known.last += 1;
            let analysis = Arc::new(Analysis {
                id: known.last,
                stop: Stop::new(),
                events: Mutex::default(),
                changed: watch::Sender::new(false),
                listeners: AtomicUsize::new(0),
            });
            known.all.insert(analysis.id, Arc::clone(&analysis));
            analysis
        };
        end_unless_heard(&analysis, self.limits.unheard);
        let (mine, known) = (Arc::clone(&analysis), Arc::clone(&self.known));
        let task = tokio::task::spawn_blocking(move || work(&mine));
        let mine = Arc::clone(&analysis);
        tokio::spawn(async move {
            if task.await.is_err() {
                mine.say(Event { name: "failed", data: r#"{"detail":"the analysis broke off"}"#.to_owned() });
            }
            mine.close();
            tokio::time::sleep(KEPT).await;
            lock(&known).all.remove(&mine.id);
        });
        Ok(analysis)
    }

    fn find(&self, id: u64) -> Result<Arc<Analysis>, Problem> {
        let known = lock(&self.known);
        known.all.get(&id).cloned().ok_or_else(|| Problem::unknown(format!("there is no analysis {id}")))
    }

    /// Everything an analysis says, from its beginning.
    pub(crate) fn listen(&self, id: u64) -> Result<impl Stream<Item = Event> + Send + use<>, Problem> {
        let analysis = self.find(id)?;
        let changed = analysis.changed.subscribe();
        let listener = Listener::new(analysis, self.limits.unheard);
        Ok(stream::unfold((listener, changed, 0usize), |(listener, mut changed, next)| async move {
            loop {
                let over = *changed.borrow_and_update();
                if let Some(event) = listener.analysis.event(next) {
                    return Some((event, (listener, changed, next + 1)));
                }
                if over || changed.changed().await.is_err() {
                    return None;
                }
            }
        }))
    }

    /// Ends an analysis.
    pub(crate) fn stop(&self, id: u64) -> Result<(), Problem> {
        self.find(id).map(|analysis| analysis.end())
    }

    /// Ends all of them.
    pub(crate) fn stop_all(&self) {
        lock(&self.known).all.values().for_each(|analysis| analysis.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;

    fn analyses(count: usize) -> Analyses {
        Analyses::new(Limits { analyses: count, unheard: Duration::from_millis(20), ..Limits::default() })
    }

    fn until_stopped(analysis: &Analysis) {
        analysis.say(Event { name: "report", data: "1".to_owned() });
        while !analysis.stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        analysis.say(Event { name: "done", data: "2".to_owned() });
    }

    #[tokio::test]
    async fn every_listener_hears_everything() {
        let analyses = analyses(1);
        let id = analyses.begin(until_stopped).expect("a free place").id;
        let (first, second) = (analyses.listen(id).expect("known"), analyses.listen(id).expect("known"));
        analyses.stop(id).expect("known");
        for listener in [first.boxed(), second.boxed()] {
            let heard: Vec<_> = listener.map(|event| event.data).collect().await;
            assert_eq!(heard, ["1", "2"]);
        }
    }

    #[tokio::test]
    async fn nobody_listens_and_it_ends() {
        let analyses = analyses(1);
        let analysis = analyses.begin(until_stopped).expect("a free place");
        assert_eq!(analyses.begin(until_stopped).expect_err("full").status, 429);
        let mut changed = analysis.changed.subscribe();
        changed.wait_for(|over| *over).await.expect("the sender lives");
        assert_eq!(analyses.running(), 0);
    }

    #[tokio::test]
    async fn the_last_listener_ends_it_by_leaving() {
        let analyses = analyses(1);
        let analysis = analyses.begin(until_stopped).expect("a free place");
        let mut listener = analyses.listen(analysis.id).expect("known").boxed();
        assert!(listener.next().await.is_some());
        drop(listener);
        let mut changed = analysis.changed.subscribe();
        changed.wait_for(|over| *over).await.expect("the sender lives");
    }
}
