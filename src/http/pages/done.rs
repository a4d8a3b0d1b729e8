//! What a form has done, said by the page of the account where that is the next page: `?done=`.

use super::page_context::PageContext;
use super::paths;
use crate::http::return_to;
use crate::messages::Message;
use crate::model::names::names;
use axum::response::Response;

names! {
    /// What was done on the way to the account.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum AccountNotice {
        AddressVerified = "verified",
        PasswordChanged = "password",
        /// An invitation was accepted: the session is in its organization.
        Joined = "joined",
        /// A recovery code was used to log in.
        RecoveryCodeUsed = "recovery-code",
    }
}

impl AccountNotice {
    /// The page of the account that says it: that of a new password has what else logs in.
    const fn page(self) -> &'static str {
        match self {
            AccountNotice::PasswordChanged => paths::SECURITY,
            AccountNotice::AddressVerified | AccountNotice::Joined | AccountNotice::RecoveryCodeUsed => paths::ACCOUNT,
        }
    }
}

impl PageContext {
    /// As [`PageContext::redirect`]; where that leads to the account, its page says what was done. An application may not
    /// know the field.
    pub(super) fn redirect_done(&self, target: Option<&str>, done: AccountNotice) -> Response {
        let target = target.unwrap_or(&self.app.settings.server.default_return_to);
        if target == paths::ACCOUNT {
            return self.redirect(Some(&return_to::with_query(done.page(), "done", done.as_str())));
        }
        self.redirect(Some(target))
    }

    pub(super) fn done(&self) -> Option<AccountNotice> {
        AccountNotice::parse(self.query.get("done")?)
    }

    /// The message for the value of `?done=`, if it is one of `messages`.
    pub(super) fn done_message(&self, messages: &[(&str, &'static str)]) -> Option<Message> {
        let value = self.query.get("done")?;
        messages.iter().find(|(known, _)| *known == value).map(|(_, key)| Message::new(key))
    }
}
