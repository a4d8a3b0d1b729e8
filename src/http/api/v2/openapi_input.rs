//! What every request has to fit, for the description: it permits no more than the service does.

use crate::model::roles::PlatformRole;
use crate::settings::ServiceName;
use serde_json::{Map, Value, json};

/// Any text but one with U+0000, in the form that all regular expressions share.
const WITHOUT_NUL: &str = r"^[^\x00]*$";

pub(super) fn add_parameter(operation: &mut Value, parameter: Value) {
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(parameter),
        None => operation["parameters"] = json!([parameter]),
    }
}

/// A change with the session's cookies repeats the token that is in one of them.
pub(super) fn add_csrf_token(name: &ServiceName, method: &str, operation: &mut Value) {
    let mut ways = operation["security"].as_array().into_iter().flatten();
    if method == "get" || !ways.any(|way| way.get("session").is_some()) {
        return;
    }
    let description = format!("The value of the cookie `{}`.", name.csrf_cookie());
    let schema = json!({"type": "string", "minLength": 1});
    let parameter = json!({
        "name": "X-CSRF-Token", "in": "header", "required": true, "description": description, "schema": schema,
    });
    add_parameter(operation, parameter);
}

/// Texts in these schemas, at any depth, hold no U+0000, unless more is said of them.
pub(super) fn forbid_nul(schemas: &mut Value) {
    match schemas {
        Value::Array(several) => several.iter_mut().for_each(forbid_nul),
        Value::Object(schema) if is_free_text(schema) => {
            schema.insert("pattern".to_owned(), json!(WITHOUT_NUL));
        }
        Value::Object(schema) => schema.values_mut().for_each(forbid_nul),
        _ => {}
    }
}

fn is_free_text(schema: &Map<String, Value>) -> bool {
    let types = schema
        .get("type")
        .into_iter()
        .flat_map(|types| types.as_array().map_or(std::slice::from_ref(types), Vec::as_slice));
    types.into_iter().any(|name| name == "string")
        && !["pattern", "format", "enum"].iter().any(|known| schema.contains_key(*known))
}

/// Platform roles that are given have one of this service's names for them, which the example has, too.
pub(super) fn name_roles(name: &ServiceName, schema: &mut Value, is_given: bool) {
    schema["example"] = json!([name.role(PlatformRole::Auditor)]);
    if is_given {
        let names = PlatformRole::ALL.map(|role| name.role(role)).join("|");
        schema["items"]["pattern"] = json!(format!("^({names})$"));
    }
}
