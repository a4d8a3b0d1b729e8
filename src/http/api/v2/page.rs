//! Lists: pages, newest first, and the cursor that leads from one to the next.
//!
//! A cursor is sealed: it shows nothing, cannot be made up, and opens only for the list and the filters it came from.

use super::error::OperationError;
use super::parameters::{Parameters, bad};
use crate::context::App;
use crate::crypto::seal::SealContext;
use crate::error::Error;
use crate::model::time::Time;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 200;
/// Longer than any cursor.
const MAX_CURSOR_LEN: usize = 256;

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Page<T> {
    /// The things, newest first.
    data: Vec<T>,
    /// Gives the next page as `after`; null on the last one.
    #[schema(required = true)]
    next: Option<String>,
}

/// The parameters of every list, for its description; [`PageRequest::read`] reads them.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it only describes")]
pub struct PageParameters {
    /// How many things the page has at most.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u8>,
    /// The `next` of the page before, with the same other parameters.
    after: Option<String>,
}

/// A place in a list: after the thing with this time and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPosition {
    /// When it was created.
    pub at: Time,
    /// Its id.
    pub id: Uuid,
}

impl ListPosition {
    /// Before everything, newest first.
    const START: ListPosition = ListPosition { at: Time::from_micros(i64::MAX), id: Uuid::max() };
}

/// The page that a request asks for.
pub struct PageRequest {
    /// After this the page begins.
    pub after: ListPosition,
    limit: usize,
    /// What the list is of; its cursors are bound to it.
    list: String,
}

impl PageRequest {
    /// Reads `limit` and `after`. `list` is the path of the list, with its ids.
    pub fn read(app: &App, parameters: &Parameters, list: &str) -> Result<Self, OperationError> {
        let limit = match parameters.get("limit") {
            None => DEFAULT_LIMIT,
            Some(text) => limit(text).ok_or_else(|| bad("The limit must be from 1 to 200."))?,
        };
        let list = format!("{list}?{}", parameters.filters());
        let after = match parameters.get("after") {
            None => ListPosition::START,
            Some(cursor) => open(app, &list, cursor)
                .ok_or_else(|| bad("The cursor is not one of this list and these filters; begin without it."))?,
        };
        Ok(Self { after, limit, list })
    }

    /// Of a list without filters: `limit` and `after` are all that its query may have.
    pub fn unfiltered(app: &App, query: Option<&str>, list: &str) -> Result<Self, OperationError> {
        Self::read(app, &Parameters::read(query, &["after", "limit"], &[])?, list)
    }

    /// How many rows to read: one more than the page has.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit + 1).unwrap_or(i64::MAX)
    }

    /// The page of these rows, of which [`PageRequest::rows`] were read.
    pub fn page<R, T>(
        &self,
        app: &App,
        mut rows: Vec<R>,
        position: impl Fn(&R) -> ListPosition,
        show: impl Fn(R) -> T,
    ) -> Result<Page<T>, OperationError> {
        let has_more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let next = match rows.last() {
            Some(last) if has_more => Some(seal(app, &self.list, position(last))?),
            _ => None,
        };
        Ok(Page { data: rows.into_iter().map(show).collect(), next })
    }
}

/// Digits alone: no sign, no blank.
fn limit(text: &str) -> Option<usize> {
    let is_number = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|limit| is_number && (1..=MAX_LIMIT).contains(limit))
}

fn context(list: &str) -> SealContext<'_> {
    SealContext { table: "api v2", row: list.as_bytes(), column: "after" }
}

fn seal(app: &App, list: &str, position: ListPosition) -> Result<String, OperationError> {
    let plain = [position.at.as_micros().to_be_bytes().as_slice(), position.id.as_bytes()].concat();
    let sealed = app.secret_keys.seal(&context(list), &plain).map_err(Error::crypto)?;
    Ok(URL_SAFE_NO_PAD.encode(sealed))
}

fn open(app: &App, list: &str, cursor: &str) -> Option<ListPosition> {
    let sealed = URL_SAFE_NO_PAD.decode(Some(cursor).filter(|cursor| cursor.len() <= MAX_CURSOR_LEN)?).ok()?;
    let plain = app.secret_keys.open(&context(list), &sealed).ok()?;
    let (at, id) = plain.split_first_chunk()?;
    Some(ListPosition { at: Time::from_micros(i64::from_be_bytes(*at)), id: Uuid::from_slice(id).ok()? })
}
