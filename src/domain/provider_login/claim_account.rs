//! The address of a new user has an account that never verified it: whose account that is, they say
//! (docs/concepts/decisions/0007-whose-account-holds-an-address.md). The provider's word stands for the mailed code.

use super::outcome::CallbackOutcome;
use super::pending::PendingProviderLogin;
use super::sign_up::{self, UnconnectedLogin};
use super::types::Question;
use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, email_availability};
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete::ClientContext;
use crate::domain::ownership::unverified::{self, HolderAnswer, UnverifiedHolder, WhoseAccount};
use crate::domain::registration::new_account::UsernameAttempts;
use crate::domain::registration::verified::LockedInvitation;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};

pub enum Answered {
    Done(CallbackOutcome),
    /// There is no answer for the account that holds the address.
    AskAgain,
    /// Another form has answered.
    Void,
}

/// What the question says of the account; `None` if the address is not held by an unverified account any more.
pub async fn question(
    app: &App,
    principal: &Principal,
    pending: &PendingProviderLogin,
) -> Result<Option<UnverifiedHolder>, Error> {
    let Some(email) = &pending.verified else { return Ok(None) };
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
    pending: &PendingProviderLogin,
    login: UnconnectedLogin<'_>,
    answer: Option<HolderAnswer>,
    client: &ClientContext,
) -> Result<Option<Answered>, Error> {
    let Some(email) = pending.verified.as_ref().filter(|_| pending.question == Question::ClaimAccount) else {
        return Ok(Some(Answered::Void));
    };
    if answer.is_some_and(|answer| answer.whose == WhoseAccount::NotMine)
        && let Err(refused) = sign_up::admit(app, login, client).await?
    {
        return Ok(Some(Answered::Done(refused)));
    }
    let account = sign_up::unnamed_account(email, client);
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let mut tx = app.store.begin(&client.anonymous(), Operation::PresentSecret).await?;
        let invitation = sign_up::lock_invitation(app, &mut tx, login).await?;
        // Whatever the answer: an invitation is for its address.
        if let LockedInvitation::Pending(row) = &invitation
            && row.email_key != email.key()
        {
            return Ok(Some(Answered::Done(CallbackOutcome::InvitedElsewhere(row.email.clone()))));
        }
        let holder = unverified::lock_email_owner(&mut tx, &email.key()).await?;
        let availability = email_availability(&mut tx, &email.key(), None).await?;
        let Some(holder) = holder.filter(|_| availability == EmailAvailability::HeldUnverified) else {
            tx.rollback().await?;
            return Ok(None);
        };
        let Some(whose) = answer.and_then(|answer| answer.about(holder.id)) else {
            return Ok(Some(Answered::AskAgain));
        };
        if !pending.finish(&mut tx).await? {
            return Ok(Some(Answered::Void));
        }
        tx.continue_as(&client.anonymous(), Operation::SignUp)?;
        let signup = login.verified_signup(&account, invitation);
        let settled = signup.settle(app, &mut tx, &holder, whose, attempt, client).await;
        if let Some(outcome) = sign_up::end(app, tx, login, &account, settled, client).await? {
            return Ok(Some(Answered::Done(outcome)));
        }
    }
}

/// Gives an account that nobody ever had a way into to the person who has its address; `None` if it has changed since.
pub(super) async fn keep_unused(
    app: &App,
    login: UnconnectedLogin<'_>,
    email: &EmailAddress,
    holder: UserId,
    client: &ClientContext,
) -> Result<Option<CallbackOutcome>, Error> {
    let mut tx = app.store.begin(&client.anonymous(), Operation::SignUp).await?;
    let invitation = sign_up::lock_invitation(app, &mut tx, login).await?;
    let locked = unverified::lock_email_owner(&mut tx, &email.key()).await?;
    let Some(locked) = locked.filter(|locked| locked.id == holder && locked.disabled_at.is_none()) else {
        return Ok(None);
    };
    if locked.email_verified_at.is_some() || unverified::is_to_be_asked_about(&mut tx, &locked).await? {
        return Ok(None);
    }
    let account = sign_up::unnamed_account(email, client);
    let signup = login.verified_signup(&account, invitation.only_of(email));
    let kept = signup.settle(app, &mut tx, &locked, WhoseAccount::Mine, 1, client).await;
    sign_up::end(app, tx, login, &account, kept, client).await
}
