//! Why the server could not start or had to stop.

/// Why the server could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody can listen there.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// Where.
        address: std::net::SocketAddr,
        /// Why not.
        reason: std::io::Error,
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    /// Whoever prints an error with all its causes would say it twice.
    #[test]
    fn a_reason_is_told_once() {
        let address = std::net::SocketAddr::from(([192, 0, 2, 1], 80));
        let error = ServeError::Listen { address, reason: std::io::ErrorKind::AddrInUse.into() };
        assert!(error.to_string().ends_with("address in use") && error.source().is_none(), "{error}");
    }
}
