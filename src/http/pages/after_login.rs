//! What follows a login: the session cookies, or the page that explains what is missing.

use super::visit::Visit;
use crate::domain::session::lifecycle::{self, Opened, Subject};
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::session::Live;
use crate::http::views::{self, DisabledPage, RefusedByApplicationPage};
use axum::http::StatusCode;
use axum::response::Response;
use std::time::Duration;

/// The place of the audience that log-in issues, in the list of the allowed ones.
const FIRST: usize = 0;

/// An application that sends someone back this soon after the token was made has refused the token.
const JUST_ISSUED: Duration = Duration::from_secs(10);

/// Sends someone who is logged in on to where the application wants them, with a token of the first audience; unless
/// the application just refused such a token, which would go round in circles (contract.md 7).
pub(super) async fn send_on(mut visit: Visit, live: &Live, return_to: Option<&str>) -> Result<Response, Fault> {
    let app = visit.app.clone();
    let now = app.clock.now();
    let first = app.settings.sessions.first_audience();
    let Some(token) = &live.token else {
        // Renewed on the way: the fresh token is among the answer's cookies.
        return Ok(visit.redirect(return_to));
    };
    if token.audience == FIRST && now.since(token.issued_at) < JUST_ISSUED {
        let csrf = visit.csrf()?;
        let page = views::page(
            StatusCode::OK,
            &RefusedByApplicationPage {
                chrome: visit.chrome(),
                csrf: &csrf,
                username: &live.view.username,
                continue_to: return_to.unwrap_or(&app.settings.server.default_return_to),
            },
        );
        return Ok(visit.answer(page));
    }
    let found = async { app.store.read().await?.session_find(live.id).await };
    let Some(row) = found.await.map_err(|error| Fault::new(error, visit.id))? else {
        // It ended this moment: forgotten, so that the log-in page is not left again at once.
        visit.forget_session();
        return Ok(visit.redirect(Some("/auth/login")));
    };
    let fresh = lifecycle::access_token(&app, &Subject::from(&row), first, now);
    visit.set_access(&fresh.map_err(|error| Fault::new(error, visit.id))?);
    Ok(visit.redirect(return_to))
}

/// The end of every log-in: the session's cookies, another CSRF token, and on to where the user was going.
pub(super) fn logged_in(mut visit: Visit, fields: &Fields, opened: &Opened) -> Result<Response, Fault> {
    visit.set_opened(opened);
    visit.replace_csrf()?;
    let return_to = visit.return_to(fields);
    Ok(visit.redirect(return_to.as_deref()))
}

/// Tells the owner of a disabled account, after everything they showed was right.
pub(super) fn disabled_page(visit: Visit, fields: &Fields) -> Response {
    let return_to = visit.return_to(fields);
    let view = DisabledPage { chrome: visit.chrome(), return_to: return_to.as_deref() };
    let page = views::page(StatusCode::FORBIDDEN, &view);
    visit.answer(page)
}
