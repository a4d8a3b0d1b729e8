//! The refresh of a session: decide, write under the row's version, answer.

use super::lifecycle::{CookieToken, Subject, access_token, find_presented, refresh_token_of};
use super::rotation::{Decision, Policy, decide};
use crate::context::App;
use crate::crypto::refresh_token::Presented;
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::device::Device;
use crate::model::session::EndReason;
use crate::store::SessionRow;
use std::time::Duration;

/// Each lost race means that another refresh of the session won, so this many in a row do not happen.
const MAX_RACES: u32 = 16;

/// New tokens for a session.
pub struct Refreshed {
    /// Whom they speak for.
    pub subject: Subject,
    /// An access token of the audience asked for.
    pub access: CookieToken,
    /// The session's current refresh token, if the presented one is no longer it.
    pub refresh: Option<CookieToken>,
}

/// Why a session was not refreshed.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The token is unknown, expired, of an ended session or of a disabled user; or it had been replaced, in which case
    /// the session is ended now.
    #[error("the refresh token is not valid")]
    Refused,
    /// The user's roles do not permit the audience; nothing was consumed.
    #[error("the audience is not permitted")]
    AudienceNotPermitted,
    /// Too many refreshes of the session; there is room again after this time.
    #[error("too many refreshes of the session")]
    TooOften(Duration),
    /// A fault of ours; nothing was consumed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<crate::store::StoreError> for RefreshError {
    fn from(error: crate::store::StoreError) -> Self {
        RefreshError::Failed(error.into())
    }
}

/// Accepts or refuses a refresh token, and gives new tokens for `audience`, which must be one of the settings' list.
///
/// `from` is who presents it, perhaps a backend: it goes into the audit log when the token was stolen, and nowhere else.
pub async fn refresh(
    app: &App,
    presented: &Presented,
    audience: &str,
    from: &Device,
) -> Result<Refreshed, RefreshError> {
    let policy = Policy::from(&app.settings.sessions);
    let remembered = app.store.session_remembered(presented.session());
    let remembered = remembered.filter(|session| presented.verify(&app.secret_keys, &session.nonce));
    let mut counted = false;
    if let Some(session) = remembered {
        count(app, &session, &mut counted)?;
        if let Some(refreshed) = refresh_remembered(app, session, presented, audience, &policy).await? {
            return Ok(refreshed);
        }
    }
    for _ in 0..MAX_RACES {
        let Some(session) = find_presented(app, presented).await? else {
            return Err(RefreshError::Refused);
        };
        count(app, &session, &mut counted)?;
        match decide(&session, presented.generation(), &policy, app.clock.now()) {
            Decision::Refuse => return Err(RefreshError::Refused),
            Decision::Theft => {
                if end_stolen(app, &session, presented.generation(), from).await? {
                    return Err(RefreshError::Refused);
                }
            }
            Decision::Accept { next, write, reissue } => {
                if !app.settings.sessions.permits(audience, next.roles) {
                    return Err(RefreshError::AudienceNotPermitted);
                }
                if !write || advance(app, &next).await? {
                    return Ok(answer(app, &next, audience, reissue)?);
                }
            }
        }
    }
    Err(RefreshError::Failed(Error::Contended(presented.session())))
}

/// Counts the refresh once, and only when its token is known to be authentic: session ids are no secret, and a forged
/// token must not use up the owner's refreshes.
fn count(app: &App, session: &SessionRow, counted: &mut bool) -> Result<(), RefreshError> {
    if !std::mem::replace(counted, true) {
        app.rate_limiter.check_refresh(session.id).map_err(RefreshError::TooOften)?;
    }
    Ok(())
}

/// Refreshes in one round trip, if the session is as it is remembered and what follows from that is written; `None`
/// otherwise. Whatever else was decided on a memory says nothing: the session may have changed since.
async fn refresh_remembered(
    app: &App,
    session: SessionRow,
    presented: &Presented,
    audience: &str,
    policy: &Policy,
) -> Result<Option<Refreshed>, RefreshError> {
    let decision = decide(&session, presented.generation(), policy, app.clock.now());
    let Decision::Accept { next, write: true, reissue } = decision else { return Ok(None) };
    if !app.settings.sessions.permits(audience, next.roles)
        || !app.store.session_advance_remembered(session, (*next).clone()).await?
    {
        return Ok(None);
    }
    let refreshed = answer(app, &next, audience, reissue)?;
    app.store.session_remember(*next);
    Ok(Some(refreshed))
}

async fn advance(app: &App, next: &SessionRow) -> Result<bool, RefreshError> {
    let mut tx = app.store.begin_single().await?;
    let advanced = tx.session_advance(next).await?;
    tx.commit().await?;
    if advanced {
        app.store.session_remember(next.clone());
    }
    Ok(advanced)
}

/// Ends the whole session: of its two holders one is a thief, and it cannot be told which.
async fn end_stolen(app: &App, session: &SessionRow, generation: i64, from: &Device) -> Result<bool, RefreshError> {
    let mut tx = app.store.begin().await?;
    let ended = tx.session_end_at_version(session.id, session.version, EndReason::Reuse.as_str()).await?;
    if ended {
        let by = By::unknown(from.clone()).about(session.id);
        tx.audit_push(&AuditEntry::new(AuditKind::ReuseDetected, session.user_id, &by)).await?;
    }
    tx.commit().await?;
    if ended {
        tracing::warn!(
            session = %session.id,
            user = %session.user_id,
            presented_generation = generation,
            current_generation = session.generation,
            "a replaced refresh token came back: the session was ended"
        );
    }
    Ok(ended)
}

fn answer(app: &App, session: &SessionRow, audience: &str, reissue: bool) -> Result<Refreshed, Error> {
    let subject = Subject::from(session);
    let access = access_token(app, &subject, audience, app.clock.now())?;
    let refresh = reissue.then(|| {
        refresh_token_of(app, session.id, session.generation, &session.nonce, session.issued_at, session.expires_at)
    });
    Ok(Refreshed { subject, access, refresh })
}
