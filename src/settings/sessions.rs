//! Lifetimes of sessions and tokens, and the rotation of refresh tokens.

use std::time::Duration;

/// Lifetimes, rotation, audiences.
#[derive(Debug)]
pub struct Sessions {
    /// Lifetime of an access token.
    pub access_ttl: Duration,
    /// Lifetime of a refresh token, never past the session's end.
    pub refresh_ttl: Duration,
    /// Absolute lifetime of a session.
    pub session_ttl: Duration,
    /// When a refresh replaces the refresh token.
    pub rotation: Rotation,
    /// How long after a replacement the replaced token is still answered (contract.md 5).
    pub grace: Duration,
    /// Allowed values of `audience`; never empty. Log-in issues the first.
    pub audiences: Vec<String>,
}

/// When a refresh replaces the refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// At every refresh.
    Always,
    /// Never.
    Never,
    /// Once the token has this age.
    After(Duration),
}
