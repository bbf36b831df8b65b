//! Who may ask, and who may write.
//!
//! A page from anywhere can make its reader's browser send requests to this machine, and a name that
//! somebody points at this machine makes that page look like our own. So the `Host` of every request must be
//! a name of this server, and a request that changes something must not come from a page of another origin.
//! Writing to the book of a server that other machines can reach must be allowed when it is started.

use crate::answer::text_of;
use crate::config::Config;
use axum::http::{Method, header, request::Parts};
use std::net::IpAddr;
use tabia_api::{Found, Problem};

/// A secret that whoever writes must know.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A token from the text of a file; `None` when there is nothing but space in it.
    pub fn new(text: &str) -> Option<Self> {
        Some(Token(text.trim().to_owned())).filter(|token| !token.0.is_empty())
    }

    /// Compares without telling by its time how much of a guess was right.
    fn is(&self, guess: &str) -> bool {
        let differences = self.0.bytes().zip(guess.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        self.0.len() == guess.len() && differences == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// Who may write to the book.
#[derive(Debug)]
enum Writers {
    All,
    Nobody,
    Holders(Token),
}

/// What is checked before a request is answered.
#[derive(Debug)]
pub(crate) struct Guard {
    /// Names given at the start, in small letters.
    names: Vec<String>,
    /// The address listened on; `None` when it is this machine's own.
    outside: Option<IpAddr>,
    /// The one other origin whose pages may ask.
    friend: Option<String>,
    writers: Writers,
}

impl Guard {
    pub(crate) fn new(config: &Config) -> Self {
        let outside = config.listen.map(|address| address.ip()).filter(|ip| !ip.is_loopback());
        let writers = match &config.token {
            Some(token) => Writers::Holders(token.clone()),
            None if outside.is_none() || config.allow_writes => Writers::All,
            None => Writers::Nobody,
        };
        let names = config.hosts.iter().map(|name| name_of(name).to_ascii_lowercase()).collect();
        Guard { names, outside, friend: config.cors.clone(), writers }
    }

    /// What whoever starts the server should know about who may write.
    pub(crate) fn warning(&self) -> Option<&'static str> {
        match (&self.writers, self.outside) {
            (Writers::Nobody, _) => Some(
                "other machines can reach this server, so nobody may write to its book: --token-file or --allow-writes changes that",
            ),
            (Writers::All, Some(_)) => Some("everybody who can reach this server may write to its book"),
            (Writers::Holders(_), Some(_)) => {
                Some("whoever has the token may write to the book of this server")
            }
            _ => None,
        }
    }

    /// Refuses what must not be answered.
    pub(crate) fn check(&self, request: &Parts, meant: Option<&Found>) -> Result<(), Problem> {
        self.check_host(request)?;
        if matches!(request.method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Ok(());
        }
        self.check_origin(request)?;
        if meant.is_some_and(|found| found.route.writes) { self.check_writer(request) } else { Ok(()) }
    }

    fn check_host(&self, request: &Parts) -> Result<(), Problem> {
        let host = text_of(&request.headers, header::HOST);
        if host.is_empty() {
            return Err(Problem::new(400, "the request does not say which host it is for"));
        }
        // A proxy before us may have gone by the other one.
        if request.headers.get_all(header::HOST).iter().count() > 1 {
            return Err(Problem::new(400, "the request says twice which host it is for"));
        }
        let in_address = request.uri.authority().map(axum::http::uri::Authority::as_str);
        match [Some(host), in_address].into_iter().flatten().find(|host| !self.is_own(host)) {
            None => Ok(()),
            Some(other) => {
                let detail = format!("this server is not {other:?}; --host names what else it is called");
                Err(Problem::new(421, detail))
            }
        }
    }

    fn is_own(&self, host: &str) -> bool {
        let name = name_of(host).to_ascii_lowercase();
        match name.parse::<IpAddr>() {
            // Nobody can point an address somewhere else, so any will do where all are listened on.
            Ok(ip) => ip.is_loopback() || self.outside.is_some_and(|own| own == ip || own.is_unspecified()),
            Err(_) => name == "localhost" || self.names.contains(&name),
        }
    }

    fn check_origin(&self, request: &Parts) -> Result<(), Problem> {
        let origin = text_of(&request.headers, header::ORIGIN);
        if self.friend.as_deref().is_some_and(|friend| friend == origin) {
            return Ok(());
        }
        let host = text_of(&request.headers, header::HOST);
        let own = origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host));
        if request.headers.contains_key(header::ORIGIN) && !own {
            return Err(Problem::new(403, format!("pages of {origin:?} may not change anything here")));
        }
        let site = text_of(&request.headers, header::HeaderName::from_static("sec-fetch-site"));
        if matches!(site, "" | "same-origin" | "none") {
            return Ok(());
        }
        Err(Problem::new(403, format!("a {site} request may not change anything here")))
    }

    fn check_writer(&self, request: &Parts) -> Result<(), Problem> {
        match &self.writers {
            Writers::All => Ok(()),
            Writers::Nobody => {
                let detail = "this server can be reached by other machines and was not started with --allow-writes or --token-file";
                Err(Problem::new(403, detail))
            }
            Writers::Holders(token) => {
                let given = text_of(&request.headers, header::AUTHORIZATION).split_once(' ');
                let known = given.is_some_and(|(kind, guess)| {
                    kind.eq_ignore_ascii_case("bearer") && token.is(guess.trim())
                });
                let refused = || {
                    Problem::new(
                        401,
                        "writing needs the header `Authorization: Bearer` with the server's token",
                    )
                };
                if known { Ok(()) } else { Err(refused()) }
            }
        }
    }
}

/// A host without its port and brackets.
fn name_of(host: &str) -> &str {
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address;
    }
    // More than one colon is an address of version 6 without brackets.
    let name = host.split_once(':').filter(|(_, port)| !port.contains(':')).map_or(host, |(name, _)| name);
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_without_their_ports() {
        for (host, name) in [
            ("localhost:7878", "localhost"),
            ("localhost.", "localhost"),
            ("[::1]:80", "::1"),
            ("::1", "::1"),
            ("10.0.0.1", "10.0.0.1"),
            ("", ""),
        ] {
            assert_eq!(name_of(host), name);
        }
    }

    #[test]
    fn a_token_is_whole_or_wrong() {
        let token = Token::new(" secret\n").expect("a word");
        assert!(token.is("secret"));
        for guess in ["", "secre", "secret1", "Secret"] {
            assert!(!token.is(guess), "{guess}");
        }
        assert!(Token::new(" \n").is_none());
        assert_eq!(format!("{token:?}"), "Token");
    }
}
