//! Users as applications' backends see them: with what belongs to the account in other tables.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use crate::model::metadata::Metadata;
use crate::model::roles::Roles;
use crate::model::time::Time;

/// A user with the details that a backend may ask for.
pub struct UserDetailsRow {
    /// The user's id.
    pub id: UserId,
    /// Email address, as the user wrote it.
    pub email: String,
    /// Its folded form.
    pub email_key: String,
    /// Username, as the user wrote it.
    pub username: String,
    /// Its folded form.
    pub username_key: String,
    /// Platform roles.
    pub roles: Roles,
    /// When the address was verified.
    pub email_verified_at: Option<Time>,
    /// Since when the user is disabled.
    pub disabled_at: Option<Time>,
    /// When the account was created.
    pub created_at: Time,
    /// The application's own id.
    pub external_id: Option<String>,
    /// The application's own JSON object.
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
    roles,
    email_verified_at,
    disabled_at,
    created_at,
    external_id,
    metadata,
    last_login_at,
    two_factor,
});

/// Which users a list has; what is `None` does not restrict it.
#[derive(Clone, Debug, Default)]
pub struct UserFilter {
    /// Created after this time.
    pub created_after: Option<Time>,
    /// The folded email address or username begins with this.
    pub prefix: Option<String>,
}

macro_rules! select_details {
    ($($rest:tt)*) => {
        concat!(
            "SELECT u.id, u.email, u.email_key, u.username, u.username_key, u.roles, u.email_verified_at, \
             u.disabled_at, u.created_at, u.external_id, u.metadata, \
             (SELECT MAX(s.created_at) FROM sessions s WHERE s.user_id = u.id) AS last_login_at, \
             EXISTS (SELECT 1 FROM totp t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL) \
             OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS two_factor FROM users u ",
            $($rest)*
        )
    };
}

/// What both kinds of list end with: the place after which they go on, and from when on the users are.
macro_rules! page {
    ($where:literal) => {
        concat!(
            $where,
            "(u.created_at, u.id) < ($1, $2) AND u.created_at > $3 ORDER BY u.created_at DESC, u.id DESC LIMIT $4"
        )
    };
}

const LIST: &str = select_details!(page!("WHERE "));
/// The ranges are of bytes, on PostgreSQL by the index's collation.
const SEARCH_SQLITE: &str = select_details!(page!(
    "WHERE u.id IN (SELECT id FROM users WHERE email_key >= $5 AND email_key < $6 \
     UNION SELECT id FROM users WHERE username_key >= $5 AND username_key < $6) AND "
));
const SEARCH_POSTGRES: &str = select_details!(page!(
    "WHERE u.id IN (SELECT id FROM users WHERE email_key COLLATE \"C\" >= $5 AND email_key COLLATE \"C\" < $6 \
     UNION SELECT id FROM users WHERE username_key COLLATE \"C\" >= $5 AND username_key COLLATE \"C\" < $6) AND "
));
const OTHER_ADMIN: &str = "SELECT id FROM users WHERE roles <> '' AND (roles = 'admin' OR roles LIKE 'admin,%') \
    AND disabled_at IS NULL AND id <> $1 LIMIT 1";

impl Conn {
    /// The details of the user with this id.
    pub async fn user_details(&mut self, id: UserId) -> Result<Option<UserDetailsRow>> {
        with_engine!(self, |c| sqlx::query_as(select_details!("WHERE u.id = $1")).bind(id).fetch_optional(c))
    }

    /// The details of the user with this folded email address.
    pub async fn user_details_by_email(&mut self, email_key: &str) -> Result<Option<UserDetailsRow>> {
        with_engine!(self, |c| {
            sqlx::query_as(select_details!("WHERE u.email_key = $1")).bind(email_key).fetch_optional(c)
        })
    }

    /// The details of the user with this folded name.
    pub async fn user_details_by_username(&mut self, username_key: &str) -> Result<Option<UserDetailsRow>> {
        with_engine!(self, |c| {
            sqlx::query_as(select_details!("WHERE u.username_key = $1")).bind(username_key).fetch_optional(c)
        })
    }

    /// At most `limit` users, the newest first, after the one with this time and id.
    pub async fn users_list(
        &mut self,
        filter: &UserFilter,
        (at, id): (Time, UserId),
        limit: i64,
    ) -> Result<Vec<UserDetailsRow>> {
        let since = filter.created_after.unwrap_or(Time::from_micros(0));
        let Some(prefix) = &filter.prefix else {
            return with_engine!(self, |c| {
                sqlx::query_as(LIST).bind(at).bind(id).bind(since).bind(limit).fetch_all(c)
            });
        };
        let sql = if self.is_sqlite() { SEARCH_SQLITE } else { SEARCH_POSTGRES };
        // No character is greater.
        let end = format!("{prefix}{}", char::MAX);
        with_engine!(self, |c| {
            sqlx::query_as(sql)
                .bind(at)
                .bind(id)
                .bind(since)
                .bind(limit)
                .bind(prefix.as_str())
                .bind(end.as_str())
                .fetch_all(c)
        })
    }

    /// Whether a user other than this one is an administrator and not disabled.
    pub async fn user_other_admin_exists(&mut self, than: UserId) -> Result<bool> {
        let found: Option<UserId> =
            with_engine!(self, |c| sqlx::query_scalar(OTHER_ADMIN).bind(than).fetch_optional(c))?;
        Ok(found.is_some())
    }
}

impl Tx {
    /// Sets what the application keeps with an account.
    pub async fn user_set_details(&mut self, id: UserId, external_id: Option<&str>, metadata: &Metadata) -> Result<()> {
        let now = self.now();
        execute!(self, |c| {
            sqlx::query("UPDATE users SET external_id = $2, metadata = $3, updated_at = $4 WHERE id = $1")
                .bind(id)
                .bind(external_id)
                .bind(metadata)
                .bind(now)
        })?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "user_details_tests.rs"]
mod tests;
