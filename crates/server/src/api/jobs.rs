//! Work that goes on after its request.

use crate::error::Problem;
use crate::extract::Path;
use crate::jobs::JobView;
use crate::route::Route;
use crate::state::Shared;
use axum::Json;
use axum::extract::State;
use axum::routing::get;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/api/v1/jobs/{id}", "getJob", "How far a job has come.", get(one))
            .answers::<JobView>()
            .problems(&[404]),
    ]
}

async fn one(State(server): State<Shared>, Path(id): Path<u64>) -> Result<Json<JobView>, Problem> {
    server.jobs.view(id).map(Json)
}
