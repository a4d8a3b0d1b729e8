//! Brings an account that was deleted by mistake back from a backup, with its id.

use crate::context::App;
use crate::domain::keys::{self, KeyCheckError};
use crate::domain::organization::{first_organization, manage, members};
use crate::error::Error;
use crate::model::change::{AccountChange, NewMember};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::store::{
    Constraint, IdentityRow, MembershipRow, NewIdentity, OrganizationRow, PasskeyRow, RecoveryCodeRow, Store,
    StoreError, TotpRow, Tx, UserDetailsRow, UserRow,
};

/// Why an account was not brought back.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// The backup was made before it was, or after it was deleted.
    #[error("the backup has no account with the id {0}")]
    NotInBackup(UserId),
    #[error("there is an account with the id {0} already: nothing to bring back")]
    NotDeleted(UserId),
    #[error("another account has the email address {0} now; change that, or delete it, first")]
    EmailTaken(String),
    #[error("another account has the username {0} now; change that first")]
    UsernameTaken(String),
    /// The second factors of the backup could not be read.
    #[error("the backup was made with another secret key")]
    OtherKey,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for RecoverError {
    fn from(error: StoreError) -> Self {
        RecoverError::Failed(error.into())
    }
}

/// What did not come back with an account.
#[derive(Default)]
pub struct LeftBehind {
    /// The platform roles that it had: they may have been taken from it after the backup.
    pub roles: Roles,
    /// The names of teams that were deleted since.
    pub teams: Vec<String>,
    /// Passkeys and accounts at providers that log in to another account now.
    pub taken: usize,
}

/// What a backup knows of an account.
struct Saved {
    user: UserRow,
    details: UserDetailsRow,
    memberships: Vec<SavedMembership>,
    identities: Vec<IdentityRow>,
    passkeys: Vec<PasskeyRow>,
    /// Only a confirmed one.
    totp: Option<TotpRow>,
    recovery_codes: Vec<RecoveryCodeRow>,
}

struct SavedMembership {
    organization: OrganizationRow,
    role: MemberRole,
    /// Whether it had other members, so that it was not deleted with the account.
    is_shared: bool,
}

/// Stores the account of a backup again with its id, password, second factors, passkeys and accounts at providers, and
/// its memberships as far as the organizations are there; those that were deleted with it come back, too. Applications
/// get the events of a new account. Sessions, links and trusted devices do not come back.
pub async fn recover(
    app: &App,
    principal: &Principal,
    backup: &Store,
    user: UserId,
) -> Result<LeftBehind, RecoverError> {
    keys::check_secret_keys(backup, &app.secret_keys).await.map_err(|error| match error {
        KeyCheckError::WrongKey => RecoverError::OtherKey,
        KeyCheckError::Failed(error) => RecoverError::Failed(error),
    })?;
    let saved = read(backup, principal, user).await?.ok_or(RecoverError::NotInBackup(user))?;
    let mut tx = app.store.begin(principal, Operation::CreateUser).await?;
    if tx.user_find(user).await?.is_some() {
        return Err(RecoverError::NotDeleted(user));
    }
    let there = lock_organizations(&mut tx, &saved.memberships).await?;
    insert_user(&mut tx, &saved).await?;
    let teams = join_organizations(app, &mut tx, &saved, &there).await?;
    let taken = insert_ways_in(&mut tx, &saved).await?;
    tx.commit().await?;
    Ok(LeftBehind { roles: saved.user.roles, teams, taken })
}

async fn read(backup: &Store, principal: &Principal, user: UserId) -> Result<Option<Saved>, StoreError> {
    let mut conn = backup.read(principal, Operation::ExportUser).await?;
    let (Some(row), Some(details)) = (conn.user_find(user).await?, conn.user_details(user).await?) else {
        return Ok(None);
    };
    let mut memberships = Vec::new();
    for MembershipRow { organization_id, role, .. } in conn.memberships_of_user(user).await? {
        let is_shared = conn.member_others_exist(organization_id, user).await?;
        let found = conn.organization_find(organization_id).await?;
        memberships.extend(found.map(|organization| SavedMembership { organization, role, is_shared }));
    }
    // The order in which rows are locked.
    memberships.sort_unstable_by_key(|membership| membership.organization.id);
    Ok(Some(Saved {
        user: row,
        details,
        memberships,
        identities: conn.identities_of_user(user).await?,
        passkeys: conn.passkeys_of_user(user).await?,
        totp: conn.totp_find(user).await?.filter(|totp| totp.confirmed_at.is_some()),
        recovery_codes: conn.recovery_codes_unused(user).await?,
    }))
}

/// The organizations that are still there, in the order of their ids.
async fn lock_organizations(tx: &mut Tx, memberships: &[SavedMembership]) -> Result<Vec<OrganizationId>, StoreError> {
    let mut there = Vec::new();
    for membership in memberships {
        there.extend(tx.organization_lock(membership.organization.id).await?.map(|organization| organization.id));
    }
    Ok(there)
}

async fn insert_user(tx: &mut Tx, saved: &Saved) -> Result<(), RecoverError> {
    let Saved { user, details, .. } = saved;
    let row = UserRow { roles: Roles::NONE, ..user.clone() };
    let created = tx.user_create(&row, &details.email_key, &details.username_key).await;
    created.map_err(|error| match error {
        StoreError::Constraint(Constraint::UserEmail) => RecoverError::EmailTaken(user.email.clone()),
        StoreError::Constraint(Constraint::UserUsername) => RecoverError::UsernameTaken(user.username.clone()),
        error => error.into(),
    })?;
    tx.user_set_details(user.id, details.external_id.as_deref(), &details.metadata).await?;
    if let Some(name) = &user.name {
        tx.user_set_name(user.id, Some(name)).await?;
    }
    Ok(tx.record_account(user.id, AccountChange::Created).await?)
}

/// Returns the names of the teams that are no longer there.
async fn join_organizations(
    app: &App,
    tx: &mut Tx,
    saved: &Saved,
    there: &[OrganizationId],
) -> Result<Vec<String>, RecoverError> {
    let user = &saved.user;
    let (mut has_one, mut gone) = (false, Vec::new());
    for SavedMembership { organization, role, is_shared } in &saved.memberships {
        if there.contains(&organization.id) {
            members::insert(tx, organization, NewMember::uninvited(user.id, *role)).await?;
        } else if organization.kind == OrganizationKind::Personal || !is_shared {
            // Nobody else saw who created it.
            let row = OrganizationRow { created_by_user_id: Some(user.id), ..organization.clone() };
            manage::insert_begun_with(tx, user.id, &row).await?;
        } else {
            gone.push(organization.name.clone());
            continue;
        }
        has_one = true;
    }
    if !has_one {
        first_organization::create(app, tx, user.id, &user.username).await?;
    }
    Ok(gone)
}

/// Returns how many of them log in to another account now.
async fn insert_ways_in(tx: &mut Tx, saved: &Saved) -> Result<usize, StoreError> {
    let user = saved.user.id;
    if let Some(totp) = &saved.totp {
        tx.totp_begin(user, &totp.secret).await?;
        tx.totp_confirm(user, totp.last_step).await?;
    }
    for code in &saved.recovery_codes {
        tx.recovery_code_create(user, code.number, &code.code_hash).await?;
    }
    let mut taken = 0;
    for passkey in &saved.passkeys {
        taken += usize::from(!tx.passkey_create(passkey).await?);
    }
    for IdentityRow { id, issuer, subject, provider, email, .. } in &saved.identities {
        let email = email.as_deref();
        let identity = NewIdentity { id: *id, user_id: user, issuer, subject, provider, email };
        taken += usize::from(!tx.identity_create(&identity).await?);
    }
    Ok(taken)
}
