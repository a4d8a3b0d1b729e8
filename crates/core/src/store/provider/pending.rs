//! What a login that came back from a provider waits for: an answer of the person, or the verification of an address.

use crate::model::ids::AccountTokenId;
use crate::model::provider::ProviderName;
use crate::model::time::Time;
use crate::store::{Conn, Result, Tx};

/// The account at a provider with which a signup began that waits for the verification of its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingIdentityRow {
    pub token_id: AccountTokenId,
    pub issuer: String,
    pub subject: String,
    pub provider: ProviderName,
    /// What the person is called there, if that may be a display name.
    pub name: Option<String>,
    /// Whether a second factor was shown there that counts.
    pub second_factor: bool,
    /// When the person authenticated there, if that is known.
    pub authenticated_at: Option<Time>,
}

row!(PendingIdentityRow { token_id, issuer, subject, provider, name, second_factor, authenticated_at });

const FIND_PENDING: &str = "SELECT token_id, issuer, subject, provider, name, second_factor, authenticated_at \
                            FROM pending_identities WHERE token_id = $1";
const WAIT: &str =
    "UPDATE foreign_logins SET answer = $2, expires_at = $3 WHERE state_hash = $1 AND claimed_at IS NOT NULL";
/// Of two forms that answer one question, one changes the row.
const FINISH: &str = "UPDATE foreign_logins SET answer = NULL WHERE state_hash = $1 AND answer = $2 \
                      AND claimed_at IS NOT NULL";

impl Conn {
    /// The account at a provider with which this signup began.
    pub async fn pending_identity_find(&mut self, token_id: AccountTokenId) -> Result<Option<PendingIdentityRow>> {
        fetch_optional!(self, FIND_PENDING, token_id)
    }
}

impl Tx {
    /// Stores the account at a provider with which a signup of this transaction began. It goes with the signup.
    pub async fn pending_identity_create(&mut self, row: &PendingIdentityRow) -> Result<()> {
        let sql = "INSERT INTO pending_identities (token_id, issuer, subject, provider, name, second_factor, \
            authenticated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        execute!(
            self,
            sql,
            row.token_id,
            &row.issuer,
            &row.subject,
            &row.provider,
            &row.name,
            row.second_factor,
            row.authenticated_at
        )?;
        Ok(())
    }

    /// Keeps, sealed, what a login that was claimed waits for, in place of the answer that came by a form.
    pub async fn provider_login_wait(&mut self, state_hash: &[u8], waiting: &[u8], expires_at: Time) -> Result<()> {
        execute!(self, WAIT, state_hash, waiting, expires_at).map(drop)
    }

    /// Ends what a login waits for; `false` if another request has ended it.
    pub async fn provider_login_finish(&mut self, state_hash: &[u8], waiting: &[u8]) -> Result<bool> {
        Ok(execute!(self, FINISH, state_hash, waiting)? > 0)
    }
}

#[cfg(test)]
#[path = "pending_tests.rs"]
mod tests;
