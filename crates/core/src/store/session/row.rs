//! A session as the database has it: what it shows, and what decides on its refresh tokens.

use crate::model::ids::SessionId;
use crate::model::session_view::{KnownSession, SessionView};
use crate::model::time::Time;
use std::ops::Deref;
use std::sync::Arc;

/// Of a session, and never shown.
pub type Nonce = [u8; 16];

/// A session, its user, and the user's membership in the active organization.
#[derive(Clone, Debug)]
pub struct SessionRow {
    pub id: SessionId,
    pub view: Arc<KnownSession>,
    /// Random bytes that the refresh tokens are derived from.
    pub nonce: Nonce,
    pub tokens: RefreshTokens,
    /// Incremented by every change of the fields that decide a refresh.
    pub version: i64,
    /// Last use, to within a minute.
    pub last_used_at: Time,
    /// Until when the view is as it was read.
    pub(super) epoch: Epoch,
}

impl SessionRow {
    /// A session that was read, not kept in memory.
    pub fn new(id: SessionId, view: SessionView, nonce: Nonce, tokens: RefreshTokens, version: i64) -> Self {
        let last_used_at = view.last_used_at;
        Self { id, view: Arc::new(view.into()), nonce, tokens, version, last_used_at, epoch: Epoch::PAST }
    }
}

impl Deref for SessionRow {
    type Target = SessionView;

    fn deref(&self) -> &SessionView {
        &self.view
    }
}

/// The sum of the generation and of the epochs of session, user and organization when a session was read. Each of them
/// only grows, so the sum is unchanged only while each of them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Epoch(pub(super) u64);

impl Epoch {
    /// Never the current one.
    pub(super) const PAST: Self = Self(u64::MAX);
}

/// The refresh tokens of a session: the current one, and the one before, which is its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshTokens {
    /// The generation of the current refresh token; grows with every replacement.
    pub generation: i64,
    pub issued_at: Time,
    /// Whether the current token is known to have arrived: it was accepted once, or an access token that was issued
    /// with it came back.
    pub used: bool,
    /// The generation of the last token that was answered with a replacement.
    pub parent_generation: Option<i64>,
    pub parent_issued_at: Option<Time>,
    pub replaced_at: Option<Time>,
}

row!(RefreshTokens { generation, issued_at, used, parent_generation, parent_issued_at, replaced_at });

/// A session after its use was recorded.
pub(super) struct UsedSession {
    pub(super) id: SessionId,
    pub(super) generation: i64,
    pub(super) used: bool,
    pub(super) version: i64,
    pub(super) last_used_at: Time,
}

row!(UsedSession { id, generation, used, version, last_used_at });

row!(SessionView {
    user_id,
    email,
    username,
    name,
    external_id,
    roles,
    email_verified,
    disabled_at,
    created_at,
    second_factor,
    organization_id,
    organization_role,
    organization_name,
    organization_kind,
    methods,
    opened_at,
    last_used_at,
    authenticated_at,
    expires_at,
    ended_at,
    received_generation,
});

macro_rules! session_row {
    ($row:ty) => {
        impl sqlx::FromRow<'_, $row> for SessionRow {
            fn from_row(row: &$row) -> std::result::Result<Self, sqlx::Error> {
                use sqlx::Row as _;
                let (view, tokens) = (SessionView::from_row(row)?, RefreshTokens::from_row(row)?);
                let nonce: &[u8] = row.try_get("nonce")?;
                let nonce = nonce.try_into().map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
                Ok(Self::new(row.try_get("id")?, view, nonce, tokens, row.try_get("version")?))
            }
        }
    };
}

session_row!(sqlx::sqlite::SqliteRow);
session_row!(sqlx::postgres::PgRow);
