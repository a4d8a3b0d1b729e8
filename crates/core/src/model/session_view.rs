//! What every authenticated request reads of its session.

use crate::model::auth_method::AuthMethods;
use crate::model::authentication::RECENT;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::roles::Roles;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use std::ops::Deref;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// What the service answers about a session's user, and what decides whether the session is live. A process has a hundred
/// thousand of them in memory, so its texts have no room to grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    pub user_id: UserId,
    pub email: Box<str>,
    pub username: Box<str>,
    /// The display name.
    pub name: Option<Box<str>>,
    /// The application's own id of the user.
    pub external_id: Option<Box<str>>,
    pub roles: Roles,
    pub email_verified: bool,
    pub disabled_at: Option<Time>,
    pub created_at: Time,
    /// Whether the user has a second factor: an authenticator app or a passkey.
    pub second_factor: bool,
    pub organization_id: OrganizationId,
    /// The user's role there; `None` for a user who is no member.
    pub organization_role: Option<MemberRole>,
    /// The organization's name, for a member.
    pub organization_name: Option<Box<str>>,
    /// What it is for, for a member.
    pub organization_kind: Option<OrganizationKind>,
    pub opened_at: Time,
    /// How the user has authenticated in this session.
    pub methods: AuthMethods,
    /// Last use of the session, to within a minute.
    pub last_used_at: Time,
    /// When the user last proved who they are, at login or since ([`Authentication`](super::authentication::Authentication)
    /// has the rule); [`Time::NEVER`]: not in this session.
    pub authenticated_at: Time,
    /// The session's absolute end.
    pub expires_at: Time,
    pub ended_at: Option<Time>,
    /// The generation of the last refresh token that is known to have arrived, or whose arrival decides nothing, as it
    /// replaced none.
    pub received_generation: i64,
}

impl SessionView {
    pub fn label(&self) -> UserLabel<'_> {
        UserLabel::new(self.name.as_deref(), &self.email, &self.username)
    }

    /// Whether the session may still be used: not ended, not expired, its user not disabled.
    pub fn is_live(&self, now: Time) -> bool {
        self.ended_at.is_none() && self.disabled_at.is_none() && now < self.expires_at
    }

    /// Whether two views show the same, whatever is known of the session's use.
    pub fn shows_as(&self, other: &Self) -> bool {
        let Self { last_used_at, received_generation, .. } = *other;
        Self { last_used_at, received_generation, ..self.clone() } == *other
    }

    /// Whether the user proved recently enough who they are to change what protects the account.
    pub fn is_recently_proved(&self, now: Time) -> bool {
        self.is_proved_within(RECENT, now)
    }

    /// Whether the user proved who they are within this time.
    pub fn is_proved_within(&self, time: Duration, now: Time) -> bool {
        self.authenticated_at != Time::NEVER && now < self.authenticated_at + time
    }

    /// Whether the session began as recently as a proof has to be.
    pub fn is_recently_opened(&self, now: Time) -> bool {
        now < self.opened_at + RECENT
    }

    /// Whether the user has a second factor and did not show it in this session: a trusted device shows none.
    pub fn lacks_factor(&self) -> bool {
        self.second_factor && !self.methods.has_second_factor()
    }
}

/// A session in memory, shared by the requests that use it.
#[derive(Debug)]
pub struct KnownSession {
    view: SessionView,
    /// The last use that was recorded, in microseconds; it may not be written yet.
    last_recorded: AtomicI64,
    /// As in the view, or higher if it was recorded since; it may not be written yet.
    received: AtomicI64,
}

impl KnownSession {
    /// The last use that was written, or recorded for the next write.
    pub fn last_used(&self) -> Time {
        Time::from_micros(self.last_recorded.load(Ordering::Relaxed))
    }

    /// The highest generation of a refresh token that was written as received, or recorded for the next write.
    pub fn received_generation(&self) -> i64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Records a use at `now` by a client that has received the refresh token of this generation.
    pub fn set_last_used(&self, now: Time, generation: i64) {
        self.last_recorded.fetch_max(now.as_micros(), Ordering::Relaxed);
        self.received.fetch_max(generation, Ordering::Relaxed);
    }
}

impl From<SessionView> for KnownSession {
    fn from(view: SessionView) -> Self {
        let (last_recorded, received) = (view.last_used_at.as_micros().into(), view.received_generation.into());
        Self { view, last_recorded, received }
    }
}

impl Deref for KnownSession {
    type Target = SessionView;

    fn deref(&self) -> &SessionView {
        &self.view
    }
}
