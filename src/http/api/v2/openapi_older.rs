//! The description as `OpenAPI` 3.0.3 says it, for programs that read no newer one: the file beside that of the service.

use serde_json::{Map, Value, json};

pub fn older(mut document: Value) -> Value {
    restate(&mut document);
    document["openapi"] = json!("3.0.3");
    if let Some(license) = document["info"]["license"].as_object_mut() {
        license.remove("identifier");
    }
    document
}

fn restate(value: &mut Value) {
    match value {
        Value::Array(several) => several.iter_mut().for_each(restate),
        Value::Object(object) => {
            object.values_mut().for_each(restate);
            object.remove("propertyNames");
            restate_null(object);
            restate_reference(object);
        }
        _ => {}
    }
}

/// There is no type `null`, but the word `nullable`.
fn restate_null(schema: &mut Map<String, Value>) {
    let without_null = |values: &[Value], is_null: fn(&Value) -> bool| match values {
        [one, null] | [null, one] if is_null(null) => Some(one.clone()),
        _ => None,
    };
    let list = |key| schema.get(key).and_then(Value::as_array);
    if let Some(only) = list("type").and_then(|types| without_null(types, |name| name == "null")) {
        schema.insert("type".to_owned(), only);
    } else if let Some(only) = list("oneOf").and_then(|any| without_null(any, |one| one["type"] == "null")) {
        schema.remove("oneOf");
        schema.insert("allOf".to_owned(), json!([only]));
    } else {
        return;
    }
    schema.insert("nullable".to_owned(), json!(true));
}

/// What stands beside a reference is not read.
fn restate_reference(schema: &mut Map<String, Value>) {
    if schema.len() > 1
        && let Some(reference) = schema.remove("$ref")
    {
        schema.insert("allOf".to_owned(), json!([{"$ref": reference}]));
    }
}
