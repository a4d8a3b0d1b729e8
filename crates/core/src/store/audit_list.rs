//! The audit log as a whole: newest first, restricted by what entries are about, by kind and by time.
//!
//! Each statement walks an index in the order of the list and takes at most so many places from it. Only a kind beside
//! something else is compared afterwards, so that a part of the list may end before it is full: it then says where.

use super::audit::{AuditRow, entry};
use super::{Conn, Result};
use crate::model::api_key::ApiKeyName;
use crate::model::audit::AuditKind;
use crate::model::ids::{AuditId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use uuid::Uuid;

/// The most places that one part of the list reads when a kind is compared afterwards.
pub const AUDIT_PLACES: i64 = 2_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditAbout {
    /// A person, as the owner of the entry, the one whom it is about or the one who acted; or an organization.
    Id(Uuid),
    /// An actor who is no person: `operator`, `unknown`, or `key:` and the name of an API key.
    Actor(String),
    /// Nothing that exists: no entry.
    Nothing,
}

impl AuditAbout {
    /// Reads an id, or an actor who is no person. A deleted account or organization has its id still.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_key = text.strip_prefix("key:").is_some_and(|name| ApiKeyName::parse(name).is_ok());
        let is_actor = ["operator", "unknown"].contains(&text) || is_key;
        match Uuid::try_parse(text) {
            Ok(id) => Some(Self::Id(id)),
            // PostgreSQL has no text with this character.
            Err(_) if text.contains('\0') => Some(Self::Nothing),
            Err(_) => is_actor.then(|| Self::Actor(text.to_owned())),
        }
    }
}

/// Which entries to list; what is `None` does not restrict them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    pub about: Option<AuditAbout>,
    pub kind: Option<AuditKind>,
    /// When it happened at the earliest.
    pub since: Option<Time>,
    /// Before when it happened.
    pub until: Option<Time>,
}

/// Entries, and where the search for more of them stopped.
#[derive(Debug)]
pub struct AuditPart {
    /// The entries, the newest first.
    pub rows: Vec<AuditRow>,
    /// The last of [`AUDIT_PLACES`], if they were read before there were enough entries.
    pub cut: Option<ListPlace>,
}

/// At most `$4` entries of one index: after the place `$1`, `$2`, at `$3` or later, about `$6`.
macro_rules! walk {
    ($columns:expr, $condition:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM audit WHERE ",
            $condition,
            "(at, id) < ($1, $2) AND at >= $3 ORDER BY at DESC, id DESC LIMIT $4"
        )
    };
}

/// At most `$4` entries that have an id, each in one of four indexes.
macro_rules! walk_id {
    ($columns:expr) => {
        concat!(each_of_id!(walk!($columns)), " ORDER BY at DESC, id DESC LIMIT $4")
    };
}

/// Four statements, of which no two have the same entry: one for each index of ids. The conditions are those of the indexes.
macro_rules! each_of_id {
    ($one:ident!($($columns:expr)?)) => {
        concat!(
            "SELECT * FROM (",
            $one!($($columns,)? "user_id = $6 AND "),
            ") AS own UNION ALL SELECT * FROM (",
            $one!($($columns,)? "subject_id = $6 AND subject_id <> user_id AND "),
            ") AS subjects UNION ALL SELECT * FROM (",
            $one!(
                $($columns,)?
                "actor_user_id = $6 AND (user_id IS NULL OR actor_user_id <> user_id) \
                 AND (subject_id IS NULL OR subject_id <> $6) AND "
            ),
            ") AS actors UNION ALL SELECT * FROM (",
            $one!($($columns,)? "organization_id = $6 AND "),
            ") AS organizations"
        )
    };
}

/// At most `$4` entries of one index that are of the kind `$5`, or of any.
macro_rules! matching {
    ($condition:literal) => {
        concat!(
            "SELECT 1 FROM audit WHERE ",
            $condition,
            "(at, id) < ($1, $2) AND at >= $3 AND ($5 IS NULL OR kind = $5) \
             ORDER BY at DESC, id DESC LIMIT $4"
        )
    };
}

/// The statements of one way through the log.
#[derive(Clone, Copy)]
struct Statements {
    /// At most `$7` of the entries, of the kind `$5` or of any.
    list: &'static str,
    /// The place of the last of `$4`.
    last: &'static str,
    /// The number of all of the kind `$5` or of any, up to `$4`.
    count: &'static str,
}

macro_rules! statements {
    ($list:expr, $places:expr, $count:expr) => {
        Statements {
            list: concat!(
                "SELECT ",
                entry!(),
                " FROM (",
                $list,
                ") AS places WHERE $5 IS NULL OR kind = $5 ORDER BY at DESC, id DESC LIMIT $7"
            ),
            last: concat!("SELECT at, id FROM (", $places, ") AS places ORDER BY at DESC, id DESC LIMIT 1 OFFSET $7"),
            count: concat!("SELECT count(*) FROM (", $count, ") AS counted"),
        }
    };
    ($condition:literal) => {
        statements!(walk!(entry!(), $condition), walk!("at, id", $condition), matching!($condition))
    };
}

const ALL: Statements = statements!("");
/// The condition is that of the index, which leaves the commonest kinds out.
const OF_KIND: Statements = statements!(
    "kind = $6 AND kind <> 'signed_in' AND kind <> 'signed_out' AND kind <> 'sign_in_failed' \
     AND kind <> 'session_ended' AND kind <> 'account_created' AND "
);
/// Kinds so common that they are met soon in the list of all.
const COMMON: [AuditKind; 5] = [
    AuditKind::LoggedIn,
    AuditKind::LoggedOut,
    AuditKind::LoginFailed,
    AuditKind::SessionEnded,
    AuditKind::AccountCreated,
];
/// The condition is that of the index, which has only such actors.
const OF_ACTOR: Statements = statements!("actor = $6 AND actor <> 'user' AND ");
const OF_ID: Statements = statements!(walk_id!(entry!()), walk_id!("at, id"), each_of_id!(matching!()));

/// The newest `$4` entries of a user, and of them at most `$6` of the kinds that follow.
const ATTEMPTS: &str = concat!(
    "SELECT ",
    entry!(),
    " FROM (",
    walk!(entry!(), "user_id = $5 AND "),
    ") AS places WHERE kind IN ($7, $8, $9, $10, $11, $12, $13) ORDER BY at DESC, id DESC LIMIT $6"
);

/// What a query is asked by: the index, and what is compared afterwards.
struct Way<'a> {
    statements: Statements,
    key: Key<'a>,
    kind: Option<&'static str>,
}

#[derive(Clone, Copy)]
enum Key<'a> {
    Text(Option<&'a str>),
    Id(Uuid),
}

impl AuditQuery {
    /// `None` if it finds nothing.
    fn way(&self) -> Option<Way<'_>> {
        let kind = self.kind.map(AuditKind::as_str);
        Some(match (&self.about, kind) {
            (None, None) => Way { statements: ALL, key: Key::Text(None), kind: None },
            (None, Some(common)) if self.kind.is_some_and(|kind| COMMON.contains(&kind)) => {
                Way { statements: ALL, key: Key::Text(None), kind: Some(common) }
            }
            (None, Some(kind)) => Way { statements: OF_KIND, key: Key::Text(Some(kind)), kind: None },
            (Some(AuditAbout::Actor(actor)), kind) => Way { statements: OF_ACTOR, key: Key::Text(Some(actor)), kind },
            (Some(AuditAbout::Id(id)), kind) => Way { statements: OF_ID, key: Key::Id(*id), kind },
            (Some(AuditAbout::Nothing), _) => return None,
        })
    }

    /// After which place the list begins, if it goes on after `after`.
    fn begin(&self, after: ListPlace) -> ListPlace {
        match self.until {
            Some(until) if until <= after.at => ListPlace { at: until, id: Uuid::nil() },
            _ => after,
        }
    }

    fn since(&self) -> Time {
        self.since.unwrap_or(Time::from_micros(0))
    }
}

/// Binds what all statements begin with, `$1` to `$6`.
macro_rules! bound {
    ($query:expr, $this:expr, $after:expr, $places:expr, $way:expr) => {{
        let query = $query.bind($after.at).bind($after.id).bind($this.since()).bind($places).bind($way.kind);
        match $way.key {
            Key::Text(text) => query.bind(text),
            Key::Id(id) => query.bind(id),
        }
    }};
}

/// A place as the database has it.
pub(super) struct PlaceRow {
    at: Time,
    id: AuditId,
}

row!(PlaceRow { at, id });

impl From<PlaceRow> for ListPlace {
    fn from(PlaceRow { at, id }: PlaceRow) -> Self {
        Self { at, id: id.0 }
    }
}

impl Conn {
    /// At most `limit` entries, the latest first, after a place.
    pub async fn audit_list(&mut self, query: &AuditQuery, after: ListPlace, limit: i64) -> Result<AuditPart> {
        let Some(way) = query.way() else { return Ok(AuditPart { rows: Vec::new(), cut: None }) };
        let after = query.begin(after);
        let places = if way.kind.is_some() { AUDIT_PLACES } else { limit };
        let rows: Vec<AuditRow> = with_engine!(self, way.statements.list, |c, sql| {
            bound!(sqlx::query_as(sql), query, after, places, way).bind(limit).fetch_all(c)
        })?;
        let is_full = way.kind.is_none() || i64::try_from(rows.len()).is_ok_and(|found| found >= limit);
        let cut = if is_full { None } else { self.audit_last_place(query, after, &way).await? };
        Ok(AuditPart { rows, cut })
    }

    async fn audit_last_place(
        &mut self,
        query: &AuditQuery,
        after: ListPlace,
        way: &Way<'_>,
    ) -> Result<Option<ListPlace>> {
        let last: Option<PlaceRow> = with_engine!(self, way.statements.last, |c, sql| {
            bound!(sqlx::query_as(sql), query, after, AUDIT_PLACES, way).bind(AUDIT_PLACES - 1).fetch_optional(c)
        })?;
        Ok(last.map(ListPlace::from))
    }

    /// At most `limit` attempts of a user to log in, and how they ended, the latest first: of the latest
    /// [`AUDIT_PLACES`] entries.
    pub async fn audit_attempts(&mut self, user: UserId, limit: i64) -> Result<Vec<AuditRow>> {
        let begin = ListPlace::START;
        with_engine!(self, ATTEMPTS, |c, sql| {
            let query = sqlx::query_as(sql).bind(begin.at).bind(begin.id).bind(Time::from_micros(0));
            let query = query.bind(AUDIT_PLACES).bind(user).bind(limit);
            AuditKind::OF_LOGINS.iter().fold(query, |query, kind| query.bind(kind.as_str())).fetch_all(c)
        })
    }

    /// The number of entries, counted up to `most`.
    pub async fn audit_count(&mut self, query: &AuditQuery, most: i64) -> Result<u64> {
        let Some(way) = query.way() else { return Ok(0) };
        let after = query.begin(ListPlace::START);
        let count: i64 = with_engine!(self, way.statements.count, |c, sql| {
            bound!(sqlx::query_scalar(sql), query, after, most, way).fetch_one(c)
        })?;
        Ok(u64::try_from(count.min(most)).unwrap_or(0))
    }
}

#[cfg(test)]
#[path = "audit_list_tests.rs"]
mod tests;
