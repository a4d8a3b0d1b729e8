//! Sign-ups pending verification of their address. No account exists yet, so the address is not taken before it is
//! verified, and the response does not reveal whether there was an account before (account enumeration).

use super::again::{Made, SentSignup};
use super::form;
use super::new_account::{Account, IfTaken, SignupError, UsernameAttempts, unless_name_taken};
use super::verified::{self, LockedInvitation, VerifiedSignup};
use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, availability_of};
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::login::complete::ClientContext;
use crate::domain::mailed_token::mails::send;
use crate::domain::mailed_token::token::{IssueOptions, IssuedToken, draft};
use crate::domain::mailed_token::token_check::{MailedSecret, VerifyError, VerifyOutcome, verify_secret};
use crate::domain::organization::respond;
use crate::domain::ownership::identities::ProviderIdentity;
use crate::domain::ownership::unverified::{self, HolderAnswer};
use crate::error::Error;
use crate::model::auth_method::AuthMethod;
use crate::model::ids::{AccountTokenId, InvitationId};
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::model::verification::AccountTokenKind;
use crate::settings::Signup;
use crate::store::{AccountTokenRow, Tx};

/// Stores a signup until its address is verified, and emails link and code. If the address is taken, it does the same
/// work but notifies the owner instead. `None`: the browser sent the same meanwhile, which was first.
pub(in crate::domain) async fn begin(
    app: &App,
    principal: &Principal,
    account: &Account,
    (identity, sent): (Option<&ProviderIdentity>, Option<&SentSignup>),
    invitation: Option<InvitationId>,
    options: IssueOptions<'_>,
) -> Result<Option<AccountTokenId>, SignupError> {
    let mut row = draft(app, AccountTokenKind::Signup, None, &account.email, options.return_to)?;
    row.username = Some(account.username.as_str().to_owned());
    row.password_hash.clone_from(&account.password_hash);
    row.invitation_id = invitation;
    row.language = account.language;
    let mut tx = app.store.begin(principal, Operation::SignUp).await?;
    let issued = IssuedToken::issue(app, row)?;
    if let Some(sent) = sent
        && !sent.note(app, &mut tx, Made::Pending(issued.row.id)).await?
    {
        return Ok(None);
    }
    issued.store(&mut tx).await?;
    if let Some(identity) = identity {
        tx.pending_identity_create(&identity.pending(issued.row.id)).await?;
    }
    send(app, &mut tx, &issued, None, options.locale).await?;
    tx.commit().await?;
    Ok(Some(issued.row.id))
}

/// Completes a signup whose address is verified, and opens a session. If an account that never verified the address
/// holds it, `answer` says whose account that is; without an answer for it, nothing changes and the person is asked
/// (docs/concepts/decisions/0007-whose-account-holds-an-address.md).
pub(in crate::domain) async fn complete(
    app: &App,
    row: &AccountTokenRow,
    secret: MailedSecret<'_>,
    answer: Option<HolderAnswer>,
    client: &ClientContext,
) -> Result<VerifyOutcome, VerifyError> {
    let anonymous = client.anonymous();
    // A wrong code ends here, after the same work whether or not the address has an account (account enumeration).
    let mut tx = app.store.begin(&anonymous, Operation::PresentSecret).await?;
    match verify_secret(app, &mut tx, row.id, secret).await {
        Ok(_) => tx.rollback().await?,
        Err(refusal) => return Err(refusal.end(tx).await),
    }
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let mut tx = app.store.begin(&anonymous, Operation::PresentSecret).await?;
        // The lock order of all use cases: the organization, the account, the row.
        let invitation = lock_invitation(app, &mut tx, row).await?;
        let holder = unverified::lock_email_owner(&mut tx, &row.email_key).await?;
        let row = match verify_secret(app, &mut tx, row.id, secret).await {
            Ok(row) => row,
            Err(refusal) => return Err(refusal.end(tx).await),
        };
        tx.continue_as(&anonymous, Operation::SignUp)?;
        let account = account_of(&row);
        let identity = tx.pending_identity_find(row.id).await?;
        let identity = identity.map(|pending| ProviderIdentity::of_pending(pending, &row.email));
        let now = app.store.database_time();
        let signup = VerifiedSignup {
            account: &account,
            identity: identity.as_ref(),
            // The login of the signup, and the link or code that came by mail.
            authentication: form::authentication(identity.as_ref(), now).with(AuthMethod::MailedLink, now),
            invitation,
        };
        let completed = match (availability_of(&mut tx, &row).await?, holder) {
            (EmailAvailability::Taken | EmailAvailability::Blocked, _) => return Err(VerifyError::AddressTaken),
            // Another account has got the address since it was looked up.
            (EmailAvailability::HeldUnverified, None) => continue,
            (_, None) => signup.create(app, &mut tx, attempt, client).await,
            (_, Some(holder)) => match answer.and_then(|answer| answer.about(holder.id)) {
                None => return Ok(VerifyOutcome::Question(unverified::describe(&mut tx, &holder).await?)),
                Some(whose) => signup.settle(app, &mut tx, &holder, whose, attempt, client).await,
            },
        };
        if let Some((user, opened)) = unless_name_taken(completed)? {
            verified::commit(app, tx, &row.email_key).await?;
            return Ok(VerifyOutcome::SignedUp { user, opened, return_to: row.return_to });
        }
    }
}

async fn lock_invitation(app: &App, tx: &mut Tx, row: &AccountTokenRow) -> Result<LockedInvitation, Error> {
    let Some(id) = row.invitation_id else { return Ok(LockedInvitation::None) };
    match respond::unless_over(respond::lock_pending_by_id(app, tx, id).await)? {
        None if app.settings.accounts.signup == Signup::Open => Ok(LockedInvitation::None),
        pending => Ok(pending.into()),
    }
}

fn account_of(row: &AccountTokenRow) -> Account {
    let email = EmailAddress::from_stored(&row.email);
    let chosen = row.username.as_deref().and_then(|name| Username::parse(name).ok());
    Account {
        username: chosen.unwrap_or_else(|| Username::derived(&email)),
        // The name may have been taken since; too late to ask for another.
        if_taken: IfTaken::Number,
        email,
        password_hash: row.password_hash.clone(),
        roles: Roles::NONE,
        language: row.language,
    }
}
