//! The records of providers. Each change raises the version of the list, which is in the row of the instance: so changes
//! come one after the other.

use super::list::ProviderRow;
use crate::model::provider::{AppleKeyName, EmailTrust, Provider, ProviderKind, ProviderMfa, ProviderName, Tenant};
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::{Conn, Result, Tx};

struct Columns {
    name: ProviderName,
    kind: ProviderKind,
    issuer: String,
    client_id: String,
    tenant: Option<Tenant>,
    team_id: Option<String>,
    key_id: Option<String>,
    scopes: String,
    label: String,
    email: EmailTrust,
    mfa: ProviderMfa,
    signup: bool,
    secret: Option<Vec<u8>>,
    revision: i64,
    created_at: Time,
    updated_at: Time,
}

row!(Columns {
    name,
    kind,
    issuer,
    client_id,
    tenant,
    team_id,
    key_id,
    scopes,
    label,
    email,
    mfa,
    signup,
    secret,
    revision,
    created_at,
    updated_at,
});

impl From<Columns> for ProviderRow {
    fn from(row: Columns) -> Self {
        let apple = row.team_id.zip(row.key_id).map(|(team_id, key_id)| AppleKeyName { team_id, key_id });
        let provider = Provider {
            name: row.name,
            kind: row.kind,
            issuer: row.issuer,
            client_id: row.client_id,
            tenant: row.tenant,
            apple,
            scopes: row.scopes.split_ascii_whitespace().map(str::to_owned).collect(),
            label: row.label,
            email: row.email,
            mfa: row.mfa,
            signup: row.signup,
        };
        let Columns { secret, revision, created_at, updated_at, .. } = row;
        Self { provider, secret, revision, created_at, updated_at }
    }
}

macro_rules! select_provider {
    ($rest:literal) => {
        concat!(
            "SELECT name, kind, issuer, client_id, tenant, team_id, key_id, scopes, label, email, mfa, signup, secret, \
             revision, created_at, updated_at FROM providers ",
            $rest
        )
    };
}

/// Executes a statement with the fields that each write of a provider has, as `$1` to `$15`.
macro_rules! write_fields {
    ($conn:expr, $statement:expr, $row:expr $(, $more:expr)?) => {
        execute!(
            $conn,
            $statement,
            &$row.provider.name,
            $row.provider.kind,
            &$row.provider.issuer,
            &$row.provider.client_id,
            $row.provider.tenant,
            $row.provider.apple.as_ref().map(|key| &key.team_id),
            $row.provider.apple.as_ref().map(|key| &key.key_id),
            $row.provider.scopes.join(" "),
            &$row.provider.label,
            $row.provider.email,
            $row.provider.mfa,
            $row.provider.signup,
            &$row.secret,
            $row.revision,
            $row.updated_at
            $(, $more)?
        )
    };
}

const LIST: &str = select_provider!("ORDER BY position, name");
const FIND: &str = select_provider!("WHERE name = $1");
const VERSION: &str = "SELECT providers FROM instance WHERE id = 1";
const RAISE: &str = "UPDATE instance SET providers = providers + 1 WHERE id = 1 RETURNING providers";

const HOLD: Sql = dialect_sql!(sql("SELECT revision FROM providers WHERE name = $1"), postgres(" FOR SHARE"),);
const DELETE_BEGUN: &str = "DELETE FROM foreign_logins WHERE provider = $1";
const DELETE_ASKED: &str = "DELETE FROM foreign_logins WHERE provider = $1 AND claimed_at IS NOT NULL";
/// Those without methods wait for an address, and do not say what they began with.
const DELETE_PENDING: &str = "DELETE FROM half_log_ins WHERE provider = $1 OR (methods IS NULL AND EXISTS \
     (SELECT 1 FROM identities i WHERE i.user_id = half_log_ins.user_id AND i.provider = $1))";
const DELETE_SIGNUPS: &str =
    "DELETE FROM account_tokens WHERE id IN (SELECT token_id FROM pending_identities WHERE provider = $1)";

impl Conn {
    /// The version of the list, which grows with each change.
    pub async fn providers_version(&mut self) -> Result<i64> {
        let version: Option<i64> = fetch_optional_scalar!(self, VERSION)?;
        Ok(version.unwrap_or(0))
    }

    /// The providers in their order, at most [`MAX_PROVIDERS`](crate::model::provider::MAX_PROVIDERS).
    pub async fn providers_list(&mut self) -> Result<Vec<ProviderRow>> {
        let rows: Vec<Columns> = fetch_all!(self, LIST)?;
        Ok(rows.into_iter().map(ProviderRow::from).collect())
    }

    pub async fn provider_find(&mut self, name: &ProviderName) -> Result<Option<ProviderRow>> {
        let row: Option<Columns> = fetch_optional!(self, FIND, name)?;
        Ok(row.map(ProviderRow::from))
    }
}

impl Tx {
    /// Raises the version of the list, and holds back every other change until this transaction ends. Every change begins
    /// with it, and rows that it writes have the version that it returns.
    pub async fn providers_change(&mut self) -> Result<i64> {
        self.invalidates_sessions();
        fetch_scalar!(self, RAISE)
    }

    /// Stores a provider behind all others.
    pub async fn provider_create(&mut self, row: &ProviderRow) -> Result<()> {
        const INSERT: &str = "INSERT INTO providers (name, kind, issuer, client_id, tenant, team_id, key_id, scopes, label, email, mfa, \
             signup, secret, revision, updated_at, created_at, position) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, \
             (SELECT COALESCE(MAX(position), 0) + 1 FROM providers))";
        write_fields!(self, INSERT, row, row.created_at).map(drop)
    }

    /// Replaces all of a provider but its name, its place and when it was added.
    pub async fn provider_update(&mut self, row: &ProviderRow) -> Result<()> {
        const UPDATE: &str = "UPDATE providers SET kind = $2, issuer = $3, client_id = $4, tenant = $5, team_id = $6, key_id = $7, \
             scopes = $8, label = $9, email = $10, mfa = $11, signup = $12, secret = $13, revision = $14, \
             updated_at = $15 WHERE name = $1";
        write_fields!(self, UPDATE, row).map(drop)
    }

    /// Puts a provider at a place in the order.
    pub async fn provider_set_position(&mut self, name: &ProviderName, position: i64) -> Result<()> {
        execute!(self, "UPDATE providers SET position = $2 WHERE name = $1", name, position).map(drop)
    }

    /// The revision of a provider; `None` if there is none. It cannot be changed or removed before this transaction ends; a
    /// change then sees what this one did.
    pub async fn provider_hold(&mut self, name: &ProviderName) -> Result<Option<i64>> {
        fetch_optional_scalar!(self, HOLD, name)
    }

    /// Removes the logins that were begun with a provider, and have not come back.
    pub async fn provider_begun_delete(&mut self, name: &ProviderName) -> Result<()> {
        execute!(self, DELETE_BEGUN, name).map(drop)
    }

    /// Removes the logins and signups that came back from a provider, and wait for an answer, for a second factor, or for an
    /// address or its verification.
    pub async fn provider_pending_delete(&mut self, name: &ProviderName) -> Result<()> {
        for sql in [DELETE_ASKED, DELETE_PENDING, DELETE_SIGNUPS] {
            execute!(self, sql, name)?;
        }
        Ok(())
    }

    /// Removes a provider; its identities stay. `false` if there is none.
    pub async fn provider_delete(&mut self, name: &ProviderName) -> Result<bool> {
        Ok(execute!(self, "DELETE FROM providers WHERE name = $1", name)? > 0)
    }

    /// Replaces a sealed secret, if it still is `old`.
    pub async fn provider_reseal(&mut self, name: &ProviderName, old: &[u8], new: &[u8]) -> Result<bool> {
        let sql = "UPDATE providers SET secret = $3 WHERE name = $1 AND secret = $2";
        Ok(execute!(self, sql, name, old, new)? > 0)
    }

    /// Forgets the sealed secret of every provider, and the logins that were begun: the key is lost that they are sealed
    /// with.
    pub async fn provider_secrets_delete_all(&mut self) -> Result<()> {
        execute!(self, "UPDATE providers SET secret = NULL")?;
        execute!(self, "DELETE FROM foreign_logins").map(drop)
    }
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
