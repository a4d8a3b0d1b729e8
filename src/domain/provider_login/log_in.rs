//! An account at a provider that is connected: its user is logged in.

use super::outcome::CallbackOutcome;
use crate::context::App;
use crate::domain::login::complete::{ClientContext, complete_login};
use crate::domain::login::limited;
use crate::domain::ownership::identities::ProviderIdentity;
use crate::error::Error;
use crate::model::principal::Operation;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::ProviderRow;
use std::net::IpAddr;

/// Logs in the user of an account at a provider; `None` if no account has it. A changed address there changes nothing
/// here.
pub(super) async fn log_in(
    app: &App,
    provider: &ProviderRow,
    identity: &ProviderIdentity,
    client: &ClientContext,
    from: IpAddr,
) -> Result<Option<CallbackOutcome>, Error> {
    let mut tx = app.store.begin(&client.anonymous(), Operation::LogIn).await?;
    if tx.provider_hold(&provider.provider.name).await? != Some(provider.revision) {
        return Ok(Some(CallbackOutcome::Changed));
    }
    let Some(found) = tx.identity_find(&identity.issuer, &identity.subject).await? else { return Ok(None) };
    let Some(user) = tx.user_lock(found.user_id).await? else { return Ok(None) };
    // Read again: it may have been removed while this waited for the lock.
    let known = tx.identity_find(&identity.issuer, &identity.subject).await?;
    let Some(known) = known.filter(|known| known.user_id == user.id) else { return Ok(None) };
    let limit = RateLimit::LoginsTo(user.id, from);
    if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check_in(&mut tx, [limit]).await)? {
        limited::record(app, "provider", Some(user.id), &client.device);
        return Ok(Some(CallbackOutcome::TooSoon(wait)));
    }
    tx.identity_note_use(known.id, &identity.provider, identity.email.as_deref()).await?;
    let outcome = complete_login(app, &mut tx, &user, identity.authentication(), client).await?;
    tx.commit().await?;
    Ok(Some(outcome.into()))
}
