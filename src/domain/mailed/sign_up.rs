//! Sign-ups that wait for the proof of their address. There is no account yet, so nobody holds an address that is not
//! theirs, and nothing tells from outside whether there was one before.

use super::Kind;
use super::issue::{Asked, Issued, draft};
use super::prove::{Proof, ProveError, Proved, checked};
use super::verification::send;
use crate::app::App;
use crate::domain::Error;
use crate::domain::accounts::{self, Account, InsertError, Inserted, MAX_TRIES, SignUpError, Username};
use crate::domain::audit::{AuditEntry, AuditKind, By};
use crate::domain::ids::{AccountTokenId, InvitationId, UserId};
use crate::domain::organizations;
use crate::domain::roles::Roles;
use crate::domain::sessions::Opened;
use crate::limits::{self, Limited};
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::settings::Signup;
use crate::store::{AccountTokenRow, Conn, Tx, UserRow};

/// Keeps a sign-up until its address is proved, and mails link and code there; or, for the same work, tells the owner of
/// an account with that address.
pub(in crate::domain) async fn begin(
    app: &App,
    account: &Account,
    invitation: Option<InvitationId>,
    asked: Asked<'_>,
) -> Result<AccountTokenId, SignUpError> {
    let limit = Limited::MailTo(&account.email.key());
    limits::take(app, limit).await.map_err(|refused| refused.or(SignUpError::TooSoon))?;
    let mut row = draft(app, Kind::SignUp, None, &account.email, asked.return_to)?;
    row.username = account.username.as_ref().map(|name| name.as_str().to_owned());
    row.password_hash = Some(account.password_hash.clone());
    row.invitation_id = invitation;
    let mut tx = app.store.begin().await?;
    let issued = Issued::of(app, row)?;
    let standing = standing(&mut tx, &issued.row).await?;
    issued.store(&mut tx).await?;
    if standing == Standing::Taken {
        send_taken(app, &mut tx, &issued.row, asked.locale).await?;
    } else {
        send(app, &mut tx, &issued, (None, standing), asked.locale).await?;
    }
    tx.commit().await?;
    Ok(issued.row.id)
}

/// Whose an address is that is to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nobody else's.
    Free,
    /// An account's that never proved it and gives way to this sign-up.
    GivesWay,
    /// Another account's, or somebody may still take it back.
    Taken,
}

/// Whose the address of a row is. Only to a sign-up, an account that did not prove it gives way.
pub(super) async fn standing(conn: &mut Conn, row: &AccountTokenRow) -> Result<Standing, Error> {
    let holder = conn.user_find_by_email(&row.email_key).await?.filter(|holder| Some(holder.id) != row.user_id);
    let reserved = conn.email_is_reserved(&row.email_key, row.user_id).await?;
    let stays = |holder: &UserRow| {
        row.kind != Kind::SignUp || holder.email_verified_at.is_some() || holder.disabled_at.is_some()
    };
    Ok(match holder {
        _ if reserved => Standing::Taken,
        None => Standing::Free,
        Some(holder) if stays(&holder) => Standing::Taken,
        Some(_) => Standing::GivesWay,
    })
}

/// Tells the owner of an address that somebody, perhaps they themselves, tried to use it again.
pub(super) async fn send_taken(app: &App, tx: &mut Tx, row: &AccountTokenRow, locale: Locale) -> Result<(), Error> {
    let mail = Mail::AddressTaken { about: row.id, expires_at: row.expires_at };
    mail::queue_in(app, tx, (&row.email, locale), mail).await?;
    Ok(())
}

/// Makes an account of a sign-up whose address is proved, and opens its first session. An account that held the address
/// without proof is deleted: nothing of it is the new one's (docs/decisions/0007-accounts-that-give-way.md).
pub(super) async fn complete(
    app: &App,
    row: &AccountTokenRow,
    proof: Proof<'_>,
    arrival: &accounts::Arrival,
) -> Result<Proved, ProveError> {
    for attempt in 1..=MAX_TRIES {
        // Locked in the order of all others: organizations, the account, the row.
        let (tx, holder) = accounts::lock_holder(app, &row.email_key).await?;
        let (mut tx, row) = checked(app, tx, row.id, proof).await?;
        if standing(&mut tx, &row).await? == Standing::Taken {
            return Err(ProveError::AddressTaken);
        }
        if let Some(holder) = holder {
            accounts::give_way(app, &mut tx, &holder, &By::unknown(arrival.device.clone())).await?;
        }
        match create(app, &mut tx, &row, arrival, attempt).await {
            Ok((user, opened)) => {
                tx.account_tokens_delete_sign_ups(&row.email_key).await?;
                tx.commit().await?;
                tracing::info!(user = %user, session = %opened.session_id, "signed up with a proved address");
                return Ok(Proved::SignedUp { user, opened, return_to: row.return_to });
            }
            Err(InsertError::DerivedNameTaken) => tx.rollback().await?,
            Err(InsertError::SignUp(error)) => return Err(error.into()),
        }
    }
    Err(Error::Inconsistent("no free username was found".to_owned()).into())
}

async fn create(
    app: &App,
    tx: &mut Tx,
    row: &AccountTokenRow,
    arrival: &accounts::Arrival,
    attempt: u32,
) -> Result<(UserId, Opened), InsertError> {
    let account = Account {
        email: accounts::Email::stored(&row.email),
        username: free_username(tx, row).await?,
        password_hash: row.password_hash.clone().unwrap_or_default(),
        roles: Roles::NONE,
    };
    let invitation = match row.invitation_id {
        Some(id) => match organizations::lock_open_by_id(app, tx, id).await {
            Ok(invitation) => Some(invitation),
            Err(_) if app.settings.accounts.signup == Signup::Open => None,
            Err(error) => return Err(SignUpError::from(error).into()),
        },
        None => None,
    };
    let Inserted { user, organization } = match invitation {
        Some(invitation) => accounts::insert_invited(app, tx, &account, &invitation, (attempt, true)).await?,
        None => accounts::insert_direct(app, tx, &account, attempt, true).await?,
    };
    let opened = accounts::open_first(app, tx, &user, organization, arrival).await?;
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
    arrival: &accounts::Arrival,
) -> Result<(), Error> {
    let by = By::user(user, Some(opened.session_id), arrival.device.clone());
    Ok(tx.audit_push(&AuditEntry::new(kind, user, &by)).await?)
}
