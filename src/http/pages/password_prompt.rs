//! Forms that ask for the password before they change something.

use super::change_form::{LoggedIn, NotDone};
use super::page_context::PageContext;
use crate::domain::login::prompt::{PasswordPrompt, PromptedPassword, WRONG_PASSWORD, is_password};
use crate::http::form::FormFields;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::refusal::Refusal;
use secrecy::SecretString;
use serde::Deserialize;

/// The form, which has no password if the account has none.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PromptFields {
    pub(super) password: SecretString,
    pub(super) end_others: Option<String>,
}

impl FormFields for PromptFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["end_others"];
}

impl LoggedIn<'_> {
    /// Requires the form's password; of an account without one, what the step-up before has required.
    pub async fn require_password(self, form: &PromptFields, prompt: PasswordPrompt) -> Result<(), NotDone> {
        if self.is_reauthenticated(self.live, form, prompt).await? {
            return Ok(());
        }
        Err(Refusal::field("password", WRONG_PASSWORD.clone()).into())
    }
}

impl PageContext {
    /// Whether the user reauthenticated for an irreversible action: by the form's password, or, for an account without
    /// a password, by a recent login or passkey.
    async fn is_reauthenticated(
        &self,
        live: &LiveSession,
        form: &PromptFields,
        prompt: PasswordPrompt,
    ) -> Result<bool, PageError> {
        if self.has_password(live).await? {
            return self.is_password_correct(live, form.password.clone(), prompt).await;
        }
        Ok(self.recently_proved(live))
    }

    /// Whether this is the account's password. Attempts are rate limited like those at login, because the form could be
    /// used to guess the password as well.
    async fn is_password_correct(
        &self,
        live: &LiveSession,
        password: SecretString,
        prompt: PasswordPrompt,
    ) -> Result<bool, PageError> {
        self.begin_password_attempt(live).await?;
        let typed = PromptedPassword { prompt, password, device: &self.device() };
        let is_correct = is_password(&self.app, &self.principal(live), typed).await?;
        if is_correct {
            self.password_attempt_succeeded(live.view.user_id).await;
        }
        Ok(is_correct)
    }
}
