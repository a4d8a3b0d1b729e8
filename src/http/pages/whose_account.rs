//! The question whose account holds an email address (docs/protocol.md 10.4): the fields of its answer, and its page at
//! sign-up. The page follows a valid code or link, which consumes nothing; the answer brings the same secret again.

use super::page_context::PageContext;
use super::submission::EarlyResponse;
use crate::domain::account::unverified::{HolderAnswer, UnverifiedHolder, WhoseAccount};
use crate::http::form::Fields;
use crate::http::views::{self, AccountQuestion, CarriedSecret, WhoseAccountPage};
use crate::messages::Message;
use crate::model::ids::{AccountTokenId, UserId};
use axum::http::StatusCode;
use axum::response::Response;
use uuid::Uuid;

/// The error of a form without an answer.
pub(super) static NOT_ANSWERED: Message = Message::new("whose-account-not-answered");
/// The error of an answer about an account that no longer holds the address.
static ANOTHER_ACCOUNT: Message = Message::new("whose-account-changed");

/// The answer in a form, if there is one.
pub(super) fn whose(fields: &Fields) -> Option<WhoseAccount> {
    match fields.get("account")? {
        "keep" => Some(WhoseAccount::Mine),
        "anew" => Some(WhoseAccount::NotMine),
        _ => None,
    }
}

/// The answer in the form of the page at sign-up, with the account that it is about.
pub(super) fn answer(fields: &Fields) -> Option<HolderAnswer> {
    let account = UserId(Uuid::try_parse(fields.get("holder")?).ok()?);
    Some(HolderAnswer { account, whose: whose(fields)? })
}

/// The form that brought a valid code or link.
#[derive(Clone, Copy)]
pub(super) struct AskedFor<'a> {
    /// The verification.
    pub(super) token_id: AccountTokenId,
    /// The verified address.
    pub(super) email: &'a str,
    /// The code or link.
    pub(super) secret: CarriedSecret<'a>,
    /// The form's fields.
    pub(super) fields: &'a Fields,
}

/// Asks; once more if the form is that of the page.
pub(super) fn page(
    mut context: PageContext,
    asked_for: AskedFor<'_>,
    account: &UnverifiedHolder,
) -> Result<Response, EarlyResponse> {
    let AskedFor { token_id, email, secret, fields } = asked_for;
    // A password that was typed on the page of the link is not asked for again with the answer.
    context.set_pending_verification(token_id);
    let error = fields.get("holder").map(|_| if whose(fields).is_none() { &NOT_ANSWERED } else { &ANOTHER_ACCOUNT });
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let csrf = context.csrf()?;
    let view = WhoseAccountPage {
        layout: context.layout(),
        csrf: &csrf,
        email,
        secret,
        question: AccountQuestion { account, answer: None, error },
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
