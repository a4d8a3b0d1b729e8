//! What is sent is what docs/reference/events/ says: each body that the walk over all events receives, and that of a test
//! event, is held against the schema of its kind.

use serde_json::Value;
use std::path::{Path, PathBuf};
use uuid::Uuid;

single_run![wrong_bodies_do_not_pass];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/events")
}

/// What a body lacks, has too much, or has in another form than the schema of its kind says. A field that no schema
/// names is too much here, although receivers ignore it.
pub fn differences(body: &[u8]) -> Vec<String> {
    let body: Value = serde_json::from_slice(body).unwrap();
    let file = folder().join(format!("{}.json", body["type"].as_str().unwrap()));
    let schema = std::fs::read_to_string(file).unwrap();
    let mut found = Vec::new();
    compare("", &serde_json::from_str(&schema).unwrap(), &body, &mut found);
    found
}

fn compare(place: &str, schema: &Value, value: &Value, found: &mut Vec<String>) {
    if !is_valid(schema, value) {
        found.push(format!("{place}: {value} is not {schema}"));
    }
    let (Some(properties), Some(members)) = (schema["properties"].as_object(), value.as_object()) else { return };
    let required = schema["required"].as_array().unwrap();
    assert_eq!(required.len(), properties.len(), "every field is always sent");
    let missing = required.iter().filter_map(Value::as_str).filter(|name| !members.contains_key(*name));
    found.extend(missing.map(|name| format!("{place}.{name} is missing")));
    for (name, member) in members {
        match properties.get(name) {
            Some(schema) => compare(&format!("{place}.{name}"), schema, member, found),
            None => found.push(format!("{place}.{name} is in no schema")),
        }
    }
}

fn is_valid(schema: &Value, value: &Value) -> bool {
    let is_type = |name: &Value| match name.as_str().unwrap() {
        "string" => value.is_string(),
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    let types = &schema["type"];
    let type_fits = types.is_null() || types.as_array().map_or_else(|| is_type(types), |any| any.iter().any(is_type));
    let form_fits = value.as_str().is_none_or(|text| match schema["format"].as_str() {
        Some("uuid") => Uuid::try_parse(text).is_ok() && text.len() == 36,
        Some("date-time") => text.len() == 27 && text.ends_with('Z') && text.as_bytes()[10] == b'T',
        Some(other) => panic!("{other}"),
        None => schema["pattern"].is_null() || text.strip_prefix("evt_").is_some_and(|id| Uuid::try_parse(id).is_ok()),
    });
    let listed = schema["enum"].as_array().is_none_or(|values| values.contains(value));
    let constant = schema.get("const").is_none_or(|constant| constant == value);
    type_fits && form_fits && listed && constant
}

async fn wrong_bodies_do_not_pass() {
    let id = "01980a3c-6666-7d4c-8b3a-291817061504";
    let body = |data: &str| {
        format!(r#"{{"id":"evt_{id}","type":"user.created","created_at":"2026-03-14T09:26:53.589793Z","data":{data}}}"#)
    };
    let right = format!(r#"{{"user_id":"{id}"}}"#);
    assert_eq!(differences(body(&right).as_bytes()), [""; 0]);
    for data in ["{}", "[]", r#"{"user_id":null}"#, r#"{"user_id":"x"}"#, &right.replace('}', r#","more":1}"#)] {
        assert_eq!(differences(body(data).as_bytes()).len(), 1, "{data}");
    }
    assert_eq!(differences(body(&right).replace("evt_", "").as_bytes()).len(), 1);
}
