//! The pages for verifying and changing an email address.

use super::{Field, Icon, Shell};
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/email/verify`: the form for the code.
#[derive(Template)]
#[template(path = "email_verify.html")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own that the template asks for")]
pub struct VerifyEmailPage<'a> {
    pub layout: &'a Shell<'a>,
    pub email: &'a str,
    /// Whether a code was sent; if not, an email must be sent first.
    pub code_sent: bool,
    /// Whether its code works no more, while its link may.
    pub code_spent: bool,
    /// Seconds until another email may be requested.
    pub resend_after: u64,
    /// Whether the user is logged in, and may verify later.
    pub logged_in: bool,
    /// Whether the address is for an account: then the login starts over, else the signup.
    pub has_account: bool,
    pub code_error: Option<&'a Message>,
    pub notice: Option<Key>,
}

/// `/auth/email/verify/{token}`.
#[derive(Template)]
#[template(path = "email_confirm.html")]
pub struct ConfirmEmailPage<'a> {
    pub layout: &'a Shell<'a>,
    pub token: &'a str,
    pub email: &'a str,
    /// What the form asks for besides the button.
    pub check: OwnershipCheck,
    pub password_error: Option<&'a Message>,
}

/// What a verification link requires besides its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnershipCheck {
    /// Nothing: this browser is already trusted for the account.
    Nothing,
    /// The code, in the browser that began: without a password nothing else shows who created the account.
    CodeElsewhere,
    Password {
        /// Whether the account exists already, or is created by the verification.
        has_account: bool,
    },
}

/// `/auth/account/email`.
#[derive(Template)]
#[template(path = "account_email.html")]
pub struct AccountEmailPage<'a> {
    pub layout: &'a Shell<'a>,
    pub address: CurrentAddress<'a>,
    pub pending: Option<PendingEmail<'a>>,
    pub new_email: Field<'a>,
    pub notice: Option<Key>,
}

#[derive(Clone, Copy, Debug)]
pub enum CurrentAddress<'a> {
    Verified(&'a str),
    Unverified(&'a str),
    /// There is none: another person verified it for an account of their own.
    Missing {
        continue_to: &'a str,
    },
}

/// A change of address that waits for verification.
#[derive(Clone, Copy, Debug)]
pub struct PendingEmail<'a> {
    pub email: &'a str,
    /// Seconds until another email may be requested.
    pub resend_after: u64,
    pub code_error: Option<&'a Message>,
}

/// `/auth/email/undo/{token}`.
#[derive(Template)]
#[template(path = "email_undo.html")]
pub struct UndoEmailPage<'a> {
    pub layout: &'a Shell<'a>,
    pub token: &'a str,
    /// The address to restore.
    pub email: &'a str,
}

impl VerifyEmailPage<'_> {
    const fn has_error(&self) -> bool {
        self.code_error.is_some() || self.layout.form_error.is_some()
    }
}

impl ConfirmEmailPage<'_> {
    const fn has_error(&self) -> bool {
        self.password_error.is_some() || self.layout.form_error.is_some()
    }
}

impl AccountEmailPage<'_> {
    const fn has_address(&self) -> bool {
        !matches!(self.address, CurrentAddress::Missing { .. })
    }

    /// While a change is pending there is no second one, unless one was tried.
    const fn offers_change(&self) -> bool {
        self.pending.is_none() || self.new_email.error.is_some()
    }

    fn has_error(&self) -> bool {
        self.layout.form_error.is_some() || self.new_email.error.is_some() || self.code_error().is_some()
    }

    fn code_error(&self) -> Option<&Message> {
        self.pending.and_then(|pending| pending.code_error)
    }
}
