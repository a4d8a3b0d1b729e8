//! `/auth/account`: the overview of the account.

use super::page_context::PageContext;
use crate::domain::mailed_token::request;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, AccountPage, AddressTask, Membership, Profile, account_sections};
use crate::messages::Message;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::Operation;
use crate::settings::EmailVerification;
use crate::store::{MembershipRow, SessionSummary, StoreError};
use axum::http::StatusCode;
use axum::response::Response;
use std::time::Duration;

const PATH: &str = "/auth/account";
/// How long the page reports the reuse (theft) of a refresh token.
const REUSE_NOTICE_RETENTION: Duration = Duration::from_hours(30 * 24);

/// Shows the account.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let Some((membership, display_name, reuse)) = load(&context, &live).await? else {
        context.clear_session();
        return Ok(context.redirect_to_login(PATH));
    };
    let csrf = context.csrf()?;
    let address_task = address_task(&context, &live).await?;
    let name = &context.app.settings.name;
    let roles: Vec<String> = live.view.roles.iter().map(|role| name.role(role).to_owned()).collect();
    let notice = context.done_message(&[("username", "username-changed"), ("name", "display-name-changed")]);
    let view = AccountPage {
        layout: context.layout_for(&live, &csrf),
        sections: &account_sections(PATH),
        notice: notice.as_ref(),
        user: Profile {
            id: live.view.user_id,
            username: &live.view.username,
            name: display_name.as_deref(),
            email: &live.view.email,
            roles: &roles,
            created_at: live.view.created_at,
        },
        organization: Membership { name: &membership.name, kind: membership.kind, role: membership.role },
        address_task,
        stolen_token_at: reuse.and_then(|session| session.ended_at),
    };
    Ok(views::page(StatusCode::OK, &view))
}

/// Returns the membership, the display name and the latest token reuse, or `None` if the session has just ended.
async fn load(
    context: &PageContext,
    live: &LiveSession,
) -> Result<Option<(MembershipRow, Option<String>, Option<SessionSummary>)>, PageError> {
    let mut conn =
        context.app.store.read_own(&context.person(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    let Some(membership) = conn.membership_of_session(live.id).await? else { return Ok(None) };
    let name = conn.user_find(live.view.user_id).await?.and_then(|user| user.name);
    drop(conn);
    Ok(Some((membership, name, recent_token_reuse(context, live).await?)))
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

/// The last session that ended because its refresh token was reused, if that is recent.
pub(super) async fn recent_token_reuse(
    context: &PageContext,
    live: &LiveSession,
) -> Result<Option<SessionSummary>, StoreError> {
    let since = context.app.clock.now() - REUSE_NOTICE_RETENTION;
    let mut conn =
        context.app.store.read_own(&context.person(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    conn.session_reuse_since(live.view.user_id, since).await
}

impl PageContext {
    /// The message for the value of `?done=`, if it is one of `messages`.
    pub(super) fn done_message(&self, messages: &[(&str, &'static str)]) -> Option<Message> {
        let value = self.query.get("done")?;
        messages.iter().find(|(known, _)| *known == value).map(|(_, key)| Message::new(key))
    }
}
