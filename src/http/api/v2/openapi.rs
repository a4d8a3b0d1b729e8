//! The description of the API (`OpenAPI` 3.1), from the operations themselves.

use super::answer_body;
use super::error::ErrorBody;
use crate::http::api::error::ErrorCode;
use crate::model::roles::PlatformRole;
use crate::settings::ServiceName;
use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;
use utoipa::{PartialSchema, ToSchema};

/// Any text but one with U+0000, in the form that all regular expressions share.
const WITHOUT_NUL: &str = r"^[^\x00]*$";

#[derive(Clone)]
pub struct Document(Bytes);

impl Document {
    /// The description of a service with this name; one that cannot be written is empty.
    pub fn new(name: &ServiceName, mut operations: OpenApi) -> Self {
        let mut schemas = vec![(ErrorBody::name().into_owned(), ErrorBody::schema())];
        ErrorBody::schemas(&mut schemas);
        schemas.extend(answer_body::schemas());
        operations.components.get_or_insert_default().schemas.extend(schemas);
        let described = serde_json::to_value(operations).unwrap_or_default();
        let text = serde_json::to_string_pretty(&complete(name, described)).unwrap_or_default();
        Self(Bytes::from(text + "\n"))
    }

    /// The answer with it, which needs no credential.
    pub fn answer(&self) -> Response {
        let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
        (headers, self.0.clone()).into_response()
    }
}

/// Adds what every operation has: the errors, and how a caller says who it is.
fn complete(name: &ServiceName, mut document: Value) -> Value {
    document["info"] = json!({
        "title": "Doorward API",
        "version": "2",
        "description": "Users, organizations and sessions of the service. Every answer has `Cache-Control: no-store`. \
            Times are RFC 3339 in UTC with microseconds. Lists are newest first. No text that is sent may hold the \
            character U+0000.",
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        "contact": {"name": "The operator of the service"},
    });
    document["servers"] = json!([{"url": "/", "description": "The base URL of the service."}]);
    document["tags"] = json!([
        {"name": "users", "description": "What an application's backend asks and changes, with an API key."},
        {"name": "organizations", "description": "Organizations, their members and invitations, with an API key."},
        {"name": "session", "description": "What the logged-in person asks and does, with the session's cookies."},
    ]);
    document["components"]["securitySchemes"] = json!({
        "key": {"type": "http", "scheme": "bearer", "description": format!(
            "An API key, `{name}key_…`, made by `doorward api-key create`."
        )},
        "session": {"type": "apiKey", "in": "cookie", "name": name.access_cookie(), "description": format!(
            "The access token of a session. A change also repeats the cookie `{}` in the header `X-CSRF-Token`.",
            name.csrf_cookie(),
        )},
        "refresh": {"type": "apiKey", "in": "cookie", "name": name.refresh_cookie(), "description":
            "The refresh token of a session, where an operation says so."
        },
    });
    document["components"]["responses"] = ErrorCode::ALL.map(response).into_iter().collect::<Map<_, _>>().into();
    let operations = document["paths"].as_object_mut().into_iter().flat_map(Map::iter_mut);
    for (path, methods) in operations {
        for (method, operation) in methods.as_object_mut().into_iter().flat_map(Map::iter_mut) {
            add_errors(path, method, operation);
            add_csrf_token(name, method, operation);
            if let Some(parameters) = operation.get_mut("parameters") {
                forbid_nul(parameters);
            }
        }
    }
    for schema in document["components"]["schemas"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        // Answers may get more fields.
        let is_given = schema["additionalProperties"] == false;
        if let Some(roles) = schema.pointer_mut("/properties/roles") {
            name_roles(name, roles, is_given);
        }
        if is_given {
            forbid_nul(&mut schema["properties"]);
        }
    }
    let paths = document["paths"].to_string();
    if let Some(responses) = document["components"]["responses"].as_object_mut() {
        responses.retain(|name, _| paths.contains(&format!("#/components/responses/{name}\"")));
    }
    document
}

fn response(code: ErrorCode) -> (String, Value) {
    let (status, name, message) = code.parts();
    let example = json!({"error": {"code": name, "message": message}});
    let content = json!({"schema": {"$ref": "#/components/schemas/ErrorBody"}, "example": example});
    let mut response = json!({"description": message, "content": {"application/json": content}});
    if matches!(status.as_u16(), 429 | 503) {
        let seconds = json!({"type": "integer", "minimum": 0});
        response["headers"]["Retry-After"] = json!({"description": "Seconds until a retry.", "schema": seconds});
    }
    (name.to_owned(), response)
}

fn add_errors(path: &str, method: &str, operation: &mut Value) {
    use ErrorCode as E;
    let is_change = method != "get";
    let by_key = operation["security"].as_array().is_some_and(|any| any.iter().any(|one| one.get("key").is_some()));
    let mut codes = vec![E::InvalidRequest, E::Unauthorized, E::InternalError, E::Unavailable];
    if by_key || is_change {
        codes.extend([E::Forbidden, E::RateLimited]);
    }
    if path.contains('{') || path.ends_with("/session/organization") {
        codes.push(E::NotFound);
    }
    if operation.get("requestBody").is_some() {
        codes.extend([E::TooLarge, E::UnsupportedMediaType, E::ValidationFailed]);
    }
    for code in codes {
        let (status, name, _) = code.parts();
        operation["responses"][status.as_str()] = json!({"$ref": format!("#/components/responses/{name}")});
    }
    if by_key && matches!(method, "post" | "patch") {
        add_idempotency(operation);
    }
}

/// A POST or PATCH by a backend may be repeated.
fn add_idempotency(operation: &mut Value) {
    let parameter = json!({
        "name": "Idempotency-Key", "in": "header", "required": false,
        "description": "Repeated within 24 hours with the same body, the request gets the first answer, with \
            `Idempotency-Replayed: true`.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    });
    add_parameter(operation, parameter);
    let own = operation["responses"]["409"]["description"].as_str().map(|own| format!("{own}, ")).unwrap_or_default();
    let description = format!("{own}`idempotency_mismatch`, `idempotency_in_progress`");
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}});
    operation["responses"]["409"] = json!({"description": description, "content": content});
}

fn add_parameter(operation: &mut Value, parameter: Value) {
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(parameter),
        None => operation["parameters"] = json!([parameter]),
    }
}

/// A change with the session's cookies repeats the token that is in one of them.
fn add_csrf_token(name: &ServiceName, method: &str, operation: &mut Value) {
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
fn forbid_nul(schemas: &mut Value) {
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
fn name_roles(name: &ServiceName, schema: &mut Value, is_given: bool) {
    schema["example"] = json!([name.role(PlatformRole::Auditor)]);
    if is_given {
        let names = PlatformRole::ALL.map(|role| name.role(role)).join("|");
        schema["items"]["pattern"] = json!(format!("^({names})$"));
    }
}

#[cfg(test)]
#[path = "openapi_tests.rs"]
mod tests;
