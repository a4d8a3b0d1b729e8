//! Changes of an account by operators and applications' backends, in one transaction with one event.

use super::details::{self, DetailsChange};
use super::last_admin::is_last_admin;
use super::replace_email::{Verification, replace_email, set_verified};
use crate::context::App;
use crate::domain::change::Change;
use crate::domain::identity::field_errors::{FieldErrors, USERNAME_TAKEN};
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::identity::notify_admins::notify_admins;
use crate::domain::identity::reserved_name::rename;
use crate::domain::identity::visible_name::{self, DisplayName};
use crate::mail::AdminNotice;
use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::{AccountTarget, Operation, Principal};
use crate::model::roles::{PlatformRole, Roles};
use crate::model::session::EndReason;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Constraint, StoreError, Tx, UserRow};

/// What is to change; what is `None` stays.
#[derive(Default)]
pub struct UserUpdate {
    pub email: Option<String>,
    /// Whether it is verified; a new address is not, unless this says so.
    pub email_verified: Option<bool>,
    pub username: Option<String>,
    /// Display name; `Some(None)` removes it.
    pub name: Option<Option<DisplayName>>,
    /// Whether the account is disabled, which ends all its sessions.
    pub disabled: Option<bool>,
    pub roles: Option<RolesUpdate>,
    pub details: DetailsChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RolesUpdate {
    /// These, and no others.
    Set(Roles),
    /// These more and those less: what someone else changed meanwhile stays.
    Change { granted: Roles, revoked: Roles },
}

impl RolesUpdate {
    fn applied_to(self, roles: Roles) -> Roles {
        match self {
            RolesUpdate::Set(roles) => roles,
            RolesUpdate::Change { granted, revoked } => roles.and(granted).except(revoked),
        }
    }
}

/// The parts of an update that were read.
struct Parsed {
    email: Option<EmailAddress>,
    username: Option<Username>,
}

/// Changes an account; made is whether something changed.
pub struct UpdateUser {
    user: UserId,
    update: UserUpdate,
    parsed: Parsed,
}

impl UpdateUser {
    pub fn new(user: UserId, update: UserUpdate) -> Result<Self, Refusal> {
        let parsed = parse(&update)?;
        Ok(Self { user, update, parsed })
    }
}

impl Change for UpdateUser {
    const OPERATION: Operation = Operation::ChangeUser;
    type Made = bool;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<bool, ChangeError> {
        let Self { user, update, parsed } = self;
        require(&tx.principal(), &update)?;
        let roles = |stored: Roles| update.roles.map_or(stored, |roles| roles.applied_to(stored));
        let may_end_admin = update.disabled == Some(true) || update.roles.is_some();
        if may_end_admin {
            tx.instance_lock().await?;
        }
        let stored = tx.user_lock(user).await?.ok_or(Refusal::NotFound("user"))?;
        let ends_admin = update.disabled == Some(true) || !roles(stored.roles).contains(PlatformRole::Admin);
        let ends_last_administrator = may_end_admin && ends_admin && is_last_admin(tx, &stored).await?;
        let kept = roles(stored.roles);
        let takes_rights = update.disabled == Some(true) || stored.roles.iter().any(|role| !kept.contains(role));
        let target = AccountTarget { user, roles: stored.roles, takes_rights, ends_last_administrator };
        tx.require_account(target)?;
        let verification = set_email(app, tx, &stored, parsed.email.as_ref(), update.email_verified).await?;
        let mut change = AccountUpdate { tx, stored: &stored };
        let renamed = change.username(app, parsed.username.as_ref()).await? | change.name(update.name.as_ref()).await?;
        let has_other_roles = change.roles(roles(stored.roles)).await?;
        let is_switched = change.disabled(update.disabled).await?;
        let has_other_details = details::change_in(tx, user, update.details).await?;
        let notices = [
            (verification != Verification::Unchanged, AdminNotice::EmailChanged),
            (renamed || has_other_details, AdminNotice::Renamed),
            (has_other_roles, AdminNotice::RoleChanged),
            (is_switched, if update.disabled == Some(true) { AdminNotice::Disabled } else { AdminNotice::Enabled }),
        ];
        let mut changed = false;
        for (_, notice) in notices.into_iter().filter(|(is_done, _)| *is_done) {
            notify_admins(app, tx, &stored, roles(stored.roles), notice).await?;
            changed = true;
        }
        Ok(changed)
    }
}

fn require(principal: &Principal, update: &UserUpdate) -> Result<(), StoreError> {
    if update.email.is_some() || update.email_verified.is_some() {
        principal.require(Operation::SetEmail)?;
    }
    if update.roles.is_some() {
        principal.require(Operation::SetRoles)?;
    }
    Ok(())
}

fn parse(update: &UserUpdate) -> Result<Parsed, Refusal> {
    let mut errors = FieldErrors::default();
    let email = update.email.as_deref().map(EmailAddress::parse).transpose();
    let email = email.map_err(|why| errors.email = Some(why)).ok().flatten();
    let username = update.username.as_deref().map(|name| match name.trim() {
        "" => Err(Message::new("username-missing")),
        name => Username::parse(name),
    });
    let username = username.transpose().map_err(|why| errors.username = Some(why)).ok().flatten();
    if errors == FieldErrors::default() { Ok(Parsed { email, username }) } else { Err(errors.into()) }
}

async fn set_email(
    app: &App,
    tx: &mut Tx,
    stored: &UserRow,
    email: Option<&EmailAddress>,
    verified: Option<bool>,
) -> Result<Verification, ChangeError> {
    match email.filter(|email| email.as_str() != stored.email) {
        Some(email) => replace_email(app, tx, stored, email, verified.unwrap_or_default()).await,
        None => set_verified(app, tx, stored, verified).await,
    }
}

/// A locked account, of which parts are changed.
struct AccountUpdate<'a> {
    tx: &'a mut Tx,
    stored: &'a UserRow,
}

impl AccountUpdate<'_> {
    async fn record(&mut self, change: AccountChange<'_>) -> Result<(), StoreError> {
        self.tx.record_account(self.stored.id, change).await
    }

    async fn username(&mut self, app: &App, name: Option<&Username>) -> Result<bool, ChangeError> {
        let Some(name) = name else { return Ok(false) };
        match rename(app, self.tx, self.stored, name).await {
            Err(StoreError::Constraint(Constraint::UserUsername)) => {
                let errors = FieldErrors { username: Some(USERNAME_TAKEN.clone()), ..FieldErrors::default() };
                Err(Refusal::from(errors).into())
            }
            outcome => Ok(outcome?),
        }
    }

    async fn name(&mut self, name: Option<&Option<DisplayName>>) -> Result<bool, StoreError> {
        match name {
            Some(name) => visible_name::set(self.tx, self.stored, name.as_ref()).await,
            None => Ok(false),
        }
    }

    async fn roles(&mut self, roles: Roles) -> Result<bool, ChangeError> {
        let changed = roles != self.stored.roles && self.tx.user_set_roles(self.stored.id, roles).await?;
        if changed {
            self.record(AccountChange::RolesChanged(roles)).await?;
        }
        Ok(changed)
    }

    async fn disabled(&mut self, disabled: Option<bool>) -> Result<bool, ChangeError> {
        let Some(disabled) = disabled else { return Ok(false) };
        let changed = self.tx.user_set_disabled(self.stored.id, disabled).await?;
        if changed && disabled {
            self.tx.sessions_end_of_user(self.stored.id, EndReason::Disabled.as_str()).await?;
            self.tx.pending_logins_delete_of_user(self.stored.id).await?;
        }
        if changed {
            self.record(if disabled { AccountChange::Disabled } else { AccountChange::Enabled }).await?;
        }
        Ok(changed)
    }
}
