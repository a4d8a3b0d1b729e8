//! What a person is told where a login with a provider does not lead into an account: one sentence, whatever was sent.

use super::login;
use super::page_context::PageContext;
use super::paths;
use super::signup::{self, Entrance};
use crate::domain::identity::field_errors::FieldErrors;
use crate::domain::provider_login::refusal::RefusedLogin;
use crate::domain::registration::admission;
use crate::http::form::{FormErrors, Typed};
use crate::http::page_error::PageError;
use crate::http::views::{self, Link, MessagePage};
use crate::messages::{Key, Message};
use crate::model::mail_domain::in_letters;
use crate::store::{MAX_IDENTITIES, ProviderRow};
use axum::http::StatusCode;
use axum::response::Response;

/// The login page with the sentence and the reference of a refusal.
pub(super) async fn page(
    context: &PageContext,
    provider: &ProviderRow,
    refused: &RefusedLogin,
    return_to: Option<String>,
) -> Result<Response, PageError> {
    let (key, status) = match refused {
        RefusedLogin { is_outage: true, .. } => ("provider-away", StatusCode::SERVICE_UNAVAILABLE),
        RefusedLogin { is_canceled: true, .. } => ("provider-canceled", StatusCode::UNAUTHORIZED),
        _ => ("provider-refused", StatusCode::UNAUTHORIZED),
    };
    let message = Message::new(key).text("provider", &provider.provider.label).text("reference", &refused.reference);
    let errors = FormErrors::default().and_form(message).with_status(status);
    login::page_after_provider(context, &errors, return_to).await
}

/// The login page, for an address that cannot be had, with the sentence of signup.
pub(super) async fn address_taken(context: &PageContext, return_to: Option<String>) -> Result<Response, PageError> {
    let errors = FormErrors::default().and_form(Message::new("email-taken"));
    login::page_after_provider(context, &errors, return_to).await
}

/// The signup page with what is wrong, as if it had been typed there.
pub(super) async fn signup_fields(
    context: &PageContext,
    invitation: Option<&str>,
    errors: FieldErrors,
) -> Result<Response, PageError> {
    match admission::admit(&context.app, &context.anonymous(), invitation).await? {
        Ok(admission) => {
            let errors = FormErrors::default().and_fields(errors.fields());
            signup::form_page(context, Entrance::Signup(&admission), &errors).await
        }
        Err(why) => Ok(signup::refused_page(context, &Typed::default(), why)),
    }
}

/// 403: the invitation is for this address, which is another one.
pub(super) fn invited_elsewhere(context: &PageContext, provider: &ProviderRow, email: &str) -> Response {
    let why = Message::new("invited-elsewhere-why")
        .text("email", in_letters(email).into_owned())
        .text("provider", &provider.provider.label);
    message(context, StatusCode::FORBIDDEN, "invited-elsewhere-title", why, LOG_IN)
}

const LOG_IN: Link<'static> = Link { href: "/auth/login", label: Key("link-to-log-in") };
const CONNECTIONS: Link<'static> = Link { href: paths::CONNECTIONS, label: Key("connections-title") };

/// 409: another account has the account at the provider.
pub(super) fn identity_taken(context: &PageContext, provider: &ProviderRow) -> Response {
    let why = Message::new("identity-taken-why").text("provider", &provider.provider.label);
    message(context, StatusCode::CONFLICT, "identity-taken-title", why, CONNECTIONS)
}

/// 422: the account has as many as it may have.
pub(super) fn too_many_identities(context: &PageContext) -> Response {
    let max = usize::try_from(MAX_IDENTITIES).unwrap_or_default();
    let why = Message::new("identities-full-why").number("max", max);
    message(context, StatusCode::UNPROCESSABLE_ENTITY, "identities-full-title", why, CONNECTIONS)
}

fn message(context: &PageContext, status: StatusCode, heading: &'static str, why: Message, next: Link<'_>) -> Response {
    let mut layout = context.layout();
    layout.return_path = next.href;
    let view = MessagePage { layout, heading: Key(heading), paragraphs: &[why], next: Some(next) };
    views::page(status, &view)
}
