//! Listening, answering, and stopping when asked to.

use crate::config::Config;
use crate::connections;
use crate::error::ServeError;
use crate::state::{Server, Shared};
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;
use tabia_app::Stop;
use tokio::net::TcpListener;

/// Serves until the process is asked to end; `ready` hears the address.
pub fn run(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    run_with(config, Box::new(ready), Box::pin(asked_to_stop()))
}

/// Serves until `stop` is thrown, whatever signals the process gets; `ready` hears the address.
pub fn run_until(config: Config, stop: &Stop, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    run_with(config, Box::new(ready), Box::pin(thrown(stop)))
}

/// What the serving ends with. One type whatever it is, so that the server is compiled once.
pub(crate) type Ending<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

fn run_with(
    config: Config,
    ready: Box<dyn FnOnce(SocketAddr) + '_>,
    stop: Ending<'_>,
) -> Result<(), ServeError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all();
    if config.threads > 0 {
        builder.worker_threads(config.threads);
    }
    let runtime = builder.build()?;
    let served = runtime.block_on(listen_and_serve(config, ready, stop));
    // Work that does not look at its switch is not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn listen_and_serve(
    config: Config,
    ready: Box<dyn FnOnce(SocketAddr) + '_>,
    stop: Ending<'_>,
) -> Result<(), ServeError> {
    let listener = listen(&config.addresses()).await?;
    let server = Server::new(config)?;
    let address = listener.local_addr()?;
    tracing::info!(%address, "listening");
    if let Some(warning) = server.guard.warning() {
        tracing::warn!(%address, "{warning}");
    }
    ready(address);
    serve(&server, listener, stop).await
}

/// Serves those who come to `listener` until `stop` comes.
pub async fn serve(
    server: &Shared,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let stopping = async {
        stop.await;
        tracing::info!("stopping");
        server.api.stop_all();
    };
    connections::serve(listener, server, Box::pin(stopping)).await;
    Ok(())
}

/// The first address that is free.
async fn listen(addresses: &[SocketAddr]) -> Result<TcpListener, ServeError> {
    let mut refused = None;
    for &address in addresses {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(reason) => refused = Some(ServeError::Listen { address, reason }),
        }
    }
    Err(refused.unwrap_or_else(|| std::io::Error::other("no address to listen on").into()))
}

/// Waits for a switch: nobody is told when one is thrown, so it is looked at.
async fn thrown(stop: &Stop) {
    while !stop.is_stopped() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits for Ctrl-C, or for the signal that ends services.
async fn asked_to_stop() {
    let interrupt = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! { () = interrupt => {}, _ = terminate.recv() => {} }
            return;
        }
    }
    interrupt.await;
}
