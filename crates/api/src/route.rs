//! A route: what answers it, how it is to be treated, and what the description says about it, in one value.

use crate::answer::Answer;
use crate::api::Api;
use crate::problem::Problem;
use crate::request::Request;
use crate::routes;
use percent_encoding::percent_decode_str;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use std::sync::LazyLock;
use tabia_app::search::Stop;

/// A schema to be made.
pub(crate) type Make = fn(&mut SchemaGenerator) -> Schema;

/// What answers a route.
pub(crate) type Handler = fn(&Call<'_>) -> Result<Answer, Problem>;

/// Something sent or answered.
pub(crate) struct Content {
    /// The media type.
    pub(crate) media: &'static str,
    /// Its form; `None` for plain text.
    pub(crate) schema: Option<Make>,
}

/// The schema of a type. Where the description of the API is a file, what makes it is not there.
fn schema_of<T: JsonSchema>() -> Option<Make> {
    if cfg!(any(target_family = "wasm", not(feature = "schemas"))) {
        None
    } else {
        Some(SchemaGenerator::subschema_for::<T>)
    }
}

/// A route of the API.
pub struct Route {
    /// The method, in small letters.
    pub method: &'static str,
    /// The path, with names in braces for the parts that vary.
    pub path: &'static str,
    /// Whether it writes to the book.
    pub writes: bool,
    pub(crate) id: &'static str,
    pub(crate) about: &'static str,
    pub(crate) query: Option<Make>,
    pub(crate) body: Vec<Content>,
    pub(crate) status: u16,
    pub(crate) answer: Vec<Content>,
    /// The other statuses it may answer with.
    pub(crate) problems: &'static [u16],
    /// How it answers then; `None` for the usual problem.
    pub(crate) problem: Option<Make>,
    refuse: fn(Problem) -> Answer,
    long: fn(&Request) -> bool,
    handler: Handler,
    /// The path before the first part that varies, and behind the last one.
    ends: [&'static str; 2],
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Route {
    pub(crate) fn new(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        about: &'static str,
        handler: Handler,
    ) -> Self {
        Route {
            method,
            path,
            writes: false,
            id,
            about,
            query: None,
            body: Vec::new(),
            status: 200,
            answer: Vec::new(),
            problems: &[],
            problem: None,
            refuse: Answer::from,
            long: |_| false,
            handler,
            ends: [path.split('{').next(), path.rsplit('}').next()].map(Option::unwrap_or_default),
        }
    }

    /// The query it reads.
    pub(crate) fn query<T: JsonSchema>(mut self) -> Self {
        self.query = schema_of::<T>();
        self
    }

    /// The body it reads.
    pub(crate) fn body<T: JsonSchema>(mut self) -> Self {
        self.body.push(Content { media: "application/json", schema: schema_of::<T>() });
        self
    }

    /// Another kind of body it reads.
    pub(crate) fn raw_body(mut self, media: &'static str) -> Self {
        self.body.push(Content { media, schema: None });
        self
    }

    /// The JSON it answers.
    pub(crate) fn answers<T: JsonSchema>(self) -> Self {
        self.streams::<T>("application/json")
    }

    /// What it answers, in JSON inside something else.
    pub(crate) fn streams<T: JsonSchema>(mut self, media: &'static str) -> Self {
        self.answer.push(Content { media, schema: schema_of::<T>() });
        self
    }

    /// What it answers, when that is not JSON.
    pub(crate) fn raw(mut self, media: &'static str) -> Self {
        self.answer.push(Content { media, schema: None });
        self
    }

    /// The status of a good answer, when it is not 200.
    pub(crate) fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The statuses of bad answers.
    pub(crate) fn problems(mut self, statuses: &'static [u16]) -> Self {
        self.problems = statuses;
        self
    }

    /// The same, in a shape of the route's own.
    pub(crate) fn problems_as<T: JsonSchema>(
        mut self,
        statuses: &'static [u16],
        refuse: fn(Problem) -> Answer,
    ) -> Self {
        self.problem = schema_of::<T>();
        self.refuse = refuse;
        self.problems(statuses)
    }

    /// It writes to the book.
    pub(crate) fn writes(mut self) -> Self {
        self.writes = true;
        self
    }

    /// Which requests may take long.
    pub(crate) fn long(mut self, long: fn(&Request) -> bool) -> Self {
        self.long = long;
        self
    }

    /// Whether it reads a body.
    pub fn reads_body(&self) -> bool {
        !self.body.is_empty()
    }

    /// A problem in the shape of this route.
    pub fn refuse(&self, problem: Problem) -> Answer {
        (self.refuse)(problem)
    }

    /// The varying parts of a path that fits.
    fn parts(&self, path: &str) -> Option<Vec<String>> {
        // Every request looks for its route: most are passed over at a glance.
        let [begin, end] = self.ends;
        if !(path.starts_with(begin) && path.ends_with(end)) {
            return None;
        }
        let (mut known, mut given) = (self.path.split('/'), path.split('/'));
        let mut parts = Vec::new();
        loop {
            match (known.next(), given.next()) {
                (None, None) => return Some(parts),
                (Some(name), Some(part)) if name.starts_with('{') && !part.is_empty() => {
                    parts.push(percent_decode_str(part).decode_utf8_lossy().into_owned());
                }
                (Some(known), Some(part)) if known == part => {}
                _ => return None,
            }
        }
    }
}

/// All routes.
pub(crate) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(routes::all);

/// A route that was found for an address, with the parts of the path that vary.
#[derive(Clone, Debug)]
pub struct Found {
    /// The route.
    pub route: &'static Route,
    parts: Vec<String>,
}

impl Found {
    /// The route for a method and a path, or the reason why there is none: 404 or 405.
    pub fn find(method: &str, path: &str) -> Result<Self, Problem> {
        let mut there = false;
        for route in ROUTES.iter() {
            if let Some(parts) = route.parts(path) {
                if route.method.eq_ignore_ascii_case(method) {
                    return Ok(Found { route, parts });
                }
                there = true;
            }
        }
        Err(if there {
            Problem::new(405, format!("{path} cannot be asked with {method}"))
        } else {
            Problem::unknown(format!("the API has no {path}; /api/v1/openapi.json describes it"))
        })
    }

    /// The methods a path can be asked with, as they stand in the header `allow`.
    pub fn methods(path: &str) -> String {
        let fitting = ROUTES.iter().filter(|route| route.parts(path).is_some());
        let methods: Vec<&str> = fitting.map(|route| route.method).collect();
        methods.join(", ").replace("get", "get, head").to_uppercase()
    }

    /// Whether the answer may take long, so that whoever speaks to clients should not wait for it.
    pub fn is_long(&self, request: &Request) -> bool {
        (self.route.long)(request)
    }

    /// The answer. `stop` is thrown by whoever waits no longer.
    pub fn answer(&self, api: &Api, request: &Request, stop: &Stop) -> Answer {
        let call = Call { api, request, stop, parts: &self.parts };
        let answer = (self.route.handler)(&call);
        // Rules that have failed have answered something harmless, not the truth.
        let answer = api.registry.fault().map_or(answer, |fault| Err(Problem::new(500, fault)));
        answer.unwrap_or_else(|problem| self.route.refuse(problem))
    }
}

/// A request on its way to an answer.
pub(crate) struct Call<'a> {
    pub(crate) api: &'a Api,
    pub(crate) request: &'a Request,
    /// Thrown when nobody waits for the answer any more.
    pub(crate) stop: &'a Stop,
    parts: &'a [String],
}

impl Call<'_> {
    /// The part of the path in the first braces.
    pub(crate) fn part(&self) -> &str {
        self.parts.first().map_or("", String::as_str)
    }

    /// The part of the path in the second braces.
    pub(crate) fn second_part(&self) -> &str {
        self.parts.get(1).map_or("", String::as_str)
    }

    /// The first part as a number.
    pub(crate) fn number(&self) -> Result<u64, Problem> {
        self.part().parse().map_err(|_| Problem::unknown(format!("{:?} is not a number", self.part())))
    }

    /// The query.
    pub(crate) fn query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        self.request.query()
    }

    /// The body.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        self.request.json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_decoded_and_methods_told_apart() {
        let found = Found::find("GET", "/api/v1/games/a%2Fb/position").expect("a route");
        assert_eq!((found.route.id, found.parts[0].as_str()), ("getPosition", "a/b"));
        assert_eq!(Found::find("POST", "/api/v1/analyses").expect("a route").route.id, "beginAnalysis");
    }

    #[test]
    fn what_is_not_there_and_what_cannot_be_done_differ() {
        for path in ["/", "/api", "/api/v1/games/", "/api/v1/games//position", "/api/v1/games/x/position/"] {
            assert_eq!(Found::find("GET", path).map_err(|problem| problem.status).err(), Some(404), "{path}");
        }
        let problem = Found::find("DELETE", "/api/5visible/games").expect_err("no such method");
        assert_eq!(problem.status, 405);
        assert_eq!(Found::methods("/api/5visible/games"), "GET, HEAD, PATCH");
    }
}
