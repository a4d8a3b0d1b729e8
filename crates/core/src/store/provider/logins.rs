//! Logins that were begun at a provider: each may come back once, to the browser that began it.

use super::list::ProviderRow;
use crate::model::ids::{InvitationId, SessionId, UserId};
use crate::model::provider::ProviderName;
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::{Conn, Result, Tx};

/// For whom an account at a provider is to be connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectTarget {
    /// The session in which it was asked for.
    pub session: SessionId,
    pub user: UserId,
}

/// A stored login that was begun at a provider.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderLoginRow {
    /// The keyed hash of `state`.
    pub state_hash: Vec<u8>,
    /// The keyed hash of the secret of the browser that began it.
    pub browser_hash: Vec<u8>,
    /// The code verifier and the nonce, sealed.
    pub secrets: Vec<u8>,
    pub provider: ProviderName,
    /// The issuer of its record then.
    pub issuer: String,
    /// The client id of its record then.
    pub client_id: String,
    /// The revision of its record then ([`ProviderRow::revision`]).
    pub revision: i64,
    /// To connect an account there with one's own; `None`: to log in.
    pub connect: Option<ConnectTarget>,
    pub return_to: Option<String>,
    /// The invitation with which it began, which may have ended.
    pub invitation_id: Option<InvitationId>,
    pub expires_at: Time,
    /// When the answer came back.
    pub claimed_at: Option<Time>,
    /// The answer that came by a form, sealed.
    pub answer: Option<Vec<u8>>,
}

struct Columns {
    state_hash: Vec<u8>,
    browser_hash: Vec<u8>,
    secrets: Vec<u8>,
    provider: ProviderName,
    issuer: String,
    client_id: String,
    revision: i64,
    session_id: Option<SessionId>,
    user_id: Option<UserId>,
    return_to: Option<String>,
    invitation_id: Option<InvitationId>,
    expires_at: Time,
    claimed_at: Option<Time>,
    answer: Option<Vec<u8>>,
}

row!(Columns {
    state_hash,
    browser_hash,
    secrets,
    provider,
    issuer,
    client_id,
    revision,
    session_id,
    user_id,
    return_to,
    invitation_id,
    expires_at,
    claimed_at,
    answer,
});

impl From<Columns> for ProviderLoginRow {
    fn from(row: Columns) -> Self {
        Self {
            state_hash: row.state_hash,
            browser_hash: row.browser_hash,
            secrets: row.secrets,
            provider: row.provider,
            issuer: row.issuer,
            client_id: row.client_id,
            revision: row.revision,
            connect: row.session_id.zip(row.user_id).map(|(session, user)| ConnectTarget { session, user }),
            return_to: row.return_to,
            invitation_id: row.invitation_id,
            expires_at: row.expires_at,
            claimed_at: row.claimed_at,
            answer: row.answer,
        }
    }
}

impl ProviderLoginRow {
    /// Whether the provider is still as it was when the login began.
    pub fn is_of(&self, provider: &ProviderRow) -> bool {
        let now = &provider.provider;
        self.provider == now.name
            && self.issuer == now.issuer
            && self.client_id == now.client_id
            && self.revision == provider.revision
    }
}

macro_rules! login_columns {
    () => {
        "state_hash, browser_hash, secrets, provider, issuer, client_id, revision, session_id, user_id, return_to, \
         invitation_id, expires_at, claimed_at, answer"
    };
}

const FIND: &str = concat!("SELECT ", login_columns!(), " FROM foreign_logins WHERE state_hash = $1");
/// Of two requests with one state, one changes the row.
const CLAIM: Sql = dialect_sql!(
    sql("UPDATE foreign_logins SET claimed_at = "),
    at("$1"),
    sql(" WHERE state_hash = $2 AND browser_hash = $3 AND claimed_at IS NULL AND expires_at > "),
    at("$1"),
    sql(" RETURNING "),
    sql("state_hash, browser_hash, secrets, provider, issuer, client_id, revision, session_id, user_id, return_to, "),
    sql("invitation_id, expires_at, claimed_at, answer"),
);
const KEEP_ANSWER: Sql = dialect_sql!(
    sql("UPDATE foreign_logins SET answer = $3 WHERE state_hash = $2 AND provider = $4 AND answer IS NULL "),
    sql("AND claimed_at IS NULL AND expires_at > "),
    at("$1"),
);
const DELETE_EXPIRED: Sql = dialect_sql!(
    sql("DELETE FROM foreign_logins WHERE state_hash IN (SELECT state_hash FROM foreign_logins WHERE expires_at < "),
    at("$1"),
    sql(" ORDER BY expires_at LIMIT $2)"),
);

impl Conn {
    /// The login whose state has this keyed hash, in whatever state.
    pub async fn provider_login_find(&mut self, state_hash: &[u8]) -> Result<Option<ProviderLoginRow>> {
        let row: Option<Columns> = fetch_optional!(self, FIND, state_hash)?;
        Ok(row.map(ProviderLoginRow::from))
    }
}

impl Tx {
    pub async fn provider_login_create(&mut self, row: &ProviderLoginRow) -> Result<()> {
        let now = self.now();
        let sql = "INSERT INTO foreign_logins (state_hash, browser_hash, secrets, provider, issuer, client_id, revision, \
            session_id, user_id, return_to, invitation_id, created_at, expires_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
        execute!(
            self,
            sql,
            &row.state_hash,
            &row.browser_hash,
            &row.secrets,
            &row.provider,
            &row.issuer,
            &row.client_id,
            row.revision,
            row.connect.map(|connect| connect.session),
            row.connect.map(|connect| connect.user),
            &row.return_to,
            row.invitation_id,
            now,
            row.expires_at
        )?;
        Ok(())
    }

    /// Claims a login for the browser that began it, once; `None` if there is no such one that waits.
    pub async fn provider_login_claim(
        &mut self,
        state_hash: &[u8],
        browser_hash: &[u8],
    ) -> Result<Option<ProviderLoginRow>> {
        let row: Option<Columns> = fetch_optional!(self, CLAIM, self.sql_now(), state_hash, browser_hash)?;
        Ok(row.map(ProviderLoginRow::from))
    }

    /// Keeps the sealed answer of a login that waits for this provider, once; `false` if there is no such one. An answer
    /// that came to the address of another provider would tell its code to this one (mix-up; RFC 9700, 4.4).
    pub async fn provider_login_keep_answer(
        &mut self,
        state_hash: &[u8],
        provider: &ProviderName,
        answer: &[u8],
    ) -> Result<bool> {
        Ok(execute!(self, KEEP_ANSWER, self.sql_now(), state_hash, answer, provider)? > 0)
    }

    /// Removes at most `limit` expired logins; returns how many.
    pub async fn provider_logins_delete_expired(&mut self, limit: i64) -> Result<u64> {
        execute!(self, DELETE_EXPIRED, self.sql_now(), limit)
    }
}

#[cfg(test)]
#[path = "logins_tests.rs"]
mod tests;
