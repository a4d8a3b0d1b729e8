//! Accounts at providers that log in to a user's account.

use crate::model::ids::{IdentityId, UserId};
use crate::model::time::Time;
use crate::store::{Conn, IdentityRow, Result};
use serde::Serialize;
use utoipa::ToSchema;

/// An account at a provider that logs in to a user's account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UserIdentity)]
pub struct IdentityRecord {
    /// The identity's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: IdentityId,
    /// Whose account it is at the provider; unique with the subject.
    #[schema(example = "https://accounts.google.com")]
    pub issuer: String,
    /// What the issuer calls the person.
    #[schema(example = "110169484474386276334")]
    pub subject: String,
    /// The name of the provider by which it was last seen, which may have been removed.
    #[schema(example = "google")]
    pub provider: String,
    /// When it last logged in.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    pub last_used_at: Option<Time>,
}

impl From<IdentityRow> for IdentityRecord {
    fn from(row: IdentityRow) -> Self {
        Self {
            id: row.id,
            issuer: row.issuer,
            subject: row.subject,
            provider: row.provider.to_string(),
            last_used_at: row.last_used_at,
        }
    }
}

/// The identities of a user, the oldest first.
pub async fn of_user(conn: &mut Conn, user: UserId) -> Result<Vec<IdentityRecord>> {
    Ok(conn.identities_of_user(user).await?.into_iter().map(IdentityRecord::from).collect())
}
