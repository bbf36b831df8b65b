//! Requests, and reading them strictly: what cannot be read answers with a problem.

use crate::problem::Problem;
use serde::de::DeserializeOwned;

/// What was asked, without how it came.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// `GET`, `POST`, ...
    pub method: String,
    /// The path of the address, still percent-encoded.
    pub path: String,
    /// What stands behind the question mark of the address; empty when there is none.
    pub query: String,
    /// The media types the client would like; empty when it does not say.
    pub accept: String,
    /// The media type of the body; empty when the client does not say.
    pub media: String,
    /// What was sent.
    pub body: Vec<u8>,
}

impl Request {
    /// A question without a body, as an address: path and query.
    pub fn get(address: &str) -> Self {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        Request { method: "GET".to_owned(), path, query, ..Request::default() }
    }

    /// The media type of the body without its parameters, in small letters.
    pub(crate) fn media_type(&self) -> String {
        self.media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The query of the address.
    pub(crate) fn query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_urlencoded::from_str(&self.query).map_err(|error: serde_urlencoded::de::Error| {
            let place = culprit::<T>(&self.query, &error.to_string());
            Problem::new(400, format!("the query cannot be read{place}: {error}"))
        })
    }

    /// The body, which must be JSON and must say so.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let media = self.media_type();
        if media != "application/json" && !(media.starts_with("application/") && media.ends_with("+json")) {
            let detail = format!("the body must be application/json, not {media:?}");
            return Err(Problem::new(415, detail));
        }
        serde_json::from_slice(&self.body)
            .map_err(|error| Problem::new(400, format!("the body cannot be read: {error}")))
    }
}

/// The field that a query cannot be read for, unless its error names it: the one without which it can be.
fn culprit<T: DeserializeOwned>(query: &str, error: &str) -> String {
    let Ok(fields) = serde_urlencoded::from_str::<Vec<(String, String)>>(query) else { return String::new() };
    // Nobody has asked more than that by mistake, and each is tried.
    let blamed = (0..fields.len().min(32)).find(|&at| {
        let others: Vec<_> =
            fields.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, field)| field).collect();
        serde_urlencoded::to_string(others).is_ok_and(|rest| serde_urlencoded::from_str::<T>(&rest).is_ok())
    });
    match blamed.map(|at| &fields[at]) {
        Some((name, value)) if !error.contains(&format!("`{name}`")) => format!(" at {name}={value}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_says_what_it_is() {
        let request =
            |media: &str| Request { media: media.to_owned(), body: b"[1]".into(), ..Request::default() };
        for media in ["application/json", "Application/JSON; charset=utf-8", "application/x+json"] {
            assert_eq!(request(media).json::<Vec<u8>>().ok(), Some(vec![1]), "{media}");
        }
        for media in ["", "text/plain", "text/json"] {
            assert_eq!(
                request(media).json::<Vec<u8>>().map_err(|problem| problem.status),
                Err(415),
                "{media}"
            );
        }
    }

    #[test]
    fn a_query_that_cannot_be_read_is_blamed_on_its_field() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Counts {
            #[expect(dead_code, reason = "only whether it can be read matters")]
            least: Option<u32>,
            #[expect(dead_code, reason = "only whether it can be read matters")]
            also: bool,
        }
        let detail = |query: &str| Request::get(&format!("/?{query}")).query::<Counts>().unwrap_err().detail;
        assert_eq!(
            detail("also=true&least=-1"),
            "the query cannot be read at least=-1: invalid digit found in string"
        );
        assert!(detail("also=true&other=1").starts_with("the query cannot be read: unknown field `other`"));
        assert!(detail("least=1").starts_with("the query cannot be read: missing field `also`"));
    }
}
