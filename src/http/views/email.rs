//! The pages about the proof of an address.

use super::{Chrome, Field, Section};
use crate::messages::{Key, Message};
use crate::model::time::Time;
use askama::Template;

/// `/auth/email/verify`: the code is typed here.
#[derive(Template)]
#[template(path = "email_verify.html")]
pub struct VerifyEmailPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The address to be proved.
    pub email: &'a str,
    /// Whether there is a code to be typed; else a mail must be sent first.
    pub sent: bool,
    /// Whether somebody is logged in, and need not wait.
    pub logged_in: bool,
    /// What is wrong with the code.
    pub code_error: Option<&'a Message>,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
    /// What has just happened.
    pub notice: Option<Key>,
}

/// `/auth/email/verify/{token}`.
#[derive(Template)]
#[template(path = "email_confirm.html")]
pub struct ConfirmEmailPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The secret part of the link.
    pub token: &'a str,
    /// The address to be proved.
    pub email: &'a str,
    /// What is asked for beside the button.
    pub ask: ProofAsk,
    /// What is wrong with the password.
    pub password_error: Option<&'a Message>,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
}

/// What is asked for beside a link that proves an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofAsk {
    /// Nothing: this browser has shown enough.
    Nothing,
    /// The password of the account.
    Password {
        /// Whether the account exists already; else it begins with the proof.
        has_account: bool,
    },
}

/// `/auth/account/email`.
#[derive(Template)]
#[template(path = "account_email.html")]
pub struct AccountEmailPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The present address.
    pub email: &'a str,
    /// Whether it is proved.
    pub verified: bool,
    /// The change that waits for the proof of its address.
    pub pending: Option<PendingEmail<'a>>,
    /// What was typed as the new address.
    pub new: Field<'a>,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
    /// What has just happened.
    pub notice: Option<Key>,
}

/// A change of address that waits for its proof.
#[derive(Clone, Copy, Debug)]
pub struct PendingEmail<'a> {
    /// The new address.
    pub email: &'a str,
    /// When the link ends.
    pub expires_at: Time,
    /// What is wrong with the code.
    pub code_error: Option<&'a Message>,
}

/// `/auth/email/undo/{token}`.
#[derive(Template)]
#[template(path = "email_undo.html")]
pub struct UndoEmailPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The secret part of the link.
    pub token: &'a str,
    /// The address that comes back.
    pub email: &'a str,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
}

impl VerifyEmailPage<'_> {
    const fn has_error(&self) -> bool {
        self.code_error.is_some() || self.form_error.is_some()
    }
}

impl ConfirmEmailPage<'_> {
    const fn has_error(&self) -> bool {
        self.password_error.is_some() || self.form_error.is_some()
    }
}

impl AccountEmailPage<'_> {
    fn has_error(&self) -> bool {
        self.form_error.is_some() || self.new.error.is_some() || self.code_error().is_some()
    }

    fn code_error(&self) -> Option<&Message> {
        self.pending.and_then(|pending| pending.code_error)
    }
}
