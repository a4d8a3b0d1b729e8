//! The person is known to the provider, and the account there to nobody here: its address decides what follows, and so
//! do the answers to what was asked.

use super::claim_account::{self, Answered};
use super::log_in;
use super::outcome::CallbackOutcome;
use super::pending::PendingProviderLogin;
use super::sign_up::{self, TypedDetails, UnconnectedLogin};
use super::types::Question;
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete::ClientContext;
use crate::domain::ownership::unverified::{self, HolderAnswer};
use crate::domain::registration::new_account::UsernameAttempts;
use crate::error::Error;
use crate::model::principal::Operation;
use crate::settings::SignupUsername;
use crate::store::ProviderRow;
use std::net::IpAddr;

pub(super) async fn proceed(
    app: &App,
    login: UnconnectedLogin<'_>,
    client: &ClientContext,
) -> Result<CallbackOutcome, Error> {
    let mut attempts = UsernameAttempts::default();
    loop {
        // Another request may take the address between the look and the transaction.
        attempts.next()?;
        if let Some(email) = login.verified
            && let Some(outcome) = of_holder(app, login, email, client).await?
        {
            return Ok(outcome);
        }
        let admission = match sign_up::admit(app, login, client).await? {
            Ok(admission) => admission,
            Err(refused) => return Ok(refused),
        };
        let requires_username = app.settings.accounts.signup_username == SignupUsername::Required;
        if requires_username && login.typed.is_none() {
            return Ok(CallbackOutcome::Ask(Question::Details));
        }
        match login.verified {
            None => return sign_up::sign_up(app, login, &admission, client).await,
            // Otherwise another request has taken the address.
            Some(email) => {
                if let Some(outcome) = sign_up::create(app, login, email, client).await? {
                    return Ok(outcome);
                }
            }
        }
    }
}

/// What follows if an account has, or keeps, the address that the person has.
async fn of_holder(
    app: &App,
    login: UnconnectedLogin<'_>,
    email: &EmailAddress,
    client: &ClientContext,
) -> Result<Option<CallbackOutcome>, Error> {
    let mut conn = app.store.read(&client.anonymous(), Operation::SignUp).await?;
    let holder = conn.user_find_by_email(&email.key()).await?;
    let is_reserved = conn.email_is_reserved(&email.key(), None).await?;
    let is_asked = match &holder {
        Some(holder) => unverified::is_to_be_asked_about(&mut conn, holder).await?,
        None => false,
    };
    drop(conn);
    match holder {
        _ if is_reserved => Ok(Some(CallbackOutcome::AddressTaken)),
        None => Ok(None),
        Some(holder) if holder.disabled_at.is_some() => Ok(Some(CallbackOutcome::AddressTaken)),
        Some(holder) if holder.email_verified_at.is_some() => Ok(Some(CallbackOutcome::Ask(Question::Connect))),
        Some(_) if is_asked => Ok(Some(CallbackOutcome::Ask(Question::ClaimAccount))),
        // Nobody ever had a way in: an operator or a backend made it for the owner of the address.
        Some(holder) => claim_account::keep_unused(app, login, email, holder.id, client).await,
    }
}

async fn log_in_or_proceed(
    app: &App,
    login: UnconnectedLogin<'_>,
    client: &ClientContext,
) -> Result<CallbackOutcome, Error> {
    match log_in::log_in(app, login.provider, login.identity, client, login.from).await? {
        Some(outcome) => Ok(outcome),
        None => proceed(app, login, client).await,
    }
}

/// Goes on with an address or a username that was asked for. `None`: another form was first.
pub async fn with_details(
    app: &App,
    provider: &ProviderRow,
    pending: &PendingProviderLogin,
    typed: TypedDetails<'_>,
    client: &ClientContext,
    from: IpAddr,
) -> Result<Option<CallbackOutcome>, Error> {
    if pending.question != Question::Details {
        return Ok(None);
    }
    let login = UnconnectedLogin::of_pending(provider, pending, Some(typed), from);
    let outcome = log_in_or_proceed(app, login, client).await?;
    match outcome {
        CallbackOutcome::Ask(question) if question != Question::Details => {
            pending.ask_instead(app, &client.anonymous(), question).await?;
        }
        // What is wrong can be corrected.
        CallbackOutcome::Fields(_) | CallbackOutcome::Ask(_) | CallbackOutcome::TooSoon(_) => {}
        _ => {
            let mut tx = app.store.begin(&client.anonymous(), Operation::LogIn).await?;
            pending.finish(&mut tx).await?;
            tx.commit().await?;
        }
    }
    outcome.count(app, provider);
    Ok(Some(outcome))
}

/// Goes on with the answer whose the account is that holds the address.
pub async fn with_answer(
    app: &App,
    provider: &ProviderRow,
    pending: &PendingProviderLogin,
    answer: Option<HolderAnswer>,
    client: &ClientContext,
    from: IpAddr,
) -> Result<Answered, Error> {
    let login = UnconnectedLogin::of_pending(provider, pending, None, from);
    if let Some(answered) = claim_account::answer(app, pending, login, answer, client).await? {
        return Ok(answered);
    }
    // The address was verified, released or deleted since: the login goes on from there.
    let outcome = log_in_or_proceed(app, login, client).await?;
    if let CallbackOutcome::Ask(question) = outcome {
        pending.ask_instead(app, &client.anonymous(), question).await?;
    }
    Ok(Answered::Done(outcome))
}
