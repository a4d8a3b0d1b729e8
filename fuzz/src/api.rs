//! API v2: the bodies of its operations, and the places in its lists.

use super::SETTINGS;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use doorward::crypto::secret_keys::SecretKeys;
use doorward::domain::account::create::NewUser;
use doorward::domain::account::update::UserUpdate;
use doorward::http::api::v2::body;
use doorward::http::api::v2::error::OperationError;
use doorward::http::api::v2::organization_body::{
    MemberChangeBody, NewInvitationBody, NewMemberBody, NewOrganizationBody, OrganizationChangeBody,
};
use doorward::http::api::v2::page::PageRequest;
use doorward::http::api::v2::parameters::Parameters;
use doorward::http::api::v2::session_body::ChosenOrganization;
use doorward::http::api::v2::user_input::{NewUserBody, UserUpdateBody};
use doorward::model::external_id::ExternalId;
use doorward::model::list_place::ListPlace;
use doorward::model::metadata::Metadata;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::str::from_utf8;
use std::sync::LazyLock;

/// The largest JSON text whose metadata cannot grow beyond their limit when it is written another way.
const SHORT: usize = 800;
const LIST: &str = "/auth/api/v2/organizations";

static KEYS: LazyLock<SecretKeys> = LazyLock::new(|| SecretKeys::generate().expect("random bytes").0);

/// The body of each operation: what is accepted is an object that every parser reads alike, and a refusal is one of the
/// caller's mistakes.
pub fn api_body(input: &[u8]) {
    if let Some(new) = accepted::<NewUserBody>(input) {
        new.into_user(&SETTINGS.name).map_or_else(refused, |user| created(input, &user));
    }
    if let Some(update) = accepted::<UserUpdateBody>(input) {
        update.into_update(&SETTINGS.name).map_or_else(refused, |update| updated(input, &update));
    }
    accepted::<NewOrganizationBody>(input);
    accepted::<OrganizationChangeBody>(input);
    accepted::<NewMemberBody>(input);
    accepted::<MemberChangeBody>(input);
    accepted::<NewInvitationBody>(input);
    accepted::<ChosenOrganization>(input);
}

fn accepted<T: DeserializeOwned>(input: &[u8]) -> Option<T> {
    let read = match body::parse::<T>(input) {
        Ok(read) => read,
        Err(error) => {
            refused(error);
            return None;
        }
    };
    let value: Value = serde_json::from_slice(input).expect("accepted JSON");
    assert!(value.is_object() && !holds_nul(&value), "{value}");
    assert!(serde_json::from_slice::<T>(input).is_ok(), "{value}");
    if input.len() <= SHORT {
        assert!(body::parse::<T>(value.to_string().as_bytes()).is_ok(), "{value}");
    }
    Some(read)
}

fn refused(error: OperationError) {
    let status = error.into_response().status();
    assert!([StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY].contains(&status), "{status}");
}

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(holds_nul),
        Value::Object(members) => members.iter().any(|(name, value)| name.contains('\0') || holds_nul(value)),
        _ => false,
    }
}

fn created(input: &[u8], user: &NewUser) {
    kept(input, &user.details.metadata);
    user.details.external_id.iter().for_each(short_id);
    assert!(user.username.as_ref().is_none_or(|name| !name.trim().is_empty()));
    if let Some(name) = &user.name {
        assert!((1..=100).contains(&name.as_str().chars().count()), "{name:?}");
        // A name that is written into the form of the account page is accepted there.
        let again = body::parse::<NewUserBody>(&body_with_name(name.as_str())).expect("a body");
        let again = again.into_user(&SETTINGS.name).ok().and_then(|user| user.name);
        assert_eq!(again.as_ref(), Some(name));
    }
}

fn body_with_name(name: &str) -> Vec<u8> {
    serde_json::json!({"email": "ada@example.com", "name": name}).to_string().into_bytes()
}

fn updated(input: &[u8], update: &UserUpdate) {
    if let Some(metadata) = &update.details.metadata {
        kept(input, metadata);
    }
    update.details.external_id.iter().flatten().for_each(short_id);
}

/// Metadata are kept letter by letter.
fn kept(input: &[u8], metadata: &Metadata) {
    let text = metadata.as_str();
    assert!(text.len() <= 4096);
    assert!(metadata.is_none() || input.windows(text.len()).any(|part| part == text.as_bytes()), "{text}");
}

fn short_id(id: &ExternalId) {
    assert!((1..=255).contains(&id.as_str().len()), "{id:?}");
}

/// In the first line a query, in the second a place of the command line, then a cursor: what is accepted was sealed for
/// this list and these filters.
pub fn api_cursor(input: &[u8]) {
    let Ok(text) = from_utf8(input) else { return };
    let mut lines = text.splitn(3, '\n');
    let [query, place, cursor] = std::array::from_fn(|_| lines.next().unwrap_or_default());
    let place = ListPlace::parse(place);
    if let Some(place) = place {
        assert!((0..=ListPlace::START.at.as_micros()).contains(&place.at.as_micros()), "{place}");
        assert_eq!(ListPlace::parse(&place.to_string()), Some(place));
    }
    let Ok(parameters) = Parameters::read(Some(query), &["after", "limit", "query"], &["id"]) else { return };
    assert!(query.split('&').count() <= 128);
    let request = PageRequest::read(&KEYS, &parameters, LIST);
    let begins = request.as_ref().is_ok_and(|request| request.range.after == ListPlace::START);
    // No input here is sealed by the key.
    assert!(request.is_err() || (begins && parameters.get("after").is_none()), "{query}");
    assert!(opened("", cursor).is_none(), "{cursor}");
    if let (Ok(request), Some(place)) = (request, place) {
        assert!((1..=200).contains(&request.range.limit), "{query}");
        continues(&request, query, place, cursor);
    }
}

/// A sealed cursor leads to its place with the same parameters only.
fn continues(request: &PageRequest, query: &str, place: ListPlace, other: &str) {
    let cursor = request.cursor(&KEYS, place).expect("a cursor");
    assert!(cursor.len() <= 256 && cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    // One parameter more may be too many.
    let is_full = query.split('&').count() == 128;
    assert!(is_full || opened(query, &cursor) == Some(place), "{query}");
    assert_eq!(opened(&format!("{query}&id=another"), &cursor), None, "{query}");
    for changed in [cursor[1..].to_owned(), format!("{cursor}{other}x"), format!("{cursor}=")] {
        assert_eq!(opened(query, &changed), None, "{changed}");
    }
}

/// Where a list goes on by a cursor.
fn opened(query: &str, cursor: &str) -> Option<ListPlace> {
    let query =
        format!("{query}&after={}", percent_encoding::utf8_percent_encode(cursor, percent_encoding::NON_ALPHANUMERIC));
    let parameters = Parameters::read(Some(&query), &["after", "limit", "query"], &["id"]).ok()?;
    PageRequest::read(&KEYS, &parameters, LIST).ok().map(|request| request.range.after)
}
