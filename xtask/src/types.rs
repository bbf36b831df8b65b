//! TypeScript types of the answers, made from the description of the API.

use serde_json::Value;
use std::fmt::Write;

/// Every schema of an OpenAPI document as an exported type.
pub(crate) fn of(openapi: &Value) -> String {
    let mut out = "// The answers of Tabia, made from docs/openapi.json by `cargo xtask npm`.\n".to_owned();
    for (name, schema) in openapi["components"]["schemas"].as_object().into_iter().flatten() {
        out.push('\n');
        comment(schema, "", &mut out);
        let _ = writeln!(out, "export type {name} = {};", type_of(schema, ""));
    }
    out
}

fn comment(schema: &Value, indent: &str, out: &mut String) {
    if let Some(text) = schema["description"].as_str() {
        let text = text.replace("*/", "*").replace('\n', &format!("\n{indent} * "));
        let _ = writeln!(out, "{indent}/** {text} */");
    }
}

fn type_of(schema: &Value, indent: &str) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or("unknown").to_owned();
    }
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return union(values.iter().map(Value::to_string));
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return union(choices.iter().map(|choice| type_of(choice, indent)));
    }
    match &schema["type"] {
        Value::Array(types) => union(types.iter().map(|kind| named(kind.as_str(), schema, indent))),
        kind => named(kind.as_str(), schema, indent),
    }
}

fn named(kind: Option<&str>, schema: &Value, indent: &str) -> String {
    match kind {
        Some("integer" | "number") => "number".to_owned(),
        Some("array") => match schema["prefixItems"].as_array() {
            Some(items) => {
                let items: Vec<String> = items.iter().map(|item| type_of(item, indent)).collect();
                format!("[{}]", items.join(", "))
            }
            None if schema["minItems"].is_u64() && schema["minItems"] == schema["maxItems"] => {
                let count = schema["minItems"].as_u64().unwrap_or(0) as usize;
                format!("[{}]", vec![type_of(&schema["items"], indent); count].join(", "))
            }
            None => format!("Array<{}>", type_of(&schema["items"], indent)),
        },
        Some("object") => object(schema, indent),
        Some(other) => other.to_owned(),
        None => "unknown".to_owned(),
    }
}

fn object(schema: &Value, indent: &str) -> String {
    let Some(fields) = schema["properties"].as_object() else {
        let values = if schema["additionalProperties"].is_object() {
            type_of(&schema["additionalProperties"], indent)
        } else {
            "unknown".to_owned()
        };
        return format!("Record<string, {values}>");
    };
    let inner = format!("{indent}  ");
    let required = schema["required"].as_array();
    let mut out = "{\n".to_owned();
    for (name, field) in fields {
        comment(field, &inner, &mut out);
        let needed = required.is_some_and(|names| names.iter().any(|known| known == name));
        let mark = if needed { "" } else { "?" };
        let _ = writeln!(out, "{inner}{}{mark}: {};", Value::from(name.as_str()), type_of(field, &inner));
    }
    out + indent + "}"
}

fn union(parts: impl Iterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.collect();
    parts.dedup();
    parts.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_become_types() {
        let schema = json!({ "components": { "schemas": { "Move": {
            "type": "object", "description": "A move.", "required": ["text"],
            "properties": {
                "text": { "type": "string", "description": "As it is written." },
                "code": { "type": ["integer", "null"] },
                "steps": { "type": "array", "items": { "$ref": "#/components/schemas/Cell" } },
                "size": { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
                "shade": { "oneOf": [{ "const": "light" }, { "const": "dark" }] },
            },
        } } } });
        let types = of(&schema);
        let expected = "/** A move. */\nexport type Move = {\n  \"code\"?: number | null;\n  \
            \"shade\"?: \"light\" | \"dark\";\n  \"size\"?: [number, number];\n  \"steps\"?: Array<Cell>;\n  \
            /** As it is written. */\n  \"text\": string;\n};\n";
        assert!(types.ends_with(expected), "{types}");
    }
}
