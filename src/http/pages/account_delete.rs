//! `/auth/account/delete`: deletes the account after reauthentication (docs/reference/browser.md 10.8).

use super::page_context::PageContext;
use super::password_prompt::PromptFields;
use crate::domain::account::delete::{self, delete};
use crate::domain::login::prompt::PasswordPrompt;
use crate::http::form::{FormErrors, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, DeleteAccountPage, Link, MessagePage, WRONG_PASSWORD, account_sections};
use crate::messages::{Key, Message};
use crate::refusal::{ChangeError, Refusal, Rule};
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/delete";

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(PATH));
    }
    page(&context, &live, &FormErrors::default()).await
}

pub async fn submit(context: PageContext, submitted: Submitted<PromptFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(PATH));
    }
    if !context.is_reauthenticated(&live, &form, PasswordPrompt::AccountDeletion).await? {
        return page(&context, &live, &form.refused_field("password", WRONG_PASSWORD.clone())).await;
    }
    match delete(&context.app, &context.person(&live), live.view.user_id).await {
        Ok(()) | Err(ChangeError::Refused(Refusal::NotFound(_))) => {
            context.clear_session();
            context.replace_csrf()?;
            Ok(deleted_page(&context))
        }
        Err(ChangeError::Refused(Refusal::Rule(Rule::LastAdministrator, _))) => {
            page(&context, &live, &form.refused(Message::new("account-last-admin"))).await
        }
        Err(error) => page(&context, &live, &form.again().refused(error)?).await,
    }
}

fn deleted_page(context: &PageContext) -> Response {
    let view = MessagePage {
        layout: context.layout(),
        heading: Key("account-deleted"),
        paragraphs: &[Message::new("account-deleted-what")],
        next: Some(Link { href: "/auth/login", label: Key("error-to-log-in") }),
    };
    views::page(StatusCode::OK, &view)
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let goes = delete::consequences(&context.app, &context.person(live), live.view.user_id).await?;
    // Known before the password is typed.
    let ownerless = (!goes.ownerless.is_empty()).then(|| delete::last_owner_message(&goes.ownerless, true));
    let view = DeleteAccountPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        account: live.view.person().account(),
        deleted: &goes.deleted,
        left: &goes.left,
        has_password: context.has_password(live).await?,
        password_error: errors.of("password"),
        form_error: errors.form().or(ownerless.as_ref()),
    };
    Ok(views::page(errors.status(), &view))
}
