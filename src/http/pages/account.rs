//! `/auth/account`: the overview of the account.

use super::change_form::LoggedIn;
use super::done::AccountNotice;
use super::page_context::PageContext;
use super::paths;
use crate::domain::account::overview::{self, AccountOverview};
use crate::domain::mailed_token::request;
use crate::domain::mfa::status;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, AccountPage, AddressTask, OrganizationHeader, Profile};
use crate::messages::Message;
use crate::model::placeholder_email::is_placeholder;
use crate::settings::EmailVerification;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = paths::ACCOUNT;

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let found = overview::overview(&context.app, &context.principal(&live), live.view.user_id, live.id).await?;
    let Some(AccountOverview { is_verified, membership, token_reused_at }) = found else {
        context.clear_session();
        return Ok(context.redirect_to_login(PATH));
    };
    let address_task = address_task(&context, &live).await?;
    let name = &context.app.settings.name;
    let roles: Vec<String> = live.view.roles.iter().map(|role| name.role(role).to_owned()).collect();
    let notice = notice(&context, &live, &membership.name).await?;
    let view = AccountPage {
        layout: &LoggedIn { context: &context, live: &live }.shell(PATH, None)?,
        notice: notice.as_ref(),
        user: Profile {
            id: live.view.user_id,
            label: live.view.label(),
            shows_username: context.app.settings.accounts.has_usernames(),
            is_verified,
            roles: &roles,
            created_at: live.view.created_at,
        },
        organization: OrganizationHeader {
            id: membership.organization_id,
            name: &membership.name,
            kind: membership.kind,
            role: membership.role,
        },
        address_task,
        stolen_token_at: token_reused_at,
    };
    Ok(views::page(StatusCode::OK, &view))
}

async fn notice(context: &PageContext, live: &LiveSession, organization: &str) -> Result<Option<Message>, PageError> {
    Ok(match context.done() {
        Some(AccountNotice::AddressVerified) => Some(Message::new("address-verified-now")),
        Some(AccountNotice::Joined) => Some(Message::new("joined").text("organization", organization)),
        Some(AccountNotice::RecoveryCodeUsed) => {
            let left = status::two_factor(&context.app, &context.principal(live), live.view.user_id).await?;
            left.map(|left| Message::new("recovery-code-used").number("left", left.codes_left))
        }
        Some(AccountNotice::PasswordChanged) | None => context.done_message(&[
            ("username", "username-changed"),
            ("name", "display-name-saved"),
            ("name-removed", "display-name-removed"),
        ]),
    })
}

/// What the page asks the user to do about the email address.
async fn address_task(context: &PageContext, live: &LiveSession) -> Result<Option<AddressTask>, PageError> {
    if is_placeholder(&live.view.email) {
        return Ok(Some(AddressTask::Add));
    }
    if context.app.settings.accounts.email_verification == EmailVerification::Off {
        return Ok(None);
    }
    let unverified = request::unverified(&context.app, &context.principal(live), live.view.user_id).await;
    Ok(unverified?.map(|_| AddressTask::Verify))
}
