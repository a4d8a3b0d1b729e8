//! The accounts at providers that log in to a user's account. Unique is what the provider calls the person: issuer and
//! subject.

use crate::model::ids::{IdentityId, UserId};
use crate::model::provider::ProviderName;
use crate::model::time::Time;
use crate::store::values::among;
use crate::store::{Conn, Result, Tx};

/// The number of identities that a user may have.
pub const MAX_IDENTITIES: i64 = 20;
/// Users of one statement: both engines limit its parameters.
const USERS_AT_ONCE: usize = 512;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityRow {
    pub id: IdentityId,
    pub user_id: UserId,
    pub issuer: String,
    pub subject: String,
    /// The provider by which it was last seen, which may be gone.
    pub provider: ProviderName,
    /// The address that was last stated, whatever that is worth.
    pub email: Option<String>,
    pub created_at: Time,
    pub last_used_at: Option<Time>,
}

row!(IdentityRow { id, user_id, issuer, subject, provider, email, created_at, last_used_at });

#[derive(Clone, Copy, Debug)]
pub struct NewIdentity<'a> {
    pub id: IdentityId,
    pub user_id: UserId,
    pub issuer: &'a str,
    pub subject: &'a str,
    pub provider: &'a ProviderName,
    pub email: Option<&'a str>,
}

macro_rules! select_identity {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, issuer, subject, provider, email, created_at, last_used_at FROM identities ",
            $rest
        )
    };
}

const FIND: &str = select_identity!("WHERE issuer = $1 AND subject = $2");
const OF_USER: &str = select_identity!("WHERE user_id = $1 ORDER BY created_at, id LIMIT $2");
const OF_USERS: &str = select_identity!("WHERE user_id IN (VALUES) ORDER BY user_id, created_at, id");
const COUNT: &str = "SELECT COUNT(*) FROM identities WHERE user_id = $1";
const COUNT_OF_PROVIDERS: &str = "SELECT provider, COUNT(*) FROM identities GROUP BY provider ORDER BY provider";
const DELETE: &str = "DELETE FROM identities WHERE id = $1 AND user_id = $2";
const DELETE_OF_USER: &str = "DELETE FROM identities WHERE user_id = $1 AND created_at >= $2";

impl Conn {
    /// The identity that an issuer calls so.
    pub async fn identity_find(&mut self, issuer: &str, subject: &str) -> Result<Option<IdentityRow>> {
        fetch_optional!(self, FIND, issuer, subject)
    }

    /// The identities of a user, the oldest first.
    pub async fn identities_of_user(&mut self, user: UserId) -> Result<Vec<IdentityRow>> {
        fetch_all!(self, OF_USER, user, MAX_IDENTITIES)
    }

    /// The identities of all of these users, each user's oldest first, by one statement for some hundred users.
    pub async fn identities_of_users(&mut self, users: &[UserId]) -> Result<Vec<IdentityRow>> {
        let mut identities = Vec::new();
        for some in users.chunks(USERS_AT_ONCE) {
            identities.extend(self.identities_of_some(some).await?);
        }
        Ok(identities)
    }

    async fn identities_of_some(&mut self, users: &[UserId]) -> Result<Vec<IdentityRow>> {
        fetch_all!(self, OF_USERS, |sql| among(sql, users))
    }

    /// How many identities a user has, at most [`MAX_IDENTITIES`] if each was connected under the user's lock.
    pub async fn identities_count(&mut self, user: UserId) -> Result<i64> {
        fetch_scalar!(self, COUNT, user)
    }

    /// How many identities each provider has, by its name; reads all of them, for a restored database.
    pub async fn identities_count_by_provider(&mut self) -> Result<Vec<(ProviderName, i64)>> {
        fetch_all!(self, COUNT_OF_PROVIDERS)
    }
}

impl Tx {
    /// Connects an identity, whose user the transaction has locked; `false` if an account has it.
    pub async fn identity_create(&mut self, new: &NewIdentity<'_>) -> Result<bool> {
        let sql = "INSERT INTO identities (id, user_id, issuer, subject, provider, email, created_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (issuer, subject) DO NOTHING";
        Ok(execute!(self, sql, new.id, new.user_id, new.issuer, new.subject, new.provider, new.email, self.now())? > 0)
    }

    /// Notes a login with an identity, and what the provider stated.
    pub async fn identity_note_use(
        &mut self,
        id: IdentityId,
        provider: &ProviderName,
        email: Option<&str>,
    ) -> Result<()> {
        let sql = "UPDATE identities SET provider = $2, email = $3, last_used_at = $4 WHERE id = $1";
        execute!(self, sql, id, provider, email, self.now()).map(drop)
    }

    /// Disconnects an identity of a user; `false` if they have no such one.
    pub async fn identity_delete(&mut self, user: UserId, id: IdentityId) -> Result<bool> {
        Ok(execute!(self, DELETE, id, user)? > 0)
    }

    /// Disconnects the identities of a user that were connected at `since` or later; returns how many.
    pub async fn identities_delete_of_user(&mut self, user: UserId, since: Time) -> Result<u64> {
        execute!(self, DELETE_OF_USER, user, since)
    }
}

#[cfg(test)]
#[path = "identities_tests.rs"]
mod tests;
