//! The question whose account holds an email address (docs/reference/browser.md 10.4): the fields of its answer, and
//! its page at sign-up. The page follows a valid code or link, which consumes nothing; the answer brings the same
//! secret again.

use super::page_context::PageContext;
use crate::domain::ownership::unverified::{HolderAnswer, NOT_ANSWERED, UnverifiedHolder, WhoseAccount};
use crate::http::form::ShownTo;
use crate::http::page_error::PageError;
use crate::http::views::{self, AccountQuestion, CarriedSecret, WhoseAccountPage};
use crate::messages::Message;
use crate::model::ids::{AccountTokenId, UserId};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use uuid::Uuid;

/// The error of an answer about an account that no longer holds the address.
static ANOTHER_ACCOUNT: Message = Message::new("whose-account-changed");

/// The fields of the answer, with the account that it is about.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct AnswerFields {
    holder: Option<String>,
    account: Option<String>,
}

impl AnswerFields {
    pub(super) fn answer(&self) -> Option<HolderAnswer> {
        let account = UserId(Uuid::try_parse(self.holder.as_deref()?).ok()?);
        Some(HolderAnswer { account, whose: whose(self.account.as_deref())? })
    }

    /// Why a form of the page is answered by the page once more.
    pub(super) fn error(&self) -> Option<&'static Message> {
        let is_answered = whose(self.account.as_deref()).is_some();
        self.holder.as_ref().map(|_| if is_answered { &ANOTHER_ACCOUNT } else { &NOT_ANSWERED })
    }
}

pub(super) fn whose(account: Option<&str>) -> Option<WhoseAccount> {
    match account? {
        "keep" => Some(WhoseAccount::Mine),
        "anew" => Some(WhoseAccount::NotMine),
        _ => None,
    }
}

/// The form that brought a valid code or link.
#[derive(Clone, Copy)]
pub(super) struct AskedFor<'a> {
    pub(super) token_id: AccountTokenId,
    pub(super) email: &'a str,
    pub(super) secret: CarriedSecret<'a>,
    pub(super) answer: &'a AnswerFields,
    pub(super) shown_to: ShownTo,
}

/// Asks; once more if the form is that of the page.
pub(super) fn page(
    context: &PageContext,
    asked_for: AskedFor<'_>,
    account: &UnverifiedHolder,
) -> Result<Response, PageError> {
    let AskedFor { token_id, email, secret, answer, shown_to } = asked_for;
    // A password that was typed on the page of the link is not asked for again with the answer.
    context.set_pending_verification(token_id);
    let error = answer.error();
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let view = WhoseAccountPage {
        layout: &context.shell(context.layout().shown_to(shown_to), None)?,
        email,
        secret,
        question: AccountQuestion { account, answer: None, error },
    };
    Ok(views::page(status, &view))
}
