//! Answers to questions over positions, as front ends show them.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use tabia_report::find::{FIELDS, FieldInfo, Origin, Owned, Type, Vocabulary};

/// A field that questions may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldView {
    /// Its name, as it is written in a question.
    pub name: String,
    /// Its type in CEL: `int`, `double`, `string` or `bool`.
    pub r#type: &'static str,
    /// What it means.
    pub about: String,
    /// Where it is known.
    pub sources: Vec<&'static str>,
}

/// All fields of a game.
pub(super) fn fields(vocabulary: &Vocabulary) -> Vec<FieldView> {
    let all: Vec<&'static str> = Origin::ALL.iter().map(|origin| origin.name()).collect();
    let field = |info: &FieldInfo| FieldView {
        name: info.name.to_owned(),
        r#type: info.kind.name(),
        about: info.about.to_owned(),
        sources: info.only.map_or_else(|| all.clone(), |origin| vec![origin.name()]),
    };
    let names: Vec<&str> = vocabulary.sorts.iter().map(|sort| sort.name.as_str()).collect();
    let pieces = FieldView {
        name: "pieces(\"...\")".to_owned(),
        r#type: Type::Int.name(),
        about: format!("how many pieces of a sort stand on the board: {}", names.join(", ")),
        sources: all.clone(),
    };
    FIELDS.iter().map(field).chain([pieces]).collect()
}

/// A position that was found, with what was asked about it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundView {
    /// The position.
    pub position: String,
    /// The fields that the question uses and those that cost nothing, in the order of [`FoundView::names`].
    pub fields: Vec<(String, Owned)>,
}

impl FoundView {
    /// The names of the fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_str())
    }
}

/// One object: the position, and each field under its own name.
impl Serialize for FoundView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + 1))?;
        map.serialize_entry("position", &self.position)?;
        for (name, value) in &self.fields {
            match value {
                Owned::Null => map.serialize_entry(name, &())?,
                Owned::Bool(truth) => map.serialize_entry(name, truth)?,
                Owned::Int(number) => map.serialize_entry(name, number)?,
                Owned::Double(number) => map.serialize_entry(name, number)?,
                Owned::Text(text) => map.serialize_entry(name, text)?,
            }
        }
        map.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for FoundView {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FoundView".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "description": "A position that was found, and each field under its own name.",
            "properties": { "position": { "type": "string" } },
            "required": ["position"]
        })
    }
}

/// What a question came to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindView {
    /// Positions looked at.
    pub looked_at: u64,
    /// Those that fit; all there are only where `complete`.
    pub matched: u64,
    /// Those of which the question cannot be answered, because it needs something they do not have.
    pub undecided: u64,
    /// Whether the whole source was looked at.
    pub complete: bool,
    /// Time on the clock.
    pub seconds: f64,
    /// CPU time of this answer's own threads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
}
