//! The acts on a person, `/auth/admin/people/{id}/…`.

use super::act::{ActError, ActFields, ActWords, ReasonFields};
use super::people;
use super::person_act::PersonAct;
use crate::context::App;
use crate::domain::account::update::{self, RolesUpdate, UserUpdate};
use crate::domain::account::{delete, unlock};
use crate::domain::ending::Commit;
use crate::domain::mailed_token::request;
use crate::domain::mfa::status;
use crate::domain::session::active;
use crate::domain::verification::password_reset_mail;
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::pages::page_context::PageContext;
use crate::http::views::{AdminField, AdminFieldKind, Choice};
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::{PlatformRole, Roles};
use crate::store::UserRow;
use serde::Deserialize;

const fn words(title: &'static str, explanation: &'static str, button: &'static str, is_dangerous: bool) -> ActWords {
    ActWords { title: Key(title), explanation: Key(explanation), button: Key(button), is_dangerous }
}

/// Disables an account.
pub struct Disable;

impl PersonAct for Disable {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::ChangeUser;
    const WORDS: ActWords = words("admin-disable", "admin-disable-what", "admin-disable-button", true);

    fn command(user: UserId) -> String {
        format!("doorward user disable {user}")
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        let change = UserUpdate { disabled: Some(true), ..UserUpdate::default() };
        Ok(update::update(app, by, user.id, change, Commit).await.map(drop)?)
    }
}

/// Enables an account.
pub struct Enable;

impl PersonAct for Enable {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::ChangeUser;
    const WORDS: ActWords = words("admin-enable", "admin-enable-what", "admin-enable-button", false);

    fn command(user: UserId) -> String {
        format!("doorward user enable {user}")
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        let change = UserUpdate { disabled: Some(false), ..UserUpdate::default() };
        Ok(update::update(app, by, user.id, change, Commit).await.map(drop)?)
    }
}

/// Ends every session of an account.
pub struct EndSessions;

impl PersonAct for EndSessions {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::EndSessions;
    const WORDS: ActWords = words("admin-end-sessions", "admin-end-sessions-what", "admin-end-sessions-button", true);

    fn command(user: UserId) -> String {
        format!("doorward user sessions revoke {user} --all")
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        Ok(active::end_all(app, by, user.id).await.map(drop)?)
    }
}

/// Removes every second factor and passkey.
pub struct ResetTwoFactor;

impl PersonAct for ResetTwoFactor {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::ResetTwoFactor;
    const WORDS: ActWords = words("admin-two-factor", "admin-two-factor-what", "admin-two-factor-button", true);

    fn command(user: UserId) -> String {
        format!("doorward user two-factor reset {user}")
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        Ok(status::reset(app, by, user.id).await.map(drop)?)
    }
}

/// Mails a link to set a new password.
pub struct SendPasswordReset;

impl PersonAct for SendPasswordReset {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::SendPasswordReset;
    const WORDS: ActWords = words("admin-reset", "admin-reset-what", "admin-reset-button", false);

    fn command(user: UserId) -> String {
        format!("doorward user send-password-reset {user}")
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        Ok(password_reset_mail::send_reset(app, by, user.id, Commit).await?)
    }
}

/// Mails the link and code that verify the address once more.
pub struct SendVerification;

impl PersonAct for SendVerification {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::SendVerification;
    const WORDS: ActWords = words("admin-verification", "admin-verification-what", "admin-verification-button", false);

    fn command(user: UserId) -> String {
        format!("doorward user send-verification {user}")
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        Ok(request::resend_to(app, by, user.id).await?)
    }
}

/// Gives back what refuses logins after failures.
pub struct Unlock;

impl PersonAct for Unlock {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::UnlockUser;
    const WORDS: ActWords = words("admin-unlock", "admin-unlock-what", "admin-unlock-button", false);

    fn command(user: UserId) -> String {
        format!("doorward user unlock {user}")
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        Ok(unlock::unlock(app, by, user.id).await.map(drop)?)
    }
}

/// Deletes an account.
pub struct Delete;

impl PersonAct for Delete {
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::DeleteUser;
    const WORDS: ActWords = words("admin-delete", "admin-delete-what", "admin-delete-button", true);

    fn command(user: UserId) -> String {
        format!("doorward user delete {user}")
    }

    fn result(_: UserId) -> String {
        people::PATH.to_owned()
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, _: &Form<ReasonFields>) -> Result<(), ActError> {
        Ok(delete::delete(app, by, user.id).await?)
    }
}

/// The form of an email address.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct EmailFields {
    email: String,
    verified: Option<String>,
    reason: String,
}

impl FormFields for EmailFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email", "verified", "reason"];
}

impl ActFields for EmailFields {
    fn reason(&self) -> &str {
        &self.reason
    }
}

/// Sets the email address.
pub struct ReplaceEmail;

impl PersonAct for ReplaceEmail {
    type Fields = EmailFields;
    const OPERATION: Operation = Operation::SetEmail;
    const WORDS: ActWords = words("admin-email", "admin-email-what", "admin-email-button", false);

    fn command(user: UserId) -> String {
        format!("doorward user set-email {user} EMAIL")
    }

    fn fields<'a>(_: &PageContext, user: &UserRow, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        let email = errors.field_or("email", &user.email).value.to_owned();
        let verified = errors.typed().is_checked("verified", user.email_verified_at.is_some());
        vec![
            AdminField {
                name: "email",
                label: Key("email"),
                kind: AdminFieldKind::Email(email),
                error: errors.of("email"),
            },
            AdminField {
                name: "verified",
                label: Key("admin-email-verified"),
                kind: AdminFieldKind::Check(verified),
                error: None,
            },
        ]
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, form: &Form<EmailFields>) -> Result<(), ActError> {
        let change = UserUpdate {
            email: Some(form.email.clone()),
            email_verified: Some(form.verified.is_some()),
            ..UserUpdate::default()
        };
        Ok(update::update(app, by, user.id, change, Commit).await.map(drop)?)
    }
}

/// The form of platform roles: all that the account keeps or gets, by the field `roles`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RolesFields {
    reason: String,
}

impl FormFields for RolesFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["roles", "reason"];
}

impl ActFields for RolesFields {
    fn reason(&self) -> &str {
        &self.reason
    }
}

/// Sets the platform roles.
pub struct SetRoles;

impl PersonAct for SetRoles {
    type Fields = RolesFields;
    const OPERATION: Operation = Operation::SetRoles;
    const WORDS: ActWords = words("admin-roles", "admin-roles-what", "admin-roles-button", false);

    fn command(user: UserId) -> String {
        format!("doorward user grant {user} ROLE")
    }

    fn fields<'a>(_: &PageContext, user: &UserRow, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        let typed = errors.typed();
        let has = |role: PlatformRole| {
            if typed.is_sent() {
                typed.all("roles").any(|name| name == role.as_str())
            } else {
                user.roles.contains(role)
            }
        };
        let choices = PlatformRole::ALL.map(|role| Choice {
            value: role.as_str(),
            label: Message::new("admin-role-what").text("role", role.as_str()),
            selected: has(role),
        });
        let kind = AdminFieldKind::Checks(choices.to_vec());
        vec![AdminField { name: "roles", label: Key("admin-platform-roles"), kind, error: errors.of("roles") }]
    }

    async fn carry_out(app: &App, by: &Principal, user: &UserRow, form: &Form<RolesFields>) -> Result<(), ActError> {
        let roles: Option<Roles> = form.typed().all("roles").map(PlatformRole::parse).collect();
        let roles = roles.ok_or_else(|| ActError::Field("roles", Message::new("admin-role-unknown")))?;
        let change = UserUpdate { roles: Some(RolesUpdate::Set(roles)), ..UserUpdate::default() };
        Ok(update::update(app, by, user.id, change, Commit).await.map(drop)?)
    }
}
