//! The person has an address that an account holds which never verified it: whose account that is, they say
//! (docs/concepts/decisions/0007-whose-account-holds-an-address.md). The provider's word stands for the mailed code.

use super::outcome::{NotAdmitted, ReturnOutcome};
use super::pending::PendingProviderLogin;
use super::sign_up::{self, Newcomer};
use super::types::Question;
use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, email_availability};
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete::ClientContext;
use crate::domain::organization::respond;
use crate::domain::ownership::unverified::{self, HolderAnswer, UnverifiedHolder, WhoseAccount};
use crate::domain::registration::keep::{self, Claimant};
use crate::domain::registration::new_account::{SignupError, UsernameAttempts, unless_name_taken};
use crate::error::Error;
use crate::metrics::SignupResult;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::store::{InvitationRow, Tx};

pub enum Answered {
    Done(ReturnOutcome),
    /// The answer is about another account, or there was none: the question about the one that holds the address.
    Asked(UnverifiedHolder),
    /// Another form has answered.
    Void,
}

/// What the question says of the account; `None` if the address is not held by an unverified account any more.
pub async fn question(
    app: &App,
    principal: &Principal,
    waiting: &PendingProviderLogin,
) -> Result<Option<UnverifiedHolder>, Error> {
    let Some(email) = &waiting.verified else { return Ok(None) };
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    let holder = conn.user_find_by_email(&email.key()).await?.filter(|holder| holder.email_verified_at.is_none());
    match holder {
        Some(holder) => Ok(Some(unverified::describe(&mut conn, &holder).await?)),
        None => Ok(None),
    }
}

/// Goes on as the person says; `None` if the address is not held by an unverified account any more.
pub(super) async fn answer(
    app: &App,
    waiting: &PendingProviderLogin,
    newcomer: Newcomer<'_>,
    answer: Option<HolderAnswer>,
    client: &ClientContext,
) -> Result<Option<Answered>, Error> {
    let Some(email) = waiting.verified.as_ref().filter(|_| waiting.question == Question::Whose) else {
        return Ok(Some(Answered::Void));
    };
    if answer.is_some_and(|answer| answer.whose == WhoseAccount::NotMine)
        && let Err(refused) = sign_up::admit(app, newcomer, client).await?
    {
        return Ok(Some(Answered::Done(ReturnOutcome::NotAdmitted(refused))));
    }
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        match try_answer(app, waiting, (newcomer, email), answer, attempt, client).await? {
            Attempt::Answered(answered) => return Ok(Some(answered)),
            Attempt::NotHeld => return Ok(None),
            Attempt::NameTaken => {}
        }
    }
}

enum Attempt {
    Answered(Answered),
    NotHeld,
    /// Retry with the next number.
    NameTaken,
}

impl From<ReturnOutcome> for Attempt {
    fn from(outcome: ReturnOutcome) -> Self {
        Attempt::Answered(Answered::Done(outcome))
    }
}

async fn try_answer(
    app: &App,
    waiting: &PendingProviderLogin,
    (newcomer, email): (Newcomer<'_>, &EmailAddress),
    answer: Option<HolderAnswer>,
    attempt: u32,
    client: &ClientContext,
) -> Result<Attempt, Error> {
    let mut tx = app.store.begin(&client.anonymous(), Operation::PresentSecret).await?;
    let invitation = lock_invitation(app, &mut tx, newcomer.invitation).await?;
    // Whatever the answer: an invitation is for its address.
    if let Some(other) = invitation.as_ref().filter(|invitation| invitation.email_key != email.key()) {
        return Ok(ReturnOutcome::NotAdmitted(NotAdmitted::InvitedElsewhere(other.email.clone())).into());
    }
    let holder = unverified::lock_email_owner(&mut tx, &email.key()).await?;
    let availability = email_availability(&mut tx, &email.key(), None).await?;
    let Some(holder) = holder.filter(|_| availability == EmailAvailability::HeldUnverified) else {
        tx.rollback().await?;
        return Ok(Attempt::NotHeld);
    };
    let Some(whose) = answer.and_then(|answer| answer.about(holder.id)) else {
        return Ok(Attempt::Answered(Answered::Asked(unverified::describe(&mut tx, &holder).await?)));
    };
    if !waiting.finish(&mut tx).await? {
        return Ok(Attempt::Answered(Answered::Void));
    }
    tx.continue_as(&client.anonymous(), Operation::SignUp)?;
    let opened = match whose {
        WhoseAccount::Mine => {
            let claimant = claimant(newcomer, email, client);
            keep::keep(app, &mut tx, &holder, &claimant, invitation, client).await
        }
        WhoseAccount::NotMine => {
            release(&mut tx, holder.id, client).await?;
            sign_up::create_released(app, &mut tx, newcomer, email, attempt, client).await
        }
    };
    match unless_name_taken(opened) {
        Ok(Some(opened)) => {
            tx.account_tokens_delete_signups(&email.key()).await?;
            tx.commit().await?;
            app.metrics.auth.signups.count(SignupResult::Created);
            Ok(ReturnOutcome::LoggedIn(opened).into())
        }
        Ok(None) => Ok(Attempt::NameTaken),
        Err(SignupError::Failed(error)) => Err(error),
        Err(SignupError::Fields(errors)) => Ok(ReturnOutcome::Fields(errors).into()),
        Err(SignupError::TooSoon(wait)) => Ok(ReturnOutcome::TooSoon(wait).into()),
        Err(SignupError::InvitationVoid) => Ok(ReturnOutcome::NotAdmitted(NotAdmitted::InvitationVoid).into()),
        Err(SignupError::IdentityTaken) => {
            tx.rollback().await?;
            Ok(sign_up::taken(app, newcomer, client).await?.into())
        }
    }
}

fn claimant<'a>(newcomer: Newcomer<'a>, email: &'a EmailAddress, client: &ClientContext) -> Claimant<'a> {
    Claimant {
        email,
        password_hash: None,
        identity: Some(newcomer.identity),
        language: Some(client.locale),
        authentication: newcomer.identity.authentication(),
    }
}

async fn release(tx: &mut Tx, holder: UserId, client: &ClientContext) -> Result<(), Error> {
    tx.continue_as(&Principal::secret_holder(holder, client.device.clone()), Operation::VerifyAddress)?;
    tx.require_own(holder)?;
    unverified::release_address(tx, holder).await?;
    Ok(tx.continue_as(&client.anonymous(), Operation::SignUp)?)
}

/// The invitation, if there is one and it is still pending.
async fn lock_invitation(app: &App, tx: &mut Tx, token: Option<&str>) -> Result<Option<InvitationRow>, Error> {
    let Some(token) = token else { return Ok(None) };
    respond::unless_over(respond::lock_pending(app, tx, token).await)
}

/// Gives an account that nobody ever had a way into to the person who has its address; `None` if it has changed since.
pub(super) async fn keep_unused(
    app: &App,
    newcomer: Newcomer<'_>,
    email: &EmailAddress,
    holder: UserId,
    client: &ClientContext,
) -> Result<Option<ReturnOutcome>, Error> {
    let mut tx = app.store.begin(&client.anonymous(), Operation::SignUp).await?;
    let invitation = lock_invitation(app, &mut tx, newcomer.invitation).await?;
    let invitation = invitation.filter(|invitation| invitation.email_key == email.key());
    let locked = unverified::lock_email_owner(&mut tx, &email.key()).await?;
    let Some(locked) = locked.filter(|locked| locked.id == holder && locked.disabled_at.is_none()) else {
        return Ok(None);
    };
    if locked.email_verified_at.is_some() || unverified::is_to_be_asked_about(&mut tx, &locked).await? {
        return Ok(None);
    }
    let claimant = claimant(newcomer, email, client);
    match unless_name_taken(keep::keep(app, &mut tx, &locked, &claimant, invitation, client).await) {
        Ok(Some(opened)) => {
            tx.account_tokens_delete_signups(&email.key()).await?;
            tx.commit().await?;
            Ok(Some(ReturnOutcome::LoggedIn(opened)))
        }
        Err(SignupError::Failed(error)) => Err(error),
        Ok(None) | Err(_) => Err(Error::Inconsistent("an account without a way in was not kept".to_owned())),
    }
}
