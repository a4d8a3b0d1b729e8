//! Access tokens: JWTs (RFC 7519) in the profile of RFC 9068, with the claims of `docs/reference/api-v1.md` 6.

#[cfg(test)]
mod fixtures_tests;
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

/// Longer tokens are rejected before parsing; ours stay far below, even with every role.
pub const MAX_LEN: usize = 4096;

/// The claims of a token, with their wire names and in their wire order.
#[derive(Clone, Debug, Serialize)]
pub struct Claims<'a> {
    pub iss: &'a str,
    pub sub: UserId,
    /// The audience, an array of one string.
    pub aud: [&'a str; 1],
    /// The client that the token was issued to, which RFC 9068, 2.2 requires: the audience again, as applications
    /// share the cookies and are told apart by nothing else.
    pub client_id: &'a str,
    /// When it was issued, in seconds since the Unix epoch.
    pub iat: i64,
    /// When it expires, in seconds since the Unix epoch.
    pub exp: i64,
    pub jti: Uuid,
    pub sid: SessionId,
    /// The generation of the refresh token that was issued with it, or with the token that it follows.
    pub rtg: i64,
    pub org_id: OrganizationId,
    pub org_role: MemberRole,
    /// The user's platform roles, with their names on the wire.
    pub roles: Vec<&'a str>,
}

/// The claims of an assertion to an application behind the gate.
#[derive(Clone, Debug, Serialize)]
pub struct AssertionClaims<'a> {
    pub iss: &'a str,
    pub sub: UserId,
    /// The application's origin, an array of one string.
    pub aud: [&'a str; 1],
    /// When it was issued, in seconds since the Unix epoch.
    pub iat: i64,
    /// When it expires, in seconds since the Unix epoch.
    pub exp: i64,
    /// The assertion's own id; the same assertion may be given to several requests.
    pub jti: Uuid,
    pub sid: SessionId,
    /// The session's active organization, if the user is a member of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org_id: Option<OrganizationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org_role: Option<MemberRole>,
    /// The user's platform roles, with their names on the wire.
    pub roles: Vec<&'a str>,
    pub email: &'a str,
    pub email_verified: bool,
    pub username: &'a str,
}

/// The claims that the service trusts in a verified, unexpired token.
///
/// Roles and organization are read from the database instead: in HS256 mode every backend could sign them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifiedToken {
    pub session: SessionId,
    /// The generation of the refresh token that its holder has received; zero if the token does not name one.
    pub refresh_generation: i64,
    /// The user, who must be the session's.
    pub user: UserId,
    /// The index of the audience in the list of allowed ones.
    pub audience: usize,
    pub issued_at: Time,
    pub expires_at: Time,
}
