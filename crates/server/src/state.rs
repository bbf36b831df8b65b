//! What all requests share.

use crate::analyses::Analyses;
use crate::book::Book;
use crate::config::Config;
use crate::error::ServeError;
use crate::jobs::Jobs;
use crate::metrics::Metrics;
use crate::work::Work;
use std::sync::Arc;

/// A handle on everything requests share.
pub type Shared = Arc<Server>;

/// Everything requests share.
#[derive(Debug)]
pub struct Server {
    pub(crate) config: Config,
    pub(crate) metrics: Metrics,
    pub(crate) work: Work,
    pub(crate) analyses: Analyses,
    pub(crate) jobs: Jobs,
    pub(crate) book: Book,
}

impl Server {
    /// A server that has not begun to listen.
    pub fn new(config: Config) -> Result<Shared, ServeError> {
        let limits = config.limits;
        Ok(Arc::new(Server {
            metrics: Metrics::default(),
            work: Work::new(limits.work, limits.work_wait),
            analyses: Analyses::new(limits),
            jobs: Jobs::default(),
            book: Book::open(config.book.as_deref())?,
            config,
        }))
    }
}
