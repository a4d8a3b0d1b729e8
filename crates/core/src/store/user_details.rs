//! Users as lists and backends see them: with what belongs to the account in other tables.

use super::values::among;
use super::{Conn, Result, Tx};
use crate::messages::Locale;
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::metadata::Metadata;
use crate::model::roles::Roles;
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

impl UserDetailsRow {
    /// Where it stands in a list.
    pub fn place(&self) -> ListPlace {
        ListPlace { at: self.created_at, id: self.id.0 }
    }
}

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

const OF_USERS: &str = select_details!("WHERE u.id IN (VALUES)");
const WITH_EXTERNAL_IDS: &str = select_details!("WHERE u.external_id IN (VALUES)");
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
