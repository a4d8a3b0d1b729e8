//! Responses after a login: session cookies and redirect, or a page that says why access is refused.

use super::done::AccountNotice;
use super::page_context::PageContext;
use super::paths;
use crate::domain::login::pending::PendingLogin;
use crate::domain::session::lifecycle::{self, OpenedSession, Subject};
use crate::http::form::Typed;
use crate::http::page_error::PageError;
use crate::http::return_to;
use crate::http::session::LiveSession;
use crate::http::views::{self, DisabledPage, RefusedByApplicationPage};
use crate::model::principal::Operation;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::Response;
use std::time::Duration;

/// The index of the audience that a login issues, in the list of allowed audiences.
const FIRST_AUDIENCE: usize = 0;

/// An application that sends the user back this soon after the token was issued has refused it.
const REDIRECT_LOOP_INTERVAL: Duration = Duration::from_secs(10);

/// Redirects a logged-in user to `return_to` with a token of the first audience. If the application has just refused
/// such a token, shows a page instead, to break the redirect loop (docs/reference/browser.md 8.1).
pub(super) async fn redirect_logged_in(
    context: &PageContext,
    live: &LiveSession,
    return_to: Option<&str>,
) -> Result<Response, PageError> {
    let app = context.app.clone();
    let now = app.clock.now();
    let audience = app.settings.sessions.default_audience();
    let Some(token) = &live.token else {
        // The session was just refreshed: the response already sets a new token.
        return Ok(context.redirect(return_to));
    };
    if token.audience == FIRST_AUDIENCE && now.since(token.issued_at) < REDIRECT_LOOP_INTERVAL {
        let view = RefusedByApplicationPage {
            layout: &context.shell(context.layout(), None)?,
            called: live.view.label().called(),
            sent_back: may_be_sent_back(&context.headers),
            continue_to: return_to.unwrap_or(&app.settings.server.default_return_to),
        };
        return Ok(views::page(StatusCode::OK, &view));
    }
    let mut conn = app.store.read_own(&context.principal(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    let Some(subject) = conn.session_find(live.id).await?.as_ref().and_then(Subject::of) else {
        // The session has just ended. Clear it, or the login page would redirect here again.
        context.clear_session();
        return Ok(context.redirect(Some("/auth/login")));
    };
    let subject = Subject { refresh_generation: live.refresh_generation, ..subject };
    let token = lifecycle::access_token(&app, &subject, audience, now);
    context.set_access_cookie(&token?);
    Ok(context.redirect(return_to))
}

/// Whether the application may have sent the user here, by a redirect or link. Browsers mark what came from the address
/// bar or a bookmark with `none`, and what came from elsewhere with `cross-site` (Fetch Metadata, 2.4).
fn may_be_sent_back(headers: &HeaderMap) -> bool {
    let site = headers.get(HeaderName::from_static("sec-fetch-site"));
    site.is_none_or(|site| site == "same-origin" || site == "same-site")
}

/// Asks for the second factor of a login that has shown the first, and then leads to `return_to`.
pub(super) fn second_factor_response(
    context: &PageContext,
    pending: &PendingLogin,
    return_to: Option<&str>,
) -> Response {
    context.set_pending_login(pending);
    context.redirect(Some(&paths::second_factor(return_to, false)))
}

/// Completes every login: sets the session cookies, replaces the CSRF token and redirects to `return_to`. An account
/// without an email address is asked for one first.
pub(super) fn login_response(
    context: &PageContext,
    typed: &Typed,
    opened: &OpenedSession,
) -> Result<Response, PageError> {
    let return_to = context.return_to(typed);
    login_response_to(context, opened, return_to.as_deref())
}

/// The same, where the login leads somewhere else than the form says.
pub(super) fn login_response_to(
    context: &PageContext,
    opened: &OpenedSession,
    return_to: Option<&str>,
) -> Result<Response, PageError> {
    Ok(begin_session(context, opened, return_to)?.unwrap_or_else(|| context.redirect(return_to)))
}

/// The same after something else was done, which the page of the account says.
pub(super) fn login_response_done(
    context: &PageContext,
    opened: &OpenedSession,
    return_to: Option<&str>,
    done: AccountNotice,
) -> Result<Response, PageError> {
    Ok(begin_session(context, opened, return_to)?.unwrap_or_else(|| context.redirect_done(return_to, done)))
}

/// Sets what a new session needs; the response where an email address is asked for first.
fn begin_session(
    context: &PageContext,
    opened: &OpenedSession,
    return_to: Option<&str>,
) -> Result<Option<Response>, PageError> {
    context.set_session_cookies(opened);
    context.replace_csrf()?;
    let path = || return_to::append(paths::ACCOUNT_EMAIL, return_to);
    Ok((!opened.has_address).then(|| context.redirect(Some(&path()))))
}

/// The page for a disabled account, shown only after correct credentials (account enumeration).
pub(super) fn disabled_page(context: &PageContext, typed: &Typed) -> Response {
    let return_to = context.return_to(typed);
    let view = DisabledPage { layout: context.layout(), return_to: return_to.as_deref() };
    views::page(StatusCode::FORBIDDEN, &view)
}
