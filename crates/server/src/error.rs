//! Why the server could not start or had to stop.

/// Why the server could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody can listen there.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: std::net::SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// The origin cannot stand in a header.
    #[error("{0:?} is not an origin such as http://localhost:3000")]
    Origin(String),
    /// The book cannot be opened.
    #[error("{0}")]
    Book(String),
    /// The operating system refuses.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
