//! Sign-ups that wait for the proof of their address. There is no account yet, so nobody holds an address that is not
//! theirs, and nothing tells from outside whether there was one before.

use super::availability::{EmailAvailability, availability_of};
use super::invited;
use super::new_account::{self, Account, InsertError, Inserted, SignUpError, UsernameAttempts, written};
use crate::context::App;
use crate::domain::account::delete;
use crate::domain::account::identity::{self, Username};
use crate::domain::login::complete;
use crate::domain::organization::respond;
use crate::domain::session::lifecycle::Opened;
use crate::domain::verification::mails::{Recipient, send, send_taken};
use crate::domain::verification::token::{Asked, Issued, draft};
use crate::domain::verification::token_check::{Proof, ProveError, Proved, checked};
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{AccountTokenId, InvitationId, UserId};
use crate::model::roles::Roles;
use crate::model::verification::Kind;
use crate::rate_limit::RateLimit;
use crate::settings::Signup;
use crate::store::{AccountTokenRow, Tx};

/// Keeps a sign-up until its address is proved, and mails link and code there; or, for the same work, tells the owner of
/// an account with that address.
pub(in crate::domain) async fn begin(
    app: &App,
    account: &Account,
    invitation: Option<InvitationId>,
    asked: Asked<'_>,
) -> Result<AccountTokenId, SignUpError> {
    let limit = RateLimit::MailTo(&account.email.key());
    app.rate_limiter.check(limit).await.map_err(|refused| refused.or(SignUpError::TooSoon))?;
    let mut row = draft(app, Kind::SignUp, None, &account.email, asked.return_to)?;
    row.username = account.username.as_ref().map(|name| name.as_str().to_owned());
    row.password_hash = Some(account.password_hash.clone());
    row.invitation_id = invitation;
    let mut tx = app.store.begin().await?;
    let issued = Issued::of(app, row)?;
    let availability = availability_of(&mut tx, &issued.row).await?;
    issued.store(&mut tx).await?;
    if availability == EmailAvailability::Taken {
        send_taken(app, &mut tx, &issued.row, asked.locale).await?;
    } else {
        let replaces_account = availability == EmailAvailability::HeldUnverified;
        send(app, &mut tx, &issued, Recipient { username: None, replaces_account }, asked.locale).await?;
    }
    tx.commit().await?;
    Ok(issued.row.id)
}

/// Makes an account of a sign-up whose address is proved, and opens its first session. An account that held the address
/// without proof is deleted: nothing of it is the new one's (docs/decisions/0007-accounts-that-give-way.md).
pub(in crate::domain) async fn complete(
    app: &App,
    row: &AccountTokenRow,
    proof: Proof<'_>,
    arrival: &complete::Arrival,
) -> Result<Proved, ProveError> {
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        // Locked in the order of all others: organizations, the account, the row.
        let (tx, holder) = delete::lock_holder(app, &row.email_key).await?;
        let (mut tx, row) = checked(app, tx, row.id, proof).await?;
        if availability_of(&mut tx, &row).await? == EmailAvailability::Taken {
            return Err(ProveError::AddressTaken);
        }
        if let Some(holder) = holder {
            delete::give_way(app, &mut tx, &holder, &By::unknown(arrival.device.clone())).await?;
        }
        let created = create(app, &mut tx, &row, arrival, attempt).await;
        if let Some((mut tx, (user, opened))) = written(tx, created).await? {
            tx.account_tokens_delete_sign_ups(&row.email_key).await?;
            tx.commit().await?;
            tracing::info!(user = %user, session = %opened.session_id, "signed up with a verified address");
            return Ok(Proved::SignedUp { user, opened, return_to: row.return_to });
        }
    }
}

async fn create(
    app: &App,
    tx: &mut Tx,
    row: &AccountTokenRow,
    arrival: &complete::Arrival,
    attempt: u32,
) -> Result<(UserId, Opened), InsertError> {
    let account = Account {
        email: identity::Email::stored(&row.email),
        username: free_username(tx, row).await?,
        password_hash: row.password_hash.clone().unwrap_or_default(),
        roles: Roles::NONE,
    };
    let invitation = match row.invitation_id {
        Some(id) => match respond::lock_open_by_id(app, tx, id).await {
            Ok(invitation) => Some(invitation),
            Err(_) if app.settings.accounts.signup == Signup::Open => None,
            Err(error) => return Err(SignUpError::from(error).into()),
        },
        None => None,
    };
    let Inserted { user, organization } = match invitation {
        Some(invitation) => invited::insert_invited(app, tx, &account, &invitation, attempt, true).await?,
        None => new_account::insert_direct(app, tx, &account, attempt, true).await?,
    };
    let opened = complete::open(app, tx, &user, organization, arrival).await?;
    record(tx, AuditKind::AccountCreated, user.id, &opened, arrival).await?;
    record(tx, AuditKind::EmailVerified, user.id, &opened, arrival).await?;
    Ok((user.id, opened))
}

/// The username that was chosen, unless somebody else has taken it since; another one is derived then.
async fn free_username(tx: &mut Tx, row: &AccountTokenRow) -> Result<Option<Username>, Error> {
    let Some(chosen) = row.username.as_deref().and_then(|name| Username::parse(name).ok()) else { return Ok(None) };
    Ok(if tx.user_find_by_username(&chosen.key()).await?.is_some() { None } else { Some(chosen) })
}

async fn record(
    tx: &mut Tx,
    kind: AuditKind,
    user: UserId,
    opened: &Opened,
    arrival: &complete::Arrival,
) -> Result<(), Error> {
    let by = By::user(user, Some(opened.session_id), arrival.device.clone());
    Ok(tx.audit_push(&AuditEntry::new(kind, user, &by)).await?)
}
