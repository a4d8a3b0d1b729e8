//! Lists of users, the newest first.

use super::sql::{Sql, end_of_prefix};
use super::{Conn, Result, UserDetailsRow};
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::roles::PlatformRole;
use crate::model::time::Time;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserState {
    Active,
    Disabled,
    /// With an unverified email address.
    Unverified,
}

/// Which users a list has; what is `None` does not restrict it.
#[derive(Clone, Debug, Default)]
pub struct UserFilter {
    /// Where it ends at the latest: the time and the id of the last user that it may have.
    pub oldest: Option<(Time, UserId)>,
    /// The folded email address or username begins with this.
    pub prefix: Option<String>,
    pub state: Option<UserState>,
    pub role: Option<PlatformRole>,
}

impl UserFilter {
    /// Whether the list has a user, whatever the prefix.
    pub fn fits(&self, row: &UserDetailsRow) -> bool {
        self.oldest.is_none_or(|oldest| (row.created_at, row.id) >= oldest)
            && self.disabled().is_none_or(|disabled| row.disabled_at.is_some() == disabled)
            && self.verified().is_none_or(|verified| row.email_verified_at.is_some() == verified)
            && self.role.is_none_or(|role| row.roles.contains(role))
    }

    /// Whether accounts have to be disabled, or not.
    fn disabled(&self) -> Option<bool> {
        match self.state {
            Some(UserState::Active) => Some(false),
            Some(UserState::Disabled) => Some(true),
            Some(UserState::Unverified) | None => None,
        }
    }

    /// Whether addresses have to be verified, or not.
    fn verified(&self) -> Option<bool> {
        self.state.filter(|state| *state == UserState::Unverified).map(|_| false)
    }

    /// A pattern for the stored roles with a comma at both ends.
    pub(super) fn role_pattern(&self) -> Option<String> {
        self.role.map(|role| format!("%,{},%", role.as_str()))
    }
}

/// Sorting as many takes half a second. A page of as many is met soon in a list of a million, unless all are old.
const MANY: i64 = 30_000;

/// What restricts users of any list.
macro_rules! fit {
    () => {
        "($1 IS NULL OR (u.disabled_at IS NOT NULL) = $1) AND ($2 IS NULL OR (u.email_verified_at IS NOT NULL) = $2) \
         AND ($3 IS NULL OR ',' || u.roles || ',' LIKE $3) "
    };
}

/// What lists end with: what restricts them, the place after which they go on, and the last one.
macro_rules! page {
    ($where:expr) => {
        concat!(
            $where,
            fit!(),
            "AND (u.created_at, u.id) < ($4, $5) AND (u.created_at, u.id) >= ($6, $7) \
             ORDER BY u.created_at DESC, u.id DESC LIMIT $8"
        )
    };
}

const LIST: &str = select_details!(page!("WHERE "));
const LAST: &str = "SELECT u.created_at, u.id FROM users u WHERE (u.created_at, u.id) < ($1, $2) \
    ORDER BY u.created_at DESC, u.id DESC LIMIT 1 OFFSET $3";
/// Those who have a role are few among all. Their ids are in the order in which they were made.
const WITH_ROLE: &str = select_details!(concat!(
    "WHERE u.roles <> '' AND ",
    fit!(),
    "AND u.id < $4 AND u.id >= $5 ORDER BY u.id DESC LIMIT $6"
));
const WITH_ROLE_LAST: &str = "SELECT u.created_at, u.id FROM users u WHERE u.roles <> '' AND u.id < $1 \
    ORDER BY u.id DESC LIMIT 1 OFFSET $2";

macro_rules! search {
    ($engine:ident) => {
        select_details!(page!(concat!(
            "WHERE u.id IN (SELECT id FROM users WHERE ",
            begins!($engine "email_key", "$9", "$10"),
            " UNION SELECT id FROM users WHERE ",
            begins!($engine "username_key", "$9", "$10"),
            ") AND "
        )))
    };
}

/// For a beginning that many users share: walks the list instead of sorting all that begin so.
macro_rules! walk {
    ($engine:ident $email:literal, $username:literal) => {
        select_details!(page!(concat!(
            "WHERE ((",
            begins!($engine $email, "$9", "$10"),
            ") OR (",
            begins!($engine $username, "$9", "$10"),
            ")) AND "
        )))
    };
}

macro_rules! count_beginnings {
    ($engine:ident) => {
        concat!(
            "SELECT (SELECT count(*) FROM (SELECT 1 FROM users WHERE ",
            begins!($engine "email_key", "$1", "$2"),
            " LIMIT $3) a) + (SELECT count(*) FROM (SELECT 1 FROM users WHERE ",
            begins!($engine "username_key", "$1", "$2"),
            " LIMIT $3) b)"
        )
    };
}

const SEARCH: Sql = Sql { sqlite: search!(sqlite), postgres: search!(postgres) };
/// The signs have SQLite not take the indexes of the beginnings.
const WALK: Sql = Sql {
    sqlite: walk!(sqlite "+u.email_key", "+u.username_key"),
    postgres: walk!(postgres "u.email_key", "u.username_key"),
};
const BEGIN_ALIKE: Sql = Sql { sqlite: count_beginnings!(sqlite), postgres: count_beginnings!(postgres) };

impl Conn {
    /// At most `limit` users, the newest first, after the one with this time and id.
    pub async fn users_list(
        &mut self,
        filter: &UserFilter,
        (at, id): (Time, UserId),
        limit: i64,
    ) -> Result<Vec<UserDetailsRow>> {
        let (since, oldest) = filter.oldest.unwrap_or((Time::from_micros(0), UserId(Uuid::nil())));
        let (disabled, verified, role) = (filter.disabled(), filter.verified(), filter.role_pattern());
        let Some(prefix) = &filter.prefix else {
            return fetch_all!(self, LIST, disabled, verified, role, at, id, since, oldest, limit);
        };
        let sql = if self.many_users_begin_with(prefix).await? { WALK } else { SEARCH };
        let end = end_of_prefix(prefix);
        fetch_all!(self, sql, disabled, verified, role, at, id, since, oldest, limit, prefix.as_str(), end)
    }

    /// Whether sorting all users whose folded address or name begins so takes longer than to meet them in the list.
    async fn many_users_begin_with(&mut self, prefix: &str) -> Result<bool> {
        let found: i64 = fetch_scalar!(self, BEGIN_ALIKE, prefix, end_of_prefix(prefix), MANY)?;
        Ok(found >= MANY)
    }

    /// As [`users_list`](Self::users_list) without a prefix, among the next `places` users; with a role in the filter,
    /// among the next who have one. Returns the last of these places too, unless there are fewer.
    pub async fn users_list_among(
        &mut self,
        filter: &UserFilter,
        after: (Time, UserId),
        limit: i64,
        places: i64,
    ) -> Result<(Vec<UserDetailsRow>, Option<ListPlace>)> {
        let before_last = places.saturating_sub(1);
        let last: Option<(Time, UserId)> = match (filter.role, filter.state) {
            (Some(_), _) => fetch_optional!(self, WITH_ROLE_LAST, after.1, before_last)?,
            (None, Some(_)) => fetch_optional!(self, LAST, after.0, after.1, before_last)?,
            // All fit: no more are read than the list has.
            (None, None) => None,
        };
        let rows = if let Some(role) = filter.role_pattern() {
            let oldest = last.map_or(UserId(Uuid::nil()), |(_, id)| id);
            fetch_all!(self, WITH_ROLE, filter.disabled(), filter.verified(), role, after.1, oldest, limit)?
        } else {
            let filter = UserFilter { oldest: last, ..filter.clone() };
            self.users_list(&filter, after, limit).await?
        };
        Ok((rows, last.map(|(at, id)| ListPlace { at, id: id.0 })))
    }
}

#[cfg(test)]
#[path = "user_lists_tests.rs"]
mod tests;
