//! Addresses with letters beyond ASCII: earlier versions kept domains as they were typed. Each table has a partial index
//! of such rows.

use super::sql::Sql;
use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressTable {
    Users,
    AccountTokens,
    Invitations,
}

/// A stored address with a letter beyond ASCII.
#[derive(Clone, Debug)]
pub struct StoredAddress {
    pub id: Uuid,
    pub email: String,
}

row!(StoredAddress { id, email });

macro_rules! select_beyond_ascii {
    ($table:literal) => {
        dialect_sql!(
            sql("SELECT id, email FROM "),
            sql($table),
            sql(" WHERE "),
            sqlite("email_key GLOB '*[^ -~]*'"),
            postgres("octet_length(email_key) <> char_length(email_key)"),
            sql(" AND id > $1 ORDER BY id LIMIT $2"),
        )
    };
}

pub(super) const SELECT: [Sql; 3] =
    [select_beyond_ascii!("users"), select_beyond_ascii!("account_tokens"), select_beyond_ascii!("invitations")];

const UPDATE_USER: &str = "UPDATE users SET email = $3, email_key = $4 WHERE id = $1 AND email = $2";
/// A link of an account whose address was not converted names that address.
const UPDATE_ACCOUNT_TOKEN: &str = "UPDATE account_tokens SET email = $3, email_key = $4 WHERE id = $1 AND email = $2 \
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = account_tokens.user_id AND u.email = $2)";
const UPDATE_INVITATION: &str = "UPDATE invitations SET email = $3, email_key = $4 WHERE id = $1 AND email = $2";

impl Conn {
    /// At most `limit` addresses of a table with letters beyond ASCII, in the order of their ids after `after`.
    pub async fn addresses_beyond_ascii(
        &mut self,
        table: AddressTable,
        after: Uuid,
        limit: i64,
    ) -> Result<Vec<StoredAddress>> {
        fetch_all!(self, SELECT[table as usize], after, limit)
    }
}

impl Tx {
    /// Replaces a stored address and its folded form; `false` if it has changed meanwhile.
    pub async fn address_replace(
        &mut self,
        table: AddressTable,
        old: &StoredAddress,
        email: &str,
        email_key: &str,
    ) -> Result<bool> {
        self.invalidates_sessions();
        let sql = match table {
            AddressTable::Users => UPDATE_USER,
            AddressTable::AccountTokens => UPDATE_ACCOUNT_TOKEN,
            AddressTable::Invitations => UPDATE_INVITATION,
        };
        let changed = execute!(self, sql, old.id, &old.email, email, email_key)?;
        if changed > 0 && table == AddressTable::Users {
            self.user_words_renew(&[UserId(old.id)]).await?;
        }
        Ok(changed > 0)
    }
}

#[cfg(test)]
#[path = "unicode_domains_tests.rs"]
mod tests;
