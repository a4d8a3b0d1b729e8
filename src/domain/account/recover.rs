//! Brings an account that was deleted by mistake back from a backup, with its id.

use super::ended_since::{self, EndedSince};
use crate::context::App;
use crate::domain::change::Change;
use crate::domain::keys;
use crate::domain::organization::{first_organization, manage, members};
use crate::mail::{self, Notice};
use crate::model::audit::AuditKind;
use crate::model::change::{AccountChange, NewMember};
use crate::model::ids::{AuditId, OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::model::time::Time;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{
    Constraint, IdentityRow, MembershipRow, NewIdentity, OrganizationRow, PasskeyRow, RecoveryCodeRow, Store,
    StoreError, TotpRow, Tx, UserDetailsRow, UserRow,
};
use serde::Serialize;
use std::collections::HashSet;

/// The names of the ways in.
const PASSWORD: &str = "password";
const APP: &str = "authenticator app";
const RECOVERY_CODES: &str = "recovery codes";

/// A way into an account, with its age.
#[derive(Clone, Debug, Serialize)]
pub struct RecoveredWay {
    pub way: &'static str,
    /// What a passkey is called, or the provider.
    pub name: Option<String>,
    /// When it was set or added, as far as that is known.
    pub since: Option<Time>,
    pub last_used_at: Option<Time>,
}

impl RecoveredWay {
    const fn new(way: &'static str, since: Option<Time>) -> Self {
        Self { way, name: None, since, last_used_at: None }
    }
}

impl From<&PasskeyRow> for RecoveredWay {
    fn from(passkey: &PasskeyRow) -> Self {
        let name = Some(passkey.name.clone());
        Self { name, last_used_at: passkey.last_used_at, ..Self::new("passkey", Some(passkey.created_at)) }
    }
}

impl From<&IdentityRow> for RecoveredWay {
    fn from(identity: &IdentityRow) -> Self {
        let name = Some(identity.provider.to_string());
        Self { name, last_used_at: identity.last_used_at, ..Self::new("identity", Some(identity.created_at)) }
    }
}

/// What came back with an account, and what did not.
pub struct Recovered {
    pub ways_in: Vec<RecoveredWay>,
    pub left: LeftBehind,
    /// Whether the person was mailed.
    pub is_told: bool,
}

/// What did not come back with an account.
#[derive(Default)]
pub struct LeftBehind {
    /// The ways in that ended after the backup.
    pub ended: Vec<RecoveredWay>,
    /// Whether the account had another email address when it was deleted.
    pub email_changed: bool,
    /// Whether it was disabled after the backup, and is so again.
    pub disabled: bool,
    /// The platform roles that it had: they may have been taken from it after the backup.
    pub roles: Roles,
    /// The names of teams that were deleted since.
    pub teams: Vec<String>,
    /// Passkeys and accounts at providers that log in to another account now.
    pub taken: usize,
}

/// Stores the account of a backup again with its id, password, second factors, passkeys and accounts at providers, but
/// those that ended after the backup, and its memberships as far as the organizations are there; those that were deleted
/// with it come back, too. Applications get the events of a new account, and the person is mailed. Sessions, links and
/// trusted devices do not come back.
pub struct Recover {
    user: UserRow,
    details: UserDetailsRow,
    memberships: Vec<SavedMembership>,
    identities: Vec<IdentityRow>,
    passkeys: Vec<PasskeyRow>,
    /// Only a confirmed one.
    totp: Option<TotpRow>,
    recovery_codes: Vec<RecoveryCodeRow>,
    /// When the password was set, if its audit log says so.
    password_since: Option<Time>,
    /// What its audit log knows of the account.
    entries: HashSet<AuditId>,
}

struct SavedMembership {
    organization: OrganizationRow,
    role: MemberRole,
    /// Whether it had other members, so that it was not deleted with the account.
    is_shared: bool,
}

impl Recover {
    /// Reads the account from the backup.
    pub async fn read(app: &App, principal: &Principal, backup: &Store, user: UserId) -> Result<Self, ChangeError> {
        keys::check_secret_keys(backup, &app.secret_keys).await.map_err(|error| match error {
            ChangeError::Refused(_) => {
                Refusal::in_english(Rule::Conflict, "the backup was made with another secret key").into()
            }
            failed @ ChangeError::Failed(_) => failed,
        })?;
        let mut conn = backup.read(principal, Operation::ExportUser).await?;
        let (Some(row), Some(details)) = (conn.user_find(user).await?, conn.user_details(user).await?) else {
            // The backup was made before the account was, or after it was deleted.
            return Err(
                Refusal::in_english(Rule::Ended, format!("the backup has no account with the id {user}")).into()
            );
        };
        let mut memberships = Vec::new();
        for MembershipRow { organization_id, role, .. } in conn.memberships_of_user(user).await? {
            let is_shared = conn.member_others_exist(organization_id, user).await?;
            let found = conn.organization_find(organization_id).await?;
            memberships.extend(found.map(|organization| SavedMembership { organization, role, is_shared }));
        }
        // The order in which rows are locked.
        memberships.sort_unstable_by_key(|membership| membership.organization.id);
        let known = ended_since::entries(&mut conn, user).await?;
        let created = known.iter().find(|entry| entry.kind() == Some(AuditKind::AccountCreated)).map(|entry| entry.at);
        let password_since = conn.audit_password_changed_at(user).await?.or(created);
        let entries = known.into_iter().map(|entry| entry.id).collect();
        Ok(Self {
            password_since,
            entries,
            user: row,
            details,
            memberships,
            identities: conn.identities_of_user(user).await?,
            passkeys: conn.passkeys_of_user(user).await?,
            totp: conn.totp_find(user).await?.filter(|totp| totp.confirmed_at.is_some()),
            recovery_codes: conn.recovery_codes_unused(user).await?,
        })
    }
}

impl Change for Recover {
    const OPERATION: Operation = Operation::CreateUser;
    type Made = Recovered;

    async fn apply(mut self, app: &App, tx: &mut Tx) -> Result<Recovered, ChangeError> {
        let user = self.user.id;
        if tx.user_find(user).await?.is_some() {
            return Err(Refusal::in_english(
                Rule::Conflict,
                format!("there is an account with the id {user} already: nothing to bring back"),
            )
            .into());
        }
        let there = lock_organizations(tx, &self.memberships).await?;
        let was_verified = self.user.email_verified_at.is_some();
        let since = EndedSince::new(ended_since::entries(tx, user).await?, &self.entries, was_verified);
        let ended = leave_out(&mut self, &since);
        let disabled_since = since.disabled_at().filter(|_| self.user.disabled_at.is_none());
        self.user.disabled_at = self.user.disabled_at.or(disabled_since);
        insert_user(tx, &self).await?;
        let teams = join_organizations(app, tx, &self, &there).await?;
        let ways_in = insert_ways_in(tx, &self).await?;
        mail::notify(app, tx, &self.user, Notice::AccountRecovered).await?;
        let named = ways_in.iter().filter(|way| way.name.is_some()).count();
        let taken = self.passkeys.len() + self.identities.len() - named;
        let (roles, email_changed, disabled) = (self.user.roles, since.email_changed(), disabled_since.is_some());
        let left = LeftBehind { ended, email_changed, disabled, roles, teams, taken };
        let is_told = was_verified && !is_placeholder(&self.user.email);
        Ok(Recovered { ways_in, left, is_told })
    }
}

/// Takes the ways in out of an account that ended after the backup.
fn leave_out(saved: &mut Recover, since: &EndedSince) -> Vec<RecoveredWay> {
    let mut ended = Vec::new();
    if since.password() && saved.user.password_hash.take().is_some() {
        ended.push(RecoveredWay::new(PASSWORD, saved.password_since));
    }
    let app = saved.totp.take_if(|totp| since.app(totp.confirmed_at.unwrap_or(totp.created_at)));
    let codes_since = saved.recovery_codes.first().map(|code| code.created_at);
    if codes_since.is_some_and(|added_at| app.is_some() || since.recovery_codes(added_at)) {
        saved.recovery_codes.clear();
        ended.push(RecoveredWay::new(RECOVERY_CODES, codes_since));
    }
    ended.extend(app.map(|totp| RecoveredWay::new(APP, totp.confirmed_at)));
    ended.extend(saved.passkeys.extract_if(.., |passkey| since.passkey(passkey)).map(|passkey| (&passkey).into()));
    ended.extend(saved.identities.extract_if(.., |identity| since.identity(identity)).map(|row| (&row).into()));
    ended
}

/// The organizations that are still there, in the order of their ids.
async fn lock_organizations(tx: &mut Tx, memberships: &[SavedMembership]) -> Result<Vec<OrganizationId>, StoreError> {
    let mut there = Vec::new();
    for membership in memberships {
        there.extend(tx.organization_lock(membership.organization.id).await?.map(|organization| organization.id));
    }
    Ok(there)
}

async fn insert_user(tx: &mut Tx, saved: &Recover) -> Result<(), ChangeError> {
    let Recover { user, details, .. } = saved;
    let row = UserRow { roles: Roles::NONE, ..user.clone() };
    let created = tx.user_create(&row, &details.email_key, &details.username_key).await;
    created.map_err(|error| match error {
        StoreError::Constraint(Constraint::UserEmail) => Refusal::in_english(
            Rule::Conflict,
            format!("another account has the email address {} now; change that, or delete it, first", user.email),
        )
        .into(),
        StoreError::Constraint(Constraint::UserUsername) => Refusal::in_english(
            Rule::Conflict,
            format!("another account has the username {} now; change that first", user.username),
        )
        .into(),
        error => ChangeError::from(error),
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
    saved: &Recover,
    there: &[OrganizationId],
) -> Result<Vec<String>, ChangeError> {
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

/// Returns those that lead to the account again; passkeys and accounts at providers may log in to another one now.
async fn insert_ways_in(tx: &mut Tx, saved: &Recover) -> Result<Vec<RecoveredWay>, StoreError> {
    let user = saved.user.id;
    let mut ways = Vec::new();
    if saved.user.password_hash.is_some() {
        ways.push(RecoveredWay::new(PASSWORD, saved.password_since));
    }
    if let Some(totp) = &saved.totp {
        tx.totp_begin(user, &totp.secret).await?;
        tx.totp_confirm(user, totp.last_step).await?;
        ways.push(RecoveredWay::new(APP, totp.confirmed_at));
    }
    for code in &saved.recovery_codes {
        tx.recovery_code_create(user, code.number, &code.code_hash).await?;
    }
    if let Some(code) = saved.recovery_codes.first() {
        ways.push(RecoveredWay::new(RECOVERY_CODES, Some(code.created_at)));
    }
    for passkey in &saved.passkeys {
        if tx.passkey_create(passkey).await? {
            ways.push(passkey.into());
        }
    }
    for row in &saved.identities {
        let IdentityRow { id, issuer, subject, provider, email, .. } = row;
        let identity = NewIdentity { id: *id, user_id: user, issuer, subject, provider, email: email.as_deref() };
        if tx.identity_create(&identity).await? {
            ways.push(row.into());
        }
    }
    Ok(ways)
}
