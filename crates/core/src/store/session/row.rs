//! A session as a refresh reads it.

use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::roles::Roles;
use crate::model::time::Time;

/// What a refresh reads of a session, its user and the user's role in the active organization.
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// The session's id.
    pub id: SessionId,
    /// Whose it is.
    pub user_id: UserId,
    /// The active organization.
    pub organization_id: OrganizationId,
    /// The user's role there.
    pub organization_role: MemberRole,
    /// The user's platform roles.
    pub roles: Roles,
    /// Since when the user is disabled.
    pub disabled_at: Option<Time>,
    /// Random bytes that the refresh tokens are derived from.
    pub nonce: Vec<u8>,
    /// Its refresh tokens.
    pub tokens: RefreshTokens,
    /// Incremented by every change of the fields that decide a refresh.
    pub version: i64,
    /// Last use, to within a minute.
    pub last_used_at: Time,
    /// The session's absolute end.
    pub expires_at: Time,
    /// When it was ended.
    pub ended_at: Option<Time>,
}

row!(SessionRow {
    id,
    user_id,
    organization_id,
    organization_role,
    roles,
    disabled_at,
    nonce,
    version,
    last_used_at,
    expires_at,
    ended_at,
} and tokens);

/// The refresh tokens of a session: the current one, and the one before, which is its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshTokens {
    /// The generation of the current refresh token; grows with every replacement.
    pub generation: i64,
    /// When the current token was issued.
    pub issued_at: Time,
    /// Whether the current token is known to have arrived: it was accepted once, or an access token that was issued
    /// with it came back.
    pub used: bool,
    /// The generation of the last token that was answered with a replacement.
    pub parent_generation: Option<i64>,
    /// When that token was issued.
    pub parent_issued_at: Option<Time>,
    /// When it was replaced.
    pub replaced_at: Option<Time>,
}

row!(RefreshTokens { generation, issued_at, used, parent_generation, parent_issued_at, replaced_at });

/// The columns in the order of [`SessionRow`]'s fields.
pub(super) const FIND: &str = "SELECT s.id, s.user_id, s.organization_id, m.role AS organization_role, u.roles, \
     u.disabled_at, s.nonce, s.generation, s.issued_at, s.used, s.parent_generation, s.parent_issued_at, \
     s.replaced_at, s.version, \
     s.last_used_at, s.expires_at, s.ended_at FROM sessions s JOIN users u ON u.id = s.user_id \
     JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id WHERE s.id = $1";

/// The columns that decide whether a refresh token of a session is valid, beside the session itself.
#[derive(Debug)]
pub struct RecentSession {
    /// Whose it is.
    pub user_id: UserId,
    /// Random bytes that the refresh tokens are derived from.
    pub nonce: Vec<u8>,
    /// Its refresh tokens.
    pub tokens: RefreshTokens,
    /// Incremented by every change of these.
    pub version: i64,
}

row!(RecentSession { user_id, nonce, version } and tokens);
