//! `/auth/account`: the overview of the account.

use super::page_context::PageContext;
use crate::domain::account::overview::{self, AccountOverview};
use crate::domain::mailed_token::request;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, AccountPage, AddressTask, Membership, Profile, account_sections};
use crate::messages::Message;
use crate::model::placeholder_email::is_placeholder;
use crate::settings::EmailVerification;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account";

/// Shows the account.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let found = overview::overview(&context.app, &context.person(&live), live.view.user_id, live.id).await?;
    let Some(AccountOverview { name: display_name, is_verified, membership, token_reused_at }) = found else {
        context.clear_session();
        return Ok(context.redirect_to_login(PATH));
    };
    let csrf = context.csrf()?;
    let address_task = address_task(&context, &live).await?;
    let name = &context.app.settings.name;
    let roles: Vec<String> = live.view.roles.iter().map(|role| name.role(role).to_owned()).collect();
    let notice = context.done_message(&[
        ("username", "username-changed"),
        ("name", "display-name-saved"),
        ("name-removed", "display-name-removed"),
    ]);
    let view = AccountPage {
        layout: context.layout_for(&live, &csrf),
        sections: &account_sections(PATH),
        notice: notice.as_ref(),
        user: Profile {
            id: live.view.user_id,
            username: &live.view.username,
            name: display_name.as_deref(),
            email: &live.view.email,
            is_verified,
            roles: &roles,
            created_at: live.view.created_at,
        },
        organization: Membership { name: &membership.name, kind: membership.kind, role: membership.role },
        address_task,
        stolen_token_at: token_reused_at,
    };
    Ok(views::page(StatusCode::OK, &view))
}

/// What the page asks the user to do about the email address.
async fn address_task(context: &PageContext, live: &LiveSession) -> Result<Option<AddressTask>, PageError> {
    if is_placeholder(&live.view.email) {
        return Ok(Some(AddressTask::Add));
    }
    if context.app.settings.accounts.email_verification == EmailVerification::Off {
        return Ok(None);
    }
    let unverified = request::unverified(&context.app, &context.person(live), live.view.user_id).await;
    Ok(unverified?.map(|_| AddressTask::Verify))
}

impl PageContext {
    /// The message for the value of `?done=`, if it is one of `messages`.
    pub(super) fn done_message(&self, messages: &[(&str, &'static str)]) -> Option<Message> {
        let value = self.query.get("done")?;
        messages.iter().find(|(known, _)| *known == value).map(|(_, key)| Message::new(key))
    }
}
