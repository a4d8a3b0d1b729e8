//! The question whose account holds an email address (docs/reference/browser.md 10.4): the fields of its answer, and
//! its page at signup. The page follows what has shown that the person has the address, which consumes nothing; the
//! answer brings the same secret again.

use super::page_context::PageContext;
use crate::domain::ownership::unverified::{HolderAnswer, NOT_ANSWERED, UnverifiedHolder, WhoseAccount};
use crate::http::form::{FormErrors, ShownTo};
use crate::http::page_error::PageError;
use crate::http::views::{self, AccountQuestion, CarriedSecret, Layout, WhoseAccountPage};
use crate::messages::Message;
use crate::model::ids::UserId;
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

/// The form that has shown that the person has the address.
#[derive(Clone, Copy)]
pub(super) struct AskedFor<'a> {
    pub(super) email: &'a str,
    pub(super) secret: CarriedSecret<'a>,
    pub(super) answer: &'a AnswerFields,
    pub(super) shown_to: ShownTo,
}

/// Asks; once more if the form is that of the page.
pub(super) fn page(
    context: &PageContext,
    layout: Layout<'_>,
    asked_for: AskedFor<'_>,
    account: &UnverifiedHolder,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let AskedFor { email, secret, answer, shown_to } = asked_for;
    let error = answer.error();
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { errors.status() };
    let view = WhoseAccountPage {
        layout: &context.shell(layout.shown_to(shown_to), errors.form())?,
        email,
        secret,
        question: AccountQuestion { account, answer: None, error },
    };
    Ok(views::page(status, &view))
}
