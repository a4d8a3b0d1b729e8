//! Refresh of a session: decide, write under the row's version (optimistic locking), issue tokens.

use super::candidates::CandidateSessions;
use super::lifecycle::{CookieToken, Subject, access_token, refresh_token_of};
use super::rotation::{Decision, RotationPolicy, decide};
use crate::context::App;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::error::Error;
use crate::metrics::RefreshVerdict;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::SessionId;
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::store::SessionRow;
use std::time::Duration;

/// Each failed attempt means that a concurrent refresh of the session won, so this many in a row do not happen.
const MAX_ATTEMPTS: u32 = 16;

pub struct Refreshed {
    pub subject: Subject,
    /// An access token of the requested audience.
    pub access: CookieToken,
    /// The session's current refresh token, if it is not the presented one.
    pub refresh: Option<CookieToken>,
    pub verdict: RefreshVerdict,
}

#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The token is unknown, expired, of an ended session or of a disabled user; or it had been replaced, in which case
    /// the session is ended now.
    #[error("the refresh token is not valid")]
    Refused(RefreshVerdict),
    /// The user's roles do not permit the audience; nothing was consumed.
    #[error("the audience is not permitted")]
    AudienceNotPermitted,
    /// The rate limit of refreshes of the session; retry after this time.
    #[error("too many refreshes of the session")]
    RateLimited(Duration),
    /// An internal error; nothing was consumed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl RefreshError {
    const fn verdict(&self) -> RefreshVerdict {
        match self {
            RefreshError::Refused(verdict) => *verdict,
            RefreshError::AudienceNotPermitted => RefreshVerdict::Audience,
            RefreshError::RateLimited(_) => RefreshVerdict::Limited,
            RefreshError::Failed(_) => RefreshVerdict::Failed,
        }
    }
}

impl From<crate::store::StoreError> for RefreshError {
    fn from(error: crate::store::StoreError) -> Self {
        RefreshError::Failed(error.into())
    }
}

/// Accepts or refuses a refresh token, and issues new tokens for `audience`, which must be one of the settings' list.
/// `sessions` are those of the request's tokens.
///
/// `device` is the client that presents the token, perhaps a backend. It is only recorded on token theft, in the audit
/// log.
pub async fn refresh(
    app: &App,
    sessions: &mut CandidateSessions,
    presented: &PresentedRefreshToken,
    audience: &str,
    device: &Device,
) -> Result<Refreshed, RefreshError> {
    let result = attempt(app, sessions, presented, audience, device).await;
    let verdict = result.as_ref().map_or_else(RefreshError::verdict, |refreshed| refreshed.verdict);
    app.metrics.auth.refreshes.count(verdict);
    result
}

async fn attempt(
    app: &App,
    sessions: &mut CandidateSessions,
    presented: &PresentedRefreshToken,
    audience: &str,
    device: &Device,
) -> Result<Refreshed, RefreshError> {
    let policy = RotationPolicy::from(&app.settings.sessions);
    let cached = app.store.sessions().remembered(presented.session());
    let cached = cached.filter(|session| {
        presented.generation() == session.tokens.generation && presented.verify(&app.secret_keys, &session.nonce)
    });
    let mut counted = false;
    if let Some(session) = cached {
        check_rate_limit(app, &session, &mut counted)?;
        if let Some(refreshed) = refresh_from_cache(app, session, presented, audience, &policy).await? {
            return Ok(refreshed);
        }
        sessions.forget(presented.session());
    }
    for _ in 0..MAX_ATTEMPTS {
        let Some(session) = find_current(app, sessions, presented).await? else {
            return Err(RefreshError::Refused(RefreshVerdict::Refused));
        };
        check_rate_limit(app, &session, &mut counted)?;
        match decide(&session, presented.generation(), &policy, app.store.database_time()) {
            Decision::Refuse => return Err(RefreshError::Refused(RefreshVerdict::Refused)),
            Decision::Newer => {
                report_newer(app, &session, presented);
                return Err(RefreshError::Refused(RefreshVerdict::Newer));
            }
            Decision::Reuse => {
                // Ended now, or changed meanwhile.
                sessions.forget(session.id);
                if end_for_theft(app, &session, presented.generation(), device).await? {
                    return Err(RefreshError::Refused(RefreshVerdict::Theft));
                }
            }
            Decision::Accept { next, write, reissue, verdict } => {
                if !app.settings.sessions.permits_audience(audience, next.roles) {
                    return Err(RefreshError::AudienceNotPermitted);
                }
                if !write || app.store.sessions().advance((*next).clone()).await? {
                    return Ok(issue_tokens(app, &next, audience, reissue, verdict)?);
                }
                sessions.forget(session.id);
            }
        }
    }
    Err(RefreshError::Failed(Error::Contended(presented.session())))
}

/// Returns the session of a refresh token that is presented to end it, at logout or at another login. A replaced token is
/// theft here too, and ends the session for that reason.
pub async fn session_to_end(
    app: &App,
    sessions: &mut CandidateSessions,
    presented: &PresentedRefreshToken,
    device: &Device,
) -> Result<Option<SessionId>, Error> {
    let policy = RotationPolicy::from(&app.settings.sessions);
    for _ in 0..MAX_ATTEMPTS {
        let Some(session) = find_current(app, sessions, presented).await? else { return Ok(None) };
        let decision = decide(&session, presented.generation(), &policy, app.store.database_time());
        if !matches!(decision, Decision::Reuse) || end_for_theft(app, &session, presented.generation(), device).await? {
            return Ok(Some(session.id));
        }
        sessions.forget(session.id);
    }
    Err(Error::Contended(presented.session()))
}

/// Returns the session of a presented refresh token, if the token is authentic, with what this process knows of it and
/// has not written yet: whether the token that replaced the presented one has arrived.
async fn find_current(
    app: &App,
    sessions: &mut CandidateSessions,
    presented: &PresentedRefreshToken,
) -> Result<Option<SessionRow>, Error> {
    let found = sessions.find(app, presented).await?;
    let is_parent = found.as_ref().is_some_and(|row| row.tokens.parent_generation == Some(presented.generation()));
    if is_parent && app.last_use.write_one(&app.store, presented.session()).await? {
        sessions.forget(presented.session());
        return sessions.find(app, presented).await;
    }
    Ok(found)
}

/// Counts the refresh once against the rate limit, and only after the token is known to be authentic: session ids are
/// not secret, and a forged token must not use up the owner's refreshes.
fn check_rate_limit(app: &App, session: &SessionRow, counted: &mut bool) -> Result<(), RefreshError> {
    if !std::mem::replace(counted, true) {
        app.rate_limiter.check_refresh(session.id).map_err(RefreshError::RateLimited)?;
    }
    Ok(())
}

/// Refreshes in one round trip, if the cached session is current and the decision is to write; returns `None`
/// otherwise. No other decision counts on a cached row, which may be stale.
async fn refresh_from_cache(
    app: &App,
    session: SessionRow,
    presented: &PresentedRefreshToken,
    audience: &str,
    policy: &RotationPolicy,
) -> Result<Option<Refreshed>, RefreshError> {
    let decision = decide(&session, presented.generation(), policy, app.store.database_time());
    let Decision::Accept { next, write: true, reissue, verdict } = decision else { return Ok(None) };
    if !app.settings.sessions.permits_audience(audience, next.roles)
        || !app.store.sessions().advance_remembered(session, (*next).clone()).await?
    {
        return Ok(None);
    }
    let refreshed = issue_tokens(app, &next, audience, reissue, verdict)?;
    Ok(Some(refreshed))
}

/// The best sign of two primaries: a client has an authentic token that this database never issued.
fn report_newer(app: &App, session: &SessionRow, presented: &PresentedRefreshToken) {
    app.metrics.auth.newer_refresh_tokens.inc();
    tracing::warn!(
        session = %session.id,
        presented_generation = presented.generation(),
        current_generation = session.tokens.generation,
        "a refresh token is newer than the database: it was restored, lost transactions in a failover, or is one of two"
    );
}

/// Ends the whole session: one of its two holders is a thief, and which one is unknown.
async fn end_for_theft(app: &App, session: &SessionRow, generation: i64, device: &Device) -> Result<bool, Error> {
    let mut tx = app.store.begin(&Principal::anonymous(device.clone()), Operation::Refresh).await?;
    let ended = tx.session_end_at_version(session.id, session.version, EndReason::Reuse.as_str()).await?;
    if ended {
        tx.record_account(session.user_id, AccountChange::ReuseDetected(session.id)).await?;
    }
    tx.commit().await?;
    if ended {
        tracing::info!(
            session = %session.id,
            presented_generation = generation,
            current_generation = session.tokens.generation,
            "the generations of the refresh token that came back"
        );
    }
    Ok(ended)
}

fn issue_tokens(
    app: &App,
    session: &SessionRow,
    audience: &str,
    reissue: bool,
    verdict: RefreshVerdict,
) -> Result<Refreshed, Error> {
    let without_membership = || Error::Inconsistent("a session without a membership was refreshed".to_owned());
    let subject = Subject::of(session).ok_or_else(without_membership)?;
    let access = access_token(app, &subject, audience, app.clock.now())?;
    let refresh = reissue.then(|| {
        refresh_token_of(
            app,
            session.id,
            session.tokens.generation,
            &session.nonce,
            session.tokens.issued_at,
            session.expires_at,
        )
    });
    Ok(Refreshed { subject, access, refresh, verdict })
}
