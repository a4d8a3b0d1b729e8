//! Users as lists and backends see them: with what belongs to the account in other tables.

use super::sql::{Sql, end_of_prefix};
use super::values::among;
use super::{Conn, Result, Tx};
use crate::messages::Locale;
use crate::model::ids::UserId;
use crate::model::metadata::Metadata;
use crate::model::roles::{PlatformRole, Roles};
use crate::model::time::Time;

pub struct UserDetailsRow {
    pub id: UserId,
    /// Email address, as the user wrote it.
    pub email: String,
    /// Its folded form.
    pub email_key: String,
    /// Username, as the user wrote it.
    pub username: String,
    /// Its folded form.
    pub username_key: String,
    pub name: Option<String>,
    pub roles: Roles,
    pub email_verified_at: Option<Time>,
    pub disabled_at: Option<Time>,
    pub created_at: Time,
    /// The language of the user's pages and emails, once it is known.
    pub language: Option<Locale>,
    pub external_id: Option<String>,
    pub metadata: Metadata,
    /// When the latest session that is still stored began.
    pub last_login_at: Option<Time>,
    /// Whether there is an authenticator app or a passkey.
    pub two_factor: bool,
}

row!(UserDetailsRow {
    id,
    email,
    email_key,
    username,
    username_key,
    name,
    roles,
    email_verified_at,
    disabled_at,
    created_at,
    language,
    external_id,
    metadata,
    last_login_at,
    two_factor,
});

/// A user as it is shown alone, with what its other tables count.
pub struct WholeUserRow {
    pub user: UserDetailsRow,
    /// The password's hash; none for an account without password.
    pub password_hash: Option<String>,
    /// When the authenticator app was confirmed.
    pub two_factor_since: Option<Time>,
    pub recovery_codes_left: i64,
    pub passkeys: i64,
    pub sessions: i64,
    /// The address of the latest login of which a session is stored.
    pub last_login_address: Option<String>,
}

row!(WholeUserRow {
    password_hash,
    two_factor_since,
    recovery_codes_left,
    passkeys,
    sessions,
    last_login_address,
} and user);

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
    pub created_after: Option<Time>,
    /// The folded email address or username begins with this.
    pub prefix: Option<String>,
    pub state: Option<UserState>,
    pub role: Option<PlatformRole>,
}

impl UserFilter {
    /// Whether the list has a user, whatever the prefix.
    pub fn fits(&self, row: &UserDetailsRow) -> bool {
        self.created_after.is_none_or(|time| row.created_at > time)
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

macro_rules! select_user_and {
    ($columns:literal) => {
        concat!(
            "SELECT u.id, u.email, u.email_key, u.username, u.username_key, u.name, u.roles, u.email_verified_at, \
             u.disabled_at, u.created_at, u.language, u.external_id, u.metadata, ",
            $columns
        )
    };
}

macro_rules! select_details {
    ($rest:expr) => {
        concat!(
            select_user_and!(
                "(SELECT MAX(s.created_at) FROM sessions s WHERE s.user_id = u.id) AS last_login_at, \
                 EXISTS (SELECT 1 FROM totp t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL) \
                 OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS two_factor FROM users u "
            ),
            $rest
        )
    };
}

/// What both kinds of list end with: the place after which they go on, and what restricts them.
macro_rules! page {
    ($where:expr) => {
        concat!(
            $where,
            "(u.created_at, u.id) < ($1, $2) AND u.created_at > $3 \
             AND ($5 IS NULL OR (u.disabled_at IS NOT NULL) = $5) \
             AND ($6 IS NULL OR (u.email_verified_at IS NOT NULL) = $6) \
             AND ($7 IS NULL OR ',' || u.roles || ',' LIKE $7) \
             ORDER BY u.created_at DESC, u.id DESC LIMIT $4"
        )
    };
}

const OF_USERS: &str = select_details!("WHERE u.id IN (VALUES)");
const WITH_EXTERNAL_IDS: &str = select_details!("WHERE u.external_id IN (VALUES)");
const LIST: &str = select_details!(page!("WHERE "));

macro_rules! search {
    ($engine:ident) => {
        select_details!(page!(concat!(
            "WHERE u.id IN (SELECT id FROM users WHERE ",
            begins!($engine "email_key", "$8", "$9"),
            " UNION SELECT id FROM users WHERE ",
            begins!($engine "username_key", "$8", "$9"),
            ") AND "
        )))
    };
}

/// For a beginning that many users share: walks the list instead of sorting all that begin so.
macro_rules! walk {
    ($engine:ident $email:literal, $username:literal) => {
        select_details!(page!(concat!(
            "WHERE ((",
            begins!($engine $email, "$8", "$9"),
            ") OR (",
            begins!($engine $username, "$8", "$9"),
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
/// Joins what several columns are of, instead of looking it up for each.
const WHOLE: &str = select_user_and!(
    "l.created_at AS last_login_at, l.address AS last_login_address, u.password_hash, \
     t.user_id IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS two_factor, \
     t.confirmed_at AS two_factor_since, \
     (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL) AS recovery_codes_left, \
     (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id) AS passkeys, \
     (SELECT count(*) FROM sessions s WHERE s.user_id = u.id AND s.ended_at IS NULL AND s.expires_at > $2 \
     AND s.issued_at > $3) AS sessions \
     FROM users u LEFT JOIN totp t ON t.user_id = u.id AND t.confirmed_at IS NOT NULL \
     LEFT JOIN sessions l ON l.id = \
     (SELECT s.id FROM sessions s WHERE s.user_id = u.id ORDER BY s.created_at DESC, s.id DESC LIMIT 1) \
     WHERE u.id = $1"
);
const OTHER_ADMIN: &str = "SELECT id FROM users WHERE roles <> '' AND (roles = 'admin' OR roles LIKE 'admin,%') \
    AND disabled_at IS NULL AND id <> $1 LIMIT 1";

impl Conn {
    pub async fn user_details(&mut self, id: UserId) -> Result<Option<UserDetailsRow>> {
        fetch_optional!(self, select_details!("WHERE u.id = $1"), id)
    }

    /// The details of some users, in no order.
    pub async fn user_details_of(&mut self, ids: &[UserId]) -> Result<Vec<UserDetailsRow>> {
        fetch_all!(self, OF_USERS, |sql| among(sql, ids))
    }

    /// The details of the users to whom applications gave one of these ids, in no order.
    pub async fn user_details_with_external_ids(&mut self, ids: &[String]) -> Result<Vec<UserDetailsRow>> {
        fetch_all!(self, WITH_EXTERNAL_IDS, |sql| among(sql, ids))
    }

    /// The details of the user with this folded email address.
    pub async fn user_details_by_email(&mut self, email_key: &str) -> Result<Option<UserDetailsRow>> {
        fetch_optional!(self, select_details!("WHERE u.email_key = $1"), email_key)
    }

    pub async fn user_details_by_username(&mut self, username_key: &str) -> Result<Option<UserDetailsRow>> {
        fetch_optional!(self, select_details!("WHERE u.username_key = $1"), username_key)
    }

    /// The user with this id, with all that is shown of one. Live sessions end after the first time, and have a refresh
    /// token that was issued after the second.
    pub async fn user_whole(&mut self, id: UserId, (now, issued_after): (Time, Time)) -> Result<Option<WholeUserRow>> {
        fetch_optional!(self, WHOLE, id, now, issued_after)
    }

    /// At most `limit` users, the newest first, after the one with this time and id.
    pub async fn users_list(
        &mut self,
        filter: &UserFilter,
        (at, id): (Time, UserId),
        limit: i64,
    ) -> Result<Vec<UserDetailsRow>> {
        let since = filter.created_after.unwrap_or(Time::from_micros(0));
        let (disabled, verified, role) = (filter.disabled(), filter.verified(), filter.role_pattern());
        let Some(prefix) = &filter.prefix else {
            return fetch_all!(self, LIST, at, id, since, limit, disabled, verified, role);
        };
        let sql = if self.many_users_begin_with(prefix).await? { WALK } else { SEARCH };
        let end = end_of_prefix(prefix);
        fetch_all!(self, sql, at, id, since, limit, disabled, verified, role, prefix.as_str(), end)
    }

    /// Whether sorting all users whose folded address or name begins so takes longer than to meet them in the list.
    async fn many_users_begin_with(&mut self, prefix: &str) -> Result<bool> {
        let found: i64 = fetch_scalar!(self, BEGIN_ALIKE, prefix, end_of_prefix(prefix), MANY)?;
        Ok(found >= MANY)
    }

    /// Whether a user other than this one is an administrator and not disabled.
    pub async fn user_other_admin_exists(&mut self, than: UserId) -> Result<bool> {
        let found: Option<UserId> = fetch_optional_scalar!(self, OTHER_ADMIN, than)?;
        Ok(found.is_some())
    }
}

impl Tx {
    /// Sets what the application keeps with an account.
    pub async fn user_set_details(&mut self, id: UserId, external_id: Option<&str>, metadata: &Metadata) -> Result<()> {
        self.invalidates_sessions();
        let sql = "UPDATE users SET external_id = $2, metadata = $3, updated_at = $4 WHERE id = $1";
        execute!(self, sql, id, external_id, metadata, self.now()).map(drop)
    }
}

#[cfg(test)]
#[path = "user_details_tests.rs"]
mod tests;
