//! `/auth/account/sessions`: lists and ends sessions.

use super::page_context::PageContext;
use super::required::parse_id;
use crate::domain::account::overview::recent_token_reuse;
use crate::domain::directory::session::SessionRecord;
use crate::domain::session::active::{self, ActiveSessions};
use crate::http::device;
use crate::http::form::{FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, Icon, SessionLine, SessionsPage, account_sections};
use crate::model::ids::SessionId;
use axum::extract::Path;
use axum::response::Response;

const PATH: &str = "/auth/account/sessions";

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    page(&context, &live, &FormErrors::default()).await
}

/// Ends a session; ending the current one logs out.
pub async fn end(
    context: PageContext,
    Path(session): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let session = SessionId(parse_id(&session)?);
    let live = context.require_login(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors).await;
    }
    active::end(&context.app, &context.person(&live), live.view.user_id, session).await?;
    if session == live.id {
        context.clear_session();
        context.replace_csrf()?;
        return Ok(context.redirect(Some("/auth/login")));
    }
    Ok(context.redirect(Some("/auth/account/sessions?done=one")))
}

/// Ends all sessions but the current one.
pub async fn end_others(context: PageContext, submitted: Submitted<NoFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors).await;
    }
    active::end_others(&context.app, &context.person(&live), live.view.user_id, live.id).await?;
    Ok(context.redirect(Some("/auth/account/sessions?done=others")))
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let person = &context.person(live);
    let found = active::list(&context.app, person, live.view.user_id, live.id).await?;
    let Some(ActiveSessions { current, others }) = found else { return Ok(context.redirect_to_login(PATH)) };
    let stolen_token_at = recent_token_reuse(&context.app, person, live.view.user_id).await?;
    let others: Vec<SessionLine> = others.iter().map(|session| session_line(context, session)).collect();
    let csrf = context.csrf()?;
    let notice = context.done_message(&[("one", "sessions-ended-one"), ("others", "sessions-ended-others")]);
    let view = SessionsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(PATH),
        notice: notice.as_ref(),
        form_error: errors.form(),
        stolen_token_at,
        current: session_line(context, &current),
        others: &others,
    };
    Ok(views::page(errors.status(), &view))
}

fn session_line(context: &PageContext, row: &SessionRecord) -> SessionLine {
    let messages = context.layout().messages;
    SessionLine {
        id: row.id,
        device: device::display_name(messages, &row.user_agent),
        icon: if device::is_phone(&row.user_agent) { Icon::Phone } else { Icon::Computer },
        place: device::place(messages, &row.address, context.device().address()),
        started_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}
