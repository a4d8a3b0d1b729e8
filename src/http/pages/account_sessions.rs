//! `/auth/account/sessions`: lists and ends sessions.

use super::account::recent_token_reuse;
use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission, parse_id};
use crate::domain::session::active;
use crate::http::device;
use crate::http::error::InternalError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, SessionLine, SessionsPage, account_sections};
use crate::messages::Message;
use crate::model::ids::SessionId;
use crate::store::SessionSummary;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/sessions";

/// Shows the sessions.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    page(context, &live, StatusCode::OK, None).await
}

/// Ends a session; ending the current one logs out.
pub async fn end(context: PageContext, Path(session): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let session = SessionId(parse_id(&session)?);
    let Submission { mut context, live, fields: _, csrf_valid } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return page(context, &live, StatusCode::FORBIDDEN, Some(&CSRF_FAILED)).await;
    }
    let result = active::end(&context.app, live.view.user_id, session, &context.actor(&live)).await;
    result.map_err(|error| InternalError::new(error, context.id))?;
    if session == live.id {
        context.clear_session();
        context.replace_csrf()?;
        return Ok(context.redirect(Some("/auth/login")));
    }
    Ok(context.redirect(Some("/auth/account/sessions?done=one")))
}

/// Ends all sessions but the current one.
pub async fn end_others(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields: _, csrf_valid } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return page(context, &live, StatusCode::FORBIDDEN, Some(&CSRF_FAILED)).await;
    }
    let result = active::end_others(&context.app, live.view.user_id, live.id, &context.actor(&live)).await;
    result.map_err(|error| InternalError::new(error, context.id))?;
    Ok(context.redirect(Some("/auth/account/sessions?done=others")))
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let sessions =
        active::list(&context.app, live.view.user_id).await.map_err(|error| InternalError::new(error, context.id))?;
    let reuse = recent_token_reuse(&context, live).await.map_err(|error| InternalError::new(error, context.id))?;
    let (current, others): (Vec<_>, Vec<_>) =
        sessions.into_iter().map(|row| session_line(&context, row)).partition(|line| line.id == live.id);
    let Some(current) = current.into_iter().next() else { return Ok(context.redirect_to_login(PATH)) };
    let csrf = context.csrf()?;
    let notice = context.done_message(&[("one", "sessions-ended-one"), ("others", "sessions-ended-others")]);
    let view = SessionsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(PATH),
        notice: notice.as_ref(),
        form_error,
        stolen_token_at: reuse.and_then(|session| session.ended_at),
        current,
        others: &others,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}

fn session_line(context: &PageContext, row: SessionSummary) -> SessionLine {
    SessionLine {
        id: row.id,
        device: device::display_name(context.layout().messages, &row.user_agent),
        address: row.address,
        started_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}
