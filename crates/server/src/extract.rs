//! Requests read strictly: what cannot be read answers with a problem, never with plain text.

use crate::error::Problem;
use axum::extract::{FromRequest, FromRequestParts, Request, rejection::JsonRejection};
use axum::http::{StatusCode, request::Parts};
use serde::de::DeserializeOwned;

/// The query of an address.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        axum::extract::Query::try_from_uri(&parts.uri).map(|query| Query(query.0)).map_err(|rejection| {
            let detail = rejection.body_text();
            let detail = detail.strip_prefix("Failed to deserialize query string: ").unwrap_or(&detail);
            Problem::new(StatusCode::BAD_REQUEST, format!("the query cannot be read: {detail}"))
        })
    }
}

/// The parts of a path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|path| Path(path.0)).map_err(|rejection| Problem::unknown(rejection.body_text()))
    }
}

/// A JSON body.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match axum::Json::from_request(request, state).await {
            Ok(json) => Ok(Json(json.0)),
            // A field of the wrong name or type is a mistake in form, like a missing brace.
            Err(JsonRejection::JsonDataError(error)) => {
                Err(Problem::new(StatusCode::BAD_REQUEST, error.body_text()))
            }
            Err(rejection) => Err(Problem::new(rejection.status(), rejection.body_text())),
        }
    }
}
