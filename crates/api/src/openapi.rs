//! The description of the API (OpenAPI 3.1), made from the same routes as the router.

use crate::problem::{Problem, title};
use crate::route::{Content, ROUTES, Route};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The whole description.
pub fn document() -> Value {
    let mut schemas = generator();
    let problem = schemas.subschema_for::<Problem>();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES.iter() {
        let operation = operation(route, &problem.clone().to_value(), &mut schemas);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method] = operation;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tabia",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Positions of board games: their codes, their moves, and answers about them.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas.take_definitions(true) },
    })
}

fn generator() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    settings.into_generator()
}

fn operation(route: &Route, problem: &Value, schemas: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    let mut good = json!({ "description": "The answer." });
    if !route.answer.is_empty() {
        good["content"] = contents(&route.answer, schemas);
    }
    responses.insert(route.status.to_string(), good);
    for status in route.problems {
        let content = match route.problem {
            Some(make) => json!({ "application/json": { "schema": make(schemas).to_value() } }),
            None => json!({ "application/problem+json": { "schema": problem } }),
        };
        let response = json!({ "description": title(*status), "content": content });
        responses.insert(status.to_string(), response);
    }
    // Whoever carries the requests may refuse those that change something.
    let refusals: &[u16] = if route.writes { &[401, 403] } else { &[403] };
    for status in refusals.iter().filter(|_| route.method != "get") {
        let content = json!({ "application/problem+json": { "schema": problem } });
        let response = json!({ "description": title(*status), "content": content });
        responses.insert(status.to_string(), response);
    }
    let mut operation = json!({
        "operationId": route.id,
        "summary": route.about,
        "parameters": parameters(route, schemas),
        "responses": responses,
    });
    if !route.body.is_empty() {
        operation["requestBody"] = json!({ "required": true, "content": contents(&route.body, schemas) });
    }
    operation
}

fn contents(contents: &[Content], schemas: &mut SchemaGenerator) -> Value {
    let mut media = Map::new();
    for content in contents {
        let schema =
            content.schema.map_or_else(|| json!({ "type": "string" }), |make| make(schemas).to_value());
        media.insert(content.media.to_owned(), json!({ "schema": schema }));
    }
    media.into()
}

/// The parts of the path in braces, and the fields of the query.
fn parameters(route: &Route, schemas: &mut SchemaGenerator) -> Vec<Value> {
    let named = route.path.split('{').skip(1).filter_map(|part| part.split('}').next());
    let in_path = |name: &str| {
        let schema = if name == "id" {
            json!({ "type": "integer", "minimum": 0 })
        } else {
            json!({ "type": "string" })
        };
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    };
    let mut parameters: Vec<Value> = named.map(in_path).collect();
    // The query is taken apart, so its own schema is of no use.
    let query = route.query.map(|make| {
        let mut own = generator();
        let reference = make(&mut own).to_value();
        let name = reference["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next())
            .unwrap_or_default()
            .to_owned();
        let mut definitions = own.take_definitions(true);
        let query = definitions.remove(&name).unwrap_or_default();
        schemas.definitions_mut().extend(definitions);
        query
    });
    let required = |query: &Value, name: &String| {
        query["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    if let Some(query) = &query {
        for (name, schema) in query["properties"].as_object().into_iter().flatten() {
            let mut schema = schema.clone();
            let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            parameters.push(json!({
                "name": name, "in": "query", "required": required(query, name), "description": about, "schema": schema,
            }));
        }
    }
    parameters
}
