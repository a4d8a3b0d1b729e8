//! The row of a login, which `state` names: what is sealed in it, and its claim, once, by the browser that began it.

use super::refusal::ProviderRefusal;
use super::types::{CallbackFields, CallbackRequest, PROVIDER_LOGIN_TTL};
use crate::context::App;
use crate::crypto::login_secrets::ReturnSecrets;
use crate::crypto::seal::SealContext;
use crate::crypto::token_hash::LinkToken;
use crate::error::Error;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::model::verification::TokenPurpose;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::{ProviderLoginRow, ProviderRow};
use std::time::Duration;
use zeroize::Zeroizing;

/// The most that is kept of an answer that came by a form, in bytes.
pub const MAX_ANSWER_LEN: usize = 8 * 1024;

/// What a login began with that only this service knows.
pub(super) struct LoginSecrets {
    /// The code verifier and the nonce.
    pub(super) returned: ReturnSecrets,
    /// The token of the invitation with which it began.
    pub(super) invitation: Option<String>,
}

pub(super) fn state_hash(app: &App, state: &str) -> [u8; 32] {
    app.secret_keys.hash_token(TokenPurpose::ProviderLoginState, state)
}

pub(super) fn browser_hash(app: &App, browser: &str) -> [u8; 32] {
    app.secret_keys.hash_token(TokenPurpose::ProviderLoginBrowser, browser)
}

/// Both hashes under each known key, that of the first key first.
pub(super) fn hash_pairs(app: &App, state: &str, browser: &str) -> Vec<([u8; 32], [u8; 32])> {
    let states = app.secret_keys.token_hashes(TokenPurpose::ProviderLoginState, state);
    states.into_iter().zip(app.secret_keys.token_hashes(TokenPurpose::ProviderLoginBrowser, browser)).collect()
}

const fn context<'a>(state_hash: &'a [u8], column: &'static str) -> SealContext<'a> {
    SealContext { table: "foreign_logins", row: state_hash, column }
}

pub(super) fn seal(app: &App, state_hash: &[u8], column: &'static str, plain: &[u8]) -> Result<Vec<u8>, Error> {
    app.secret_keys.seal(&context(state_hash, column), plain).map_err(Error::crypto)
}

/// Opens what was sealed for a column; `None` if it was sealed for another one.
pub(super) fn open(app: &App, state_hash: &[u8], column: &'static str, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    app.secret_keys.open(&context(state_hash, column), sealed).ok()
}

pub(super) fn seal_secrets(
    app: &App,
    state_hash: &[u8],
    secrets: &ReturnSecrets,
    invitation: Option<&str>,
) -> Result<Vec<u8>, Error> {
    let invitation = invitation.filter(|token| LinkToken::has_form_of(token)).unwrap_or_default();
    let plain = Zeroizing::new(format!("{}\n{invitation}", *secrets.to_text()));
    seal(app, state_hash, "secrets", plain.as_bytes())
}

pub(super) fn open_secrets(app: &App, row: &ProviderLoginRow) -> Option<LoginSecrets> {
    let plain = open(app, &row.state_hash, "secrets", &row.secrets)?;
    let (returned, invitation) = std::str::from_utf8(&plain).ok()?.split_once('\n')?;
    let invitation = Some(invitation).filter(|token| !token.is_empty()).map(str::to_owned);
    Some(LoginSecrets { returned: ReturnSecrets::parse(returned)?, invitation })
}

/// The column of an answer that came by a form.
pub(super) const ANSWER: &str = "answer";

/// Keeps an answer that came by a form, which brings no cookie: once, and only for a login that waits for this provider.
/// `false` if there is none: anyone can send one.
pub async fn keep_answer(
    app: &App,
    principal: &Principal,
    provider: &ProviderRow,
    state: &str,
    answer: &CallbackFields,
) -> Result<bool, Error> {
    let answer = Zeroizing::new(serde_json::to_vec(answer).map_err(Error::json)?);
    if !LinkToken::has_form_of(state) || answer.len() > MAX_ANSWER_LEN {
        return Ok(false);
    }
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    let mut known = None;
    for hash in app.secret_keys.token_hashes(TokenPurpose::ProviderLoginState, state) {
        if conn.provider_login_find(&hash).await?.is_some() {
            known = Some(hash);
        }
    }
    drop(conn);
    // What strangers send costs no write.
    let Some(hash) = known else { return Ok(false) };
    let sealed = seal(app, &hash, ANSWER, &answer)?;
    let mut tx = app.store.begin(principal, Operation::PresentSecret).await?;
    tx.provider_login_keep_answer(&hash, &provider.provider.name, &sealed).await?;
    tx.commit().await?;
    Ok(true)
}

/// Whether a callback may end the login of its state.
pub(super) enum CallbackClaim {
    First(Box<ProviderLoginRow>),
    /// The same browser brought it back before.
    Repeated(Box<ProviderLoginRow>),
    Refused(ProviderRefusal, Box<ProviderLoginRow>),
    /// Too many of this site failed lately: it waits on.
    TooSoon(Duration),
    Unknown,
}

/// Claims a login for the browser that began it. It counts as one that fails until the provider has vouched for a person.
pub(super) async fn claim(
    app: &App,
    principal: &Principal,
    provider: &ProviderRow,
    request: &CallbackRequest<'_>,
) -> Result<CallbackClaim, Error> {
    if !LinkToken::has_form_of(request.state) {
        return Ok(CallbackClaim::Unknown);
    }
    let mut tx = app.store.begin(principal, Operation::PresentSecret).await?;
    for (state_hash, browser_hash) in hash_pairs(app, request.state, request.secret.unwrap_or_default()) {
        let Some(found) = tx.provider_login_find(&state_hash).await? else { continue };
        let found = Box::new(found);
        // Keyed hashes: comparing them tells nothing about the secret.
        if request.secret.is_none() || found.browser_hash != browser_hash {
            return Ok(CallbackClaim::Refused(ProviderRefusal::OtherBrowser, found));
        }
        if found.provider != provider.provider.name {
            return Ok(CallbackClaim::Refused(ProviderRefusal::OtherProvider, found));
        }
        if found.claimed_at.is_some() {
            return Ok(CallbackClaim::Repeated(found));
        }
        if !found.is_of(provider) {
            return Ok(CallbackClaim::Refused(ProviderRefusal::RecordChanged, found));
        }
        let limit = RateLimit::ProviderReturnFrom(request.from);
        if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check_in(&mut tx, [limit]).await)? {
            return Ok(CallbackClaim::TooSoon(wait));
        }
        let Some(row) = tx.provider_login_claim(&state_hash, &browser_hash).await? else {
            return Ok(if is_over(app, &found) {
                CallbackClaim::Refused(ProviderRefusal::TooLate, found)
            } else {
                CallbackClaim::Repeated(found)
            });
        };
        tx.commit().await?;
        return Ok(CallbackClaim::First(Box::new(row)));
    }
    Ok(CallbackClaim::Unknown)
}

/// When a login that begins now is over, or the question that it waits with from now on.
pub(super) fn expires_at(app: &App) -> Time {
    app.store.database_time() + PROVIDER_LOGIN_TTL
}

pub(super) fn is_over(app: &App, row: &ProviderLoginRow) -> bool {
    row.expires_at <= app.store.database_time()
}
