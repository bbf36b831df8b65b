//! One question, from its text to its answer.

use super::{FindRequest, FindSink, FindView, FoundView};
use crate::measure::Stopwatch;
use crate::solve::WorkError;
use crate::watch::Watch;
use crate::{ErrorKind, InputError};
use tabia_core::{Present, Probe};
pub(crate) use tabia_report::find::Finder;
use tabia_report::find::{
    BadExpression, FIELDS, Field, FindError, Found, Match, Origin, Question, Scope, Type, Vocabulary,
    compile, condition,
};
use tabia_solve::SolveError;

/// The most positions that are kept to be sorted.
const MOST_SORTED: usize = 1_000_000;

/// A question that has been read.
pub(crate) struct Asked<'a> {
    request: &'a FindRequest,
    vocabulary: Vocabulary,
    question: Question,
    /// The names of the fields that are told.
    names: Vec<String>,
}

impl<'a> Asked<'a> {
    /// Reads a question about positions of a game from some origin, whose exact values may be known.
    pub(crate) fn new<G: Present>(
        rules: &G,
        request: &'a FindRequest,
        origin: Origin,
        exact: bool,
    ) -> Result<Self, InputError> {
        Self::read(Vocabulary::of(rules, origin, exact), request, origin)
    }

    /// The same for a game of which no more is needed than its words.
    fn read(vocabulary: Vocabulary, request: &'a FindRequest, origin: Origin) -> Result<Self, InputError> {
        let bad = |text: &str, error: BadExpression| InputError {
            offset: Some(error.offset),
            ..InputError::new(ErrorKind::Syntax, text, error.message)
        };
        let condition =
            condition(&request.expression, &vocabulary).map_err(|error| bad(&request.expression, error))?;
        let sort = request.sort.as_deref();
        let sort = sort.map(|text| compile(text, &vocabulary).map_err(|error| bad(text, error)));
        let sort = sort.transpose()?;
        if let Some(text) = request.sort.as_deref().filter(|_| request.limit > MOST_SORTED) {
            let message = format!("at most {MOST_SORTED} positions can be sorted");
            return Err(InputError::new(ErrorKind::Unsupported, text, message));
        }
        if let Some((text, _)) =
            request.sort.as_deref().zip(sort.as_ref()).filter(|(_, sort)| sort.kind == Type::Null)
        {
            return Err(InputError::new(ErrorKind::Invalid, text, "null gives no order"));
        }
        let mut told = usual(origin);
        let used = condition.fields.iter().chain(sort.iter().flat_map(|sort| &sort.fields));
        for field in used {
            if !told.contains(field) && *field != Field::Position {
                told.push(*field);
            }
        }
        let names = told.iter().map(|field| vocabulary.name_of(*field)).collect();
        let FindRequest { descending, limit, count, .. } = *request;
        let question = Question { condition, sort, descending, limit, count, told };
        Ok(Asked { request, vocabulary, question, names })
    }

    /// Whether it asks for anything that comes from exact values.
    pub(crate) fn needs_values(&self) -> bool {
        let exact = |field: &Field| FIELDS.iter().any(|info| info.field == *field && info.exact);
        self.question.told.iter().any(exact)
    }

    /// Answers it: `run` hands the positions of a source to the finder, and says whether these were all.
    pub(crate) fn answer<G: Present>(
        &self,
        rules: &G,
        values: Option<&dyn Probe<G>>,
        total: Option<u64>,
        watch: &Watch<'_>,
        sink: &mut FindSink<'_>,
        run: &mut dyn FnMut(&mut Finder<'_, G>) -> Result<bool, FindError>,
    ) -> Result<FindView, WorkError> {
        let stopwatch = Stopwatch::start();
        let scope = Scope::new(rules, &self.vocabulary, values);
        let work = watch.work(self.request.threads, self.request.memory);
        let mut tell = |found: &Match| {
            let fields = self.names.iter().cloned().zip(found.fields.iter().cloned()).collect();
            sink(&FoundView { position: found.position.clone(), fields })
        };
        let mut finder = Finder::new(&scope, &self.question, &work, total, &mut tell);
        let all = run(&mut finder).map_err(|error| failed(rules, error))?;
        let Found { looked_at, matched, undecided, complete } = finder.finish();
        Ok(FindView {
            looked_at,
            matched,
            undecided,
            complete: complete && all,
            seconds: stopwatch.seconds(),
            cpu_seconds: stopwatch.cpu_seconds(),
        })
    }
}

/// What a source tells for nothing.
fn usual(origin: Origin) -> Vec<Field> {
    match origin {
        Origin::Tables => vec![Field::Value, Field::Distance],
        Origin::Book => vec![Field::Games, Field::Score],
        Origin::Enumerate => vec![Field::Ply],
        Origin::File => vec![Field::Line],
    }
}

fn failed<G: Present>(rules: &G, error: FindError) -> WorkError {
    match error {
        FindError::Game(error) => SolveError::Game(error).into(),
        FindError::File(error) => error.into(),
        other => InputError::new(ErrorKind::Damaged, rules.id(), other.to_string()).into(),
    }
}
