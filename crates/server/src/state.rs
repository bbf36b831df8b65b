//! What all requests share.

use crate::book;
use crate::config::Config;
use crate::error::ServeError;
use crate::guard::Guard;
use crate::host::ServerHost;
use crate::metrics::Metrics;
use crate::passage;
use crate::work::Work;
use std::sync::Arc;
use tabia_api::{Api, Settings};
use tower_http::cors::CorsLayer;

/// A handle on everything requests share.
pub type Shared = Arc<Server>;

/// Everything requests share.
#[derive(Debug)]
pub struct Server {
    pub(crate) config: Config,
    pub(crate) guard: Guard,
    pub(crate) cors: Option<CorsLayer>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) work: Work,
    pub(crate) api: Arc<Api>,
}

impl Server {
    /// A server that has not begun to listen.
    pub fn new(config: Config) -> Result<Shared, ServeError> {
        let limits = config.limits;
        let guard = Guard::new(&config);
        let cors = config.cors.as_deref().map(passage::cors).transpose()?;
        let (metrics, work) = (Arc::<Metrics>::default(), Work::new(limits.work, limits.work_wait));
        let host = ServerHost { work: work.clone(), metrics: Arc::clone(&metrics) };
        let book = book::open(config.book.as_deref(), config.registry.settings().book.as_deref())?;
        let settings = Settings { registry: config.registry.clone(), book, limits: limits.of_answers() };
        let api = Arc::new(Api::new(settings, Arc::new(host)));
        Ok(Arc::new(Server { config, guard, cors, metrics, work, api }))
    }
}
