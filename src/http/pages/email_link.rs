//! `/auth/email/verify/{token}`: the link of a verification email (docs/reference/browser.md 10.4, 10.6). GET changes
//! nothing, as mail scanners follow links.

use super::email_verify::{link_outcome_page, verified_response, verify_error_response};
use super::page_context::PageContext;
use super::whose_account::{AnswerFields, AskedFor};
use crate::domain::mailed_token::link::{self, PendingVerification};
use crate::domain::mailed_token::token_check::{MailedSecret, VerifyError};
use crate::domain::verification::email_change;
use crate::domain::verification::verify_email::{self, OwnershipEvidence};
use crate::http::form::{Form, FormErrors, FormFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::pending_verification;
use crate::http::session::LiveSession;
use crate::http::views::{self, CarriedSecret, ConfirmEmailPage, LinkOutcome, OwnershipCheck};
use crate::messages::Message;
use crate::model::verification::AccountTokenKind;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;
use serde::Deserialize;

/// A valid link and who opened it.
struct OpenedLink {
    pending: PendingVerification,
    live: Option<LiveSession>,
    /// Evidence that this browser created or owns the account; without it the page asks for the password.
    holder: Option<OwnershipEvidence>,
}

/// The form, and the one that brings the link again with an answer.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct LinkFields {
    password: SecretString,
    #[serde(flatten)]
    answer: AnswerFields,
}

impl FormFields for LinkFields {
    const SHOWN_AGAIN: &'static [&'static str] = &[];
}

/// Shows the button.
pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, PageError> {
    let link = open_link(&context, &token).await?;
    page(&context, &link, &token, &FormErrors::default())
}

pub async fn submit(
    context: PageContext,
    Path(token): Path<String>,
    submitted: Submitted<LinkFields>,
) -> Result<Response, PageError> {
    let mut link = open_link(&context, &token).await?;
    let form = match submitted.verified(link.live.as_ref()) {
        Ok(form) => form,
        Err(errors) => return page(&context, &link, &token, &errors),
    };
    if link.pending.kind == AccountTokenKind::EmailChange {
        return confirm_change(&context, &link, &token).await;
    }
    let holder = if let Some(holder) = link.holder.take() {
        holder
    } else if !link.pending.has_password {
        // Without a password nothing but the browser shows who began.
        return page(&context, &link, &token, &FormErrors::default().with_status(StatusCode::FORBIDDEN));
    } else {
        // This form could be used to guess the password.
        context.begin_login_attempt(&link.pending.email).await?;
        OwnershipEvidence::Password(form.password.clone())
    };
    verify(&context, &link, &token, &form, holder).await
}

async fn verify(
    context: &PageContext,
    link: &OpenedLink,
    token: &str,
    form: &Form<LinkFields>,
    holder: OwnershipEvidence,
) -> Result<Response, PageError> {
    let by_session = matches!(holder, OwnershipEvidence::Session(..));
    let by_password = matches!(holder, OwnershipEvidence::Password(_));
    let (client, secret) = (context.client().await?, CarriedSecret::Link(token));
    let (email, shown_to) = (&link.pending.email, link.live.as_ref().into());
    let asked_for = AskedFor { email, secret, answer: &form.answer, shown_to };
    let answer = form.answer.answer();
    match verify_email::verify(&context.app, MailedSecret::Link(token), holder, answer, &client).await {
        Ok(outcome) => {
            if let Some(user) = link.pending.user_id.filter(|_| by_password) {
                context.password_attempt_succeeded(user).await;
            }
            verified_response(context, by_session, (link.pending.id, asked_for), outcome)
        }
        Err(VerifyError::NotHolder) => {
            let message = Message::new("confirm-email-password-wrong");
            page(context, link, token, &form.refused_field("password", message))
        }
        Err(error) => verify_error_response(context, error),
    }
}

/// Confirms a change of the email address.
async fn confirm_change(context: &PageContext, link: &OpenedLink, token: &str) -> Result<Response, PageError> {
    let Some(live) = &link.live else { return Ok(context.redirect_to_login(&link_path(token))) };
    let principal = context.principal(live);
    match email_change::confirm_email_change(&context.app, MailedSecret::Link(token), live.view.user_id, &principal)
        .await
    {
        Ok(()) => Ok(context.redirect(Some("/auth/account/email?notice=changed"))),
        Err(error) => verify_error_response(context, error),
    }
}

fn link_path(token: &str) -> String {
    format!("/auth/email/verify/{token}")
}

/// Looks up the link; returns an early response if it has expired or belongs to another account.
async fn open_link(context: &PageContext, token: &str) -> Result<OpenedLink, PageError> {
    let found = link::find_by_link(&context.app, &context.anonymous(), token).await?;
    let live = context.session().await?;
    let Some(pending) = found else {
        return Err(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::VerificationLinkInvalid).into());
    };
    let own_session = live.as_ref().filter(|live| pending.user_id == Some(live.view.user_id));
    let holder = match (own_session, pending_verification::read(&context.app, &context.headers)) {
        (Some(live), _) => Some(OwnershipEvidence::Session(context.principal(live))),
        (None, Some(id)) if id == pending.id => Some(OwnershipEvidence::Browser(id)),
        (None, _) => None,
    };
    if pending.kind == AccountTokenKind::EmailChange && holder.is_none() {
        // Only a session of the account may confirm: the owner of a mistyped address must not be able to.
        return Err(match live {
            Some(_) => link_outcome_page(context, StatusCode::FORBIDDEN, LinkOutcome::OtherAccount),
            None => context.redirect_to_login(&link_path(token)),
        }
        .into());
    }
    Ok(OpenedLink { pending, live, holder })
}

fn page(context: &PageContext, link: &OpenedLink, token: &str, errors: &FormErrors) -> Result<Response, PageError> {
    let check = match link.holder {
        Some(_) => OwnershipCheck::Nothing,
        None if !link.pending.has_password => OwnershipCheck::CodeElsewhere,
        None => OwnershipCheck::Password { has_account: link.pending.user_id.is_some() },
    };
    let view = ConfirmEmailPage {
        layout: &context.shell(context.layout().shown_to(link.live.as_ref()), errors.form())?,
        token,
        email: &link.pending.email,
        check,
        password_error: errors.of("password"),
    };
    Ok(views::page(errors.status(), &view))
}
