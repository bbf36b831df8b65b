//! A route: what answers it and what the description says about it, in one value.

use crate::state::Shared;
use axum::Router;
use axum::routing::MethodRouter;
use schemars::{JsonSchema, Schema, SchemaGenerator};

/// A schema to be made.
pub(crate) type Make = fn(&mut SchemaGenerator) -> Schema;

/// Something sent or answered.
pub(crate) struct Content {
    /// The media type.
    pub(crate) media: &'static str,
    /// Its form; `None` for plain text.
    pub(crate) schema: Option<Make>,
}

/// A route of the API.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
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
    handler: MethodRouter<Shared>,
}

impl Route {
    pub(crate) fn new(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        about: &'static str,
        handler: MethodRouter<Shared>,
    ) -> Self {
        let (body, answer) = (Vec::new(), Vec::new());
        let (query, problems, problem) = (None, &[] as &[u16], None);
        Route { method, path, id, about, query, body, status: 200, answer, problems, problem, handler }
    }

    /// The query it reads.
    pub(crate) fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(SchemaGenerator::subschema_for::<T>);
        self
    }

    /// The body it reads.
    pub(crate) fn body<T: JsonSchema>(mut self) -> Self {
        let schema: Make = SchemaGenerator::subschema_for::<T>;
        self.body.push(Content { media: "application/json", schema: Some(schema) });
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
        let schema: Make = SchemaGenerator::subschema_for::<T>;
        self.answer.push(Content { media, schema: Some(schema) });
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
    pub(crate) fn problems_as<T: JsonSchema>(mut self, statuses: &'static [u16]) -> Self {
        self.problem = Some(SchemaGenerator::subschema_for::<T>);
        self.problems(statuses)
    }

    /// The router with this route.
    pub(crate) fn add_to(self, router: Router<Shared>) -> Router<Shared> {
        router.route(self.path, self.handler)
    }
}
