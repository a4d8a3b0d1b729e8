//! The acts on a person, `/auth/admin/people/{id}/…`.

use super::act::{Act, ActTarget, ActWords, ReasonFields};
use super::people;
use crate::context::App;
use crate::domain::account::update::{RolesUpdate, UpdateUser, UserUpdate};
use crate::domain::account::{delete, unlock};
use crate::domain::change;
use crate::domain::mailed_token::request;
use crate::domain::mfa::status;
use crate::domain::session::active::{self, Which};
use crate::domain::verification::password_reset_mail;
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::pages::change_form::form;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{ActLink, AdminField, AdminFieldKind, Choice};
use crate::messages::{Key, Message};
use crate::model::principal::{Operation, Principal};
use crate::model::roles::{PlatformRole, Roles};
use crate::refusal::{ChangeError, Refusal};
use crate::store::UserRow;
use axum::Router;
use axum::routing::MethodRouter;
use serde::Deserialize;
use std::sync::Arc;

// The acts by the part of the page that links to them.
pub const ON_ACCOUNT: &[PersonAct] = &[
    PersonAct::of::<ReplaceEmail>("email"),
    PersonAct::of::<SendVerification>("verification"),
    PersonAct::of::<SetRoles>("roles"),
];
pub const ON_LOGIN: &[PersonAct] = &[
    PersonAct::of::<SendPasswordReset>("password-reset"),
    PersonAct::of::<Unlock>("unlock"),
    PersonAct::of::<ResetTwoFactor>("two-factor/reset"),
];
pub const ON_SESSIONS: &[PersonAct] = &[PersonAct::of::<EndSessions>("sessions/end")];
pub const ON_ACCESS: &[PersonAct] =
    &[PersonAct::of::<Enable>("enable"), PersonAct::of::<Disable>("disable"), PersonAct::of::<Delete>("delete")];

pub fn routes() -> Router<Arc<App>> {
    let acts = [ON_ACCOUNT, ON_LOGIN, ON_SESSIONS, ON_ACCESS].into_iter().flatten();
    acts.fold(Router::new(), |routes, act| routes.route(&format!("{}/{{id}}/{}", people::PATH, act.path), (act.form)()))
}

pub struct PersonAct {
    /// Below the person's page.
    pub path: &'static str,
    pub operation: Operation,
    pub words: ActWords,
    form: fn() -> MethodRouter<Arc<App>>,
}

impl PersonAct {
    const fn of<A: Act>(path: &'static str) -> Self {
        Self { path, operation: A::OPERATION, words: A::WORDS, form: form::<A> }
    }

    pub fn link(&self, page: &str) -> ActLink {
        ActLink { href: format!("{page}/{}", self.path), label: self.words.title, is_dangerous: false }
    }
}

pub struct Disable;

impl Act for Disable {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::ChangeUser;
    const WORDS: ActWords = ActWords::new("admin-disable", "admin-disable-what", "admin-disable-button").dangerous();

    fn command(user: &UserRow) -> String {
        format!("doorward user disable {}", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        let change = UserUpdate { disabled: Some(true), ..UserUpdate::default() };
        change::run(app, by, UpdateUser::new(user.id, change)?).await?;
        Ok(user.page())
    }
}

pub struct Enable;

impl Act for Enable {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::ChangeUser;
    const WORDS: ActWords = ActWords::new("admin-enable", "admin-enable-what", "admin-enable-button");

    fn command(user: &UserRow) -> String {
        format!("doorward user enable {}", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        let change = UserUpdate { disabled: Some(false), ..UserUpdate::default() };
        change::run(app, by, UpdateUser::new(user.id, change)?).await?;
        Ok(user.page())
    }
}

pub struct EndSessions;

impl Act for EndSessions {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::EndSessions;
    const WORDS: ActWords =
        ActWords::new("admin-end-sessions", "admin-end-sessions-what", "admin-end-sessions-button").dangerous();

    fn command(user: &UserRow) -> String {
        format!("doorward user sessions revoke {} --all", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, active::EndSessions { user: user.id, which: Which::All }).await?;
        Ok(user.page())
    }
}

/// Removes every second factor and passkey.
pub struct ResetTwoFactor;

impl Act for ResetTwoFactor {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::ResetTwoFactor;
    const WORDS: ActWords =
        ActWords::new("admin-two-factor", "admin-two-factor-what", "admin-two-factor-button").dangerous();

    fn command(user: &UserRow) -> String {
        format!("doorward user two-factor reset {}", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, status::ResetTwoFactor { user: user.id }).await?;
        Ok(user.page())
    }
}

/// Mails a link to set a new password.
pub struct SendPasswordReset;

impl Act for SendPasswordReset {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::SendPasswordReset;
    const WORDS: ActWords = ActWords::new("admin-reset", "admin-reset-what", "admin-reset-button");

    fn command(user: &UserRow) -> String {
        format!("doorward user send-password-reset {}", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, password_reset_mail::SendReset { user: user.id }).await?;
        Ok(user.page())
    }
}

/// Mails the link and code that verify the address once more.
pub struct SendVerification;

impl Act for SendVerification {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::SendVerification;
    const WORDS: ActWords = ActWords::new("admin-verification", "admin-verification-what", "admin-verification-button");

    fn command(user: &UserRow) -> String {
        format!("doorward user send-verification {}", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        request::resend_to(app, by, user.id).await?;
        Ok(user.page())
    }
}

/// Gives back what refuses logins after failures.
pub struct Unlock;

impl Act for Unlock {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::UnlockUser;
    const WORDS: ActWords = ActWords::new("admin-unlock", "admin-unlock-what", "admin-unlock-button");

    fn command(user: &UserRow) -> String {
        format!("doorward user unlock {}", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, unlock::Unlock { user: user.id }).await?;
        Ok(user.page())
    }
}

pub struct Delete;

impl Act for Delete {
    type Target = UserRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::DeleteUser;
    const WORDS: ActWords = ActWords::new("admin-delete", "admin-delete-what", "admin-delete-button").dangerous();

    fn command(user: &UserRow) -> String {
        format!("doorward user delete {}", user.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, delete::Delete { user: user.id }).await?;
        Ok(people::PATH.to_owned())
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct EmailFields {
    email: String,
    verified: Option<String>,
}

impl FormFields for EmailFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email", "verified", "reason"];
}

pub struct ReplaceEmail;

impl Act for ReplaceEmail {
    type Target = UserRow;
    type Fields = EmailFields;
    const OPERATION: Operation = Operation::SetEmail;
    const WORDS: ActWords = ActWords::new("admin-email", "admin-email-what", "admin-email-button");

    fn command(user: &UserRow) -> String {
        format!("doorward user set-email {} EMAIL", user.id)
    }

    fn fields<'a>(_: &PageContext, user: &UserRow, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        let email = errors.field_or("email", &user.email).value.to_owned();
        // Whatever is known of the address that the account has: another one is unproven.
        let verified = errors.typed().is_checked("verified", false);
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

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        form: &Form<EmailFields>,
    ) -> Result<String, ChangeError> {
        let change = UserUpdate {
            email: Some(form.email.clone()),
            email_verified: form.verified.as_ref().map(|_| true),
            ..UserUpdate::default()
        };
        change::run(app, by, UpdateUser::new(user.id, change)?).await?;
        Ok(user.page())
    }
}

/// The form of platform roles: all that the account keeps or gets, by the field `roles`, and those that it had when the
/// form was opened, so that what someone else changed since is not undone.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RolesFields {
    opened: Option<String>,
}

impl FormFields for RolesFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["roles", "opened", "reason"];
}

pub struct SetRoles;

impl Act for SetRoles {
    type Target = UserRow;
    type Fields = RolesFields;
    const OPERATION: Operation = Operation::SetRoles;
    const WORDS: ActWords = ActWords::new("admin-roles", "admin-roles-what", "admin-roles-button");

    fn command(user: &UserRow) -> String {
        format!("doorward user grant {} ROLE", user.id)
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
        let opened = AdminFieldKind::Opened(errors.field_or("opened", &user.roles.to_text()).value.to_owned());
        let field = |name, kind| AdminField { name, label: Key("admin-platform-roles"), kind, error: errors.of(name) };
        vec![field("roles", kind), field("opened", opened)]
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        user: &UserRow,
        form: &Form<RolesFields>,
    ) -> Result<String, ChangeError> {
        let unknown = || Refusal::field("roles", Message::new("admin-role-unknown"));
        let roles: Option<Roles> = form.typed().all("roles").map(PlatformRole::parse).collect();
        let roles = roles.ok_or_else(unknown)?;
        let opened = form.opened.as_deref().map(|text| Roles::parse_text(text).ok_or_else(unknown)).transpose()?;
        let roles = opened.map_or(RolesUpdate::Set(roles), |opened| RolesUpdate::Change {
            granted: roles.except(opened),
            revoked: opened.except(roles),
        });
        let change = UserUpdate { roles: Some(roles), ..UserUpdate::default() };
        change::run(app, by, UpdateUser::new(user.id, change)?).await?;
        Ok(user.page())
    }
}
