//! Sign-ups pending verification of their address. No account exists yet, so no one occupies an address that is not
//! theirs, and the response does not reveal whether there was an account before (account enumeration).

use super::availability::{EmailAvailability, availability_of};
use super::invited;
use super::new_account::{self, Account, InsertError, Inserted, SignupError, UsernameAttempts, rollback_if_name_taken};
use crate::context::App;
use crate::domain::account::delete;
use crate::domain::account::identity::{self, Username};
use crate::domain::login::complete;
use crate::domain::organization::respond;
use crate::domain::session::lifecycle::OpenedSession;
use crate::domain::verification::mails::{Recipient, send, send_address_taken};
use crate::domain::verification::token::{IssueOptions, IssuedToken, draft};
use crate::domain::verification::token_check::{MailedSecret, VerifyError, VerifyOutcome, verify_secret};
use crate::error::Error;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::model::ids::{AccountTokenId, InvitationId, UserId};
use crate::model::roles::Roles;
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::RateLimit;
use crate::settings::Signup;
use crate::store::{AccountTokenRow, Tx};

/// Stores a signup until its address is verified, and emails link and code. If the address is taken, it does the same
/// work but notifies the owner instead.
pub(in crate::domain) async fn begin(
    app: &App,
    account: &Account,
    invitation: Option<InvitationId>,
    options: IssueOptions<'_>,
) -> Result<AccountTokenId, SignupError> {
    let limit = RateLimit::MailTo(&account.email.key());
    app.rate_limiter.check(limit).await.map_err(|refused| refused.map_exceeded(SignupError::TooSoon))?;
    let mut row = draft(app, AccountTokenKind::Signup, None, &account.email, options.return_to)?;
    row.username = account.username.as_ref().map(|name| name.as_str().to_owned());
    row.password_hash = Some(account.password_hash.clone());
    row.invitation_id = invitation;
    let mut tx = app.store.begin().await?;
    let issued = IssuedToken::issue(app, row)?;
    let availability = availability_of(&mut tx, &issued.row).await?;
    issued.store(&mut tx).await?;
    if availability == EmailAvailability::Taken {
        send_address_taken(app, &mut tx, &issued.row, options.locale).await?;
    } else {
        let replaces_account = availability == EmailAvailability::HeldUnverified;
        send(app, &mut tx, &issued, Recipient { username: None, replaces_account }, options.locale).await?;
    }
    tx.commit().await?;
    Ok(issued.row.id)
}

/// Creates the account of a signup with a verified address, and opens its first session. An account that held the
/// address unverified is deleted, and the new one inherits nothing
/// (docs/decisions/0007-replaced-unverified-accounts.md).
pub(in crate::domain) async fn complete(
    app: &App,
    row: &AccountTokenRow,
    secret: MailedSecret<'_>,
    client: &complete::ClientContext,
) -> Result<VerifyOutcome, VerifyError> {
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        // The lock order of all use cases: organizations, the account, the row.
        let (tx, holder) = delete::lock_email_owner(app, &row.email_key).await?;
        let (mut tx, row) = verify_secret(app, tx, row.id, secret).await?;
        if availability_of(&mut tx, &row).await? == EmailAvailability::Taken {
            return Err(VerifyError::AddressTaken);
        }
        if let Some(holder) = holder {
            delete::replace_unverified_account(app, &mut tx, &holder, &Actor::unknown(client.device.clone())).await?;
        }
        let created = create(app, &mut tx, &row, client, attempt).await;
        if let Some((mut tx, (user, opened))) = rollback_if_name_taken(tx, created).await? {
            tx.account_tokens_delete_signups(&row.email_key).await?;
            tx.commit().await?;
            tracing::info!(user = %user, session = %opened.session_id, "signed up with a verified address");
            return Ok(VerifyOutcome::SignedUp { user, opened, return_to: row.return_to });
        }
    }
}

async fn create(
    app: &App,
    tx: &mut Tx,
    row: &AccountTokenRow,
    client: &complete::ClientContext,
    attempt: u32,
) -> Result<(UserId, OpenedSession), InsertError> {
    let account = Account {
        email: identity::EmailAddress::from_stored(&row.email),
        username: chosen_username_if_free(tx, row).await?,
        password_hash: row.password_hash.clone().unwrap_or_default(),
        roles: Roles::NONE,
    };
    let invitation = match row.invitation_id {
        Some(id) => match respond::lock_pending_by_id(app, tx, id).await {
            Ok(invitation) => Some(invitation),
            Err(_) if app.settings.accounts.signup == Signup::Open => None,
            Err(error) => return Err(SignupError::from(error).into()),
        },
        None => None,
    };
    let Inserted { user, organization } = match invitation {
        Some(invitation) => invited::insert_invited(app, tx, &account, &invitation, attempt, true).await?,
        None => new_account::insert_direct(app, tx, &account, attempt, true).await?,
    };
    let opened = complete::open(app, tx, &user, organization, client).await?;
    record(tx, AuditKind::AccountCreated, user.id, &opened, client).await?;
    record(tx, AuditKind::EmailVerified, user.id, &opened, client).await?;
    Ok((user.id, opened))
}

/// Returns the chosen username, or `None` if it was taken since, so that one is derived.
async fn chosen_username_if_free(tx: &mut Tx, row: &AccountTokenRow) -> Result<Option<Username>, Error> {
    let Some(chosen) = row.username.as_deref().and_then(|name| Username::parse(name).ok()) else { return Ok(None) };
    Ok(if tx.user_find_by_username(&chosen.key()).await?.is_some() { None } else { Some(chosen) })
}

async fn record(
    tx: &mut Tx,
    kind: AuditKind,
    user: UserId,
    opened: &OpenedSession,
    client: &complete::ClientContext,
) -> Result<(), Error> {
    let actor = Actor::user(user, Some(opened.session_id), client.device.clone());
    Ok(tx.audit_push(&AuditEntry::new(kind, user, &actor)).await?)
}
