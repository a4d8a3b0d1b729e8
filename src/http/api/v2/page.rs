//! Lists: pages, newest first, and the cursor that leads from one to the next.
//!
//! A cursor is sealed: it shows nothing, cannot be made up, and opens only for the list and the filters it came from.

use super::answer::{ApiAnswer, Listed};
use super::answer_body::{AnswerBody, Page};
use super::error::OperationError;
use super::parameters::{Parameters, bad};
use crate::context::App;
use crate::crypto::seal::SealContext;
use crate::crypto::secret_keys::SecretKeys;
use crate::domain::directory::list::{ListRange, Listing};
use crate::error::Error;
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use utoipa::IntoParams;
use uuid::Uuid;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;
/// Longer than any cursor.
const MAX_CURSOR_LEN: usize = 256;

/// The parameters of every list, for its description; [`PageRequest::read`] reads them.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it only describes")]
pub struct PageParameters {
    /// How many things the page has at most.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u8>,
    /// The `next` of the page before, with the same other parameters.
    #[param(min_length = 1, max_length = 256, pattern = "^[A-Za-z0-9_-]+$")]
    after: Option<String>,
}

/// The page that a request asks for.
pub struct PageRequest {
    pub range: ListRange,
    /// What the list is of; its cursors are bound to it.
    list: String,
}

impl PageRequest {
    /// Reads `limit` and `after`. `list` is the path of the list, with its ids.
    pub fn read(keys: &SecretKeys, parameters: &Parameters, list: &str) -> Result<Self, OperationError> {
        let limit = match parameters.get("limit") {
            None => DEFAULT_LIMIT,
            Some(text) => limit(text).ok_or_else(|| bad("The limit must be from 1 to 200."))?,
        };
        let list = format!("{list}?{}", parameters.filters());
        let after = match parameters.get("after") {
            None => ListPlace::START,
            Some(cursor) => open(keys, &list, cursor)
                .ok_or_else(|| bad("The cursor is not one of this list and these filters; begin without it."))?,
        };
        Ok(Self { range: ListRange { after, limit }, list })
    }

    /// Of a list without filters: `limit` and `after` are all that its query may have.
    pub fn unfiltered(keys: &SecretKeys, query: Option<&str>, list: &str) -> Result<Self, OperationError> {
        Self::read(keys, &Parameters::read(query, &["after", "limit"], &[])?, list)
    }

    /// The page with this part of the list.
    pub fn page<T>(&self, app: &App, listing: Listing<T>) -> Result<ApiAnswer<Listed<T>>, OperationError>
    where
        Page<T>: AnswerBody,
    {
        let next = listing.next.map(|place| self.cursor(&app.secret_keys, place)).transpose()?;
        Ok(ApiAnswer::shown(&Page { data: listing.data, next })?)
    }

    pub fn cursor(&self, keys: &SecretKeys, place: ListPlace) -> Result<String, OperationError> {
        let plain = [place.at.as_micros().to_be_bytes().as_slice(), place.id.as_bytes()].concat();
        let sealed = keys.seal(&context(&self.list), &plain).map_err(Error::crypto)?;
        Ok(URL_SAFE_NO_PAD.encode(sealed))
    }
}

/// Digits alone: no sign, no blank.
fn limit(text: &str) -> Option<u32> {
    let is_number = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|limit| is_number && (1..=MAX_LIMIT).contains(limit))
}

fn context(list: &str) -> SealContext<'_> {
    SealContext { table: "api v2", row: list.as_bytes(), column: "after" }
}

fn open(keys: &SecretKeys, list: &str, cursor: &str) -> Option<ListPlace> {
    let sealed = URL_SAFE_NO_PAD.decode(Some(cursor).filter(|cursor| cursor.len() <= MAX_CURSOR_LEN)?).ok()?;
    let plain = keys.open(&context(list), &sealed).ok()?;
    let (at, id) = plain.split_first_chunk()?;
    Some(ListPlace { at: Time::from_micros(i64::from_be_bytes(*at)), id: Uuid::from_slice(id).ok()? })
}
