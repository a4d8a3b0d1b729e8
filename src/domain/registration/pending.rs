//! Sign-ups pending verification of their address. No account exists yet, so the address is not taken before it is
//! verified, and the response does not reveal whether there was an account before (account enumeration).

use super::again::{Made, SentSignup};
use super::form;
use super::invited;
use super::keep::{self, Claimant};
use super::new_account::{
    self, Account, IfTaken, InsertError, Inserted, SignupError, UsernameAttempts, unless_name_taken,
};
use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, availability_of};
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::login::complete;
use crate::domain::mailed_token::mails::send;
use crate::domain::mailed_token::token::{IssueOptions, IssuedToken, draft};
use crate::domain::mailed_token::token_check::{MailedSecret, VerifyError, VerifyOutcome, verify_secret};
use crate::domain::organization::respond;
use crate::domain::ownership::identities::{self, ProviderIdentity};
use crate::domain::ownership::unverified::{self, HolderAnswer, WhoseAccount};
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::metrics::SignupResult;
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::ids::{AccountTokenId, InvitationId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::model::verification::AccountTokenKind;
use crate::settings::Signup;
use crate::store::{AccountTokenRow, InvitationRow, StoreError, Tx};

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
    client: &complete::ClientContext,
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
        let began_with = BeganWith::find(&mut tx, &row).await?;
        let completed = match (availability_of(&mut tx, &row).await?, holder) {
            (EmailAvailability::Taken | EmailAvailability::Blocked, _) => return Err(VerifyError::AddressTaken),
            // Another account has got the address since it was looked up.
            (EmailAvailability::HeldUnverified, None) => continue,
            (_, None) => create(app, &mut tx, (&row, &began_with), invitation, client, attempt).await,
            (_, Some(holder)) => match answer.and_then(|answer| answer.about(holder.id)) {
                None => return Ok(VerifyOutcome::Question(unverified::describe(&mut tx, &holder).await?)),
                Some(WhoseAccount::Mine) => {
                    let email = EmailAddress::from_stored(&row.email);
                    let claimant = Claimant {
                        email: &email,
                        password_hash: row.password_hash.as_deref(),
                        identity: began_with.0.as_ref(),
                        language: row.language,
                        authentication: began_with.authentication(app),
                    };
                    let kept = keep::keep(app, &mut tx, &holder, &claimant, invitation, client).await;
                    kept.map(|opened| (holder.id, opened))
                }
                Some(WhoseAccount::NotMine) => {
                    let secret_holder = Principal::secret_holder(holder.id, client.device.clone());
                    tx.continue_as(&secret_holder, Operation::VerifyAddress)?;
                    tx.require_own(holder.id)?;
                    unverified::release_address(&mut tx, holder.id).await?;
                    tx.continue_as(&anonymous, Operation::SignUp)?;
                    create(app, &mut tx, (&row, &began_with), invitation, client, attempt).await
                }
            },
        };
        if let Some((user, opened)) = unless_name_taken(completed)? {
            tx.account_tokens_delete_signups(&row.email_key).await?;
            tx.commit().await?;
            app.metrics.auth.signups.count(SignupResult::Created);
            return Ok(VerifyOutcome::SignedUp { user, opened, return_to: row.return_to });
        }
    }
}

/// Locks the invitation of a signup; `None` if there is none, or it is no longer pending.
async fn lock_invitation(app: &App, tx: &mut Tx, row: &AccountTokenRow) -> Result<Option<InvitationRow>, Error> {
    let Some(id) = row.invitation_id else { return Ok(None) };
    respond::unless_over(respond::lock_pending_by_id(app, tx, id).await)
}

/// Creates the account, and accepts the invitation.
async fn create(
    app: &App,
    tx: &mut Tx,
    (row, began_with): (&AccountTokenRow, &BeganWith),
    invitation: Option<InvitationRow>,
    client: &complete::ClientContext,
    attempt: u32,
) -> Result<(UserId, OpenedSession), InsertError> {
    if row.invitation_id.is_some() && invitation.is_none() && app.settings.accounts.signup != Signup::Open {
        return Err(SignupError::InvitationVoid.into());
    }
    let email = EmailAddress::from_stored(&row.email);
    let chosen = row.username.as_deref().and_then(|name| Username::parse(name).ok());
    let account = Account {
        username: chosen.unwrap_or_else(|| Username::derived(&email)),
        // The name may have been taken since; too late to ask for another.
        if_taken: IfTaken::Number,
        email,
        password_hash: row.password_hash.clone(),
        roles: Roles::NONE,
        language: row.language,
    };
    let Inserted { user, organization } = match &invitation {
        Some(invitation) => invited::insert_invited(app, tx, &account, invitation, attempt, true).await?,
        None => new_account::insert_direct(app, tx, &account, attempt, true).await?,
    };
    if let Some(identity) = &began_with.0 {
        identities::connect(app, tx, user.id, identity).await.map_err(SignupError::from)?;
        identities::adopt_name(tx, user.id, identity).await?;
    }
    let opened = complete::open(app, tx, &user, organization, &began_with.authentication(app), client).await?;
    tx.record_account(user.id, AccountChange::EmailVerified).await?;
    Ok((user.id, opened))
}

/// The account at a provider with which a signup began; otherwise with a password.
struct BeganWith(Option<ProviderIdentity>);

impl BeganWith {
    async fn find(tx: &mut Tx, row: &AccountTokenRow) -> Result<Self, StoreError> {
        let found = tx.pending_identity_find(row.id).await?;
        Ok(Self(found.map(|pending| ProviderIdentity::of_pending(pending, &row.email))))
    }

    /// The login of the signup, and the link or code that came by mail.
    fn authentication(&self, app: &App) -> Authentication {
        let now = app.store.database_time();
        form::authentication(self.0.as_ref(), now).with(AuthMethod::MailedLink, now)
    }
}
