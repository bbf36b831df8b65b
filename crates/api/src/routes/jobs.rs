//! Work that goes on after its request.

use crate::answer::Answer;
use crate::jobs::JobView;
use crate::problem::Problem;
use crate::route::{Call, Route};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/api/v1/jobs/{id}", "getJob", "How far a job has come.", one)
            .answers::<JobView>()
            .problems(&[404]),
    ]
}

fn one(call: &Call<'_>) -> Result<Answer, Problem> {
    Ok(Answer::json(200, &call.api.jobs.view(call.number()?)?))
}
