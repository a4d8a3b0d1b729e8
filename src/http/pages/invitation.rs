//! `/auth/invitations/{token}`: what the invited see, and their answer. Looking changes nothing.

use super::submission::Stop;
use super::visit::Visit;
use crate::domain::organization::respond::{self, Answer, AnswerError};
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::return_to;
use crate::http::session::Live;
use crate::http::views::{self, Guest, InvitationPage, Link, MessagePage, STALE_FORM};
use crate::messages::{Key, Message};
use crate::model::organization::InvitationState;
use crate::settings::Signup;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Which invitation, and where the way is to end.
struct Asked {
    token: String,
    return_to: Option<String>,
}

/// A form that was meant.
struct Meant {
    visit: Visit,
    live: Option<Live>,
    asked: Asked,
}

impl Asked {
    /// Back to this page.
    fn path(&self) -> String {
        return_to::carry(&format!("/auth/invitations/{}", self.token), self.return_to.as_deref())
    }
}

/// Shows the invitation.
pub async fn show(mut visit: Visit, Path(token): Path<String>) -> Result<Response, Stop> {
    let live = visit.session().await?;
    let asked = Asked { token, return_to: visit.return_to(&Fields::default()) };
    page(visit, live.as_ref(), &asked, StatusCode::OK, None).await
}

/// Accepts it for the account that is logged in.
pub async fn accept(visit: Visit, Path(token): Path<String>, body: Body) -> Result<Response, Stop> {
    let Meant { mut visit, live, asked } = meant(visit, token, body).await?;
    let Some(live) = live else { return Ok(visit.log_in_first(&asked.path())) };
    match respond::accept(&visit.app, &asked.token, live.view.user_id, live.id).await {
        Ok(subject) => {
            if let Some(subject) = subject {
                visit.set_access_for(&live, &subject)?;
            }
            Ok(visit.redirect(asked.return_to.as_deref()))
        }
        Err(error) => unanswered(visit, Some(&live), &asked, error).await,
    }
}

/// Declines it; an account is not needed for that.
pub async fn decline(visit: Visit, Path(token): Path<String>, body: Body) -> Result<Response, Stop> {
    let Meant { visit, live, asked } = meant(visit, token, body).await?;
    let user = live.as_ref().map(|live| live.view.user_id);
    match respond::decline(&visit.app, &asked.token, user).await {
        Ok(()) => Ok(over_page(visit, StatusCode::OK, Some(InvitationState::Declined), false, &asked)),
        Err(error) => unanswered(visit, live.as_ref(), &asked, error).await,
    }
}

/// A form that was meant, and who is logged in; else the page again.
async fn meant(mut visit: Visit, token: String, body: Body) -> Result<Meant, Stop> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Err(error::unreadable(error).into()),
    };
    let is_meant = visit.is_meant(&fields);
    let live = visit.session().await?;
    let asked = Asked { token, return_to: visit.return_to(&fields) };
    if !is_meant {
        return Err(page(visit, live.as_ref(), &asked, StatusCode::FORBIDDEN, Some(&STALE_FORM)).await?.into());
    }
    Ok(Meant { visit, live, asked })
}

async fn unanswered(visit: Visit, live: Option<&Live>, asked: &Asked, error: AnswerError) -> Result<Response, Stop> {
    match error {
        AnswerError::Failed(error) => Err(Fault::new(error, visit.id).into()),
        AnswerError::Unknown => Ok(over_page(visit, StatusCode::NOT_FOUND, None, false, asked)),
        // The other answer may not be there for readers yet.
        AnswerError::Over(state, by) => {
            let own = live.is_some_and(|live| by == Some(live.view.user_id));
            Ok(over_page(visit, StatusCode::CONFLICT, Some(state), own, asked))
        }
        AnswerError::WrongAccount => page(visit, live, asked, StatusCode::FORBIDDEN, None).await,
    }
}

async fn page(
    mut visit: Visit,
    live: Option<&Live>,
    asked: &Asked,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let Answer { invitation, organization } = match respond::find_by_token(&visit.app, &asked.token).await {
        Ok(answer) => answer,
        Err(AnswerError::Failed(error)) => return Err(Fault::new(error, visit.id).into()),
        Err(_) => return Ok(over_page(visit, StatusCode::NOT_FOUND, None, false, asked)),
    };
    let state = invitation.state_at(visit.app.clock.now());
    if state != InvitationState::Pending {
        let own = live.is_some_and(|live| invitation.finished_by_user_id == Some(live.view.user_id));
        let status = if status == StatusCode::OK && !own { StatusCode::GONE } else { status };
        return Ok(over_page(visit, status, Some(state), own, asked));
    }
    let guest = match live {
        Some(live) if live.view.email.to_lowercase() == invitation.email_key => {
            Guest::Invited { username: &live.view.username }
        }
        Some(live) => Guest::Other { email: &live.view.email },
        None => unknown_guest(&visit, &invitation.email_key).await?,
    };
    let csrf = visit.csrf()?;
    let view = InvitationPage {
        chrome: visit.chrome(),
        csrf: &csrf,
        return_to: asked.return_to.as_deref(),
        token: &asked.token,
        path: &asked.path(),
        organization: &organization.name,
        role: invitation.role,
        email: &invitation.email,
        expires_at: invitation.expires_at,
        guest,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}

/// Whoever has the link may know whether the address has an account: it was sent to its owner.
async fn unknown_guest(visit: &Visit, email_key: &str) -> Result<Guest<'static>, Stop> {
    let found = async { visit.app.store.read().await?.user_find_by_email(email_key).await };
    let has_account = found.await.map_err(|error| Fault::new(error, visit.id))?.is_some();
    Ok(Guest::Unknown { has_account, may_sign_up: visit.app.settings.accounts.signup != Signup::Closed })
}

/// What became of an invitation that cannot be answered any more; `own`: by the one who looks.
fn over_page(visit: Visit, status: StatusCode, state: Option<InvitationState>, own: bool, asked: &Asked) -> Response {
    let (heading, why) = match (state, own) {
        (Some(InvitationState::Accepted), true) => ("invitation-accepted-own", "invitation-accepted-own-why"),
        (Some(InvitationState::Accepted), false) => ("invitation-accepted", "invitation-accepted-why"),
        (Some(InvitationState::Declined), _) => ("invitation-declined", "invitation-declined-why"),
        (Some(InvitationState::Revoked), _) => ("invitation-revoked", "invitation-revoked-why"),
        (Some(InvitationState::Expired), _) => ("invitation-expired", "invitation-expired-why"),
        (Some(InvitationState::Pending) | None, _) => ("invitation-void", "invitation-void-why"),
    };
    let next = match (own, &asked.return_to) {
        (true, Some(target)) => Link { href: target, label: Key("continue") },
        (true, None) => Link { href: "/auth/organizations", label: Key("invitation-to-organizations") },
        (false, _) => Link { href: "/auth/", label: Key("error-to-account") },
    };
    let view = MessagePage {
        chrome: visit.chrome(),
        heading: Key(heading),
        paragraphs: &[Message::new(why)],
        next: Some(next),
    };
    let page = views::page(status, &view);
    visit.answer(page)
}
