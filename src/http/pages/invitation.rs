//! `/auth/invitations/{token}`: shows an invitation, accepts or declines it (docs/reference/browser.md 11.4). GET
//! changes nothing, as mail scanners follow links.

use super::done::AccountNotice;
use super::page_context::PageContext;
use crate::domain::change;
use crate::domain::organization::invite;
use crate::domain::organization::respond::{self, InvitationDetails, InvitationResponseError};
use crate::http::form::{FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::return_to;
use crate::http::session::LiveSession;
use crate::http::views::{self, InvitationPage, InvitationViewer, InvitedAccount, Link, MessagePage};
use crate::messages::{Key, Message};
use crate::model::mail_domain;
use crate::model::organization::InvitationState;
use crate::rate_limit::ChangeKind;
use crate::settings::Signup;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// The token of the invitation and the `return_to` of the flow.
struct InvitationQuery {
    token: String,
    return_to: Option<String>,
}

impl InvitationQuery {
    fn path(&self) -> String {
        return_to::append(&format!("/auth/invitations/{}", self.token), self.return_to.as_deref())
    }
}

pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, PageError> {
    let live = context.session().await?;
    let errors = FormErrors::default();
    let query = InvitationQuery { token, return_to: context.return_to(errors.typed()) };
    page(&context, live.as_ref(), &query, &errors).await
}

/// Accepts the invitation for the logged-in account.
pub async fn accept(
    context: PageContext,
    Path(token): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let live = context.session().await?;
    let query = InvitationQuery { token, return_to: context.return_to(submitted.typed()) };
    if let Err(errors) = submitted.verified(live.as_ref()) {
        return page(&context, live.as_ref(), &query, &errors).await;
    }
    let Some(live) = live else { return Ok(context.redirect_to_login(&query.path())) };
    context.check_change_limit(&live, ChangeKind::Switches).await?;
    let change = respond::Accept { token: &query.token };
    match change::run(&context.app, &context.principal(&live), change).await {
        Ok(subject) => {
            if let Some(subject) = subject {
                context.reissue_access_token(&live, &subject)?;
            }
            Ok(context.redirect_done(query.return_to.as_deref(), AccountNotice::Joined))
        }
        Err(error) => error_response(&context, Some(&live), &query, error).await,
    }
}

/// Declines the invitation; this needs no session.
pub async fn decline(
    context: PageContext,
    Path(token): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let live = context.session().await?;
    let query = InvitationQuery { token, return_to: context.return_to(submitted.typed()) };
    if let Err(errors) = submitted.verified(live.as_ref()) {
        return page(&context, live.as_ref(), &query, &errors).await;
    }
    if let Some(live) = &live {
        context.check_change_limit(live, ChangeKind::Switches).await?;
    }
    let principal = live.as_ref().map_or_else(|| context.anonymous(), |live| context.principal(live));
    match change::run(&context.app, &principal, respond::Decline { token: &query.token }).await {
        Ok(()) => Ok(closed_page(&context, StatusCode::OK, Some(InvitationState::Declined), None, &query)),
        Err(error) => error_response(&context, live.as_ref(), &query, error).await,
    }
}

async fn error_response(
    context: &PageContext,
    live: Option<&LiveSession>,
    query: &InvitationQuery,
    error: InvitationResponseError,
) -> Result<Response, PageError> {
    match error {
        InvitationResponseError::Failed(error) => Err(error.into()),
        InvitationResponseError::Unknown => Ok(closed_page(context, StatusCode::NOT_FOUND, None, None, query)),
        // Takes the state from the error: a read may not see the other answer yet.
        InvitationResponseError::NotPending(state, actor) => {
            let by_viewer = live.is_some_and(|live| actor == Some(live.view.user_id));
            let details = respond::find_by_token(&context.app, &context.anonymous(), &query.token).await.ok();
            let answered = details.as_ref().filter(|_| by_viewer).map(|details| details.organization.name.as_str());
            Ok(closed_page(context, StatusCode::CONFLICT, Some(state), answered, query))
        }
        InvitationResponseError::WrongAccount => {
            page(context, live, query, &FormErrors::default().with_status(StatusCode::FORBIDDEN)).await
        }
    }
}

async fn page(
    context: &PageContext,
    live: Option<&LiveSession>,
    query: &InvitationQuery,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let details = respond::find_by_token(&context.app, &context.anonymous(), &query.token).await;
    let InvitationDetails { invitation, organization, inviter } = match details {
        Ok(open) => open,
        Err(InvitationResponseError::Failed(error)) => return Err(error.into()),
        Err(_) => return Ok(closed_page(context, StatusCode::NOT_FOUND, None, None, query)),
    };
    let state = invitation.state_at(context.app.clock.now());
    if state != InvitationState::Pending {
        let by_viewer = live.is_some_and(|live| invitation.finished_by_user_id == Some(live.view.user_id));
        let status = if errors.status() == StatusCode::OK && !by_viewer { StatusCode::GONE } else { errors.status() };
        let answered = by_viewer.then_some(organization.name.as_str());
        return Ok(closed_page(context, status, Some(state), answered, query));
    }
    let viewer = match live {
        Some(live) if mail_domain::key(&live.view.email) == invitation.email_key => {
            InvitationViewer::Invitee { called: live.view.label().called() }
        }
        Some(live) => InvitationViewer::OtherUser { email: live.view.label().account() },
        None => InvitationViewer::Anonymous {
            account: match respond::has_account(&context.app, &context.anonymous(), &invitation).await? {
                None => InvitedAccount::NotTold,
                Some(true) => InvitedAccount::Exists,
                Some(false) => InvitedAccount::Missing,
            },
            may_sign_up: context.app.settings.accounts.signup != Signup::Closed,
        },
    };
    let view = InvitationPage {
        layout: &context.shell(context.layout().shown_to(live), errors.form())?,
        return_to: query.return_to.as_deref(),
        token: &query.token,
        path: &query.path(),
        organization: &organization.name,
        inviter: inviter.as_ref().map(invite::inviter_name),
        role: invitation.role,
        email: &invitation.email,
        expires_at: invitation.expires_at,
        viewer,
    };
    Ok(views::page(errors.status(), &view))
}

/// The page for an invitation that is no longer pending; `answered` is the organization's name if the viewer answered it.
fn closed_page(
    context: &PageContext,
    status: StatusCode,
    state: Option<InvitationState>,
    answered: Option<&str>,
    query: &InvitationQuery,
) -> Response {
    let (heading, explanation) = match (state, answered) {
        (Some(InvitationState::Accepted), Some(_)) => ("invitation-accepted-own", "invitation-accepted-own-why"),
        (Some(InvitationState::Accepted), None) => ("invitation-accepted", "invitation-accepted-why"),
        (Some(InvitationState::Declined), _) => ("invitation-declined", "invitation-declined-why"),
        (Some(InvitationState::Revoked), _) => ("invitation-revoked", "invitation-revoked-why"),
        (Some(InvitationState::Expired), _) => ("invitation-expired", "invitation-expired-why"),
        (Some(InvitationState::Pending) | None, _) => ("invitation-void", "invitation-void-why"),
    };
    let next = match (answered, &query.return_to) {
        (Some(_), Some(target)) => Link { href: target, label: Key("continue") },
        (Some(_), None) => Link { href: "/auth/organizations", label: Key("invitation-to-organizations") },
        (None, _) => Link { href: "/auth/", label: Key("error-to-account") },
    };
    let explanation = Message::new(explanation).text("organization", answered.unwrap_or_default());
    let view =
        MessagePage { layout: context.layout(), heading: Key(heading), paragraphs: &[explanation], next: Some(next) };
    views::page(status, &view)
}
