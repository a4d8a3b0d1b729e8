//! `/auth/account/sessions`: where one is logged in, and the end of it.

use super::account::news_of_theft;
use super::submission::{Member, Stop, Submission, id};
use super::visit::Visit;
use crate::domain::session::active;
use crate::http::device;
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, STALE_FORM, SessionLine, SessionsPage, account_sections};
use crate::messages::Message;
use crate::model::ids::SessionId;
use crate::store::SessionSummary;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/sessions";

/// Shows the sessions.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    page(visit, &live, StatusCode::OK, None).await
}

/// Ends one; the one that the page is seen with is a log-out.
pub async fn end(visit: Visit, Path(session): Path<String>, body: Body) -> Result<Response, Stop> {
    let session = SessionId(id(&session)?);
    let Submission { mut visit, live, fields: _, meant } = visit.submission(body, PATH).await?;
    if !meant {
        return page(visit, &live, StatusCode::FORBIDDEN, Some(&STALE_FORM)).await;
    }
    let ended = active::end(&visit.app, live.view.user_id, session, &visit.by(&live)).await;
    ended.map_err(|error| Fault::new(error, visit.id))?;
    if session == live.id {
        visit.forget_session();
        visit.replace_csrf()?;
        return Ok(visit.redirect(Some("/auth/login")));
    }
    Ok(visit.redirect(Some("/auth/account/sessions?done=one")))
}

/// Ends all but the one that the page is seen with.
pub async fn end_others(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields: _, meant } = visit.submission(body, PATH).await?;
    if !meant {
        return page(visit, &live, StatusCode::FORBIDDEN, Some(&STALE_FORM)).await;
    }
    let ended = active::end_others(&visit.app, live.view.user_id, live.id, &visit.by(&live)).await;
    ended.map_err(|error| Fault::new(error, visit.id))?;
    Ok(visit.redirect(Some("/auth/account/sessions?done=others")))
}

async fn page(
    mut visit: Visit,
    live: &Live,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let listed = active::list(&visit.app, live.view.user_id).await.map_err(|error| Fault::new(error, visit.id))?;
    let theft = news_of_theft(&visit, live).await.map_err(|error| Fault::new(error, visit.id))?;
    let (current, others): (Vec<_>, Vec<_>) =
        listed.into_iter().map(|row| line(&visit, row)).partition(|line| line.id == live.id);
    let Some(current) = current.into_iter().next() else { return Ok(visit.log_in_first(PATH)) };
    let csrf = visit.csrf()?;
    let done = visit.done(&[("one", "sessions-ended-one"), ("others", "sessions-ended-others")]);
    let view = SessionsPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(PATH),
        done: done.as_ref(),
        form_error,
        stolen_token_at: theft.and_then(|session| session.ended_at),
        current,
        others: &others,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}

fn line(visit: &Visit, row: SessionSummary) -> SessionLine {
    SessionLine {
        id: row.id,
        device: device::in_words(visit.chrome().messages, &row.user_agent),
        address: row.address,
        started_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}
