//! `/auth/account/password`: changes the password.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, StepUp};
use super::paths;
use crate::domain::account::change_password::{self, NewPassword};
use crate::domain::account::overview;
use crate::domain::change;
use crate::http::form::{Form, FormErrors, FormFields, Submitted};
use crate::http::views::{self, PasswordPage};
use crate::messages::Key;
use crate::rate_limit::ChangeKind;
use secrecy::SecretString;
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PasswordFields {
    current: SecretString,
    password: SecretString,
    end_others: Option<String>,
}

impl FormFields for PasswordFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["end_others"];
}

impl PasswordFields {
    fn new_password(&self) -> NewPassword {
        let end_others = self.end_others.is_some();
        NewPassword { current: self.current.clone(), new: self.password.clone(), end_others }
    }
}

pub struct ChangePassword;

impl ChangeForm for ChangePassword {
    type Target = OwnAccount;
    type Sent = Submitted<PasswordFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::PasswordInForm;

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        let found = overview::protection(&by.app, &by.principal(), by.user()).await?;
        let Some(protection) = found else { return Ok(by.redirect_to_login(by.path())) };
        let added = (protection.passkeys > 0).then_some((Key("passkeys-title"), paths::PASSKEYS));
        let connected = (protection.identities > 0).then_some((Key("connections-title"), paths::CONNECTIONS));
        let others: Vec<_> = added.into_iter().chain(connected).collect();
        let view = PasswordPage {
            layout: &by.shell(paths::SECURITY, errors.form())?,
            username: by.live.view.label().account(),
            has_password: protection.has_password,
            others: &others,
            current_error: errors.of("current"),
            new_error: errors.of("password"),
            min_password_length: by.app.settings.accounts.password_min_length,
            end_others: errors.typed().is_checked("end_others", true),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<PasswordFields>) -> ChangeResult {
        by.begin_password_attempt(by.live).await?;
        let (own, is_recent) = ((by.user(), by.live.id), by.recently_proved(by.live));
        let (principal, device, new) = (by.principal(), by.device(), form.new_password());
        let change =
            change_password::ChangePassword::prepare(&by.app, &principal, own, new, is_recent, &device).await?;
        change::run(&by.app, &principal, change).await?;
        by.password_attempt_succeeded(by.user()).await;
        Ok(by.redirect(Some("/auth/account/security?done=password")))
    }
}
