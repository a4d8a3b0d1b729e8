//! Access tokens: JWTs (RFC 7519) in the profile of RFC 9068, with the claims of contract.md 4.

mod key_ring;
mod signer;
#[cfg(test)]
mod test_tokens;
mod verifier;

pub use key_ring::{KeyRing, KeyRingError, RingKey};
pub use signer::SigningError;
pub use verifier::TokenVerifier;

use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use serde::Serialize;
use uuid::Uuid;

/// Longer tokens are refused unread: ours stay far below, even with every role.
pub const MAX_LEN: usize = 4096;

/// What a token says, in the order and under the names of the wire.
#[derive(Clone, Debug, Serialize)]
pub struct Claims<'a> {
    /// Who issued it.
    pub iss: &'a str,
    /// The user.
    pub sub: UserId,
    /// For which audience: one string, in an array.
    pub aud: [&'a str; 1],
    /// When it was issued, in seconds since the Unix epoch.
    pub iat: i64,
    /// When it expires, in seconds since the Unix epoch.
    pub exp: i64,
    /// The token's own id.
    pub jti: Uuid,
    /// The session.
    pub sid: SessionId,
    /// The session's active organization.
    pub org_id: OrganizationId,
    /// The user's role there.
    pub org_role: MemberRole,
    /// The user's platform roles, with their names on the wire.
    pub roles: Vec<&'a str>,
}

/// What the service itself believes of a genuine token that has not expired.
///
/// Roles and organization are not among it: they come from the database, as in HS256 mode every backend could sign
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The session.
    pub session: SessionId,
    /// The user, who must be the session's.
    pub user: UserId,
    /// The audience: its place in the list of the allowed ones.
    pub audience: usize,
    /// When the token was issued.
    pub issued_at: Time,
    /// When it expires.
    pub expires_at: Time,
}
